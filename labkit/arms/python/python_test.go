package python_test

import (
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/arms/python"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/leftout"
	"shelflab/labkit/records"
)

func plan(n int) labkit.Plan {
	return labkit.Plan{Name: "python", N: []int{n}, Rounds: 2, Keys: 20, Seed: 7}
}

// lab returns Python's arms over n of the lab's records.
func lab(t *testing.T, n int, class labkit.Durability) []labkit.Arm {
	t.Helper()
	data, err := turn.Records(plan(n), n)
	if err != nil {
		t.Fatal(err)
	}
	return python.Arms(data, class)
}

// real is the path of the Python that tests need.
func real(t *testing.T) string {
	t.Helper()
	name := os.Getenv(python.Variable)
	if name == "" {
		name = "python3"
	}
	path, err := exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err == nil {
		return path
	}
	leftout.Test(t, "the arms of Python: %v", err)
	return ""
}

func named(t *testing.T, list []labkit.Arm, name string) labkit.Arm {
	t.Helper()
	at := slices.IndexFunc(list, func(a labkit.Arm) bool { return a.Name == name })
	if at < 0 {
		t.Fatalf("there is no arm %q", name)
	}
	return list[at]
}

// Every arm that this Python has takes the whole turn, in both classes, and
// reads what it has written; every other one says why not.
func TestArms(t *testing.T) {
	real(t)
	const n = 1500 // more than are held at once while a store is read through
	keyed := map[string]int{"write": n, "put": n, "read": n, "scan": n, "gets": 20, "gets open": 20, "disk": 0}
	whole := map[string]int{"write": n, "read": n, "gets": 20, "disk": 0}
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		list, dir := lab(t, n, class), t.TempDir()
		series, err := labkit.Lab{Plan: plan(n), Dir: dir}.Measure(t.Context(), n, list)
		if err != nil {
			t.Fatal(err)
		}
		for _, arm := range list {
			want := keyed
			if arm.Name == python.Pickle {
				want = whole
			}
			if arm.Unmeasured != "" {
				want = map[string]int{}
				t.Logf("%s, %s: %s", arm.Name, class, arm.Unmeasured)
			}
			has := map[string]int{}
			for _, s := range series {
				if s.Arm == arm.Name {
					has[s.Metric] = s.Work
					if len(s.Samples) != 2 || slices.Min(s.Samples) <= 0 {
						t.Errorf("%+v", s)
					}
				}
			}
			if diff := cmp.Diff(want, has); diff != "" {
				t.Errorf("%s, %s: metrics and work (-want +got):\n%s", arm.Name, class, diff)
			}
			if arm.Durability != class && arm.Name != python.ShelveSQLite || arm.Pair != turn.PairPeer || !strings.Contains(arm.What, "Python") {
				t.Errorf("%+v", arm)
			}
		}
		if left, err := filepath.Glob(filepath.Join(dir, ".*")); err != nil || len(left) > 0 {
			t.Errorf("left behind: %q, %v", left, err)
		}
		if arm := named(t, list, python.ShelveDumb); (arm.Unmeasured == "") != (class == labkit.ProcessCrash) {
			t.Errorf("dbm.dumb with %s: %q", class, arm.Unmeasured)
		}
		for _, name := range []string{python.ShelveGNU, python.Pickle} { // what CI installs
			t.Run(name, func(t *testing.T) {
				if arm := named(t, list, name); arm.Unmeasured != "" {
					leftout.Test(t, "%s", arm.Unmeasured)
				}
			})
		}
	}
}

// odd is a record with all that JSON can be read wrong from.
type odd struct {
	Int     int64
	Natural uint64
	Float   float64
	Short   float32
	Text    string
	Flag    bool
	Maybe   *int
	List    []float64
	Named   map[string]string
	Inner   struct {
		Deep []struct{ A, B string }
		Raw  []byte
	}
}

