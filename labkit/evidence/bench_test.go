package evidence_test

import (
	"bytes"
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"

	"shelflab/labkit"
)

func TestBench(t *testing.T) {
	run := made()
	run.Series = []labkit.Series{
		series("blob", 500, labkit.Write, 0.0005, 0.001),
		series("shelf, bulk", 500, labkit.GetsOpen, 0.002),
		series("shelf, bulk", 500, labkit.Disk, 4096),
	}
	text(t, run)
	want := `goos: linux
goarch: amd64
pkg: shelflab
cpu: Made-up CPU
plan: ` + run.Fingerprint + `
BenchmarkWrite/arm=blob/n=500 1 500000 ns/op 1000000 records/s
BenchmarkWrite/arm=blob/n=500 1 1000000 ns/op 500000 records/s
BenchmarkGetsOpen/arm=shelf,bulk/n=500 1 2000000 ns/op
BenchmarkDisk/arm=shelf,bulk/n=500 1 4096 disk-B
`
	if diff := cmp.Diff(want, string(run.Bench())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The tools that read the format must find every sample of a whole run.
func TestBenchIsReadByItsPackage(t *testing.T) {
	run := made()
	text(t, run)
	got := map[string][]float64{} // by name and unit, in order
	reader := benchfmt.NewReader(bytes.NewReader(run.Bench()), "bench.txt")
	for reader.Scan() {
		switch r := reader.Result().(type) {
		case *benchfmt.Result:
			for _, v := range r.Values {
				if v.OrigUnit != "" { // as it is written: benchfmt turns ns into seconds
					v.Value, v.Unit = v.OrigValue, v.OrigUnit
				}
				key := r.Name.String() + " " + v.Unit
				got[key] = append(got[key], v.Value)
			}
			if at := r.GetConfig("plan"); at != run.Fingerprint || r.Iters != 1 {
				t.Errorf("%s: plan %q, %d iterations", r.Name, at, r.Iters)
			}
		default:
			t.Errorf("%v is no result", r)
		}
	}
	if err := reader.Err(); err != nil {
		t.Fatal(err)
	}
	want := map[string][]float64{}
	names := map[string]string{"write": "Write", "put": "Put", "read": "Read", "scan": "Scan", "gets": "Gets", "gets open": "GetsOpen", "disk": "Disk"}
	for _, s := range run.Series {
		m, _ := run.Metric(s.Metric)
		arm := map[string]string{"blob": "blob", "shelf, bulk": "shelf,bulk"}[s.Arm]
		key := fmt.Sprintf("%s/arm=%s/n=%d", names[s.Metric], arm, s.N)
		for i, x := range s.Samples {
			if m.Unit == "B" {
				want[key+" disk-B"] = append(want[key+" disk-B"], x)
				continue
			}
			want[key+" ns/op"] = append(want[key+" ns/op"], round(x*1e9))
			if m.Rate() {
				want[key+" records/s"] = append(want[key+" records/s"], round(s.Values(m)[i]))
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(want) != 4*2*2*2+2*2*2+2*2 { // rates in two units, times, sizes
		t.Errorf("only %d benchmarks: %v", len(want), maps.Keys(want))
	}
}

func round(x float64) float64 { return float64(int64(x + 0.5)) }

// An arm or a processor may be called anything; a line stays a line of the
// format.
func TestBenchOfOddNames(t *testing.T) {
	run := made()
	const odd = "a\tb\n c/d=e\u00a0f"
	run.Environment.CPU = "two\nlines"
	run.Arms[0].Name = odd
	run.Series = []labkit.Series{series(odd, 500, labkit.Write, 0.0005)}
	text(t, run)
	results := 0
	reader := benchfmt.NewReader(bytes.NewReader(run.Bench()), "bench.txt")
	for reader.Scan() {
		r, ok := reader.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("%v is no result", reader.Result())
		}
		if results++; r.Name.String() != "Write/arm=a_b__c_d_e_f/n=500" || r.GetConfig("cpu") != "two lines" {
			t.Errorf("%s on %q", r.Name, r.GetConfig("cpu"))
		}
	}
	if err := reader.Err(); err != nil || results != 1 {
		t.Errorf("%d results, %v, want one:\n%s", results, err, run.Bench())
	}
}
