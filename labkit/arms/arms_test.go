package arms_test

import (
	"context"
	"encoding/gob"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/records"
)

func plan(n ...int) labkit.Plan {
	return labkit.Plan{Name: "test", N: n, Rounds: 2, Keys: 20, Seed: 7}
}

// measure runs the lab's arms and returns the series by arm, then metric.
func measure(t *testing.T, dir string, p labkit.Plan, list []labkit.Arm) map[string]map[string]labkit.Series {
	t.Helper()
	series, err := labkit.Lab{Plan: p, Dir: dir}.Measure(t.Context(), p.N[0], list)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]map[string]labkit.Series{}
	for _, s := range series {
		if got[s.Arm] == nil {
			got[s.Arm] = map[string]labkit.Series{}
		}
		got[s.Arm][s.Metric] = s
	}
	return got
}

// Every arm measures what its kind can, with the right work, and leaves its
// store behind.
func TestLab(t *testing.T) {
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		t.Run(class.String(), func(t *testing.T) {
			p, dir := plan(60), t.TempDir()
			data, err := arms.Records(p, 60)
			if err != nil {
				t.Fatal(err)
			}
			list := arms.Lab(data, class)
			got := measure(t, dir, p, list)
			work := map[string]map[string]int{
				"keyed store": {"write": 60, "put": 60, "read": 60, "scan": 60, "gets": 20, "gets open": 20, "disk": 0},
				"snapshot":    {"write": 60, "read": 60, "gets": 20, "disk": 0},
			}
			for _, arm := range list {
				if arm.Durability != class {
					t.Errorf("%s says it writes with %s", arm.Name, arm.Durability)
				}
				has := map[string]int{}
				for metric, s := range got[arm.Name] {
					has[metric] = s.Work
					if len(s.Samples) != p.Rounds || slices.Min(s.Samples) <= 0 {
						t.Errorf("%s, %s: samples %v", arm.Name, metric, s.Samples)
					}
				}
				want := work[arm.Kind]
				if arm.Name == arms.BlobIndexed { // a snapshot that is read as a store
					want = map[string]int{"write": 60, "read": 60, "scan": 60, "gets": 20, "gets open": 20, "disk": 0}
				}
				if diff := cmp.Diff(want, has); diff != "" {
					t.Errorf("%s: metrics and work (-want +got):\n%s", arm.Name, diff)
				}
				if _, err := os.Stat(filepath.Join(dir, labkit.StoreName(arm.Name, 60))); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A record is changed and kept by every arm, in both classes, and the control.
func TestUpdates(t *testing.T) {
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		p := plan(60)
		data, err := arms.Records(p, 60)
		if err != nil {
			t.Fatal(err)
		}
		list := arms.Lab(data.Measuring(labkit.Update, labkit.UpdateOpen), class)
		got := measure(t, t.TempDir(), p, list)
		for _, arm := range list {
			batch := 0 // a snapshot is written anew for each change
			if arm.Kind == "keyed store" {
				batch = 50
			}
			has, want := map[string]int{}, map[string]int{"write": 0, "disk": 0, "update": 0, "update open": batch}
			if arm.Kind == "keyed store" {
				want["put"] = 0
			}
			for metric, s := range got[arm.Name] {
				has[metric] = s.Batch
			}
			if diff := cmp.Diff(want, has); diff != "" {
				t.Errorf("%s: metrics and batches (-want +got):\n%s", arm.Name, diff)
			}
		}
	}
}

// The arms are generic in the record: nothing in them knows the lab's own.
func TestOtherRecords(t *testing.T) {
	data, err := arms.New(&arms.Data[map[string]string]{
		Keys:   []string{"a", "b", "c"},
		Values: []map[string]string{{"k": "1"}, {"k": "22"}, {}},
		Sum:    func(key string, v *map[string]string) uint64 { return uint64(len(key) + 10*len((*v)["k"])) },
		Gets:   5,
	})
	if err != nil {
		t.Fatal(err)
	}
	p := plan(3)
	got := measure(t, t.TempDir(), p, arms.Lab(data, labkit.ProcessCrash))
	if len(got) != 8 {
		t.Errorf("%d arms measured, want 8", len(got))
	}
}

// An arm that reads something other than the records fails the run. Here it is
// the checksum that never comes out the same, which is all that an arm can see.
func TestWrongResult(t *testing.T) {
	calls := uint64(0)
	data, err := arms.New(&arms.Data[int]{
		Keys: []string{"a"}, Values: []int{1}, Gets: 1,
		Sum: func(string, *int) uint64 { calls++; return calls },
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, arm := range arms.Lab(data, labkit.ProcessCrash) {
		p := plan(1)
		_, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), 1, []labkit.Arm{arm})
		if !errors.Is(err, labkit.ErrWrong) {
			t.Errorf("%s: error %v, want ErrWrong", arm.Name, err)
		}
	}
}

func TestDataRefused(t *testing.T) {
	sum := func(string, *int) uint64 { return 1 }
	for name, d := range map[string]*arms.Data[int]{
		"empty":        {Sum: sum, Gets: 1},
		"values short": {Keys: []string{"a", "b"}, Values: []int{1}, Sum: sum, Gets: 1},
		"not sorted":   {Keys: []string{"b", "a"}, Values: []int{1, 2}, Sum: sum, Gets: 1},
		"twice":        {Keys: []string{"a", "a"}, Values: []int{1, 2}, Sum: sum, Gets: 1},
		"no sum":       {Keys: []string{"a"}, Values: []int{1}, Gets: 1},
		"no gets":      {Keys: []string{"a"}, Values: []int{1}, Sum: sum},
	} {
		if _, err := arms.New(d); !errors.Is(err, labkit.ErrPlan) {
			t.Errorf("%s: error %v, want ErrPlan", name, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	data, err := arms.Records(plan(10), 10)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(labkit.ErrInterrupted)
	_, err = labkit.Lab{Plan: plan(10), Dir: t.TempDir()}.Measure(ctx, 10, arms.Lab(data, labkit.ProcessCrash))
	if !errors.Is(err, labkit.ErrInterrupted) {
		t.Errorf("error %v, want ErrInterrupted", err)
	}
}

// The plain gob is a plain gob: any Go program reads it.
func TestPlainGobIsPlain(t *testing.T) {
	p, dir := plan(30), t.TempDir()
	data, err := arms.Records(p, 30)
	if err != nil {
		t.Fatal(err)
	}
	measure(t, dir, p, []labkit.Arm{arms.NaiveGob(data, labkit.ProcessCrash)})
	f, err := os.Open(filepath.Join(dir, labkit.StoreName(arms.PlainGob, 30)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var got map[string]records.Record
	if err := gob.NewDecoder(f).Decode(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(records.Generate(p.Seed, 30).Map(), got); diff != "" {
		t.Error(diff)
	}
}

// Every arm of the durability run has a twin of the other class, and a price.
func TestBothClasses(t *testing.T) {
	class := map[string]labkit.Durability{}
	for _, arm := range arms.BothClasses(&arms.Data[int]{}) {
		class[arm.Name] = arm.Durability
	}
	prices := append(arms.Prices(), arms.PricesOf([]string{arms.BlobAll}, labkit.Write, labkit.UpdateOpen)...)
	if last := prices[len(prices)-1]; len(last.Metrics) != 2 || last.B != "blob, power loss" {
		t.Errorf("%+v", last)
	}
	prices = prices[:len(prices)-1]
	if len(class) != 2*len(prices) || len(prices) < 5 {
		t.Errorf("%d arms, %d prices", len(class), len(prices))
	}
	for _, c := range prices {
		a, ok1 := class[c.A]
		b, ok2 := class[c.B]
		if !ok1 || !ok2 || a != labkit.ProcessCrash || b != labkit.PowerLoss || c.Role != labkit.Price {
			t.Errorf("%+v: classes %s and %s", c, a, b)
		}
	}
}

// payload returns the bytes that the records of d are said to be.
func payload(t *testing.T, d *arms.Data[string]) int64 {
	t.Helper()
	data, err := arms.New(d)
	if err != nil {
		t.Fatal(err)
	}
	var got int64
	arm := arms.NaiveGob(data, labkit.ProcessCrash)
	whole := arm.Measure
	arm.Measure = func(ctx context.Context, r *labkit.Round) error {
		err := whole(ctx, r)
		got = r.Payload
		return err
	}
	if _, err := (labkit.Lab{Plan: plan(2), Dir: t.TempDir()}).Measure(t.Context(), 2, []labkit.Arm{arm}); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPayload(t *testing.T) {
	d := arms.Data[string]{
		Keys: []string{"a", "bcd"}, Values: []string{"12345", "6"}, Gets: 1,
		Sum: func(key string, v *string) uint64 { return uint64(len(key) + len(*v)) },
	}
	told := d
	told.Payload = func(key string, v *string) int { return len(key) + len(*v) }
	if got := payload(t, &told); got != 10 {
		t.Errorf("as it is told: %d bytes, want 10", got)
	}
	// A gob's text is its length, in a byte, and itself, behind the byte of a
	// value that is no struct.
	if got := payload(t, &d); got < 10 || got > 10+2*3 {
		t.Errorf("as a gob: %d bytes, want 10 and up to 3 a record", got)
	}
	r := records.Record{ID: 1, Name: "12345", Email: "123", Tags: []string{"12", "1"}, Note: "1234"}
	if got := records.Payload("id_00001", &r); got != 8+8+5+3+3+8+1+4 {
		t.Errorf("a record of the lab is %d bytes", got)
	}
}

// Comparisons name arms that exist and compare each of them with something.
func TestComparisons(t *testing.T) {
	known := map[string]bool{}
	for _, arm := range arms.Lab(&arms.Data[int]{}, labkit.ProcessCrash) {
		known[arm.Name] = false
	}
	for _, c := range arms.Comparisons() {
		for _, name := range []string{c.A, c.B} {
			if _, ok := known[name]; !ok {
				t.Errorf("%s compares an unknown arm %q", c.Label, name)
			}
			known[name] = true
		}
	}
	for name := range maps.Keys(known) {
		if !known[name] {
			t.Errorf("%q is compared with nothing", name)
		}
	}
}
