package main

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/perf/benchfmt"

	"shelflab/labkit"
	"shelflab/labkit/arms/python"
	"shelflab/labkit/evidence"
	"shelflab/labkit/leftout"
	"shelflab/labkit/notebook"
)

// trial says how a notebook is run here, small, and what it must leave.
type trial struct {
	params  []string // the values of its parameter cell: name=value
	sizes   []int    // of its own run, measured in every metric
	metrics []string
	charts  []string // file names in the folder of its own run, without what follows them
	parts   []string // suffixes of the runs that belong to it, complete and with a verdict
	says    string   // in the verdict box; "" where the notebook has none
	// drawings and tables are how many its page shows at least; 0 is 5.
	drawings, tables int
}

// least is how many charts and tables the page shows at least.
func (w trial) least() (drawings, tables int) {
	const usual = 5
	return cmp.Or(w.drawings, usual), cmp.Or(w.tables, usual)
}

// trials has one for each notebook, by its name.
var trials = map[string]trial{
	"01_shelf_vs_blob": {
		params: []string{"n=60,120,240", "rounds=5", "keys=20"}, sizes: []int{60, 120, 240},
		metrics: []string{"write", "read", "gets", "disk"},
		charts:  []string{"write_scale", "read_scale", "random_access", "disk"},
		says:    "full read: ",
	},
	"02_larger_objects": {
		params: []string{"n=20,60", "rounds=5", "length=8"}, sizes: []int{20, 60},
		metrics: []string{"dump", "load", "disk"},
		charts:  []string{"dump_scale", "load_scale", "dump_and_load", "load__peak_growth_scale", "why_below"},
		parts:   []string{"items", "text_file", "alike"},
		says:    "Loading against dumping",
	},
	"03_three_tricks": {
		params: []string{"n=30,60", "rounds=5", "parts=300", "objects=1000"}, sizes: []int{30, 60},
		metrics: []string{"dump", "load", "disk"},
		charts:  []string{"dump_and_load"},
		parts:   []string{"protocol", "engines_array", "engines_hierarchy", "collector_array", "collector_objects"},
		says:    "peak memory of load: ",
	},
	"04_side_by_side": {
		params: []string{"n=60,120", "rounds=5", "keys=20"}, sizes: []int{60, 120},
		metrics: []string{"write", "read", "gets", "disk"},
		charts:  []string{"write_scale", "read_scale", "random_access", "disk"},
		parts:   []string{"memory", "peers"},
		says:    "A snapshot is written faster, n = 120: ",
	},
	"06_durability_and_writers": {
		params: []string{"n=60,120", "rounds=5", "keys=20", "sync=20", "bulk=150", "kills=3", "goroutines=1,2", "processes=1,2",
			"items=20", "operations=60", "millis=20"}, sizes: []int{60, 120},
		metrics: []string{"write", "update", "update open", "disk"},
		charts:  []string{"update_scale", "update_open_scale"},
		parts:   []string{"sync", "replace", "bulk", "bulk_synced", "rewrite", "kill", "goroutines", "latency", "processes"},
		says:    "One changed field, blob against shelf",
	},
	"05_which_store": { // a fourth size, so that one is forecast
		params:  []string{"n=60,120,240,480", "rounds=5", "keys=20", "parts=40,90", "cycles=40,90,160", "held=60,100", "fetched=1,10,40", "long=300", "larger=80000"},
		sizes:   []int{60, 120, 240, 480},
		metrics: []string{"write", "read", "gets", "disk", "update"},
		charts:  []string{"write_per_record", "read_per_record", "gets_scale"},
		parts:   []string{"long", "power_loss", "fetched_1", "fetched_10", "fetched_40", "limit"},
		says:    "One record of write",
	},
	"07_explore": { // without a page, so that nobody moves a slider
		params: []string{"n=60,120", "rounds=5", "keys=20", "note=100"}, sizes: []int{60, 120},
		metrics: []string{"write", "read", "gets", "disk"},
		charts:  []string{"write_at", "read_at", "gets_at"}, drawings: 3, tables: 2,
	},
}

// Every notebook runs for real, with small n, through the same code as `lab
// run`, and leaves everything that it promises.
func TestNotebooks(t *testing.T) {
	t.Parallel()
	paths, err := pick(filepath.Join("..", "..", ".."), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		name := runName(path)
		t.Run(name, func(t *testing.T) {
			t.Parallel() // linking, a cell's longest part, leaves a core idle
			want, ok := trials[name]
			if !ok {
				t.Fatal("trials does not say how to run it")
			}
			out, stdout := want.run(t, name)
			dir := filepath.Join(out, name)
			if page := filepath.Join(dir, name+".html"); !strings.Contains(stdout, page) {
				t.Errorf("stdout does not name %s:\n%s", page, stdout)
			}
			index := read(t, filepath.Join(out, indexName))
			if link := "./" + name + "/" + name + ".html"; !strings.Contains(index, link) || strings.Contains(index, "Broken") {
				t.Errorf("the index does not list %s as it should:\n%s", link, index)
			}
			checkEvidence(t, dir, want)
			checkNotebook(t, filepath.Join(dir, name+".ipynb"), path, want)
			checkPage(t, filepath.Join(dir, name+".html"), want)
			if edits := everyOutput(t, read(t, filepath.Join(dir, name+".html")), name); edits < 25 {
				t.Errorf("only %d edits were tried", edits)
			}
			inBrowser(t, filepath.Join(dir, name+".html"), want)
			if executedTwice(name) {
				again, _ := want.run(t, name)
				onlyMeasured(t, filepath.Join(dir, name+".ipynb"), filepath.Join(again, name, name+".ipynb"))
			}
		})
	}
}

