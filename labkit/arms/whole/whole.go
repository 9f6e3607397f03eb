// Package whole times one value that is kept and read back as a whole: a list,
// an array, a graph. The turn of such an arm dumps the value into a new file,
// says how many bytes that takes on disk, and loads it again.
//
// Goals: one turn for every way of keeping a value, so that what differs between
// two arms is how they dump and load. Not a goal: to read a part of a value.
package whole

import (
	"context"
	"errors"
	"runtime"

	"shelflab/labkit"
)

// Value is what the arms keep.
type Value[T any] struct {
	V T
	N int // pieces in it, as the plan counts them: the n of the rounds
	// Sum is a checksum of everything in a value; what was loaded must have
	// that of V.
	Sum func(T) uint64
	// Payload is how many bytes the value is, whatever keeps it; 0 if that
	// cannot be told.
	Payload int64
}

// Turn is one turn of an arm that loads the whole value into memory. The
// checksum is taken after the clock has stopped: what load returns is complete.
// The program holds V until load has returned, as one would that saves a copy of
// what it works on. So the heap is not empty when the load begins, which tells the
// collector when to run, and a memory limit counts both.
// A dump or load that fails fails the turn, and a value with another checksum is
// labkit.ErrWrong.
func Turn[T any](v Value[T], dump func(path string, v T) error, load func(path string) (T, error)) func(context.Context, *labkit.Round) error {
	want := v.Sum(v.V)
	return func(ctx context.Context, r *labkit.Round) error {
		if err := dumped(ctx, r, v, dump); err != nil {
			return err
		}
		var back T
		err := r.Time(labkit.Load, v.N, func() (err error) {
			back, err = load(r.Path)
			r.Held()
			return err
		})
		runtime.KeepAlive(v.V)
		if err != nil {
			return err
		}
		return r.Check("load", v.Sum(back), want)
	}
}

// Streamed is one turn of an arm that reads the value piece by piece and holds
// none of it: scan reads everything and returns its checksum, inside the clock.
// The program holds V meanwhile, as in Turn.
func Streamed[T any](v Value[T], dump func(path string, v T) error, scan func(path string) (uint64, error)) func(context.Context, *labkit.Round) error {
	want := v.Sum(v.V)
	return func(ctx context.Context, r *labkit.Round) error {
		if err := dumped(ctx, r, v, dump); err != nil {
			return err
		}
		var sum uint64
		err := r.Time(labkit.Load, v.N, func() (err error) {
			sum, err = scan(r.Path)
			r.Held()
			return err
		})
		runtime.KeepAlive(v.V)
		if err != nil {
			return err
		}
		return r.Check("load", sum, want)
	}
}

func dumped[T any](ctx context.Context, r *labkit.Round, v Value[T], dump func(path string, v T) error) error {
	r.Payload = v.Payload
	if err := r.Time(labkit.Dump, v.N, func() error { return dump(r.Path, v.V) }); err != nil {
		return err
	}
	bytes, err := Allocated(r.Path)
	return errors.Join(err, r.Size(labkit.Disk, bytes), ctx.Err())
}
