package rows_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/records/rows"
)

type values = map[string]any

// all are the values of every record.
func all(f *rows.File) []values {
	var list []values
	for i := range f.Rows {
		list = append(list, f.Map(&f.Rows[i]))
	}
	return list
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          []values
	}{
		{"every kind", `{"w":1,"n":1.5,"t":true,"s":"x","l":[1, 2],"z":null}`, []values{{"w": int64(1), "n": 1.5, "t": true, "s": "x", "l": "[1,2]"}}},
		{"a missing field and null", "{\"a\":1,\"b\":2}\n{\"a\":null}\n{\"b\":3}", []values{{"a": int64(1), "b": int64(2)}, {}, {"b": int64(3)}}},
		{"byte order mark, CRLF, blank lines, no end of line", "\uFEFF{\"a\":1}\r\n\r\n  \n{\"a\":2}", []values{{"a": int64(1)}, {"a": int64(2)}}},
		{"objects", `{"a":{"b":{"c":{"d":{"e":1}}}},"o":{},"p":{"q":{}}}`, []values{{"a.b.c.d": `{"e":1}`, "o": "{}", "p.q": "{}"}}},
		{"an object or a value", "{\"a\":1}\n{\"a\":{\"b\":2}}", []values{{"a": int64(1)}, {"a.b": int64(2)}}},
		{"whole and number", "{\"a\":1}\n{\"a\":0.5}", []values{{"a": 1.0}, {"a": 0.5}}},
		{"whole beyond 2^53 and number", "{\"a\":9007199254740993}\n{\"a\":0.50}", []values{{"a": "9007199254740993"}, {"a": "0.50"}}},
		{"limits of 64 bits", "{\"a\":9223372036854775807}\n{\"a\":-9223372036854775808}", []values{{"a": int64(1<<63 - 1)}, {"a": int64(-1 << 63)}}},
		{"beyond 64 bits", "{\"a\":9223372036854775808}\n{\"a\":1}", []values{{"a": "9223372036854775808"}, {"a": "1"}}},
		{"17 digits", "{\"a\":0.10000000000000001}", []values{{"a": 0.1}}},
		{"18 digits", "{\"a\":0.100000000000000012}", []values{{"a": "0.100000000000000012"}}},
		{"too large, too small", "{\"a\":1e999,\"b\":1e-999,\"c\":0e5}", []values{{"a": "1e999", "b": "1e-999", "c": 0.0}}},
		{"mixed", "{\"a\":1}\n{\"a\":\"x\"}\n{\"a\":true}\n{\"a\":[1]}", []values{{"a": "1"}, {"a": "x"}, {"a": "true"}, {"a": "[1]"}}},
		{"unicode", `{"naïve":"\u65e5本 \ud83d\ude00 \ufffd"}`, []values{{"naïve": "日本 😀 \uFFFD"}}},
		{"an empty text is a value", `{"a":""}`, []values{{"a": ""}}},
		{"a record of nothing", "{}\n{\"a\":1}", []values{{}, {"a": int64(1)}}},
		{"CSV", "a,b,c\n1,x,true\n2,,False\n", []values{{"a": int64(1), "b": "x", "c": true}, {"a": int64(2), "c": false}}},
		{"CSV, mark, CRLF, semicolons", "\uFEFFa;b\r\n1,5;2\r\n", []values{{"a": "1,5", "b": int64(2)}}},
		{"CSV, tabs", "a\tb,c\td\n1\t2\t3\n", []values{{"a": int64(1), "b,c": int64(2), "d": int64(3)}}},
		{"CSV, quotes and line breaks", "a,\"b,1\"\n\"x\r\ny\",\"say \"\"hi\"\"\"\n", []values{{"a": "x\ny", "b,1": `say "hi"`}}},
		{"CSV, texts that look like numbers", "a,b,c,d,e,f\n007,+1,1.,.5,1_000,NaN\n", []values{{"a": "007", "b": "+1", "c": "1.", "d": ".5", "e": "1_000", "f": "NaN"}}},
		{"CSV, numbers", "a,b,c\n-0.5,1e3,-7\n", []values{{"a": -0.5, "b": 1000.0, "c": int64(-7)}}},
		{"CSV, no name", "a,,\n1,2,3\n", []values{{"a": int64(1), "column 2": int64(2), "column 3": int64(3)}}},
	} {
		f, err := rows.Parse([]byte(c.content), rows.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, all(f)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	wide := "{"
	for i := range rows.MaxFields + 1 {
		wide += strings.Repeat(",", min(i, 1)) + `"` + strings.Repeat("x", i+1) + `":1`
	}
	for _, c := range []struct{ name, content, says string }{
		{"nothing", "", "it is empty"},
		{"a mark only", "\uFEFF \n", "it is empty"},
		{"a header only", "a,b\n", "no records"},
		{"no fields", "{}\n{}", "have no fields"},
		{"UTF-16", "\xff\xfea\x00", "UTF-16"},
		{"gzip", "\x1f\x8b\x08", "compressed"},
		{"a spreadsheet", "PK\x03\x04", "spreadsheet"},
		{"a column twice", "a,b, a\n1,2,3\n", `two columns are called "a"`},
		{"a header with a quote in it", "a\"b,c\n1,2\n", "the first line"},
		{"too many fields", wide + "}", "more than 1000 fields"},
	} {
		if _, err := rows.Parse([]byte(c.content), rows.Options{SkipBad: true}); !errors.Is(err, rows.ErrFile) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want ErrFile with %q", c.name, err, c.says)
		}
	}
}

