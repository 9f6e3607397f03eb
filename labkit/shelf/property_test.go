package shelf_test

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shelflab/labkit/shelf"
)

// Random operations, reopenings among them, give what a plain map gives.
func TestLikeAMap(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(parent, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		s := reopen(t, nil, dir, shelf.Create)
		defer func() { s.Close() }()
		model := map[string][]string{}

		key := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "ab", "\x00", "\xff", "!badger!x"}), rapid.StringN(0, 3, 8))
		value := rapid.SliceOfN(rapid.String(), 0, 3)
		set := func(k string, v []string) { model[k] = slices.Clip(v) }
		ok := func(t *rapid.T, err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		var backup bytes.Buffer // there is always one to restore: at first of nothing
		ok(t, s.Backup(&backup))
		backedUp := map[string][]string{}
		same := func(t *rapid.T, k string, got []string, err error) {
			want, there := model[k]
			switch {
			case !there && err == nil, there && err != nil:
				t.Fatalf("%q: got %q, %v; want %q, %v", k, got, err, want, there)
			case there && !slices.Equal(got, want):
				t.Fatalf("%q: got %q; want %q", k, got, want)
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"put": func(t *rapid.T) {
				k, v := key.Draw(t, "k"), value.Draw(t, "v")
				ok(t, s.Put(k, v))
				set(k, v)
			},
			"putAll": func(t *rapid.T) {
				m := rapid.MapOfN(key, value, 0, 8).Draw(t, "m")
				ok(t, s.PutAll(func(yield func(shelf.Entry[[]string], error) bool) {
					for k, v := range m {
						if !yield(shelf.Entry[[]string]{Key: k, Value: v}, nil) {
							return
						}
					}
				}))
				maps.Copy(model, m)
			},
			"putIfAbsent": func(t *rapid.T) {
				k, v := key.Draw(t, "k"), value.Draw(t, "v")
				_, there := model[k]
				stored, err := s.PutIfAbsent(k, v)
				ok(t, err)
				if stored == there {
					t.Fatalf("PutIfAbsent(%q) = %v", k, stored)
				}
				if stored {
					set(k, v)
				}
			},
			"delete": func(t *rapid.T) {
				k := key.Draw(t, "k")
				ok(t, s.Delete(k))
				delete(model, k)
			},
			"pop": func(t *rapid.T) {
				k := key.Draw(t, "k")
				got, err := s.Pop(k)
				same(t, k, got, err)
				delete(model, k)
			},
			"update": func(t *rapid.T) {
				k := key.Draw(t, "k")
				err := s.Update(k, func(v *[]string) error { *v = append(*v, "+"); return nil })
				if v, there := model[k]; there {
					ok(t, err)
					set(k, append(v, "+"))
				} else if err == nil {
					t.Fatalf("Update of missing %q", k)
				}
			},
			"get": func(t *rapid.T) {
				k := key.Draw(t, "k")
				got, err := s.Get(k)
				same(t, k, got, err)
			},
			"getMany": func(t *rapid.T) {
				for e, err := range s.GetMany(rapid.SliceOfN(key, 0, 80).Draw(t, "keys")) {
					same(t, e.Key, e.Value, err)
				}
			},
			"prefix": func(t *rapid.T) {
				p := key.Draw(t, "prefix")
				sameSeq(t, s.Prefix(p), model, func(k string) bool { return strings.HasPrefix(k, p) })
			},
			"range": func(t *rapid.T) {
				from, to := key.Draw(t, "from"), key.Draw(t, "to")
				sameSeq(t, s.Range(from, to), model, func(k string) bool { return from <= k && (k < to || to == "") })
			},
			"clear": func(t *rapid.T) {
				ok(t, s.Clear())
				clear(model)
			},
			"compact": func(t *rapid.T) { ok(t, s.Compact()) },
			"backup": func(t *rapid.T) {
				backup.Reset()
				ok(t, s.Backup(&backup))
				backedUp = maps.Clone(model)
			},
			"restore": func(t *rapid.T) {
				ok(t, s.Restore(bytes.NewReader(backup.Bytes())))
				model = maps.Clone(backedUp)
			},
			"reopen": func(t *rapid.T) {
				s = reopen(t, s, dir, rapid.SampledFrom([]shelf.Mode{shelf.Create, shelf.Existing}).Draw(t, "mode"))
			},
			"fresh": func(t *rapid.T) {
				s = reopen(t, s, dir, shelf.Fresh)
				clear(model)
			},
			"": func(t *rapid.T) {
				sameSeq(t, s.All(), model, func(string) bool { return true })
				if n, err := s.Len(); n != len(model) || err != nil {
					t.Fatalf("Len = %d, %v; want %d", n, err, len(model))
				}
			},
		})
	})
}

func reopen(t *rapid.T, s *shelf.Shelf[[]string], dir string, m shelf.Mode) *shelf.Shelf[[]string] {
	if s != nil {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s, err := shelf.Open[[]string](dir, shelf.Options{Mode: m})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameSeq checks that seq yields, in order, the entries of model that in says.
func sameSeq(t *rapid.T, seq func(func(shelf.Entry[[]string], error) bool), model map[string][]string, in func(string) bool) {
	var want []string
	for _, k := range slices.Sorted(maps.Keys(model)) {
		if in(k) {
			want = append(want, k)
		}
	}
	var got []string
	for e, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.Key)
		if !slices.Equal(e.Value, model[e.Key]) {
			t.Fatalf("%q: got %q; want %q", e.Key, e.Value, model[e.Key])
		}
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got keys %q; want %q", got, want)
	}
}
