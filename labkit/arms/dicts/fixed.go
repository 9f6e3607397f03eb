package dicts

import (
	"context"
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/records"
)

// Fixed is a dictionary of the published 25 keys as a struct: what a Go program
// would use whose keys never change.
type Fixed struct {
	Key0, Key1, Key2, Key3, Key4      string
	Key5, Key6, Key7, Key8, Key9      string
	Key10, Key11, Key12, Key13, Key14 string
	Key15, Key16, Key17, Key18, Key19 string
	Key20, Key21, Key22, Key23, Key24 string
}

// Fields is how many items a Fixed holds.
const Fields = 25

func (x *Fixed) fields() [Fields]*string {
	return [Fields]*string{
		&x.Key0, &x.Key1, &x.Key2, &x.Key3, &x.Key4,
		&x.Key5, &x.Key6, &x.Key7, &x.Key8, &x.Key9,
		&x.Key10, &x.Key11, &x.Key12, &x.Key13, &x.Key14,
		&x.Key15, &x.Key16, &x.Key17, &x.Key18, &x.Key19,
		&x.Key20, &x.Key21, &x.Key22, &x.Key23, &x.Key24,
	}
}

var fixedKeys = func() (keys [Fields]string) {
	for i := range keys {
		keys[i] = fmt.Sprintf("key%d", i)
	}
	return keys
}()

// fixed returns the list as structs. A dictionary whose keys are not key0 to
// key24 is ErrKeys.
func fixed(list []map[string]string) ([]Fixed, error) {
	structs := make([]Fixed, len(list))
	for i, m := range list {
		fields := structs[i].fields()
		for j, key := range fixedKeys {
			value, ok := m[key]
			if !ok || len(m) != Fields {
				return nil, fmt.Errorf("dictionary %d: %w: a struct has key0 to key%d", i, ErrKeys, Fields-1)
			}
			*fields[j] = value
		}
	}
	return structs, nil
}

// sumFixed is the checksum that records.SumDicts gives of the same list as maps.
func sumFixed(list []Fixed) (sum uint64) {
	for i := range list {
		var one uint64
		for j, field := range list[i].fields() {
			one += records.SumItem(fixedKeys[j], *field)
		}
		sum = records.SumNext(sum, one)
	}
	return sum
}

// structsArm keeps the list as structs, by a plain gob. They are made in every
// turn, outside the clock: structs that were kept from one turn to the next would
// be in the heap of all other arms. A list whose dictionaries have other keys is
// ErrKeys.
func structsArm(list List, class labkit.Durability) (labkit.Arm, error) {
	if len(list.V) == 0 {
		return labkit.Arm{}, ErrKeys
	}
	if _, err := fixed(list.V[:1]); err != nil {
		return labkit.Arm{}, err
	}
	return labkit.Arm{
		Name: Structs, Kind: turn.KindSnapshot, Pair: turn.PairPlain, Durability: class,
		What: "one gob.Encode of a list of structs with 25 string fields, one gob.Decode",
		Measure: func(ctx context.Context, r *labkit.Round) error {
			structs, err := fixed(list.V)
			if err != nil {
				return err
			}
			value := whole.Value[[]Fixed]{V: structs, N: list.N, Sum: sumFixed, Payload: list.Payload}
			return whole.Turn(value, saveGob[[]Fixed](class), loadGob[[]Fixed])(ctx, r)
		},
	}, nil
}
