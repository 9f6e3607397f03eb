// Package profile says where the time of a piece of work goes: a CPU profile,
// taken in the process that asks, as shares that a table or a chart can show.
//
//	p, err := profile.CPU(ctx, func() error { return load(path) })
//	for _, f := range p.Top(10) { ... f.Name, f.Flat, f.Cum ... }
//	for _, g := range p.Groups() { ... "allocating memory", 0.31 ... }
//
// Goals: enough samples for what is said, and how many they were; what the
// collector of garbage does beside the work is in it, since the work caused it.
// Not a goal: to replace `go tool pprof`, which reads what Save leaves.
package profile

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Enough is how many samples CPU takes at least. A share of one half is then
// right to about seven hundredths, a share of a tenth to about four.
const Enough = 200

// stretch is how long the work is profiled before the samples are counted.
const stretch = time.Second

// patience is how much work is profiled at most: work that only waits would
// never fill a profile of processor time.
const patience = time.Minute

// ErrFew: the work hardly used the processor, so that there are too few samples
// to say anything.
var ErrFew = errors.New("too few samples")

// Profile is where processor time went.
type Profile struct {
	Samples int           // a hundred a second of processor time
	Calls   int           // of the work
	Took    time.Duration // by the clock
	CPU     time.Duration // of all cores, as sampled
	raw     *profile.Profile
}

// Share is a part of the processor time: 0 to 1.
type Share struct {
	Name string
	Flat float64 // spent in the function itself
	Cum  float64 // spent in it and in what it calls
}

// CPU calls work again and again until there are Enough samples, and returns
// where the processor time went. The first call is not profiled: it warms up
// what the others find warm. An error of work, or the context's cause, ends it;
// work that hardly uses the processor is ErrFew after a minute. One profile at a
// time can be taken in a process: a second one is an error.
func CPU(ctx context.Context, work func() error) (*Profile, error) {
	return take(ctx, work, stretch, patience)
}

func take(ctx context.Context, work func() error, stretch, patience time.Duration) (*Profile, error) {
	if err := work(); err != nil {
		return nil, err
	}
	p := &Profile{}
	for p.Samples < Enough {
		if p.Took >= patience {
			return nil, fmt.Errorf("%w: %d calls took %s, of which %d samples saw the processor at work, and it takes %d", ErrFew, p.Calls, p.Took.Round(time.Millisecond), p.Samples, Enough)
		}
		var buffer bytes.Buffer
		if err := pprof.StartCPUProfile(&buffer); err != nil {
			return nil, err
		}
		err := p.repeat(ctx, work, stretch)
		pprof.StopCPUProfile()
		if err != nil {
			return nil, err
		}
		if err := p.add(&buffer); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// String says how much was sampled: "231 samples of 2.31 s of processor time, in 12 calls".
func (p *Profile) String() string {
	text := fmt.Sprintf("%d samples of %.2f s of processor time", p.Samples, p.CPU.Seconds())
	if p.Calls > 0 {
		text += fmt.Sprintf(", in %d calls", p.Calls)
	}
	return text
}

// repeat calls work for a while.
func (p *Profile) repeat(ctx context.Context, work func() error, stretch time.Duration) error {
	start := time.Now()
	defer func() { p.Took += time.Since(start) }()
	for time.Since(start) < stretch {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := work(); err != nil {
			return err
		}
		p.Calls++
	}
	return nil
}

// add adds the samples of another profile. An empty one has none.
func (p *Profile) add(from io.Reader) error {
	more, err := profile.Parse(from)
	if err != nil {
		return err
	}
	if len(more.SampleType) != 2 || more.SampleType[1].Type != "cpu" {
		return fmt.Errorf("no CPU profile of Go's")
	}
	// What writes the profile down is not the work's.
	more.Sample = slices.DeleteFunc(more.Sample, func(s *profile.Sample) bool {
		return slices.Contains(stack(s), "runtime/pprof.profileWriter")
	})
	if p.raw != nil {
		if more, err = profile.Merge([]*profile.Profile{p.raw, more}); err != nil {
			return err
		}
	}
	p.raw, p.Samples, p.CPU = more, 0, 0
	for _, s := range more.Sample {
		p.Samples += int(s.Value[0]) // runtime/pprof: samples/count, cpu/nanoseconds
		p.CPU += time.Duration(s.Value[1])
	}
	return nil
}

// Save writes the profile to a file that Read and `go tool pprof` read.
func (p *Profile) Save(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(p.raw.Write(f), f.Close())
}

// Read reads what Save wrote, or another CPU profile of Go's. How often the work
// was called, and how long that took, a file does not tell.
func Read(path string) (*Profile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &Profile{}
	if err := p.add(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

// Top returns the n functions that the most time was spent in, by the time in
// themselves, then by their names. Fewer if there are no more.
func (p *Profile) Top(n int) []Share {
	return p.top(n, func(s Share) float64 { return s.Flat })
}

// TopCum is Top by the time in the functions and what they call.
func (p *Profile) TopCum(n int) []Share {
	return p.top(n, func(s Share) float64 { return s.Cum })
}

func (p *Profile) top(n int, by func(Share) float64) []Share {
	shares := p.shares(func(s *profile.Sample) (string, []string) {
		names := stack(s)
		return names[0], names
	})
	slices.SortFunc(shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(by(b), by(a)), strings.Compare(a.Name, b.Name))
	})
	return shares[:min(max(n, 0), len(shares))]
}

// Groups returns what the time was spent on, most first: see group.
func (p *Profile) Groups() []Share {
	shares := p.shares(func(s *profile.Sample) (string, []string) {
		name := group(stack(s))
		return name, []string{name}
	})
	slices.SortFunc(shares, func(a, b Share) int {
		return cmp.Or(cmp.Compare(b.Flat, a.Flat), strings.Compare(a.Name, b.Name))
	})
	return shares
}

// shares adds the samples up by names: the one that a sample is in, and all
// those above it.
func (p *Profile) shares(names func(*profile.Sample) (in string, all []string)) []Share {
	if p.Samples == 0 {
		return nil
	}
	sums := map[string]Share{}
	one := 1 / float64(p.Samples)
	for _, s := range p.raw.Sample {
		if len(s.Location) == 0 {
			continue
		}
		in, all := names(s)
		slices.Sort(all)
		for _, name := range slices.Compact(all) { // once, however often it calls itself
			share := sums[name]
			share.Name = name
			share.Cum += one * float64(s.Value[0])
			if name == in {
				share.Flat += one * float64(s.Value[0])
			}
			sums[name] = share
		}
	}
	return slices.Collect(maps.Values(sums))
}

// harness is what calls the work: it and what is above it say nothing of that.
const harness = "shelflab/labkit/profile.(*Profile).repeat"

// stack returns the names of a sample's functions, the one at work first, down
// from the work.
func stack(s *profile.Sample) []string {
	var names []string
	for _, at := range s.Location {
		for _, line := range at.Line { // several where functions were inlined
			if line.Function == nil {
				continue
			}
			if line.Function.Name == harness && len(names) > 0 {
				return names
			}
			names = append(names, line.Function.Name)
		}
	}
	if len(names) == 0 {
		return []string{"?"}
	}
	return names
}

// Short returns the name without the folders of its package and without type
// parameters: "gob.(*Decoder).Decode".
func (s Share) Short() string {
	open, close := strings.IndexByte(s.Name, '['), strings.LastIndexByte(s.Name, ']')
	if open < 0 || close < open {
		return path.Base(s.Name)
	}
	return path.Base(s.Name[:open]) + s.Name[close+1:]
}
