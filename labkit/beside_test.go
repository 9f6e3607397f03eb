package labkit_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"shelflab/labkit"
)

// besideArms are arms whose turns start another process, by what it is to do.
func besideArms() []labkit.Arm {
	beside := func(ctx context.Context, b *labkit.Beside) error {
		switch b.What {
		case "fail":
			return errors.New("it has no wish to")
		case "end":
			return nil
		}
		if err := b.Say(fmt.Sprintf("%d %s %d %d %s", os.Getpid(), b.Arm, b.N, b.Number, b.What)); err != nil {
			return err
		}
		for ctx.Err() == nil {
			line, err := b.Hear()
			if err != nil || line == "end" {
				return err
			}
			if err := b.Say("heard " + line); err != nil {
				return err
			}
		}
		return context.Cause(ctx)
	}
	turn := func(do func(ctx context.Context, r *labkit.Round) error) func(context.Context, *labkit.Round) error {
		return func(ctx context.Context, r *labkit.Round) error {
			return errors.Join(do(ctx, r), r.Count(labkit.Lost, 1, max(r.Number, 0)))
		}
	}
	return []labkit.Arm{
		{Name: "talks", Beside: beside, Measure: turn(func(ctx context.Context, r *labkit.Round) error {
			p, err := r.Start(ctx, "talk")
			if err != nil {
				return err
			}
			defer p.Close()
			line, _ := p.Hear()
			if want := fmt.Sprintf("%d %d talk", r.N, r.Number); !strings.HasSuffix(line, want) {
				return fmt.Errorf("it says %q, want %q in the end", line, want)
			}
			p.Say("this")
			return errors.Join(p.Expect("heard this"), p.Say("end"), p.End())
		})},
		{Name: "kills", Beside: beside, Measure: turn(func(ctx context.Context, r *labkit.Round) error {
			p, err := r.Start(ctx, "be killed")
			if err != nil {
				return err
			}
			defer p.Close()
			line, _ := p.Hear()
			p.Say("a last word")
			p.Expect("heard a last word")
			p.Kill()
			pid, _ := strconv.Atoi(strings.Fields(line)[0])
			if err := syscall.Kill(pid, 0); err != syscall.ESRCH {
				return fmt.Errorf("process %d is still there: %v", pid, err)
			}
			if err := p.Say("nobody hears it"); err != nil {
				return err
			}
			if line, ok := p.Hear(); ok {
				return fmt.Errorf("a killed process says %q", line)
			}
			return nil
		})},
		{Name: "fails", Beside: beside, Measure: turn(func(ctx context.Context, r *labkit.Round) error {
			p, err := r.Start(ctx, "fail")
			if err != nil {
				return err
			}
			defer p.Close()
			return p.Expect("anything")
		})},
		{Name: "ends", Beside: beside, Measure: turn(func(ctx context.Context, r *labkit.Round) error {
			p, err := r.Start(ctx, "end")
			if err != nil {
				return err
			}
			return p.End()
		})},
		{Name: "has none", Measure: turn(func(ctx context.Context, r *labkit.Round) error {
			p, err := r.Start(ctx, "anything")
			if err != nil {
				return err
			}
			defer p.Close()
			return p.Expect("anything")
		})},
	}
}

func doTask(task labkit.Task) {
	ctx, stop := labkit.Context()
	defer stop()
	if err := task.Do(ctx, besideArms()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func besideArm(name string) []labkit.Arm {
	return slices.DeleteFunc(besideArms(), func(a labkit.Arm) bool { return a.Name != name })
}

// A trial is a round, the first one counts, and what it counts is kept.
func TestTrials(t *testing.T) {
	for _, name := range []string{"talks", "kills", "ends"} {
		lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir()}
		series, err := lab.MeasureTrials(t.Context(), 10, besideArm(name))
		if err != nil || len(series) != 1 || !slices.Equal(series[0].Samples, []float64{0, 1, 2}) || series[0].Unit != "writes" || series[0].Work != 1 {
			t.Errorf("%s: %v, %+v", name, err, series)
		}
	}
}

func TestAProcessThatFails(t *testing.T) {
	for name, says := range map[string]string{"fails": "it has no wish to", "has none": `has no arm "has none"`} {
		_, err := labkit.Lab{Plan: plan(3), Dir: t.TempDir()}.MeasureTrials(t.Context(), 10, besideArm(name))
		if !errors.Is(err, labkit.ErrChild) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", name, err, says)
		}
	}
}

// What ends the turn ends the process beside it.
func TestInterruptedBesideAProcess(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var pid int
	arm := besideArm("talks")[0]
	arm.Measure = func(ctx context.Context, r *labkit.Round) error {
		p, err := r.Start(ctx, "talk")
		if err != nil {
			return err
		}
		defer p.Close()
		line, _ := p.Hear()
		pid, _ = strconv.Atoi(strings.Fields(line)[0])
		cancel(labkit.ErrInterrupted)
		if line, ok := p.Hear(); ok {
			return fmt.Errorf("it says %q", line)
		}
		return errors.New("it is gone")
	}
	_, err := labkit.Lab{Plan: plan(3), Dir: t.TempDir()}.MeasureTrials(ctx, 10, []labkit.Arm{arm})
	if !errors.Is(err, labkit.ErrInterrupted) || syscall.Kill(pid, 0) != syscall.ESRCH {
		t.Errorf("%v, and process %d is there: %v", err, pid, syscall.Kill(pid, 0))
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct{ work, count int }{{0, 0}, {1, -1}} {
		arm := labkit.Arm{Name: "a", Measure: func(_ context.Context, r *labkit.Round) error { return r.Count(labkit.Torn, c.work, c.count) }}
		if _, err := (labkit.Lab{Plan: plan(1), Dir: t.TempDir()}).MeasureTrials(t.Context(), 1, []labkit.Arm{arm}); !errors.Is(err, labkit.ErrSamples) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
