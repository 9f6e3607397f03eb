package cost

import (
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// The coefficients of a Formula, as columns.
const (
	fixed = iota
	perRecord
	perByte
	coefficients
)

// row is what the coefficients are multiplied by at a size.
func row(s Size) [coefficients]float64 { return [coefficients]float64{1, float64(s.N), s.Bytes} }

// design has a row for each point, over its cost, and a column for each of the
// chosen coefficients, scaled to the length 1; lengths are what they were.
func design(points []Point, costs []float64, chosen []int) (a *mat.Dense, lengths []float64) {
	a = mat.NewDense(len(points), len(chosen), nil)
	lengths = make([]float64, len(chosen))
	for j, c := range chosen {
		for i, p := range points {
			a.Set(i, j, row(p.Size)[c]/costs[i])
		}
		lengths[j] = mat.Norm(a.ColView(j), 2)
		for i := range points {
			a.Set(i, j, a.At(i, j)/lengths[j])
		}
	}
	return a, lengths
}

// independent tells whether no column is made of others, at the costs measured.
func independent(points []Point, told []int) bool {
	costs := make([]float64, len(points))
	for i, p := range points {
		costs[i] = p.P50()
	}
	a, _ := design(points, costs, told)
	const most = 1e8 // beyond it a coefficient is made of rounding
	return mat.Cond(a, 2) < most
}

// nonNegative finds the coefficients, none below 0, that give the least sum of
// squared relative errors; those not told are 0. The best ones are the plain least
// squares of those that are above 0, and with three there are only seven choices
// of which these are, so all are tried. Of two that are as good, the one with
// fewer coefficients is taken.
func nonNegative(points []Point, costs []float64, told []int) Formula {
	var best [coefficients]float64
	least := math.Inf(1)
	for _, size := range []int{1, 2, 3} {
		for _, chosen := range subsets(told, size) {
			a, lengths := design(points, costs, chosen)
			ones := mat.NewVecDense(len(points), nil)
			for i := range points {
				ones.SetVec(i, 1)
			}
			var x, rest mat.VecDense
			if x.SolveVec(a, ones) != nil { // as good as dependent here: fewer will do
				continue
			}
			if mat.Min(&x) < 0 {
				continue
			}
			rest.MulVec(a, &x)
			rest.SubVec(ones, &rest)
			const rounding = 1e-12 // of a squared relative error: no more than that is no improvement
			if sum := mat.Dot(&rest, &rest); sum < least-rounding {
				least = sum
				best = [coefficients]float64{}
				for j, c := range chosen {
					best[c] = round(x.AtVec(j) / lengths[j])
				}
			}
		}
	}
	return Formula{best[fixed], best[perRecord], best[perByte]}
}

// subsets are those of a size, of at most three things.
func subsets(of []int, size int) (list [][]int) {
	for bits := range 1 << len(of) {
		var one []int
		for i, x := range of {
			if bits>>i&1 == 1 {
				one = append(one, x)
			}
		}
		if len(one) == size {
			list = append(list, one)
		}
	}
	return list
}

// round keeps the digits that are the same on every processor, whatever order it
// adds up in.
func round(x float64) float64 {
	const digits = 6
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	return y
}
