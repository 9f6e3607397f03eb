package dicts

import (
	"errors"
	"iter"

	"shelflab/labkit"
	"shelflab/labkit/blob"
	"shelflab/labkit/gobwire"
	"shelflab/labkit/records"
	"shelflab/labkit/shelf"
)

type dict = map[string]string

func saveBlob(options blob.Options) func(string, []dict) error {
	return func(path string, list []dict) error { return blob.Save(path, list, options) }
}

func loadBlob(workers int) func(string) ([]dict, error) {
	return func(path string) ([]dict, error) {
		return blob.LoadWith[[]dict](path, blob.Options{Workers: workers})
	}
}

// entries gives each dictionary a key that sorts like its place in the list.
func entries(list []dict) iter.Seq2[gobwire.Entry[dict], error] {
	return func(yield func(gobwire.Entry[dict], error) bool) {
		for i, m := range list {
			if !yield(gobwire.Entry[dict]{Key: records.Key(i, len(list)), Value: m}, nil) {
				return
			}
		}
	}
}

func packIndexed(class labkit.Durability) func(string, []dict) error {
	return func(path string, list []dict) error {
		return blob.Pack(path, entries(list), blob.Options{Durability: blob.Durability(class)})
	}
}

// scanIndexed reads every dictionary and keeps none.
func scanIndexed(path string) (sum uint64, err error) {
	b, err := blob.Open[dict](path)
	if err != nil {
		return 0, err
	}
	defer b.Close()
	for e, err := range b.All() {
		if err != nil {
			return 0, err
		}
		sum = records.SumNext(sum, records.SumDict(e.Value))
	}
	return sum, nil
}

func putShelf(class labkit.Durability) func(string, []dict) error {
	return func(path string, list []dict) error {
		s, err := shelf.Open[dict](path, shelf.Options{Durability: shelf.Durability(class)})
		if err != nil {
			return err
		}
		return errors.Join(s.PutAll(entries(list)), s.Close())
	}
}

func loadShelf(path string) (list []dict, err error) {
	s, err := shelf.Open[dict](path, shelf.Options{Mode: shelf.ReadOnly})
	if err != nil {
		return nil, err
	}
	for e, err := range s.All() {
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		list = append(list, e.Value)
	}
	return list, s.Close()
}
