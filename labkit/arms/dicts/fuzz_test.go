package dicts

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whatever is read can be written, and is read again as the same list. (The other
// formats are gob's, JSON's, and those of blob and shelf, which fuzz them.)
func FuzzReadText(f *testing.F) {
	for _, text := range []string{"dicts\t0\t0\n\n", "dicts\t2\t2\na\tb\n1\t2\n\\\\\t\\n\n", "dicts\t1\t1\n\n\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := readText(bytes.NewReader(text))
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := writeText(&again, list); err != nil {
			t.Fatal(err)
		}
		back, err := readText(&again)
		if diff := cmp.Diff(list, back); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
	})
}
