// Package second tries out what a store does with a second process.
package second

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/arms/live"
	"shelflab/labkit/arms/turn"
)

// Table is what the systems did with a second process, a row for each.
type Table struct {
	systems []live.System
	rows    map[string][]string
}

// New is a table of systems that have not been tried yet.
func New(systems ...live.System) *Table { return &Table{systems, map[string][]string{}} }

// Head names the columns of Rows.
func (t *Table) Head() []string {
	list := []string{"store"}
	for _, c := range cases {
		list = append(list, c.name)
	}
	return list
}

// Rows are what happened, of the systems that have been tried, in their order.
func (t *Table) Rows() (list [][]string) {
	for _, s := range t.systems {
		if row, ok := t.rows[s.Name]; ok {
			list = append(list, append([]string{s.Name}, row...))
		}
	}
	return list
}

// Arms are the systems as arms whose turn tries them and fills their row.
func (t *Table) Arms() []labkit.Arm {
	arms := make([]labkit.Arm, len(t.systems))
	for i, s := range t.systems {
		arms[i] = s.Arm()
		arms[i].Beside = func(ctx context.Context, b *labkit.Beside) error { return hold(s, b) }
		arms[i].Measure = func(ctx context.Context, r *labkit.Round) error {
			var row []string
			for _, c := range cases {
				cell, err := try(ctx, r, s, c)
				if err != nil {
					return fmt.Errorf("%s: %w", c.name, err)
				}
				row = append(row, cell)
			}
			t.rows[s.Name] = row
			return nil
		}
	}
	return arms
}

// What the first process does, and what is tried beside it.
type situation struct {
	name string
	held string // what the first process does: see hold
	try  func(s live.System, path string) error
}

const (
	writing  = "holds it open, having written"
	reading  = "holds it open for reading"
	updating = "is in the middle of an update"
)

var cases = []situation{
	{"a second writer", writing, write},
	{"a writer in the middle\nof the first one's update", updating, write},
	{"a reader\nbeside a writer", writing, read},
	{"a writer\nbeside a reader", reading, write},
}

var key = live.Key(0)

func write(s live.System, path string) error {
	return turn.With(writer(s), path, func(store live.Store) error { return store.Update(key, (*live.Item).Change) })
}

func read(s live.System, path string) error {
	return turn.With(reader(s), path, func(store live.Store) error {
		item, err := store.Get(key)
		if err == nil && (item.Version != 1 || !item.Whole()) {
			err = errStale
		}
		return err
	})
}

var errStale = errors.New("it reads something else than what was written last")

func writer(s live.System) func(path string) (live.Store, error) {
	if s.Share != nil {
		return s.Share
	}
	return s.Open
}

func reader(s live.System) func(path string) (live.Store, error) {
	if s.Read != nil {
		return s.Read
	}
	return writer(s)
}

// What the processes say to each other.
const (
	there = "there"
	goOn  = "go on"
)

// hold is what the first process does: it holds the store, or is in the middle of
// an update, until it is told to go on.
func hold(s live.System, b *labkit.Beside) error {
	wait := func() error {
		if err := b.Say(there); err != nil {
			return err
		}
		_, err := b.Hear()
		return err
	}
	open := writer(s)
	if b.What == reading {
		open = reader(s)
	}
	return turn.With(open, b.Path, func(store live.Store) error {
		switch b.What {
		case reading:
			if _, err := store.Get(key); err != nil {
				return err
			}
		case writing:
			if err := store.Update(key, (*live.Item).Change); err != nil {
				return err
			}
		case updating:
			return store.Update(key, func(item *live.Item) error {
				return errors.Join(wait(), item.Change())
			})
		}
		return wait()
	})
}

// middle is for how long the first process stays in the middle of its update: who
// waits for it is seen to wait.
const middle = 300 * time.Millisecond

// instant is how long what does not wait takes at most.
const instant = middle / 2

// try is one cell of the table.
func try(ctx context.Context, r *labkit.Round, s live.System, c situation) (string, error) {
	path := r.Path + "_" + strings.Fields(c.held)[0] + fmt.Sprint(len(c.name))
	if err := clear(path); err != nil {
		return "", err
	}
	defer clear(path)
	if err := s.Fill(path, live.Entries(1, 0)); err != nil {
		return "", err
	}
	of := *r
	of.Path = path
	p, err := of.Start(ctx, c.held)
	if err != nil {
		return "", err
	}
	defer p.Close()
	if err := p.Expect(there); err != nil {
		return "", err
	}
	told := make(chan error, 1)
	if c.held == updating {
		time.AfterFunc(middle, func() { told <- p.Say(goOn) })
	}
	began := time.Now()
	tried := c.try(s, path)
	took := time.Since(began)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if c.held == updating {
		err = <-told
	} else {
		err = p.Say(goOn)
	}
	if err := errors.Join(err, p.End()); err != nil {
		return "", err
	}
	if tried != nil {
		return refused(tried, took, path), nil
	}
	waited := took > instant
	if c.held == updating {
		return after(s, path, waited)
	}
	switch {
	case c.held == writing && c.name == cases[2].name:
		return "reads\nwhat was written last", nil
	case waited:
		return "waits, then writes", nil
	}
	return "writes", nil
}

// after says what has become of two updates, of which one was in the middle.
func after(s live.System, path string, waited bool) (string, error) {
	version := 0
	err := turn.With(writer(s), path, func(store live.Store) error {
		item, err := store.Get(key)
		version = item.Version
		return err
	})
	how := "does not wait"
	if waited {
		how = "waits until that is done"
	}
	switch {
	case err != nil:
		return "", err
	case version == 2:
		return how + "\nboth updates are there", nil
	}
	return how + "\nan update is lost", nil
}

// refused says how an attempt has failed.
func refused(err error, took time.Duration, path string) string {
	text, _, _ := strings.Cut(strings.ReplaceAll(err.Error(), path, "the store"), "\n")
	if _, why, ok := strings.Cut(text, "open: "); ok { // what wraps it says where, which the row does
		text = why
	}
	how := "refused at once"
	if took > instant {
		how = fmt.Sprintf("refused after %.1f s", took.Seconds())
	}
	return how + "\n" + clip(text)
}

// clip breaks an error into lines, the first of which are enough to know it by.
func clip(text string) string {
	const width, most = 26, 2
	list := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := len(list) - 1
		switch {
		case list[last] == "":
			list[last] = word
		case len(list[last])+1+len(word) <= width:
			list[last] += " " + word
		case len(list) == most:
			return strings.Join(list, "\n") + " …"
		default:
			list = append(list, word)
		}
	}
	return strings.Join(list, "\n")
}
