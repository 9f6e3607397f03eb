package show

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// explored is what the cells below explore.
type explored struct {
	labkit.Plan
	Size int    `param:"size"`
	Arms string `param:"arms"`
}

// exploreIn is a cell that explores two arms, whose disk takes n times the size.
func exploreIn(measure func(ctx context.Context, r *labkit.Round) error) {
	plan := labkit.Params(explored{Plan: labkit.Plan{Name: "explored", N: []int{10, 20}, Rounds: 5, Keys: 2, Seed: 1}, Size: 3})
	Explore(plan, []Control{
		Slider("n", "records", 5, 40),
		Slider("size", "size of one", 1, 7),
		Choice("durability", "a write survives a", "process-crash", "power-loss"),
		Checks("arms", "arms", "a", "b"),
	}, []labkit.Comparison{{Role: labkit.Headline, Label: "the two", A: "a", B: "b", Metrics: []string{"disk"}}},
		func(p *explored, n int) ([]labkit.Arm, error) {
			var list []labkit.Arm
			for i, name := range []string{"a", "b"} {
				take := measure
				if take == nil {
					take = func(_ context.Context, r *labkit.Round) error {
						return r.Size(labkit.Disk, int64((i+1)*r.N*p.Size))
					}
				}
				if p.Arms == "" || slices.Contains(strings.Split(p.Arms, Between), name) {
					list = append(list, labkit.Arm{Name: name, Measure: take})
				}
			}
			return list, nil
		},
		func(live *Live, run *evidence.Run) error {
			live.Chart("chart", fmt.Sprintf("of %d rounds", len(run.Series[0].Samples)), []byte("<svg></svg>"), nil)
			live.Verdict(run)
			return nil
		})
}

func init() {
	maps.Copy(cells, map[string]func(){
		"explore": func() { exploreIn(nil) },
		"explore, no answer": func() {
			answerLimit = 500 * time.Millisecond
			exploreIn(nil)
		},
		"explore, untouched": func() {
			touchLimit = 50 * time.Millisecond
			exploreIn(nil)
		},
		"explore, idle": func() {
			idleLimit = 50 * time.Millisecond
			exploreIn(nil)
		},
		"explore, silent": func() {
			beatLimit = time.Second
			exploreIn(untilStopped)
		},
		"explore, slow": func() {
			leaveLimit = time.Second
			exploreIn(untilStopped)
		},
	})
}

// untilStopped is a turn that never ends by itself.
func untilStopped(ctx context.Context, _ *labkit.Round) error {
	<-ctx.Done()
	return ctx.Err()
}

// page plays the reader: each step waits for a display that holds its first text,
// and then says the second: what, and values that are changed.
type page struct {
	t       *testing.T
	address string
	seq     int
	steps   []step
	values  map[string]string
}

type step struct {
	sees   string
	says   string
	values map[string]string
}

func (p *page) at(d protocol.DisplayData, say func(address, text string)) {
	if s, ok := d.Data[protocol.MIMECommSubscribe].(protocol.CommSubscription); ok {
		p.address = s.Address
		return
	}
	if len(p.steps) == 0 || p.address == "" || !strings.Contains(fmt.Sprint(d.Data[protocol.MIMETextHTML]), p.steps[0].sees) {
		return
	}
	next := p.steps[0]
	p.steps = p.steps[1:]
	for name, value := range next.values {
		p.values[name] = value
	}
	p.seq++
	text, err := json.Marshal(event{Seq: p.seq, What: next.says, Values: p.values})
	if err != nil {
		p.t.Error(err)
	}
	say(p.address, string(text))
}

