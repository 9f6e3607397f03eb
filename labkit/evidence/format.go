package evidence

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// Quantity writes a value of a unit with three digits and an SI prefix, as
// tables, charts and sentences show it: "1.52 M rec/s", "1.97 ms", "1.57 MB".
// NaN and infinities are written as such.
func Quantity(v float64, unit string) string {
	if unit == "records/s" {
		unit = "rec/s"
	}
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprintf("%v %s", v, unit)
	}
	scaled, prefix := humanize.ComputeSI(v)
	text := digits(scaled)
	if text == "1000" { // 999.9996 k is 1.00 M
		scaled, prefix = humanize.ComputeSI(v * 1.001)
		text = digits(scaled)
	}
	if prefix == "" {
		if v == math.Trunc(v) && (unit == "B" || v == 0) { // 512 B is exact
			text = strconv.FormatFloat(scaled, 'f', -1, 64)
		}
		return text + " " + unit
	}
	if unit == "rec/s" || unit == "ops/s" { // "1.52 M rec/s" reads better than "1.52 Mrec/s"
		return text + " " + prefix + " " + unit
	}
	return text + " " + prefix + unit
}

// ParseQuantity reads what Quantity has written of a unit, with the digits that
// are there. ok is false for anything else.
func ParseQuantity(text, unit string) (v float64, ok bool) {
	number, _, _ := strings.Cut(text, " ")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	for exponent := -24; exponent <= 24; exponent += 3 {
		if v := x * math.Pow10(exponent); Quantity(v, unit) == text {
			return v, true
		}
	}
	return 0, false
}

// leastFactor is the smallest factor that is written in figures.
const leastFactor = 0.001

// Factor writes a ratio with about three digits: "1,091", "113", "12.4", "3.78",
// "0.052".
func Factor(x float64) string {
	if x > 0 && x < leastFactor {
		return "<0.001"
	}
	if x != 0 && math.Abs(x) < 0.1 {
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	if math.Abs(x) >= 999.5 && !math.IsInf(x, 0) {
		return humanize.Commaf(math.Round(x))
	}
	return digits(x)
}

// factor is Factor in a sentence that evidence keeps: from before schema 3
// without separators.
func (r *Run) factor(x float64) string {
	if r.Schema < 3 {
		return strings.ReplaceAll(Factor(x), ",", "")
	}
	return Factor(x)
}

// Count writes a whole number with separators: "8,000".
func Count(n int) string { return humanize.Comma(int64(n)) }

// RandomGets is so many random gets as a noun: "1 random get".
func RandomGets(n int) string {
	if n == 1 {
		return "1 random get"
	}
	return Count(n) + " random gets"
}

// Percent writes a level between 0 and 1: "93.75 %".
func Percent(level float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(level*100, 'f', 2, 64), "0"), ".") + " %"
}

// digits writes x with three significant digits and no exponent.
func digits(x float64) string {
	switch a := math.Abs(x); {
	case a >= 99.95:
		return strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 9.995:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

// Exponent writes an exponent with two decimals: "0.98", "-0.02".
func Exponent(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	if text == "-0.00" {
		return text[1:]
	}
	return text
}
