package records_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit/records"
)

func TestDictsAreAsPublished(t *testing.T) {
	list := records.Dicts{Items: 25}.List(1, 3, nil)
	if len(list) != 3 {
		t.Fatalf("%d dictionaries, want 3", len(list))
	}
	for _, m := range list {
		if len(m) != 25 || m["key0"] != "value0" || m["key24"] != "value24" {
			t.Errorf("%v", m)
		}
	}
	if got := records.DictsPayload(list); got != 3*(10*10+15*12) { // key0 value0 … key24 value24
		t.Errorf("payload of %d bytes", got)
	}
}

// What a seed gives is part of what evidence means.
func TestUnlikeDictsAreGolden(t *testing.T) {
	got := records.Dicts{Items: 2, Length: 9, Unlike: true}.List(1, 2, nil)
	want := []map[string]string{{"key0": "WTdedOCgB", "key1": "vLRNx02v6"}, {"key0": "KEF6Hdwvq", "key1": "j63paFDew"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDictsRepeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := records.Dicts{
			Items: rapid.IntRange(0, 40).Draw(t, "items"), Length: rapid.IntRange(0, 30).Draw(t, "length"),
			Unlike: rapid.Bool().Draw(t, "unlike"),
		}
		seed, n := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(0, 60).Draw(t, "n")
		list := d.List(seed, n, nil)
		if diff := cmp.Diff(list, d.List(seed, n+5, nil)[:n]); diff != "" {
			t.Fatalf("a longer list begins differently:\n%s", diff)
		}
		seen := map[string]bool{}
		for _, m := range list {
			if len(m) != d.Items {
				t.Fatalf("%d items, want %d", len(m), d.Items)
			}
			for j := range d.Items {
				value, ok := m[fmt.Sprintf("key%d", j)]
				if want := max(d.Length, len(fmt.Sprintf("value%d", j))); !ok || len(value) != want {
					t.Fatalf("key%d: %q (%t), want %d bytes", j, value, ok, want)
				}
				if d.Unlike && seen[value] {
					t.Fatalf("%q stands there twice", value)
				}
				seen[value] = true
			}
			if !d.Unlike && !maps.Equal(m, list[0]) {
				t.Fatalf("%v is not like %v", m, list[0])
			}
		}
		if other := d.List(seed+1, n, nil); d.Unlike && n*d.Items > 0 && cmp.Equal(list, other) {
			t.Fatal("two seeds give one list")
		}
	})
}

func TestDictsThatCannotBe(t *testing.T) {
	for _, d := range []records.Dicts{{Items: -1}, {Items: records.MaxItems + 1}, {Length: -1}, {Length: records.MaxLength + 1}} {
		if err := d.Validate(); !errors.Is(err, records.ErrDicts) {
			t.Errorf("%+v: %v", d, err)
		}
		if list := d.List(1, 2, nil); len(list) != 2 || len(list[0]) != 0 {
			t.Errorf("%+v gives %v", d, list)
		}
	}
	if list := (records.Dicts{Items: 1}).List(1, -1, nil); len(list) != 0 {
		t.Errorf("n = -1 gives %v", list)
	}
}

func TestDictsTellProgress(t *testing.T) {
	var told []int
	records.Dicts{Items: 1}.List(1, 2500, func(done int) { told = append(told, done) })
	if diff := cmp.Diff([]int{0, 1000, 2000, 2500}, told); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSumDicts(t *testing.T) {
	list := records.Dicts{Items: 3, Unlike: true}.List(1, 3, nil)
	sum := records.SumDicts(list)
	clone := func() []map[string]string {
		out := make([]map[string]string, len(list))
		for i, m := range list {
			out[i] = maps.Clone(m)
		}
		return out
	}
	if again := records.SumDicts(clone()); again != sum {
		t.Errorf("equal lists have the sums %x and %x", sum, again)
	}
	for name, change := range map[string]func(list []map[string]string) []map[string]string{
		"a value": func(l []map[string]string) []map[string]string { l[1]["key1"] += "x"; return l },
		"two values": func(l []map[string]string) []map[string]string {
			l[0]["key0"], l[0]["key1"] = l[0]["key1"], l[0]["key0"]
			return l
		},
		"a key": func(l []map[string]string) []map[string]string {
			l[2]["key9"] = l[2]["key1"]
			delete(l[2], "key1")
			return l
		},
		"an item":       func(l []map[string]string) []map[string]string { delete(l[2], "key1"); return l },
		"the order":     func(l []map[string]string) []map[string]string { l[0], l[1] = l[1], l[0]; return l },
		"the end":       func(l []map[string]string) []map[string]string { return l[:2] },
		"an empty more": func(l []map[string]string) []map[string]string { return append(l, nil) },
	} {
		if got := records.SumDicts(change(clone())); got == sum {
			t.Errorf("%s makes no difference", name)
		}
	}
	if records.SumDicts([]map[string]string{nil}) != records.SumDicts([]map[string]string{{}}) {
		t.Error("a nil dictionary is not like an empty one")
	}
}
