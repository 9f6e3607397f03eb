package rows

import (
	"math"
	"strconv"
	"strings"
)

// Kind is what the values of a field are.
type Kind int

const (
	None   Kind = iota // no record has a value
	Whole              // int64
	Number             // float64
	Truth              // true or false
	Text
	JSON // a list, or an object that is not flattened, as text
)

func (k Kind) String() string {
	names := []string{"no value", "whole number", "number", "truth value", "text", "JSON"}
	if k < 0 || int(k) >= len(names) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return names[k]
}

// cell is one value of one line.
type cell struct {
	field string
	kind  Kind
	text  string // as written; of a Text, what it says
	// beyond says that text is a number that neither int64 nor float64 holds as
	// it is written: its kind is Text then.
	beyond bool
}

// digitsHeld is how many decimal digits a float64 is told apart by: one that is
// written with so many comes back as it was.
const digitsHeld = 17

// number says of what kind a number is. The text must be one of JSON.
func number(field, text string) cell {
	c := cell{field: field, kind: Whole, text: text}
	if !strings.ContainsAny(text, ".eE") && text != "-0" {
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			c.kind, c.beyond = Text, true
		}
		return c
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0")
	x, err := strconv.ParseFloat(text, 64)
	lost := err != nil || math.IsInf(x, 0) || len(digits) > digitsHeld || (x == 0 && digits != "")
	if c.kind = Number; lost {
		c.kind, c.beyond = Text, true
	}
	return c
}

// isNumber tells whether text is a number as JSON writes it.
func isNumber(text string) bool {
	rest := strings.TrimPrefix(text, "-")
	whole := leading(rest)
	if whole == 0 || (whole > 1 && rest[0] == '0') {
		return false
	}
	rest = rest[whole:]
	if after, ok := strings.CutPrefix(rest, "."); ok {
		fraction := leading(after)
		if fraction == 0 {
			return false
		}
		rest = after[fraction:]
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	rest = rest[1:]
	if rest != "" && (rest[0] == '+' || rest[0] == '-') {
		rest = rest[1:]
	}
	return rest != "" && leading(rest) == len(rest)
}

// leading counts the digits that text begins with.
func leading(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}

// unquoted is a cell of CSV, where nothing but the text tells its kind.
func unquoted(field, text string) cell {
	switch text {
	case "":
		return cell{field: field}
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return cell{field: field, kind: Truth, text: text}
	}
	if isNumber(text) {
		return number(field, text)
	}
	return cell{field: field, kind: Text, text: text}
}
