package arms_test

import (
	"errors"
	"iter"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/blob"
	"shelflab/labkit/gobwire"
	"shelflab/labkit/records"
	"shelflab/labkit/shelf"
)

// A shelf streams into an indexed blob, and an indexed blob into a shelf: what
// the one yields the other takes.
func TestConversions(t *testing.T) {
	dir, want := t.TempDir(), records.Generate(1, 3000).Map()
	packed := filepath.Join(dir, "packed")
	from := openShelf(t, filepath.Join(dir, "from"))
	if err := from.PutAll(blob.Sorted(want)); err != nil {
		t.Fatal(err)
	}
	if err := blob.Pack(packed, from.All(), blob.Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := blob.Open[records.Record](packed)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	to := openShelf(t, filepath.Join(dir, "to"))
	if err := to.PutAll(b.All()); err != nil {
		t.Fatal(err)
	}
	for name, all := range map[string]iter.Seq2[gobwire.Entry[records.Record], error]{"blob": b.All(), "shelf": to.All()} {
		got := map[string]records.Record{}
		for e, err := range all {
			if err != nil {
				t.Fatal(err)
			}
			got[e.Key] = e.Value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A source that fails half-way aborts the sink: the blob that was there stays,
// and the shelf reports the source's error.
func TestConversionOfAFailingSource(t *testing.T) {
	broken := errors.New("the source broke")
	source := func(yield func(gobwire.Entry[records.Record], error) bool) {
		for e, err := range blob.Sorted(records.Generate(1, 100).Map()) {
			if !yield(e, err) {
				return
			}
		}
		yield(gobwire.Entry[records.Record]{}, broken)
	}
	dir := t.TempDir()
	packed := filepath.Join(dir, "packed")
	if err := blob.Pack(packed, blob.Sorted(records.Generate(2, 7).Map()), blob.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := blob.Pack(packed, source, blob.Options{}); !errors.Is(err, broken) {
		t.Errorf("Pack: error %v, want the source's", err)
	}
	b, err := blob.Open[records.Record](packed)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if b.Len() != 7 {
		t.Errorf("the old blob holds %d records, want 7", b.Len())
	}
	if err := openShelf(t, filepath.Join(dir, "shelf")).PutAll(source); !errors.Is(err, broken) {
		t.Errorf("PutAll: error %v, want the source's", err)
	}
}

func openShelf(t *testing.T, dir string) *shelf.Shelf[records.Record] {
	t.Helper()
	s, err := shelf.Open[records.Record](dir, shelf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
