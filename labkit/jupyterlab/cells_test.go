package jupyterlab

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit/notebook"
)

// The time from run to output that a cell may take beyond one that only says
// hello, in the same session.
const (
	drawingBar   = 0.6 // s, of a cell that shows a table or a chart
	parameterBar = 0.3 // s, of the parameter cell
)

// BenchmarkCells measures how long each code cell of notebook 01 takes in
// JupyterLab from run to output, edited before each run, against a bare cell run
// right before it; the time of a sweep is that of its measuring, so those are
// left out:
//
//	go test -v -run '^$' -bench Cells -benchtime 1x ./labkit/jupyterlab
//
// It prints the medians of three runs. What it says of a busy machine is of no use.
func BenchmarkCells(b *testing.B) {
	const runs = 3
	nb := committed(b, lab01)
	hello := code("hello", "%%\nfmt.Println(\"hello\")")
	nb.Cells = append(nb.Cells, hello)
	s := start(b, small, map[string]*notebook.Notebook{lab01: nb})
	s.show(lab01)
	s.menu("Run", "Run All Cells") // evidence to draw, and every package compiled
	s.until("the first cell", `panel().content.widgets.some(c => c.model.executionCount)`)
	s.idle()
	for b.Loop() {
		report := fmt.Sprintf("%-24s %8s %8s\n", "cell", "s", "- hello")
		for _, c := range nb.Cells {
			if c.Kind != notebook.Code || c == hello || strings.HasPrefix(c.Source, "!") || strings.Contains(c.Source, "show.Sweep") {
				continue
			}
			var took, more []float64
			for i := range runs {
				bare := s.timed(hello, i)
				took = append(took, s.timed(c, i))
				more = append(more, took[i]-bare)
			}
			report += fmt.Sprintf("%-24s %8.2f %8.2f%s\n", c.ID, median(took), median(more), overBar(c, median(more)))
		}
		b.Log("\n" + report)
	}
}

// timed edits a cell, runs it, and returns the seconds until its outputs are
// drawn.
func (s *session) timed(c *notebook.Cell, run int) float64 {
	s.Helper()
	s.choose(c.ID)
	edited := fmt.Sprintf("%s\n// edited %s %d", c.Source, c.ID, run)
	return js[float64](s.page, `(async () => {
		panel().content.activeCell.model.sharedModel.setSource(%s);
		const begin = performance.now();
		await jupyterapp.commands.execute("notebook:run-cell");
		await new Promise(requestAnimationFrame);
		return (performance.now() - begin) / 1000;
	})()`, edited)
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

func overBar(c *notebook.Cell, more float64) string {
	bar := 0.0
	switch {
	case c.ID == "parameters":
		bar = parameterBar
	case strings.Contains(c.Source, "show.Load(") && strings.Contains(c.Source, "show.Show("),
		strings.Contains(c.Source, "show.Chart("), strings.Contains(c.Source, "show.Verdict("):
		bar = drawingBar
	}
	switch {
	case bar == 0:
		return ""
	case more > bar:
		return fmt.Sprintf("  over the bar of %.1f", bar)
	}
	return fmt.Sprintf("  within %.1f", bar)
}
