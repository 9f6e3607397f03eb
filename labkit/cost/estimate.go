package cost

import (
	"slices"

	"shelflab/labkit"
)

// Estimate is what something is said to cost, in the unit of its fit.
type Estimate struct {
	Cost float64 // by the formula of the medians
	// Lo and Hi bound it: what the formulas of the rounds give, at Level, each
	// widened by the misfit of its fit, either way.
	Lo, Hi float64
	Level  float64 // between 0 and 1; below labkit.LeastLevel there are too few rounds for an interval
	Rounds int
	// Beyond says in what it lies outside of what was measured, so that nothing
	// vouches for it; nil inside.
	Beyond []Beyond
}

// Beyond is one end of what was measured, which is exceeded.
type Beyond struct {
	Of    Axis
	Above bool    // the largest; otherwise below the smallest
	Limit float64 // what was measured: records, or bytes of one record
}

// Axis is what sizes differ in.
type Axis string

const (
	Records Axis = "n"              // their number
	Payload Axis = "bytes a record" // of one of them
)

// Width is the larger factor between the cost and an end of its interval.
func (e Estimate) Width() float64 { return max(e.Cost/e.Lo, e.Hi/e.Cost) }

// Holds tells whether a cost lies within the interval, as far as its digits go.
func (e Estimate) Holds(cost float64) bool {
	const digits = 1e-5
	return e.Lo*(1-digits) <= cost && cost <= e.Hi*(1+digits)
}

// At is what the operation costs at a size. A size that no store holds is ErrSize.
func (f Fit) At(s Size) (Estimate, error) {
	b, err := sum([]Term{{Times: 1, fit: f}}, s)
	return b.Estimate, err
}

// Term is an operation in a Bill.
type Term struct {
	Operation Operation
	Times     float64 // how often it is done
	All       float64 // what that costs together, by the medians
	Part      string  // the coefficient that most of it comes from, in words
	// Unchecked: its formula had no size to spare, so that its misfit says nothing,
	// and the interval is that of the rounds alone.
	Unchecked bool
	fit       Fit // of the operation
}

// Bill is what several operations cost together.
type Bill struct {
	Estimate
	Terms []Term // in the order in which they are done
	// mid is what each round gives, low and high its ends, widened by the misfits.
	mid, low, high []float64
}

// sum adds up the terms at a size, in each round.
func sum(terms []Term, s Size) (b Bill, err error) {
	if err := s.valid(); err != nil {
		return b, err
	}
	b.Rounds = len(terms[0].fit.Rounds)
	for _, t := range terms {
		b.Rounds = min(b.Rounds, len(t.fit.Rounds))
	}
	b.mid, b.low, b.high = make([]float64, b.Rounds), make([]float64, b.Rounds), make([]float64, b.Rounds)
	for _, t := range terms {
		t.All = t.Times * t.fit.Formula.At(s)
		t.Part, t.Unchecked = t.fit.most(s), t.fit.Spare == 0
		b.Cost += t.All
		for i := range b.Rounds {
			each := t.Times * t.fit.Rounds[i].At(s)
			b.mid[i] += each
			b.low[i] += each / t.fit.Misfit
			b.high[i] += each * t.fit.Misfit
		}
		b.Terms = append(b.Terms, t)
		b.Beyond = add(b.Beyond, t.fit.beyond(s)...)
	}
	low, err := labkit.Summarize(b.low)
	if err != nil {
		return b, err
	}
	high, err := labkit.Summarize(b.high)
	if err != nil {
		return b, err
	}
	// Medians of the rounds may give less, or more, than every round by itself.
	b.Lo, b.Hi, b.Level = min(low.Lo, b.Cost), max(high.Hi, b.Cost), low.Level
	return b, nil
}

// Words for the coefficients.
const (
	wordFixed  = "the fixed part"
	wordRecord = "the part per record"
	wordByte   = "the part per byte"
)

// most names the coefficient that most of the cost at a size comes from.
func (f Fit) most(s Size) string {
	records, bytes := f.PerRecord*float64(s.N), f.PerByte*s.Bytes
	switch {
	case f.Fixed >= records && f.Fixed >= bytes:
		return wordFixed
	case records >= bytes:
		return wordRecord
	}
	return wordByte
}

// beyond says in what a size lies outside of what was fitted.
func (f Fit) beyond(s Size) (list []Beyond) {
	const nearly = 1.1 // the lab's records vary by less
	switch {
	case s.N < f.Range.MinN:
		list = append(list, Beyond{Records, false, float64(f.Range.MinN)})
	case s.N > f.Range.MaxN:
		list = append(list, Beyond{Records, true, float64(f.Range.MaxN)})
	}
	switch each := s.Each(); {
	case each*nearly < f.Range.MinEach:
		list = append(list, Beyond{Payload, false, f.Range.MinEach})
	case each > nearly*f.Range.MaxEach:
		list = append(list, Beyond{Payload, true, f.Range.MaxEach})
	}
	return list
}

// add appends what a list lacks.
func add[T comparable](list []T, more ...T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}
