package main

import (
	"fmt"
	"io"
	"os"
	"unicode/utf8"
)

// status says in one line what goes on: rewritten in place in a terminal, a
// line each elsewhere.
type status struct {
	w    io.Writer
	live bool
}

func newStatus(w io.Writer) *status {
	s := &status{w: w}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		s.live = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return s
}

// statusWidth keeps the line from wrapping, which could not be rewritten.
const statusWidth = 78

func (s *status) show(text string) {
	if !s.live {
		fmt.Fprintln(s.w, text)
		return
	}
	for utf8.RuneCountInString(text) > statusWidth {
		_, size := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-size]
	}
	fmt.Fprintf(s.w, "\r\x1b[K%s", text)
}

// clear removes the line, so that what is printed next starts clean.
func (s *status) clear() {
	if s.live {
		fmt.Fprint(s.w, "\r\x1b[K")
	}
}
