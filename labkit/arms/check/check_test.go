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

// outside has processes timed by another: see outside_test.go.
var outside = flag.Bool("outside", false, "time processes from outside, at the largest size")

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
			continue // to wake another process up takes too long beside the operations
		}
		for _, s := range subjects {
			b.Run(fmt.Sprintf("arm=%s/n=%d", s.name, n), func(b *testing.B) {
				if *outside {
					checkOutside(b, data, n, s.name, operation)
					return
				}
				dir, err := os.MkdirTemp(data, ".check-")
				if err != nil {
					b.Fatal(err)
				}
				b.Cleanup(func() { os.RemoveAll(dir) })
				checkInside(b, newTask(s, n), operation, dir)
			})
		}
	}
}

// checkInside times an operation in this process, at the place that it has in a turn
// of the lab: after a turn of warm-up, with the records and their map in memory, a
// read as the first after the write, gets after a read, and garbage collected before
// each.
func checkInside(b *testing.B, t *task, operation, dir string) {
	store := filepath.Join(dir, "store")
	err := t.turn(store, nil)
	if err == nil {
		err = t.turn(store, func(next string, op func() error) error {
			if next != operation {
				return op()
			}
			b.ResetTimer()
			for i := range b.N {
				if operation == "write" && i > 0 {
					store = filepath.Join(dir, fmt.Sprint(i))
					op = func() error { return t.do(operation, store) }
				}
				if err := op(); err != nil {
					return err
				}
			}
			b.StopTimer()
			return nil
		})
	}
	if err != nil {
		b.Fatal(err)
	}
}

// task is a subject with what its program has in memory.
type task struct {
	subject
	set  records.Set
	all  map[string]records.Record
	sums map[string]uint64 // as the lab's arms have them
	keys []string          // for gets
	want map[string]uint64 // the sum of what an operation is to read
}

func newTask(s subject, n int) *task {
	set := records.Generate(checkSeed, n)
	t := &task{subject: s, set: set, all: set.Map(), sums: map[string]uint64{}, want: map[string]uint64{}}
	for i, key := range set.Keys {
		t.sums[key] = records.Sum(key, &set.Values[i])
		t.want["read"] += t.sums[key]
	}
	t.pick()
	return t
}

// pick draws other keys, as the lab does in each round.
func (t *task) pick() {
	t.keys = t.set.Pick(rand.Uint64(), checkKeys)
	t.want["gets"] = 0
	for _, key := range t.keys {
		t.want["gets"] += t.sums[key]
	}
}

// operations is a turn of them, in order.
var operations = []string{"write", "read", "gets"}

// turn does all operations on a new store, each by clock, or by itself if that is
// nil, after a collection of garbage.
func (t *task) turn(store string, clock func(operation string, op func() error) error) error {
	if clock == nil {
		clock = func(_ string, op func() error) error { return op() }
	}
	t.pick()
	if err := os.RemoveAll(store); err != nil {
		return err
	}
	for _, operation := range operations {
		runtime.GC()
		if err := clock(operation, func() error { return t.do(operation, store) }); err != nil {
			return err
		}
	}
	runtime.KeepAlive(t)
	return nil
}

// do does one operation and compares what it has read.
func (t *task) do(operation, path string) error {
	if operation == "write" {
		return t.write(path, t.set, t.all)
	}
	keys := []string(nil)
	if operation == "gets" {
		keys = t.keys
	}
	var sum uint64
	err := t.read(path, keys, func(key string, v *records.Record) { sum += records.Sum(key, v) })
	if want := t.want[operation]; err == nil && sum != want {
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
		for _, operation := range []string{"read", "gets"} {
			task.want[operation]++
			if err := task.do(operation, path); err == nil {
				t.Errorf("%s, %s: other records than were written go unnoticed", s.name, operation)
			}
		}
	}
}
