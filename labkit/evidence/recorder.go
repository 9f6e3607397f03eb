package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"

	"shelflab/labkit"
)

// Recorder writes a run while it is measured. It holds the folder's lock until
// Close, so that no other process measures into it.
type Recorder struct {
	Dir    string
	run    *Run
	mu     *flock.Flock
	with   together
	met    bool         // there was another run when this one began
	afresh map[int]bool // sizes whose rounds this recorder has begun to keep
	since  time.Time    // when what is kept next was begun
	begun  map[int]bool // sizes of which this recorder has kept anything
}

// Record begins or goes on with the run of a plan in dir, which is created.
// What the same plan and arms have measured before stays until it is measured
// again; the summary of another plan, or one that is not readable, is kept
// aside as summary-<plan>.json or summary-unreadable.json. If another process
// is measuring there it returns ErrBusy.
func Record(dir string, plan labkit.Plan, arms []labkit.Arm, comparisons []Comparison) (*Recorder, error) {
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	rec := &Recorder{Dir: dir, mu: lock, with: join(filepath.Dir(dir)), afresh: map[int]bool{}, since: now(), begun: map[int]bool{}}
	rec.met = rec.with.others()
	if err := rec.begin(plan, arms, comparisons); err != nil {
		rec.Close()
		return nil, err
	}
	return rec, nil
}

// lockFolder takes the lock of a run's folder, or is ErrBusy.
func lockFolder(dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, ".lock"))
	if ok, err := lock.TryLock(); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	} else if !ok {
		return nil, fmt.Errorf("%w: %s: wait until it ends, or give another --out", ErrBusy, dir)
	}
	return lock, nil
}

func (rec *Recorder) begin(plan labkit.Plan, arms []labkit.Arm, comparisons []Comparison) error {
	path := filepath.Join(rec.Dir, SummaryName)
	run := &Run{
		Schema: Schema, Plan: plan, Started: now(), Updated: now(), Environment: Look(rec.Dir),
		Arms: list(arms), Metrics: labkit.AllMetrics(), Comparisons: list(comparisons), Series: []labkit.Series{},
	}
	for i := range run.Comparisons {
		run.Comparisons[i].Metrics = list(run.Comparisons[i].Metrics)
	}
	if err := run.check(); err != nil {
		return err
	}
	old, err := Read(path)
	if err == nil {
		if on := *run; on.goOn(old) && on.compute() == nil {
			rec.run = &on
			return nil
		}
	}
	if !errors.Is(err, fs.ErrNotExist) { // nothing is lost
		name := "summary-unreadable"
		if err == nil {
			name = "summary-" + old.Plan.Fingerprint() // what stands there may be a path
		}
		if err := os.Rename(path, free(filepath.Join(rec.Dir, name), ".json")); err != nil {
			return err
		}
	}
	// Charts of another plan would stand beside this one's samples.
	if err := os.RemoveAll(filepath.Join(rec.Dir, ChartsName)); err != nil {
		return err
	}
	rec.run = run
	return run.compute()
}

// goOn takes over what old has measured, if it is of the same schema, plan, arms
// and metrics, of which old has those that it needs.
func (r *Run) goOn(old *Run) bool {
	if old.Schema != r.Schema || !reflect.DeepEqual(old.Plan, r.Plan) || !contains(r.Metrics, old.Metrics) || !slices.EqualFunc(old.Arms, r.Arms, sameArm) {
		return false
	}
	r.Started, r.Updated, r.Series, r.Unmeasured, r.Earlier = old.Started, old.Updated, old.Series, old.Unmeasured, old.Earlier
	r.Begun = old.Begun
	r.Disturbed, r.Costs, r.Processors, r.Observed = old.Disturbed, old.Costs, old.Processors, old.Observed
	if time.Since(old.Updated) < ownLoad {
		r.Environment.LoadBefore = old.Environment.LoadBefore
	}
	if len(differences(old.Environment, r.Environment)) > 0 {
		there := old.Measured()
		for _, e := range old.Earlier {
			there = slices.DeleteFunc(there, func(n int) bool { return slices.Contains(e.N, n) })
		}
		if len(there) > 0 {
			r.Earlier = append(r.Earlier, Earlier{there, old.Environment})
		}
	} else { // one environment for all
		r.Environment.Dirty = r.Environment.Dirty || old.Environment.Dirty
	}
	return true
}

// ownLoad is how long the load of the last minute is still that of the run's own
// last cell.
const ownLoad = 3 * time.Minute

func contains[T comparable](list, part []T) bool {
	return !slices.ContainsFunc(part, func(x T) bool { return !slices.Contains(list, x) })
}

func sameArm(x, y labkit.Arm) bool {
	x.Measure, y.Measure, x.Beside, y.Beside = nil, nil, nil, nil // not kept
	return reflect.DeepEqual(x, y)
}

// list copies a list, so that it does not change under the run, and an empty
// one is written as such.
func list[T any](from []T) []T { return append(make([]T, 0, len(from)), from...) }

// free returns a path at which there is nothing yet: name.json, name-2.json...
func free(name, ending string) string {
	path := name + ending
	for i := 2; ; i++ {
		if _, err := os.Lstat(path); err != nil {
			return path
		}
		path = fmt.Sprintf("%s-%d%s", name, i, ending)
	}
}

