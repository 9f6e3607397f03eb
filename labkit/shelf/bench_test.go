package shelf_test

import (
	"bytes"
	"encoding/gob"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
	"golang.org/x/sys/unix"

	"shelflab/labkit/shelf"
)

// The benchmarks measure a shelf beside raw Badger with the same options and
// bytes encoded beforehand (its ceiling), and beside Badger with its default
// options and a fresh gob a value (what a program does that takes no care). All
// take turns within an iteration, and the medians of the paired ratios are
// reported: how many times as fast as raw, and as naive, the shelf is.

const benchN = 8000

// contender keeps the records in one way. Its functions are called in this order,
// and only those named in the benchmark are timed.
type contender struct {
	open   func(b *testing.B, dir string)
	putAll func(b *testing.B)
	put    func(b *testing.B, n int)
	all    func(b *testing.B) int
	gets   func(b *testing.B, keys []string)
	many   func(b *testing.B, keys []string)
	close  func(b *testing.B)
}

func rawOptions(dir string) badger.Options {
	o := badger.DefaultOptions(dir).WithLogger(nil).WithMetricsEnabled(false).
		WithMemTableSize(4 << 20).WithNumMemtables(2).WithNumLevelZeroTablesStall(10).
		WithNumCompactors(2).WithValueThreshold(64 << 10).WithValueLogFileSize(256 << 20).
		WithCompression(options.None).WithBlockCacheSize(0)
	return o
}

func shelfContender(o shelf.Options, records []record) *contender {
	var s *shelf.Shelf[record]
	return &contender{
		open: func(b *testing.B, dir string) {
			var err error
			s, err = shelf.Open[record](dir, o)
			must(b, err)
		},
		putAll: func(b *testing.B) {
			must(b, s.PutAll(func(yield func(shelf.Entry[record], error) bool) {
				for i, r := range records {
					if !yield(shelf.Entry[record]{Key: keys[i], Value: r}, nil) {
						return
					}
				}
			}))
		},
		put: func(b *testing.B, n int) {
			for i := range n {
				if err := s.Put(keys[i], records[i]); err != nil {
					b.Fatal(err)
				}
			}
		},
		all: func(b *testing.B) (n int) {
			for e, err := range s.All() {
				if err != nil {
					b.Fatal(err)
				}
				n += len(e.Value.Note)
			}
			return n
		},
		gets: func(b *testing.B, keys []string) {
			for _, k := range keys {
				if _, err := s.Get(k); err != nil {
					b.Fatal(err)
				}
			}
		},
		many: func(b *testing.B, keys []string) {
			for _, err := range s.GetMany(keys) {
				if err != nil {
					b.Fatal(err)
				}
			}
		},
		close: func(b *testing.B) { must(b, s.Close()) },
	}
}

