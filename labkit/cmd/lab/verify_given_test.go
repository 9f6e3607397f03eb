package main

import (
	"errors"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

// costly is a made-up run of three sizes whose rounds have taken something.
func costly(t *testing.T) *evidence.Run {
	t.Helper()
	run, err := readEvidence(recorded(t, 1, func(p *labkit.Plan) {
		p.N, p.Own = []int{500, 2000, 8000}, map[string]string{"items": "25"}
	}))
	must(t, err)
	for _, n := range run.Plan.N {
		for round := range run.Plan.Rounds {
			run.Costs = append(run.Costs, labkit.RoundCost{N: n, Round: round + 1, WarmUp: true, Before: 1, Turns: float64(n) / 100, Peak: 1000 * int64(n)})
		}
	}
	return run
}

// What a cell has displayed that depends on more than the evidence is read, and what
// follows from it looked for; each change of a word of the lab's is found.
func TestVerifyWhatWasGiven(t *testing.T) {
	run := costly(t)
	e, err := expect(run, nil)
	must(t, err)
	const why = "not enough disk: the stores need about 9 GB, 8 GB are left"
	fits := func(f evidence.Forecast) error {
		if f.N > 2000 {
			return errors.New(why)
		}
		return nil
	}
	plan := show.PlanTable(&run.Plan)
	plan.Rows = append(plan.Rows, []string{"items", "25", "items in each"})
	copied := plan
	copied.Notes = append(copied.Notes, `⚠ This notebook is a copy, and its runs go where those of notebooks/made.ipynb go. Name: "other" keeps them apart.`)
	box := func(lines ...string) string {
		return "<div><div>" + strings.Join(lines, "</div><div>") + "</div></div>"
	}
	settings := box("Settings", "<b>records:</b> 8000", "<b>arms:</b> all", show.MeasuredOnce()[0])
	for _, c := range []struct {
		name, html string
		edits      []string // what stands there, and what is put there, by turns
		free       []string // likewise, where the notebook's own is
	}{
		{"forecasts when one size was measured", show.Forecasts(run.Upto(500), []int{2000, 8000}, fits).HTML(),
			[]string{"8,000<", "9,000<", "480 s", "481 s", "2.00 MB", "2.01 MB", "measured<", "refused<", "from<", "form<", "estimated", "guessed", "Extrapolated", "Interpolated", "⚠ n = 8,000", "⚠ n = 2,000"},
			[]string{"8 GB are left", "7 GB are left"}},
		{"forecasts when two were", show.Forecasts(run.Upto(2000), []int{8000}, fits).HTML(), []string{"500, 2,000", "500", "8.00 MB", "8.20 MB"}, nil},
		{"forecasts of nothing", show.Forecasts(run.Upto(0), []int{8000}, fits).HTML(), []string{"not known", "known"}, nil},
		{"parameters", plan.HTML(), []string{">500,2000,8000<", ">500,2000,9000<", ">25<", ">26<", "Parameters in", "Values in", ">value<", ">values<", "measured rounds", "counted rounds", ">items<", ">item<", "Plan " + run.Fingerprint[:2], "Plan x"},
			[]string{"items in each", "items of each"}},
		{"parameters in a copy", copied.HTML(), []string{">rounds<", ">round<"}, []string{"other&#34;", "another&#34;"}},
		{"what is missing", box(show.MissingText([]int{2000, 8000})), []string{"8,000", "9,000", "8,000", "8000", "Incomplete", "Complete", "measured", "counted", "last", "first"}, nil},
		{"settings", settings, []string{"8000", "9000", "all<", "some<", "Settings", "Values", "as the plan", "as a plan"}, []string{"records:", "rows:"}},
	} {
		if line, there := e.unlikeGiven(fragment(c.html)); line != "" || !there {
			t.Errorf("%s: %q, %t", c.name, line, there)
		}
		for i := 0; i+1 < len(c.edits)+len(c.free); i += 2 {
			pair, own := append(c.edits, c.free...)[i:i+2], i >= len(c.edits)
			edited := strings.Replace(c.html, pair[0], pair[1], 1)
			line, there := e.unlikeGiven(fragment(edited))
			if edited == c.html || !there || (line == "") != own {
				t.Errorf("%s: %q for %q: %q, %t", c.name, pair[1], pair[0], line, there)
			}
		}
	}
	// What resembles none of them is the notebook's own.
	for _, html := range []string{
		box("Incomplete: the file holds 3 records."), box("Settings", "a: 1", "b: 2"), show.Table{Title: "Names", Head: []string{"name", "rank"}, Rows: [][]string{{"a", "b"}}}.HTML(),
	} {
		if line, there := e.unlikeGiven(fragment(html)); line != "" || there {
			t.Errorf("%s: %q, %t", html, line, there)
		}
	}
}

// What the sweep says before it measures a size, and whose records it keeps, are
// sentences of the lab's; what a cell has found out is compared with what was kept.
func TestVerifyRemarks(t *testing.T) {
	run := costly(t)
	run.Observed = []evidence.Observation{{Title: "What a second process gets", Head: []string{"store", "a second\nwriter"}, Rows: [][]string{{"shelf", "refused"}, {"blob", "writes"}}, Notes: []string{"Tried once."}}}
	run.Disturbed = []int{500, 8000} // each was said by itself
	e, err := expect(run, nil)
	must(t, err)
	forecast, ok := run.Upto(2000).Forecast(8000)
	if !ok {
		t.Fatal("there is no forecast")
	}
	for _, c := range []struct{ html, old, new string }{
		{"<p>" + show.ForecastText(forecast) + "</p>", "n = 8,000: about ", "n = 8,000: about 1"},
		{"<p>" + show.ForecastText(forecast) + "</p>", "of memory", "of disk"},
		{"<p>" + show.NoSizes + "</p>", "no further size", "a further size"},
		{"<p>" + show.DisturbedText(8000) + "</p>", "8,000", "2,000"},
		{"<p>" + show.OwnRecordsText(run.Plan) + "</p>", "seed 1", "seed 2"},
		{show.ObservedTable(run.Observed[0]).HTML(), "writes", "waits"},
		{show.ObservedTable(run.Observed[0]).HTML(), "Tried once", "Tried twice"},
	} {
		if lines, all := e.unlikePieces(fragment(c.html)); len(lines) > 0 || !all {
			t.Errorf("%s: %q, %t", c.html, lines, all)
		}
		edited := strings.Replace(c.html, c.old, c.new, 1)
		if lines, _ := e.unlikePieces(fragment(edited)); len(lines) == 0 || edited == c.html {
			t.Errorf("%q for %q is not found", c.new, c.old)
		}
	}
}
