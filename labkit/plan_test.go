package labkit_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit"
)

// published is the plan of the published lab.
func published() labkit.Plan {
	return labkit.Plan{Name: "01_shelf_vs_blob", N: []int{500, 2000, 8000}, Rounds: 5, Keys: 200, Seed: 1}
}

func TestPlanValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*labkit.Plan)
		says   string // "" for a good plan
	}{
		{"as published", func(p *labkit.Plan) {}, ""},
		{"smallest", func(p *labkit.Plan) { p.N, p.Rounds, p.Keys, p.Seed = []int{1}, 1, 1, 0 }, ""},
		{"largest", func(p *labkit.Plan) { p.N, p.Rounds, p.Keys = []int{10_000_000}, 1000, 10_000_000 }, ""},
		{"no name", func(p *labkit.Plan) { p.Name = "" }, "name"},
		{"name that climbs", func(p *labkit.Plan) { p.Name = "../x" }, `name "../x"`},
		{"hidden name", func(p *labkit.Plan) { p.Name = ".git" }, `name ".git"`},
		{"endless name", func(p *labkit.Plan) { p.Name = strings.Repeat("x", 201) }, "at most 200"},
		{"no n", func(p *labkit.Plan) { p.N = nil }, "n is empty"},
		{"n of 0", func(p *labkit.Plan) { p.N = []int{0} }, "n = 0"},
		{"too large an n", func(p *labkit.Plan) { p.N = []int{1, 10_000_001} }, "n = 10000001"},
		{"descending", func(p *labkit.Plan) { p.N = []int{2, 1} }, "ascending"},
		{"one n twice", func(p *labkit.Plan) { p.N = []int{2, 2} }, "each once"},
		{"too many sizes", func(p *labkit.Plan) { p.N = make([]int, 101) }, "at most 100"},
		{"no rounds", func(p *labkit.Plan) { p.Rounds = 0 }, "rounds = 0"},
		{"too many rounds", func(p *labkit.Plan) { p.Rounds = 1001 }, "rounds = 1001"},
		{"no keys", func(p *labkit.Plan) { p.Keys = 0 }, "keys = 0"},
		{"too many keys", func(p *labkit.Plan) { p.Keys = 10_000_001 }, "keys = 10000001"},
		{"of other things", func(p *labkit.Plan) { p.Counts = "key-value pairs" }, ""},
		{"of wörds", func(p *labkit.Plan) { p.Counts = "wörds" }, ""},
		{"no noun", func(p *labkit.Plan) { p.Counts = "<b>items</b>" }, `counts "<b>items</b>"`},
		{"a noun of two lines", func(p *labkit.Plan) { p.Counts = "two\nlines" }, "single blanks"},
		{"a blank for a noun", func(p *labkit.Plan) { p.Counts = " " }, "plural noun"},
		{"endless noun", func(p *labkit.Plan) { p.Counts = strings.Repeat("x", 41) }, "at most 40"},
		{"no such durability", func(p *labkit.Plan) { p.Durability = 2 }, "give process-crash or power-loss"},
	} {
		p := published()
		c.change(&p)
		err := p.Validate()
		if c.says == "" && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.says != "" && (!errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want ErrPlan with %q", c.name, err, c.says)
		}
	}
}

func TestPlanStep(t *testing.T) {
	for _, c := range []struct {
		n    []int
		i, k int
		want []int
	}{
		{[]int{500, 2000, 8000}, 0, 3, []int{500}},
		{[]int{500, 2000, 8000}, 2, 3, []int{8000}},
		{[]int{1, 2, 3, 4, 5}, 2, 3, []int{3, 4, 5}}, // the last cell takes what is left
		{[]int{1, 2, 3, 4, 5}, 0, 1, []int{1, 2, 3, 4, 5}},
		{[]int{500}, 1, 3, nil}, // more cells than sizes
		{[]int{500}, 2, 3, nil},
		{[]int{500}, 3, 3, nil}, // no such cell
		{[]int{500}, -1, 3, nil},
		{nil, 0, 3, nil},
	} {
		p := labkit.Plan{N: c.n}
		got := p.Step(c.i, c.k)
		if !slices.Equal(got, c.want) {
			t.Errorf("Step(%d, %d) of %v = %v, want %v", c.i, c.k, c.n, got, c.want)
		}
		if len(got) > 0 {
			got[0] = -1
			if slices.Contains(c.n, -1) {
				t.Errorf("Step(%d, %d) of %v gives the plan's own list away", c.i, c.k, c.n)
			}
		}
	}
}