// badgerContender stores what encode gives and, if decode is not nil, decodes what
// it reads.
func badgerContender(o func(dir string) badger.Options, encode func(i int) []byte, decode func([]byte) record) *contender {
	var db *badger.DB
	read := func(item *badger.Item) int {
		v, err := item.ValueCopy(nil)
		if err != nil {
			panic(err)
		}
		if decode != nil {
			return len(decode(v).Note)
		}
		return len(v)
	}
	c := &contender{
		open: func(b *testing.B, dir string) {
			var err error
			db, err = badger.Open(o(dir))
			must(b, err)
		},
		putAll: func(b *testing.B) {
			w := db.NewWriteBatch()
			for i := range benchN {
				if err := w.Set([]byte(keys[i]), encode(i)); err != nil {
					b.Fatal(err)
				}
			}
			must(b, w.Flush())
		},
		put: func(b *testing.B, n int) {
			for i := range n {
				if err := db.Update(func(txn *badger.Txn) error { return txn.Set([]byte(keys[i]), encode(i)) }); err != nil {
					b.Fatal(err)
				}
			}
		},
		all: func(b *testing.B) (n int) {
			must(b, db.View(func(txn *badger.Txn) error {
				it := txn.NewIterator(badger.DefaultIteratorOptions)
				defer it.Close()
				for it.Rewind(); it.Valid(); it.Next() {
					n += read(it.Item())
				}
				return nil
			}))
			return n
		},
		gets: func(b *testing.B, keys []string) {
			for _, k := range keys {
				err := db.View(func(txn *badger.Txn) error {
					item, err := txn.Get([]byte(k))
					if err == nil {
						read(item)
					}
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		},
		close: func(b *testing.B) { must(b, db.Close()) },
	}
	c.many = c.gets
	return c
}

var keys = func() []string {
	k := make([]string, benchN)
	for i := range k {
		k[i] = keyOf(i)
	}
	return k
}()

func contenders(b *testing.B) []*contender {
	records := make([]record, benchN)
	encoded := make([][]byte, benchN)
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	for i := range records {
		records[i] = sample(i)
		buf.Reset()
		must(b, enc.Encode(&records[i]))
		encoded[i] = bytes.Clone(buf.Bytes())
	}
	encoded[0] = encoded[1] // the first one has the description in front
	naive := func(dir string) badger.Options { return badger.DefaultOptions(dir).WithLogger(nil) }
	return []*contender{
		shelfContender(shelf.Options{}, records),
		badgerContender(rawOptions, func(i int) []byte { return encoded[i] }, nil),
		badgerContender(naive, func(i int) []byte {
			var buf bytes.Buffer
			must(b, gob.NewEncoder(&buf).Encode(&records[i]))
			return buf.Bytes()
		}, func(raw []byte) (r record) {
			must(b, gob.NewDecoder(bytes.NewReader(raw)).Decode(&r))
			return r
		}),
	}
}

// race times step on each contender in turn, b.N times, and reports what the
// first, the shelf, takes, and its ratios to the others.
func race(b *testing.B, all []*contender, units float64, prepare, step func(c *contender, dir string), finish func(c *contender)) {
	times, cpu := make([][]float64, len(all)), make([][]float64, len(all))
	for i := range b.N {
		dirs := []string{b.TempDir(), b.TempDir(), b.TempDir()}
		for j := range all {
			k := (i + j) % len(all) // nobody is always first
			prepare(all[k], dirs[k])
			runtime.GC()
			start, used := time.Now(), cpuSeconds(b)
			step(all[k], dirs[k])
			times[k] = append(times[k], time.Since(start).Seconds())
			cpu[k] = append(cpu[k], cpuSeconds(b)-used)
			finish(all[k])
		}
	}
	median := func(x []float64) float64 {
		x = slices.Sorted(slices.Values(x))
		return x[len(x)/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(times[0])*1e3, "ms")
	if units > 0 {
		b.ReportMetric(units/median(times[0])/1e3, "k/s")
	}
	paired := func(x [][]float64, k int) float64 {
		ratios := make([]float64, b.N)
		for i := range ratios {
			ratios[i] = x[k][i] / x[0][i]
		}
		return median(ratios)
	}
	b.ReportMetric(paired(times, 1), "x-raw")
	b.ReportMetric(paired(times, 2), "x-naive")
	b.ReportMetric(paired(cpu, 1), "cpu-x-raw") // on a busy machine, the steadier number
}

func cpuSeconds(b *testing.B) float64 {
	var u unix.Rusage
	must(b, unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

func BenchmarkShelf(b *testing.B) {
	all := contenders(b)
	open := func(c *contender, dir string) { c.open(b, dir) }
	loaded := func(c *contender, dir string) {
		c.open(b, dir)
		c.putAll(b)
		c.close(b)
		c.open(b, dir)
	}
	closeIt := func(c *contender) { c.close(b) }
	rng := rand.New(rand.NewPCG(1, 1))
	random := make([]string, 200)
	for i := range random {
		random[i] = keys[rng.IntN(benchN)]
	}
	b.Run("PutAll", func(b *testing.B) {
		race(b, all, benchN, open, func(c *contender, _ string) { c.putAll(b) }, closeIt)
	})
	b.Run("Put", func(b *testing.B) {
		race(b, all, 2000, open, func(c *contender, _ string) { c.put(b, 2000) }, closeIt)
	})
	b.Run("All", func(b *testing.B) {
		race(b, all, benchN, loaded, func(c *contender, _ string) { c.all(b) }, closeIt)
	})
	b.Run("Get200", func(b *testing.B) {
		race(b, all, 200, loaded, func(c *contender, _ string) { c.gets(b, random) }, closeIt)
	})
	b.Run("GetMany200", func(b *testing.B) {
		race(b, all, 200, loaded, func(c *contender, _ string) { c.many(b, random) }, closeIt)
	})
	b.Run("OpenClose", func(b *testing.B) {
		race(b, all, 0, func(c *contender, dir string) {
			loaded(c, dir)
			c.close(b)
		}, func(c *contender, dir string) {
			c.open(b, dir)
			c.close(b)
		}, func(*contender) {})
	})
}
