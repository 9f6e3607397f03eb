// Package live is stores that are in use: that several goroutines or processes
// read and change at once, or whose process is killed. Each is opened as a program
// that keeps it open would open it.
package live

import (
	"fmt"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/gobwire"
)

// Item is a record that tells of itself whether it is whole: its text follows
// from its version. The version counts the changes.
type Item struct {
	Version int
	Text    string
}

// Entry is an item with its key.
type Entry = gobwire.Entry[Item]

// TextSize is how long an item's text is, in bytes.
const TextSize = 2000

// NewItem is an item of a version.
func NewItem(version int) Item {
	return Item{version, strings.Repeat(fmt.Sprintf("%08d", version), TextSize/8)}
}

// Whole tells whether an item is one that somebody has written: a mixture of two,
// or a part of one, is none.
func (i Item) Whole() bool { return i == NewItem(i.Version) }

// Change makes an item the next version of itself.
func (i *Item) Change() error {
	*i = NewItem(i.Version + 1)
	return nil
}

// Key is the key of the i-th item.
func Key(i int) string { return fmt.Sprintf("item_%06d", i) }

// Entries are n items of a version, in key order.
func Entries(n, version int) []Entry {
	list := make([]Entry, n)
	for i := range list {
		list[i] = Entry{Key: Key(i), Value: NewItem(version)}
	}
	return list
}

// Store is an open one, for several goroutines at once.
type Store interface {
	Get(key string) (Item, error)
	// Update reads an item, lets change work on it, and writes it.
	Update(key string, change func(*Item) error) error
	Close() error
}

// System is a way to keep items.
type System struct {
	Name       string
	Kind, Pair string // as in a labkit.Arm
	What       string
	Durability labkit.Durability // of Fill, Open and Share

	// Fill makes the store, which holds items.
	Fill func(path string, items []Entry) error
	// Open opens it for reading and writing in the only process that has it open.
	Open func(path string) (Store, error)
	// Share opens it for reading and writing in one of several processes. nil is
	// a store that only one may have open: they take turns.
	Share func(path string) (Store, error)
	// Read opens it for reading alone; nil is a store that does not tell reading
	// from writing when it is opened.
	Read func(path string) (Store, error)
	// Refused tells whether Open or Read has failed because another process has
	// the store open: it may be tried again.
	Refused func(err error) bool
}

// Arm is the arm of a system, without what it measures.
func (s System) Arm() labkit.Arm {
	return labkit.Arm{Name: s.Name, Kind: s.Kind, Pair: s.Pair, What: s.What, Durability: s.Durability}
}

// Names of the systems.
const (
	ShelfName    = "shelf"
	BlobName     = "blob"
	FreeBlobName = "blob, no lock"
	IndexedName  = "indexed blob"
	FilesName    = "files, no lock"
	LockedName   = "files, locked"
	SQLiteName   = "SQLite"
	WALName      = "SQLite, WAL"
	PairUnlocked = "no lock" // what a program must not do
)
