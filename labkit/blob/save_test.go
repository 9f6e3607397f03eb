package blob_test

import (
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shelflab/labkit/blob"
)

// celsius encodes itself.
type celsius struct{ Degrees float64 }

func (c celsius) MarshalBinary() ([]byte, error) {
	return binary.BigEndian.AppendUint64(nil, math.Float64bits(c.Degrees)), nil
}

func (c *celsius) UnmarshalBinary(b []byte) error {
	if len(b) != 8 {
		return fmt.Errorf("%d bytes", len(b))
	}
	c.Degrees = math.Float64frombits(binary.BigEndian.Uint64(b))
	return nil
}

// sick panics when it is encoded.
type sick struct{ On string }

func (s sick) GobEncode() ([]byte, error) { panic("encoder is sick") }
func (s *sick) GobDecode([]byte) error    { panic("decoder is sick") }

// set is a map that encodes itself.
type set map[string]bool

func (s set) GobEncode() ([]byte, error) {
	var keys []string
	for key := range s {
		keys = append(keys, key)
	}
	return []byte(strings.Join(keys, ",")), nil
}

func (s *set) GobDecode(b []byte) error {
	*s = set{}
	for _, key := range strings.Split(string(b), ",") {
		(*s)[key] = true
	}
	return nil
}

type tree struct {
	Value       int
	Left, Right *tree
}

type point struct{ X, Y int }

type unregistered struct{ A int }

type named map[name]celsius
type name string

func init() { gob.Register(point{}) }

func TestRoundTrip(t *testing.T) {
	million := make([]float64, 300_000)
	for i := range million {
		million[i] = math.Sqrt(float64(i))
	}
	matrix := make([][]float64, 100)
	for i := range matrix {
		matrix[i] = million[i*1000 : (i+1)*1000]
	}
	for _, opts := range []blob.Options{{}, {Workers: 1}, {Workers: 7}, {Durability: blob.PowerLoss}} {
		same(t, makeRecords(3000), opts)
		same(t, small(), opts)
		same(t, map[string]record{}, opts)
		same(t, []record{{ID: 1}, {}, {Tags: []string{"a"}}}, opts)
		same[[]int](t, nil, opts)
		same(t, million, opts)
		same(t, matrix, opts)
		same(t, []byte("bytes"), opts)
		same(t, "text", opts)
		same(t, 42, opts)
		same(t, record{ID: 7, Tags: []string{"x"}}, opts)
		same(t, &record{ID: 7}, opts)
		same(t, &map[string]int{"a": 1}, opts)
		same(t, &[]int{1, 2}, opts)
		same(t, [3]int{1, 2, 3}, opts)
		same(t, named{"a": {1}, "b": {2.5}}, opts)
		same(t, set{"a": true, "b": true}, opts)
		same(t, map[int]string{3: "c", -1: "a", 0: ""}, opts)
		same(t, map[int8]bool{3: true, -1: false}, opts)
		same(t, map[uint16]int{3: 1, 65535: 2}, opts)
		same(t, map[uint64]int{3: 1, 1 << 63: 2}, opts)
		same(t, map[float64]int{math.Inf(1): 1, -0.5: 2}, opts)
		same(t, map[complex128]int{1 + 2i: 1, 1 - 2i: 2}, opts)
		same(t, map[bool]int{true: 1, false: 0}, opts)
		same(t, map[point]string{{1, 2}: "a", {0, 3}: "b"}, opts)
		same(t, map[[2]string]int{{"a", "b"}: 1, {"a", "a"}: 2}, opts)
		same(t, map[string][]byte{"a": []byte("x"), "b": nil}, opts)
		same(t, map[string]map[string]int{"a": {"x": 1}, "b": {}}, opts)
		same(t, map[string]*record{"a": {ID: 1}, "b": {}}, opts)
		same(t, []*record{{ID: 1}, {}}, opts)
		same(t, map[string]any{"a": 1, "b": "x", "c": point{1, 2}, "d": nil}, opts)
		same(t, []any{1, "x", point{3, 4}}, opts)
		same[any](t, point{1, 2}, opts)
		same(t, map[any]int{"a": 1, 2: 2}, opts)
		same(t, map[string]tree{"a": {Left: &tree{Value: 2}}}, opts)
		same(t, []tree{{}, {Left: &tree{Value: 2}}}, opts)
		same(t, tree{Right: &tree{Value: 1}}, opts)
		same(t, map[string]time.Time{"a": time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)}, opts)
		same(t, map[time.Time]int{time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC): 1}, opts)
		same(t, map[string]struct{ A []string }{"a": {[]string{strings.Repeat("x", 200_000)}}, "b": {}}, opts)
	}
}

func same[T any](t *testing.T, v T, opts blob.Options) {
	t.Helper()
	got := roundTrip(t, v, opts)
	wantEqual(t, got, v)
}

