package arms

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/arms/outline"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/blob"
	"shelflab/labkit/shelf"
)

// shelfArm is a shelf that is written by write and read through a read-only
// opening, as a program that only reads would open it.
func shelfArm[V any](d *Data[V], class labkit.Durability, name string, write func(*shelf.Shelf[V]) error) labkit.Arm {
	arm := outline.Arm(name, class)
	arm.Measure = turn.Keyed(d,
		turn.Filled(len(d.Keys), func(path string) (*shelf.Shelf[V], error) {
			return shelf.Open[V](path, shelf.Options{Durability: shelf.Durability(class)})
		}, write),
		func(path string) (turn.Store[V], error) {
			return shelf.Open[V](path, shelf.Options{Mode: shelf.ReadOnly})
		},
		func(path string) (turn.Changer[V], error) {
			return shelf.Open[V](path, shelf.Options{Mode: shelf.Existing, Durability: shelf.Durability(class)})
		})
	return arm
}

// Assign is a shelf written a key at a time, one transaction each, as Python's
// `shelf[k] = v` does.
func Assign[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return shelfArm(d, class, ShelfAssign,
		func(s *shelf.Shelf[V]) error {
			for i, key := range d.Keys {
				if err := s.Put(key, d.Values[i]); err != nil {
					return err
				}
			}
			return nil
		})
}

// Bulk is a shelf written by one PutAll.
func Bulk[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return shelfArm(d, class, ShelfBulk,
		func(s *shelf.Shelf[V]) error { return s.PutAll(d.Entries()) })
}

// Indexed is a snapshot that is read a key at a time: the arm that neither
// shelve nor pickle has.
func Indexed[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	options := blob.Options{Durability: blob.Durability(class)}
	arm := outline.Arm(BlobIndexed, class)
	arm.Measure = turn.Keyed(d,
		func(r *labkit.Round) error { return blob.Pack(r.Path, d.Entries(), options) },
		func(path string) (turn.Store[V], error) { return blob.Open[V](path) },
		func(path string) (turn.Changer[V], error) { return openPacked[V](path, options) })
	return arm
}

// packed changes a record of an indexed blob as a program has to: by a new one
// that takes the old one's place.
type packed[V any] struct {
	*blob.Indexed[V]
	path    string
	options blob.Options
}

func openPacked[V any](path string, options blob.Options) (*packed[V], error) {
	b, err := blob.Open[V](path)
	return &packed[V]{b, path, options}, err
}

// Rewrites says that Update writes every record.
func (p *packed[V]) Rewrites() {}

// Update packs all records anew, that under key as change leaves it.
func (p *packed[V]) Update(key string, change func(*V) error) error {
	found := false
	err := blob.Pack(p.path, func(yield func(turn.Entry[V], error) bool) {
		for e, err := range p.All() {
			if err == nil && e.Key == key {
				found, err = true, change(&e.Value)
			}
			if !yield(e, err) {
				return
			}
		}
	}, p.options)
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%q: %w", key, turn.ErrNotFound)
	}
	b, err := blob.Open[V](p.path)
	if err != nil {
		return err
	}
	old := p.Indexed
	p.Indexed = b
	return old.Close()
}

func blobArm[V any](d *Data[V], class labkit.Durability, name string, workers int) labkit.Arm {
	options := blob.Options{Durability: blob.Durability(class), Workers: workers}
	arm := outline.Arm(name, class)
	arm.Measure = turn.Snapshot(d,
		func(path string, all map[string]V) error { return blob.Save(path, all, options) },
		func(path string) (map[string]V, error) { return blob.LoadWith[map[string]V](path, options) })
	return arm
}

// Blob is one file, encoded and decoded on all cores.
func Blob[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return blobArm(d, class, BlobAll, 0)
}

// Again is Blob once more: the control, which differs from it by noise alone.
func Again[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return labkit.AsControl(Blob(d, class))
}

// OneCore is Blob held to one core: set beside Blob it tells what the cores do,
// set beside a plain gob it tells what the codec does.
func OneCore[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return blobArm(d, class, BlobOneCore, 1)
}
