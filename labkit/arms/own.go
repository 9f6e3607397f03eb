package arms

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/records"
	"shelflab/labkit/records/rows"
)

// Own reads the records of the file that a plan names for its sweep at n: the
// first n of the file. A file that has fewer, or another content than when the
// plan was made, is labkit.ErrPlan; what cannot be read is as rows.Read says.
func Own(plan labkit.Plan, n int) (*Data[rows.Row], error) {
	file, err := rows.Read(plan.Records, rows.Options{Key: plan.Key, SkipBad: plan.SkipBad})
	if err != nil {
		return nil, err
	}
	if file.SHA256 != plan.RecordsSHA256 {
		return nil, fmt.Errorf("%w: %s has changed since its plan was made: start again", labkit.ErrPlan, plan.Records)
	}
	if n > len(file.Keys) {
		return nil, fmt.Errorf("%w: n = %d, but %s has %d records that can be read: give at most that many",
			labkit.ErrPlan, n, plan.Records, len(file.Keys))
	}
	keys, values := file.First(n)
	return New(&Data[rows.Row]{
		Keys: keys, Values: values, Sum: rows.Sum, Payload: rows.Payload, Gets: plan.Keys, Seed: plan.Seed,
		Object: func(r *rows.Row) any { return file.Map(r) },
	})
}

// For returns the arms that lab or own makes over the records that a plan names,
// of its durability: n of the lab's records, or the first n of the user's file. Both
// are mostly one generic function: For(plan, n, Lab, Lab). Errors are those of
// Records and of Own.
func For(plan labkit.Plan, n int, lab func(*Data[records.Record], labkit.Durability) []labkit.Arm, own func(*Data[rows.Row], labkit.Durability) []labkit.Arm) ([]labkit.Arm, error) {
	if plan.Records != "" {
		data, err := Own(plan, n)
		if err != nil {
			return nil, err
		}
		return own(data, plan.Durability), nil
	}
	data, err := Records(plan, n)
	if err != nil {
		return nil, err
	}
	return lab(data, plan.Durability), nil
}

// LabFor returns Lab over the records that a plan names.
func LabFor(plan labkit.Plan, n int) ([]labkit.Arm, error) { return For(plan, n, Lab, Lab) }

// BothClassesFor returns BothClasses over the records that a plan names.
func BothClassesFor(plan labkit.Plan, n int) ([]labkit.Arm, error) {
	return For(plan, n,
		func(d *Data[records.Record], _ labkit.Durability) []labkit.Arm { return BothClasses(d) },
		func(d *Data[rows.Row], _ labkit.Durability) []labkit.Arm { return BothClasses(d) })
}
