package evidence_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// What a bench.txt holds is what the run holds, to the digits that it prints.
func TestParseBench(t *testing.T) {
	run := made()
	text(t, run)
	got, err := evidence.ParseBench(run.Bench())
	if err != nil {
		t.Fatal(err)
	}
	changes, err := evidence.Compare(run, got)
	if err != nil {
		t.Fatal(err)
	}
	if len(changes.List) != len(run.Series) || len(changes.OnlyOld)+len(changes.OnlyNew)+len(changes.Unlike) != 0 {
		t.Errorf("%d of %d series compared: %+v", len(changes.List), len(run.Series), changes)
	}
	for _, x := range changes.List {
		if !slices.ContainsFunc(run.Arms, func(a labkit.Arm) bool { return a.Name == x.Arm }) {
			t.Errorf("%q is no name that the run has", x.Arm)
		}
		if math.Abs(x.Ratio-1) > 1e-4 || x.Differs || x.Old.Count != x.New.Count {
			t.Errorf("%s, n = %d, %s: %+v", x.Arm, x.N, x.Metric, x)
		}
	}
	if len(changes.Warnings) != 1 || !strings.Contains(changes.Warnings[0].Text, "does not tell its plan") {
		t.Errorf("warnings %+v", changes.Warnings)
	}
}

func TestParseBenchOfGoTest(t *testing.T) {
	run, err := evidence.ParseBench([]byte(`goos: linux
goarch: amd64
pkg: shelflab/labkit/arms
cpu: Made-up CPU
BenchmarkGetsOpen/arm=shelf,bulk/n=500-2         	       1	   1234567 ns/op
BenchmarkGetsOpen/arm=shelf,bulk/n=500-2         	       1	   2345678 ns/op
BenchmarkDisk/arm=blob/n=500-2                   	       1	      4096 disk-B
BenchmarkWritePeakMemory/arm=blob/n=500             1 5000 B
BenchmarkSomethingElse-2                         	       1	      4096 ns/op
PASS
ok  	shelflab/labkit/arms	1.2s
`))
	if err != nil || len(run.Series) != 2 {
		t.Fatalf("%+v, %v", run, err)
	}
	if s := run.Series[0]; s.Metric != "gets open" || s.Arm != "shelf,bulk" || s.N != 500 || len(s.Samples) != 2 || s.Samples[0] != 0.001234567 {
		t.Errorf("%+v", s)
	}
	if s := run.Series[1]; s.Metric != "disk" || s.Unit != "B" || s.Samples[0] != 4096 {
		t.Errorf("%+v", s)
	}
}

func TestParseBenchRefuses(t *testing.T) {
	for name, c := range map[string]struct{ text, says string }{
		"empty":         {"", "no benchmark such as"},
		"other text":    {"a letter\nfrom home\n", "no benchmark such as"},
		"other names":   {"BenchmarkFly 1 5 ns/op\n", "no benchmark such as"},
		"no arm":        {"BenchmarkWrite/n=5 1 5 ns/op\n", "line 1: it names no arm"},
		"no n":          {"BenchmarkWrite/arm=blob 1 5 ns/op\n", "or no n"},
		"n of nothing":  {"BenchmarkWrite/arm=blob/n=0 1 5 ns/op\n", `n = "0"`},
		"n is text":     {"BenchmarkWrite/arm=blob/n=many 1 5 ns/op\n", `n = "many"`},
		"no time":       {"BenchmarkWrite/arm=blob/n=5 1 0 ns/op\n", "a sample of 0 s"},
		"NaN":           {"BenchmarkWrite/arm=blob/n=5 1 NaN ns/op\n", "a sample of NaN s"},
		"infinite":      {"BenchmarkWrite/arm=blob/n=5 1 +Inf ns/op\n", "a sample of +Inf s"},
		"negative size": {"BenchmarkDisk/arm=blob/n=5 1 -4 disk-B\n", "a sample of -4 B"},
		"another unit":  {"BenchmarkWrite/arm=blob/n=5 1 5 B/op\n", "no value in ns/op"},
		"cut":           {"BenchmarkWrite/arm=blob/n=5 1\n", "line 1"},
		"two plans": {"plan: a\nBenchmarkWrite/arm=blob/n=5 1 5 ns/op\nplan: b\nBenchmarkWrite/arm=blob/n=5 1 5 ns/op\n",
			"another plan begins here"},
	} {
		if run, err := evidence.ParseBench([]byte(c.text)); !errors.Is(err, evidence.ErrFormat) || !strings.Contains(err.Error(), c.says) || run != nil {
			t.Errorf("%s: %+v, %v, want ErrFormat with %q", name, run, err, c.says)
		}
	}
}

func TestParse(t *testing.T) {
	whole := text(t, made())
	run, err := evidence.Parse([]byte(strings.Replace(string(whole), `"p50": 1000000,`, `"p50": 7,`, 1)))
	if err != nil || run.Summaries[0].P50 != 1000000 {
		t.Errorf("what is shown does not follow from the samples: %v", err)
	}
	for name, edit := range map[string]string{
		"truncated": string(whole[:len(whole)/2]),
		"foreign":   `{"name": "something else"}`,
		"newer":     strings.Replace(string(whole), fmt.Sprintf(`"schema": %d`, evidence.Schema), `"schema": 999`, 1),
		"no work":   strings.Replace(string(whole), `"work": 500`, `"work": 0`, 1),
	} {
		if _, err := evidence.Parse([]byte(edit)); !errors.Is(err, evidence.ErrFormat) {
			t.Errorf("%s: %v, want ErrFormat", name, err)
		}
	}
}
