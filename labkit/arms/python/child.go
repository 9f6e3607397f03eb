package python

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"shelflab/labkit"
)

//go:embed turn.py
var turnScript string

// grace is how long a Python that was killed may leave its output open, which a
// process of its own could hold.
const grace = 2 * time.Second

// child is a Python that takes one turn.
type child struct {
	in  *json.Encoder
	out *json.Decoder
	cut error // why nothing more can be asked
}

// order is the first line that turn.py reads.
type order struct {
	Keeps  string `json:"keeps"`
	Folder string `json:"folder"`
	Sync   bool   `json:"sync"`
}

// ask is an operation that turn.py is to carry out.
type ask struct {
	Do     string   `json:"do"`
	Keys   []string `json:"keys,omitempty"`
	Before []string `json:"before,omitempty"` // are fetched first, untimed
	Calls  int      `json:"calls,omitempty"`
}

// answer is what turn.py says of an operation.
type answer struct {
	labkit.Told
	Lap float64 `json:"lap"` // seconds with the store open
	// Sum is the checksum of what was read, in hexadecimal: not every JSON reader
	// takes 64 bits.
	Sum hexadecimal `json:"sum"`
}

type hexadecimal uint64

func (h *hexadecimal) UnmarshalText(text []byte) error {
	sum, err := strconv.ParseUint(string(text), 16, 64)
	*h = hexadecimal(sum)
	return err
}

// with starts a Python, which reads its n records and makes itself warm, then
// uses it. It dies with this process and with ctx; nothing is left of it when
// with returns. What it has said on its error output is in the error.
func with(ctx context.Context, path string, what order, records *os.File, n int, use func(*child) error) (err error) {
	if what.Folder, err = filepath.Abs(what.Folder); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	runtime.LockOSThread() // it dies with the thread that starts it
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, path, "-I", "-c", turnScript)
	var said labkit.Tail
	cmd.Stderr, cmd.WaitDelay, cmd.ExtraFiles = &said, grace, []*os.File{records}
	labkit.DieWithParent(cmd)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("Python: %w", err)
	}
	c := &child{in: json.NewEncoder(in), out: json.NewDecoder(out)}
	if err = c.ready(what, n); err == nil {
		err = use(c)
	}
	in.Close() // with which it ends
	if err != nil {
		defer time.AfterFunc(grace, cancel).Stop()
	}
	ended := cmd.Wait()
	switch {
	case ended == nil && c.cut == nil:
		return err
	case ended == nil:
		ended = c.cut
	case c.cut == nil && err != nil: // it has done what it was asked for
		return err
	}
	return fmt.Errorf("Python: %w%s", ended, said.Text())
}

func (c *child) ready(what order, n int) error {
	var ready struct {
		Records int `json:"records"`
	}
	if err := c.talk(what, &ready); err != nil {
		return err
	}
	if ready.Records != n {
		return fmt.Errorf("%w: Python was given %d records and has %d", labkit.ErrWrong, n, ready.Records)
	}
	return nil
}

// talk sends a line and reads the answer.
func (c *child) talk(line, to any) error {
	if c.cut == nil {
		c.cut = c.in.Encode(line)
	}
	if c.cut == nil {
		c.cut = c.out.Decode(to)
	}
	return c.cut
}

// do has an operation carried out.
func (c *child) do(what ask) (got answer, err error) {
	err = c.talk(what, &got)
	return got, err
}
