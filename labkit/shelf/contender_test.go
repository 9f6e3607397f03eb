package shelf_test

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"shelflab/labkit/shelf"
)

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
		WithMemTableSize(4 << 20).WithNumMemtables(2).WithBaseLevelSize(20 << 20).
		WithNumLevelZeroTables(8).WithNumLevelZeroTablesStall(12).
		WithNumCompactors(2).WithValueThreshold(64 << 10).WithValueLogFileSize(256 << 20).
		WithCompression(options.None).WithBlockCacheSize(0).WithBypassLockGuard(true)
	o.NumGoroutines = 2
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
// it reads. Prefetching is Badger's default; without it small values come faster.
func badgerContender(o func(dir string) badger.Options, encode func(i int) []byte, decode func([]byte) record, prefetch bool) *contender {
	var db *badger.DB
	read := func(item *badger.Item) (n int) {
		err := item.Value(func(v []byte) error {
			n = len(v)
			if decode != nil {
				n = len(decode(v).Note)
			}
			return nil
		})
		if err != nil {
			panic(err)
		}
		return n
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
				o := badger.DefaultIteratorOptions
				o.PrefetchValues = prefetch
				it := txn.NewIterator(o)
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
		badgerContender(rawOptions, func(i int) []byte { return encoded[i] }, nil, false),
		badgerContender(naive, func(i int) []byte {
			var buf bytes.Buffer
			must(b, gob.NewEncoder(&buf).Encode(&records[i]))
			return buf.Bytes()
		}, func(raw []byte) (r record) {
			must(b, gob.NewDecoder(bytes.NewReader(raw)).Decode(&r))
			return r
		}, true),
	}
}
