package turn

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"shelflab/labkit"
	"shelflab/labkit/gobwire"
	"shelflab/labkit/records"
)

// Entry is a record with its key, as the stores take it in and give it out.
type Entry[V any] = gobwire.Entry[V]

// Data is what the arms keep: n records of any type V, in key order.
type Data[V any] struct {
	Keys   []string // ascending, each once
	Values []V      // one a key
	// Sum is a checksum of one record under its key, cheap enough to be taken
	// while records are read. The sums of a set are added up.
	Sum func(key string, v *V) uint64
	// Payload is how many bytes one record is under its key, whatever keeps it:
	// key and fields, without what a store or an encoding adds. nil takes the
	// length of the key and of the value's gob without its type description.
	Payload func(key string, v *V) int
	// Object is the record as a program would hold it whose types are not fixed
	// when it is built, such as a Python: what JSON has a form of. nil takes the
	// value itself.
	Object func(v *V) any
	// Change changes a field of a record, always in the same way, without writing
	// through what the record points to. It is needed where updates are measured.
	Change func(v *V) error
	// Gets is how many random keys one sample of gets fetches.
	Gets int
	// Seed draws those keys, anew in each round, the same for all arms.
	Seed uint64

	all     map[string]V // the form in which a snapshot is written
	sums    map[string]uint64
	sum     uint64
	payload int64    // bytes of all records
	only    []string // names of the metrics that are asked for; nil: see Measuring
}

// Records makes the lab's own records for a plan's sweep at n.
func Records(plan labkit.Plan, n int) (*Data[records.Record], error) {
	set := records.Generate(plan.Seed, n)
	return New(&Data[records.Record]{
		Keys: set.Keys, Values: set.Values, Sum: records.Sum, Payload: records.Payload, Change: records.Rescore,
		Gets: plan.Keys, Seed: plan.Seed,
	})
}

// Measuring returns d for turns that measure these metrics alone, of those that
// an arm has, and Write, Put and Disk, with which every turn begins. labkit.Cycle
// is the exception: where it is asked for, a turn is that and nothing else. Otherwise it
// is all of labkit.Metrics: what is not among those, such as labkit.Update, must
// be asked for here.
func (d *Data[V]) Measuring(metrics ...labkit.Metric) *Data[V] {
	asking := *d
	asking.only = []string{}
	for _, m := range metrics {
		asking.only = append(asking.only, m.Name)
	}
	return &asking
}

// wants tells whether a turn is to measure m.
func (d *Data[V]) wants(m labkit.Metric) bool {
	if d.only == nil {
		return slices.Contains(labkit.Metrics(), m)
	}
	return slices.Contains(d.only, m.Name)
}

// New checks d and prepares what the arms share. Keys that are not ascending,
// a number of values other than of keys, no records, no gets or a nil Sum are
// errors that wrap labkit.ErrPlan; without a Payload, a value that gob cannot
// carry is one that wraps gobwire.ErrType. d must not be changed afterwards.
func New[V any](d *Data[V]) (*Data[V], error) {
	switch {
	case len(d.Keys) == 0 || len(d.Keys) != len(d.Values):
		return nil, fmt.Errorf("%w: %d keys for %d records: give one each, at least one", labkit.ErrPlan, len(d.Keys), len(d.Values))
	case d.Sum == nil || d.Gets < 1:
		return nil, fmt.Errorf("%w: records need a Sum and at least one key to get", labkit.ErrPlan)
	}
	d.all = make(map[string]V, len(d.Keys))
	d.sums = make(map[string]uint64, len(d.Keys))
	d.sum = 0
	for i, key := range d.Keys {
		if i > 0 && key <= d.Keys[i-1] {
			return nil, fmt.Errorf("%w: key %q does not come after %q", labkit.ErrPlan, key, d.Keys[i-1])
		}
		d.all[key] = d.Values[i]
		d.sums[key] = d.Sum(key, &d.Values[i])
		d.sum += d.sums[key]
	}
	return d, d.weigh()
}

// weigh adds up the payloads.
func (d *Data[V]) weigh() error {
	d.payload = 0
	if d.Payload != nil {
		for i, key := range d.Keys {
			d.payload += int64(d.Payload(key, &d.Values[i]))
		}
		return nil
	}
	codec, err := gobwire.New[V]()
	if err != nil {
		return err
	}
	var body []byte
	for i, key := range d.Keys {
		if body, err = codec.Append(body[:0], &d.Values[i]); err != nil {
			return err
		}
		d.payload += int64(len(key) + len(body))
	}
	return nil
}

// Bytes is the payload of all records.
func (d *Data[V]) Bytes() int64 { return d.payload }

// Picked draws the random keys of a round, with repetition: the same for every
// arm.
func (d *Data[V]) Picked(round int) []string {
	random := rand.New(rand.NewPCG(d.Seed, uint64(round+1)))
	keys := make([]string, d.Gets)
	for i := range keys {
		keys[i] = d.Keys[random.IntN(len(d.Keys))]
	}
	return keys
}

// sumOf is the checksum that fetching keys must give.
func (d *Data[V]) sumOf(keys []string) (sum uint64) {
	for _, key := range keys {
		sum += d.sums[key]
	}
	return sum
}

// Entries yields the records in key order.
func (d *Data[V]) Entries() iter.Seq2[Entry[V], error] {
	return func(yield func(Entry[V], error) bool) {
		for i, key := range d.Keys {
			if !yield(Entry[V]{Key: key, Value: d.Values[i]}, nil) {
				return
			}
		}
	}
}

// Each yields entries in their order.
func Each[V any](list []Entry[V]) iter.Seq2[Entry[V], error] {
	return func(yield func(Entry[V], error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}
