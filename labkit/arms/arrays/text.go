package arrays

import (
	"bufio"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// The text form, version 1: a header line, one number a line in the shortest
// digits that give the same float64 again, row by row, and a line with the
// CRC-32C of everything before it, in eight hexadecimal digits. Every line ends
// in \n.
//
//	shelflab array, text 1: 2 rows of 3
//	1
//	-0
//	0.1
//	NaN
//	NaN:7ff80000deadbeef
//	+Inf
//	crc32c 5d2e1f04
//
// NaN stands for math.NaN(); every other NaN is written with its bits.
const (
	textHead = "shelflab array, text 1: %d rows of %d\n"
	textTail = "crc32c %08x\n"
	tailSize = len("crc32c 01234567\n")
	nanMark  = "NaN:"
	minLine  = 2 // bytes: a digit and its line break
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// TextForm writes one number a line, by strconv.
func TextForm() Form {
	return textForm("text", "one number a line, by strconv", appendNumbers, parseNumbers)
}

// SlowText writes the same file as TextForm, a number at a time through fmt: the
// general engine for text that every Go programmer knows.
func SlowText() Form {
	return textForm("text, by fmt", "one number a line, by fmt", printNumbers, scanNumbers)
}

func textForm(name, what string, write func(*bufio.Writer, []float64) error, read func(string, []float64) error) Form {
	return Form{
		Name: name, Kind: Text, What: what, Special: true, Payload: true, Checked: true,
		Dump: func(path string, array [][]float64) error { return dumpText(path, array, write) },
		Load: func(path string) ([][]float64, error) { return loadText(path, read) },
	}
}

func dumpText(path string, array [][]float64, write func(*bufio.Writer, []float64) error) error {
	rows, columns, err := shape(array)
	if err != nil {
		return err
	}
	return create(path, func(w *bufio.Writer) error {
		sum := crc32.New(castagnoli)
		body := bufio.NewWriterSize(io.MultiWriter(w, sum), bufferSize)
		fmt.Fprintf(body, textHead, rows, columns)
		for _, row := range array {
			if err := write(body, row); err != nil {
				return err
			}
		}
		if err := body.Flush(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, textTail, sum.Sum32())
		return err
	})
}

func loadText(path string, read func(string, []float64) error) ([][]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	array, err := parseText(text, read)
	if err != nil {
		return nil, corrupt(path, err)
	}
	return array, nil
}

// parseText checks the frame before it looks at a number.
func parseText(text []byte, read func(string, []float64) error) ([][]float64, error) {
	at := len(text) - tailSize
	if at < 0 || string(text[at:]) != fmt.Sprintf(textTail, crc32.Checksum(text[:at], castagnoli)) {
		return nil, errors.New("it does not end in the checksum of what it holds")
	}
	head, body, _ := strings.Cut(string(text[:at]), "\n")
	var rows, columns uint64
	if _, err := fmt.Sscanf(head+"\n", textHead, &rows, &columns); err != nil || head+"\n" != fmt.Sprintf(textHead, rows, columns) {
		return nil, errors.New("it does not begin with the header of a text array")
	}
	if !fits(int64(len(body)), 0, rows, columns, minLine, false) {
		return nil, fmt.Errorf("its %d bytes cannot hold %d rows of %d", len(body), rows, columns)
	}
	flat := make([]float64, rows*columns)
	if err := read(body, flat); err != nil {
		return nil, err
	}
	return cut(flat, rows), nil
}

func appendNumbers(w *bufio.Writer, numbers []float64) error {
	for _, x := range numbers {
		line := appendNumber(w.AvailableBuffer(), x)
		if _, err := w.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// ordinaryNaN is what strconv makes of "NaN".
var ordinaryNaN = math.Float64bits(math.NaN())

func appendNumber(dst []byte, x float64) []byte {
	if bits := math.Float64bits(x); x != x && bits != ordinaryNaN {
		return strconv.AppendUint(append(dst, nanMark...), bits, 16)
	}
	return strconv.AppendFloat(dst, x, 'g', -1, 64)
}

// parseNumber reads what appendNumber writes, and other ways of writing a number
// that strconv knows.
func parseNumber(text string) (float64, error) {
	hex, marked := strings.CutPrefix(text, nanMark)
	if !marked {
		return strconv.ParseFloat(text, 64)
	}
	bits, err := strconv.ParseUint(hex, 16, 64)
	if err == nil && !math.IsNaN(math.Float64frombits(bits)) {
		err = fmt.Errorf("%s is no NaN", text)
	}
	return math.Float64frombits(bits), err
}

func parseNumbers(body string, numbers []float64) error {
	for i := range numbers {
		line, rest, ended := strings.Cut(body, "\n")
		x, err := parseNumber(line)
		if err != nil || !ended {
			return fmt.Errorf("number %d: %q: %w", i, line, errors.Join(err))
		}
		numbers[i], body = x, rest
	}
	if body != "" {
		return errors.New("more lines follow than the header says")
	}
	return nil
}

func printNumbers(w *bufio.Writer, numbers []float64) error {
	for _, x := range numbers {
		var err error
		if math.IsNaN(x) {
			_, err = fmt.Fprintln(w, string(appendNumber(nil, x)))
		} else {
			_, err = fmt.Fprintln(w, x)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func scanNumbers(body string, numbers []float64) error {
	r := strings.NewReader(body)
	for i := range numbers {
		var text string
		if _, err := fmt.Fscanln(r, &text); err != nil {
			return fmt.Errorf("number %d: %v", i, err)
		}
		x, err := parseNumber(text)
		if err != nil {
			return fmt.Errorf("number %d: %w", i, err)
		}
		numbers[i] = x
	}
	if r.Len() > 0 {
		return errors.New("more lines follow than the header says")
	}
	return nil
}
