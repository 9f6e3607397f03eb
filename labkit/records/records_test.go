package records_test

import (
	"math"
	"slices"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit/records"
)

// The records of a seed are part of what evidence means: they must not change
// with the code, the machine or the version of Go.
func TestGenerateIsGolden(t *testing.T) {
	set := records.Generate(1, 8000)
	if len(set.Keys) != 8000 || len(set.Values) != 8000 {
		t.Fatalf("%d keys and %d values, want 8000", len(set.Keys), len(set.Values))
	}
	for i, want := range map[int]records.Record{
		0:    {0, "Hedy Knuth", "hedy.knuth.0@hazel.example", []string{"legacy", "priority"}, 72.36, false, "pepper river basin ochre harbor falcon"},
		1:    {1, "Robin Shannon", "robin.shannon.1@island.example", []string{"export", "archive"}, 8.01, false, "copper amber timber timber delta harbor"},
		7999: {7999, "Niklaus Lamport", "niklaus.lamport.7999@birch.example", []string{"partner", "urgent"}, 48.82, true, "beacon saffron anchor harbor island velvet"},
	} {
		if diff := cmp.Diff(want, set.Values[i]); diff != "" {
			t.Errorf("record %d (-want +got):\n%s", i, diff)
		}
		if key := records.Key(i, 8000); set.Keys[i] != key {
			t.Errorf("key %d is %s, want %s", i, set.Keys[i], key)
		}
	}
	if got, want := set.Pick(1, 5), []string{"id_03662", "id_00571", "id_03552", "id_01219", "id_01455"}; !slices.Equal(got, want) {
		t.Errorf("Pick(1, 5) = %q, want %q", got, want)
	}
}

func TestGenerateRepeats(t *testing.T) {
	first := records.Generate(7, 300)
	if diff := cmp.Diff(first, records.Generate(7, 300)); diff != "" {
		t.Errorf("equal arguments give two sets:\n%s", diff)
	}
	if diff := cmp.Diff(first.Values[:100], records.Generate(7, 100).Values); diff != "" {
		t.Errorf("a smaller set of one seed does not begin like a larger:\n%s", diff)
	}
	if cmp.Equal(first, records.Generate(8, 300)) {
		t.Error("seeds 7 and 8 give equal sets")
	}
	if !slices.Equal(first.Pick(1, 50), first.Pick(1, 50)) || slices.Equal(first.Pick(1, 50), first.Pick(2, 50)) {
		t.Error("Pick does not follow from its seed")
	}
}

func TestSmallSets(t *testing.T) {
	for _, n := range []int{-1, 0} {
		set := records.Generate(1, n)
		if len(set.Keys) != 0 || len(set.Values) != 0 || len(set.Map()) != 0 || set.Pick(1, 3) != nil {
			t.Errorf("n = %d: %+v, want an empty set and no keys", n, set)
		}
	}
	set := records.Generate(1, 1)
	if got, want := set.Pick(1, 3), []string{"id_00000", "id_00000", "id_00000"}; !slices.Equal(got, want) {
		t.Errorf("of one record Pick gives %q, want it three times", got)
	}
	for _, k := range []int{-1, 0} {
		if got := set.Pick(1, k); len(got) != 0 {
			t.Errorf("Pick(1, %d) = %q, want none", k, got)
		}
	}
}

func TestKey(t *testing.T) {
	for _, c := range []struct {
		i, n int
		want string
	}{
		{0, 1, "id_00000"},
		{42, 8000, "id_00042"},
		{99_999, 100_000, "id_99999"},
		{42, 100_001, "id_000042"}, // the largest has six digits
		{100_000, 100_001, "id_100000"},
		{42, 1_000_000, "id_000042"},
		{42, 1_000_001, "id_0000042"},
		{0, 0, "id_00000"},
	} {
		if got := records.Key(c.i, c.n); got != c.want {
			t.Errorf("Key(%d, %d) = %s, want %s", c.i, c.n, got, c.want)
		}
	}
}

func TestKeysSortLikeNumbers(t *testing.T) {
	for _, n := range []int{99_999, 100_000, 100_001} {
		set := records.Generate(1, n)
		if !sort.StringsAreSorted(set.Keys) || set.Keys[0] == set.Keys[n-1] {
			t.Errorf("n = %d: the keys are not in order", n)
		}
	}
	rapid.Check(t, func(t *rapid.T) { // also where making the whole set would take long
		n := rapid.IntRange(2, 10_000_000).Draw(t, "n")
		i := rapid.IntRange(0, n-2).Draw(t, "i")
		j := rapid.IntRange(i+1, n-1).Draw(t, "j")
		if a, b := records.Key(i, n), records.Key(j, n); a >= b || len(a) != len(b) {
			t.Fatalf("of %d, %s is not before %s, or not as long", n, a, b)
		}
	})
}

func TestPickStaysWithinTheSet(t *testing.T) {
	set := records.Generate(3, 40)
	all := set.Map()
	seen := map[string]bool{}
	for _, key := range set.Pick(3, 2000) {
		if _, ok := all[key]; !ok {
			t.Fatalf("picked %q, which is not in the set", key)
		}
		seen[key] = true
	}
	if len(seen) != 40 { // the chance to miss one is below 1e-20
		t.Errorf("2000 picks reached %d of 40 keys", len(seen))
	}
}

