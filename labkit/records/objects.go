package records

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Part is an object in a deep hierarchy: objects in objects in objects, each
// with a little of its own, as the parts of a machine.
type Part struct {
	Name  string
	At    Place // in the part that it is part of
	Mass  float64
	Spare bool
	Parts []*Part
}

// Place is an object within a Part.
type Place struct{ X, Y, Z float64 }

// MaxDepth is how many levels a Hierarchy has at most.
const MaxDepth = 40

// Hierarchy makes n parts in one, the root among them, from a seed: equal
// arguments give equal hierarchies on every machine. No part is part of two
// others, since an encoding without pointers would make two of it. n below 1
// counts as 1.
func Hierarchy(seed uint64, n int) *Part {
	random := rand.New(rand.NewPCG(seed, 0xdee9))
	root := newPart(random, 0)
	path := []*Part{root} // from the root to where the next part belongs
	for i := 1; i < n; i++ {
		part := newPart(random, i)
		in := path[len(path)-1]
		in.Parts = append(in.Parts, part)
		if len(path) < MaxDepth-1 {
			path = append(path, part)
		}
		if random.IntN(16) == 0 || len(path) == MaxDepth-1 {
			path = path[:1+random.IntN(len(path))]
		}
	}
	return root
}

func newPart(random *rand.Rand, i int) *Part {
	hundredths := func() float64 { return float64(random.IntN(10_000)) / 100 }
	return &Part{
		Name:  fmt.Sprintf("%s %d", pick(random, words), i),
		At:    Place{hundredths(), hundredths(), hundredths()},
		Mass:  hundredths(),
		Spare: random.IntN(2) == 1,
	}
}

// Depth is how many levels of parts p has, itself the first; 0 for nil.
func (p *Part) Depth() int {
	if p == nil {
		return 0
	}
	deepest := 0
	for _, part := range p.Parts {
		deepest = max(deepest, part.Depth())
	}
	return 1 + deepest
}

// SumPart is a checksum of a part and of all parts in it, in their order. It is
// the same in every process. A nil part is not an empty one.
func SumPart(p *Part) uint64 {
	if p == nil {
		return 0
	}
	sum := mix(start, uint64(len(p.Name)))
	for i := range len(p.Name) {
		sum = mix(sum, uint64(p.Name[i]))
	}
	for _, x := range []float64{p.At.X, p.At.Y, p.At.Z, p.Mass} {
		sum = mix(sum, math.Float64bits(x))
	}
	if p.Spare {
		sum = mix(sum, 1)
	}
	sum = mix(sum, uint64(len(p.Parts)))
	for _, part := range p.Parts {
		sum = mix(sum, SumPart(part))
	}
	return sum
}

// Node is a small object with pointers to others: a balanced search tree of
// them, since an encoding that knows no pointers would make two objects of one
// that is shared.
type Node struct {
	Key         int64
	Value       float64
	Left, Right *Node
}

// Tree makes a balanced tree of n nodes with the keys 0 to n-1 in order and
// values from a seed: equal arguments give equal trees on every machine. n below 1
// gives nil.
func Tree(seed uint64, n int) *Node {
	return grow(rand.New(rand.NewPCG(seed, 0x74ee)), 0, int64(n))
}

// grow makes a tree of the keys from one up to another, which is left out.
func grow(random *rand.Rand, from, to int64) *Node {
	if from >= to {
		return nil
	}
	middle := from + (to-from)/2
	left := grow(random, from, middle)
	node := &Node{Key: middle, Value: float64(random.IntN(10_000)) / 100, Left: left}
	node.Right = grow(random, middle+1, to)
	return node
}

// SumTree is a checksum of a tree: of every key and value, and of which node
// hangs where. It is the same in every process.
func SumTree(n *Node) uint64 {
	if n == nil {
		return 0
	}
	sum := mix(mix(start, uint64(n.Key)), math.Float64bits(n.Value))
	return mix(mix(sum, SumTree(n.Left)), SumTree(n.Right))
}