// Whatever the plan and the number of cells, the cells measure each size once.
func TestPlanStepsCoverThePlan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := labkit.Plan{N: rapid.SliceOf(rapid.IntRange(1, 9)).Draw(t, "n")}
		cells := rapid.IntRange(1, 9).Draw(t, "cells")
		var all []int
		for i := range cells {
			all = append(all, p.Step(i, cells)...)
		}
		if !slices.Equal(all, p.N) {
			t.Fatalf("the cells measure %v", all)
		}
	})
}

func TestPlanText(t *testing.T) {
	if got, want := published().String(), "01_shelf_vs_blob: n = 500,2000,8000; 5 rounds; 200 keys; seed 1; durability process-crash (plan 64deecd5a7f8)"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	one := published()
	one.Rounds, one.Keys = 1, 1
	one.Own = map[string]string{"arms": "", "note": "40"}
	if got, want := one.String(), "process-crash; note = 40 (plan"; !strings.Contains(got, want) {
		t.Errorf("String() = %q, no %q in it", got, want)
	}
	if got, want := one.String(), "; 1 round; 1 key; seed 1;"; !strings.Contains(got, want) {
		t.Errorf("String() = %q, no %q in it", got, want)
	}
	if got := published().Largest(); got != 8000 {
		t.Errorf("Largest() = %d, want 8000", got)
	}
	if got := (labkit.Plan{}).Largest(); got != 0 {
		t.Errorf("Largest() of an empty plan = %d, want 0", got)
	}
}

// Evidence keeps fingerprints, so they must not change with the code.
func TestFingerprintIsStable(t *testing.T) {
	if got, want := published().Fingerprint(), "64deecd5a7f8"; got != want {
		t.Errorf("Fingerprint() = %s, want %s: a change makes all earlier evidence that of another plan", got, want)
	}
}

func TestFingerprintTellsPlansApart(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*labkit.Plan){
		"none":       func(p *labkit.Plan) {},
		"name":       func(p *labkit.Plan) { p.Name = "02" },
		"n":          func(p *labkit.Plan) { p.N = []int{500, 2000} },
		"another n":  func(p *labkit.Plan) { p.N[0] = 501 },
		"rounds":     func(p *labkit.Plan) { p.Rounds = 6 },
		"keys":       func(p *labkit.Plan) { p.Keys = 201 },
		"seed":       func(p *labkit.Plan) { p.Seed = 2 },
		"durability": func(p *labkit.Plan) { p.Durability = labkit.PowerLoss },
		"invalid":    func(p *labkit.Plan) { p.Durability = 7 },
		"invalid 2":  func(p *labkit.Plan) { p.Durability = 8 },
	} {
		p := published()
		change(&p)
		print := p.Fingerprint()
		if other, ok := seen[print]; ok {
			t.Errorf("%s and %s share the fingerprint %s", name, other, print)
		}
		seen[print] = name
		if again := p.Fingerprint(); again != print || len(print) != 12 {
			t.Errorf("%s: fingerprints %s and %s", name, print, again)
		}
	}
}

func TestDurabilityText(t *testing.T) {
	for d, text := range map[labkit.Durability]string{labkit.ProcessCrash: "process-crash", labkit.PowerLoss: "power-loss"} {
		got, err := json.Marshal(d)
		if err != nil || string(got) != `"`+text+`"` || d.String() != text {
			t.Errorf("%d is written as %s, %v, and says %s, want %s", int(d), got, err, d, text)
		}
		var back labkit.Durability
		if err := json.Unmarshal(got, &back); err != nil || back != d {
			t.Errorf("%s comes back as %d, %v", got, int(back), err)
		}
	}
	for _, d := range []labkit.Durability{-1, 2} {
		if got := d.String(); !strings.HasPrefix(got, "Durability(") {
			t.Errorf("durability %d says %s", int(d), got)
		}
		if text, err := d.MarshalText(); !errors.Is(err, labkit.ErrPlan) || text != nil {
			t.Errorf("durability %d is written as %q, %v, want ErrPlan", int(d), text, err)
		}
	}
	for _, text := range []string{"", "Power-Loss", "1", "power-loss "} {
		d := labkit.PowerLoss
		if err := d.UnmarshalText([]byte(text)); !errors.Is(err, labkit.ErrPlan) || d != labkit.PowerLoss {
			t.Errorf("%q is read as %v, %v, want ErrPlan", text, d, err)
		}
	}
}

