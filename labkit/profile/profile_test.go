package profile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/pprof/profile"
)

// made is a profile of stacks, the function at work first, each with how many
// samples it has.
func made(t *testing.T, stacks map[string]int64) *Profile {
	t.Helper()
	raw := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1e7,
	}
	at := map[string]*profile.Location{}
	for names, count := range stacks {
		s := &profile.Sample{Value: []int64{count, count * 1e7}}
		for name := range strings.FieldsSeq(names) {
			if at[name] == nil {
				id := uint64(len(at) + 1)
				f := &profile.Function{ID: id, Name: name}
				at[name] = &profile.Location{ID: id, Line: []profile.Line{{Function: f}}}
				raw.Function, raw.Location = append(raw.Function, f), append(raw.Location, at[name])
			}
			s.Location = append(s.Location, at[name])
		}
		raw.Sample = append(raw.Sample, s)
	}
	var text bytes.Buffer
	if err := raw.Write(&text); err != nil {
		t.Fatal(err)
	}
	p := &Profile{}
	if err := p.add(&text); err != nil {
		t.Fatal(err)
	}
	return p
}

var near = cmpopts.EquateApprox(0, 1e-9)

func TestShares(t *testing.T) {
	p := made(t, map[string]int64{
		"runtime.mallocgc encoding/gob.Decode main.load":                              30,
		"encoding/gob.Decode encoding/gob.Decode main.load " + harness + " main.main": 50, // calls itself
		"runtime.scanobject runtime.gcBgMarkWorker":                                   20,
		"runtime.memmove runtime/pprof.profileWriter":                                 70, // not the work's
		"internal/runtime/maps.put main.load":                                         60,
		"internal/runtime/maps.put runtime.mallocgc main.load":                        40, // an allocation first
	})
	if p.Samples != 200 || p.CPU != 2*time.Second {
		t.Errorf("%d samples, %s", p.Samples, p.CPU)
	}
	want := []Share{
		{"internal/runtime/maps.put", 0.5, 0.5}, {"encoding/gob.Decode", 0.25, 0.4},
		{"runtime.mallocgc", 0.15, 0.35}, {"runtime.scanobject", 0.1, 0.1},
	}
	if diff := cmp.Diff(want, p.Top(4), near); diff != "" {
		t.Errorf("Top (-want +got):\n%s", diff)
	}
	if got := p.TopCum(1); len(got) != 1 || got[0].Name != "main.load" || math.Abs(got[0].Cum-0.9) > 1e-9 || got[0].Flat != 0 {
		t.Errorf("TopCum: %+v", got)
	}
	groups := []Share{
		{"allocating memory", 0.35, 0.35}, {"filling and reading maps", 0.3, 0.3},
		{"encoding/gob", 0.25, 0.25}, {"collecting garbage", 0.1, 0.1},
	}
	if diff := cmp.Diff(groups, p.Groups(), near); diff != "" {
		t.Errorf("Groups (-want +got):\n%s", diff)
	}
	if got := p.Top(100); len(got) != 6 {
		t.Errorf("of six functions %d are told: %v", len(got), got)
	}
	if len(p.Top(-1)) != 0 || (&Profile{}).Top(3) != nil || (&Profile{}).Groups() != nil {
		t.Error("shares of nothing")
	}
}

func TestGroup(t *testing.T) {
	for stack, want := range map[string]string{
		"runtime.memmove encoding/gob.decode main.main":                                  "encoding/gob",
		"runtime.memhash internal/runtime/maps.hash x/y.F[go.shape.map[string]a/b.T].G":  "filling and reading maps",
		"runtime.memmove x/y.F[go.shape.map[string]a/b.T].G":                             "x/y",
		"internal/bytealg.IndexByte strings.Cut main.load":                               "strings",
		"runtime.futex runtime.findRunnable runtime.schedule":                            "the runtime: scheduling, timers",
		"runtime.memmove runtime.goexit":                                                 "the runtime",
		"internal/runtime/syscall.Syscall6 syscall.read os.(*File).Read bufio.Read main": "reading and writing files",
		"runtime.gcAssistAlloc runtime.mallocgc main.load":                               "collecting garbage",
		"?": "?",
	} {
		if got := group(strings.Fields(stack)); got != want {
			t.Errorf("%s: %q, want %q", stack, got, want)
		}
	}
}

