package shelf_test

import (
	"bytes"
	"errors"
	"fmt"
	"log"
	"os"

	"shelflab/labkit/shelf"
)

type Person struct {
	Name string
	Age  int
}

// temporary returns a folder for an example.
func temporary() string {
	dir, err := os.MkdirTemp("", "people")
	if err != nil {
		log.Fatal(err)
	}
	return dir
}

func Example() {
	dir := temporary()
	defer os.RemoveAll(dir)

	s, err := shelf.Open[Person](dir, shelf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	if err := s.Put("ada", Person{"Ada", 36}); err != nil {
		log.Fatal(err)
	}
	if err := s.Close(); err != nil { // now another program may open it
		log.Fatal(err)
	}

	s, err = shelf.Open[Person](dir, shelf.Options{Mode: shelf.ReadOnly})
	if err != nil {
		log.Fatal(err)
	}
	defer s.Close()
	ada, err := s.Get("ada")
	fmt.Println(ada.Name, ada.Age, err)
	_, err = s.Get("bo")
	fmt.Println(errors.Is(err, shelf.ErrNotFound))
	// Output:
	// Ada 36 <nil>
	// true
}

// people is a shelf with three entries; done removes it.
func people() (s *shelf.Shelf[Person], done func()) {
	dir := temporary()
	s, err := shelf.Open[Person](dir, shelf.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range []Person{{"Ada", 36}, {"Alan", 41}, {"Grace", 85}} {
		if err := s.Put(p.Name, p); err != nil {
			log.Fatal(err)
		}
	}
	return s, func() {
		s.Close()
		os.RemoveAll(dir)
	}
}

func ExampleShelf_All() {
	s, done := people()
	defer done()
	for e, err := range s.All() {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Key, e.Value.Age)
	}
	// Output:
	// Ada 36
	// Alan 41
	// Grace 85
}

func ExampleShelf_Prefix() {
	s, done := people()
	defer done()
	for e, err := range s.Prefix("A") {
		fmt.Println(e.Key, err)
	}
	// Output:
	// Ada <nil>
	// Alan <nil>
}

func ExampleShelf_GetMany() {
	s, done := people()
	defer done()
	for e, err := range s.GetMany([]string{"Grace", "Bo", "Ada"}) {
		fmt.Println(e.Key, e.Value.Age, errors.Is(err, shelf.ErrNotFound))
	}
	// Output:
	// Grace 85 false
	// Bo 0 true
	// Ada 36 false
}

func ExampleShelf_PutAll() {
	s, done := people()
	defer done()
	err := s.PutAll(func(yield func(shelf.Entry[Person], error) bool) {
		for i := range 1000 {
			e := shelf.Entry[Person]{Key: fmt.Sprintf("clone %03d", i), Value: Person{"Clone", i}}
			if !yield(e, nil) {
				return
			}
		}
	})
	n, _ := s.Len()
	fmt.Println(n, err)
	// Output: 1003 <nil>
}

func ExampleShelf_Update() {
	s, done := people()
	defer done()
	err := s.Update("Ada", func(p *Person) error {
		p.Age++
		return nil
	})
	ada, _ := s.Get("Ada")
	fmt.Println(ada.Age, err)
	// Output: 37 <nil>
}

func ExampleShelf_PutIfAbsent() {
	s, done := people()
	defer done()
	for _, name := range []string{"Ada", "Bo"} {
		stored, err := s.PutIfAbsent(name, Person{Name: name})
		fmt.Println(name, stored, err)
	}
	// Output:
	// Ada false <nil>
	// Bo true <nil>
}

func ExampleShelf_Backup() {
	s, done := people()
	defer done()
	var backup bytes.Buffer // or a file, or a connection
	if err := s.Backup(&backup); err != nil {
		log.Fatal(err)
	}
	if err := s.Clear(); err != nil {
		log.Fatal(err)
	}
	if err := s.Restore(&backup); err != nil {
		log.Fatal(err)
	}
	n, err := s.Len()
	fmt.Println(n, err)
	// Output: 3 <nil>
}

func ExampleOptions() {
	dir := temporary()
	defer os.RemoveAll(dir)
	// An empty shelf whatever was there, and writes that survive a power loss.
	s, err := shelf.Open[int](dir, shelf.Options{Mode: shelf.Fresh, Durability: shelf.PowerLoss})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Put("n", 1), s.Close())
	// Output: <nil> <nil>
}
