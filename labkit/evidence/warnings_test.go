package evidence_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestWarnings(t *testing.T) {
	wide := []float64{1, 3, 2, 2, 2}
	for _, c := range []struct {
		name   string
		change func(*evidence.Run)
		want   []evidence.Warning
	}{
		{"none", func(*evidence.Run) {}, nil},
		{"two sizes missing", func(r *evidence.Run) { r.Series = nil }, []evidence.Warning{
			{evidence.KindIncomplete, "The run is incomplete: n = 500 and 2,000 are not measured to the last round.", "Run the sweep for them."}}},
		{"an arm missing", func(r *evidence.Run) { r.Arms = append(r.Arms, labkit.Arm{Name: "late"}) }, []evidence.Warning{
			{evidence.KindIncomplete, "The run is incomplete: n = 500 and 2,000 are not measured to the last round.", "Run the sweep for them."}}},
		{"a sample missing", func(r *evidence.Run) { r.Series[3].Samples = r.Series[3].Samples[:4] }, []evidence.Warning{
			{evidence.KindIncomplete, "The run is incomplete: n = 500 is not measured to the last round.", "Run the sweep for them."}}},
		{"four rounds", func(r *evidence.Run) { cut(r, 4) }, []evidence.Warning{
			{evidence.KindFewRounds, "4 rounds reach only the 87.5 % level: no interval is shown and no winner named.", "Take at least 5 rounds."}}},
		{"one round", func(r *evidence.Run) { cut(r, 1) }, []evidence.Warning{
			{evidence.KindFewRounds, "1 round reaches only the 0 % level: no interval is shown and no winner named.", "Take at least 5 rounds."}}},
		{"unequal durability, said once for two comparisons", func(r *evidence.Run) { r.Arms[0].Durability = labkit.PowerLoss }, []evidence.Warning{
			{evidence.KindDurability, "blob survives a power loss, shelf, bulk only a process crash: their ratios do not compare the same work.", "Compare arms of one class."}}},
		{"both survive a power loss", func(r *evidence.Run) {
			r.Arms[0].Durability, r.Arms[1].Durability = labkit.PowerLoss, labkit.PowerLoss
		}, nil},
		{"wide spread", func(r *evidence.Run) { r.Series[0].Samples = wide }, []evidence.Warning{
			{evidence.KindSpread, "1 of 24 timed series range over more than their p50; the widest over 1.3 times its p50 (blob, n = 500, write).", "Repeat on a quiet machine, or take more rounds."}}},
		{"as wide as it may be", func(r *evidence.Run) { r.Series[4].Samples = []float64{2, 1, 2, 3, 2} }, nil}, // gets, in seconds
		{"an arm that does nothing", func(r *evidence.Run) { r.Series[0].Samples = times(90e-9) }, []evidence.Warning{
			{evidence.KindShort, "blob does nothing, or too little for the clock, in 1 of its series: the shortest takes 90.0 ns (write, n = 500), and reading the clock may take 45.0 ns.",
				"Look at what the arm does; if it is no mistake, give it more work."}}},
		{"short, but in batches", func(r *evidence.Run) { r.Series[4].Samples, r.Series[4].Batch = times(90e-9), 512 }, nil},
		{"nothing, in batches", func(r *evidence.Run) { r.Series[4].Samples, r.Series[4].Batch = times(1e-9), 1<<16 }, []evidence.Warning{
			{evidence.KindShort, "blob does nothing, or too little for the clock, in 1 of its series: the shortest takes 1.00 ns (gets, n = 500), and reading the clock may take 45.0 ns.",
				"Look at what the arm does; if it is no mistake, give it more work."}}},
		{"as short as may be", func(r *evidence.Run) { r.Series[4].Samples = times(4.6e-6) }, nil},
		{"busy", func(r *evidence.Run) { r.Environment.LoadBefore = 2.1 }, []evidence.Warning{
			{evidence.KindBusy, "The machine was busy: load 2.1 on 4 cores before the run.", "Stop what else runs and repeat."}}},
		{"as busy as it may be", func(r *evidence.Run) { r.Environment.LoadBefore, r.Environment.LoadAfter = 2, 7 }, nil},
		{"busy at the end", func(r *evidence.Run) { r.Environment.LoadAfter = 7.5 }, []evidence.Warning{
			{evidence.KindBusy, "The machine was busy: load 7.5 on 4 cores at the end, more than the run makes by itself.", "Stop what else runs and repeat."}}},
		{"others took little, whatever the load", func(r *evidence.Run) {
			r.Environment.LoadBefore, r.Environment.LoadAfter = 2.1, 7.5
			r.Processors = []evidence.Processors{{N: 500, Time: 400, Own: 300, Others: 20}}
		}, nil},
		{"others took much", func(r *evidence.Run) {
			r.Environment.LoadBefore = 2.1
			r.Processors = []evidence.Processors{{N: 500, Time: 400, Own: 200, Others: 152}, {N: 2000, Time: 400, Own: 200, Others: 8}}
		}, []evidence.Warning{
			{evidence.KindBusy, "The machine was busy: others took 38 % of the processors while n = 500 was measured.", "Stop what else runs and repeat."}}},
		{"others took much, often", func(r *evidence.Run) {
			r.Processors = []evidence.Processors{{N: 500, Time: 400, Others: 152}, {N: 500, Group: labkit.Cold, Time: 400, Others: 100}, {N: 2000, Time: 400, Others: 52}}
		}, []evidence.Warning{
			{evidence.KindBusy, "The machine was busy: others took up to 38 % of the processors while n = 500 and 2,000 were measured.", "Stop what else runs and repeat."}}},
		{"tmpfs", func(r *evidence.Run) { r.Environment.FileSystem = "tmpfs" }, []evidence.Warning{
			{evidence.KindTmpfs, "The data folder is a tmpfs: it lives in memory, so durability and disk times mean nothing.", "Point --out at a folder on a disk."}}},
		{"disk nearly full", func(r *evidence.Run) { r.Environment.DiskFree = 25e9 }, []evidence.Warning{
			{evidence.KindFull, "The disk is nearly full: 25.0 GB of 512 GB are free.", "Make room, or point --out at another disk."}}},
		{"as full as it may be", func(r *evidence.Run) { r.Environment.DiskFree = 25.6e9 }, nil},
		{"a small disk", func(r *evidence.Run) { r.Environment.DiskSize, r.Environment.DiskFree = 4e9, 0.9e9 }, []evidence.Warning{
			{evidence.KindFull, "The disk is nearly full: 900 MB of 4.00 GB are free.", "Make room, or point --out at another disk."}}},
		{"a disk that does not tell", func(r *evidence.Run) { r.Environment.DiskSize, r.Environment.DiskFree = 0, 0 }, nil},
		{"no space at all", func(r *evidence.Run) { r.Series[6].Samples = []float64{4096, 0, 4096, 4096, 4096} }, []evidence.Warning{
			{evidence.KindNoBytes, "blob at n = 500 takes no bytes in a round (disk): it is left out of the ratios.", "Look at its store, and at the file system."}}},
		{"measured elsewhere", func(r *evidence.Run) {
			e := r.Environment
			e.Commit, e.Go, e.LoadBefore, e.Dirty = "other", "go1.25.0", 0.1, true
			r.Earlier = []evidence.Earlier{{N: []int{500}, Environment: e}}
		}, []evidence.Warning{
			{evidence.KindEarlier, "n = 500 was measured earlier and in another environment than the rest: it differs in Go version, commit.", "Run the whole sweep again."}}},
		{"by another clock, which was finer", func(r *evidence.Run) {
			e := r.Environment
			e.Go, e.Timer = "go1.25.0", labkit.Timer{Cost: 1e-9, Grain: 1e-9}
			r.Earlier = []evidence.Earlier{{N: []int{500}, Environment: e}}
			r.Series[4].Samples = times(1e-6)
		}, []evidence.Warning{
			{evidence.KindEarlier, "n = 500 was measured earlier and in another environment than the rest: it differs in Go version.", "Run the whole sweep again."}}},
	} {
		run := made()
		c.change(run)
		text(t, run)
		if diff := cmp.Diff(c.want, run.Warnings, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// An arm that does nothing is flagged, however it is measured: by a clock that
// moves only when it is read.
func TestArmThatDoesNothing(t *testing.T) {
	var now time.Duration
	clock := func() time.Duration { now += 40; return now }
	idle := labkit.Arm{Name: "idle", Measure: func(_ context.Context, r *labkit.Round) error {
		nothing := func() error { return nil }
		return errors.Join(r.Time(labkit.Write, r.N, nothing), r.Repeat(labkit.Gets, 200, nothing))
	}}
	busy := labkit.Arm{Name: "busy", Measure: func(_ context.Context, r *labkit.Round) error {
		something := func() error { now += 5000; return nil }
		return errors.Join(r.Time(labkit.Write, r.N, something), r.Repeat(labkit.Gets, 200, something))
	}}
	run := made()
	run.Plan.N, run.Comparisons, run.Arms = []int{500}, nil, []labkit.Arm{idle, busy}
	run.Environment.Timer = labkit.MeasureTimer(clock)
	var err error
	run.Series, err = labkit.Lab{Plan: run.Plan, Dir: t.TempDir(), Clock: clock, Timer: run.Environment.Timer}.Measure(t.Context(), 500, run.Arms)
	if err != nil {
		t.Fatal(err)
	}
	text(t, run)
	const want = "idle does nothing, or too little for the clock, in 2 of its series: the shortest takes "
	if len(run.Warnings) != 1 || run.Warnings[0].Kind != evidence.KindShort || !strings.HasPrefix(run.Warnings[0].Text, want) {
		t.Errorf("%v, want one of %q", run.Warnings, want)
	}
	for _, s := range run.Series {
		if s.Arm == "busy" && s.Metric == "gets" && s.Batch != 8 { // 8 x 5 µs are a thousand times 40 ns
			t.Errorf("gets in batches of %d, want 8", s.Batch)
		}
	}
}

// cut makes a run one of fewer rounds.
func cut(r *evidence.Run, rounds int) {
	r.Plan.Rounds = rounds
	for i := range r.Series {
		r.Series[i].Samples = r.Series[i].Samples[:rounds]
	}
}
