package rows_test

import (
	"bytes"
	"encoding/gob"
	"errors"
	"slices"
	"testing"

	"shelflab/labkit/records/rows"
)

// FuzzJSON gives any text to the reader of JSON Lines: no line may be lost
// without a word.
func FuzzJSON(f *testing.F) {
	for _, text := range []string{
		`{"a":1,"b":[1,{"c":null}],"d":{"e":{"f":{"g":{"h":1}}}}}`, "{\"a\":1.5}\r\n\n{\"a\":\"x\"}", "\uFEFF{\"k\":\"\\ud800\"}\noops",
		`{"a":1e400,"a.b":-0,"c":{}}`, "{\"a\":9223372036854775808}\n[1]", "{\"k\":\"a\"}\n{\"k\":\"a\"}",
	} {
		f.Add([]byte(text), "k")
	}
	f.Fuzz(func(t *testing.T, text []byte, key string) {
		text = append([]byte("{}\n"), text...)
		file := parsed(t, text, key)
		if file == nil {
			return
		}
		lines := 0
		for line := range bytes.SplitSeq(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 {
				lines++
			}
		}
		if len(file.Rows)+file.Count != lines {
			t.Errorf("%d rows and %d bad lines of %d", len(file.Rows), file.Count, lines)
		}
	})
}

// FuzzCSV gives any text to the reader of CSV.
func FuzzCSV(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,x\n2,\"y\nz\"\n", "a;b;c\r\n1,5;true;\r\n", "\uFEFFa\tb\n007\t1e3\n", "a,b\n\"open\nc,d\n", "a,a\n1,2\n", "k,v\nx,1\nx,2\n", ",\n1,2\n",
	} {
		f.Add([]byte(text), "k")
	}
	f.Fuzz(func(t *testing.T, text []byte, key string) {
		parsed(t, append([]byte("x"), text...), key)
	})
}

// parsed reads text, whatever it is, and checks what must hold of every file.
func parsed(t *testing.T, text []byte, key string) *rows.File {
	strict, strictErr := rows.Parse(text, rows.Options{Key: key})
	file, err := rows.Parse(text, rows.Options{Key: key, SkipBad: true})
	if err != nil {
		if !errors.Is(err, rows.ErrFile) {
			t.Fatalf("an error of another kind: %v", err)
		}
		return nil
	}
	if (file.Count > 0) != errors.Is(strictErr, rows.ErrLines) || (file.Count == 0) != (strictErr == nil) {
		t.Fatalf("%d bad lines, but %v without skipping", file.Count, strictErr)
	}
	if strictErr == nil && !slices.Equal(strict.Keys, file.Keys) {
		t.Fatal("skipping nothing makes a difference")
	}
	if len(file.Keys) != len(file.Rows) || len(file.Rows) == 0 || len(file.Bad) != min(file.Count, 10) {
		t.Fatalf("%d keys, %d rows, %d of %d bad lines", len(file.Keys), len(file.Rows), len(file.Bad), file.Count)
	}
	keys, list := file.First(len(file.Rows))
	has := map[string]int{}
	for i := range list {
		if i > 0 && keys[i] <= keys[i-1] {
			t.Fatalf("the key %q comes after %q", keys[i], keys[i-1])
		}
		for name := range file.Map(&list[i]) {
			has[name]++
		}
	}
	for _, field := range file.Fields {
		if has[field.Name] != field.Has {
			t.Fatalf("%d rows have %q, counted were %d", has[field.Name], field.Name, field.Has)
		}
	}
	sameThroughGob(t, keys[0], &list[0])
	return file
}

func sameThroughGob(t *testing.T, key string, r *rows.Row) {
	var wire bytes.Buffer
	var back rows.Row
	if err := errors.Join(gob.NewEncoder(&wire).Encode(r), gob.NewDecoder(&wire).Decode(&back)); err != nil {
		t.Fatal(err)
	}
	if rows.Sum(key, r) != rows.Sum(key, &back) {
		t.Fatalf("%v came back as %v", r, back)
	}
}
