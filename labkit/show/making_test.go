package show

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
)

func TestMakingIsSeenIfItTakesLong(t *testing.T) {
	now := time.Duration(0)
	drawn := &drawings{least: time.Second}
	bar := &Bar{title: "t", clock: func() time.Duration { return now }, output: drawn}
	for done := 0; done <= 3000; done += 250 { // three seconds
		bar.count("things", done, 3000)
		now += 250 * time.Millisecond
	}
	want := []string{"500 of 3,000 things", "1,500 of 3,000 things", "2,500 of 3,000 things"}
	if diff := cmp.Diff(want, drawn.texts); diff != "" || drawn.cleared != 1 {
		t.Errorf("cleared %d times; -want +got:\n%s", drawn.cleared, diff)
	}
	quick := &Bar{clock: func() time.Duration { return 0 }, output: drawn}
	quick.count("things", 0, 2)
	quick.count("things", 2, 2)
	if len(drawn.texts) != 3 || drawn.cleared != 1 {
		t.Errorf("what is made at once is shown: %q", drawn.texts)
	}
}

func TestMakingShowsNothingInAChild(t *testing.T) {
	if Making("things", 3) == nil {
		t.Error("no progress for a reader")
	}
	t.Setenv("SHELFLAB_TURN", `{"arm":"x"}`)
	if _, child := labkit.ChildTurn(); !child || Making("things", 3) != nil {
		t.Error("progress in a child")
	}
}
