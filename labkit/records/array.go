package records

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// The contents that Array knows.
const (
	Ones   = "ones"   // 1.0 throughout: one digit as text, two bytes in a gob
	Random = "random" // uniform in [0, 1): up to 17 significant digits as text, nine bytes in a gob
)

// Contents lists them.
func Contents() []string { return []string{Ones, Random} }

// Array makes a square array of float64, rows x rows, from a seed: equal
// arguments give the same bits on every machine. Its rows lie one after another
// in one slice, as a program that computes with them would have it. rows below 1
// gives an empty array; content that is not of Contents is an error.
func Array(seed uint64, rows int, content string) ([][]float64, error) {
	if !slices.Contains(Contents(), content) {
		return nil, fmt.Errorf("content %q: give %s", content, strings.Join(Contents(), " or "))
	}
	rows = max(rows, 0)
	flat := make([]float64, rows*rows)
	random := rand.New(rand.NewPCG(seed, 0xa77a))
	for i := range flat {
		flat[i] = 1
		if content == Random {
			flat[i] = float64(random.Uint64()>>11) / (1 << 53)
		}
	}
	return Rows(flat, rows), nil
}

// Rows cuts flat into that many rows of equal length, without copying it. No
// rows need an empty flat; a length that is no multiple of rows is a panic, as an
// index out of range is.
func Rows(flat []float64, rows int) [][]float64 {
	if rows == 0 && len(flat) == 0 {
		return [][]float64{}
	}
	if rows < 1 || len(flat)%rows != 0 {
		panic(fmt.Sprintf("records: %d values cannot be cut into %d rows", len(flat), rows))
	}
	cut, length := make([][]float64, rows), len(flat)/rows
	for i := range cut {
		cut[i] = flat[i*length : (i+1)*length]
	}
	return cut
}

// Special lists the values that a form of writing numbers may lose: NaN, a NaN
// with a payload of its own, infinities, negative zero, the smallest and the
// largest, and what needs all its digits.
func Special() []float64 {
	return []float64{
		math.NaN(), math.Float64frombits(0x7ff8_0000_dead_beef), math.Inf(1), math.Inf(-1),
		math.Copysign(0, -1), math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
		math.Float64frombits(0x000f_ffff_ffff_ffff), // the largest denormal
		math.MaxFloat64, -math.MaxFloat64, 0, 0.1, 1.0 / 3, 1 << 53, 5e-320,
	}
}

// start is where a checksum begins: not 0, which mix would leave at 0.
const start uint64 = 0xcbf29ce484222325

// SumArray is a checksum of an array: of the bits of every value, so that NaN
// and negative zero count as what they are, in their places, and of the length of
// every row. It is the same in every process.
func SumArray(array [][]float64) uint64 {
	sum := mix(start, uint64(len(array)))
	for _, row := range array {
		sum = mix(sum, uint64(len(row)))
		for _, x := range row {
			sum = mix(sum, math.Float64bits(x))
		}
	}
	return sum
}
