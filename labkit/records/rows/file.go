package rows

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

var (
	// ErrFile says that a file as a whole is not what can be read here.
	ErrFile = errors.New("no file of records")
	// ErrLines says that lines of a file cannot be read, or have a key that was
	// there before; its text shows the first of them.
	ErrLines = errors.New("bad lines")

	errNotUTF8 = errors.New("not UTF-8")
)

// Limits of a file. They keep a mistake from filling the memory.
const (
	MaxFile   = 1 << 30  // bytes of the file
	MaxLine   = 16 << 20 // bytes of one line
	MaxFields = 1000     // fields in all lines together
	MaxKey    = 4096     // bytes of a key
	mostShown = 10       // bad lines that are kept
)

// Options say how a file is read. The zero value takes the number of the record
// for its key, and refuses a file with a bad line.
type Options struct {
	Key     string // the field that holds each record's key; "" is the number
	SkipBad bool   // leave bad lines out instead of refusing the file
}

// Bad is a line that could not be taken.
type Bad struct {
	Line   int    // from 1
	Reason string // without the line
}

// File is what was read of a file.
type File struct {
	Path   string
	SHA256 string  // of its content, in hexadecimal digits
	Format string  // "JSON Lines", "CSV with ';'"
	Fields []Field // in the order in which they first came
	Keys   []string
	Rows   []Row // one a key, in the order of the file
	Bad    []Bad // the first bad lines
	Count  int   // of bad lines altogether
}

// Read reads a whole file. Where its lines are bad it returns ErrLines, and what
// it has understood besides, unless the options say to skip them. A file that is
// too large, empty, compressed, or in another encoding than UTF-8, with no
// field, no record or two columns of one name is ErrFile.
func Read(path string, options Options) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular(): // a pipe would never end
		return nil, fmt.Errorf("%w: %s is a folder, or a device", ErrFile, path)
	case info.Size() > MaxFile:
		return nil, fmt.Errorf("%w: %s has %d bytes, the limit is %d: take a part of it", ErrFile, path, info.Size(), MaxFile)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := parse(content, options, jsonNames[strings.ToLower(filepath.Ext(path))])
	if f != nil {
		f.Path = path
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return f, err
}

// jsonNames are the endings of a file that is JSON Lines however it begins.
var jsonNames = map[string]bool{".jsonl": true, ".ndjson": true, ".json": true}

// Parse is Read of a content that is at hand. A content that begins with '{' or
// '[' is JSON Lines, any other is CSV.
func Parse(content []byte, options Options) (*File, error) { return parse(content, options, false) }

func parse(content []byte, options Options, isJSON bool) (*File, error) {
	sum := sha256.Sum256(content)
	f := &File{SHA256: hex.EncodeToString(sum[:])}
	if err := encoding(content); err != nil {
		return nil, err
	}
	content = bytes.TrimPrefix(content, []byte("\uFEFF"))
	lines := csvLines
	switch first := bytes.TrimSpace(content); {
	case len(first) == 0:
		return nil, fmt.Errorf("%w: it is empty", ErrFile)
	case isJSON, first[0] == '{', first[0] == '[':
		lines, f.Format = jsonLines, "JSON Lines"
	default:
		f.Format = fmt.Sprintf("CSV with %q", delimiter(content))
	}
	r := reader{file: f, options: options, at: map[string]int{}, taken: map[string]int{}, bad: map[int]bool{}}
	if err := lines(content, r.understand); err != nil {
		return nil, err
	}
	if err := r.settle(); err != nil {
		return f, err
	}
	return f, lines(content, r.take)
}

// encoding refuses what is no UTF-8 text at all.
func encoding(content []byte) error {
	for _, c := range []struct{ begin, says string }{
		{"\xff\xfe", "it is UTF-16: save it as UTF-8"},
		{"\xfe\xff", "it is UTF-16: save it as UTF-8"},
		{"\x1f\x8b", "it is compressed: unpack it first"},
		{"PK\x03\x04", "it is an archive or a spreadsheet: save it as CSV in UTF-8"},
		{"PAR1", "it is a Parquet file: write it as CSV or JSON Lines"},
	} {
		if bytes.HasPrefix(content, []byte(c.begin)) {
			return fmt.Errorf("%w: %s", ErrFile, c.says)
		}
	}
	return nil
}

func tooLong(size int) error { return fmt.Errorf("%d bytes long, the limit is %d", size, MaxLine) }
