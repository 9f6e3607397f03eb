package turn_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/records"
)

// What is asked for is measured, and nothing else but how every turn begins.
func TestMeasuring(t *testing.T) {
	p := plan(100)
	data, err := turn.Records(p, 100)
	if err != nil {
		t.Fatal(err)
	}
	begin := map[string]int{"write": 0, "put": 0, "disk": 0}
	for _, c := range []struct {
		ask   []labkit.Metric
		batch map[string]int // of what is measured besides
	}{
		{nil, nil},
		{[]labkit.Metric{labkit.Gets}, map[string]int{"gets": 0}},
		{[]labkit.Metric{labkit.Update}, map[string]int{"update": 0}},
		{[]labkit.Metric{labkit.Read, labkit.UpdateOpen}, map[string]int{"read": 0, "scan": 0, "update open": 50}},
	} {
		for name, peer := range peers[records.Record]() {
			for _, class := range classes {
				series, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), 100, []labkit.Arm{peer.arm(data.Measuring(c.ask...), class)})
				if err != nil {
					t.Fatal(err)
				}
				want, got := maps.Clone(begin), map[string]int{}
				maps.Copy(want, c.batch)
				for _, s := range series {
					got[s.Metric] = s.Batch
					if m := []string{"update", "update open"}; slices.Contains(m, s.Metric) && (s.Work != 1 || s.Unit != "s") {
						t.Errorf("%s: %+v is not of one record", name, s)
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s asked for %v: metrics and batches (-want +got):\n%s", name, c.ask, diff)
				}
			}
		}
	}
}

// forgetful opens a store that says it has changed a record and has not.
type forgetful struct{ turn.Changer[records.Record] }

func (forgetful) Update(string, func(*records.Record) error) error { return nil }

// A store that loses a change, or that holds something else than was written
// where nothing but the write is measured, fails the run.
func TestLostChange(t *testing.T) {
	p := plan(50)
	data, err := turn.Records(p, 50)
	if err != nil {
		t.Fatal(err)
	}
	one := func(yield func(turn.Entry[records.Record], error) bool) {
		yield(turn.Entry[records.Record]{Key: data.Keys[0], Value: data.Values[0]}, nil)
	}
	for name, peer := range peers[records.Record]() {
		for _, c := range []struct {
			what string
			ask  []labkit.Metric
			all  bool
		}{
			{"a lost change", []labkit.Metric{labkit.Update}, true},
			{"a lost change, store open", []labkit.Metric{labkit.UpdateOpen}, true},
			{"lost records", nil, false},
		} {
			list := data.Entries()
			if !c.all {
				list = one
			}
			arm := labkit.Arm{Name: name, Measure: turn.Keyed(data.Measuring(c.ask...),
				turn.Filled(50, func(path string) (filled[records.Record], error) { return peer.create(path, labkit.ProcessCrash) },
					func(s filled[records.Record]) error { return s.PutAll(list) }),
				peer.open,
				func(path string) (turn.Changer[records.Record], error) {
					s, err := peer.edit(path, labkit.ProcessCrash)
					return forgetful{s}, err
				})}
			_, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), 50, []labkit.Arm{arm})
			if !errors.Is(err, labkit.ErrWrong) {
				t.Errorf("%s, %s: error %v, want ErrWrong", name, c.what, err)
			}
		}
	}
}

// Updates of records that do not say how they change are refused.
func TestNoChange(t *testing.T) {
	p := plan(5)
	data, err := turn.Records(p, 5)
	if err != nil {
		t.Fatal(err)
	}
	data.Change = nil
	for name, peer := range peers[records.Record]() {
		_, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), 5, []labkit.Arm{peer.arm(data.Measuring(labkit.Update), 0)})
		if !errors.Is(err, labkit.ErrPlan) {
			t.Errorf("%s: error %v, want ErrPlan", name, err)
		}
	}
}

// Update does to every peer what it does to a map: the change is there after the
// store was closed, one that fails changes nothing, and a key that is not there
// is turn.ErrNotFound.
func TestUpdateAgainstAMap(t *testing.T) {
	refused := errors.New("no")
	for name, peer := range peers[small]() {
		t.Run(name, rapid.MakeCheck(func(rt *rapid.T) {
			dir, err := os.MkdirTemp(t.TempDir(), "")
			if err != nil {
				rt.Fatal(err)
			}
			path, class := filepath.Join(dir, "store"), rapid.SampledFrom(classes).Draw(rt, "class")
			want := smalls().Draw(rt, "records")
			err = turn.With(func(path string) (filled[small], error) { return peer.create(path, class) }, path,
				func(s filled[small]) error { return s.PutAll(sorted(want)) })
			if err != nil {
				rt.Fatal(err)
			}
			keys := append(slices.Sorted(maps.Keys(want)), "a key that is too long to be there, by far, by far, by far, by far")
			err = turn.With(func(path string) (turn.Changer[small], error) { return peer.edit(path, class) }, path, func(s turn.Changer[small]) error {
				for range rapid.IntRange(0, 8).Draw(rt, "changes") {
					key, text := rapid.SampledFrom(keys).Draw(rt, "key"), rapid.String().Draw(rt, "text")
					fails := rapid.Bool().Draw(rt, "fails")
					v, there := want[key]
					err := s.Update(key, func(v *small) error {
						v.N++
						v.Text = text
						if fails {
							return refused
						}
						return nil
					})
					switch {
					case !there:
						if !errors.Is(err, turn.ErrNotFound) {
							rt.Fatalf("%q, which is not there: %v", key, err)
						}
					case fails:
						if !errors.Is(err, refused) {
							rt.Fatalf("%q, whose change fails: %v", key, err)
						}
					case err != nil:
						rt.Fatal(err)
					default:
						v.N++
						v.Text = text
						want[key] = v
					}
				}
				return nil
			})
			if err != nil {
				rt.Fatal(err)
			}
			got := map[string]small{}
			err = turn.With(peer.open, path, func(s turn.Store[small]) error {
				for e, err := range s.All() {
					if err != nil {
						return err
					}
					got[e.Key] = e.Value
				}
				return nil
			})
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				rt.Errorf("%v, all (-want +got):\n%s", err, diff)
			}
		}))
	}
}

// A store that keeps its old records where all are to be replaced fails the run.
func TestRewriteThatDoesNot(t *testing.T) {
	p := plan(30)
	data, err := turn.Records(p, 30)
	if err != nil {
		t.Fatal(err)
	}
	after, err := data.Changed()
	if err != nil || data.Values[3].Score+1 != after.Values[3].Score {
		t.Fatal(err)
	}
	create := func(path string) (filled[records.Record], error) {
		return peers[records.Record]()["bbolt"].create(path, labkit.ProcessCrash)
	}
	arm := labkit.Arm{Name: "bbolt", Measure: turn.Rewrite(data, after,
		turn.Filled(30, create, func(s filled[records.Record]) error { return s.PutAll(data.Entries()) }),
		func(string) error { return nil },
		turn.Scanned(data, peers[records.Record]()["bbolt"].open))}
	if _, err := (labkit.Lab{Plan: p, Dir: t.TempDir()}).Measure(t.Context(), 30, []labkit.Arm{arm}); !errors.Is(err, labkit.ErrWrong) {
		t.Errorf("error %v, want ErrWrong", err)
	}
}
