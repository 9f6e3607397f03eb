package labkit

import (
	"bytes"
	"strings"
)

// Tail keeps the end of what is written to it: what a program of its own has said
// last. The zero value is empty. One goroutine at a time may use it.
type Tail struct {
	text  bytes.Buffer
	first bool // the beginning is kept instead
}

const tailSize = 4000 // bytes

// Write keeps what fits and forgets what came before; it never fails.
func (t *Tail) Write(p []byte) (int, error) {
	if t.first {
		t.text.Write(p[:min(len(p), max(0, tailSize-t.text.Len()))])
		return len(p), nil
	}
	n, err := t.text.Write(p)
	if over := t.text.Len() - tailSize; over > 0 {
		t.text.Next(over)
	}
	return n, err
}

// String is the end of what was written, without blanks around it and as UTF-8.
func (t *Tail) String() string {
	return strings.TrimSpace(strings.ToValidUTF8(t.text.String(), ""))
}

// Text goes on a sentence with what was said last, behind a line break; "" if
// nothing was.
func (t *Tail) Text() string {
	if text := t.String(); text != "" {
		return ", and said:\n" + text
	}
	return ""
}
