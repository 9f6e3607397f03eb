package codecs_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/codecs"
	"shelflab/labkit/arms/values"
	"shelflab/labkit/gobwire"
	"shelflab/labkit/records"
)

// engines lists all of them for values of type V.
func engines[V any](t *testing.T) []codecs.Engine {
	t.Helper()
	var list []codecs.Engine
	for _, name := range codecs.Names() {
		e, err := engine[V](name)
		if err != nil || e.Name != name || e.Kind == "" || e.What == "" {
			t.Fatalf("%s: %+v, %v", name, e, err)
		}
		list = append(list, e)
	}
	return list
}

func trip[V any](t *testing.T, e codecs.Engine, v V) (V, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "value")
	if err := codecs.Save(e, path, &v); err != nil {
		return v, err
	}
	return codecs.Load[V](e, path)
}

func TestArraysComeBack(t *testing.T) {
	random, err := records.Array(1, 30, records.Random)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range engines[[][]float64](t) {
		for name, a := range map[string][][]float64{"random": random, "ragged": {{1}, {2, 3}}, "one": {{1}}, "empty": {}} {
			if back, err := trip(t, e, a); err != nil || records.SumArray(back) != records.SumArray(a) {
				t.Errorf("%s, %s: %v came back as %v, %v", e.Name, name, a, back, err)
			}
		}
		for _, x := range records.Special() {
			a := [][]float64{{1, x}}
			back, err := trip(t, e, a)
			if strange := math.IsNaN(x) || math.IsInf(x, 0); strange && e.Name == "JSON" {
				if err == nil {
					t.Errorf("JSON took %v", x)
				}
				continue
			}
			same := err == nil && math.Float64bits(back[0][1]) == math.Float64bits(x)
			if err == nil && e.Name == "CBOR" && math.IsNaN(x) { // its NaN has no payload by default
				same = math.IsNaN(back[0][1])
			}
			if !same {
				t.Errorf("%s: %v came back as %v, %v", e.Name, x, back, err)
			}
		}
	}
}

func TestObjectsComeBack(t *testing.T) {
	parts, err1 := values.Hierarchy(1, 3000)
	tree, err2 := values.Tree(1, 3000)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for _, e := range engines[records.Part](t) {
		if back, err := trip(t, e, parts.V); err != nil || parts.Sum(back) != parts.Sum(parts.V) {
			t.Errorf("%s: another hierarchy, %v", e.Name, err)
		}
	}
	for _, e := range engines[records.Node](t) {
		if back, err := trip(t, e, tree.V); err != nil || tree.Sum(back) != tree.Sum(tree.V) {
			t.Errorf("%s: another tree, %v", e.Name, err)
		}
	}
}

// A value that is cut short is an error at every length, and no part of it comes
// back.
func TestCut(t *testing.T) {
	parts := records.Hierarchy(1, 5)
	for _, e := range engines[records.Part](t) {
		path := filepath.Join(t.TempDir(), "value")
		if err := codecs.Save(e, path, parts); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(bytes.TrimRight(whole, "\n")) {
			if err := errors.Join(os.Remove(path), os.WriteFile(path, whole[:n], 0o600)); err != nil {
				t.Fatal(err)
			}
			back, err := codecs.Load[records.Part](e, path)
			if err == nil || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), path) || back.Name != "" || back.Parts != nil {
				t.Errorf("%s, the first %d bytes of %d: %+v, %v", e.Name, n, len(whole), back, err)
			}
		}
		if _, err := codecs.Load[records.Part](e, path+" is not there"); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s, no file: %v", e.Name, err)
		}
		if err := codecs.Save(e, filepath.Join(path, "in a file"), parts); err == nil {
			t.Errorf("%s: a path that cannot be: no error", e.Name)
		}
	}
}

func TestGobwireIsOfOneType(t *testing.T) {
	e, err := codecs.Gobwire[records.Part]()
	if err != nil {
		t.Fatal(err)
	}
	other := 1
	if err := e.Encode(new(bytes.Buffer), &other); err == nil || !strings.Contains(err.Error(), "records.Part") {
		t.Errorf("another type was encoded: %v", err)
	}
	if err := e.Decode(new(bytes.Buffer), &other); err == nil || !strings.Contains(err.Error(), "records.Part") {
		t.Errorf("another type was decoded: %v", err)
	}
	if _, err := codecs.Gobwire[struct{ unseen int }](); !errors.Is(err, gobwire.ErrType) {
		t.Errorf("a type that it cannot carry: %v", err)
	}
	for _, claims := range []string{"\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\x7fx", strings.Repeat("x", 40)} {
		if err := e.Decode(strings.NewReader(claims), new(records.Part)); !errors.Is(err, codecs.ErrCorrupt) {
			t.Errorf("%q: %v, want ErrCorrupt", claims, err)
		}
	}
}

func TestArms(t *testing.T) {
	array, err1 := values.Array(1, 12, records.Random)
	parts, err2 := values.Hierarchy(1, 12)
	tree, err3 := values.Tree(1, 12)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	for name, arms := range map[string][]labkit.Arm{
		"array":     codecs.Arms(array, labkit.ProcessCrash, engines[[][]float64](t)...),
		"hierarchy": codecs.Arms(parts, labkit.ProcessCrash, engines[records.Part](t)...),
		"tree":      codecs.Arms(tree, labkit.PowerLoss, engines[records.Node](t)...),
	} {
		plan := labkit.Plan{Name: "codecs", N: []int{12}, Rounds: 1, Keys: 1, Seed: 1}
		series, err := labkit.Lab{Plan: plan, Dir: t.TempDir()}.Measure(t.Context(), 12, arms)
		if err != nil || len(series) != 3*(len(codecs.Names())+1) { // and the control
			t.Errorf("%s: %d series, %v", name, len(series), err)
		}
	}
	list := codecs.Comparisons(engines[records.Part](t)...)
	if len(list) != 5 || list[0].A != "gobwire" || list[0].B != "gob" || codecs.Comparisons() != nil {
		t.Errorf("comparisons: %+v", list)
	}
}

func TestTable(t *testing.T) {
	head, rows := codecs.Table()
	if len(rows) != len(codecs.Facts()) || !slices.Equal(head[2:], codecs.Names()) {
		t.Fatalf("%d rows under %q", len(rows), head)
	}
	for _, row := range rows {
		if len(row) != len(head) || slices.Contains(row[1:], "") {
			t.Errorf("row %q", row)
		}
	}
}
