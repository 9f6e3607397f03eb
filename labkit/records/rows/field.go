package rows

import (
	"fmt"
	"strings"
)

// Field is one field of the records of a file.
type Field struct {
	Name    string // "customer.city" for a field of an object
	Kind    Kind   // of all its values, as they are kept
	Has     int    // records that have a value
	Null    int    // records that say null, or have an empty cell
	Example string // its first value, as written
	// Mixed says which kinds were found and why Kind is not one of them; "" where
	// they are all of Kind.
	Mixed string

	found  [JSON + 1]int // values by kind
	beyond int           // numbers that 64 bits do not hold
	wide   int           // whole numbers that float64 does not hold
}

// exactWhole is the largest whole number up to which float64 holds all.
const exactWhole = 1 << 53

// add counts a value.
func (f *Field) add(c cell) {
	if c.kind == None {
		f.Null++
		return
	}
	if f.Has++; f.Has == 1 {
		f.Example = c.text
	}
	f.found[c.kind]++
	if c.beyond {
		f.beyond++
	}
	if c.kind == Whole {
		if x := whole(c.text); x > exactWhole || x < -exactWhole {
			f.wide++
		}
	}
}

// settle decides on the kind, when all values have been counted.
func (f *Field) settle() {
	kinds := 0
	for kind, count := range f.found {
		if count > 0 {
			kinds++
			f.Kind = Kind(kind)
		}
	}
	numbers := f.found[Whole] + f.found[Number]
	switch {
	case kinds == 2 && numbers == f.Has && f.wide == 0:
		f.Kind = Number
	case kinds > 1:
		f.Kind = Text
	}
	if kinds > 1 || f.beyond > 0 {
		f.Mixed = f.mixture()
	}
}

// mixture says what was found, "12 whole numbers, 3 texts".
func (f *Field) mixture() string {
	var parts []string
	add := func(count int, what string) {
		if count == 1 {
			parts = append(parts, "1 "+what)
		} else if count > 1 {
			parts = append(parts, fmt.Sprintf("%d %ss", count, what))
		}
	}
	add(f.found[Whole], "whole number")
	add(f.found[Number], "number")
	add(f.beyond, "number beyond 64 bits or 17 digits")
	add(f.found[Truth], "truth value")
	add(f.found[Text]-f.beyond, "text")
	if count := f.found[JSON]; count > 0 {
		parts = append(parts, fmt.Sprintf("%d JSON", count))
	}
	return strings.Join(parts, ", ")
}