// run runs a notebook into a data folder of its own.
func (w trial) run(t *testing.T, name string) (out, stdout string) {
	t.Helper()
	out = t.TempDir()
	args := []string{"run", name, "--out", out}
	for _, param := range w.params {
		args = append(args, "-p", param)
	}
	code, stdout, stderr := lab(t, args...)
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	return out, stdout
}

func checkEvidence(t *testing.T, dir string, want trial) {
	t.Helper()
	if _, err := verify(dir); err != nil { // the page and the charts too
		t.Error(err)
	}
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	if !run.Complete || run.Plan.Rounds != 5 || len(run.Verdict) == 0 || len(run.Ratios) == 0 {
		t.Errorf("complete %t, plan %s, %d ratios, verdict %q", run.Complete, run.Plan, len(run.Ratios), run.Verdict)
	}
	for _, suffix := range want.parts {
		part, err := evidence.Read(filepath.Join(filepath.Dir(dir), labkit.PartPrefix(filepath.Base(dir))+suffix, evidence.SummaryName))
		if err != nil || !part.Complete || !evidence.PartOf(part.Plan, run.Plan) || len(part.Verdict) == 0 {
			t.Errorf("the part %s: %v, %+v", suffix, err, part)
		}
	}
	for _, n := range want.sizes {
		for _, arm := range run.Arms {
			if arm.Unmeasured != "" {
				checkAbsent(t, arm)
				continue
			}
			for _, metric := range want.metrics {
				s, ok := run.Summary(arm.Name, n, metric)
				if !ok || s.Count != 5 || s.P50 <= 0 {
					t.Errorf("%s, n = %d, %s: %+v", arm.Name, n, metric, s)
				}
			}
		}
	}
	f, err := os.Open(filepath.Join(dir, evidence.BenchName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	results := 0
	for r := benchfmt.NewReader(f, evidence.BenchName); r.Scan(); {
		switch record := r.Result().(type) {
		case *benchfmt.Result:
			results++
		case *benchfmt.SyntaxError:
			t.Error(record)
		}
	}
	if series := len(run.Series); results != 5*series {
		t.Errorf("%d results in %s, want 5 for each of %d series", results, evidence.BenchName, series)
	}
	for _, chart := range want.charts {
		if matches, _ := filepath.Glob(filepath.Join(dir, "charts", chart+"*.svg")); len(matches) != 1 {
			t.Errorf("chart %s: files %v", chart, matches)
		}
	}
}

// checkAbsent accepts an arm that this machine lacks, of Python's alone: CI has all
// of them but the one that only a newer Python than its own knows.
func checkAbsent(t *testing.T, arm labkit.Arm) {
	t.Run(arm.Name, func(t *testing.T) {
		switch arm.Name {
		case python.ShelveSQLite:
		case python.ShelveGNU, python.ShelveDumb, python.Pickle:
			leftout.Test(t, "%s", arm.Unmeasured)
		default:
			t.Errorf("it is not measured: %s", arm.Unmeasured)
		}
	})
}

// checkNotebook looks into the executed notebook, and that the committed one is
// as a notebook should be.
func checkNotebook(t *testing.T, executed, committed string, want trial) {
	t.Helper()
	nb, err := notebook.Read(committed)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		if len(c.Outputs) > 0 || c.ExecutionCount != 0 {
			t.Errorf("cell %s is committed with outputs", c.ID)
		}
		if lines := strings.Count(c.Source, "\n") + 1; c.Kind == notebook.Code && lines > 20 {
			t.Errorf("cell %s has %d lines", c.ID, lines)
		}
	}
	if nb, err = notebook.Read(executed); err != nil {
		t.Fatal(err)
	}
	for _, c := range nb.Cells {
		if c.Kind != notebook.Code {
			continue
		}
		for _, o := range c.Outputs {
			if o.Type == notebook.Error || o.Name == "stderr" {
				t.Errorf("cell %s: %s %s%s", c.ID, o.Name, o.EValue, o.Text)
			}
		}
		if runs := strings.Contains(c.Source, "%%"); runs && len(c.Outputs) == 0 {
			t.Errorf("cell %s shows nothing", c.ID)
		}
	}
	text := textOf(cell(t, nb, "parameters"))
	for _, param := range want.params {
		if _, value, _ := strings.Cut(param, "="); !strings.Contains(text, value) {
			t.Errorf("the parameter cell does not show %q in force", param)
		}
	}
	if want.says == "" {
		return
	}
	box := textOf(cell(t, nb, "verdict"))
	if strings.Contains(box, "Waiting") || !strings.Contains(box, want.says) {
		t.Errorf("the verdict box at the top was not filled: %s", box)
	}
}

// checkPage parses the HTML: no script, nothing loaded, every chart and table.
func checkPage(t *testing.T, path string, want trial) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		count[n.Data]++
		for _, a := range n.Attr {
			loads := a.Key == "src" || a.Key == "srcset" || a.Key == "data" || (a.Key == "href" && n.Data != "a")
			if loads && !strings.HasPrefix(a.Val, "data:") && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s %s=%.60q> loads something", n.Data, a.Key, a.Val)
			}
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s> has a handler %s", n.Data, a.Key)
			}
			if a.Key == "role" && a.Val == "img" {
				count["chart"]++
			}
		}
	}
	if count["script"] != 0 || count["iframe"] != 0 {
		t.Errorf("%d scripts, %d frames", count["script"], count["iframe"])
	}
	if drawings, tables := want.least(); count["chart"] < drawings || count["table"] < tables {
		t.Errorf("%d charts and %d tables, want %d and %d at least", count["chart"], count["table"], drawings, tables)
	}
	if !bytes.Contains(text, []byte("go tool lab run")) {
		t.Error("the page does not say how to repeat it")
	}
}
