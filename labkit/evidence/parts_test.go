package evidence_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestPartOf(t *testing.T) {
	whole := plan()
	whole.Own = map[string]string{"length": "8"}
	for name, c := range map[string]struct {
		change func(*labkit.Plan)
		is     bool
	}{
		"as made":            {func(*labkit.Plan) {}, true},
		"durability":         {func(p *labkit.Plan) { *p = evidence.DurabilityPlan(whole) }, true},
		"a part of the part": {func(p *labkit.Plan) { *p = p.Part("more", "") }, true},
		"other sizes":        {func(p *labkit.Plan) { p.N = []int{3} }, true},
		"another class":      {func(p *labkit.Plan) { p.Durability = labkit.PowerLoss }, true},
		"other rounds":       {func(p *labkit.Plan) { p.Rounds++ }, false},
		"other keys":         {func(p *labkit.Plan) { p.Keys++ }, false},
		"another seed":       {func(p *labkit.Plan) { p.Seed++ }, false},
		"another parameter":  {func(p *labkit.Plan) { p.Own = map[string]string{"length": "9"} }, false},
		"no parameter":       {func(p *labkit.Plan) { p.Own = nil }, false},
		"one of its own":     {func(p *labkit.Plan) { *p = p.With("dictionaries", 9) }, true},
		"one in its place":   {func(p *labkit.Plan) { *p = p.With("length", 9) }, true},
		"a part of those":    {func(p *labkit.Plan) { *p = p.With("length", 9).Part("more", "") }, true},
		"beside another":     {func(p *labkit.Plan) { *p = p.With("dictionaries", 9); p.Own["length"] = "9" }, false},
		"one more parameter": {func(p *labkit.Plan) { p.Own["unlike"] = "true" }, false},
		"another notebook":   {func(p *labkit.Plan) { p.Name = "02_test_items" }, false},
		"a longer name":      {func(p *labkit.Plan) { p.Name = whole.Name + "ing" }, false},
		"the whole":          {func(p *labkit.Plan) { p.Name = whole.Name }, false},
	} {
		part := whole.Part("items", "items", 5)
		c.change(&part)
		if evidence.PartOf(part, whole) != c.is {
			t.Errorf("%s: want %v", name, c.is)
		}
	}
	if evidence.PartOf(plan().Part("x", ""), labkit.Plan{}) {
		t.Error("a plan without a name has parts")
	}
	if got := evidence.Suffix(whole.Part("two words", ""), whole); got != "two_words" {
		t.Errorf("suffix %q", got)
	}
}

// Only what is a part of this very plan is read, by name, whatever else lies
// beside it.
func TestParts(t *testing.T) {
	out := t.TempDir()
	save := func(folder string, p labkit.Plan) {
		run := made()
		run.Plan = p
		run.Series = sample(500)
		write(t, filepath.Join(out, folder, evidence.SummaryName), text(t, run))
	}
	whole := plan()
	whole.N = []int{500}
	items, durability := whole.Part("items", "items"), evidence.DurabilityPlan(whole)
	other := whole.Part("other_seed", "")
	other.Seed++
	save(whole.Name, whole)
	for _, p := range []labkit.Plan{items, durability, other} {
		save(p.Name, p)
	}
	save(whole.Name+"_copied", items)
	write(t, filepath.Join(out, whole.Name+"_broken", evidence.SummaryName), []byte("{"))
	write(t, filepath.Join(out, whole.Name+"_file"), nil)
	if err := os.Mkdir(filepath.Join(out, whole.Name+"_empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, run := range evidence.Parts(out, whole) {
		names = append(names, run.Plan.Name)
		if len(run.Verdict) == 0 {
			t.Errorf("%s has no verdict", run.Plan.Name)
		}
	}
	if want := []string{durability.Name, items.Name}; !slices.Equal(names, want) {
		t.Errorf("parts %q, want %q", names, want)
	}
	if list := evidence.Parts(filepath.Join(out, "none"), whole); list != nil {
		t.Errorf("where there is no folder: %v", list)
	}
}

// One group at a size that has no main rounds, and at one that has them.
func TestMeasureGroup(t *testing.T) {
	dir := t.TempDir()
	if _, err := evidence.Measure(t.Context(), dir, plan(), 500, measuredArms(), nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	var last labkit.Progress
	for _, n := range plan().N {
		run, err := evidence.MeasureGroup(t.Context(), dir, plan(), n, labkit.Resources, measuredArms(), nil, nil, func(p labkit.Progress) { last = p })
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []labkit.Metric{labkit.PeakGrowth.Of(labkit.Read), labkit.Allocs.Of(labkit.Write), labkit.Space} {
			if s, ok := run.Summary("blob", n, m.Name); !ok || s.Count != 5 {
				t.Errorf("n = %d, %s: %+v", n, m.Name, s)
			}
		}
		if last.Done != 9 || last.Total != 10 || last.N != n {
			t.Errorf("progress %+v", last)
		}
		if _, ok := run.Summary("blob", n, labkit.ReadCold.Name); ok {
			t.Errorf("n = %d: cold reads, which were not asked for", n)
		}
	}
	run, err := evidence.Load(dir, plan())
	if err != nil || !run.Complete {
		t.Fatalf("%v, complete %v", err, run.Complete)
	}
	if _, ok := run.Summary("blob", 500, labkit.Write.Name); !ok {
		t.Error("the rounds of the clock are gone")
	}
	if err := evidence.Verify(filepath.Join(dir, evidence.SummaryName)); err != nil {
		t.Error(err)
	}
	if _, err := evidence.MeasureGroup(t.Context(), dir, plan(), 500, labkit.Cold, measuredArms(), nil, nil, nil); err != nil {
		t.Errorf("cold, without progress: %v", err)
	}
	for _, c := range []struct {
		n     int
		group labkit.Group
	}{{501, labkit.Resources}, {500, labkit.Main}, {500, "warm"}} {
		if _, err := evidence.MeasureGroup(t.Context(), dir, plan(), c.n, c.group, measuredArms(), nil, nil, nil); !errors.Is(err, labkit.ErrPlan) {
			t.Errorf("n = %d, group %q: %v, want ErrPlan", c.n, c.group, err)
		}
	}
	again, err := evidence.Load(dir, plan())
	if err != nil || !cmp.Equal(run.Series[0], again.Series[0], asWritten) {
		t.Errorf("a refused group has changed the run: %v", err)
	}
}
