package dicts_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/dicts"
	"shelflab/labkit/records"
)

// Every comparison is of arms that are there, and of metrics that there are, and
// none is made twice.
func TestComparisons(t *testing.T) {
	list := dicts.Wrap(records.Dicts{Items: 25}.List(1, 4, nil))
	few := dicts.Wrap(records.Dicts{Items: 5}.List(1, 4, nil))
	alike, err := dicts.Alike(records.Dicts{Items: 3}, 1, 4, labkit.ProcessCrash)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		arms        []labkit.Arm
		comparisons []labkit.Comparison
	}{
		"all":   {dicts.Arms(list, labkit.ProcessCrash), dicts.Comparisons(25)},
		"few":   {dicts.Arms(few, labkit.ProcessCrash), dicts.Comparisons(5)},
		"items": {dicts.InItems(few, 5, labkit.ProcessCrash), dicts.ItemComparisons()},
		"text":  {dicts.TextFile(few, labkit.ProcessCrash), dicts.TextFileComparisons()},
		"alike": {alike, dicts.AlikeComparisons()},
	} {
		if len(c.arms) < 3 || len(c.comparisons) < 2 {
			t.Errorf("%s: %d arms, %d comparisons", name, len(c.arms), len(c.comparisons))
		}
		controls := slices.DeleteFunc(slices.Clone(c.arms), func(a labkit.Arm) bool { return !a.Control })
		if len(controls) != 1 || !slices.ContainsFunc(c.comparisons, func(x labkit.Comparison) bool {
			return x.Role == labkit.Control && x.B == controls[0].Name
		}) {
			t.Errorf("%s: %d controls, or none that is compared", name, len(controls))
		}
		seen := map[string]bool{}
		for _, x := range c.comparisons {
			for _, arm := range []string{x.A, x.B} {
				if !slices.ContainsFunc(c.arms, func(a labkit.Arm) bool { return a.Name == arm }) {
					t.Errorf("%s: %q is compared, and there is no such arm", name, arm)
				}
			}
			for _, metric := range append(x.Metrics, x.Against) {
				known := slices.ContainsFunc(labkit.AllMetrics(), func(m labkit.Metric) bool { return m.Name == metric })
				if !known && metric != "" {
					t.Errorf("%s: no metric %q", name, metric)
				}
			}
			key := strings.Join([]string{string(x.Role), x.Label, x.A, x.B}, "/")
			if seen[key] {
				t.Errorf("%s: %s twice", name, key)
			}
			seen[key] = true
		}
	}
}

func TestPartsLoadWhatTheyDumped(t *testing.T) {
	alike, err := dicts.Alike(records.Dicts{Items: 25, Length: 12}, 1, 20, labkit.ProcessCrash)
	if err != nil {
		t.Fatal(err)
	}
	series, err := measure(t, alike)
	if err != nil || len(series) != 3*11 {
		t.Errorf("%d series, %v", len(series), err)
	}
	size := map[string]float64{}
	for _, s := range series {
		if s.Metric == "disk" {
			size[s.Arm] = s.Samples[0]
		}
	}
	for _, arm := range []string{"plain gob", "JSON", "text lines"} { // equal lengths: what differs is what repeats
		if same, unlike := size[arm+", same"], size[arm+", unlike"]; same == 0 || same != unlike {
			t.Errorf("%s: %v bytes of the same, %v of unlike dictionaries", arm, same, unlike)
		}
	}
	if _, err := dicts.Alike(records.Dicts{Items: -1}, 1, 20, labkit.ProcessCrash); !errors.Is(err, records.ErrDicts) {
		t.Error(err)
	}
	list, err := dicts.New(records.Dicts{Items: 5}, 1, 20, nil)
	if err != nil {
		t.Fatal(err)
	}
	series, err = measure(t, dicts.InItems(list, 5, labkit.ProcessCrash))
	if err != nil || len(series) != 3*6 || series[0].Work != 5 {
		t.Errorf("%d series, %v", len(series), err)
	}
}
