package blob_test

import (
	"maps"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit/blob"
)

// value has fields of all kinds that gob carries without a change.
type value struct {
	ID    int64
	Text  string
	Raw   []byte
	Tags  []string
	Score float64
	Flag  bool
	Inner point
	Sub   map[string]int
	Next  *point
}

func someValue() *rapid.Generator[value] {
	return rapid.Custom(func(t *rapid.T) value {
		v := value{
			ID:    rapid.Int64().Draw(t, "id"),
			Text:  rapid.String().Draw(t, "text"),
			Raw:   orNil(rapid.SliceOf(rapid.Byte()).Draw(t, "raw")),
			Tags:  orNil(rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "tags")),
			Score: rapid.Float64Range(1, 1e300).Draw(t, "score"),
			Flag:  rapid.Bool().Draw(t, "flag"),
			Inner: point{rapid.Int().Draw(t, "x"), 0},
			Sub:   rapid.MapOfN(rapid.String(), rapid.Int(), 0, 3).Draw(t, "sub"),
		}
		if rapid.Bool().Draw(t, "next") {
			v.Next = &point{1, rapid.Int().Draw(t, "y")}
		}
		return v
	})
}

// orNil is gob's rule: an empty slice comes back nil.
func orNil[E any](s []E) []E {
	if len(s) == 0 {
		return nil
	}
	return s
}

func someKey() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.StringN(0, 3, 3), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
}

func someOptions() *rapid.Generator[blob.Options] {
	return rapid.Map(rapid.IntRange(0, 4), func(n int) blob.Options { return blob.Options{Workers: n} })
}

// TestAnyMap: whatever map is saved or packed comes back, over an older content,
// and with any number of workers.
func TestAnyMap(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(someKey(), someValue()).Draw(t, "map")
		write, read := someOptions().Draw(t, "write"), someOptions().Draw(t, "read")
		path := filepath.Join(dir, "map")
		if err := blob.Save(path, m, write); err != nil {
			t.Fatal(err)
		}
		got, err := blob.LoadWith[map[string]value](path, read)
		if err != nil || !equal(got, m) {
			t.Fatalf("Load gives %v, %v", got, err)
		}
		path = filepath.Join(dir, "indexed")
		if err := blob.Pack(path, blob.Sorted(m), write); err != nil {
			t.Fatal(err)
		}
		got, err = readIndexed[value](path)
		if err != nil || !equal(got, m) {
			t.Fatalf("Open gives %v, %v", got, err)
		}
	})
}

func TestAnyList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "list")
	rapid.Check(t, func(t *rapid.T) {
		list := orNil(rapid.SliceOf(someValue()).Draw(t, "list"))
		if err := blob.Save(path, list, someOptions().Draw(t, "write")); err != nil {
			t.Fatal(err)
		}
		got, err := blob.LoadWith[[]value](path, someOptions().Draw(t, "read"))
		if err != nil || !equal(got, list) {
			t.Fatalf("Load gives %v, %v", got, err)
		}
	})
}

// TestAgainstAMap runs operations on an indexed blob and on a map side by side:
// replacing the file, opening it again, and reading it in every way.
func TestAgainstAMap(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(dir, "x.blob")
		key := rapid.StringMatching(`[a-d]{0,3}`)
		model := map[string]int{}
		must := func(err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		must(blob.Pack(path, blob.Sorted(model), blob.Options{}))
		open, err := blob.Open[int](path)
		must(err)
		seen := maps.Clone(model) // what the open one shows
		defer func() { must(open.Close()) }()
		t.Repeat(map[string]func(*rapid.T){
			"change": func(t *rapid.T) {
				for range rapid.IntRange(1, 50).Draw(t, "n") {
					model[key.Draw(t, "key")] = rapid.Int().Draw(t, "value")
				}
				delete(model, key.Draw(t, "delete"))
			},
			"pack": func(t *rapid.T) { must(blob.Pack(path, blob.Sorted(model), someOptions().Draw(t, "options"))) },
			"reopen": func(t *rapid.T) {
				must(open.Close())
				must(blob.Pack(path, blob.Sorted(model), blob.Options{}))
				var err error
				open, err = blob.Open[int](path)
				must(err)
				seen = maps.Clone(model)
			},
			"get": func(t *rapid.T) {
				k := key.Draw(t, "key")
				want, there := seen[k]
				has, err := open.Has(k)
				must(err)
				if v, err := open.Get(k); has != there || (err == nil) != there || v != want {
					t.Fatalf("Get(%q) = %d, %v, Has = %v; want %d, %v", k, v, err, has, want, there)
				}
			},
			"get many": func(t *rapid.T) {
				keys := rapid.SliceOf(key).Draw(t, "keys")
				i := 0
				for e, err := range open.GetMany(keys) {
					want, ok := seen[keys[i]]
					if e.Key != keys[i] || (err == nil) != ok || e.Value != want {
						t.Fatalf("GetMany(%q) gives %v, %v at %d", keys, e, err, i)
					}
					i++
				}
				if i != len(keys) {
					t.Fatalf("GetMany(%q) gives %d entries", keys, i)
				}
			},
			"": func(t *rapid.T) {
				n := 0
				for e, err := range open.All() {
					must(err)
					if v, ok := seen[e.Key]; !ok || v != e.Value {
						t.Fatalf("All gives %v", e)
					}
					n++
				}
				if n != len(seen) || open.Len() != n {
					t.Fatalf("All gives %d records, Len is %d, want %d", n, open.Len(), len(seen))
				}
			},
		})
	})
}
