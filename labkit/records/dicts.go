package records

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
)

// ErrDicts says that a list of dictionaries cannot be made; its text names the
// value and what it may be.
var ErrDicts = errors.New("list of dictionaries")

// Limits of Dicts. They keep a typing slip from filling the memory.
const (
	MaxItems  = 10_000  // items in a dictionary
	MaxLength = 100_000 // bytes of a value
)

// Dicts says what the dictionaries of a list are like. It can be embedded into a
// notebook's struct of parameters.
type Dicts struct {
	// Items is how many items each dictionary has: key0 to keyN.
	Items int `param:"items" help:"items in each dictionary"`

	// Length is how many bytes a value has at least: shorter ones are padded with
	// letters. 0 leaves them as long as value0, value1 and so on.
	Length int `param:"length" help:"bytes of each value at least; 0: as long as value0"`

	// Unlike makes every value of the list another string. Otherwise all
	// dictionaries are the same one, in maps of their own.
	Unlike bool `param:"unlike" help:"no two values of the list are equal; else all dictionaries are"`
}

// Validate returns nil or an error that wraps ErrDicts and says which field is
// wrong and what it may hold. No items are fine: the dictionaries are empty.
func (d Dicts) Validate() error {
	switch {
	case d.Items < 0 || d.Items > MaxItems:
		return fmt.Errorf("%w: items = %d: give 0 to %d", ErrDicts, d.Items, MaxItems)
	case d.Length < 0 || d.Length > MaxLength:
		return fmt.Errorf("%w: length = %d: give 0 to %d bytes", ErrDicts, d.Length, MaxLength)
	}
	return nil
}

// List makes n dictionaries from a seed: equal arguments give equal lists, on
// every machine and in every version of Go, and a shorter list of one seed is
// the beginning of a longer one. All share the strings of their keys; those that
// are the same share their values too. progress, if set, is called now and then
// with how many are done, and in the end. n below 1 gives an empty list; a d that is not valid
// gives empty dictionaries.
func (d Dicts) List(seed uint64, n int, progress func(done int)) []map[string]string {
	list := make([]map[string]string, max(n, 0))
	next := d.Each(seed)
	for i := range list {
		if progress != nil && i%progressStep == 0 {
			progress(i)
		}
		list[i] = next()
	}
	if progress != nil {
		progress(len(list))
	}
	return list
}

const progressStep = 1000 // dictionaries

// Each returns a function that makes the dictionaries of List one after the
// other, without end, for a list that is never in memory as a whole.
func (d Dicts) Each(seed uint64) func() map[string]string {
	if d.Validate() != nil {
		d = Dicts{}
	}
	random := rand.New(rand.NewPCG(seed, 0xd1c7))
	keys, same := make([]string, d.Items), make([]string, d.Items)
	for j := range keys {
		keys[j] = fmt.Sprintf("key%d", j)
		value := fmt.Appendf(nil, "value%d", j)
		same[j] = string(pad(value, max(len(value), d.Length), random))
	}
	var text []byte
	number := random.Uint64N(distinct)
	return func() map[string]string {
		m := make(map[string]string, d.Items)
		for j, key := range keys {
			value := same[j]
			if d.Unlike {
				number = (number + stride) % distinct
				text = pad(appendNumber(text[:0], number), len(value), random)
				value = string(text)
			}
			m[key] = value
		}
		return m
	}
}

// Values that are unlike begin with a number of width letters. The numbers step
// through all that there are, each once, because stride shares no divisor with
// distinct, so no two are equal until 56 thousand million have been made.
const (
	letters  = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	width    = 6 // as long as "value0"
	distinct = 62 * 62 * 62 * 62 * 62 * 62
	stride   = 35_104_476_161 // prime, near distinct over the golden ratio: neighbours look unlike
)

func appendNumber(text []byte, number uint64) []byte {
	for range width {
		text = append(text, letters[number%62])
		number /= 62
	}
	return text
}

func pad(text []byte, length int, random *rand.Rand) []byte {
	for len(text) < length {
		text = append(text, letters[random.IntN(len(letters))])
	}
	return text
}

// SumItem is a checksum of one item of a dictionary. The sums of a dictionary's
// items are added up: a map has no order. It is meaningful within one process
// only.
func SumItem(key, value string) uint64 {
	return mix(maphash.String(seed, key), maphash.String(seed, value))
}

// SumDict is a checksum of a dictionary; a nil one is like an empty one.
func SumDict(m map[string]string) (sum uint64) {
	for key, value := range m {
		sum += SumItem(key, value)
	}
	return sum
}

// SumNext folds the checksum of the next dictionary into that of a list, which
// begins with 0: the order of a list counts.
func SumNext(list, dict uint64) uint64 { return mix(list, dict+1) }

// SumDicts is a checksum of a list of dictionaries, within one process only.
func SumDicts(list []map[string]string) (sum uint64) {
	for _, m := range list {
		sum = SumNext(sum, SumDict(m))
	}
	return sum
}

// DictsPayload is how many bytes a list's keys and values are, whatever keeps it.
func DictsPayload(list []map[string]string) (bytes int64) {
	for _, m := range list {
		for key, value := range m {
			bytes += int64(len(key) + len(value))
		}
	}
	return bytes
}
