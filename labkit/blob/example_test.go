package blob_test

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"shelflab/labkit/blob"
)

type planet struct {
	Name  string
	Moons int
}

var planets = map[string]planet{
	"earth":   {"Earth", 1},
	"mars":    {"Mars", 2},
	"mercury": {"Mercury", 0},
}

// folder is a temporary folder for an example.
func folder() (path string, remove func()) {
	path, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	return path, func() { _ = os.RemoveAll(path) }
}

func Example() {
	dir, remove := folder()
	defer remove()
	path := filepath.Join(dir, "planets.blob")

	if err := blob.Save(path, planets, blob.Options{}); err != nil {
		fmt.Println(err)
	}
	again, err := blob.Load[map[string]planet](path)
	fmt.Println(len(again), again["mars"], err)
	// Output: 3 {Mars 2} <nil>
}

// An indexed blob is read a key at a time.
func ExampleOpen() {
	dir, remove := folder()
	defer remove()
	path := filepath.Join(dir, "planets.blob")

	if err := blob.Pack(path, blob.Sorted(planets), blob.Options{}); err != nil {
		fmt.Println(err)
	}
	b, err := blob.Open[planet](path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	p, err := b.Get("mars")
	fmt.Println(p, err)
	_, err = b.Get("pluto")
	fmt.Println(errors.Is(err, blob.ErrNotFound))
	for e, err := range b.All() {
		fmt.Println(e.Key, e.Value.Moons, err)
	}
	// Output:
	// {Mars 2} <nil>
	// true
	// earth 1 <nil>
	// mars 2 <nil>
	// mercury 0 <nil>
}

// A source that ends with an error seals nothing.
func ExamplePack() {
	dir, remove := folder()
	defer remove()
	path := filepath.Join(dir, "squares.blob")

	var squares iter.Seq2[blob.Entry[int], error] = func(yield func(blob.Entry[int], error) bool) {
		for i := range 1000 {
			if !yield(blob.Entry[int]{Key: fmt.Sprintf("%06d", i), Value: i * i}, nil) {
				return
			}
		}
		yield(blob.Entry[int]{}, errors.New("out of squares"))
	}
	err := blob.Pack(path, squares, blob.Options{})
	_, missing := os.Stat(path)
	fmt.Println(err != nil, errors.Is(missing, os.ErrNotExist))
	// Output: true true
}

// A file that is to be there after a power cut.
func ExampleOptions() {
	dir, remove := folder()
	defer remove()
	path := filepath.Join(dir, "planets.blob")

	err := blob.Save(path, planets, blob.Options{Durability: blob.PowerLoss})
	fmt.Println(err)
	// Output: <nil>
}

func ExampleIndexed_GetMany() {
	dir, remove := folder()
	defer remove()
	path := filepath.Join(dir, "planets.blob")
	if err := blob.Pack(path, blob.Sorted(planets), blob.Options{}); err != nil {
		fmt.Println(err)
	}
	b, err := blob.Open[planet](path)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	for e, err := range b.GetMany([]string{"mercury", "pluto", "earth"}) {
		if errors.Is(err, blob.ErrNotFound) {
			fmt.Println("no", e.Key)
			continue
		}
		fmt.Println(e.Value.Name, err)
	}
	// Output:
	// Mercury <nil>
	// no pluto
	// Earth <nil>
}
