package labkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
)

// What cannot be told inside one process is measured in a child: this program,
// started again with an environment variable that names what it is to measure.
// The same code runs in it up to the sweep, which looks for the variable, takes
// those turns, tells the parent what it has measured and ends. So it works for a
// cell of a notebook, where there is no other program at hand, as it does for a
// command.

// turnVariable is the environment variable that makes a process a child; it
// holds a Turn as JSON.
const turnVariable = "SHELFLAB_TURN"

// ErrChild says that a process of its own failed, rather than an arm in it: it
// could not be started, ended with an error, was killed, or left no result.
var ErrChild = errors.New("in a process of its own")

var errNoGrandchild = fmt.Errorf("%w: a child does not start another", ErrChild)

// Turn is what a child is to do: a round of turns by the clock, each right after
// one of warm-up, or the turn of one arm whose resources are measured.
type Turn struct {
	Plan   string   `json:"plan"`            // fingerprint of the plan that is measured
	Group  Group    `json:"group,omitempty"` // Main or Resources
	N      int      `json:"n"`               // records
	Number int      `json:"number"`          // of the round, from 0
	Arms   []string `json:"arms"`            // their names, in the order of their turns
	Dir    string   `json:"dir"`             // where the arms make their stores
	Timer  Timer    `json:"timer"`           // of the clock
	// Once says that the turns come without one of warm-up.
	Once bool `json:"once,omitempty"`
	// DataLimit is the plan's, of a turn of Resources.
	DataLimit int64 `json:"data_limit,omitempty"`
	// Batches says how many calls a sample is the mean of, by arm and metric:
	// what the round before has found, empty in the first.
	Batches map[string]map[string]int `json:"batches,omitempty"`
}

// ChildTurn returns the turn for which this process was started as a child; ok
// is false in every other process. A sweep asks it before anything else.
func ChildTurn() (turn Turn, ok bool) {
	text, ok := os.LookupEnv(turnVariable)
	if !ok || json.Unmarshal([]byte(text), &turn) != nil {
		return Turn{}, ok // a turn of no arm, which Take refuses
	}
	return turn, true
}

// Of tells whether the turn is one of a plan's, at one of sizes: a program may
// hold more than one sweep.
func (t Turn) Of(plan Plan, sizes ...int) bool {
	return t.Plan == plan.Fingerprint() && slices.Contains(sizes, t.N)
}

// Take takes the turn, of some of arms, and tells the parent what it has
// measured. The process has nothing else to do then, and displays nothing. ctx
// is that of Context, so that the child ends with its parent.
func (t Turn) Take(ctx context.Context, arms []Arm) error {
	if len(t.Arms) == 0 {
		return fmt.Errorf("%w: it was started for a turn of no arm", ErrChild)
	}
	p, err := joinParent()
	if err != nil {
		return err
	}
	if err := t.take(ctx, arms, p); err != nil {
		return errors.Join(err, p.say(report{Event: fails, Failure: failureOf(err)}))
	}
	return p.say(report{Event: finished})
}

func (t Turn) take(ctx context.Context, arms []Arm, p *parent) error {
	mine := make([]Arm, len(t.Arms))
	for i, name := range t.Arms {
		at := slices.IndexFunc(arms, func(a Arm) bool { return a.Name == name })
		if at < 0 {
			return fmt.Errorf("%w: the program that was started again has no arm %q", ErrChild, name)
		}
		mine[i] = arms[at]
	}
	passes := []int{-1, t.Number}
	if t.Group == Resources || t.Once { // what is warm would hide the resources
		passes = passes[1:]
	}
	has, err := limitData(t.DataLimit)
	if err != nil {
		return err
	}
	for i, arm := range mine {
		sizes := t.Batches[arm.Name]
		if sizes == nil {
			sizes = map[string]int{}
		}
		for _, number := range passes {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := p.ask(report{Event: begins, Arm: arm.Name, Number: number}); err != nil {
				return err
			}
			r := &Round{N: t.N, Number: number, clock: Monotonic, batches: sizes, enough: t.Timer.enough(), plan: t.Plan}
			if t.Group == Resources {
				r.instrument = &resources{limited: t.DataLimit > 0, has: has}
			}
			samples, err := Lab{Dir: t.Dir}.turn(ctx, arm, r)
			if err != nil {
				return err
			}
			err = p.ask(report{Event: ends, Arm: arm.Name, Number: number, Place: i + 1, Series: samples, Unmeasured: r.unmeasured})
			if err != nil {
				return err
			}
		}
	}
	if ctx.Err() != nil { // the parent need not have been interrupted, too
		return context.Cause(ctx)
	}
	return nil
}

// MeasureResources measures what the arms take besides time, at n records, each
// turn in a process of its own: memory, allocations, collections of garbage and
// bytes written, of the metrics of ResourceMetrics. Rounds, order, Keep and
// errors are those of Measure, without a warm-up: every process begins cold.
// What this system does not tell comes back as Unmeasured, and so does an arm that
// the plan's DataLimit leaves without memory, in any round: an Unmeasured that wraps
// nothing, of OwnMemory.Of(Read), whose Why names the limit. Where the system has no
// such limit that is an error, which wraps ErrLimit.
func (l Lab) MeasureResources(ctx context.Context, n int, arms []Arm) ([]Series, []Unmeasured, error) {
	if _, ok := ChildTurn(); ok {
		return nil, nil, errNoGrandchild
	}
	return l.special(ctx, n, 0, arms, l.inChild)
}

func (l Lab) inChild(ctx context.Context, arm Arm, r *Round) (samples []Series, err error) {
	turn := Turn{
		Plan: l.Plan.Fingerprint(), Group: Resources, N: r.N, Number: r.Number, Arms: []string{arm.Name}, Dir: l.Dir,
		DataLimit: l.Plan.DataLimit,
	}
	_, err = l.child(ctx, turn, func(said report) error {
		if said.Event == ends {
			samples, r.unmeasured = said.Series, said.Unmeasured
			for i := range samples {
				samples[i].Apart = true
			}
		}
		return nil
	})
	if turn.DataLimit > 0 && outOfMemory(err) {
		r.without(OwnMemory.Of(Read), beyondLimit(turn.DataLimit, err))
		return nil, errLost
	}
	return samples, err
}
