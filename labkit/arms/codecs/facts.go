package codecs

// Outcome is what an engine does with something.
type Outcome string

const (
	Kept    Outcome = "yes"
	Changed Outcome = "loses it"         // without a word
	Refused Outcome = "refuses"          // with an error
	Crashes Outcome = "ends the program" // the stack overflows, which nothing can catch
)

// Fact is one question and what each engine does.
type Fact struct {
	About    string    // what the question is about: "types", "changed structs"
	Question string    // what is to come back as it was
	Outcomes []Outcome // in the order of Names
}

// Names lists the engines that Facts speaks of.
func Names() []string { return []string{"gob", "gobwire", "JSON", "msgpack", "CBOR"} }

// Facts lists what each engine, as this package and those below set it up,
// carries and what it does not. Every outcome is that of a test which runs the
// engine.
//
// Where JSON, msgpack and CBOR lose a struct in an interface, it comes back as a
// map: its fields are there, its type is not. A renamed field is lost by all,
// since all find fields by name; gobwire's Decoder tells which in Lost, and JSON,
// msgpack and CBOR can be given the old name in a tag.
func Facts() []Fact {
	return []Fact{
		{"types", "unexported fields", []Outcome{Changed, Refused, Changed, Changed, Changed}},
		{"types", "a func field that is set", []Outcome{Changed, Refused, Refused, Refused, Refused}},
		{"types", "a channel field that is set", []Outcome{Changed, Refused, Refused, Refused, Refused}},
		{"types", "complex numbers", []Outcome{Kept, Kept, Refused, Refused, Refused}},
		{"types", "maps with structs as keys", []Outcome{Kept, Kept, Refused, Kept, Kept}},
		{"types", "a time, to the nanosecond", []Outcome{Kept, Kept, Kept, Kept, Changed}},
		{"values", "NaN", []Outcome{Kept, Kept, Refused, Kept, Kept}},
		{"values", "a NaN's payload", []Outcome{Kept, Kept, Refused, Kept, Changed}},
		{"values", "infinities", []Outcome{Kept, Kept, Refused, Kept, Kept}},
		{"values", "negative zero in a field", []Outcome{Changed, Changed, Kept, Kept, Kept}},
		{"values", "a pointer to zero", []Outcome{Changed, Changed, Kept, Kept, Kept}},
		{"values", "nil and empty told apart", []Outcome{Changed, Changed, Kept, Kept, Kept}},
		{"values", "strings that are no UTF-8", []Outcome{Kept, Kept, Changed, Kept, Refused}},
		{"structure", "objects in objects, 20,000 deep", []Outcome{Kept, Refused, Refused, Kept, Kept}},
		{"structure", "a pointer shared by two", []Outcome{Changed, Changed, Changed, Changed, Changed}},
		{"structure", "a cycle", []Outcome{Crashes, Refused, Refused, Crashes, Crashes}},
		{"unknown types", "a registered struct in an interface", []Outcome{Kept, Kept, Changed, Changed, Changed}},
		{"unknown types", "an unregistered struct in an interface", []Outcome{Refused, Refused, Changed, Changed, Changed}},
		{"unknown types", "decoding without its Go type", []Outcome{Refused, Refused, Kept, Kept, Kept}},
		{"other languages", "messages of a published standard", []Outcome{Refused, Refused, Kept, Kept, Kept}},
		{"changed structs", "a field is added", []Outcome{Kept, Kept, Kept, Kept, Kept}},
		{"changed structs", "a field is removed", []Outcome{Kept, Kept, Kept, Kept, Kept}},
		{"changed structs", "fields change places", []Outcome{Kept, Kept, Kept, Kept, Kept}},
		{"changed structs", "a field is renamed", []Outcome{Changed, Changed, Changed, Changed, Changed}},
		{"changed structs", "a narrower number that can hold it", []Outcome{Kept, Kept, Kept, Kept, Kept}},
		{"changed structs", "a narrower number that cannot", []Outcome{Refused, Refused, Refused, Changed, Refused}},
		{"changed structs", "a whole number becomes a float", []Outcome{Refused, Refused, Kept, Kept, Kept}},
		{"changed structs", "a number becomes a string", []Outcome{Refused, Refused, Refused, Refused, Refused}},
	}
}

// Table returns Facts as rows of text under a head, for a table in a cell.
func Table() (head []string, rows [][]string) {
	head = append([]string{"about", "does it carry"}, Names()...)
	about := ""
	for _, f := range Facts() {
		row := []string{f.About, f.Question}
		if f.About == about { // once for all rows that follow
			row[0] = ""
		}
		about = f.About
		for _, o := range f.Outcomes {
			row = append(row, string(o))
		}
		rows = append(rows, row)
	}
	return head, rows
}
