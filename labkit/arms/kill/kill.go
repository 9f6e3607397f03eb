// Package kill is trials of what a store keeps when the process that writes to it
// is killed in the middle (kill -9). A process beside the trial writes and
// acknowledges each write; it is killed at a random moment; then the store is
// opened and looked through.
//
// What such a trial can show is a crash of the process: what the process has given
// to the operating system stays, what it still had in memory is gone. It cannot
// show a power loss, after which the operating system's memory is gone too.
package kill

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/arms/live"
)

// Subject is a way of writing that is put to the trial. It keeps a number of items,
// first of version 0.
type Subject struct {
	labkit.Arm // without what it measures

	// Whole says that each write replaces all items; otherwise the i-th replaces
	// one, the items taken in turns.
	Whole bool
	// Writer makes the store at path, with n items of version 0, and returns what
	// writes version i, from 1 on, and returns when that counts as written.
	Writer func(path string, n int) (write func(i int) error, err error)
	// Look opens the store afterwards and returns what reads an item of it.
	Look func(path string) (Get, Close, error)
}

// Get reads an item of a store that is looked through.
type Get = func(key string) (live.Item, error)

// Close closes it.
type Close = func() error

// window is how long, at most, a writer goes on after it has begun.
const window = 30 * time.Millisecond

const begun = "begun"

// Arms are the arms of subjects, for a part in which n counts the items and a
// round is a trial: each turn counts labkit.TrialMetrics. The moments of the kills
// are drawn by the plan's seed, as far as a moment can be.
func Arms(plan labkit.Plan, subjects ...Subject) []labkit.Arm {
	arms := make([]labkit.Arm, len(subjects))
	for i, s := range subjects {
		arms[i] = s.Arm
		arms[i].Beside = s.write
		arms[i].Measure = func(ctx context.Context, r *labkit.Round) error { return s.trial(ctx, r, plan.Seed) }
	}
	return arms
}

// write is what the process does that is killed. It acknowledges each write.
func (s Subject) write(ctx context.Context, b *labkit.Beside) error {
	write, err := s.Writer(b.Path, b.N)
	if err != nil {
		return err
	}
	if err := b.Say(begun); err != nil {
		return err
	}
	for i := 1; ctx.Err() == nil; i++ {
		if err := write(i); err != nil {
			return fmt.Errorf("write %d: %w", i, err)
		}
		if err := b.Say(strconv.Itoa(i)); err != nil {
			return err
		}
	}
	return context.Cause(ctx)
}

// trial kills one writer and counts what it has left.
func (s Subject) trial(ctx context.Context, r *labkit.Round, seed uint64) error {
	name := fnv.New64()
	name.Write([]byte(s.Name))
	random := rand.New(rand.NewPCG(seed+name.Sum64(), uint64(r.Number)))
	acknowledged, err := killed(ctx, r, time.Duration(random.Int64N(int64(window))))
	if err != nil {
		return err
	}
	found := s.look(r.Path, r.N, acknowledged)
	list := []error{
		r.Count(labkit.Acknowledged, 1, acknowledged), r.Count(labkit.Lost, 1, found.Lost), r.Count(labkit.Torn, 1, found.Torn),
	}
	if s.Whole {
		list = append(list, r.Count(labkit.Partial, 1, found.Partial))
	}
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// killed starts a writer, kills it that long after its first write was
// acknowledged, and returns how many were.
func killed(ctx context.Context, r *labkit.Round, after time.Duration) (acknowledged int, err error) {
	p, err := r.Start(ctx, "write")
	if err != nil {
		return 0, err
	}
	defer p.Close()
	for _, want := range []string{begun, "1"} {
		if err := p.Expect(want); err != nil {
			return 0, err
		}
	}
	acknowledged = 1
	kill := time.AfterFunc(after, p.Kill)
	defer kill.Stop()
	for {
		line, ok := p.Hear()
		if !ok { // it is gone, and what it had not said to the end counts for nothing
			break
		}
		i, err := strconv.Atoi(line)
		if err != nil || i != acknowledged+1 {
			return 0, fmt.Errorf("%w: the writer says %q after write %d", labkit.ErrChild, line, acknowledged)
		}
		acknowledged = i
	}
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	return acknowledged, p.Killed()
}
