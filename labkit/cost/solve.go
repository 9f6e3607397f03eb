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

// design has a row for each point, times its weight, and a column for each of the
// chosen coefficients, scaled to the length 1; lengths are what they were.
func design(points []Point, weights []float64, chosen []int) (a *mat.Dense, lengths []float64) {
	a = mat.NewDense(len(points), len(chosen), nil)
	lengths = make([]float64, len(chosen))
	for j, c := range chosen {
		for i, p := range points {
			a.Set(i, j, row(p.Size)[c]*weights[i])
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
	weights := make([]float64, len(points))
	for i, p := range points {
		weights[i] = 1 / p.P50()
	}
	a, _ := design(points, weights, told)
	const most = 1e8 // beyond it a coefficient is made of rounding
	return mat.Cond(a, 2) < most
}

// fitted finds the coefficients, none below 0, that give the least sum of squared
// logarithms of cost over formula: half as much and twice as much are as wrong as
// each other, whatever the size. It is least squares with weights that follow the
// formula, begun with those of relative errors, until they no longer change it.
func fitted(points []Point, costs []float64, told []int) Formula {
	weights := make([]float64, len(points))
	for i, y := range costs {
		weights[i] = 1 / y
	}
	best, least := Formula{}, math.Inf(1)
	const most, enough = 100, 1e-12
	for range most {
		f := nonNegative(points, costs, weights, told)
		sum := 0.0
		for i, p := range points {
			x, y := f.At(p.Size), costs[i]
			off := math.Log(x / y)
			sum += off * off
			// So that the slope of the weighted square is that of the logarithm's.
			weights[i] = 1 / x
			if math.Abs(x-y) > 1e-6*y {
				weights[i] = math.Sqrt(off / (x * (x - y)))
			}
		}
		better := least - sum
		if better > 0 {
			best, least = f, sum
		}
		if better < enough {
			break
		}
	}
	return Formula{round(best.Fixed), round(best.PerRecord), round(best.PerByte)}
}

// nonNegative finds the coefficients, none below 0, that give the least weighted sum
// of squares; those not told are 0. The best ones are the plain least squares of
// those that are above 0, and with three there are only seven choices of which
// these are, so all are tried. Of two that are as good, the one with fewer
// coefficients is taken.
func nonNegative(points []Point, costs, weights []float64, told []int) Formula {
	y := mat.NewVecDense(len(points), nil)
	for i := range points {
		y.SetVec(i, costs[i]*weights[i])
	}
	var best [coefficients]float64
	least := math.Inf(1)
	for _, size := range []int{1, 2, 3} {
		for _, chosen := range subsets(told, size) {
			a, lengths := design(points, weights, chosen)
			var x, rest mat.VecDense
			if x.SolveVec(a, y) != nil { // as good as dependent here: fewer will do
				continue
			}
			if mat.Min(&x) < 0 {
				continue
			}
			rest.MulVec(a, &x)
			rest.SubVec(y, &rest)
			const rounding = 1e-12 // of a squared relative error: no more than that is no improvement
			if sum := mat.Dot(&rest, &rest); sum < least-rounding {
				least = sum
				best = [coefficients]float64{}
				for j, c := range chosen {
					best[c] = x.AtVec(j) / lengths[j]
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
