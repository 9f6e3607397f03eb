package show

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// verdictFile keeps, in the folder of a run, which display waits for its
// verdict.
const verdictFile = ".verdict-box.json"

// waiting is the content of verdictFile. An id is good in the kernel that made
// it only: another one would show a second box.
type waiting struct {
	Kernel string `json:"kernel"`
	ID     string `json:"id"`
}

// kernel names the kernel that runs this cell: its temporary folder is its own.
func kernel() string { return os.Getenv(protocol.GONB_TMP_DIR_ENV) }

// VerdictBox displays a box that waits for the verdict. Verdict fills it, from
// a later cell: the id of the display is kept in the run's folder. Each call
// makes a new box. In a terminal it does nothing, since what is printed there
// cannot be changed later.
func VerdictBox(plan labkit.Plan) {
	if !gonbui.IsNotebook {
		return
	}
	x := box{tone: toneWaiting, title: "Verdict", lines: []string{"Waiting for the last cell: measure first."}, small: "Plan " + plan.Fingerprint()}
	id := "verdict-" + gonbui.UniqueId()
	send(id, bundle(x))
	flush()
	if err := remember(plan, waiting{kernel(), id}); err != nil {
		Note("The verdict will stand at the end only: %v", err)
	}
}

func remember(plan labkit.Plan, w waiting) error {
	dir, err := evidence.Dir(plan)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, verdictFile), text, 0o644)
}

// recall returns the id of the box that waits in this kernel, "" if none does.
func recall(plan labkit.Plan) string {
	dir, err := evidence.Dir(plan)
	if err != nil {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(dir, verdictFile))
	if err != nil {
		return ""
	}
	var w waiting
	if json.Unmarshal(text, &w) != nil || w.Kernel != kernel() {
		return ""
	}
	return w.ID
}

// Verdict fills the box that VerdictBox has displayed, and displays the same in
// place, with the verdict of each part of the run that lies beside it (see
// evidence.PartOf) under its name. A run that is incomplete gets a box that says
// so first. A nil run shows that there is nothing to judge.
func Verdict(run *evidence.Run) {
	x := verdictOf(run, parts(run)...)
	if gonbui.IsNotebook && run != nil {
		if id := recall(run.Plan); id != "" {
			send(id, bundle(x))
		}
	}
	x.show()
}

// parts are the parts of a run that were measured, beside it.
func parts(run *evidence.Run) []*evidence.Run {
	if run == nil {
		return nil
	}
	dir, err := evidence.Dir(run.Plan)
	if err != nil {
		return nil
	}
	return evidence.Parts(filepath.Dir(dir), run.Plan)
}

// verdictOf is the box of a run and, since schema 3, of its parts.
func verdictOf(run *evidence.Run, parts ...*evidence.Run) box {
	if run == nil || run.Largest() == 0 {
		return box{tone: toneWaiting, title: "Verdict", lines: []string{"Nothing measured yet: run the sweep first."}}
	}
	x := box{tone: toneGood, title: "Verdict", claims: Claims(run, run.Largest()), table: winners(run, run.Largest()), lines: run.Verdict, leads: true}
	if !run.Complete { // the first warning says what is missing
		x.tone, x.title = toneWarn, "Verdict of an incomplete run"
	}
	if len(run.Verdict) == 0 {
		x.lines = append(x.lines, "No verdict: nothing has been compared.")
	}
	if c, ok := run.Control(run.Largest()); ok && !c.Shows() { // if it does, the verdict begins with it
		x.lines = append(slices.Clone(x.lines), c.String())
	}
	for _, line := range []string{run.Order(), run.Outlying()} {
		if line != "" {
			x.lines = append(slices.Clone(x.lines), line)
		}
	}
	if x.warnings = warnings(run); len(x.warnings) > 0 {
		x.tone = toneWarn
	}
	x.small = fmt.Sprintf("%s, measured %s", run.Plan, run.Updated.Format("2006-01-02 15:04 MST"))
	if run.Schema < 3 {
		parts = nil
	}
	if lines := Cheapest(modelOf(run, parts)); len(lines.Rows) > 0 {
		y := box{title: lines.Title, leads: true}
		for _, row := range lines.Rows {
			y.lines = append(y.lines, strings.Join(row, ": "))
		}
		x.parts = append(x.parts, y)
	}
	for _, part := range parts {
		y := verdictOf(part)
		// A part has its verdict in sentences where it is measured, too.
		y.title, y.folded = partName(part, run), true
		if !part.Complete {
			y.title += ", incomplete"
		}
		if y.tone == toneWarn {
			x.tone = toneWarn
		}
		x.parts = append(x.parts, y)
	}
	return x
}

// partName names a part by what its name adds to that of the whole.
func partName(part, whole *evidence.Run) string {
	return "Part: " + strings.ReplaceAll(evidence.Suffix(part.Plan, whole.Plan), "_", " ")
}
