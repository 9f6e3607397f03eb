package check_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"shelflab/labkit/records"
)

// These benchmarks check the lab: the same operations on the same records,
// written once more without the arms, and timed by the testing package instead
// of the lab's rounds, or from outside. Their names are those of a run's
// bench.txt, so that `lab compare` sets them beside one; its help says how.

// outside has whole processes timed by another: see outside_test.go.
var outside = flag.Bool("outside", false, "time whole processes from outside, at the largest size")

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

func BenchmarkWrite(b *testing.B) { check(b, "write") }
func BenchmarkRead(b *testing.B)  { check(b, "read") }
func BenchmarkGets(b *testing.B)  { check(b, "gets") }

// check runs a benchmark for each arm and size, in a folder on the disk that
// the lab's data is on.
func check(b *testing.B, operation string) {
	data := filepath.Join("..", "..", "..", "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		b.Fatal(err)
	}
	for _, n := range checkSizes {
		if *outside && n < checkSizes[len(checkSizes)-1] {
			continue // starting a process would take longer than the operations
		}
		for _, s := range subjects {
			b.Run(fmt.Sprintf("arm=%s/n=%d", s.name, n), func(b *testing.B) {
				dir, err := os.MkdirTemp(data, ".check-")
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { os.RemoveAll(dir) })
				if *outside {
					checkOutside(b, job{Arm: s.name, Operation: operation, N: n, Dir: dir})
					return
				}
				checkInside(b, newTask(s, n), operation, dir)
			})
		}
	}
}

// checkInside times an operation in this process, at the place that it has in a
// turn of the lab: after one of warm-up, whose store was removed, with the records
// and their map in memory, a read as the first after the write, gets after a read.
func checkInside(b *testing.B, t *task, operation, dir string) {
	store := filepath.Join(dir, "store")
	before := map[string][]string{"read": {"write"}, "gets": {"write", "read"}}[operation]
	err := errors.Join(t.do("write", store), t.do("read", store), t.do("gets", store), os.RemoveAll(store))
	for _, one := range before {
		err = errors.Join(err, t.do(one, store))
	}
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	b.ResetTimer()
	for i := range b.N {
		if operation == "write" && i > 0 {
			store = filepath.Join(dir, fmt.Sprint(i))
		}
		if err := t.do(operation, store); err != nil {
			b.Fatal(err)
		}
	}
	b.StopTimer()
	runtime.KeepAlive(t)
}

// task is a subject with what its program has in memory.
type task struct {
	subject
	set  records.Set
	all  map[string]records.Record
	sums map[string]uint64 // as the lab's arms have them
	keys []string          // others in each process, as in each round of the lab
}

func newTask(s subject, n int) *task {
	set := records.Generate(checkSeed, n)
	t := &task{subject: s, set: set, all: set.Map(), sums: map[string]uint64{}, keys: set.Pick(rand.Uint64(), checkKeys)}
	for i, key := range set.Keys {
		t.sums[key] = records.Sum(key, &set.Values[i])
	}
	return t
}

// do does one operation and compares what it has read.
func (t *task) do(operation, path string) error {
	if operation == "write" {
		return t.write(path, t.set, t.all)
	}
	keys, from := []string(nil), t.set.Keys
	if operation == "gets" {
		keys, from = t.keys, t.keys
	}
	var sum, want uint64
	err := t.read(path, keys, func(key string, v *records.Record) { sum += records.Sum(key, v) })
	for _, key := range from {
		want += t.sums[key]
	}
	if err == nil && sum != want {
		err = fmt.Errorf("%s, %s: the sum of what was read is %016x, want %016x", t.name, operation, sum, want)
	}
	return err
}

// A benchmark of something that reads wrong would check nothing.
func TestCheckReadsTheRecords(t *testing.T) {
	for _, s := range subjects {
		task, path := newTask(s, 50), filepath.Join(t.TempDir(), "store")
		if err := errors.Join(task.do("write", path), task.do("read", path), task.do("gets", path)); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
		task.sums[task.keys[0]]++
		for _, operation := range []string{"read", "gets"} {
			if err := task.do(operation, path); err == nil {
				t.Errorf("%s, %s: other records than were written go unnoticed", s.name, operation)
			}
		}
	}
}
