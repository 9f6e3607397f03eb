package shelf

import "fmt"

// Mode says what Open does with what it finds.
type Mode int

const (
	Create   Mode = iota // open, and make an empty shelf where there is none
	Existing             // open; ErrNotFound where there is none
	ReadOnly             // open without writing a byte; several processes may at once
	Fresh                // start empty, whatever the shelf held before
)

func (m Mode) String() string {
	switch m {
	case Create:
		return "create"
	case Existing:
		return "existing"
	case ReadOnly:
		return "read-only"
	case Fresh:
		return "fresh"
	}
	return fmt.Sprintf("Mode(%d)", int(m))
}

// Durability says what a finished write survives.
type Durability int

const (
	// ProcessCrash: when Put returns, the value survives a crash or kill of the
	// process at any later moment. A crash of the machine may take the last writes.
	ProcessCrash Durability = iota

	// PowerLoss: when Put returns, the value survives a power loss as well. A write
	// costs a sync of the disk; PutAll shares one among thousands of entries.
	PowerLoss
)

func (d Durability) String() string {
	switch d {
	case ProcessCrash:
		return "process crash"
	case PowerLoss:
		return "power loss"
	}
	return fmt.Sprintf("Durability(%d)", int(d))
}

// Options of Open. The zero value is the default: create, survive process crashes.
type Options struct {
	Mode       Mode
	Durability Durability
}

const (
	// MaxKey is the length of the longest key in bytes.
	MaxKey = 64_999

	// MaxValue is the length of the longest encoded value in bytes.
	MaxValue = 256<<20 - 64
)
