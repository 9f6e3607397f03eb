package blob_test

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"shelflab/labkit/blob"
)

// record is the lab's record: about 120 bytes of payload.
type record struct {
	ID     int
	Name   string
	Email  string
	Tags   []string
	Score  float64
	Active bool
	Note   string
}

func makeRecord(r *rand.Rand, i int) record {
	word := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		return string(b)
	}
	name := word(5) + " " + word(8)
	return record{
		ID: i, Name: name, Email: word(9) + "@example.org", Tags: []string{word(6), word(7)},
		Score: r.Float64() * 100, Active: i%3 == 0, Note: word(40),
	}
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func makeRecords(n int) map[string]record {
	r := newRand()
	m := make(map[string]record, n)
	for i := range n {
		m[fmt.Sprintf("id_%08d", i)] = makeRecord(r, i)
	}
	return m
}

// inOrder gives the records of m from a slice, so that nothing but the taking is
// timed.
func inOrder(m map[string]record) iter.Seq2[blob.Entry[record], error] {
	var entries []blob.Entry[record]
	for e := range blob.Sorted(m) {
		entries = append(entries, e)
	}
	return func(yield func(blob.Entry[record], error) bool) {
		for _, e := range entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func plainSave(path string, m map[string]record) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 64<<10)
	if err := gob.NewEncoder(w).Encode(m); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func plainLoad(path string) (m map[string]record, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = gob.NewDecoder(bufio.NewReaderSize(f, 64<<10)).Decode(&m)
	return m, err
}

// arm is one way of doing what a benchmark compares.
type arm struct {
	name string
	run  func() error
}

// interleave runs all arms once in every iteration, after a collection each, and
// reports how many times as long as the first arm each takes (the median of the
// ratios of one iteration), and the first arm's own rate.
func interleave(b *testing.B, records int, arms ...arm) {
	times := make([][]float64, len(arms))
	for b.Loop() {
		for i, a := range arms {
			runtime.GC()
			start := time.Now()
			if err := a.run(); err != nil {
				b.Fatal(a.name, err)
			}
			times[i] = append(times[i], time.Since(start).Seconds())
		}
	}
	for i, a := range arms[1:] {
		ratios := make([]float64, len(times[0]))
		for j := range ratios {
			ratios[j] = times[i+1][j] / times[0][j]
		}
		b.ReportMetric(median(ratios), "x-"+a.name)
	}
	b.ReportMetric(float64(records)/median(times[0]), "records/s")
	b.ReportMetric(0, "ns/op") // of all arms together: says nothing
}

func median(s []float64) float64 {
	s = slices.Sorted(slices.Values(s))
	return s[len(s)/2]
}

var sizes = []int{500, 8000, 100_000, 1_000_000}

func BenchmarkSave(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			m, dir := makeRecords(n), b.TempDir()
			path := filepath.Join(dir, "m.blob")
			plain := filepath.Join(dir, "m.gob")
			if err := plainSave(plain, m); err != nil {
				b.Fatal(err)
			}
			raw, err := os.ReadFile(plain)
			if err != nil {
				b.Fatal(err)
			}
			interleave(b, n,
				arm{"Save", func() error { return blob.Save(path, m, blob.Options{}) }},
				arm{"one-worker", func() error { return blob.Save(path, m, blob.Options{Workers: 1}) }},
				arm{"plain-gob", func() error { return plainSave(plain, m) }},
				arm{"raw-write", func() error { return os.WriteFile(plain, raw, 0o666) }},
				arm{"memcpy", func() error { _ = bytes.Clone(raw); return nil }},
			)
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			m, dir := makeRecords(n), b.TempDir()
			path := filepath.Join(dir, "m.blob")
			plain := filepath.Join(dir, "m.gob")
			if err := errors.Join(plainSave(plain, m), blob.Save(path, m, blob.Options{})); err != nil {
				b.Fatal(err)
			}
			m = nil
			interleave(b, n,
				arm{"Load", func() error { _, err := blob.Load[map[string]record](path); return err }},
				arm{"one-worker", func() error {
					_, err := blob.LoadWith[map[string]record](path, blob.Options{Workers: 1})
					return err
				}},
				arm{"plain-gob", func() error { _, err := plainLoad(plain); return err }},
				arm{"raw-read", func() error { _, err := os.ReadFile(path); return err }},
			)
		})
	}
}
