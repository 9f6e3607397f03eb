package labkit

import (
	"context"
	"strconv"
)

// MeasureTrials has each arm take as many turns as the plan has rounds, each of
// which is a trial that counts what has happened: TrialMetrics. Rounds, order,
// Keep and errors are those of Measure, without a warm-up, since nothing is timed,
// and without controls.
func (l Lab) MeasureTrials(ctx context.Context, n int, arms []Arm) ([]Series, error) {
	series, _, err := l.special(ctx, n, 0, arms, l.turn)
	return series, err
}

// InRounds returns the plan of a part that has a number of rounds of its own, as
// trials do.
func (p Plan) InRounds(rounds int) Plan {
	p = p.With(RoundsGiven, rounds)
	p.Rounds = rounds
	return p
}

// RoundsGiven is the name under which a part is given rounds of its own.
const RoundsGiven = "rounds"

// OwnRounds tells whether the plan is of a part with a number of rounds of its own.
func (p Plan) OwnRounds() bool { return p.Given[RoundsGiven] == strconv.Itoa(p.Rounds) }
