package arms_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"shelflab/labkit/records"
)

// These benchmarks check the lab from outside: the same operations on the same
// records, written once more without the arms and timed by the testing package
// instead of the lab's rounds. Their names are those of a run's bench.txt, so
// that `lab compare` sets them beside one; its help says how.

// subject is one arm's operations, as a program would write them.
type subject struct {
	name  string
	write func(path string, set records.Set, all map[string]records.Record) error
	// read opens what write has left, visits the records of keys, or every one if
	// keys is nil, and closes.
	read func(path string, keys []string, visit visitor) error
}

type visitor func(key string, v *records.Record)

var subjects = []subject{
	{"shelf,assign", writeAssign, readShelf},
	{"shelf,bulk", writeBulk, readShelf},
	{"blob", writeBlob(0), readBlob(0)},
	{"blob,one core", writeBlob(1), readBlob(1)},
	{"indexed blob", writeIndexed, readIndexed},
	{"plain shelf", writePlainShelf, readPlainShelf},
	{"plain gob", writePlainGob, readPlainGob},
}

// The plan that notebook 01 has by default.
var checkSizes = []int{500, 2000, 8000} // records

const (
	checkSeed = 1
	checkKeys = 200 // random gets in one operation
)

func BenchmarkWrite(b *testing.B) {
	check(b, func(b *testing.B, s subject, set records.Set, dir string) {
		all := set.Map()
		if err := s.write(filepath.Join(dir, "warm"), set, all); err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		b.ResetTimer()
		for i := range b.N {
			if err := s.write(filepath.Join(dir, fmt.Sprint(i)), set, all); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	check(b, func(b *testing.B, s subject, set records.Set, dir string) { checkRead(b, s, set, dir, nil) })
}

func BenchmarkGets(b *testing.B) {
	check(b, func(b *testing.B, s subject, set records.Set, dir string) {
		checkRead(b, s, set, dir, set.Pick(checkSeed, checkKeys))
	})
}

// checkRead writes a store, then times reading it.
func checkRead(b *testing.B, s subject, set records.Set, dir string, keys []string) {
	path := filepath.Join(dir, "store")
	if err := s.write(path, set, set.Map()); err != nil {
		b.Fatal(err)
	}
	if _, err := sumRead(s, path, keys); err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	b.ResetTimer()
	for range b.N {
		if _, err := sumRead(s, path, keys); err != nil {
			b.Fatal(err)
		}
	}
}

// sumRead reads as the lab's arms do, which sum up what they read.
func sumRead(s subject, path string, keys []string) (sum uint64, err error) {
	err = s.read(path, keys, func(key string, v *records.Record) { sum += records.Sum(key, v) })
	return sum, err
}

// check runs a benchmark for each arm and size, in a folder on the disk that
// the lab's data is on.
func check(b *testing.B, run func(b *testing.B, s subject, set records.Set, dir string)) {
	data := filepath.Join("..", "..", "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		b.Fatal(err)
	}
	for _, n := range checkSizes {
		set := records.Generate(checkSeed, n)
		for _, s := range subjects {
			b.Run(fmt.Sprintf("arm=%s/n=%d", s.name, n), func(b *testing.B) {
				dir, err := os.MkdirTemp(data, ".check-")
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { os.RemoveAll(dir) })
				run(b, s, set, dir)
			})
		}
	}
}

// A benchmark of something that reads wrong would check nothing.
func TestCheckReadsTheRecords(t *testing.T) {
	set := records.Generate(checkSeed, 50)
	keys := set.Pick(checkSeed, 20)
	all := set.Map()
	var every, picked uint64
	for i, key := range set.Keys {
		every += records.Sum(key, &set.Values[i])
	}
	for _, key := range keys {
		v := all[key]
		picked += records.Sum(key, &v)
	}
	for _, s := range subjects {
		path := filepath.Join(t.TempDir(), "store")
		err1 := s.write(path, set, all)
		got, err2 := sumRead(s, path, nil)
		some, err3 := sumRead(s, path, keys)
		if err := errors.Join(err1, err2, err3); err != nil || got != every || some != picked {
			t.Errorf("%s: all %016x, want %016x; picked %016x, want %016x; %v", s.name, got, every, some, picked, err)
		}
	}
}
