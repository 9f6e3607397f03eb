package show

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"shelflab/labkit/evidence"
)

// Report writes a run as text: the lead table at the largest n, those of what
// was measured there besides (Cold, Resources, Amplification), the verdict, which
// holds the ratios at that n, and the warnings. It is what `lab measure`
// prints. A run without samples is written as one sentence. It returns the
// writer's error.
func Report(w io.Writer, run *evidence.Run) error {
	out, width := bufio.NewWriter(w), widthOf(w)
	if run != nil && run.Largest() > 0 {
		lead := Lead(run, run.Largest())
		// The verdict below lists the warnings already.
		lead.Notes = lead.Notes[:len(lead.Notes)-len(run.Warnings)]
		fmt.Fprintln(out, lead.text(width))
		for _, t := range slices.Concat([]Table{Cold(run)}, Resources(run), []Table{Amplification(run)}) {
			if len(t.Rows) > 0 {
				fmt.Fprintln(out, t.text(width))
			}
		}
	}
	fmt.Fprint(out, verdictOf(run).text(width))
	return out.Flush()
}