func TestBadLines(t *testing.T) {
	const good = `{"k":"a","v":1}`
	for _, c := range []struct {
		name, content, key string
		line               int
		says               string
	}{
		{"no JSON", good + "\n{\"k\":b}", "", 2, "no JSON at character 6"},
		{"cut off", good + "\n{\"k\":\"b\"", "", 2, "does not end on its line"},
		{"a list", good + "\n[1]", "", 2, "a list: write one object a line"},
		{"a number", good + "\n7", "", 2, "not a JSON object"},
		{"two objects", good + "\n{} {}", "", 2, "no JSON at character 4"},
		{"a field twice", good + "\n{\"k\":1,\"k\":2}", "", 2, `"k" is there twice`},
		{"a field twice, flattened", good + "\n{\"a.b\":1,\"a\":{\"b\":2}}", "", 2, `"a.b" is there twice`},
		{"not UTF-8", good + "\n{\"k\":\"\xff\"}", "", 2, "not UTF-8"},
		{"half a character", good + "\n{\"k\":\"\\ud800\"}", "", 2, "half of a character"},
		{"no key", good + "\n\n{\"v\":2}", "k", 3, `no field "k", only v`},
		{"a null key", good + "\n{\"k\":null}", "k", 2, `"k" is empty`},
		{"an empty key", good + "\n{\"k\":\"\"}", "k", 2, `"k" is empty`},
		{"a list for a key", good + "\n{\"k\":[1]}", "k", 2, "a list or an object"},
		{"a long key", good + "\n{\"k\":\"" + strings.Repeat("x", rows.MaxKey+1) + "\"}", "k", 2, "the limit is 4096"},
		{"a key twice", good + "\n" + good, "k", 2, `"a" was there in line 1`},
		{"a line too long", good + "\n{\"k\":\"" + strings.Repeat("x", rows.MaxLine) + "\"}", "", 2, "the limit is 16777216"},
		{"CSV, too few cells", "k,v\na,1\nb\n", "", 3, "1 cells, the first line has 2"},
		{"CSV, too many cells", "k,v\na,1\nb,\"x\ny\",3\n", "", 3, "3 cells"},
		{"CSV, a stray quote", "k,v\na,1\nb,x\"y\n", "", 3, "a quote where none may be"},
		{"CSV, an open quote", "k,v\na,1\nb,\"x\nc,2\nd,3\n", "", 3, "up to line"},
		{"CSV, not UTF-8", "k,v\na,1\nb,\xff\n", "", 3, "not UTF-8"},
		{"CSV, a key twice", "k,v\na,1\n\na,2\n", "k", 4, `"a" was there in line 2`},
	} {
		options := rows.Options{Key: c.key}
		f, err := rows.Parse([]byte(c.content), options)
		if !errors.Is(err, rows.ErrLines) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "skip-bad=true") {
			t.Errorf("%s: %v, want ErrLines with %q", c.name, err, c.says)
			continue
		}
		if f.Count != 1 || len(f.Bad) != 1 || f.Bad[0].Line != c.line || !strings.Contains(f.Bad[0].Reason, c.says) {
			t.Errorf("%s: %d, %v, want line %d", c.name, f.Count, f.Bad, c.line)
		}
		options.SkipBad = true
		f, err = rows.Parse([]byte(c.content), options)
		if err != nil || len(f.Rows) != 1 || f.Count != 1 || f.Map(&f.Rows[0])["k"] != "a" {
			t.Errorf("%s, skipped: %v, %v", c.name, err, f)
		}
	}
}

