package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// recorded writes the evidence of a made-up run, whose times are slow times as
// long, to a folder of its own, and returns the folder.
func recorded(t *testing.T, slow float64, change func(*labkit.Plan)) string {
	t.Helper()
	plan := labkit.Plan{Name: "made", N: []int{500}, Rounds: 5, Keys: 20, Seed: 1}
	if change != nil {
		change(&plan)
	}
	dir := filepath.Join(t.TempDir(), plan.Name)
	arms := []labkit.Arm{{Name: "blob", Kind: "snapshot", Pair: "ours"}, {Name: "shelf, bulk", Kind: "keyed store", Pair: "ours"}}
	compared := labkit.Comparison{Role: labkit.Headline, Label: "ours", A: "blob", B: "shelf, bulk", Metrics: []string{"write", "disk"}}
	rec, err := evidence.Record(dir, plan, arms, []labkit.Comparison{compared})
	must(t, err)
	defer rec.Close()
	for _, n := range plan.N {
		var list []labkit.Series
		for i, arm := range arms {
			write := labkit.Series{Arm: arm.Name, N: n, Metric: "write", Unit: "s", Work: n}
			disk := labkit.Series{Arm: arm.Name, N: n, Metric: "disk", Unit: "B"}
			for round := range plan.Rounds {
				write.Samples = append(write.Samples, slow*float64(i+1)*(1+0.01*float64(round*(i+1)%7))*1e-3)
				disk.Samples = append(disk.Samples, float64(4096*(i+1)))
			}
			list = append(list, write, disk)
		}
		must(t, rec.Keep(n, list))
	}
	return dir
}

func TestCompareCommand(t *testing.T) {
	old, slow, fast := recorded(t, 1, nil), recorded(t, 1.2, nil), recorded(t, 0.8, nil)
	few := recorded(t, 2, func(p *labkit.Plan) { p.Rounds = 3 })
	other := recorded(t, 1, func(p *labkit.Plan) { p.N = []int{700} })
	summary := func(dir string) string { return filepath.Join(dir, evidence.SummaryName) }
	for _, c := range []struct {
		args   []string
		code   int
		stdout []string
		stderr string
	}{
		{[]string{old, slow}, exitOK, []string{"write, n = 500", "0.83× worse", "2 of 4 comparisons differ"}, ""},
		{[]string{summary(old), summary(fast)}, exitOK, []string{"1.25× better"}, ""},
		{[]string{old, old}, exitOK, []string{"~", "0 of 4 comparisons differ"}, ""},
		{[]string{old, filepath.Join(old, evidence.BenchName)}, exitOK, []string{"0 of 4", "does not tell its plan"}, ""},
		{[]string{old, slow, "--fail-above", "10%"}, exitFailed, []string{"worse"}, "blob, n = 500, write: by 20 %"},
		{[]string{old, slow, "--fail-above=25%"}, exitOK, []string{"worse"}, ""},
		{[]string{old, fast, "--fail-above", "0%"}, exitOK, []string{"better"}, ""},
		{[]string{old, few, "--fail-above", "10%"}, exitFailed, []string{"The plans differ in rounds (5 and 3)."}, "by 100 %"},
		{[]string{few, few}, exitOK, []string{"too few samples, 3 and 3: give both runs 4 rounds"}, ""},
		{[]string{few, few, "--fail-above", "10%"}, exitFailed, []string{"too few samples, 3 and 3: give both runs 4 rounds"}, "no comparison has samples enough"},
		{[]string{old, other}, exitFailed, nil, "nothing to compare"},
	} {
		code, stdout, stderr := lab(t, append([]string{"compare"}, c.args...)...)
		if code != c.code || c.stderr == "" && stderr != "" || !strings.Contains(stderr, c.stderr) {
			t.Errorf("compare %s: exit code %d, want %d; stderr %q, want %q", c.args, code, c.code, stderr, c.stderr)
		}
		for _, want := range c.stdout {
			if !strings.Contains(stdout, want) {
				t.Errorf("compare %s: no %q in\n%s", c.args, want, stdout)
			}
		}
	}
	code, stdout, _ := lab(t, "compare", "--json", old, slow)
	var changes evidence.Changes
	if err := json.Unmarshal([]byte(stdout), &changes); err != nil || code != exitOK || len(changes.List) != 4 {
		t.Errorf("--json: exit code %d, %v, %d changes", code, err, len(changes.List))
	}
}

func TestCompareMistakes(t *testing.T) {
	good := recorded(t, 1, nil)
	text, err := os.ReadFile(filepath.Join(good, evidence.SummaryName))
	must(t, err)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(text), 0o644))
		return path
	}
	linked := filepath.Join(dir, "linked") // the evidence of somebody whose links lead out of it
	must(t, os.Mkdir(linked, 0o755))
	must(t, os.Symlink(filepath.Join(good, evidence.SummaryName), filepath.Join(linked, evidence.SummaryName)))
	for _, c := range []struct {
		path, says string
	}{
		{filepath.Join(dir, "nowhere"), "no such file"},
		{dir, "there is no summary.json"},
		{linked, "summary.json: not readable as evidence: it is no file"},
		{file("cut.json", string(text[:len(text)/2])), "not readable as evidence"},
		{file("foreign.json", `{"a": 1}`), "not readable as evidence"},
		{file("newer.json", strings.Replace(string(text), `"schema": `, `"schema": 9`, 1)), "update the lab"},
		{file("letter.txt", "Dear colleague"), "no benchmark such as"},
		{file("empty", ""), "no benchmark such as"},
		{file("page.html", "<!DOCTYPE html><p>hello"), "carries no summary.json"},
		{file("damaged.html", `<a class="attachment" download="summary.json" href="data:;base64,???">x</a>`), "damaged"},
		{file("twice.html", strings.Repeat(`<a class="attachment" download="summary.json" href="data:;base64,e30=">x</a>`, 2)), "attached twice"},
		{os.DevNull, os.DevNull + ": not readable as evidence: it is no file"},
	} {
		for _, args := range [][]string{{"compare", good, c.path}, {"compare", c.path, good}} {
			code, stdout, stderr := lab(t, args...)
			if code != exitFailed || stdout != "" || !strings.Contains(stderr, c.says) {
				t.Errorf("%s: exit code %d, stdout %q, stderr %q, want %q in it", args, code, stdout, stderr, c.says)
			}
		}
	}
	for _, args := range [][]string{
		{"compare", good}, {"compare", good, good, good},
		{"compare", good, good, "--fail-above", "ten"}, {"compare", good, good, "--fail-above", "10"},
		{"compare", good, good, "--fail-above", "-1%"}, {"compare", good, good, "--fail-above", "NaN%"},
	} {
		if code, _, stderr := lab(t, args...); code != exitUsage || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, stderr %q", args, code, stderr)
		}
	}
}
