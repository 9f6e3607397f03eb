package dicts_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/dicts"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/records"
)

type dict = map[string]string

// odd strings that every arm must carry.
var odd = []string{"", " ", "two\nlines", "a\ttab", "\r\n", `back\slash`, `\n`, `\`, "ünïcödé, 日本語, 🙂", "\u2028<&>\"'", "\x00", strings.Repeat("long ", 20_000)}

func oddList() []dict {
	var list []dict
	for i, value := range odd {
		list = append(list, dict{"key": value, value + "k": odd[len(odd)-1-i]})
	}
	return list
}

func lists() map[string][]dict {
	return map[string][]dict{
		"same":    records.Dicts{Items: 25}.List(1, 40, nil),
		"unlike":  records.Dicts{Items: 25, Unlike: true, Length: 20}.List(1, 40, nil),
		"empty":   {{}, {}, {}},
		"nil":     {nil},
		"one":     {{"k": "v"}},
		"one key": {{"": ""}, {"": "v"}},
		"mixed":   {{}, {"a": "b"}, {"c": "d", "e": "f"}, nil},
		"odd":     oddList(),
	}
}

// measure lets the arms take their turns in two rounds; an arm that loads
// something else fails it.
func measure(t *testing.T, arms []labkit.Arm) ([]labkit.Series, error) {
	t.Helper()
	plan := labkit.Plan{Name: "dicts", N: []int{1}, Rounds: 2, Keys: 1}
	return labkit.Lab{Plan: plan, Dir: t.TempDir()}.Measure(t.Context(), 1, arms)
}

func TestArmsLoadWhatTheyDumped(t *testing.T) {
	for name, list := range lists() {
		classes := []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss}
		if name != "same" { // syncing takes its time, and does the same to every list
			classes = classes[:1]
		}
		for _, class := range classes {
			for _, arm := range dicts.Arms(dicts.Wrap(list), class) {
				if arm.Durability != class {
					t.Errorf("%s is of class %s, not %s", arm.Name, arm.Durability, class)
				}
				series, err := measure(t, []labkit.Arm{arm})
				if oneSet := name != "mixed" && name != "odd"; arm.Name == dicts.Text && !oneSet {
					if !errors.Is(err, dicts.ErrKeys) {
						t.Errorf("text lines, %s: %v, want ErrKeys", name, err)
					}
					continue
				}
				if err != nil || len(series) != 3 {
					t.Errorf("%s, %s, %s: %d series, %v", arm.Name, name, class, len(series), err)
				}
			}
		}
	}
}

// Text lines carry odd strings too, if all dictionaries have one set of keys.
func TestTextCarriesOddStrings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	var list []dict
	for i, value := range odd {
		list = append(list, dict{"a\tkey": value, "": odd[len(odd)-1-i]})
	}
	if err := dicts.SaveText(path, labkit.ProcessCrash, list); err != nil {
		t.Fatal(err)
	}
	back, err := dicts.LoadText(path)
	if err != nil || records.SumDicts(back) != records.SumDicts(list) {
		t.Errorf("%q, %v", back, err)
	}
}

func TestStructsNeedThePublishedKeys(t *testing.T) {
	has := func(list []dict) bool {
		return slices.ContainsFunc(dicts.Arms(dicts.Wrap(list), labkit.ProcessCrash), func(a labkit.Arm) bool { return a.Name == dicts.Structs })
	}
	for items, want := range map[int]bool{0: false, 5: false, 24: false, 25: true, 26: false, 125: false} {
		if got := has((records.Dicts{Items: items}).List(1, 3, nil)); got != want {
			t.Errorf("%d items: structs %t, want %t", items, got, want)
		}
	}
	list := records.Dicts{Items: 25}.List(1, 3, nil)
	list[2] = dict{"other": "x"}
	for _, arm := range dicts.Arms(dicts.Wrap(list), labkit.ProcessCrash) {
		if arm.Name == dicts.Structs {
			if _, err := measure(t, []labkit.Arm{arm}); !errors.Is(err, dicts.ErrKeys) {
				t.Errorf("a list with one odd dictionary: %v", err)
			}
		}
	}
}

// The arms measure what is asked: the metrics of a whole value, and the payload.
func TestArmsMeasure(t *testing.T) {
	list, err := dicts.New(records.Dicts{Items: 25, Unlike: true}, 1, 30, nil)
	if err != nil {
		t.Fatal(err)
	}
	arms := dicts.Arms(list, labkit.ProcessCrash)
	series, err := measure(t, arms)
	if err != nil {
		t.Fatal(err)
	}
	if len(arms) != 11 || len(series) != 3*len(arms) {
		t.Errorf("%d arms, %d series", len(arms), len(series))
	}
	for _, s := range series {
		if slices.Min(s.Samples) <= 0 || (s.Metric == "disk") != (s.Work == 0) || s.Work != 0 && s.Work != 30 {
			t.Errorf("%+v", s)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, c := range []struct {
		kind records.Dicts
		n    int
		want error
	}{
		{records.Dicts{Items: -1}, 10, records.ErrDicts},
		{records.Dicts{Items: 25}, 0, labkit.ErrPlan},
		{records.Dicts{Items: 25}, labkit.MaxRecords + 1, labkit.ErrPlan},
	} {
		if _, err := dicts.New(c.kind, 1, c.n, nil); !errors.Is(err, c.want) {
			t.Errorf("%+v, n = %d: %v, want %v", c.kind, c.n, err, c.want)
		}
	}
}

// A list that would not fit is refused before it is made, with both sizes and
// the remedy.
func TestNewRefusesWhatDoesNotFit(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(300 << 20))
	made := func(int) { t.Error("it began to make the list") }
	_, err := dicts.New(records.Dicts{Items: 25}, 1, 1_000_000, made)
	if !errors.Is(err, whole.ErrRoom) {
		t.Fatalf("%v, want ErrRoom", err)
	}
	for _, part := range []string{"1000000 dictionaries of 25 items need about ", " GB, GOMEMLIMIT leaves ", " MB: give a smaller n"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if _, err := dicts.New(records.Dicts{Items: 25}, 1, 5000, nil); err != nil {
		t.Errorf("a list that fits: %v", err)
	}
}

// The estimate is of the right size: five times what the list weighs.
func TestNeed(t *testing.T) {
	for _, kind := range []records.Dicts{{Items: 25}, {Items: 25, Unlike: true, Length: 50}, {Items: 2}} {
		const n = 20_000
		list := whole.Weigh(func() any { return kind.List(1, n, nil) })
		if need := dicts.Need(kind, 1, n); need < 4*list || need > 6*list {
			t.Errorf("%+v: %d bytes for a list of %d", kind, need, list)
		}
	}
}

// What each arm notices of a damaged file is what the package comment says.
func TestDamage(t *testing.T) {
	list := dicts.Wrap(records.Dicts{Items: 25, Unlike: true, Length: 40}.List(1, 60, nil))
	notices := map[string][3]bool{ // cut, extended, a letter changed
		dicts.Blob: {true, true, true}, dicts.BlobOneCore: {true, true, true}, dicts.Indexed: {true, true, true},
		dicts.PlainGob: {true, false, false}, dicts.PlainAgain: {true, false, false}, dicts.Structs: {true, false, false},
		dicts.Interned: {true, false, false},
		dicts.JSON:     {true, true, false}, dicts.FastJSON: {true, true, false}, dicts.Text: {true, true, false},
	}
	var value string
	for _, value = range list.V[30] {
		break
	}
	for _, arm := range dicts.Arms(list, labkit.ProcessCrash) {
		want, ok := notices[arm.Name]
		if !ok {
			if arm.Name != dicts.Shelf { // a folder: see the next test
				t.Errorf("nothing is expected of %s", arm.Name)
			}
			continue
		}
		for i, change := range []func(text []byte) []byte{
			func(text []byte) []byte { return text[:len(text)-7] },
			func(text []byte) []byte { return append(text, "more\n"...) },
			func(text []byte) []byte {
				at := strings.Index(string(text), value)
				if at < 0 {
					t.Fatalf("%s: the value is not in the file", arm.Name)
				}
				text[at+9] ^= 1
				return text
			},
		} {
			err := damaged(t, arm, change)
			// A letter that nobody notices comes back wrong, which the checksum of
			// the lab finds: it is the file that is asked here.
			noticed := err != nil && !errors.Is(err, labkit.ErrWrong)
			if noticed != want[i] {
				t.Errorf("%s, damage %d: %v, want it noticed: %t", arm.Name, i, err, want[i])
			}
			if i == 2 && err == nil {
				t.Errorf("%s: a changed letter changed nothing", arm.Name)
			}
		}
	}
}

// damaged lets the arm load a file that was changed between dump and load.
func damaged(t *testing.T, arm labkit.Arm, change func(text []byte) []byte) error {
	t.Helper()
	_, err := measure(t, []labkit.Arm{{Name: arm.Name, Measure: func(ctx context.Context, r *labkit.Round) error {
		// Disk is measured between the two: the moment to damage what it measures.
		return arm.Measure(meddle{ctx, func() error {
			text, err := os.ReadFile(r.Path)
			if err != nil {
				return err
			}
			return os.WriteFile(r.Path, change(text), 0o600)
		}}, r)
	}}})
	return err
}

// meddle is a context that does something when its error is asked for, which
// the turn does between dump and load.
type meddle struct {
	context.Context
	do func() error
}

func (m meddle) Err() error { return m.do() }

func TestShelfNoticesDamage(t *testing.T) {
	list := dicts.Wrap(records.Dicts{Items: 25, Unlike: true, Length: 40}.List(1, 60, nil))
	var value string
	for _, value = range list.V[30] {
		break
	}
	arms := dicts.Arms(list, labkit.ProcessCrash)
	arm := arms[slices.IndexFunc(arms, func(a labkit.Arm) bool { return a.Name == dicts.Shelf })]
	for name, change := range map[string]func(text string) string{
		"a letter changed": func(text string) string { return strings.Replace(text, value, "?"+value[1:], 1) },
		"cut":              func(text string) string { return text[:len(text)/2] },
	} {
		_, err := measure(t, []labkit.Arm{{Name: arm.Name, Measure: func(ctx context.Context, r *labkit.Round) error {
			return arm.Measure(meddle{ctx, func() error { return changeIn(r.Path, value, change) }}, r)
		}}})
		if err == nil || errors.Is(err, labkit.ErrWrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// changeIn changes the files of a folder that hold the value.
func changeIn(dir, value string, change func(string) string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	found := false
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !strings.Contains(string(text), value) {
			continue
		}
		found = true
		if err := os.WriteFile(path, []byte(change(string(text))), 0o600); err != nil {
			return err
		}
	}
	if !found {
		return errors.New("no file holds the value")
	}
	return nil
}

// JSON alone cannot carry what is no UTF-8.
func TestBytesThatAreNoText(t *testing.T) {
	for _, arm := range dicts.Arms(dicts.Wrap([]dict{{"key": "\xff\xfe"}}), labkit.ProcessCrash) {
		_, err := measure(t, []labkit.Arm{arm})
		if arm.Kind == "text" && arm.Name != dicts.Text {
			if !errors.Is(err, labkit.ErrWrong) { // U+FFFD comes back, without a word
				t.Errorf("%s: %v, want ErrWrong", arm.Name, err)
			}
		} else if err != nil {
			t.Errorf("%s: %v", arm.Name, err)
		}
	}
}
