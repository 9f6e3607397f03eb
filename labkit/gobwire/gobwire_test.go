package gobwire_test

import (
	"errors"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/gobwire"
)

// carry sends v through a codec and a decoder of its description.
func carry[V any](t *testing.T, v V) V {
	t.Helper()
	c := codecOf[V](t)
	d := decoderOf(t, c)
	var got V
	for range 3 { // a primed pair first, a used pair then
		prefix := []byte("kept")
		body, err := c.Append(prefix, &v)
		if err != nil {
			t.Fatalf("Append(%#v): %v", v, err)
		}
		if string(body[:4]) != "kept" {
			t.Fatalf("Append changed what was there: %q", body[:4])
		}
		var fresh V
		if err := d.Decode(body[4:], &fresh); err != nil {
			t.Fatalf("Decode of %#v: %v", v, err)
		}
		got = fresh
	}
	return got
}

func same[V any](t *testing.T, v V) {
	t.Helper()
	got := carry(t, v)
	if diff := cmp.Diff(v, got, exportAll); diff != "" {
		t.Errorf("%T came back changed (-in +out):\n%s", v, diff)
	}
}

var exportAll = cmp.Options{
	cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 }),
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
	cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b }),
}

type (
	celsius float64
	tags    []string
	tree    struct {
		Name string
		Kids []*tree
	}
	list struct {
		N    int
		Next *list
	}
	nest  []nest
	base  struct{ Hidden int }
	Shown struct{ Depth int }
	outer struct {
		Shown
		Title string
	}
	pair[A, B any] struct {
		First  A
		Second B
	}
	shapes struct {
		When  time.Time
		Addr  netip.Addr
		Link  *url.URL
		Big   *big.Int
		Grid  [2][3]int
		By    map[string][]float64
		Set   map[int]struct{}
		C     complex64
		Bytes []byte
		P     **int
		U     uint8
		R     rune
	}
)

func TestValuesComeBack(t *testing.T) {
	same(t, sample(3))
	same(t, record{})
	same(t, 42)
	same(t, int8(-7))
	same(t, uint64(math.MaxUint64))
	same(t, 2.5)
	same(t, celsius(-3))
	same(t, math.NaN())
	same(t, complex(1, -2))
	same(t, true)
	same(t, "")
	same(t, "\xff\x00 not UTF-8")
	same(t, []byte{1, 0, 255})
	same(t, []string{"a", "", "c"})
	same(t, tags{"x"})
	same(t, [3]string{"a", "b"})
	same(t, map[string]int{"a": 1, "": -1})
	same(t, map[int]map[string]bool{1: {"x": true}, 2: {}})
	same(t, map[string]struct{}{"a": {}})
	same(t, struct{}{})
	same(t, outer{Shown{4}, "t"})
	same(t, tree{"root", []*tree{{"a", nil}, {"b", []*tree{{"c", nil}}}}})
	same(t, list{1, &list{2, nil}})
	same(t, nest{nil, {nil, nil}})
	same(t, pair[int, record]{1, sample(2)})
	same(t, time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC))
	n, p := 5, new(int)
	*p = 6
	same(t, &n)
	same(t, shapes{
		When: time.Date(2026, 2, 3, 4, 5, 6, 7, time.UTC), Addr: netip.MustParseAddr("10.0.0.1"),
		Link: &url.URL{Scheme: "https", Host: "example.org"}, Big: big.NewInt(-9),
		Grid: [2][3]int{{1}, {0, 2}}, By: map[string][]float64{"a": {1, math.Inf(-1)}},
		Set: map[int]struct{}{4: {}}, C: 1i, Bytes: []byte("b"), P: &p, U: 255, R: 'ß',
	})
	same(t, []gobwire.Entry[record]{{"a", sample(1)}, {"b", record{}}})
	same(t, strings.Repeat("large ", 2<<20))
}

