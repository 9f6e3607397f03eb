package labkit_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"shelflab/labkit"
)

var (
	process = labkit.Metric{Name: "process", Unit: "B"} // the process that a turn was taken in
	taken   = labkit.Metric{Name: "taken", Unit: "B"}   // the turns in that process so far, this one included
	calls   = labkit.Metric{Name: "calls", Unit: "B"}   // calls of the operation in a turn
)

var turns int // in this process

// keeping is the name of a file that is there while the parent keeps samples.
const keeping = "keeping"

// apartArms are arms that tell about their process.
func apartArms() []labkit.Arm {
	tells := func(_ context.Context, r *labkit.Round) error {
		turns++
		if _, err := os.Stat(filepath.Join(filepath.Dir(r.Path), keeping)); err == nil {
			return errors.New("the parent keeps samples meanwhile")
		}
		return errors.Join(r.Size(process, int64(os.Getpid())), r.Size(taken, int64(turns)))
	}
	return []labkit.Arm{
		{Name: "tells", Measure: tells}, {Name: "tells too", Measure: tells}, {Name: "and so does", Control: true, Measure: tells},
		// It takes ten times as long from the second round on.
		{Name: "repeats", Measure: func(_ context.Context, r *labkit.Round) error {
			long := 20 * time.Microsecond
			if r.Number > 0 {
				long *= 10
			}
			n := 0
			err := r.Repeat(labkit.GetsOpen, 1, func() error {
				n++
				for start := time.Now(); time.Since(start) < long; {
				}
				return nil
			})
			return errors.Join(err, r.Size(calls, int64(n)))
		}},
		{Name: "is interrupted", Measure: func(ctx context.Context, r *labkit.Round) error {
			if r.Number == 1 {
				syscall.Kill(os.Getpid(), syscall.SIGINT)
				<-ctx.Done()
			}
			return r.Size(labkit.Disk, 1)
		}},
		{Name: "fails later", Measure: func(_ context.Context, r *labkit.Round) error {
			if r.Number == 1 {
				return labkit.ErrWrong
			}
			return r.Size(labkit.Disk, 1)
		}},
	}
}

func apartArm(names ...string) []labkit.Arm {
	return slices.DeleteFunc(apartArms(), func(a labkit.Arm) bool { return !slices.Contains(names, a.Name) })
}

func TestEachRoundHasAProcessOfItsOwn(t *testing.T) {
	const rounds = 4
	arms := apartArm("tells", "tells too", "and so does")
	series, err := labkit.Lab{Plan: plan(rounds), Dir: t.TempDir()}.MeasureApart(t.Context(), 10, arms)
	if err != nil || len(series) != 2*len(arms) {
		t.Fatalf("%v, %+v", err, series)
	}
	want := order(t, plan(rounds), 10, len(arms))
	var processes []float64
	for _, s := range series {
		at := slices.IndexFunc(arms, func(a labkit.Arm) bool { return a.Name == s.Arm })
		if !s.Apart || len(s.Samples) != rounds || len(s.Turns) != rounds {
			t.Fatalf("series %+v", s)
		}
		for round, place := range s.Turns {
			if in := 1 + slices.Index(want[round], []string{"arm 0", "arm 1", "arm 2"}[at]); place != in {
				t.Errorf("%s has place %d in round %d, the seed gives %d", s.Arm, place, round+1, in)
			}
			// Every turn that counts comes after one of warm-up.
			if s.Metric == taken.Name && s.Samples[round] != float64(2*place) {
				t.Errorf("%s: turn %v of its process in round %d, at place %d", s.Arm, s.Samples[round], round+1, place)
			}
		}
		if s.Metric != process.Name {
			continue
		}
		if processes == nil {
			processes = s.Samples
		}
		if !slices.Equal(s.Samples, processes) {
			t.Errorf("%s was measured in the processes %v, another arm in %v", s.Arm, s.Samples, processes)
		}
	}
	all := slices.Compact(slices.Sorted(slices.Values(processes)))
	if len(all) != rounds || slices.Contains(all, float64(os.Getpid())) {
		t.Errorf("the processes of the rounds: %v, this one: %d", processes, os.Getpid())
	}
}

// What the parent does after a turn happens before the next one.
func TestTurnsWaitForKeep(t *testing.T) {
	dir := t.TempDir()
	var steps []labkit.Progress
	kept := 0
	lab := labkit.Lab{
		Plan: plan(2), Dir: dir,
		Progress: func(p labkit.Progress) { steps = append(steps, p) },
		Keep: func([]labkit.Series) error {
			kept++
			path := filepath.Join(dir, keeping)
			err := os.WriteFile(path, nil, 0o600)
			time.Sleep(20 * time.Millisecond)
			return errors.Join(err, os.Remove(path))
		},
	}
	if _, err := lab.MeasureApart(t.Context(), 10, apartArm("tells", "tells too")); err != nil {
		t.Fatal(err)
	}
	if kept != 4 || len(steps) != 8 {
		t.Fatalf("kept %d times after %d turns, want 4 of 8, half of them warm-up", kept, len(steps))
	}
	for i, p := range steps {
		want := labkit.Progress{N: 10, Round: 1 + i/4, Rounds: 2, Arm: p.Arm, Done: i, Total: 8}
		if p != want {
			t.Errorf("report %d is %+v, want %+v", i, p, want)
		}
	}
}

