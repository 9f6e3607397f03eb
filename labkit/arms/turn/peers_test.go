package turn_test

import (
	"errors"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/arms/bolt"
	"shelflab/labkit/arms/files"
	"shelflab/labkit/arms/hold"
	"shelflab/labkit/arms/sqlite"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/records"
)

// The turn is tested on the peers, each in a package of its own that no program
// but a test links together.

func plan(n int) labkit.Plan {
	return labkit.Plan{Name: "peers", N: []int{n}, Rounds: 2, Keys: 20, Seed: 7}
}

// peer is a keyed peer of any value, as its package has it.
type peer[V any] struct {
	arm    func(*turn.Data[V], labkit.Durability) labkit.Arm
	create func(path string, class labkit.Durability) (filled[V], error)
	open   func(path string) (turn.Store[V], error)
	edit   func(path string, class labkit.Durability) (turn.Changer[V], error)
}

type filled[V any] interface {
	turn.Store[V]
	PutAll(iter.Seq2[turn.Entry[V], error]) error
}

// oneByOne fills a store that takes a record at a time.
type oneByOne[V any] struct {
	turn.Store[V]
	put func(key string, v V) error
}

func (s oneByOne[V]) PutAll(list iter.Seq2[turn.Entry[V], error]) error {
	for e, err := range list {
		if err == nil {
			err = s.put(e.Key, e.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func peers[V any]() map[string]peer[V] {
	return map[string]peer[V]{
		bolt.Name: {
			bolt.Arm[V],
			func(path string, class labkit.Durability) (filled[V], error) { return bolt.Create[V](path, class) },
			func(path string) (turn.Store[V], error) { return bolt.Open[V](path) },
			func(path string, class labkit.Durability) (turn.Changer[V], error) { return bolt.Edit[V](path, class) },
		},
		sqlite.Name: {
			sqlite.Arm[V],
			func(path string, class labkit.Durability) (filled[V], error) { return sqlite.Create[V](path, class) },
			func(path string) (turn.Store[V], error) { return sqlite.Open[V](path) },
			func(path string, class labkit.Durability) (turn.Changer[V], error) {
				return sqlite.Edit[V](path, class)
			},
		},
		hold.Name: {
			hold.Arm[V],
			func(path string, class labkit.Durability) (filled[V], error) {
				s, err := hold.Open[V](path, class)
				return oneByOne[V]{s, func(key string, v V) error { return s.Put(key, v) }}, err
			},
			func(path string) (turn.Store[V], error) { return hold.Open[V](path, labkit.ProcessCrash) },
			func(path string, class labkit.Durability) (turn.Changer[V], error) { return hold.Open[V](path, class) },
		},
		files.Name: {
			files.Arm[V],
			func(path string, class labkit.Durability) (filled[V], error) {
				s, err := files.Create[V](path, class)
				return oneByOne[V]{s, func(key string, v V) error { return s.Put(key, v) }}, err
			},
			func(path string) (turn.Store[V], error) { return files.Open[V](path) },
			func(path string, class labkit.Durability) (turn.Changer[V], error) { return files.Edit[V](path, class) },
		},
	}
}

var classes = []labkit.Durability{labkit.ProcessCrash, labkit.PowerLoss}

// Every peer takes the whole turn of a keyed store, in both classes, and reads
// what it has written.
func TestPeers(t *testing.T) {
	p, dir := plan(200), t.TempDir()
	data, err := turn.Records(p, 200)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"write": 200, "put": 200, "read": 200, "scan": 200, "gets": 20, "gets open": 20, "disk": 0}
	for _, class := range classes {
		var list []labkit.Arm
		for _, peer := range peers[records.Record]() {
			list = append(list, peer.arm(data, class))
		}
		series, err := labkit.Lab{Plan: p, Dir: dir}.Measure(t.Context(), 200, list)
		if err != nil {
			t.Fatal(err)
		}
		for _, arm := range list {
			has := map[string]int{}
			for _, s := range series {
				if s.Arm == arm.Name {
					has[s.Metric] = s.Work
				}
			}
			if diff := cmp.Diff(want, has); diff != "" || arm.Durability != class || arm.Pair != turn.PairPeer || arm.What == "" {
				t.Errorf("%+v: metrics and work (-want +got):\n%s", arm, diff)
			}
			if _, err := os.Stat(filepath.Join(dir, labkit.StoreName(arm.Name, 200))); err != nil {
				t.Error(err)
			}
		}
	}
}

// A peer whose store holds something else than the records fails the run.
func TestPeersThatReadWrong(t *testing.T) {
	p := plan(50)
	data, err := turn.Records(p, 50)
	if err != nil {
		t.Fatal(err)
	}
	faults := map[string]func(yield func(turn.Entry[records.Record], error) bool){}
	for name, change := range map[string]func(i int, e *turn.Entry[records.Record]) bool{
		"another value": func(i int, e *turn.Entry[records.Record]) bool {
			e.Value.Active = e.Value.Active != (i == 7)
			return true
		},
		"another key": func(i int, e *turn.Entry[records.Record]) bool { e.Key += "x"[:min(1, max(0, i-48))]; return true },
		"one less":    func(i int, _ *turn.Entry[records.Record]) bool { return i != 49 },
	} {
		faults[name] = func(yield func(turn.Entry[records.Record], error) bool) {
			i := 0
			for e := range data.Entries() {
				if change(i, &e) && !yield(e, nil) {
					return
				}
				i++
			}
		}
	}
	for name, peer := range peers[records.Record]() {
		for fault, list := range faults {
			arm := labkit.Arm{Name: name, Measure: turn.Keyed(data,
				turn.Filled(50, func(path string) (filled[records.Record], error) { return peer.create(path, labkit.ProcessCrash) },
					func(s filled[records.Record]) error { return s.PutAll(list) }), peer.open, nil)}
			_, err := labkit.Lab{Plan: p, Dir: t.TempDir()}.Measure(t.Context(), 50, []labkit.Arm{arm})
			if !errors.Is(err, labkit.ErrWrong) {
				t.Errorf("%s with %s: error %v, want ErrWrong", name, fault, err)
			}
		}
	}
}

// small is a value of any shape that gob gives back as it was.
type small struct {
	N    int64
	Text string
	Raw  []byte // nil if empty
	Of   map[string]float64
}

func smalls() *rapid.Generator[map[string]small] {
	return rapid.MapOfN(rapid.StringN(1, 20, 60), rapid.Custom(func(t *rapid.T) small {
		s := small{N: rapid.Int64().Draw(t, "n"), Text: rapid.String().Draw(t, "text")}
		if rapid.Bool().Draw(t, "full") {
			s.Raw = rapid.SliceOfN(rapid.Byte(), 1, 50).Draw(t, "raw")
			s.Of = rapid.MapOf(rapid.String(), rapid.Float64()).Draw(t, "of")
		}
		return s
	}), 0, 12)
}

func sorted(all map[string]small) iter.Seq2[turn.Entry[small], error] {
	return func(yield func(turn.Entry[small], error) bool) {
		for _, key := range slices.Sorted(maps.Keys(all)) {
			if !yield(turn.Entry[small]{Key: key, Value: all[key]}, nil) {
				return
			}
		}
	}
}

// Every peer holds what a map would: what was written last under each key, and
// nothing else, after it was closed and opened again.
func TestPeersAgainstAMap(t *testing.T) {
	for name, peer := range peers[small]() {
		t.Run(name, rapid.MakeCheck(func(rt *rapid.T) {
			dir, err := os.MkdirTemp(t.TempDir(), "")
			if err != nil {
				rt.Fatal(err)
			}
			path := filepath.Join(dir, "a store?#%20")
			class := rapid.SampledFrom(classes).Draw(rt, "class")
			before, after := smalls().Draw(rt, "before"), smalls().Draw(rt, "after")
			err = turn.With(func(path string) (filled[small], error) { return peer.create(path, class) }, path, func(s filled[small]) error {
				return errors.Join(s.PutAll(sorted(before)), s.PutAll(sorted(after)))
			})
			if err != nil {
				rt.Fatal(err)
			}
			want := maps.Clone(before)
			maps.Copy(want, after)
			err = turn.With(peer.open, path, func(s turn.Store[small]) error {
				got := map[string]small{}
				for e, err := range s.All() {
					if _, twice := got[e.Key]; err != nil || twice {
						rt.Fatalf("%q, twice %t: %v", e.Key, twice, err)
					}
					got[e.Key] = e.Value
				}
				if diff := cmp.Diff(want, got); diff != "" {
					rt.Errorf("all (-want +got):\n%s", diff)
				}
				for range s.All() {
					break // seeing enough is no error
				}
				for key, v := range want {
					if one, err := s.Get(key); err != nil || !cmp.Equal(one, v) {
						rt.Errorf("%q: %+v, %v, want %+v", key, one, err, v)
					}
				}
				other := rapid.StringN(1, 20, 60).Draw(rt, "other")
				if _, there := want[other]; !there {
					if _, err := s.Get(other); !errors.Is(err, turn.ErrNotFound) {
						rt.Errorf("%q, which is not there: %v", other, err)
					}
				}
				return nil
			})
			if err != nil {
				rt.Error(err)
			}
		}))
	}
}

// A failing source fails the write.
func TestPeersOfAFailingSource(t *testing.T) {
	broken := errors.New("the source broke")
	for name, peer := range peers[small]() {
		path := filepath.Join(t.TempDir(), "store")
		err := turn.With(func(path string) (filled[small], error) { return peer.create(path, labkit.ProcessCrash) }, path, func(s filled[small]) error {
			return s.PutAll(func(yield func(turn.Entry[small], error) bool) {
				if yield(turn.Entry[small]{Key: "a"}, nil) {
					yield(turn.Entry[small]{}, broken)
				}
			})
		})
		if !errors.Is(err, broken) {
			t.Errorf("%s: error %v, want the source's", name, err)
		}
	}
}

// What is no store of the peer's is an error, never an empty store.
func TestPeersOpenNothing(t *testing.T) {
	for name, peer := range peers[small]() {
		path := filepath.Join(t.TempDir(), "store")
		if err := os.WriteFile(path, []byte("something else, long enough to be read as a page of a store"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{path, filepath.Join(t.TempDir(), "none", "store")} {
			if name == hold.Name && filepath.Base(filepath.Dir(path)) == "none" {
				continue // Badger makes what is not there
			}
			if s, err := peer.open(path); err == nil {
				t.Errorf("%s opens %s", name, path)
				s.Close()
			}
			if s, err := peer.edit(path, labkit.ProcessCrash); err == nil {
				t.Errorf("%s opens %s for writing", name, path)
				s.Close()
			}
		}
	}
}
