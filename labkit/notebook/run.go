package notebook

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Options say how [Run] runs a notebook. The zero value runs it in the current
// folder, without a limit and without a word.
type Options struct {
	// Dir and Env: see StartOptions.
	Dir string
	Env []string
	// CellLimit is how long one cell may run, compiling included. Zero: as
	// long as it takes.
	CellLimit time.Duration
	// OnCell, if set, is called before each code cell: the i-th of n, both as
	// Jupyter counts them, with the cell's title.
	OnCell func(i, n int, title string)
	// OnOutput, if set, sees the outputs of the i-th code cell as they come,
	// streams in pieces. It is called from a goroutine of its own, one call at
	// a time; the output must not be changed.
	OnOutput func(i int, o *Output)
}

// CellError says which cell failed, and why.
type CellError struct {
	Number  int    // the n of Jupyter's [n], from 1
	Title   string // see Cell.Title
	ID      string // the cell's id in the notebook
	Message string // what the compiler, the panic or the kernel said; plain text, may be several lines
	Err     error  // what ended the cell from outside; nil when it failed by itself
}

func (e *CellError) Error() string {
	return fmt.Sprintf("cell [%d] %q: %s", e.Number, e.Title, e.Message)
}

// Unwrap gives ErrKernelDied, ErrInput, ErrTimeLimit or the context's cause.
func (e *CellError) Unwrap() error { return e.Err }

// Run executes the notebook's code cells in order in a fresh kernel, as
// nbclient does: empty cells are passed over, and a cell tagged
// raises-exception may fail. The notebook that it returns is a copy with the
// outputs; nb is not changed.
//
// The first cell that fails stops the run. The error is then a [*CellError],
// and the notebook is returned as far as it came: later cells have no outputs.
// The notebook is nil only if it is written in another language than Go or the
// kernel did not start. Of what one cell prints, 16 MiB are kept, and a note
// says how much more there was. Nothing is left running when Run returns,
// however it ends.
func Run(ctx context.Context, k *Kernel, nb *Notebook, opt Options) (*Notebook, error) {
	if lang := nb.language(); lang != "" && lang != "go" {
		return nil, fmt.Errorf("%w: it is written in %s, and the kernel runs Go", ErrFormat, lang)
	}
	out := nb.Clone()
	out.Clean()
	s, err := k.Start(ctx, StartOptions{Dir: opt.Dir, Env: opt.Env})
	if err != nil {
		return nil, err
	}
	defer s.Close()

	var cells []*Cell
	for _, c := range out.Cells {
		if c.Kind == Code && strings.TrimSpace(c.Source) != "" {
			cells = append(cells, c)
		}
	}
	executions := make([]*execution, 0, len(cells))
	for i, c := range cells {
		if opt.OnCell != nil {
			opt.OnCell(i+1, len(cells), c.Title())
		}
		ex, endErr := s.executeLimited(ctx, c, i+1, opt)
		executions = append(executions, ex)
		if err = s.cellError(cells[:i+1], ex, endErr); err != nil {
			break
		}
	}
	// Collected last: a later cell may have updated an earlier one's displays.
	for i, ex := range executions {
		cells[i].Outputs = s.outputsOf(ex)
		cells[i].ExecutionCount = s.countOf(ex)
	}
	return out, err
}

// language is what the notebook's metadata says that its cells are written in;
// empty if it says nothing.
func (nb *Notebook) language() string {
	info, _ := nb.Metadata["language_info"].(map[string]any)
	if name, ok := info["name"].(string); ok {
		return name
	}
	spec, _ := nb.Metadata["kernelspec"].(map[string]any)
	name, _ := spec["language"].(string)
	return name
}

func (s *Session) executeLimited(ctx context.Context, c *Cell, number int, opt Options) (*execution, error) {
	if opt.CellLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, opt.CellLimit,
			fmt.Errorf("%w: its limit is %v", ErrTimeLimit, opt.CellLimit))
		defer cancel()
	}
	var onOutput func(*Output)
	if opt.OnOutput != nil {
		onOutput = func(o *Output) { opt.OnOutput(number, o) }
	}
	return s.execute(ctx, c.Source, onOutput)
}

// cellError decides whether the last of the cells failed.
func (s *Session) cellError(cells []*Cell, ex *execution, endErr error) error {
	number := len(cells)
	c := cells[number-1]
	fail := &CellError{Number: number, Title: c.Title(), ID: c.ID, Err: endErr}
	switch {
	case errors.Is(endErr, context.Canceled):
		fail.Message = "interrupted"
		return fail
	case endErr != nil:
		fail.Message = endErr.Error()
		return fail
	}
	outputs := s.outputsOf(ex)
	i := slices.IndexFunc(outputs, func(o *Output) bool { return o.Type == Error })
	if i < 0 {
		return nil
	}
	fail.Message = failureMessage(number, outputs, s.locator(cells))
	if o := outputs[i]; exitStatus.MatchString(o.EValue) {
		// Of a program that died GoNB says no more than this. The notebook
		// gets the reason while the program is there to find its place.
		o.EValue, o.Traceback = fail.Message, []string{fail.Message}
	}
	if c.HasTag("raises-exception") {
		return nil
	}
	return fail
}