// What the package comment says that gob changes.
func TestWhatGobChanges(t *testing.T) {
	type fields struct {
		Slice    []int
		Map, Nil map[string]int
		Zero     *int
		Text     *string
		Struct   *list
		Array    *[2]int
		Neg      float64
		NegIn    []float64
		A, B     *list
	}
	shared := &list{N: 3}
	in := fields{
		Slice: []int{}, Map: map[string]int{}, Zero: new(int), Text: new(string),
		Struct: &list{}, Array: &[2]int{}, Neg: math.Copysign(0, -1),
		NegIn: []float64{math.Copysign(0, -1)}, A: shared, B: shared,
	}
	got := carry(t, in)
	if got.Slice != nil || got.Map == nil || got.Nil != nil || got.Zero != nil || got.Text != nil {
		t.Errorf("empty fields came back as %#v", got)
	}
	if got.Struct == nil || got.Array == nil {
		t.Errorf("pointers to a zero struct and array came back as %v, %v", got.Struct, got.Array)
	}
	if math.Signbit(got.Neg) || !math.Signbit(got.NegIn[0]) {
		t.Errorf("negative zero: field %v, element %v", got.Neg, got.NegIn[0])
	}
	if got.A == got.B || got.A.N != 3 || got.B.N != 3 {
		t.Errorf("shared pointers came back as %p %p", got.A, got.B)
	}
	if got := carry[[]int](t, nil); got != nil {
		t.Errorf("nil slice as V came back as %#v", got)
	}
	if got := carry[map[string]int](t, nil); got == nil || len(got) != 0 {
		t.Errorf("nil map as V came back as %#v", got)
	}
	if got := carry(t, [][]int{nil, {}}); got[0] != nil || got[1] != nil {
		t.Errorf("nil and empty elements came back as %#v", got)
	}
	if got := carry(t, []map[string]int{nil}); got[0] == nil {
		t.Errorf("nil map as an element came back as nil")
	}
	now := time.Now()
	if got := carry(t, now); !got.Equal(now) || got.String() == now.String() {
		t.Errorf("%v came back as %v, which should be without the monotonic clock", now, got)
	}
}

func TestNamesAndShapes(t *testing.T) {
	check := func(got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	c := codecOf[record](t)
	check(c.Name(), "gobwire_test.record")
	check(c.Shape(), "struct record{ID int; Name string; Email string; Tags []string; Score float; Active bool; Note string}")
	check(codecOf[*record](t).Name(), "gobwire_test.record")
	check(codecOf[*record](t).Shape(), c.Shape())
	check(codecOf[map[string]int](t).Name(), "map[string]int")
	check(codecOf[tree](t).Shape(), "struct tree{Name string; Kids []#0}")
	check(codecOf[nest](t).Shape(), "[]^1")
	check(codecOf[shapes](t).Shape(), "struct shapes{When gob:Time; Addr binary:Addr; Link binary:URL; Big gob:Int; "+
		"Grid [2][3]int; By map[string][]float; Set map[int]struct {}; C complex; Bytes bytes; P int; U uint; R int}")
	check(codecOf[any](t).Shape(), "interface")
}

func TestBodiesAreSmall(t *testing.T) {
	c, v := codecOf[record](t), sample(7)
	body, err := c.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	if len(body) > 120 {
		t.Errorf("a body of %d bytes; the payload has about 110", len(body))
	}
	if reflect.DeepEqual(c.Description(), body) || len(c.Description()) < 80 {
		t.Errorf("description of %d bytes", len(c.Description()))
	}
	c.Description()[0]++ // the caller's copy
	decoderOf(t, c)
}

func TestConcurrentUse(t *testing.T) {
	c := codecOf[record](t)
	d := decoderOf(t, c)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 500 {
				v := sample(g*1000 + i)
				body, err := c.Append(nil, &v)
				if err != nil {
					t.Error(err)
					return
				}
				if i%7 == 0 { // a broken one must not disturb the others
					var bad record
					if err := d.Decode(body[:len(body)/2], &bad); !errors.Is(err, gobwire.ErrCorrupt) {
						t.Errorf("half a body: %v", err)
						return
					}
				}
				var got record
				if err := d.Decode(body, &got); err != nil {
					t.Error(err)
					return
				}
				if diff := cmp.Diff(v, got); diff != "" {
					t.Error(diff)
					return
				}
			}
		})
	}
	wg.Wait()
}
