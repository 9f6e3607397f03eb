package dicts_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit"
	"shelflab/labkit/arms/dicts"
	"shelflab/labkit/records"
)

func TestTextForm(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	for _, c := range []struct {
		list []dict
		want string
	}{
		{nil, "dicts\t0\t0\n\n"},
		{[]dict{{}, {}}, "dicts\t2\t0\n\n\n\n"},
		{[]dict{{"b": "2", "a": "1"}, {"a": "", "b": "\t\\\n\r"}}, "dicts\t2\t2\na\tb\n1\t2\n\t\\t\\\\\\n\\r\n"},
	} {
		if err := dicts.SaveText(path, labkit.ProcessCrash, c.list); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != c.want {
			t.Errorf("%q is written as %q (%v), want %q", c.list, text, err, c.want)
		}
	}
}

// The published file: 750 kB for 3,000 unlike dictionaries of 25 items.
func TestTextHasThePublishedSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	list := records.Dicts{Items: 25, Length: 9, Unlike: true}.List(1, 3000, nil)
	if err := dicts.SaveText(path, labkit.ProcessCrash, list); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if size := info.Size(); size < 750_000 || size > 750_300 { // the two lines of the head
		t.Errorf("%d bytes", size)
	}
}

func TestLoadTextRefuses(t *testing.T) {
	const whole = "dicts\t2\t2\na\tb\n1\t2\n3\t4\n"
	path := filepath.Join(t.TempDir(), "text")
	load := func(text string) ([]dict, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return dicts.LoadText(path)
	}
	if list, err := load(whole); err != nil || len(list) != 2 {
		t.Fatalf("%v, %v", list, err)
	}
	for at := range len(whole) { // torn at every byte
		if list, err := load(whole[:at]); !errors.Is(err, dicts.ErrText) || list != nil {
			t.Errorf("%q: %v, %v", whole[:at], list, err)
		}
	}
	for _, c := range []struct{ text, says string }{
		{whole + "5\t6\n", "line 4: no whole text file of dictionaries: it goes on after 2 dictionaries"},
		{strings.Replace(whole, "1\t2", "12", 1), "line 3: no whole text file of dictionaries: it has 1 values, the keys are 2"},
		{strings.Replace(whole, "1\t2", "1\t2\t", 1), "more than 2 values"},
		{strings.Replace(whole, "1\t2", `1\x`+"\t2", 1), "a backslash before something else"},
		{strings.Replace(whole, "2\n", "2\\\n", 1), "it begins with"},
		{strings.Replace(whole, "a\tb", "a\ta", 1), "line 2: no whole text file of dictionaries: a key stands there twice"},
		{strings.Replace(whole, "dicts", "lists", 1), "line 1: no whole text file of dictionaries: it begins with"},
		{"dicts\t-1\t0\n\n", "it begins with"},
		{"dicts\t1\t2\t3\n", "it begins with"},
		{"dicts\t9000000000000000000\t0\n\n\n", "line 4"}, // nothing is allocated on a number's word
		{"dicts\t1\t1000000000\n\n", "it begins with"},
		{"dicts\t1\t0\n\nx\n", "it has more than 0 values"},
	} {
		if list, err := load(c.text); !errors.Is(err, dicts.ErrText) || list != nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: %v, %v, want %q", c.text, list, err, c.says)
		}
	}
	if _, err := dicts.LoadText(path + "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestTextRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.SampledFrom([]rune("ab\\\t\n\rtnr"))))
		keys := rapid.SliceOfNDistinct(text, 0, 4, rapid.ID).Draw(t, "keys")
		list := []dict{}
		for range rapid.IntRange(0, 5).Draw(t, "n") {
			m := dict{}
			for _, key := range keys {
				m[key] = text.Draw(t, "value")
			}
			list = append(list, m)
		}
		if err := dicts.SaveText(path, labkit.ProcessCrash, list); err != nil {
			t.Fatal(err)
		}
		back, err := dicts.LoadText(path)
		if diff := cmp.Diff(list, append([]dict{}, back...)); err != nil || diff != "" {
			t.Fatalf("%v (-want +got):\n%s", err, diff)
		}
	})
}
