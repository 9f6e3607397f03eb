package gobwire_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"runtime"
	"testing"

	"shelflab/labkit/gobwire"
)

// Every body but the whole one is ErrCorrupt.
func cutAndExtended[V any](t *testing.T, v V) {
	t.Helper()
	c := codecOf[V](t)
	d := decoderOf(t, c)
	body, err := c.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	for n := range body {
		var got V
		if err := d.Decode(body[:n], &got); !errors.Is(err, gobwire.ErrCorrupt) {
			t.Errorf("%T: %d bytes of %d: %+v, %v", v, n, len(body), got, err)
		}
	}
	for _, more := range []string{"\x00", "x", string(body)} {
		var got V
		if err := d.Decode(append(bytes.Clone(body), more...), &got); !errors.Is(err, gobwire.ErrCorrupt) {
			t.Errorf("%T: with %q after it: %+v, %v", v, more, got, err)
		}
	}
	// A flipped bit may give another value, but neither panic nor poison.
	for i := range len(body) * 8 {
		bad := bytes.Clone(body)
		bad[i/8] ^= 1 << (i % 8)
		var got V
		if err := d.Decode(bad, &got); err != nil && !errors.Is(err, gobwire.ErrCorrupt) && !errors.Is(err, gobwire.ErrType) {
			t.Errorf("%T: bit %d flipped: %v", v, i, err)
		}
		if err := d.Decode(body, new(V)); err != nil {
			t.Fatalf("%T: the whole body after bit %d flipped: %v", v, i, err)
		}
	}
}

func TestBrokenBodies(t *testing.T) {
	cutAndExtended(t, sample(1))
	cutAndExtended(t, 7)
	cutAndExtended(t, "text")
	cutAndExtended(t, []string{"a", "b"})
	cutAndExtended(t, map[string][]int{"a": {1, 2}, "b": {300}})
	cutAndExtended(t, tree{"r", []*tree{{"k", nil}}})
	cutAndExtended(t, shapes{By: map[string][]float64{"a": {1}}})
	gob.Register(dog{})
	gob.Register([]any{})
	cutAndExtended(t, crate{"l", dog{"Rex"}, map[string]any{"a": []any{1, dog{"x"}, "s"}}})
	cutAndExtended[any](t, dog{"Rex"})
}

// allocates returns the bytes that do allocates.
func allocates(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A body that names a count of 2^40 and holds nothing.
func hugeCount[V any](t *testing.T, head ...byte) {
	t.Helper()
	d := decoderOf(t, codecOf[V](t))
	body := append(head, 0xfa, 1, 0, 0, 0, 0, 0)
	got := allocates(func() {
		var v V
		if err := d.Decode(body, &v); !errors.Is(err, gobwire.ErrCorrupt) {
			t.Errorf("%T: %v", v, err)
		}
	})
	if got > 1<<20 {
		t.Errorf("%T: %d bytes allocated for a body of %d", *new(V), got, len(body))
	}
}

func TestCountsCostNothing(t *testing.T) {
	hugeCount[string](t, 0)
	hugeCount[[]byte](t, 0)
	hugeCount[[]int](t, 0)
	hugeCount[[]record](t, 0)
	hugeCount[map[string]int](t, 0)
	hugeCount[map[struct{}]struct{}](t, 0) // gob alone would count to 2^40
	hugeCount[[]struct{}](t, 0)
	hugeCount[struct{ M map[int]record }](t, 1)
	hugeCount[any](t)
}

func TestDeepBodyIsCorrupt(t *testing.T) {
	d := decoderOf(t, codecOf[list](t))
	body := append(bytes.Repeat([]byte{2}, 1<<20), make([]byte, 1<<20+1)...)
	var v list
	if err := d.Decode(body, &v); !errors.Is(err, gobwire.ErrCorrupt) {
		t.Errorf("a million levels: %v", err)
	}
}

func TestBrokenDescriptions(t *testing.T) {
	c := codecOf[shapes](t)
	good := c.Description()
	v := shapes{By: map[string][]float64{"a": {1}}}
	body, err := c.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	for n := range good {
		if d, err := c.Decoder(good[:n]); err == nil {
			t.Errorf("%d bytes of %d were taken for a description: %v", n, len(good), d)
		} else if !errors.Is(err, gobwire.ErrCorrupt) {
			t.Errorf("%d bytes of %d: %v", n, len(good), err)
		}
	}
	for i := range len(good) * 8 {
		bad := bytes.Clone(good)
		bad[i/8] ^= 1 << (i % 8)
		d, err := c.Decoder(bad)
		if err != nil {
			if !errors.Is(err, gobwire.ErrCorrupt) && !errors.Is(err, gobwire.ErrType) {
				t.Errorf("bit %d flipped: %v", i, err)
			}
			continue
		}
		var got shapes
		if err := d.Decode(body, &got); err != nil && !errors.Is(err, gobwire.ErrCorrupt) && !errors.Is(err, gobwire.ErrType) {
			t.Errorf("bit %d flipped: decoding: %v", i, err)
		}
	}
	if _, err := c.Decoder(nil); !errors.Is(err, gobwire.ErrCorrupt) {
		t.Errorf("no description: %v", err)
	}
}

// fuzzer returns a function that feeds data to V's codec, as a body and as a
// description.
func fuzzer[V any](f *testing.F) func(t *testing.T, data []byte) {
	c := codecOf[V](f)
	d := decoderOf(f, c)
	return func(t *testing.T, data []byte) {
		ok := func(err error) {
			if err != nil && !errors.Is(err, gobwire.ErrCorrupt) && !errors.Is(err, gobwire.ErrType) {
				t.Errorf("%T: %v", *new(V), err)
			}
		}
		var v V
		if err := d.Decode(data, &v); err == nil {
			again, err := c.Append(nil, &v)
			if err != nil {
				t.Errorf("%T: decoded, but not to be encoded: %v", v, err)
			} else if err := d.Decode(again, new(V)); err != nil {
				t.Errorf("%T: encoded again, and refused: %v", v, err)
			}
		} else {
			ok(err)
		}
		if d, err := c.Decoder(data); err == nil {
			ok(d.Decode(data, new(V)))
		} else {
			ok(err)
		}
	}
}

func seed[V any](f *testing.F, v V) {
	c := codecOf[V](f)
	body, err := c.Append(nil, &v)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body)
	f.Add(c.Description())
}

func FuzzDecode(f *testing.F) {
	gob.Register(dog{})
	gob.Register([]any{})
	gob.Register(map[string]any{})
	seed(f, sample(1))
	seed(f, map[string][]int{"a": {1, 2}})
	seed(f, tree{"r", []*tree{{"k", nil}}})
	seed(f, crate{"l", dog{"Rex"}, map[string]any{"a": []any{1, dog{"x"}, "s"}}})
	all := []func(*testing.T, []byte){fuzzer[record](f), fuzzer[map[string][]int](f), fuzzer[map[struct{}]struct{}](f), fuzzer[tree](f), fuzzer[crate](f)}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, feed := range all {
			feed(t, data)
		}
	})
}