func TestShort(t *testing.T) {
	for name, want := range map[string]string{
		"encoding/gob.(*Decoder).Decode":                   "gob.(*Decoder).Decode",
		"a/b/c.Load[go.shape.[]map[string]string]":         "c.Load",
		"a/b.(*T[go.shape.struct { x/y.Z int }]).M.func1":  "b.(*T).M.func1",
		"github.com/goccy/go-json/internal/decoder.(*m).D": "decoder.(*m).D",
		"main.main": "main.main", "?": "?", "]x[": "]x[",
	} {
		if got := (Share{Name: name}).Short(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

var sink uint64

// spin keeps a core busy for about a hundredth of a second.
//
//go:noinline
func spin() error {
	for end := time.Now().Add(10 * time.Millisecond); time.Now().Before(end); {
		for i := range uint64(100_000) {
			sink += i * i
		}
	}
	return nil
}

func TestCPU(t *testing.T) {
	p, err := CPU(t.Context(), spin)
	if err != nil {
		t.Fatal(err)
	}
	if p.Samples < Enough || p.Calls < 20 || p.CPU < time.Second || p.Took < time.Second {
		t.Errorf("%+v", p)
	}
	top := p.TopCum(5)
	found := false
	for _, s := range top {
		found = found || strings.HasSuffix(s.Name, "profile.spin") && s.Cum > 0.5
	}
	if !found {
		t.Errorf("spin is not at the top of %+v", top)
	}
	path := filepath.Join(t.TempDir(), "cpu.pprof")
	if err := p.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p.Top(10), again.Top(10), near); diff != "" || again.Samples != p.Samples || again.Calls != 0 {
		t.Errorf("%s is read as %s (-want +got):\n%s", p, again, diff)
	}
}

func TestReadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "heap.pprof")
	if _, err := Read(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	var heap bytes.Buffer
	if err := pprof.WriteHeapProfile(&heap); err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{heap.Bytes(), []byte("no profile"), heap.Bytes()[:20], nil} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if p, err := Read(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%.10q: %v, %v", text, p, err)
		}
	}
	if err := (&Profile{raw: &profile.Profile{}}).Save(path + "/below"); err == nil {
		t.Error("saved below a file")
	}
}

func TestString(t *testing.T) {
	p := made(t, map[string]int64{"main.main": 231})
	if got := p.String(); got != "231 samples of 2.31 s of processor time" {
		t.Error(got)
	}
	p.Calls = 12
	if got := p.String(); got != "231 samples of 2.31 s of processor time, in 12 calls" {
		t.Error(got)
	}
}

func TestCPURefuses(t *testing.T) {
	broken := errors.New("broken")
	if _, err := CPU(t.Context(), func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("work that fails: %v", err)
	}
	calls := 0
	if _, err := CPU(t.Context(), func() error {
		if calls++; calls > 1 {
			return broken
		}
		return nil
	}); !errors.Is(err, broken) {
		t.Errorf("work that fails later: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(broken)
	if _, err := CPU(ctx, spin); !errors.Is(err, broken) {
		t.Errorf("an end: %v", err)
	}
	waits := func() error { time.Sleep(time.Millisecond); return nil }
	if _, err := take(t.Context(), waits, 50*time.Millisecond, 100*time.Millisecond); !errors.Is(err, ErrFew) {
		t.Errorf("work that waits: %v", err)
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	if _, err := CPU(t.Context(), spin); err == nil {
		t.Error("two profiles at once")
	}
	runtime.KeepAlive(sink)
}
