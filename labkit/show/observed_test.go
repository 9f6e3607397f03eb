package show

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/evidence"
)

var tried = Table{Title: "What a <second> process gets", Head: []string{"store", "a second writer"}, Rows: [][]string{{"shelf", "refused\nat once"}}, Notes: []string{"Tried once."}}

// What a cell has tried out is displayed, and kept where something was measured.
func TestObserved(t *testing.T) {
	out := t.TempDir()
	r := inCell(t, "observed too early", "k", out)
	if html := r.shown(); r.code != 0 || len(html) != 2 || html[0] != tried.HTML() || !strings.Contains(html[1], "not kept") {
		t.Errorf("exit code %d, %s, %q", r.code, r.stderr, html)
	}
	r = inCell(t, "observed", "k", out)
	html := r.shown()
	if r.code != 0 || len(html) == 0 || html[len(html)-1] != tried.HTML() {
		t.Errorf("exit code %d, %s, %q", r.code, r.stderr, html)
	}
	dir := filepath.Join(out, "sample")
	run, err := evidence.Load(dir, samplePlan())
	if err != nil || len(run.Observed) != 1 {
		t.Fatalf("%v, %+v", err, run)
	}
	if diff := cmp.Diff(tried, ObservedTable(run.Observed[0])); diff != "" {
		t.Error(diff)
	}
	if err := evidence.Verify(dir); err != nil { // with its manifest
		t.Error(err)
	}
}
