package rows

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// delimiter is the one of comma, semicolon and tab that the first line has most
// of outside quotes; a comma if it has none.
func delimiter(content []byte) rune {
	count := map[byte]int{}
	quoted := false
	for _, b := range bytes.TrimLeft(content, "\r\n") {
		if b == '"' {
			quoted = !quoted
		}
		if b == '\n' && !quoted {
			break
		}
		if !quoted {
			count[b]++
		}
	}
	best := byte(',')
	for _, d := range []byte(";\t") {
		if count[d] > count[best] {
			best = d
		}
	}
	return rune(best)
}

// header is the names of the fields: the first line. A column without a name is
// called by its number.
func header(reader *csv.Reader) ([]string, error) {
	names, err := reader.Read()
	if err == io.EOF {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the first line, which names the fields, cannot be read: %w", ErrFile, err)
	}
	seen := map[string]bool{}
	for i, name := range names {
		name = strings.TrimSpace(name)
		if name == "" {
			name = fmt.Sprintf("column %d", i+1)
		}
		switch {
		case !utf8.ValidString(name):
			return nil, fmt.Errorf("%w: the first line, which names the fields, is not UTF-8", ErrFile)
		case seen[name]:
			return nil, fmt.Errorf("%w: two columns are called %q: rename one", ErrFile, name)
		}
		names[i], seen[name] = name, true
	}
	return names, nil
}

// csvLines calls each for every record below the header.
func csvLines(content []byte, each func(line int, cells []cell, bad error) error) error {
	reader := csv.NewReader(bytes.NewReader(content))
	reader.Comma = delimiter(content)
	reader.FieldsPerRecord = -1 // told as a bad line, not as the end
	names, err := header(reader)
	if err != nil || names == nil {
		return err
	}
	for {
		record, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		if parse := new(csv.ParseError); errors.As(err, &parse) {
			err = each(parse.StartLine, nil, quoting(parse))
		} else if err == nil {
			line, _ := reader.FieldPos(0)
			cells, bad := unquotedAll(names, record)
			err = each(line, cells, bad)
		}
		if err != nil {
			return err
		}
	}
}

// quoting says what is wrong with the quotes of a line.
func quoting(err *csv.ParseError) error {
	if errors.Is(err.Err, csv.ErrQuote) && err.Line > err.StartLine {
		return fmt.Errorf("a quote that is opened here and not closed properly: everything up to line %d is in it", err.Line)
	}
	return fmt.Errorf("a quote where none may be, at character %d: write it twice inside a quoted cell", err.Column)
}

func unquotedAll(names, record []string) ([]cell, error) {
	if len(record) != len(names) {
		return nil, fmt.Errorf("%d cells, the first line has %d", len(record), len(names))
	}
	size := 0
	cells := make([]cell, len(names))
	for i, text := range record {
		if !utf8.ValidString(text) {
			return nil, errNotUTF8
		}
		size += len(text)
		cells[i] = unquoted(names[i], text)
	}
	if size > MaxLine {
		return nil, tooLong(size)
	}
	return cells, nil
}
