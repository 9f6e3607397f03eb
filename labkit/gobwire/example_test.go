package gobwire_test

import (
	"errors"
	"fmt"
	"log"
	"time"

	"shelflab/labkit/gobwire"
)

type Person struct {
	Name string
	Age  int
}

func Example() {
	codec, err := gobwire.New[Person]()
	if err != nil {
		log.Fatal(err)
	}
	description := codec.Description() // stored once

	var bodies [][]byte // stored for every value
	for _, p := range []Person{{"Ada", 36}, {"Grace", 85}} {
		body, err := codec.Append(nil, &p)
		if err != nil {
			log.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	fmt.Println(codec.Name(), "is", codec.Shape())
	fmt.Println(len(bodies[0]), "bytes")

	// Later, in another program.
	decoder, err := codec.Decoder(description)
	if err != nil {
		log.Fatal(err)
	}
	for _, body := range bodies {
		var p Person
		if err := decoder.Decode(body, &p); err != nil {
			log.Fatal(err)
		}
		fmt.Println(p.Name, p.Age)
	}
	// Output:
	// gobwire_test.Person is struct Person{Name string; Age int}
	// 8 bytes
	// Ada 36
	// Grace 85
}

// What gob would lose without a word is refused by name.
func ExampleNew() {
	type Meeting struct {
		time.Time
		Room string
	}
	_, err := gobwire.New[Meeting]()
	fmt.Println(errors.Is(err, gobwire.ErrType))
	fmt.Println(err)
	// Output:
	// true
	// type does not fit: gobwire_test.Meeting: the GobEncode of the embedded Time would stand for all of gobwire_test.Meeting and lose Room: give the embedded field a name, or give gobwire_test.Meeting its own GobEncode and GobDecode
}
