package rows_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit/gobwire"
	"shelflab/labkit/records"
	"shelflab/labkit/records/rows"
)

// Property: what was written as JSON is read back, sent by gobwire and read from
// it, and the checksum tells every change. The model is a list of maps.
func TestRowsAgainstMaps(t *testing.T) {
	codec, err := gobwire.New[rows.Row]()
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := codec.Decoder(codec.Description())
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		model := draw(t)
		var content bytes.Buffer
		for _, record := range model {
			line, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			content.Write(append(line, '\n'))
		}
		f, err := rows.Parse(content.Bytes(), rows.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sums := map[uint64]string{}
		for i := range f.Rows {
			if diff := cmp.Diff(model[i], f.Map(&f.Rows[i])); diff != "" {
				t.Fatalf("record %d (-model +file):\n%s", i, diff)
			}
			body, err := codec.Append(nil, &f.Rows[i])
			if err != nil {
				t.Fatal(err)
			}
			var back rows.Row
			if err := decoder.Decode(body, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(model[i], f.Map(&back)); diff != "" {
				t.Fatalf("record %d (-model +decoded):\n%s", i, diff)
			}
			sum := rows.Sum("k", &back)
			if sum != rows.Sum("k", &f.Rows[i]) {
				t.Fatal("the checksum changed on the way")
			}
			if sum == rows.Sum("other", &back) {
				t.Fatal("the checksum does not depend on the key")
			}
			text := fmt.Sprint(model[i])
			if other, ok := sums[sum]; ok && other != text {
				t.Fatalf("%s and %s have the same checksum", other, text)
			}
			sums[sum] = text
		}
	})
}

// draw makes records of one kind a field, some of which lack fields. The first
// has them all, so that a field's kind does not depend on luck.
func draw(t *rapid.T) []values {
	kinds := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 20).Draw(t, "kinds")
	list := make([]values, rapid.IntRange(1, 8).Draw(t, "records"))
	for i := range list {
		list[i] = values{}
		for j, kind := range kinds {
			if i > 0 && rapid.Bool().Draw(t, "absent") {
				continue
			}
			var v any
			switch kind {
			case 0:
				v = rapid.Int64().Draw(t, "whole")
			case 1:
				// A fraction, since 2.0 is written as 2.
				v = float64(rapid.IntRange(-1000, 1000).Draw(t, "number")) + 0.25
			case 2:
				v = rapid.Bool().Draw(t, "truth")
			case 3:
				v = rapid.String().Draw(t, "text")
			}
			list[i][fmt.Sprintf("field %d", j)] = v
		}
	}
	return list
}

// Each field counts in the checksum, and so does which of them has the value.
func TestSumCoversAllFields(t *testing.T) {
	base := func() rows.Row {
		return rows.Row{Whole: []int64{1, 2}, Number: []float64{1, 2}, Truth: []bool{true, false}, Text: []string{"a", "b"}, Absent: []byte{1}}
	}
	seen := map[uint64]string{}
	for name, change := range map[string]func(*rows.Row){
		"nothing":      func(*rows.Row) {},
		"whole":        func(r *rows.Row) { r.Whole[1] = 3 },
		"whole turned": func(r *rows.Row) { r.Whole[0], r.Whole[1] = 2, 1 },
		"number":       func(r *rows.Row) { r.Number[0] = 1.5 },
		"truth":        func(r *rows.Row) { r.Truth[1] = true },
		"text":         func(r *rows.Row) { r.Text[1] = "c" },
		"text moved":   func(r *rows.Row) { r.Text = []string{"ab", ""} },
		"one less":     func(r *rows.Row) { r.Text = r.Text[:1] },
		"absent":       func(r *rows.Row) { r.Absent = []byte{2} },
	} {
		r := base()
		change(&r)
		sum := rows.Sum("key", &r)
		if other, ok := seen[sum]; ok {
			t.Errorf("%s and %s have the same checksum", name, other)
		}
		seen[sum] = name
	}
}

func TestPayload(t *testing.T) {
	r := rows.Row{Whole: []int64{1, 2}, Number: []float64{1}, Truth: []bool{true}, Text: []string{"abc", "日"}, Absent: []byte{1}}
	if got, want := rows.Payload("key", &r), 3+16+8+1+3+3; got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	if got := rows.Payload("", &rows.Row{}); got != 0 {
		t.Errorf("nothing is %d bytes", got)
	}
}

// The description of the type is sent once: were it a fall-back, every body
// would hold it again, as that of a map of interfaces does.
func TestGobwireTakesTheFastWay(t *testing.T) {
	r := rows.Row{Whole: []int64{7}, Number: []float64{1.5}, Truth: []bool{true}, Text: []string{"text"}}
	codec, err := gobwire.New[rows.Row]()
	if err != nil {
		t.Fatal(err)
	}
	body, err := codec.Append(nil, &r)
	if err != nil {
		t.Fatal(err)
	}
	var fresh bytes.Buffer
	if err := gob.NewEncoder(&fresh).Encode(r); err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(body, []byte("Whole")) || !bytes.Contains(fresh.Bytes(), []byte("Whole")) || len(body) > 32 {
		t.Errorf("a body of %d bytes, a fresh gob of %d: the type is in the body: %q", len(body), fresh.Len(), body)
	}
	dynamic, err := gobwire.New[map[string]any]()
	if err != nil {
		t.Fatal(err)
	}
	body, err = dynamic.Append(nil, &map[string]any{"whole": int64(7), "number": 1.5, "truth": true, "text": "text"})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(body, []byte("float64")) {
		t.Errorf("a map of interfaces has no names of types: %q", body)
	}
}

// asRow is a record of the lab as a file would give it.
func asRow(r records.Record) rows.Row {
	return rows.Row{
		Whole: []int64{int64(r.ID)}, Number: []float64{r.Score}, Truth: []bool{r.Active},
		Text: []string{r.Name, r.Email, r.Tags[0], r.Tags[1], r.Note},
	}
}

// BenchmarkRowOrStruct sets a struct, as a program has it, beside a Row of the
// same values: encoded and decoded by gobwire, one record an operation.
func BenchmarkRowOrStruct(b *testing.B) {
	set := records.Generate(1, 1000)
	list := make([]rows.Row, len(set.Values))
	for i, r := range set.Values {
		list[i] = asRow(r)
	}
	b.Run("struct", func(b *testing.B) { encodeAndDecode(b, set.Values) })
	b.Run("row", func(b *testing.B) { encodeAndDecode(b, list) })
}

func encodeAndDecode[V any](b *testing.B, list []V) {
	codec, err := gobwire.New[V]()
	if err != nil {
		b.Fatal(err)
	}
	decoder, err := codec.Decoder(codec.Description())
	if err != nil {
		b.Fatal(err)
	}
	bodies := make([][]byte, len(list))
	size := 0
	for i := range list {
		if bodies[i], err = codec.Append(nil, &list[i]); err != nil {
			b.Fatal(err)
		}
		size += len(bodies[i])
	}
	b.Run("encode", func(b *testing.B) {
		var body []byte
		for i := 0; b.Loop(); i++ {
			if body, err = codec.Append(body[:0], &list[i%len(list)]); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(size)/float64(len(list)), "B/record")
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			var v V
			if err := decoder.Decode(bodies[i%len(list)], &v); err != nil {
				b.Fatal(err)
			}
		}
	})
}
