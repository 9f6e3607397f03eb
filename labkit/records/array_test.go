package records_test

import (
	"math"
	"testing"

	"shelflab/labkit/records"
)

// What a seed gives is part of what evidence means.
func TestArrayIsGolden(t *testing.T) {
	a, err := records.Array(1, 1000, records.Random)
	if err != nil {
		t.Fatal(err)
	}
	if len(a) != 1000 || len(a[999]) != 1000 {
		t.Fatalf("%d rows of %d", len(a), len(a[999]))
	}
	for at, want := range map[[2]int]uint64{{0, 0}: goldenFirst, {999, 999}: goldenLast} {
		if got := math.Float64bits(a[at[0]][at[1]]); got != want {
			t.Errorf("value %v has the bits %#x, want %#x", at, got, want)
		}
	}
	if got := records.SumArray(a); got != goldenSum {
		t.Errorf("checksum %#x, want %#x", got, uint64(goldenSum))
	}
	for _, row := range a {
		for _, x := range row {
			if x < 0 || x >= 1 {
				t.Fatalf("%v is not in [0, 1)", x)
			}
		}
	}
}

func TestArrayOfOnes(t *testing.T) {
	a, err := records.Array(7, 20, records.Ones)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range a {
		for _, x := range row {
			if x != 1 {
				t.Fatalf("%v among the ones", x)
			}
		}
	}
	other, err := records.Array(8, 20, records.Random)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := records.Array(9, 20, records.Random); records.SumArray(again) == records.SumArray(other) {
		t.Error("seeds 8 and 9 give equal arrays")
	}
}

func TestArrayEdges(t *testing.T) {
	for _, rows := range []int{-1, 0} {
		if a, err := records.Array(1, rows, records.Ones); err != nil || a == nil || len(a) != 0 {
			t.Errorf("%d rows: %v, %v", rows, a, err)
		}
	}
	if _, err := records.Array(1, 2, "zeros"); err == nil {
		t.Error("an unknown content was taken")
	}
	a, _ := records.Array(1, 3, records.Ones)
	if &a[0][:9][3] != &a[1][0] { // one slice behind all rows
		t.Error("the rows do not follow one another in memory")
	}
	for name, cut := range map[string]func(){
		"no multiple": func() { records.Rows(make([]float64, 5), 2) },
		"no rows":     func() { records.Rows(make([]float64, 5), 0) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			cut()
		}()
	}
}

// A checksum that takes two different arrays for one would let a wrong load
// through.
func TestSumArrayTells(t *testing.T) {
	zero, minus := 0.0, math.Copysign(0, -1)
	nan, other := math.NaN(), math.Float64frombits(0x7ff8_0000_dead_beef)
	seen := map[uint64]int{}
	for i, a := range [][][]float64{
		nil, {{}}, {{}, {}}, {{zero}}, {{minus}}, {{nan}}, {{other}}, {{1, 2}}, {{2, 1}}, {{1}, {2}}, {{1, 2}, {}}, {{}, {1, 2}},
		{{math.Inf(1)}}, {{math.Inf(-1)}},
	} {
		sum := records.SumArray(a)
		if j, ok := seen[sum]; ok {
			t.Errorf("arrays %d and %d have one checksum", i, j)
		}
		seen[sum] = i
	}
	if records.SumArray(nil) != records.SumArray([][]float64{}) {
		t.Error("no rows are not no rows")
	}
}

func TestHierarchy(t *testing.T) {
	root := records.Hierarchy(1, 5000)
	count := 0
	var walk func(p *records.Part)
	walk = func(p *records.Part) {
		count++
		for _, part := range p.Parts {
			walk(part)
		}
	}
	walk(root)
	if count != 5000 || root.Depth() != records.MaxDepth {
		t.Errorf("%d parts on %d levels, want 5000 on %d", count, root.Depth(), records.MaxDepth)
	}
	if got := records.SumPart(root); got != goldenHierarchy {
		t.Errorf("checksum %#x, want %#x", got, uint64(goldenHierarchy))
	}
	if records.SumPart(records.Hierarchy(2, 5000)) == records.SumPart(root) {
		t.Error("seeds 1 and 2 give equal hierarchies")
	}
	if one := records.Hierarchy(1, 0); len(one.Parts) != 0 || one.Depth() != 1 || (*records.Part)(nil).Depth() != 0 {
		t.Errorf("the smallest hierarchy: %+v", one)
	}
	base := records.SumPart(records.Hierarchy(1, 20))
	for name, change := range map[string]func(p *records.Part){
		"name":  func(p *records.Part) { p.Name += "x" },
		"place": func(p *records.Part) { p.At.Z = math.Copysign(p.At.Z, -1) },
		"mass":  func(p *records.Part) { p.Mass++ },
		"spare": func(p *records.Part) { p.Spare = !p.Spare },
		"parts": func(p *records.Part) { p.Parts = append(p.Parts, &records.Part{}) },
		"nil":   func(p *records.Part) { p.Parts[0] = nil },
	} {
		p := records.Hierarchy(1, 20)
		change(p)
		if records.SumPart(p) == base {
			t.Errorf("another %s has the same checksum", name)
		}
	}
}

func TestTree(t *testing.T) {
	root := records.Tree(1, 1000)
	next, depth := int64(0), 0
	var walk func(n *records.Node, level int)
	walk = func(n *records.Node, level int) {
		if n == nil {
			return
		}
		walk(n.Left, level+1)
		if n.Key != next {
			t.Fatalf("key %d comes after %d others", n.Key, next)
		}
		next, depth = next+1, max(depth, level)
		walk(n.Right, level+1)
	}
	walk(root, 1)
	if next != 1000 || depth != 10 {
		t.Errorf("%d nodes on %d levels, want 1000 on 10", next, depth)
	}
	if got := records.SumTree(root); got != goldenTree {
		t.Errorf("checksum %#x, want %#x", got, uint64(goldenTree))
	}
	if records.SumTree(records.Tree(2, 1000)) == records.SumTree(root) || records.Tree(1, 0) != nil || records.Tree(1, -3) != nil {
		t.Error("another seed gives the same tree, or no nodes are not nil")
	}
	mirrored := &records.Node{Key: 1, Right: &records.Node{Key: 2}}
	if records.SumTree(mirrored) == records.SumTree(&records.Node{Key: 1, Left: &records.Node{Key: 2}}) {
		t.Error("a node on the other side has the same checksum")
	}
}

const (
	goldenFirst     = 0x3fe6d7371a48fb2d
	goldenLast      = 0x3fe13483bd46a290
	goldenSum       = 0x4471dbcd438f56ca
	goldenHierarchy = 0x8789119a703a1f50
	goldenTree      = 0x7eab877b3f51e60e
)
