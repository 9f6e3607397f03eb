package arms

import (
	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/blob"
	"shelflab/labkit/shelf"
)

// shelfArm is a shelf that is written by write and read through a read-only
// opening, as a program that only reads would open it.
func shelfArm[V any](d *Data[V], class labkit.Durability, name, what string, write func(*shelf.Shelf[V]) error) labkit.Arm {
	return labkit.Arm{
		Name: name, Kind: turn.KindKeyed, Pair: turn.PairOurs, Durability: class, What: what,
		Measure: turn.Keyed(d,
			turn.Filled(len(d.Keys), func(path string) (*shelf.Shelf[V], error) {
				return shelf.Open[V](path, shelf.Options{Durability: shelf.Durability(class)})
			}, write),
			func(path string) (turn.Store[V], error) {
				return shelf.Open[V](path, shelf.Options{Mode: shelf.ReadOnly})
			}),
	}
}

// Assign is a shelf written a key at a time, one transaction each, as Python's
// `shelf[k] = v` does.
func Assign[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return shelfArm(d, class, ShelfAssign, "labkit/shelf, Put for each key; read back through a read-only opening",
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
	return shelfArm(d, class, ShelfBulk, "labkit/shelf, one PutAll; read back through a read-only opening",
		func(s *shelf.Shelf[V]) error { return s.PutAll(d.Entries()) })
}

// Indexed is a snapshot that is read a key at a time: the arm that neither
// shelve nor pickle has.
func Indexed[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	options := blob.Options{Durability: blob.Durability(class)}
	return labkit.Arm{
		Name: BlobIndexed, Kind: turn.KindSnapshot, Pair: turn.PairOurs, Durability: class,
		What: "labkit/blob, Pack of the records in key order, Open to read",
		Measure: turn.Keyed(d,
			func(r *labkit.Round) error { return blob.Pack(r.Path, d.Entries(), options) },
			func(path string) (turn.Store[V], error) { return blob.Open[V](path) }),
	}
}

func blobArm[V any](d *Data[V], class labkit.Durability, name, what string, workers int) labkit.Arm {
	options := blob.Options{Durability: blob.Durability(class), Workers: workers}
	return labkit.Arm{
		Name: name, Kind: turn.KindSnapshot, Pair: turn.PairOurs, Durability: class, What: what,
		Measure: turn.Snapshot(d,
			func(path string, all map[string]V) error { return blob.Save(path, all, options) },
			func(path string) (map[string]V, error) { return blob.LoadWith[map[string]V](path, options) }),
	}
}

// Blob is one file, encoded and decoded on all cores.
func Blob[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return blobArm(d, class, BlobAll, "labkit/blob, Save and Load of one map, all cores", 0)
}

// Again is Blob once more: the control, which differs from it by noise alone.
func Again[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return labkit.AsControl(Blob(d, class))
}

// OneCore is Blob held to one core: set beside Blob it tells what the cores do,
// set beside a plain gob it tells what the codec does.
func OneCore[V any](d *Data[V], class labkit.Durability) labkit.Arm {
	return blobArm(d, class, BlobOneCore, "labkit/blob, Save and Load of one map, one core", 1)
}
