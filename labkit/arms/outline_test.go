package arms_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/outline"
	"shelflab/labkit/records"
)

// The outline is that of the arms: the same in all but that they can measure.
func TestOutline(t *testing.T) {
	for _, class := range []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss} {
		lab := arms.Lab(&arms.Data[records.Record]{}, class)
		if diff := cmp.Diff(lab, outline.Lab(class), cmpopts.IgnoreFields(labkit.Arm{}, "Measure")); diff != "" {
			t.Error(diff)
		}
		for _, arm := range lab {
			if arm.Measure == nil || arm.What == "" || arm.Durability != class {
				t.Errorf("%+v", arm)
			}
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an arm that is not there was given")
		}
	}()
	outline.Arm("no arm", labkit.ProcessCrash)
}
