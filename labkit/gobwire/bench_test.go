package gobwire_test

import (
	"bytes"
	"encoding/gob"
	"strings"
	"testing"

	"shelflab/labkit/gobwire"
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

func sample(i int) record {
	return record{
		ID: i, Name: "Ada Lovelace", Email: "ada.lovelace@example.org",
		Tags: []string{"alpha", "gamma"}, Score: 3.25 + float64(i), Active: true,
		Note: strings.Repeat("note ", 8),
	}
}

func codecOf[V any](t testing.TB) *gobwire.Codec[V] {
	t.Helper()
	c, err := gobwire.New[V]()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func decoderOf[V any](t testing.TB, c *gobwire.Codec[V]) *gobwire.Decoder[V] {
	t.Helper()
	d, err := c.Decoder(c.Description())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func BenchmarkAppend(b *testing.B) {
	c, v := codecOf[record](b), sample(7)
	var buf []byte
	for b.Loop() {
		var err error
		if buf, err = c.Append(buf[:0], &v); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(buf)), "B/value")
}

func BenchmarkDecode(b *testing.B) {
	c, v := codecOf[record](b), sample(7)
	d := decoderOf(b, c)
	body, err := c.Append(nil, &v)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var got record
		if err := d.Decode(body, &got); err != nil {
			b.Fatal(err)
		}
	}
}

// The ceiling: one gob decoder that reads a stream of values.
func BenchmarkDecodeGobStream(b *testing.B) {
	var stream bytes.Buffer
	enc := gob.NewEncoder(&stream)
	const n = 1000
	for i := range n {
		if err := enc.Encode(sample(i)); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		dec := gob.NewDecoder(bytes.NewReader(stream.Bytes()))
		for range n {
			var got record
			if err := dec.Decode(&got); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
}

// The floor: a fresh encoder, or decoder, for every value.
func BenchmarkFreshGob(b *testing.B) {
	v := sample(7)
	b.Run("encode", func(b *testing.B) {
		var buf bytes.Buffer
		for b.Loop() {
			buf.Reset()
			if err := gob.NewEncoder(&buf).Encode(&v); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(buf.Len()), "B/value")
	})
	b.Run("decode", func(b *testing.B) {
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(&v); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			var got record
			if err := gob.NewDecoder(bytes.NewReader(buf.Bytes())).Decode(&got); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkChunk(b *testing.B) {
	c := codecOf[[]gobwire.Entry[record]](b)
	d := decoderOf(b, c)
	const n = 4096
	chunk := make([]gobwire.Entry[record], n)
	for i := range chunk {
		chunk[i] = gobwire.Entry[record]{Key: "id_00042", Value: sample(i)}
	}
	body, err := c.Append(nil, &chunk)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("append", func(b *testing.B) {
		buf := body[:0:0]
		for b.Loop() {
			if buf, err = c.Append(buf[:0], &chunk); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
	})
	b.Run("decode", func(b *testing.B) {
		for b.Loop() {
			var got []gobwire.Entry[record]
			if err := d.Decode(body, &got); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/value")
	})
}
