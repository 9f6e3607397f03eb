package turn_test

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/records"
)

// An opening is measured where it is asked for; a cycle is a turn of its own.
func TestUse(t *testing.T) {
	p := plan(60)
	data, err := turn.Records(p, 60)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		ask  labkit.Metric
		want map[string]int // work, by metric
	}{
		{labkit.Open, map[string]int{"write": 60, "put": 60, "disk": 0, "open": 1}},
		{labkit.Cycle, map[string]int{"put": 60, "disk": 0, "cycle": 20}},
	} {
		for name, peer := range peers[records.Record]() {
			series, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), 60, []labkit.Arm{peer.arm(data.Measuring(c.ask), 0)})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]int{}
			for _, s := range series {
				got[s.Metric] = s.Work
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s asked for %s: metrics and work (-want +got):\n%s", name, c.ask.Name, diff)
			}
		}
	}
}

// A snapshot has no opening, and its cycle is a save, a load and gets.
func TestUseOfSnapshots(t *testing.T) {
	p := plan(60)
	data, err := turn.Records(p, 60)
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string]records.Record
	save := func(path string, all map[string]records.Record) error {
		kept = all
		return touch(path)
	}
	good := func(string) (map[string]records.Record, error) { return kept, nil }
	wrong := func(string) (map[string]records.Record, error) { return nil, nil }
	measure := func(m labkit.Metric, load func(string) (map[string]records.Record, error)) ([]labkit.Series, error) {
		arm := labkit.Arm{Name: "snapshot", Measure: turn.Snapshot(data.Measuring(m), save, load)}
		return labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), 60, []labkit.Arm{arm})
	}
	series, err := measure(labkit.Cycle, good)
	if err != nil || len(series) != 2 || series[0].Metric != "cycle" || series[0].Work != 20 || series[1].Metric != "disk" {
		t.Errorf("%+v, %v", series, err)
	}
	if series, err = measure(labkit.Open, good); err != nil || len(series) != 2 || series[0].Metric != "write" {
		t.Errorf("%+v, %v", series, err)
	}
	if _, err = measure(labkit.Cycle, wrong); !errors.Is(err, labkit.ErrWrong) {
		t.Errorf("a cycle that fetches nothing: %v", err)
	}
}

// touch leaves a file for the size on disk.
func touch(path string) error { return os.WriteFile(path, []byte("x"), 0o600) }
