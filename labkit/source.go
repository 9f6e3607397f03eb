package labkit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
)

// Survey reads the file of a user's own records once and returns the SHA-256 of
// its content, 64 hexadecimal digits, and about how many records it holds: the
// lines that are not blank and, in a file that does not begin with '{' and so is
// CSV, not inside a quoted cell, without the header. It does not say whether
// they can be read: package rows does. A folder, a pipe and what is not there
// are errors.
func Survey(path string) (digest string, records int, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", 0, err
	}
	if !info.Mode().IsRegular() { // a pipe would never end
		return "", 0, fmt.Errorf("%s is no file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	hash := sha256.New()
	var c lineCounter
	if _, err := io.Copy(io.MultiWriter(hash, &c), bufio.NewReaderSize(f, 1<<20)); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(hash.Sum(nil)), c.records(), nil
}

// lineCounter counts the records of what is written to it.
type lineCounter struct {
	begun, csv, quoted bool
	filled             bool // the line has more than spaces in it
	lines              int
}

func (c *lineCounter) Write(p []byte) (int, error) {
	text := p
	if !c.begun {
		first := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), " \t\r\n")
		c.begun, c.csv = len(first) > 0, len(first) > 0 && first[0] != '{'
	}
	for _, b := range text {
		switch {
		case b == '\n' && !c.quoted:
			if c.filled {
				c.lines++
			}
			c.filled = false
		case b == '"' && c.csv:
			c.quoted, c.filled = !c.quoted, true
		case b != ' ' && b != '\t' && b != '\r' && b != '\n':
			c.filled = true
		}
	}
	return len(p), nil
}

func (c *lineCounter) records() int {
	lines := c.lines
	if c.filled { // the last line needs no break
		lines++
	}
	if c.csv {
		lines-- // the header
	}
	return max(lines, 0)
}

// PlanOf returns the Plan that a pointer to a struct of parameters is or embeds,
// nil if there is none.
func PlanOf(params any) *Plan {
	if p, ok := params.(*Plan); ok {
		return p
	}
	v := reflect.ValueOf(params).Elem()
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.Anonymous && field.Type == reflect.TypeFor[Plan]() {
			return v.Field(i).Addr().Interface().(*Plan)
		}
	}
	return nil
}

// keepSource writes the digest of the file of records that a plan names into the
// plan. Sizes that the file is too small for are an error if they were given, and
// are scaled down to the file if they are only the defaults.
func keepSource(params any, given bool) error {
	p := PlanOf(params)
	if p == nil {
		return nil
	}
	p.RecordsSHA256 = ""
	if p.Records == "" {
		return nil
	}
	if p.Counts != "" {
		return fmt.Errorf("%w: records = %q: this notebook measures %s that it makes itself, not records of a file", ErrPlan, p.Records, p.Counts)
	}
	digest, count, err := Survey(p.Records)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("%w: records = %q: there is no such file: give the path of a JSON Lines or CSV file, from the notebook's folder or from /", ErrPlan, p.Records)
	case err != nil:
		return fmt.Errorf("%w: records: %w", ErrPlan, err)
	case count == 0:
		return fmt.Errorf("%w: records = %q: the file holds no records", ErrPlan, p.Records)
	}
	p.RecordsSHA256 = digest
	if p.Largest() <= count {
		return nil
	}
	fitting := fit(p.N, count)
	if given {
		return fmt.Errorf("%w: n = %d: %s has %d records: give at most that many, such as n=%s", ErrPlan, p.Largest(), p.Records, count, joinInts(fitting))
	}
	p.N = fitting
	return nil
}

// fit scales sizes so that the largest is count, each at least 1 and each once.
func fit(sizes []int, count int) []int {
	largest := 0
	for _, n := range sizes {
		largest = max(largest, n)
	}
	var fitting []int
	for _, n := range sizes {
		n = max(1, int(float64(n)/float64(largest)*float64(count)))
		if len(fitting) == 0 || n > fitting[len(fitting)-1] {
			fitting = append(fitting, n)
		}
	}
	return fitting
}
