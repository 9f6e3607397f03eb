package codecs_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"shelflab/labkit/arms/codecs"
	"shelflab/labkit/arms/codecs/cbor"
	"shelflab/labkit/arms/codecs/msgpack"
)

// engine is one of codecs.Names for values of type V.
func engine[V any](name string) (codecs.Engine, error) {
	switch name {
	case "gob":
		return codecs.Gob(), nil
	case "gobwire":
		return codecs.Gobwire[V]()
	case "JSON":
		return codecs.JSON(), nil
	case "msgpack":
		return msgpack.Engine(), nil
	case "CBOR":
		return cbor.Engine(), nil
	}
	return codecs.Engine{}, errors.New("no such engine")
}

// through encodes in and decodes it as a B: the same type, or what it has become.
func through[A, B any](name string, in A) (out B, err error) {
	writer, err1 := engine[A](name)
	reader, err2 := engine[B](name)
	if err := errors.Join(err1, err2); err != nil {
		return out, err
	}
	var file bytes.Buffer
	if err := writer.Encode(&file, &in); err != nil {
		return out, err
	}
	return out, reader.Decode(&file, &out)
}

// becomes says what an engine makes of in, read as a B.
func becomes[A, B any](in A, right func(out B) bool) func(name string) codecs.Outcome {
	return func(name string) codecs.Outcome {
		out, err := through[A, B](name, in)
		switch {
		case err != nil:
			return codecs.Refused
		case right(out):
			return codecs.Kept
		}
		return codecs.Changed
	}
}

// keeps is becomes for a value that should come back as it was.
func keeps[V any](in V) func(name string) codecs.Outcome {
	return becomes(in, func(out V) bool { return reflect.DeepEqual(in, out) })
}

type (
	hidden   struct{ Seen, unseen int }
	callback struct {
		N  int
		Do func()
	}
	signal struct {
		N    int
		Done chan int
	}
	number struct{ X float64 }
	wave   struct{ X complex128 }
	cell   struct{ X, Y int }
	board  struct{ Cells map[cell]string }
	moment struct{ At time.Time }
	maybe  struct{ P *int }
	list   struct{ Empty, None []int }
	text   struct{ S string }
	chain  struct {
		N    int
		Next *chain
	}
	pair     struct{ A, B *cell }
	anything struct{ V any }

	first struct {
		ID, Age int
		Name    string
	}
	grown struct {
		ID, Age    int
		Name, Note string
	}
	shrunk struct {
		ID   int
		Name string
	}
	shuffled struct {
		Name    string
		Age, ID int
	}
	renamed struct {
		ID, Years int
		Name      string
	}
	narrow struct {
		ID, Age int8
		Name    string
	}
	wide struct {
		ID, Age float64
		Name    string
	}
	worded struct {
		ID   int
		Age  string
		Name string
	}
)

// Registered is known to gob by name; what gob is not told of is not.
type Registered struct{ X, Y int }

func init() { gob.Register(Registered{}) }

func deep(levels int) *chain {
	var c *chain
	for i := range levels {
		c = &chain{i, c}
	}
	return c
}

var zero = 0

// probes answer the questions of codecs.Facts by running the engines.
var probes = map[string]func(name string) codecs.Outcome{
	"unexported fields":           keeps(hidden{1, 2}),
	"a func field that is set":    becomes(callback{1, func() {}}, func(out callback) bool { return out.N == 1 && out.Do != nil }),
	"a channel field that is set": becomes(signal{1, make(chan int)}, func(out signal) bool { return out.N == 1 && out.Done != nil }),
	"complex numbers":             keeps(wave{complex(1, -2)}),
	"maps with structs as keys":   keeps(board{map[cell]string{{1, 2}: "x", {3, 4}: "o"}}),
	"NaN":                         becomes(number{math.NaN()}, func(out number) bool { return math.IsNaN(out.X) }),
	"a NaN's payload": becomes(number{math.Float64frombits(0x7ff8_0000_dead_beef)}, func(out number) bool {
		return math.Float64bits(out.X) == 0x7ff8_0000_dead_beef
	}),
	"infinities":               keeps(number{math.Inf(-1)}),
	"negative zero in a field": becomes(number{math.Copysign(0, -1)}, func(out number) bool { return math.Float64bits(out.X) == 1<<63 }),
	"a time, to the nanosecond": becomes(moment{time.Unix(1_700_000_000, 123_456_789)}, func(out moment) bool {
		return out.At.Equal(time.Unix(1_700_000_000, 123_456_789))
	}),
	"a pointer to zero":         becomes(maybe{&zero}, func(out maybe) bool { return out.P != nil && *out.P == 0 }),
	"nil and empty told apart":  keeps(list{Empty: []int{}}),
	"strings that are no UTF-8": keeps(text{"a\xffb"}),
	"objects in objects, 20,000 deep": becomes(deep(20_000), func(out *chain) bool {
		n := 0
		for ; out != nil; out = out.Next {
			n++
		}
		return n == 20_000
	}),
	"a pointer shared by two":                becomes(func() pair { c := &cell{1, 2}; return pair{c, c} }(), func(out pair) bool { return out.A != nil && out.A == out.B }),
	"a cycle":                                inChild,
	"a registered struct in an interface":    keeps(anything{Registered{1, 2}}),
	"an unregistered struct in an interface": keeps(anything{cell{1, 2}}),
	"decoding without its Go type":           becomes(first{1, 36, "Ada"}, func(out any) bool { return strings.Contains(fmt.Sprint(out), "Ada") }),
	"messages of a published standard":       standard,
	"a field is added":                       becomes(first{1, 36, "Ada"}, func(out grown) bool { return out == grown{1, 36, "Ada", ""} }),
	"a field is removed":                     becomes(first{1, 36, "Ada"}, func(out shrunk) bool { return out == shrunk{1, "Ada"} }),
	"fields change places":                   becomes(first{1, 36, "Ada"}, func(out shuffled) bool { return out == shuffled{"Ada", 36, 1} }),
	"a field is renamed":                     becomes(first{1, 36, "Ada"}, func(out renamed) bool { return out == renamed{1, 36, "Ada"} }),
	"a narrower number that can hold it":     becomes(first{1, 36, "Ada"}, func(out narrow) bool { return out == narrow{1, 36, "Ada"} }),
	"a narrower number that cannot":          becomes(first{1, 360, "Ada"}, func(narrow) bool { return false }),
	"a whole number becomes a float":         becomes(first{1, 36, "Ada"}, func(out wide) bool { return out == wide{1, 36, "Ada"} }),
	"a number becomes a string":              becomes(first{1, 36, "Ada"}, func(out worded) bool { return out.Age == "36" }),
}

