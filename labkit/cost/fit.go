package cost

import (
	"fmt"

	"shelflab/labkit"
)

// Size is what a store holds.
type Size struct {
	N     int     // records, at least 1
	Bytes float64 // payload: keys and fields of all records
}

// Each is the payload of one record in bytes.
func (s Size) Each() float64 { return s.Bytes / float64(s.N) }

// Of is the size of n records of so many bytes each.
func Of(n int, bytes float64) Size { return Size{n, float64(n) * bytes} }

// valid refuses what no store holds.
func (s Size) valid() error {
	if s.N < 1 || s.N > labkit.MaxRecords || !(s.Bytes > 0) || s.Bytes > maxBytes {
		return fmt.Errorf("%w: %d records of %v bytes together: give 1 to %d records, and bytes above 0", ErrSize, s.N, s.Bytes, labkit.MaxRecords)
	}
	return nil
}

const (
	maxBytes  = 1e18  // more than any machine keeps, or than any second since the beginning
	leastCost = 1e-15 // seconds: less than any operation takes
)

// Point is what an operation took at one size.
type Point struct {
	Size
	// Rounds are the samples, one a round in order: seconds for one operation, or
	// bytes for what lies on disk. Each is above 0.
	Rounds []float64
}

// P50 is the median of the samples.
func (p Point) P50() float64 { return labkit.P50(p.Rounds) }

// Formula is what an operation costs: Fixed + PerRecord*n + PerByte*bytes. All
// three are at least 0, in seconds, or in bytes for what lies on disk.
type Formula struct{ Fixed, PerRecord, PerByte float64 }

// At is what the operation costs at a size.
func (f Formula) At(s Size) float64 {
	return f.Fixed + f.PerRecord*float64(s.N) + f.PerByte*s.Bytes
}

// Untold is a coefficient that the sizes measured cannot tell from another one.
// It is 0 in the formula, and what it would be is in the other.
type Untold string

const (
	AllTold  Untold = ""
	NoByte   Untold = "per byte"   // the records were of one size, or nearly: it is in PerRecord
	NoRecord Untold = "per record" // n was the same, or nearly: it is in Fixed
)

// Fit is the formula of one operation of one arm, with what can be said of its
// error.
type Fit struct {
	Formula           // of the medians
	Rounds  []Formula // of each round by itself, in order
	// Misfit is the largest factor between the formula and the median at a size
	// that was fitted, either way: 1 is exact.
	Misfit float64
	Worst  Size // where that is
	Points int  // sizes that were fitted
	// Spare is how many more sizes there were than coefficients to be found; with
	// none to spare the formula goes through every point, and Misfit says nothing.
	Spare  int
	Untold Untold
	Range  Range // what was fitted
}

// Range are the sizes that were measured.
type Range struct {
	MinN, MaxN       int     // records
	MinEach, MaxEach float64 // payload of a record, in bytes
}

// apart is by which factor sizes must differ for what grows with them to be told
// from what does not. The lab's records vary by less with the digits of their keys.
const apart = 1.5

// FitPoints fits the formula to points of different sizes, all of as many rounds,
// by least squares of the logarithms, so that all sizes count alike and half as much
// is as wrong as twice as much, with no coefficient below 0: to the medians, and to
// every round by itself.
//
// Sizes that do not tell two coefficients apart give a Fit that says so: see
// Untold. Fewer sizes than coefficients that could be told, sizes of which one
// follows from the others, two points of one size, no rounds or unequally many,
// and samples that are 0, negative, NaN or infinite, are ErrPoints.
func FitPoints(points []Point) (Fit, error) {
	f := Fit{Points: len(points)}
	if err := usable(points); err != nil {
		return f, err
	}
	f.Range = rangeOf(points)
	told := []int{fixed, perRecord, perByte}
	manyN := float64(f.Range.MaxN) > apart*float64(f.Range.MinN)
	manyEach := f.Range.MaxEach > apart*f.Range.MinEach
	switch {
	case !manyN && !manyEach:
		return f, fmt.Errorf("%w: all %d sizes are about the same, %d to %d records of %.0f to %.0f bytes: measure one that is %v times as large",
			ErrPoints, len(points), f.Range.MinN, f.Range.MaxN, f.Range.MinEach, f.Range.MaxEach, apart)
	case !manyEach:
		f.Untold, told = NoByte, []int{fixed, perRecord}
	case !manyN:
		f.Untold, told = NoRecord, []int{fixed, perByte}
	}
	if f.Spare = len(points) - len(told); f.Spare < 0 {
		return f, fmt.Errorf("%w: %d sizes for %d coefficients: measure more sizes", ErrPoints, len(points), len(told))
	}
	if !independent(points, told) {
		return f, fmt.Errorf("%w: the bytes follow from the number of records, so the coefficients cannot be told apart: measure one n with records of two sizes", ErrPoints)
	}
	costs := make([]float64, len(points))
	solve := func(cost func(Point) float64) Formula {
		for i, p := range points {
			costs[i] = cost(p)
		}
		return fitted(points, costs, told)
	}
	f.Formula = solve(Point.P50)
	for round := range points[0].Rounds {
		f.Rounds = append(f.Rounds, solve(func(p Point) float64 { return p.Rounds[round] }))
	}
	for _, p := range points {
		if off := factor(f.Formula.At(p.Size), p.P50()); off > f.Misfit {
			f.Misfit, f.Worst = off, p.Size
		}
	}
	return f, nil
}

// factor is how many times one of two numbers is the other, at least 1.
func factor(a, b float64) float64 { return max(a/b, b/a) }

func usable(points []Point) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrPoints, fmt.Sprintf(format, args...))
	}
	if len(points) == 0 {
		return bad("there are no points")
	}
	seen := map[Size]bool{}
	for _, p := range points {
		if err := p.valid(); err != nil {
			return bad("%v", err)
		}
		switch {
		case seen[p.Size]:
			return bad("%d records of %.0f bytes are there twice", p.N, p.Bytes)
		case len(p.Rounds) == 0 || len(p.Rounds) != len(points[0].Rounds):
			return bad("%d rounds at n = %d, %d at n = %d", len(p.Rounds), p.N, len(points[0].Rounds), points[0].N)
		}
		seen[p.Size] = true
		for i, x := range p.Rounds {
			if !(x > leastCost) || x > maxBytes {
				return bad("sample %d at n = %d is %v: a cost is above 0 and finite", i+1, p.N, x)
			}
		}
	}
	return nil
}

func rangeOf(points []Point) Range {
	r := Range{points[0].N, points[0].N, points[0].Each(), points[0].Each()}
	for _, p := range points[1:] {
		r.MinN, r.MaxN = min(r.MinN, p.N), max(r.MaxN, p.N)
		r.MinEach, r.MaxEach = min(r.MinEach, p.Each()), max(r.MaxEach, p.Each())
	}
	return r
}
