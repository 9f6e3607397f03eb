package labkit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// ErrPlan says that a plan cannot be measured; its text names the field and
// what it may hold.
var ErrPlan = errors.New("plan")

// Limits of a plan. They keep a typing slip from filling a disk or a day.
const (
	MaxRecords = 10_000_000 // records, for one n
	MaxRounds  = 1000       // rounds
	MaxSizes   = 100        // sizes of a sweep
)

// Plan says what a run of the lab measures. Two runs with equal plans can be
// set beside each other; evidence of another plan is refused.
type Plan struct {
	// Name is the run's folder below data/: the notebook's file name without
	// its ending, so letters, digits, '_', '-' and '.' only.
	Name string `json:"name" param:"name" help:"the run's folder below the data folder"`

	// Counts is what n counts, as a plural noun for tables and charts:
	// "dictionaries". "" means records; see Pieces.
	Counts string `json:"counts,omitempty" param:"-"`

	// N lists the sizes of the sweep in records, or whatever Counts says,
	// ascending, each at least 1.
	N []int `json:"n" param:"n" help:"sizes of the sweep, in records"`

	// Rounds is how often every arm is measured at each n, after one round of
	// warm-up. Five give the range as an interval at 93.75 %, six reach 95 %.
	Rounds int `json:"rounds" param:"rounds" help:"measured rounds, after one of warm-up"`

	// Keys is how many random keys one sample of gets fetches. Keys are drawn
	// with repetition, so it may be larger than n.
	Keys int `json:"keys" param:"keys" help:"random keyed gets in one sample"`

	// Seed makes the records, the keys and the order of the arms.
	Seed uint64 `json:"seed" param:"seed" help:"seed of the records, the keys and the order of the arms"`

	// Durability is the class that every arm writes with.
	Durability Durability `json:"durability" param:"durability" help:"what a finished write survives: process-crash or power-loss"`

	// Records is the path of a JSON Lines or CSV file of the user's own records;
	// "" for those that the lab makes from the seed. What is no absolute path
	// begins in the folder of the notebook, or of the command.
	Records string `json:"records,omitempty" param:"records" help:"your own records: a JSON Lines or CSV file; none for the lab's"`

	// Key names the field of that file which holds each record's key; "" takes
	// the number of the record.
	Key string `json:"key,omitempty" param:"key" help:"the field of your file that is the key; none for the row's number"`

	// SkipBad says to go on without the lines of that file that cannot be read,
	// or whose key was there before, instead of refusing the file.
	SkipBad bool `json:"skip_bad,omitempty" param:"skip-bad" help:"leave out the lines of your file that cannot be read"`

	// RecordsSHA256 is the SHA-256 of that file's content, which Params and
	// SetParams fill in: evidence of another content is refused.
	RecordsSHA256 string `json:"records_sha256,omitempty" param:"-"`

	// Own holds the values of a notebook's own parameters, by name, if its
	// struct of parameters embeds a Plan: Params and SetParams fill it. So a
	// notebook whose own parameter has changed has another plan, and evidence
	// of the old one is refused.
	Own map[string]string `json:"own,omitempty" param:"-"`

	// WarmUpTo is the largest n whose turns each come after one of warm-up; at a
	// larger one there is none, since it would double what takes minutes. 0 is any n.
	WarmUpTo int `json:"warm_up_to,omitempty" param:"-"`

	// DataLimit is how much memory of its own a process of MeasureResources may take
	// beyond what it has when its turn begins, in bytes, set and kept by the system;
	// 0 is no limit. It has two processors at most then, since threads count.
	DataLimit int64 `json:"data_limit,omitempty" param:"-"`

	// Given holds what With gives a part of a run: values that stand in for the
	// parameters of those names, which Own lacks then, or beside them.
	Given map[string]string `json:"given,omitempty" param:"-"`
}

// Validate returns nil or an error that wraps ErrPlan and says which field is
// wrong and what it may hold.
func (p Plan) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrPlan, fmt.Sprintf(format, args...))
	}
	switch {
	case p.Name == "" || p.Name != Slug(p.Name):
		return bad("name %q: use letters, digits, '_', '-' and '.', not starting with '.', at most %d", p.Name, maxSlug)
	case !isNoun(p.Counts):
		return bad("counts %q: give a plural noun such as \"items\", letters, '-' and single blanks, at most %d characters", p.Counts, maxNoun)
	case len(p.N) == 0:
		return bad("n is empty: give at least one number of records")
	case len(p.N) > MaxSizes:
		return bad("n lists %d sizes: give at most %d", len(p.N), MaxSizes)
	case p.Rounds < 1 || p.Rounds > MaxRounds:
		return bad("rounds = %d: give 1 to %d", p.Rounds, MaxRounds)
	case p.Keys < 1 || p.Keys > MaxRecords:
		return bad("keys = %d: give 1 to %d", p.Keys, MaxRecords)
	case !p.Durability.known():
		return bad("durability %d: give %s or %s", int(p.Durability), ProcessCrash, PowerLoss)
	case p.WarmUpTo < 0:
		return bad("WarmUpTo = %d: give the largest n that is warmed up, or 0 for all", p.WarmUpTo)
	case p.DataLimit < 0:
		return bad("DataLimit = %d: give bytes, or 0 for no limit", p.DataLimit)
	case p.Records == "" && (p.Key != "" || p.SkipBad || p.RecordsSHA256 != ""):
		return bad("key and skip-bad are about a file of your own records: give records, too")
	case p.Records != "" && !isSHA256(p.RecordsSHA256):
		return bad("records = %q, without the SHA-256 of that file: Params and SetParams fill it in", p.Records)
	}
	for i, n := range p.N {
		if n < 1 || n > MaxRecords {
			return bad("n = %d: give 1 to %d records", n, MaxRecords)
		}
		if i > 0 && n <= p.N[i-1] {
			return bad("n = %v: list the sizes in ascending order, each once", p.N)
		}
	}
	return nil
}

