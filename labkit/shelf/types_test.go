package shelf_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"hash/crc32"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"shelflab/labkit/shelf"
)

// Two forms of one struct: as two builds of a program would have it.
type personV1 struct {
	Name string
	Age  int
}
type personV2 struct {
	Age   int64
	Name  string
	Email string
}

// The name of a type is checked at open, so the two forms are made to have one
// name here by being local to functions.
func openV1(t *testing.T, dir string, do func(put func(key string, v personV1), get func(key string) (personV1, error), update func(key string) error)) {
	t.Helper()
	type person personV1
	s := open[person](t, dir, shelf.Options{})
	do(func(key string, v personV1) { t.Helper(); must(t, s.Put(key, person(v))) },
		func(key string) (personV1, error) { v, err := s.Get(key); return personV1(v), err },
		func(key string) error { return s.Update(key, func(v *person) error { v.Age++; return nil }) })
	must(t, s.Close())
}

func openV2(t *testing.T, dir string, do func(put func(key string, v personV2), get func(key string) (personV2, error), update func(key string) error)) {
	t.Helper()
	type person personV2
	s := open[person](t, dir, shelf.Options{})
	do(func(key string, v personV2) { t.Helper(); must(t, s.Put(key, person(v))) },
		func(key string) (personV2, error) { v, err := s.Get(key); return personV2(v), err },
		func(key string) error { return s.Update(key, func(v *person) error { v.Age++; return nil }) })
	must(t, s.Close())
}

func TestStructsChange(t *testing.T) {
	dir := t.TempDir()
	openV1(t, dir, func(put func(string, personV1), _ func(string) (personV1, error), _ func(string) error) {
		put("ada", personV1{"Ada", 36})
	})
	openV2(t, dir, func(put func(string, personV2), get func(string) (personV2, error), update func(string) error) {
		if v, err := get("ada"); err != nil || v != (personV2{36, "Ada", ""}) {
			t.Errorf("an older value: %+v, %v", v, err)
		}
		must(t, update("ada")) // nothing of it is lost
		put("bo", personV2{20, "Bo", "bo@example.org"})
	})
	openV1(t, dir, func(put func(string, personV1), get func(string) (personV1, error), update func(string) error) {
		if v, err := get("bo"); err != nil || v != (personV1{"Bo", 20}) {
			t.Errorf("a newer value: %+v, %v", v, err)
		}
		wants(t, update("bo"), shelf.ErrType, "Email", "newer form", `"bo"`)
		put("cy", personV1{"Cy", 3})
	})
	openV2(t, dir, func(_ func(string, personV2), get func(string) (personV2, error), _ func(string) error) {
		for key, want := range map[string]personV2{"ada": {37, "Ada", ""}, "bo": {20, "Bo", "bo@example.org"}, "cy": {3, "Cy", ""}} {
			if v, err := get(key); err != nil || v != want {
				t.Errorf("%s: %+v, %v", key, v, err)
			}
		}
	})
}

// A backup of both forms restores into a shelf that has numbered them otherwise.
func TestRestoreRenumbers(t *testing.T) {
	type person personV1
	from, to := t.TempDir(), t.TempDir()
	openV2(t, from, func(put func(string, personV2), _ func(string) (personV2, error), _ func(string) error) {
		put("new", personV2{1, "New", "x"})
	})
	openV1(t, from, func(put func(string, personV1), _ func(string) (personV1, error), _ func(string) error) {
		put("old", personV1{"Old", 2})
	})
	s := open[person](t, to, shelf.Options{}) // here the older form is number 1
	must(t, s.Put("gone", person{}))
	func() {
		src := open[person](t, from, shelf.Options{Mode: shelf.ReadOnly})
		var b bytes.Buffer
		must(t, src.Backup(&b))
		must(t, s.Restore(&b))
		must(t, src.Close())
	}()
	want := map[string]person{"new": {"New", 1}, "old": {"Old", 2}}
	sameMap(t, want, contents(t, s))
	must(t, s.Compact())
	must(t, s.Put("more", person{"More", 3}))
	must(t, s.Close())
	want["more"] = person{"More", 3}
	sameMap(t, want, contents(t, open[person](t, to, shelf.Options{})))
}