// standard: examples from the engines' own specifications, as others write them:
// RFC 8259 section 13, msgpack.org, RFC 8949 appendix A.
func standard(name string) codecs.Outcome {
	message := map[string]string{
		"JSON":    "[116, 943, 234, 38793]",
		"msgpack": "\x82\xa7compact\xc3\xa6schema\x00",
		"CBOR":    "\xa2\x61a\x01\x61b\x82\x02\x03",
	}
	want := map[string]string{
		"JSON": "[116 943 234 38793]", "msgpack": "map[compact:true schema:0]", "CBOR": "map[a:1 b:[2 3]]",
	}
	e, err := engine[any](name)
	if err != nil {
		return codecs.Refused
	}
	reads := 0
	for _, m := range message {
		var out any
		if e.Decode(strings.NewReader(m), &out) == nil {
			reads++
		}
	}
	var out any
	if err := e.Decode(strings.NewReader(message[name]), &out); err == nil && fmt.Sprint(out) == want[name] {
		return codecs.Kept
	}
	if reads > 0 {
		return codecs.Changed
	}
	return codecs.Refused
}

const cycleVariable = "SHELFLAB_TEST_CYCLE"

// inChild has another process encode a cycle, since that may end it.
func inChild(name string) codecs.Outcome {
	cmd := exec.Command(os.Args[0], "-test.run=^TestCycleInChild$")
	cmd.Env = append(os.Environ(), cycleVariable+"="+name)
	out, err := cmd.CombinedOutput()
	switch text := string(out); {
	case err == nil && strings.Contains(text, "refused: "):
		return codecs.Refused
	case err != nil && strings.Contains(text, "stack overflow"):
		return codecs.Crashes
	default:
		return codecs.Outcome(fmt.Sprintf("%v: %.500s", err, text))
	}
}

// TestCycleInChild is what such a process runs; in any other it has nothing to do.
func TestCycleInChild(t *testing.T) {
	name, ok := os.LookupEnv(cycleVariable)
	if !ok {
		return
	}
	debug.SetMaxStack(32 << 20) // or it takes a gigabyte to find out
	c := &chain{N: 1}
	c.Next = c
	e, err := engine[chain](name)
	if err == nil {
		err = e.Encode(new(bytes.Buffer), c)
	}
	if err == nil {
		t.Fatal("a cycle was encoded")
	}
	fmt.Println("refused: ", err)
}

func TestFacts(t *testing.T) {
	asked := map[string]bool{}
	for _, fact := range codecs.Facts() {
		asked[fact.Question] = true
		probe, ok := probes[fact.Question]
		if !ok {
			t.Errorf("nothing tests %q", fact.Question)
			continue
		}
		for i, name := range codecs.Names() {
			if got := probe(name); got != fact.Outcomes[i] {
				t.Errorf("%s, %s: %q, the table says %q", fact.Question, name, got, fact.Outcomes[i])
			}
		}
	}
	for question := range probes {
		if !asked[question] {
			line := ""
			for _, name := range codecs.Names() {
				line += fmt.Sprintf(" %s", probes[question](name))
			}
			t.Errorf("the table does not answer %q:%s", question, line)
		}
	}
}