// TestGobsRules is the table in the package comment.
func TestGobsRules(t *testing.T) {
	if got := roundTrip[map[string]int](t, nil, blob.Options{}); got == nil || len(got) != 0 {
		t.Errorf("nil map comes back as %#v", got)
	}
	if got := roundTrip(t, []int{}, blob.Options{}); got != nil {
		t.Errorf("empty slice comes back as %#v", got)
	}
	if got := roundTrip(t, [][]int{{}}, blob.Options{}); len(got) != 1 || got[0] != nil {
		t.Errorf("slice of an empty slice comes back as %#v", got)
	}
	type fields struct {
		Slice []int
		Map   map[string]int
		Ptr   *int
		Zero  float64
	}
	zero := 0
	got := roundTrip(t, []fields{{[]int{}, map[string]int{}, &zero, math.Copysign(0, -1)}}, blob.Options{})[0]
	wantEqual(t, got.Slice == nil, true)
	wantEqual(t, got.Map != nil, true)
	wantEqual(t, got.Ptr == nil, true)
	wantEqual(t, math.Signbit(got.Zero), false)
	shared := &point{1, 2}
	both := roundTrip(t, []*point{shared, shared}, blob.Options{})
	wantEqual(t, both, []*point{{1, 2}, {1, 2}})
	wantEqual(t, both[0] != both[1], true)
	nan := roundTrip(t, []float64{math.NaN(), math.Copysign(0, -1)}, blob.Options{})
	wantEqual(t, len(roundTrip(t, map[float64]int{math.NaN(): 1, math.Inf(-1): 2}, blob.Options{})), 2)
	wantEqual(t, math.IsNaN(nan[0]) && math.Signbit(nan[1]), true)
	wantEqual(t, roundTrip(t, map[string]string{"\xff": "\xfe\x00"}, blob.Options{}), map[string]string{"\xff": "\xfe\x00"})
}

func TestSaveRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	old := map[string]int{"old": 1}
	check(t, blob.Save(path, old, blob.Options{}))
	cyclic := &tree{}
	cyclic.Left = cyclic
	refuse(t, path, map[string]*tree{"a": cyclic}, blob.ErrType)
	refuse(t, path, []*tree{cyclic}, blob.ErrType)
	refuse(t, path, *cyclic, blob.ErrType)
	refuse(t, path, map[string]any{"a": cyclic}, blob.ErrType)
	refuse(t, path, map[string]*record{"a": nil}, blob.ErrType)
	refuse(t, path, []*record{nil}, blob.ErrType)
	refuse(t, path, (*record)(nil), blob.ErrType)
	refuse(t, path, (*map[string]int)(nil), blob.ErrType)
	refuse(t, path, map[string]any{"a": unregistered{}}, blob.ErrType)
	refuse(t, path, []any{(*record)(nil)}, blob.ErrType)
	refuse(t, path, []struct{ hidden, Seen int }{}, blob.ErrType)
	refuse(t, path, map[string]func(){}, blob.ErrType)
	refuse(t, path, map[string]struct {
		time.Time
		Lost int
	}{}, blob.ErrType)
	refuse(t, path, make(chan int), blob.ErrType)
	refuse(t, path, []sick{{}}, blob.ErrType)
	refuse(t, path, map[string]sick{"a": {}}, blob.ErrType)
	refuse(t, path, sick{}, blob.ErrType)
	wantError(t, blob.Save(path, old, blob.Options{Durability: 7}), blob.ErrOption, path)
	wantError(t, blob.Save(path, old, blob.Options{Workers: -1}), blob.ErrOption, path)
	_, err := blob.LoadWith[map[string]int](path, blob.Options{Workers: -1})
	wantError(t, err, blob.ErrOption, path)
	wantOnly(t, path)
	wantEqual(t, must[map[string]int](t)(blob.Load[map[string]int](path)), old)
}

func refuse[T any](t *testing.T, path string, v T, want error) {
	t.Helper()
	wantError(t, blob.Save(path, v, blob.Options{}), want, path)
}

// TestSavedTwice: one map, in different states of its hash table, gives the same
// bytes whatever the number of workers.
func TestSavedTwice(t *testing.T) {
	twice(t, makeRecords(3000))
	twice(t, map[int]string{5: "a", -5: "b", 0: "c", 77: "d", 12: "e"})
	twice(t, map[point]int{{1, 2}: 1, {1, 1}: 2, {0, 5}: 3, {-1, 5}: 4})
	twice(t, map[[2]string]any{{"a", "b"}: 1, {"a", "a"}: "x", {"", ""}: point{1, 2}})
	twice(t, map[string]tree{"a": {}, "b": {Value: 1}, "c": {Left: &tree{}}})
	twice(t, map[bool]float64{true: 1, false: 2})
	twice(t, map[float64]int{-1: 1, 1: 2, 0: 3, math.Inf(-1): 4, 1e-300: 5, -1e300: 6})
	long := strings.Repeat("common", 5)
	twice(t, map[string]int{long + "a": 1, long: 2, long + "\x00": 3, long + "12345678b": 4, long + "12345678a": 5})
}

func twice[K comparable, V any](t *testing.T, m map[K]V) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.blob")
	var first []byte
	for workers := range 5 {
		again := make(map[K]V, workers*100)
		for k, v := range m {
			again[k] = v
		}
		check(t, blob.Save(path, again, blob.Options{Workers: workers}))
		b := must[[]byte](t)(os.ReadFile(path))
		if first == nil {
			first = b
		}
		if string(b) != string(first) {
			t.Errorf("%T: %d workers write other bytes", m, workers)
		}
	}
}