// A description that Compact drops leaves its number behind: an iterator of before
// goes on decoding under it, whatever is restored meanwhile.
func TestNumbersAreNotUsedAgain(t *testing.T) {
	dir, from := t.TempDir(), t.TempDir()
	numbers := func() string {
		raw, err := os.ReadFile(dir + "/SHELF")
		must(t, err)
		return strings.Join(regexp.MustCompile(`"(number|next)":\d+`).FindAllString(string(raw), -1), " ")
	}
	is := func(want string) {
		t.Helper()
		if got := numbers(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	openV1(t, dir, func(put func(string, personV1), _ func(string) (personV1, error), _ func(string) error) {
		put("a", personV1{"Ada", 36})
	})
	is(`"number":1 "next":2`)
	// A header of before there was a next number.
	raw, err := os.ReadFile(dir + "/SHELF")
	must(t, err)
	_, line, _ := strings.Cut(strings.TrimSpace(string(raw)), "\n")
	line = strings.Replace(line, `,"next":2`, "", 1)
	sum := crc32.Checksum([]byte(line), crc32.MakeTable(crc32.Castagnoli))
	must(t, os.WriteFile(dir+"/SHELF", fmt.Appendf(nil, "shelflab shelf 1 %08x\n%s\n", sum, line), 0o666))

	type person personV2
	s := open[person](t, dir, shelf.Options{})
	must(t, s.Put("a", person{1, "Ada", "a@example.org"}))
	is(`"number":1 "number":2 "next":3`)
	must(t, s.Close())
	openV1(t, dir, func(put func(string, personV1), _ func(string) (personV1, error), _ func(string) error) {
		put("a", personV1{"Ada", 36})
	})
	func() {
		type person personV1
		s := open[person](t, dir, shelf.Options{})
		must(t, s.Compact())
		is(`"number":1 "next":3`)
		openV2(t, from, func(put func(string, personV2), _ func(string) (personV2, error), _ func(string) error) {
			put("b", personV2{20, "Bo", "bo@example.org"})
		})
		var b bytes.Buffer
		must(t, open[person](t, from, shelf.Options{Mode: shelf.ReadOnly}).Backup(&b))
		must(t, s.Restore(&b))
		is(`"number":1 "number":3 "next":4`)
		check(t, s, "b", person{"Bo", 20})
		must(t, s.Close())
		s = open[person](t, dir, shelf.Options{Mode: shelf.Fresh})
		is(`"number":4 "next":5`)
		must(t, s.Put("c", person{"Cy", 3}))
		check(t, s, "c", person{"Cy", 3})
	}()
}

type sound interface{ Sound() string }
type dog struct{ Name string }

func (d dog) Sound() string { return d.Name + " barks" }

type cat struct{ Name string }

func (c cat) Sound() string { return c.Name + " meows" }

func TestKindsOfValues(t *testing.T) {
	same := func(t *testing.T, run func(dir string)) { run(t.TempDir()) }
	same(t, func(dir string) {
		s := open[map[string][]float64](t, dir, shelf.Options{})
		must(t, s.Put("m", map[string][]float64{"a": {1, 2}, "b": nil}))
		v, err := s.Get("m")
		must(t, err)
		if len(v) != 2 || v["a"][1] != 2 {
			t.Errorf("got %v", v)
		}
	})
	same(t, func(dir string) {
		s := open[*record](t, dir, shelf.Options{})
		r := sample(4)
		must(t, s.Put("p", &r))
		check(t, s, "p", &r)
		wants(t, s.Put("nil", nil), shelf.ErrType, "nil pointer", `"nil"`)
		must(t, s.Close())
		check(t, open[record](t, dir, shelf.Options{}), "p", r) // pointers do not count
	})
	same(t, func(dir string) {
		s := open[time.Time](t, dir, shelf.Options{})
		when := time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
		must(t, s.Put("t", when))
		check(t, s, "t", when)
	})
	same(t, func(dir string) {
		gob.Register(dog{})
		s := open[sound](t, dir, shelf.Options{})
		must(t, s.Put("rex", dog{"Rex"}))
		wants(t, s.Put("tom", cat{"Tom"}), shelf.ErrType, "gob.Register", `"tom"`)
		must(t, s.Close())
		s = open[sound](t, dir, shelf.Options{})
		v, err := s.Get("rex")
		must(t, err)
		if v.Sound() != "Rex barks" {
			t.Errorf("got %v", v)
		}
	})
	same(t, func(dir string) {
		type node struct {
			N    int
			Next *node
		}
		s := open[node](t, dir, shelf.Options{})
		ring := node{N: 1}
		ring.Next = &ring
		wants(t, s.Put("ring", ring), shelf.ErrType, "cyclic")
		must(t, s.Put("line", node{1, &node{2, nil}}))
		check(t, s, "line", node{1, &node{2, nil}})
	})
}

// Put takes the value as it is: later changes of what it points to do not show.
func TestPutCopies(t *testing.T) {
	s := open[[]string](t, t.TempDir(), shelf.Options{})
	v := []string{"a"}
	must(t, s.Put("k", v))
	v[0] = "changed"
	check(t, s, "k", []string{"a"})
	got, err := s.Get("k")
	must(t, err)
	got[0] = "changed"
	check(t, s, "k", []string{"a"})
}

func TestUpdate(t *testing.T) {
	s := open[[]string](t, t.TempDir(), shelf.Options{})
	must(t, s.Put("k", []string{"a"}))
	wants(t, s.Update("none", func(*[]string) error { return nil }), shelf.ErrNotFound, `"none"`)
	err := s.Update("k", func(v *[]string) error { *v = nil; return shelf.ErrKey })
	wants(t, err, shelf.ErrKey, `"k"`)
	check(t, s, "k", []string{"a"})
	// change may use the shelf; what it writes under the same key makes it run again.
	runs := 0
	must(t, s.Update("k", func(v *[]string) error {
		if runs++; runs == 1 {
			must(t, s.Put("k", []string{"b"}))
			must(t, s.Compact())
		}
		*v = append(*v, "c")
		return nil
	}))
	check(t, s, "k", []string{"b", "c"})
	if runs != 2 {
		t.Errorf("change ran %d times", runs)
	}
}