// Fingerprint is a short name for the plan's values: equal plans, and only
// they, share it. Twelve hexadecimal digits.
func (p Plan) Fingerprint() string {
	text, err := json.Marshal(p)
	if err != nil { // a Durability outside its classes: never equal to a valid plan
		text = fmt.Appendf(nil, "%#v", p)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// Largest returns the largest n of the plan, 0 if it has none.
func (p Plan) Largest() int {
	if len(p.N) == 0 {
		return 0
	}
	return slices.Max(p.N)
}

// Pieces is what n counts: Counts, or "records" where that is "".
func (p Plan) Pieces() string {
	if p.Counts == "" {
		return "records"
	}
	return p.Counts
}

// Part returns the plan of a run of its own that belongs to p: under p's name,
// an underscore and suffix (a name that would be too long is cut), of other
// sizes, which count other things ("" for records). All else is p's, so that a
// part of other parameters is another plan; no sizes are those of p.
func (p Plan) Part(suffix, counts string, n ...int) Plan {
	p.Name, p.Counts = Slug(PartPrefix(p.Name)+suffix), counts
	if len(n) == 0 {
		n = p.N
	}
	p.N, p.Own, p.Given = slices.Clone(n), maps.Clone(p.Own), maps.Clone(p.Given)
	return p
}

// With returns the plan of a part that has a value of its own: in place of the
// notebook's parameter of that name, or of a name that is none. So the plan says
// what the part works on, and a part of another value is another plan.
func (p Plan) With(name string, value any) Plan {
	p.Own, p.Given = maps.Clone(p.Own), maps.Clone(p.Given)
	if p.Given == nil {
		p.Given = map[string]string{}
	}
	delete(p.Own, name)
	p.Given[name] = fmt.Sprint(value)
	return p
}

// WarmsUp tells whether the turns at n come after one of warm-up each.
func (p Plan) WarmsUp(n int) bool { return p.WarmUpTo == 0 || n <= p.WarmUpTo }

// Values are the notebook's own parameters and what a part was given, by name.
func (p Plan) Values() map[string]string {
	values := map[string]string{}
	maps.Copy(values, p.Own)
	maps.Copy(values, p.Given)
	return values
}

// PartPrefix is what the names of all parts of the run of a name begin with. It
// leaves room for a suffix.
func PartPrefix(name string) string { return fmt.Sprintf("%.180s_", name) }

// Step returns the sizes for the i-th of k sweep cells: one each, the last cell
// takes all that is left, and a cell beyond the plan gets none.
func (p Plan) Step(i, k int) []int {
	switch {
	case i < 0 || i >= k || i >= len(p.N):
		return nil
	case i == k-1:
		return slices.Clone(p.N[i:])
	}
	return []int{p.N[i]}
}

// String lists the values in force on one line.
func (p Plan) String() string {
	own, values := "", p.Values()
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if values[name] != "" { // an empty text is none of what the parameter names
			own += fmt.Sprintf("; %s = %s", name, values[name])
		}
	}
	if p.WarmUpTo > 0 && p.Largest() > p.WarmUpTo {
		own += fmt.Sprintf("; no warm-up above n = %d", p.WarmUpTo)
	}
	if p.DataLimit > 0 {
		own += fmt.Sprintf("; at most %d bytes more of memory of its own", p.DataLimit)
	}
	pieces := ""
	if p.Counts != "" {
		pieces = " " + p.Counts
	}
	return fmt.Sprintf("%s: n = %s%s; %s; %s; seed %d; durability %s%s%s (plan %s)",
		p.Name, joinInts(p.N), pieces, plural(p.Rounds, "round"), plural(p.Keys, "key"), p.Seed, p.Durability, p.source(), own, p.Fingerprint())
}

// plural writes a number and what it counts. Neither has separators, nor have the
// sizes: so they are given as parameters.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// source says whose records they are, if they are not the lab's.
func (p Plan) source() string {
	if p.Records == "" {
		return ""
	}
	text := "; records of " + p.Records
	if p.Key != "" {
		text += " by " + p.Key
	}
	if p.SkipBad {
		text += " without bad lines"
	}
	return text
}

// Source returns the path of the user's own records and the digest of their
// content, or nothing for those of the lab.
func (p Plan) Source() (path, digest string) { return p.Records, p.RecordsSHA256 }

func isSHA256(text string) bool {
	sum, err := hex.DecodeString(text)
	return err == nil && len(sum) == sha256.Size && text == strings.ToLower(text)
}

// Slug turns any text into a name that is safe as one element of a path:
// letters, digits, '_', '-' and '.', everything else becomes '_', and a leading
// '.' too. What is longer than 200 bytes is cut, which leaves room for what
// names of files add to it. Empty text stays empty.
func Slug(text string) string {
	out := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-', r == '.':
			return r
		}
		return '_'
	}, text)
	if strings.HasPrefix(out, ".") {
		out = "_" + out[1:]
	}
	return out[:min(len(out), maxSlug)]
}

const maxSlug = 200 // bytes

// isNoun tells whether text can stand in a sentence as a noun: letters, '-' and
// single blanks between them. "" can.
func isNoun(text string) bool {
	bad := func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != ' ' }
	return len(text) <= maxNoun && text == strings.Join(strings.Fields(text), " ") && !strings.ContainsFunc(text, bad)
}

const maxNoun = 40 // bytes

func joinInts(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, ",")
}