func TestSlug(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "",
		"shelf, bulk":      "shelf__bulk",
		"01_shelf_vs-blob": "01_shelf_vs-blob",
		"..":               "_.",
		".hidden":          "_hidden",
		"a/../b":           "a_.._b",
		"naïve":            "na_ve",
		"a\x00b":           "a_b",
	} {
		if got := labkit.Slug(text); got != want {
			t.Errorf("Slug(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSlugIsOneSafeElement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[./\\a ]*`), rapid.StringN(300, 400, -1)).Draw(t, "text")
		got := labkit.Slug(text)
		if (got == "") != (text == "") || len(got) > 200 {
			t.Fatalf("Slug(%q) = %q", text, got)
		}
		if got != "" && (!filepath.IsLocal(got) || filepath.Base(got) != got || strings.HasPrefix(got, ".")) {
			t.Fatalf("Slug(%q) = %q is not one safe element", text, got)
		}
		if labkit.Slug(got) != got {
			t.Fatalf("Slug(%q) = %q, whose slug is %q", text, got, labkit.Slug(got))
		}
	})
}

func TestStoreName(t *testing.T) {
	if got, want := labkit.StoreName("shelf, bulk", 8000), "bench_shelf_bulk_8000"; got != want {
		t.Errorf("StoreName = %s, want %s", got, want)
	}
}

func TestPart(t *testing.T) {
	p := published()
	p.Own = map[string]string{"length": "8"}
	q := p.Part("items", "items", 5, 25)
	if q.Name != "01_shelf_vs_blob_items" || q.Counts != "items" || !slices.Equal(q.N, []int{5, 25}) || q.Rounds != p.Rounds ||
		q.Keys != p.Keys || q.Seed != p.Seed || q.Own["length"] != "8" || q.Validate() != nil {
		t.Errorf("%+v", q)
	}
	q.Own["length"], q.N[0] = "9", 6
	if p.Own["length"] != "8" || !slices.Equal(p.N, published().N) {
		t.Errorf("the whole has changed with its part: %+v", p)
	}
	given := q.With("length", 9).With("dictionaries", 1000)
	if len(given.Own) > 0 || given.Given["length"] != "9" || q.Own["length"] != "9" || q.Given != nil || given.Validate() != nil ||
		!strings.Contains(given.String(), "; dictionaries = 1000; length = 9 (plan ") {
		t.Errorf("values of its own: %s, of %s", given, q)
	}
	prints := map[string]bool{}
	for _, p := range []labkit.Plan{q, given, given.With("dictionaries", 2000), q.With("length", 9)} {
		prints[p.Fingerprint()] = true
	}
	if len(prints) != 4 {
		t.Errorf("%d fingerprints of four plans", len(prints))
	}
	same := p.Part("again", "")
	same.N[0] = 1
	if same.Pieces() != "records" || len(same.N) != 3 || p.N[0] != 500 {
		t.Errorf("without sizes: %+v of %+v", same, p)
	}
	p.Name = strings.Repeat("x", 200)
	if long := p.Part("a b/c", "items", 1); long.Validate() != nil || !strings.HasSuffix(long.Name, "xx_a_b_c") || !strings.HasPrefix(long.Name, labkit.PartPrefix(p.Name)) {
		t.Errorf("a long name and an odd suffix: %q", long.Name)
	}
}

func TestPieces(t *testing.T) {
	p := published()
	records := p.Fingerprint()
	if p.Pieces() != "records" || strings.Contains(p.String(), "8000 ") {
		t.Errorf("%s counts %s", p, p.Pieces())
	}
	p.Counts = "dictionaries"
	if p.Pieces() != "dictionaries" || !strings.Contains(p.String(), "n = 500,2000,8000 dictionaries;") || p.Fingerprint() == records {
		t.Errorf("%s counts %s", p, p.Pieces())
	}
}
