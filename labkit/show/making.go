package show

import (
	"fmt"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// unseen is how long something may take before a bar tells of it.
const unseen = 500 * time.Millisecond

// Making returns what a generator of n things calls with how many are done: a
// bar shows them where it takes longer than a moment, and is gone when all are
// made. In a process that was started for one turn it is nil: nothing is shown
// there.
func Making(what string, n int) func(done int) {
	if _, child := labkit.ChildTurn(); child {
		return nil
	}
	bar := Progress("Making")
	return func(done int) { bar.count(what, done, n) }
}

// count shows how many of a number of things are done.
func (b *Bar) count(what string, done, total int) {
	now := b.clock()
	switch {
	case done >= total:
		b.End()
	case now-b.start >= unseen && (!b.drawn || now-b.last >= b.output.every()):
		b.last, b.drawn = now, true
		b.output.draw(line{b.title, fmt.Sprintf("%s of %s %s", evidence.Count(done), evidence.Count(total), what), done, total})
	}
}
