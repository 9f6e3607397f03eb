package shelf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
)

// A shelf is a folder:
//
//	SHELF      this header
//	LOCK       process id of the writer; advisory, the lock is on the folder
//	g000001/   the Badger store of generation 1
//
// The header, version 1, is two lines: "shelflab shelf 1 " with the CRC-32C of the
// second line in eight hexadecimal digits, and the header as JSON. It is replaced
// as a whole, by renaming. Compact, Clear, Fresh and Restore build a store of the
// next generation beside the old one, and the header that names it is their
// commit: at any moment the folder is one shelf or the other.
//
// In Badger a record's key is 'k' and the key, which makes room for the empty key
// and keeps Badger's own prefix free. Its value:
//
//	4 bytes   CRC-32C of the key and what follows, big-endian
//	uvarint   number of the description
//	...       the body that gobwire wrote under that description
//
// The checksum is ours because Badger's own are of no use to a reader: it takes a
// block that fails one for the end of the table, and says nothing.
type header struct {
	Generation   int           `json:"generation"`
	Descriptions []description `json:"descriptions"`
	Next         int           `json:"next,omitempty"` // number of the next description; 0, as of old, for the first above these
}

// description is a type that values of the shelf have, or had. Number 1 is the
// first; numbers are not used again, since an iterator may be reading a store that
// was replaced.
type description struct {
	Number int    `json:"number"`
	Name   string `json:"name"`
	Shape  string `json:"shape"`
	Wire   []byte `json:"wire"` // gobwire's description
}

const (
	headerName  = "SHELF"
	lockName    = "LOCK"
	headerMagic = "shelflab shelf "
	version     = "1"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (h *header) next() int {
	n := max(h.Next, 1)
	for _, d := range h.Descriptions {
		n = max(n, d.Number+1)
	}
	return n
}

// find returns the number of a description that bodies written under d can be
// decoded under, or 0: one of the same shape.
func (h *header) find(d description) int {
	for _, have := range h.Descriptions {
		if have.Shape == d.Shape {
			return have.Number
		}
	}
	return 0
}

func (h *header) encode() ([]byte, error) {
	line, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	first := fmt.Sprintf("%s%s %08x\n", headerMagic, version, crc32.Checksum(line, castagnoli))
	return append([]byte(first), append(line, '\n')...), nil
}

func decodeHeader(raw []byte) (*header, error) {
	first, line, ok := bytes.Cut(raw, []byte("\n"))
	rest, magic := bytes.CutPrefix(first, []byte(headerMagic))
	if !ok || !magic {
		return nil, fmt.Errorf("%w: its %s file says something else", ErrFormat, headerName)
	}
	v, sum, _ := strings.Cut(string(rest), " ")
	if v != version {
		return nil, fmt.Errorf("%w: it has format %.20q, this program reads format %s", ErrFormat, v, version)
	}
	line = bytes.TrimSuffix(line, []byte("\n"))
	h := new(header)
	if sum != fmt.Sprintf("%08x", crc32.Checksum(line, castagnoli)) {
		return nil, fmt.Errorf("%w: checksum of the %s file", ErrCorrupt, headerName)
	}
	if err := json.Unmarshal(line, h); err != nil {
		return nil, fmt.Errorf("%w: %s file: %v", ErrCorrupt, headerName, err)
	}
	return h, nil
}

// readHeader returns nil where dir holds nothing yet. A folder with anything but
// the traces of a shelf that was never finished is ErrFormat.
func readHeader(dir string) (*header, error) {
	raw, err := os.ReadFile(filepath.Join(dir, headerName))
	if err == nil {
		return decodeHeader(raw)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		begun := name == lockName || isTemporaryHeader(e) ||
			filepath.Join(dir, name) == generationDir(dir, 1) && isEmpty(filepath.Join(dir, name))
		if !begun {
			return nil, fmt.Errorf("%w: the folder holds %s but no %s file", ErrFormat, name, headerName)
		}
	}
	return nil, nil
}

func isEmpty(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && len(entries) == 0
}

// writeHeader replaces the header. The file itself is synced always: a header that
// a power loss empties would take the whole shelf.
func writeHeader(dir string, h *header) error {
	raw, err := h.encode()
	if err != nil {
		return err
	}
	if err := renameio.WriteFile(filepath.Join(dir, headerName), raw, 0o666, renameio.WithTempDir(dir)); err != nil {
		return err
	}
	return syncPath(dir)
}

// syncPath syncs a file or a folder. It is a variable for the tests: disks fail too
// seldom.
var syncPath = func(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	err = f.Sync()
	return errors.Join(err, f.Close())
}

func generationDir(dir string, generation int) string {
	return filepath.Join(dir, fmt.Sprintf("g%06d", generation))
}

// removeStrays deletes the stores of generations that were never committed, or no
// longer are, and temporary headers. The header is made to survive a power loss
// first: whoever wrote it may have been killed before that.
func removeStrays(dir string, generation int) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var strays []string
	for _, e := range entries {
		var n int
		name := e.Name()
		_, scanErr := fmt.Sscanf(name, "g%06d", &n)
		old := scanErr == nil && n != generation && e.IsDir() && filepath.Join(dir, name) == generationDir(dir, n)
		if old || isTemporaryHeader(e) {
			strays = append(strays, filepath.Join(dir, name))
		}
	}
	if len(strays) == 0 {
		return nil
	}
	if err := syncPath(dir); err != nil {
		return err
	}
	var all error
	for _, path := range strays {
		all = errors.Join(all, os.RemoveAll(path))
	}
	return all
}

// isTemporaryHeader says whether e is a header that was not finished: renameio
// calls it "." with the header's name and a number.
func isTemporaryHeader(e fs.DirEntry) bool {
	number, ok := strings.CutPrefix(e.Name(), "."+headerName)
	return ok && e.Type().IsRegular() && number != "" && strings.Trim(number, "0123456789") == ""
}