// Python is given, keeps and gives back any records: the checksum is of each byte.
func TestAnyRecords(t *testing.T) {
	real(t)
	odds := rapid.MapOfN(rapid.StringN(1, 10, 40), rapid.Make[odd](), 100, 300)
	for seed := range 3 {
		all := odds.Example(seed)
		d := turn.Data[odd]{Gets: 3, Sum: func(string, *odd) uint64 { return 0 }, Payload: func(string, *odd) int { return 1 }}
		for _, key := range slices.Sorted(maps.Keys(all)) {
			d.Keys, d.Values = append(d.Keys, key), append(d.Values, all[key])
		}
		data, err := turn.New(&d)
		if err != nil {
			t.Fatal(err)
		}
		p := plan(len(all))
		p.Rounds = 1
		list := []labkit.Arm{named(t, python.Arms(data, labkit.ProcessCrash), python.Pickle)}
		if _, err := (labkit.Lab{Plan: p, Dir: t.TempDir()}).Measure(t.Context(), len(all), list); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
	}
}

// A record that a program in Python would hold in another form is given to it so.
func TestObjects(t *testing.T) {
	at := real(t)
	data, err := turn.New(&turn.Data[int]{
		Keys: []string{"a", "b"}, Values: []int{1, 2}, Gets: 1, Sum: func(string, *int) uint64 { return 0 },
		Object: func(v *int) any { return map[string]any{"twice": 2 * *v, "same": float64(*v), "flag": *v == 1} },
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	list := []labkit.Arm{named(t, python.Arms(data, labkit.ProcessCrash), python.Pickle)}
	if _, err := (labkit.Lab{Plan: plan(2), Dir: dir}).Measure(t.Context(), 2, list); err != nil {
		t.Fatal(err)
	}
	if got, want := unpickled(t, at, dir, 2, "print(all)"), "{'a': {'flag': True, 'same': 1.0, 'twice': 2}, 'b': {'flag': False, 'same': 2.0, 'twice': 4}}\n"; got != want {
		t.Errorf("the pickle holds %s, want %s", got, want)
	}
}

// unpickled is what a program in Python prints of the dict that was pickled.
func unpickled(t *testing.T, at, dir string, n int, program string) string {
	t.Helper()
	out, err := exec.Command(at, "-c", "import pickle, sys\nall = pickle.load(open(sys.argv[1], 'rb'))\n"+program,
		filepath.Join(dir, labkit.StoreName(python.Pickle, n), "pickle")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// What JSON has no form of is an error that says so.
func TestNoJSON(t *testing.T) {
	real(t)
	data, err := turn.New(&turn.Data[float64]{
		Keys: []string{"a"}, Values: []float64{math.NaN()}, Gets: 1, Sum: func(string, *float64) uint64 { return 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	list := []labkit.Arm{named(t, python.Arms(data, labkit.ProcessCrash), python.Pickle)}
	_, err = labkit.Lab{Plan: plan(1), Dir: t.TempDir()}.Measure(t.Context(), 1, list)
	if err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("error %v, want one that names NaN", err)
	}
}

// The records in a pickle have the types that they have in Go.
func TestPickleHoldsTheRecords(t *testing.T) {
	at := real(t)
	dir := t.TempDir()
	list := lab(t, 3, labkit.ProcessCrash)
	if _, err := (labkit.Lab{Plan: plan(3), Dir: dir}).Measure(t.Context(), 3, []labkit.Arm{named(t, list, python.Pickle)}); err != nil {
		t.Fatal(err)
	}
	got := unpickled(t, at, dir, 3, `
for key, r in all.items():
    print(key, r["ID"], r["Name"], r["Tags"][1], type(r["Score"]).__name__, r["Active"], sep="|")`)
	set, want := records.Generate(7, 3), ""
	for i, r := range set.Values {
		active := "False"
		if r.Active {
			active = "True"
		}
		want += strings.Join([]string{set.Keys[i], string(rune('0' + r.ID)), r.Name, r.Tags[1], "float", active}, "|") + "\n"
	}
	if got != want {
		t.Errorf("the pickle holds\n%swant\n%s", got, want)
	}
}