// All bad lines are counted, the first are told.
func TestManyBadLines(t *testing.T) {
	content := []byte("{\"a\":1}\n" + strings.Repeat("oops\n", 25))
	f, err := rows.Parse(content, rows.Options{})
	if !errors.Is(err, rows.ErrLines) || f.Count != 25 || len(f.Bad) != 10 || f.Bad[9].Line != 11 {
		t.Fatalf("%v, %d bad lines", err, f.Count)
	}
	if text := err.Error(); !strings.Contains(text, "25 of them") || !strings.Contains(text, "and 15 more") {
		t.Errorf("%s", text)
	}
	if _, err := rows.Parse([]byte("{\noops"), rows.Options{SkipBad: true}); !errors.Is(err, rows.ErrFile) || !strings.Contains(err.Error(), "all its lines are bad: line 1") {
		t.Errorf("nothing but bad lines: %v", err)
	}
}

// A field says what was found in it, and a bad line adds nothing.
func TestFields(t *testing.T) {
	f, err := rows.Parse([]byte("{\"a\":1,\"b\":null}\n{\"a\":2.5}\n{\"a\":\"x\"}\n{\"a\":\"x\"}\n{\"a\":99999999999999999999}\noops\n"), rows.Options{SkipBad: true})
	if err != nil {
		t.Fatal(err)
	}
	want := rows.Field{Name: "a", Kind: rows.Text, Has: 5, Example: "1", Mixed: "1 whole number, 1 number, 1 number beyond 64 bits or 17 digits, 2 texts"}
	if got := plain(f, "a"); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := plain(f, "b"); got.Kind != rows.None || got.Null != 1 || got.Has != 0 {
		t.Errorf("%+v, want a field without values", got)
	}
	if got := f.Line(&f.Rows[1]); got != "a: 2.5" {
		t.Errorf("%q", got)
	}
	if diff := cmp.Diff([]string{"row_00001", "row_00002", "row_00003", "row_00004", "row_00005"}, f.Keys); diff != "" {
		t.Error(diff)
	}
}

func TestFirst(t *testing.T) {
	f, err := rows.Parse([]byte("k,v\nc,1\na,2\nb,3\n"), rows.Options{Key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{-1: "", 0: "", 1: "c", 2: "ac", 3: "abc", 9: "abc"} {
		keys, list := f.First(n)
		if got := strings.Join(keys, ""); got != want || len(list) != len(keys) {
			t.Errorf("First(%d) gives %q, want %q", n, got, want)
		}
		for i, key := range keys {
			if f.Map(&list[i])["k"] != key {
				t.Errorf("First(%d): the row of %q is another's", n, key)
			}
		}
	}
	if strings.Join(f.Keys, "") != "cab" {
		t.Error("the file changed")
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.jsonl")
	if err := os.WriteFile(path, []byte("oops\n{\"a\":1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	// By its name it is JSON Lines, whatever its first line is.
	if f, err := rows.Read(path, rows.Options{SkipBad: true}); err != nil || f.Path != path || f.Format != "JSON Lines" || len(f.Rows) != 1 {
		t.Errorf("%v, %+v", err, f)
	}
	if _, err := rows.Read(path, rows.Options{}); !errors.Is(err, rows.ErrLines) || !strings.HasPrefix(err.Error(), "x.jsonl: ") {
		t.Errorf("%v", err)
	}
	if _, err := rows.Read(dir, rows.Options{}); !errors.Is(err, rows.ErrFile) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := rows.Read(filepath.Join(dir, "none"), rows.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}
