package show

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
)

func TestStepIsThrottled(t *testing.T) {
	now := time.Duration(0)
	drawn := &drawings{least: time.Second}
	bar := &Bar{title: "t", clock: func() time.Duration { return now }, output: drawn}
	for i := range 50 { // five seconds
		bar.Step(labkit.Progress{N: 10, Round: i / 10, Rounds: 5, Arm: "a", Done: i, Total: 50})
		now += 100 * time.Millisecond
	}
	want := []string{
		"n = 10, warm-up, a",
		"n = 10, round 1 of 5, a, about 4 s left",
		"n = 10, round 2 of 5, a, about 3 s left",
		"n = 10, round 3 of 5, a, about 2 s left",
		"n = 10, round 4 of 5, a, about 1 s left",
	}
	if diff := cmp.Diff(want, drawn.texts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	bar.End()
	bar.End()
	if drawn.cleared != 1 {
		t.Errorf("cleared %d times", drawn.cleared)
	}
	new := &Bar{output: drawn}
	if new.End(); drawn.cleared != 1 {
		t.Error("a bar that was never drawn was cleared")
	}
}

type drawings struct {
	least   time.Duration
	texts   []string
	cleared int
}

func (d *drawings) draw(l line)          { d.texts = append(d.texts, l.text) }
func (d *drawings) clear()               { d.cleared++ }
func (d *drawings) every() time.Duration { return d.least }

func TestTerminalBar(t *testing.T) {
	var b bytes.Buffer
	o := terminalOutput{&b, 50}
	o.draw(line{"Sweep", "n = 8,000, round 2 of 5, a very \x1b[2Jlong name of an arm", 5, 10})
	if want := "\r\x1b[K[==========          ] Sweep n = 8,000, round 2 o"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
	b.Reset()
	for _, l := range []line{{}, {done: -1, total: -1}, {done: 9, total: 3}} {
		o.draw(l)
	}
	b.Reset()
	if o.clear(); b.String() != "\r\x1b[K" {
		t.Errorf("cleared by %q", b.String())
	}
	b.Reset()
	logOutput{&b}.draw(line{"Sweep", "n = 500", 1, 8})
	if want := "Sweep n = 500 (1 of 8)\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestLeftText(t *testing.T) {
	for left, want := range map[time.Duration]string{
		time.Millisecond:        "less than 1 s left",
		59 * time.Second:        "about 59 s left",
		61 * time.Second:        "about 1 min left",
		3*time.Hour + time.Hour: "about 240 min left",
	} {
		if got := leftText(left); got != want {
			t.Errorf("%v: %q, want %q", left, got, want)
		}
	}
}
