package dicts

import (
	"path/filepath"
	"reflect"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/records"
)

// What one engine has written, the other reads.
func TestEnginesReadEachOther(t *testing.T) {
	engines := map[string]engine{JSON: standard, FastJSON: faster}
	for name, list := range map[string][]map[string]string{
		"published": records.Dicts{Items: 25, Unlike: true}.List(1, 40, nil),
		"none":      {},
		"nil":       nil,
		"odd":       {{}, nil, {"": "", "k\n\t\\": "\u2028<&>\"'/", "ünï": "日本語 🙂\x00\x7f"}},
	} {
		for writer, w := range engines {
			path := filepath.Join(t.TempDir(), "list.json")
			if err := w.save(labkit.ProcessCrash)(path, list); err != nil {
				t.Fatal(err)
			}
			for reader, r := range engines {
				back, err := r.load(path)
				if err != nil || !reflect.DeepEqual(back, list) {
					t.Errorf("%s: %s reads of %s: %v, %v", name, reader, writer, back, err)
				}
			}
		}
	}
}
