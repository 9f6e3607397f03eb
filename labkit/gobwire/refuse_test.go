package gobwire_test

import (
	"encoding/gob"
	"errors"
	"math/big"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"shelflab/labkit/gobwire"
)

type (
	// Encodes declares its own encoder with a value receiver.
	Encodes struct{ X int }
	// half encodes itself and cannot read it back.
	half struct{ X int }
	// overrides embeds an encoder and has one of its own.
	overrides struct {
		time.Time
		X int
	}
	// overridesByPointer has the encoder on its pointer.
	overridesByPointer struct {
		time.Time
		X int
	}
	swallows struct {
		time.Time
		X int
	}
	swallowsPointer struct {
		X int
		*time.Time
	}
	only  struct{ time.Time }
	stuck *stuck
	guard struct {
		mu sync.Mutex `gobwire:"-"`
		N  int
		_  [4]byte
		F  func() `gobwire:"-"`
	}
)

func (e Encodes) GobEncode() ([]byte, error)   { return []byte{byte(e.X)}, nil }
func (e *Encodes) GobDecode(p []byte) error    { e.X = int(p[0]); return nil }
func (h half) GobEncode() ([]byte, error)      { return nil, nil }
func (o overrides) GobEncode() ([]byte, error) { return []byte{byte(o.X)}, nil }
func (o *overrides) GobDecode(p []byte) error  { o.X = int(p[0]); return nil }
func (o *overridesByPointer) GobEncode() ([]byte, error) {
	return []byte{byte(o.X)}, nil
}
func (o *overridesByPointer) GobDecode(p []byte) error { o.X = int(p[0]); return nil }

func refused[V any](t *testing.T, words ...string) {
	t.Helper()
	_, err := gobwire.New[V]()
	checkError(t, err, gobwire.ErrType, words...)
}

func checkError(t *testing.T, err, sentinel error, words ...string) {
	t.Helper()
	if !errors.Is(err, sentinel) {
		t.Errorf("got %v, want an error of %v", err, sentinel)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not mention %q", err, w)
		}
	}
}

func TestTypesRefused(t *testing.T) {
	refused[struct {
		A int
		b string
	}](t, ".b", "unexported", "export it")
	refused[struct {
		base
		A int
	}](t, ".base", "unexported")
	refused[struct{ In []struct{ C chan int } }](t, ".In[].C", "chan int")
	refused[struct {
		A int
		F *func()
	}](t, ".F", "func()")
	refused[map[string]func()](t, "cannot carry a func")
	refused[[]chan int](t, "cannot carry a chan")
	refused[unsafe.Pointer](t, "unsafe.Pointer")
	refused[struct{ x int }](t, ".x", "unexported")
	refused[sync.Mutex](t, "sync.Mutex")
	refused[struct{ _ int }](t, "no field that gob carries")
	refused[swallows](t, "embedded Time", "lose X", "give the embedded field a name")
	refused[swallowsPointer](t, "embedded Time", "lose X")
	refused[struct{ List []swallows }](t, ".List[]", "lose X")
	refused[half](t, "GobEncode and GobDecode")
	refused[map[string]big.Int](t, "pointer receiver", "*big.Int")
	refused[stuck](t, "points to itself")
}

func TestTypesAllowed(t *testing.T) {
	same(t, map[string]*big.Int{"a": big.NewInt(3)})
	same(t, Encodes{7})
	if got := carry(t, overrides{X: 9}); got.X != 9 {
		t.Errorf("own GobEncode beside an embedded one: X = %d", got.X)
	}
	if got := carry(t, overridesByPointer{X: 9}); got.X != 9 {
		t.Errorf("own GobEncode by pointer beside an embedded one: X = %d", got.X)
	}
	when := only{time.Unix(7, 0).UTC()}
	if got := carry(t, when); !got.Equal(when.Time) {
		t.Errorf("embedded time alone came back as %v", got)
	}
	in := guard{N: 3, F: func() {}}
	in.mu.Lock()
	if got := carry(t, struct{ G *guard }{&in}); got.G.N != 3 || got.G.F != nil {
		t.Errorf("tagged fields came back as %+v", got.G)
	}
}

func valueRefused[V any](t *testing.T, v V, words ...string) {
	t.Helper()
	c := codecOf[V](t)
	for range 2 {
		dst := []byte("kept")
		got, err := c.Append(dst, &v)
		checkError(t, err, gobwire.ErrType, words...)
		if string(got) != "kept" {
			t.Errorf("after an error dst is %q", got)
		}
	}
}

type unregistered struct{ A int }

type loop struct{ Any any }

func TestValuesRefused(t *testing.T) {
	valueRefused[*record](t, nil, "nil pointer as the value")
	valueRefused(t, new(*record), "nil pointer as the value")
	valueRefused(t, []*int{new(int), nil}, "nil element")
	valueRefused(t, [2]*int{}, "nil element")
	valueRefused(t, map[string]*int{"a": nil}, "nil")
	valueRefused(t, []*time.Time{nil}, "nil")
	ring := &list{N: 1}
	ring.Next = ring
	valueRefused(t, ring, "cyclic")
	valueRefused(t, tree{Kids: []*tree{{}, (func() *tree { a := &tree{}; a.Kids = []*tree{a}; return a })()}}, "cyclic")
	self := make(nest, 1)
	self[0] = self
	valueRefused(t, self, "cyclic")
	deep := &list{}
	for range 20_000 {
		deep = &list{Next: deep}
	}
	valueRefused(t, deep, "nested beyond 10000 levels")
	valueRefused[any](t, unregistered{1}, "gob.Register")
	valueRefused[any](t, (*record)(nil), "nil *gobwire_test.record in an interface")
	valueRefused[any](t, sync.Mutex{}, "unexported")
	gob.Register(loop{})
	round := &loop{}
	round.Any = round
	valueRefused(t, round, "cyclic")
	if _, err := codecOf[int](t).Append(nil, nil); !errors.Is(err, gobwire.ErrType) {
		t.Errorf("Append(nil, nil) = %v", err)
	}
}

func TestDeepValuesComeBack(t *testing.T) {
	deep := &list{}
	for range 9_000 {
		deep = &list{Next: deep}
	}
	got := carry(t, deep)
	n := 0
	for ; got != nil; got = got.Next {
		n++
	}
	if n != 9_001 {
		t.Errorf("%d links came back of 9001", n)
	}
}

// moody panics, or fails, as it is told.
type moody struct{ Word string }

func (m moody) GobEncode() ([]byte, error) {
	if m.Word == "panic" {
		panic("in a mood")
	}
	if m.Word == "fail" {
		return nil, errors.New("not today")
	}
	return []byte(m.Word), nil
}

func (m *moody) GobDecode(p []byte) error {
	switch m.Word = string(p); m.Word {
	case "panic later":
		panic("in a mood")
	case "fail later":
		return errors.New("not today")
	}
	return nil
}

// Encoders that panic or fail give errors, and disturb nobody.
func TestMoodyEncoders(t *testing.T) {
	valueRefused(t, moody{"panic"}, "in a mood")
	valueRefused(t, []moody{{"fine"}, {"fail"}}, "not today")
	c := codecOf[moody](t)
	d := decoderOf(t, c)
	for word, words := range map[string]string{"panic later": "in a mood", "fail later": "not today"} {
		v := moody{word}
		body, err := c.Append(nil, &v)
		if err != nil {
			t.Fatal(err)
		}
		checkError(t, d.Decode(body, new(moody)), gobwire.ErrCorrupt, words)
		same(t, moody{"fine"})
	}
}
