package labkit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
)

// The reads of the lab on a cold page cache: whatever of the store's files the
// operating system still held is dropped before the clock starts. What it knows
// of names and folders stays.
var (
	ReadCold = Metric{"read, cold", "as read, but nothing of the store's files in the page cache", "records/s", true, Cold}
	GetsCold = Metric{"gets, cold", "as gets, but nothing of the store's files in the page cache", "s", false, Cold}
	// The same reads once more, right after the cold ones: what a cold one is
	// compared with, since the main rounds were measured at another time.
	ReadWarm = Metric{"read, warm", "the same read once more, right after it", "records/s", true, Cold}
	GetsWarm = Metric{"gets, warm", "the same gets once more, right after them", "s", false, Cold}
)

// ColdMetrics lists the metrics of MeasureCold.
func ColdMetrics() []Metric { return []Metric{ReadCold, ReadWarm, GetsCold, GetsWarm} }

// ColdShare is how much of what an arm's store takes on disk must have come from
// the device during a full read for that to count as cold. It is not all: a
// store keeps parts on disk that a read does not need. Gets must have brought
// that share of the records that they fetched.
const ColdShare = 0.5

// MeasureCold times the full read and the gets of the arms at n records on a
// cold page cache, and each once more right after that, as ColdMetrics. Before
// the cold one all files of the arm's store are synced and dropped from the
// cache; its time counts only if the system's own count of what this process
// fetched from the device shows that the data came from there, ColdShare of it.
// An arm's metric for which that failed in any round comes back as Unmeasured,
// never as a warm number. Rounds, order, Keep and errors are those of Measure,
// without a warm-up, which nothing would keep warm.
func (l Lab) MeasureCold(ctx context.Context, n int, arms []Arm) ([]Series, []Unmeasured, error) {
	return l.special(ctx, n, 0, arms, func(ctx context.Context, arm Arm, r *Round) ([]Series, error) {
		r.instrument = &cold{}
		return l.turn(ctx, arm, r)
	})
}

// cold is the instrument of a turn on a cold page cache.
type cold struct{ disk int64 } // bytes that the store takes

func (c *cold) held() {}

func (c *cold) size(_ *Round, m Metric, bytes int64) error {
	if m.Name == Disk.Name {
		c.disk = bytes
	}
	return nil
}

func (c *cold) operation(r *Round, m Metric, work int, op func() error) error {
	as, again, need := c.asked(r, m, work)
	if as == (Metric{}) {
		return op()
	}
	runtime.GC()
	dropErr := dropCache(r.Path)
	before, err := ioCounters()
	if dropErr != nil {
		err = dropErr
	}
	if err := r.timed(as, work, 1, op); err != nil {
		return err
	}
	after, afterErr := ioCounters()
	runtime.GC()
	if err := r.timed(again, work, 1, op); err != nil {
		return err
	}
	if err == nil {
		err = afterErr
	}
	c.judge(r, as, again, after.fetched-before.fetched, need, err)
	return nil
}

// asked returns the metrics of an operation whose reads are cold and warm, and
// the bytes that must come from the device; none of any other operation.
func (c *cold) asked(r *Round, m Metric, work int) (as, again Metric, need int64) {
	switch m.Name {
	case Read.Name:
		return ReadCold, ReadWarm, int64(ColdShare * float64(c.disk))
	case Gets.Name:
		fetched := min(int64(work), int64(r.N)) // keys repeat
		return GetsCold, GetsWarm, int64(ColdShare * float64(r.Payload) * float64(fetched) / float64(r.N))
	}
	return Metric{}, Metric{}, 0
}

// judge notes what is not cold, where got bytes came from the device, or err
// says why that is not known.
func (c *cold) judge(r *Round, as, again Metric, got, need int64, err error) {
	why := ""
	switch {
	case err != nil:
		why = unnamed(err)
	case got < max(need, 1):
		why = fmt.Sprintf("only %d bytes came from the device, of at least %d that had to: the page cache, or something below the file system, held the rest", got, max(need, 1))
	default:
		return
	}
	r.without(as, why)
	r.without(again, "there is no "+as.Name+" beside it")
}

// unnamed is the text of an error without the path that it happened at: the
// evidence names no folder of a user.
func unnamed(err error) string {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return at.Op + ": " + at.Err.Error()
	}
	return err.Error()
}