// Keep replaces what the run has of n by series, computes everything anew and
// writes summary.json and bench.txt atomically, each by itself. A crash leaves
// the old content or the new. The manifest of what was there before is removed,
// since it is true no longer. After an error the run is what it was.
func (rec *Recorder) Keep(n int, series []labkit.Series) error {
	if !rec.afresh[n] { // who was there when it was measured before is of no interest
		rec.afresh[n] = true
		run := *rec.run
		run.Disturbed = minus(run.Disturbed, n)
		run.Costs = slices.DeleteFunc(slices.Clone(run.Costs), func(c labkit.RoundCost) bool { return c.N == n })
		run.Processors = slices.DeleteFunc(slices.Clone(run.Processors), func(p Processors) bool { return p.N == n })
		rec.run = &run
	}
	return rec.replace(n, func(string) bool { return true }, series, nil)
}

// KeepGroup is Keep for one group of metrics: what the run has of the others at
// n stays. without says what of the group has no series.
func (rec *Recorder) KeepGroup(n int, group labkit.Group, series []labkit.Series, without []labkit.Unmeasured) error {
	return rec.replace(n, func(metric string) bool {
		return slices.ContainsFunc(labkit.AllMetrics(), func(m labkit.Metric) bool { return m.Name == metric && m.Group == group })
	}, series, without)
}

// replace replaces what the run has of some metrics at n.
func (rec *Recorder) replace(n int, of func(metric string) bool, series []labkit.Series, without []labkit.Unmeasured) error {
	if slices.ContainsFunc(series, func(s labkit.Series) bool { return s.N != n }) {
		return fmt.Errorf("%w: a series of another size than n = %d", ErrFormat, n)
	}
	run := *rec.run
	run.Series = slices.DeleteFunc(list(run.Series), func(s labkit.Series) bool { return s.N == n && of(s.Metric) })
	older := run.has(n)
	run.Series = append(run.Series, series...)
	run.Unmeasured = slices.DeleteFunc(slices.Clone(run.Unmeasured), func(u labkit.Unmeasured) bool { return u.N == n && of(u.Metric) })
	run.Unmeasured = append(run.Unmeasured, without...)
	slices.SortStableFunc(run.Series, func(a, b labkit.Series) int { return a.N - b.N })
	run.Earlier = nil
	for _, e := range rec.run.Earlier {
		e.N = slices.DeleteFunc(list(e.N), func(m int) bool { return m == n })
		if len(e.N) > 0 {
			run.Earlier = append(run.Earlier, e)
		}
	}
	if at := now(); at.After(run.Updated) { // the clock may have been set back
		run.Updated = at
	}
	if !rec.begun[n] && !older {
		run.begins(n, rec.since)
	}
	rec.begun[n], rec.since = true, now()
	if rec.met || rec.with.others() {
		run.Disturbed = append(minus(run.Disturbed, n), n)
		slices.Sort(run.Disturbed)
	}
	run.Environment.state(rec.Dir)
	return rec.write(run)
}

// used lists the metrics that something in the run is about.
func (r *Run) used() []labkit.Metric {
	names := map[string]bool{}
	for _, s := range r.Series {
		names[s.Metric] = true
	}
	for _, u := range r.Unmeasured {
		names[u.Metric] = true
	}
	for _, c := range r.Comparisons {
		names[c.Against] = true
		for _, name := range c.Metrics {
			names[name] = true
		}
	}
	return slices.DeleteFunc(labkit.AllMetrics(), func(m labkit.Metric) bool { return !names[m.Name] })
}

// write computes what follows from a run's samples and writes it: see Keep.
func (rec *Recorder) write(run Run) error {
	if !rec.mu.Locked() {
		return fmt.Errorf("%s: the recorder is closed", rec.Dir)
	}
	run.Metrics = run.used()
	if err := run.check(); err != nil {
		return err
	}
	if err := run.compute(); err != nil {
		return err
	}
	text, err := run.encode()
	if err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(rec.Dir, ManifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := renameio.WriteFile(filepath.Join(rec.Dir, SummaryName), text, 0o644); err != nil {
		return err
	}
	rec.run = &run
	return renameio.WriteFile(filepath.Join(rec.Dir, BenchName), run.Bench(), 0o644)
}

// encode returns the run as summary.json holds it: a line for each arm, series,
// summary and sentence, so that two runs can be compared by their lines.
func (r *Run) encode() ([]byte, error) {
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	for i, line := range bytes.Split(text, []byte("\n")) { // no string in JSON holds one
		part := bytes.TrimLeft(line, " ")
		depth, ends := len(line)-len(part), bytes.ContainsAny(part[:1], "}]")
		switch {
		case depth < 2, depth == 2 && !ends:
			if i > 0 {
				lines.WriteByte('\n')
			}
			part = line
		case !ends && bytes.HasSuffix(lines.Bytes(), []byte(",")):
			lines.WriteByte(' ')
		}
		lines.Write(part)
	}
	lines.WriteByte('\n')
	return lines.Bytes(), nil
}

// Run is the run as it stands. It does not change with what is kept later.
func (rec *Recorder) Run() *Run { return rec.run }

// Close gives the folder's lock back. What was kept is on disk already.
func (rec *Recorder) Close() error {
	rec.with.leave()
	return rec.mu.Unlock()
}

// minus is a copy of a list of sizes without n, nil if none is left.
func minus(ns []int, n int) []int {
	var left []int
	for _, m := range ns {
		if m != n {
			left = append(left, m)
		}
	}
	return left
}

// now is the time to the second in UTC: all that evidence needs to tell.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }
