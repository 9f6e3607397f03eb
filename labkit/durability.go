package labkit

import "fmt"

// Durability is what a finished write survives. Two arms of different classes
// are never put in one ratio without saying so.
type Durability int

const (
	// ProcessCrash: what a write call has acknowledged is there after the
	// process is killed, because the operating system holds it. A power cut
	// may lose the last seconds.
	ProcessCrash Durability = iota
	// PowerLoss: what a write call has acknowledged is on the device before
	// the call returns, so it is there after a power cut too.
	PowerLoss
)

var durabilityNames = [...]string{"process-crash", "power-loss"}

func (d Durability) known() bool { return d >= 0 && int(d) < len(durabilityNames) }

// String returns "process-crash" or "power-loss".
func (d Durability) String() string {
	if !d.known() {
		return fmt.Sprintf("Durability(%d)", int(d))
	}
	return durabilityNames[d]
}

// MarshalText writes the class by name; an unknown class is an error.
func (d Durability) MarshalText() ([]byte, error) {
	if !d.known() {
		return nil, fmt.Errorf("%w: durability %d", ErrPlan, int(d))
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads what MarshalText writes and refuses everything else.
func (d *Durability) UnmarshalText(text []byte) error {
	for i, name := range durabilityNames {
		if string(text) == name {
			*d = Durability(i)
			return nil
		}
	}
	return fmt.Errorf("%w: durability %q: give %s or %s", ErrPlan, text, ProcessCrash, PowerLoss)
}
