package evidence

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"shelflab/labkit"
)

// Parse reads the text of a summary.json, wherever it was found, and computes
// anew what follows from its samples, as Load does. What is not evidence, hangs
// together badly or is of a newer schema is ErrFormat.
func Parse(text []byte) (*Run, error) {
	run, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := run.check(); err != nil {
		return nil, err
	}
	if err := run.compute(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	return run, nil
}

// ParseBench reads samples in Go's benchmark format: a bench.txt, or what `go
// test -bench` prints of benchmarks that are named alike, BenchmarkWrite/arm=blob/n=500.
// The run holds the samples only: its Schema is 0, and it cannot be verified.
// Arms have the names that stand there ("shelf,bulk"). Benchmarks of other
// names, and of what operations take besides time, are passed over; text without a known one, a line that is no result, or a time
// of zero is ErrFormat.
func ParseBench(text []byte) (*Run, error) {
	run := &Run{Metrics: labkit.AllMetrics()}
	reader := benchfmt.NewReader(bytes.NewReader(text), BenchName)
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, fmt.Errorf("%w: line %d: %s", ErrFormat, record.Line, record.Msg)
		case *benchfmt.Result:
			if err := run.addResult(record); err != nil {
				_, line := record.Pos()
				return nil, fmt.Errorf("%w: line %d: %v", ErrFormat, line, err)
			}
		}
	}
	if err := reader.Err(); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	if len(run.Series) == 0 {
		return nil, fmt.Errorf("%w: it holds no benchmark such as BenchmarkWrite/arm=blob/n=500", ErrFormat)
	}
	slices.SortStableFunc(run.Series, func(x, y labkit.Series) int { return x.N - y.N })
	for _, s := range run.Series {
		run.Plan.Rounds = max(run.Plan.Rounds, len(s.Samples))
	}
	return run, nil
}

// addResult adds a line's sample to its series.
func (r *Run) addResult(record *benchfmt.Result) error {
	plan := record.GetConfig("plan")
	if r.Fingerprint != "" && plan != r.Fingerprint { // they are not samples of one thing
		return errors.New("another plan begins here: give one file a plan")
	}
	r.Fingerprint = plan
	r.Environment.OS, r.Environment.Arch, r.Environment.CPU = record.GetConfig("goos"), record.GetConfig("goarch"), record.GetConfig("cpu")
	base, parts := record.Name.Parts()
	at := slices.IndexFunc(r.Metrics, func(m labkit.Metric) bool { return title(m.Name) == string(base) })
	if at < 0 {
		return nil
	}
	m := r.Metrics[at]
	if m.Group == labkit.Resources || m.Counted() { // worked out from samples that are not in the file, or no time
		return nil
	}
	s := labkit.Series{Metric: m.Name, Unit: m.RawUnit()}
	for _, part := range parts {
		key, value, _ := strings.Cut(strings.TrimPrefix(string(part), "/"), "=")
		switch key {
		case "arm":
			s.Arm = value
		case "n":
			n, err := strconv.Atoi(value)
			if err != nil || n < 1 || n > labkit.MaxRecords {
				return fmt.Errorf("n = %q", value)
			}
			s.N = n
		}
	}
	if s.Arm == "" || s.N == 0 {
		return errors.New("it names no arm, or no n")
	}
	x, err := sampleOf(record, s.Unit)
	if err != nil {
		return err
	}
	if m.Rate() {
		s.Work = s.N
	}
	if at = slices.IndexFunc(r.Series, func(o labkit.Series) bool {
		return o.Arm == s.Arm && o.N == s.N && o.Metric == s.Metric
	}); at < 0 {
		at, r.Series = len(r.Series), append(r.Series, s)
	}
	if len(r.Series[at].Samples) >= labkit.MaxRounds {
		return fmt.Errorf("more than %s samples of one series", Count(labkit.MaxRounds))
	}
	r.Series[at].Samples = append(r.Series[at].Samples, x)
	return nil
}

// sampleOf returns a result's time in seconds, or its size in bytes.
func sampleOf(record *benchfmt.Result, unit string) (float64, error) {
	name := "sec/op" // as the reader gives ns/op
	if unit == "B" {
		name = "disk-B"
	}
	x, ok := record.Value(name)
	if !ok && unit == "s" { // the reader leaves the unit of what no factor changes: zero and infinity
		name = "ns/op"
		x, ok = record.Value(name)
	}
	switch {
	case !ok:
		return 0, fmt.Errorf("it has no value in %s", name)
	case math.IsNaN(x) || math.IsInf(x, 0) || x < 0 || x == 0 && unit == "s":
		return 0, fmt.Errorf("a sample of %v %s", x, unit)
	}
	return x, nil
}
