package evidence

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"

	"shelflab/labkit"
)

// BenchName is the file of a run that holds its samples in Go's benchmark
// format.
const BenchName = "bench.txt"

// Bench returns the samples in Go's benchmark format, one line a sample in the
// order of the rounds, for benchstat and other tools that read it. The number of
// iterations is that of the batch.
func (r *Run) Bench() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "goos: %s\ngoarch: %s\npkg: shelflab\n", r.Environment.OS, r.Environment.Arch)
	if r.Environment.CPU != "" {
		fmt.Fprintf(&b, "cpu: %s\n", strings.Join(strings.Fields(r.Environment.CPU), " "))
	}
	fmt.Fprintf(&b, "plan: %s\n", r.Fingerprint)
	for _, s := range r.Series {
		m, _ := r.Metric(s.Metric)
		calls := max(1, s.Batch)
		name := fmt.Sprintf("Benchmark%s/arm=%s/n=%d", title(s.Metric), word(s.Arm), s.N)
		for i, x := range s.Samples {
			switch {
			case m.Rate():
				fmt.Fprintf(&b, "%s %d %.0f ns/op %.0f %s\n", name, calls, x*1e9, s.Values(m)[i], m.Unit)
			case m.Group == labkit.Resources || m.Counted():
				fmt.Fprintf(&b, "%s 1 %v %s\n", name, s.Values(m)[i], benchUnit(m.Unit))
			case s.Unit == "B":
				fmt.Fprintf(&b, "%s 1 %.0f disk-B\n", name, x)
			default:
				fmt.Fprintf(&b, "%s %d %.0f ns/op\n", name, calls, x*1e9)
			}
		}
	}
	return b.Bytes()
}

// benchUnit is a unit as Go's benchmark format has it.
func benchUnit(unit string) string {
	if unit == "s" {
		return "sec"
	}
	return unit
}

// title turns a metric's name into the name of a benchmark: "gets open" into
// "GetsOpen".
func title(name string) string {
	var out strings.Builder
	for part := range strings.FieldsSeq(name) {
		out.WriteString(strings.ToUpper(part[:1]) + strings.Trim(part[1:], ","))
	}
	return out.String()
}

// word turns the name of an arm into one that a benchmark's name can hold:
// "shelf, bulk" into "shelf,bulk".
func word(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '/' || r == '=' {
			return '_'
		}
		return r
	}, strings.ReplaceAll(text, ", ", ","))
}