// The record is that of the published lab: its numbers compare with ours only
// if the payload is as large.
func TestPayload(t *testing.T) {
	set := records.Generate(1, 2000)
	payload, active := 0, 0
	for i, r := range set.Values {
		if r.ID != i || len(r.Tags) != 2 || r.Score < 0 || r.Score > 100 || math.Abs(math.Round(r.Score*100)-r.Score*100) > 1e-9 {
			t.Fatalf("record %d: %+v", i, r)
		}
		if len(r.Note) < 36 || len(r.Note) > 44 {
			t.Errorf("record %d: a note of %d characters, want about 40: %q", i, len(r.Note), r.Note)
		}
		if r.Active {
			active++
		}
		const fixed = 8 + 8 + 1 // id, score, active
		payload += fixed + len(set.Keys[i]) + len(r.Name) + len(r.Email) + len(r.Tags[0]) + len(r.Tags[1]) + len(r.Note)
	}
	if mean := float64(payload) / 2000; mean < 115 || mean > 125 {
		t.Errorf("a record and its key are %.1f bytes of payload, want about 120", mean)
	}
	if active < 900 || active > 1100 {
		t.Errorf("%d of 2000 records are active, want about half", active)
	}
}

func TestMapIsACopy(t *testing.T) {
	set := records.Generate(1, 10)
	m := set.Map()
	if len(m) != 10 || !cmp.Equal(m["id_00003"], set.Values[3]) {
		t.Fatalf("the map holds %v", m)
	}
	delete(m, "id_00003")
	if again := set.Map(); len(again) != 10 {
		t.Error("the set changed with its map")
	}
}

func TestSumChangesWithEveryField(t *testing.T) {
	base := func() records.Record {
		return records.Record{ID: 1, Name: "a", Email: "b", Tags: []string{"c", "d"}, Score: 2, Active: false, Note: "e"}
	}
	seen := map[uint64]string{}
	for name, change := range map[string]func(*records.Record){
		"nothing":     func(r *records.Record) {},
		"id":          func(r *records.Record) { r.ID = 2 },
		"name":        func(r *records.Record) { r.Name = "x" },
		"e-mail":      func(r *records.Record) { r.Email = "x" },
		"tag":         func(r *records.Record) { r.Tags[1] = "x" },
		"tags turned": func(r *records.Record) { r.Tags[0], r.Tags[1] = r.Tags[1], r.Tags[0] },
		"no tags":     func(r *records.Record) { r.Tags = nil },
		"score":       func(r *records.Record) { r.Score = 2.01 },
		"active":      func(r *records.Record) { r.Active = true },
		"note":        func(r *records.Record) { r.Note = "x" },
		"swapped":     func(r *records.Record) { r.Name, r.Email = r.Email, r.Name },
	} {
		r := base()
		change(&r)
		sum := records.Sum("key", &r)
		if other, ok := seen[sum]; ok {
			t.Errorf("%s and %s have the same checksum", name, other)
		}
		seen[sum] = name
		if again := records.Sum("key", &r); again != sum {
			t.Errorf("%s: the checksum changes from call to call", name)
		}
		if records.Sum("other", &r) == sum {
			t.Errorf("%s: the checksum does not depend on the key", name)
		}
	}
}

// Rescore changes one field, and nothing that the record shares with another.
func TestRescore(t *testing.T) {
	set := records.Generate(3, 1)
	changed := set.Values[0]
	if err := records.Rescore(&changed); err != nil {
		t.Fatal(err)
	}
	want := set.Values[0]
	want.Score++
	if diff := cmp.Diff(want, changed); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Sums add up in any order, and two records under each other's keys show.
func TestSumOfASet(t *testing.T) {
	set := records.Generate(1, 500)
	var forth, back, wrong uint64
	for i, key := range set.Keys {
		forth += records.Sum(key, &set.Values[i])
		j := len(set.Keys) - 1 - i
		back += records.Sum(set.Keys[j], &set.Values[j])
		wrong += records.Sum(key, &set.Values[j])
	}
	if forth != back {
		t.Error("the sum depends on the order")
	}
	if forth == wrong {
		t.Error("records under other keys have the same sum")
	}
}

func TestWithNotes(t *testing.T) {
	set := records.Generate(1, 20)
	for _, length := range []int{-1, 0, 1, 40, 5000} {
		other := set.WithNotes(1, length)
		for i, r := range other.Values {
			if len(r.Note) != max(length, 0) || r.Name != set.Values[i].Name {
				t.Fatalf("of %d characters: %+v", length, r)
			}
		}
		if !cmp.Equal(other, set.WithNotes(1, length)) {
			t.Errorf("of %d characters: not the same again", length)
		}
	}
	if long := set.WithNotes(1, 40); long.Values[0].Note == long.Values[1].Note || cmp.Equal(long, set.WithNotes(2, 40)) {
		t.Error("the notes do not differ")
	}
	if !cmp.Equal(set, records.Generate(1, 20)) {
		t.Error("the set changed")
	}
}