func TestBatchIsThatOfTheFirstRound(t *testing.T) {
	lab := labkit.Lab{Plan: plan(3), Dir: t.TempDir(), Timer: labkit.Timer{Cost: 1e-6, Grain: 1e-6}}
	series, err := lab.MeasureApart(t.Context(), 10, apartArm("repeats"))
	if err != nil || len(series) != 2 {
		t.Fatalf("%v, %+v", err, series)
	}
	batch := float64(max(series[0].Batch, 1))
	if want := []float64{batch, batch, batch}; !slices.Equal(series[1].Samples, want) {
		t.Errorf("calls %v, want %v", series[1].Samples, want)
	}
}

func TestMeasureApartStops(t *testing.T) {
	for _, c := range []struct {
		arm  string
		want error
		says string
		kept int
	}{
		{"fails later", labkit.ErrWrong, "fails later, n = 10: wrong result", 1},
		// The turn is finished; the next process is not started.
		{"is interrupted", labkit.ErrInterrupted, "n = 10, round 2: interrupted", 2},
	} {
		series, err := labkit.Lab{Plan: plan(4), Dir: t.TempDir()}.MeasureApart(t.Context(), 10, apartArm(c.arm))
		if !errors.Is(err, c.want) || errors.Is(err, labkit.ErrChild) || err.Error() != c.says {
			t.Errorf("%s: %v, want %s", c.arm, err, c.says)
		}
		if len(series) != 1 || len(series[0].Samples) != c.kept {
			t.Errorf("%s left %+v, want %d samples", c.arm, series, c.kept)
		}
	}
	full := errors.New("no room")
	lab := labkit.Lab{Plan: plan(4), Dir: t.TempDir(), Keep: func([]labkit.Series) error { return full }}
	if series, err := lab.MeasureApart(t.Context(), 10, apartArm("tells")); err != full || len(series) != 2 {
		t.Errorf("%v, %+v, want Keep's error and what was measured", err, series)
	}
	if series, err := (labkit.Lab{Plan: plan(0), Dir: t.TempDir()}).MeasureApart(t.Context(), 10, apartArm("tells")); !errors.Is(err, labkit.ErrPlan) || series != nil {
		t.Errorf("%v, want ErrPlan", err)
	}
	lab = labkit.Lab{Plan: plan(4), Dir: t.TempDir()}
	lacks := []labkit.Arm{{Name: "nobody", Measure: apartArms()[0].Measure}}
	if _, err := lab.MeasureApart(t.Context(), 10, lacks); !errors.Is(err, labkit.ErrChild) {
		t.Errorf("an arm that the child does not have: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(labkit.ErrOrphaned)
	if series, err := lab.MeasureApart(ctx, 10, apartArm("tells")); !errors.Is(err, labkit.ErrOrphaned) || series != nil {
		t.Errorf("ended before it began: %v, %v", series, err)
	}
}

// An interrupt of the parent, or its end, ends the child, whatever it does.
func TestRoundEndsWithTheContext(t *testing.T) {
	for _, arm := range []string{"waits", "hears nothing"} {
		dir := t.TempDir()
		ctx, cancel := context.WithCancelCause(t.Context())
		done := make(chan error)
		go func() {
			_, err := labkit.Lab{Plan: plan(1), Dir: dir}.MeasureApart(ctx, 10, turnArm(arm))
			done <- err
		}()
		pid := waitForPid(t, dir)
		cancel(labkit.ErrInterrupted)
		if err := <-done; err != labkit.ErrInterrupted {
			t.Errorf("%s: error %v", arm, err)
		}
		ends(t, pid)
	}
}

func TestTurnIsOfItsPlan(t *testing.T) {
	p, other := plan(5), plan(5)
	other.Seed++
	turn := labkit.Turn{Plan: p.Fingerprint(), N: 10}
	if !turn.Of(p, 5, 10) || turn.Of(p, 5) || turn.Of(p) || turn.Of(other, 10) {
		t.Error("a turn is taken for another plan's, or another size's, or not for its own")
	}
}

// Nobody but a lab starts a child: without its pipes nothing is written anywhere.
func TestTakeNeedsAParent(t *testing.T) {
	err := labkit.Turn{Arms: []string{"tells"}, Dir: t.TempDir()}.Take(t.Context(), apartArm("tells"))
	if !errors.Is(err, labkit.ErrChild) {
		t.Errorf("error %v", err)
	}
}
