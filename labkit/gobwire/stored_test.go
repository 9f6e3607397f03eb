package gobwire_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/gobwire"
)

// stored is what one process leaves for another.
type stored struct{ Shape, Description, Body []byte }

const childVariable = "GOBWIRE_TEST_CHILD"

// TestMain lets the test binary be the other program: one in which gob gives other
// numbers to the same types.
func TestMain(m *testing.M) {
	if os.Getenv(childVariable) == "" {
		os.Exit(m.Run())
	}
	for _, other := range []any{pair[int, string]{}, pair[string, []int]{}, map[string]tree{}, []map[int]record{}} {
		if err := gob.NewEncoder(new(bytes.Buffer)).Encode(other); err != nil {
			os.Exit(1)
		}
	}
	c, err := gobwire.New[record]()
	if err != nil {
		os.Exit(1)
	}
	v := sample(77)
	body, err := c.Append(nil, &v)
	if err != nil {
		os.Exit(1)
	}
	if json.NewEncoder(os.Stdout).Encode(stored{[]byte(c.Shape()), c.Description(), body}) != nil {
		os.Exit(1)
	}
}

func TestAnotherProcess(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=1")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var there stored
	if err := json.Unmarshal(out, &there); err != nil {
		t.Fatal(err)
	}
	c := codecOf[record](t)
	if c.Shape() != string(there.Shape) {
		t.Errorf("shapes differ:\n%s\n%s", c.Shape(), there.Shape)
	}
	if bytes.Equal(c.Description(), there.Description) {
		t.Error("descriptions are equal: the other process has the same numbers, and the test shows nothing")
	}
	// Under its own description, and under ours: the shape is the same.
	for _, description := range [][]byte{there.Description, c.Description()} {
		d, err := c.Decoder(description)
		if err != nil {
			t.Fatal(err)
		}
		var got record
		if err := d.Decode(there.Body, &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(sample(77), got); diff != "" {
			t.Error(diff)
		}
	}
}

// across encodes v as A and decodes it as B.
func across[A, B any](t *testing.T, v A) (B, []string, error) {
	t.Helper()
	a := codecOf[A](t)
	body, err := a.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	var got B
	d, err := codecOf[B](t).Decoder(a.Description())
	if err != nil {
		return got, nil, err
	}
	err = d.Decode(body, &got)
	return got, d.Lost(), err
}

type (
	v1 struct {
		ID   int
		Name string
		In   struct{ A, B int }
	}
	v2 struct { // reordered, widened, one field more, one fewer, one nested fewer
		Extra []string
		Name  string
		ID    int64
		In    struct{ B int }
	}
)

func TestStructsChange(t *testing.T) {
	old := v1{ID: 7, Name: "n"}
	old.In.A, old.In.B = 1, 2
	got, lost, err := across[v1, v2](t, old)
	if err != nil {
		t.Fatal(err)
	}
	want := v2{ID: 7, Name: "n"}
	want.In.B = 2
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if want := []string{"gobwire_test.v2.In.A"}; !reflect.DeepEqual(lost, want) {
		t.Errorf("lost %q, want %q", lost, want)
	}
	if _, lost, err := across[v1, v1](t, old); err != nil || lost != nil {
		t.Errorf("the same type loses %q, %v", lost, err)
	}
	// A field that became an interface type's neighbour: bodies switch to
	// self-contained, old ones stay readable.
	type v3 struct {
		ID  int
		Any any
	}
	if got, _, err := across[v1, v3](t, old); err != nil || got.ID != 7 {
		t.Errorf("bare body into a type with an interface: %+v, %v", got, err)
	}
	back, lost, err := across[v3, v1](t, v3{ID: 8, Any: "x"})
	if err != nil || back.ID != 8 || !reflect.DeepEqual(lost, []string{"gobwire_test.v1.Any"}) {
		t.Errorf("self-contained body into a type without: %+v, lost %q, %v", back, lost, err)
	}
}

func TestForeignTypesRefused(t *testing.T) {
	_, _, err := across[v1, struct{ Other int }](t, v1{})
	checkError(t, err, gobwire.ErrType, "no field in common")
	_, _, err = across[v1, struct{ ID string }](t, v1{})
	checkError(t, err, gobwire.ErrType, ".ID", "string")
	_, _, err = across[v1, struct{ In struct{ A string } }](t, v1{})
	checkError(t, err, gobwire.ErrType, ".In.A", "string")
	_, _, err = across[v1, int](t, v1{})
	checkError(t, err, gobwire.ErrType)
	_, _, err = across[int, v1](t, 3)
	checkError(t, err, gobwire.ErrType)
	_, _, err = across[[]int, []string](t, nil)
	checkError(t, err, gobwire.ErrType)
	_, _, err = across[[2]int, [3]int](t, [2]int{})
	checkError(t, err, gobwire.ErrType)
	_, _, err = across[map[string]int, map[string]uint](t, nil)
	checkError(t, err, gobwire.ErrType)
	_, _, err = across[Encodes, struct{ X int }](t, Encodes{1})
	checkError(t, err, gobwire.ErrType, "encodes itself in another way")
	_, _, err = across[struct{ N int }, struct{ N int8 }](t, struct{ N int }{1000})
	checkError(t, err, gobwire.ErrType, "out of range")
	_, _, err = across[v1, any](t, v1{})
	checkError(t, err, gobwire.ErrType)
}

type (
	animal interface{ Sound() string }
	dog    struct{ Name string }
	crate  struct {
		Label string
		Pet   animal
		More  map[string]any
	}
)

func (d dog) Sound() string { return d.Name + " barks" }

func TestInterfaces(t *testing.T) {
	gob.Register(dog{})
	gob.Register(map[string]any{})
	gob.Register([]any{})
	in := crate{"l", dog{"Rex"}, map[string]any{
		"n": 1, "s": "x", "deep": map[string]any{"list": []any{1, dog{"Ada"}, nil, 2.5}}, "z": dog{"Bo"}, "nil": nil,
	}}
	same(t, in)
	same(t, crate{})
	same[any](t, 3)
	same[any](t, nil)
	same(t, []animal{dog{"a"}, dog{"b"}, nil})
}
