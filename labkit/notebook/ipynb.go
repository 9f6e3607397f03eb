package notebook

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"strings"

	"github.com/google/renameio/v2"
)

// The ways in which a file can fail to be a notebook that this package reads.
// Errors of [Read] wrap one of them together with the path.
var (
	ErrNotExist    = errors.New("no such notebook")
	ErrNotNotebook = errors.New("not a notebook")
	ErrFormat      = errors.New("notebook format not supported")
)

// The nbformat version that Write produces. Minor versions of 4 only add
// fields, so a file of a later minor version keeps its number and its fields.
const (
	formatMajor = 4
	formatMinor = 5
)

// Notebook is a Jupyter notebook of nbformat 4.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any

	minor int            // minor format version to write
	rest  map[string]any // top-level fields that this package does not know
}

// Kind is what a cell holds.
type Kind string

// The cell kinds of nbformat 4.
const (
	Code     Kind = "code"
	Markdown Kind = "markdown"
	Raw      Kind = "raw"
)

// Cell is one cell. Outputs and ExecutionCount belong to code cells alone.
type Cell struct {
	ID             string
	Kind           Kind
	Source         string
	Metadata       map[string]any
	Attachments    map[string]any // files pasted into a markdown cell: name -> MIME type -> base64
	ExecutionCount int            // the n of Jupyter's [n]; 0: not executed
	Outputs        []*Output

	rest map[string]any
}

// OutputType says which fields of an Output count.
type OutputType string

// The output types of nbformat 4.
const (
	Stream        OutputType = "stream"         // Name, Text
	DisplayData   OutputType = "display_data"   // Data, Metadata
	ExecuteResult OutputType = "execute_result" // Data, Metadata, ExecutionCount
	Error         OutputType = "error"          // EName, EValue, Traceback
)

// Output is one output of a code cell.
type Output struct {
	Type           OutputType
	Name           string // stdout or stderr
	Text           string
	Data           map[string]any // MIME type -> string (base64 for images), or any JSON value for a JSON type
	Metadata       map[string]any
	ExecutionCount int
	EName, EValue  string
	Traceback      []string // lines, with ANSI colours as the kernel sent them

	rest map[string]any
}

// Read reads the notebook at path. The error wraps ErrNotExist, ErrNotNotebook
// (not JSON, or JSON of something else: the message says what is wrong and
// where) or ErrFormat (nbformat 3 and older, or 5 and newer). Cells of the
// minor versions before 4.5 have no ids: they get cell-1, cell-2 and so on.
func Read(path string) (*Notebook, error) {
	data, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w", path, ErrNotExist)
	case err != nil:
		return nil, err
	}
	nb, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nb, nil
}

// Write writes the notebook to path as Jupyter does: sorted keys, an indent of
// one space, a newline at the end. A notebook that Jupyter saved comes back
// byte for byte. The file is replaced in one step, so a reader never sees half
// of it; the error is that of the file system.
func (nb *Notebook) Write(path string) error {
	data, err := nb.Encode()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return renameio.WriteFile(path, data, 0o644)
}

// Clean removes what an execution or a front end leaves behind: outputs,
// execution counts, timing, what is folded or scrolled, and the version of Go
// that the kernel was built with. Cell ids stay. Committed notebooks are clean,
// so that a change of theirs shows only what an author changed.
func (nb *Notebook) Clean() {
	for _, c := range nb.Cells {
		c.Outputs = nil
		c.ExecutionCount = 0
		for _, key := range []string{"execution", "ExecuteTime", "collapsed", "scrolled", "trusted", "vscode"} {
			delete(c.Metadata, key)
		}
		if view, ok := c.Metadata["jupyter"].(map[string]any); ok {
			view = maps.Clone(view) // a clone of the notebook shares it
			delete(view, "outputs_hidden")
			c.Metadata["jupyter"] = view
			if len(view) == 0 {
				delete(c.Metadata, "jupyter")
			}
		}
	}
	for _, key := range []string{"widgets", "vscode"} {
		delete(nb.Metadata, key)
	}
	if nb.language() == "go" {
		nb.Metadata["language_info"] = languageInfo()
	}
}

// languageInfo is what a notebook says of the language of its cells.
func languageInfo() map[string]any {
	return map[string]any{"file_extension": ".go", "mimetype": "text/x-go", "name": "go", "pygments_lexer": "go"}
}

// Clone returns a copy that shares no cell, output or metadata map with nb.
// Values inside the metadata are shared: nothing here changes them.
func (nb *Notebook) Clone() *Notebook {
	c := *nb
	c.Metadata = maps.Clone(nb.Metadata)
	c.Cells = make([]*Cell, len(nb.Cells))
	for i, cell := range nb.Cells {
		cc := *cell
		cc.Metadata = maps.Clone(cell.Metadata)
		cc.Outputs = make([]*Output, len(cell.Outputs))
		for j, o := range cell.Outputs {
			oo := *o
			cc.Outputs[j] = &oo
		}
		c.Cells[i] = &cc
	}
	return &c
}

// New returns an empty notebook for the Go kernel.
func New(cells ...*Cell) *Notebook {
	nb := &Notebook{
		Cells: cells,
		minor: formatMinor,
		Metadata: map[string]any{
			"kernelspec":    map[string]any{"display_name": "Go (gonb)", "language": "go", "name": "gonb"},
			"language_info": languageInfo(),
		},
	}
	nb.fixIDs()
	return nb
}

// Title is a short name for the cell, to tell a user which one is meant: its
// leading comment or heading, else its first line that says something.
func (c *Cell) Title() string {
	title := ""
	inImports := false
	for line := range strings.Lines(c.Source) {
		line = strings.TrimSpace(line)
		switch {
		case line == "import (":
			inImports = true
		case inImports:
			inImports = line != ")"
		case line == "", line == "%%", strings.HasPrefix(line, "import "):
		default:
			title = line
		}
		if title != "" {
			break
		}
	}
	if title == "" {
		title = strings.TrimSpace(strings.SplitN(c.Source, "\n", 2)[0])
	}
	title = strings.TrimSpace(strings.TrimLeft(title, "#/"))
	const maxRunes = 60
	if r := []rune(title); len(r) > maxRunes {
		title = string(r[:maxRunes-1]) + "…"
	}
	return title
}

// HasTag says whether the cell's metadata lists the tag.
func (c *Cell) HasTag(tag string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
}

var idPattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// fixIDs gives an id to each cell that has none, an invalid one, or one that an
// earlier cell has: nbformat 4.5 asks for unique ids, and hand edits break that.
func (nb *Notebook) fixIDs() {
	seen := map[string]bool{}
	for _, c := range nb.Cells {
		if idPattern.MatchString(c.ID) && !seen[c.ID] {
			seen[c.ID] = true
		} else {
			c.ID = ""
		}
	}
	for i, c := range nb.Cells {
		if c.ID != "" {
			continue
		}
		c.ID = fmt.Sprintf("cell-%d", i+1)
		for n := 2; seen[c.ID]; n++ {
			c.ID = fmt.Sprintf("cell-%d-%d", i+1, n)
		}
		seen[c.ID] = true
	}
}