// explore runs a cell that explores with a reader who takes these steps.
func explore(t *testing.T, name, out string, steps ...step) result {
	t.Helper()
	p := &page{t: t, steps: steps, values: map[string]string{"n": "20", "size": "3", "durability": "process-crash", "arms": "a; b"}}
	r := atPage(t, name, "k", out, p.at)
	if len(p.steps) > 0 {
		t.Errorf("the step %+v was not reached; the last display is %s", p.steps[0], r.html(len(r.displays)-1))
	}
	if left, _ := filepath.Glob(filepath.Join(out, ".explored-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if r.code != 0 || r.stderr != "" {
		t.Errorf("exit code %d, %s", r.code, r.stderr)
	}
	return r
}

// last is what the display of an id shows in the end.
func (r result) last(id string) string {
	for i := len(r.displays) - 1; i >= 0; i-- {
		if r.displays[i].DisplayID == id {
			return r.html(i)
		}
	}
	return ""
}

// panelID is the id of the panel's display.
func (r result) panelID(t *testing.T) string {
	t.Helper()
	if len(r.displays) == 0 || !strings.HasPrefix(r.displays[0].DisplayID, "panel-") {
		t.Fatalf("no panel first: %v", r.displays)
	}
	return r.displays[0].DisplayID
}

const measuredText = "Measured. Move"

func TestExploreWithoutAPage(t *testing.T) {
	out := t.TempDir()
	r := inCell(t, "explore", "k", out)
	if r.code != 0 || len(r.displays) < 3 || !strings.Contains(r.html(0), "There is no page that could move them") || !strings.Contains(r.html(0), "10,20") {
		t.Fatalf("exit code %d, %v, %s", r.code, r.displays, r.stderr)
	}
	if last := r.html(len(r.displays) - 1); !strings.Contains(last, "Verdict") || !strings.Contains(r.html(len(r.displays)-2), "<svg>") {
		t.Errorf("it ends with %s", last)
	}
	run, err := evidence.Read(filepath.Join(out, "explored", evidence.SummaryName))
	if err != nil || !run.Complete || run.Largest() != 20 || len(run.Ratios) != 2 {
		t.Fatalf("%v, %+v", err, run)
	}
	if err := evidence.Verify(filepath.Join(out, "explored")); err != nil {
		t.Error(err)
	}
}

// A control is moved, and what it says is measured, saved, and told in the end.
func TestExploreChanges(t *testing.T) {
	out := t.TempDir()
	r := explore(t, "explore", out,
		step{"<script>", "beat", nil},
		step{measuredText, "set", map[string]string{"n": "40", "size": "7", "arms": "b"}},
		step{measuredText, "save", nil},
		step{"Saved as evidence", "close", nil},
	)
	id := r.panelID(t)
	for _, want := range []string{`data-options="5|20|40"`, `data-options="1|3|7"`, ">20</output>", "Save as evidence", `value="b" checked`} {
		if !strings.Contains(r.html(0), want) {
			t.Errorf("no %q in the panel: %s", want, r.html(0))
		}
	}
	if end := r.last(id); strings.Contains(end, "<input") || !strings.Contains(end, "The panel was closed") || !strings.Contains(end, "<b style=\"font-weight:600\">records:</b> 40") {
		t.Errorf("the panel ends as %s", end)
	}
	if status := r.last(id + "-status"); status != "" {
		t.Errorf("the status ends as %s", status)
	}
	if chart := r.last(id + "-live-b"); !strings.Contains(chart, "<svg>") {
		t.Errorf("the chart ends as %s", chart)
	}
	run, err := evidence.Read(filepath.Join(out, "explored", evidence.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	s, ok := run.Summary("b", 40, "disk")
	if !ok || s.P50 != 2*40*7 || s.Count != 5 || len(run.Arms) != 1 || !run.Complete {
		t.Errorf("saved: %+v, arms %v", s, run.Arms)
	}
	if diff := cmp.Diff(map[string]string{"size": "7", "arms": "b"}, run.Plan.Own); diff != "" {
		t.Error(diff)
	}
	if err := evidence.Verify(filepath.Join(out, "explored")); err != nil {
		t.Error(err)
	}
}

// What runs can be stopped, by the button and by a change, and says so.
func TestExploreStops(t *testing.T) {
	out := t.TempDir()
	r := explore(t, "explore, slow", out,
		step{"<script>", "beat", nil},
		step{"round 1 of", "save", nil},
		step{"Still measuring", "set", map[string]string{"n": "5"}},
		step{"n = 5, ", "stop", nil},
		step{"Stopped.", "save", nil},
		step{"Nothing has been measured yet", "set", map[string]string{"arms": "none"}},
		step{"there is no arm to measure", "set", map[string]string{"n": "many"}},
		step{"give whole numbers", "close", nil},
	)
	r.panelID(t)
	if _, err := evidence.Read(filepath.Join(out, "explored", evidence.SummaryName)); err == nil {
		t.Error("what was stopped left evidence")
	}
}

// The cell ends by itself, for each reason.
func TestExploreEnds(t *testing.T) {
	first := step{"<script>", "beat", nil}
	for _, c := range []struct {
		cell, why string
		steps     []step
	}{
		{"explore, slow", whyGone, []step{first, {"round 1 of", "leaving", nil}}},
		{"explore, silent", whyGone, []step{first}},
		{"explore, untouched", whyUntouch, []step{first}},
		{"explore, idle", whyIdle, []step{first, {measuredText, "stop", nil}}},
	} {
		r := explore(t, c.cell, t.TempDir(), c.steps...)
		if end := r.last(r.panelID(t)); !strings.Contains(end, escape(c.why)) {
			t.Errorf("%s: want %q, the panel ends as %s", c.cell, c.why, end)
		}
	}
}

func TestExploreWhereThePageDoesNotAnswer(t *testing.T) {
	out := t.TempDir()
	r := explore(t, "explore, no answer", out)
	text := ""
	for i := range r.displays {
		text += r.html(i)
	}
	if !strings.Contains(text, "The page does not answer") {
		t.Errorf("%s", text)
	}
	if run, err := evidence.Read(filepath.Join(out, "explored", evidence.SummaryName)); err != nil || !run.Complete {
		t.Errorf("%v: nothing was measured", err)
	}
}

func TestControlsRefuse(t *testing.T) {
	plan := explored{Plan: samplePlan()}
	for _, c := range []struct {
		control Control
		says    string
	}{
		{Slider("speed", "speed", 1), `no parameter "speed"`},
		{Slider("name", "name", 1), "no whole number"},
		{Control{Param: "n", Kind: "slider", Options: []string{"x"}}, `step "x"`},
		{Control{Param: "n", Kind: "knob"}, `kind "knob"`},
	} {
		if _, _, err := started(&plan, []Control{c.control}); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want ErrPlan with %q", c.control, err, c.says)
		}
	}
}

// Text from outside cannot leave the panel's markup.
func TestControlsAreEscaped(t *testing.T) {
	for _, c := range []Control{Choice("p", `<b>"`, `"><script>`), Checks("p", `<b>"`, `"><script>`)} {
		if html := c.html("id", `"><script>`); strings.Contains(html, "<script>") || strings.Contains(html, "<b>") {
			t.Errorf("%s", html)
		}
	}
}
