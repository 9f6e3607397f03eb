// Package cost says what an arm costs at sizes that were not measured, from those
// that were, and how wrong that may be:
//
//  1. an operation was measured at some sizes, a sample a round: [Point];
//  2. [FitPoints] finds seconds = fixed + per record * n + per byte * bytes;
//  3. an [Arm] has a [Fit] for each operation, and adds them up to what a cycle of
//     a write and some fetches costs, or a day: [Bill];
//  4. a [Model] is all arms: it ranks them, says where one gets cheaper than
//     another, and checks itself against what took no part in the fits.
//
// Goals: every number has an interval, made of what the rounds differ by and of
// how far the formula is off; what lies outside of the sizes measured says so.
// Not goals: to measure anything, or to draw it; a formula for every store's every
// turn. Where three coefficients do not describe a store, the misfit tells.
package cost

import "errors"

var (
	// ErrPoints says that nothing can be fitted: too few sizes, or samples that are
	// no measurements.
	ErrPoints = errors.New("nothing to fit")
	// ErrSize says that something is asked of a size, a number of keys or a
	// workload that there cannot be.
	ErrSize = errors.New("size")
	// ErrLacks says that an arm was not measured in what is asked of it.
	ErrLacks = errors.New("not measured")
)
