package evidence_test

import (
	"fmt"
	"os"
	"path/filepath"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// One cell measures and keeps, a later one loads and shows, a colleague checks.
func Example() {
	out, err := os.MkdirTemp("", "evidence")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(out)
	dir := filepath.Join(out, "example")
	plan := labkit.Plan{Name: "example", N: []int{1000}, Rounds: 5, Keys: 200, Seed: 1}
	arms := []labkit.Arm{{Name: "blob", What: "one file"}, {Name: "shelf", What: "a key at a time"}}
	compared := evidence.Comparison{Role: evidence.Headline, Label: "ours", A: "blob", B: "shelf", Metrics: []string{"write"}}

	rec, err := evidence.Record(dir, plan, arms, []evidence.Comparison{compared})
	if err != nil {
		panic(err)
	}
	err = rec.Keep(1000, []labkit.Series{ // as labkit.Lab.Measure returns them
		{Arm: "blob", N: 1000, Metric: "write", Unit: "s", Work: 1000, Samples: []float64{0.0010, 0.0011, 0.0010, 0.0012, 0.0010}},
		{Arm: "shelf", N: 1000, Metric: "write", Unit: "s", Work: 1000, Samples: []float64{0.0030, 0.0031, 0.0032, 0.0036, 0.0029}},
	})
	if err != nil {
		panic(err)
	}
	rec.Close()

	run, err := evidence.Load(dir, plan)
	if err != nil {
		panic(err)
	}
	blob, _ := run.Summary("blob", 1000, "write")
	fmt.Println(evidence.Quantity(blob.P50, blob.Unit))
	fmt.Println("complete:", run.Complete)
	fmt.Println(evidence.Verify(filepath.Join(dir, evidence.SummaryName)))
	// Output:
	// 1.00 M rec/s
	// complete: true
	// <nil>
}
