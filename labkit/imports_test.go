package labkit_test

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rooms of labkit and which others each may import, in code that is not a
// test. The core is "". A package below a room belongs to it. The command may
// import anything.
var rooms = map[string][]string{
	"":           {},
	"records":    {},
	"gobwire":    {},
	"shelf":      {"gobwire"},
	"blob":       {"gobwire"},
	"arms":       {"", "records", "gobwire", "shelf", "blob"},
	"cost":       {""},
	"evidence":   {"", "cost"},
	"chart":      {"", "cost", "evidence"},
	"show":       {"", "records", "cost", "evidence"}, // takes charts as bytes
	"profile":    {},
	"guard":      {},
	"notebook":   {"", "evidence", "guard"},
	"jupyterlab": {"", "evidence", "guard", "notebook"},
	"leftout":    {}, // tests alone may import it
}

const command = "cmd"

// owners says which rooms alone may import what is heavy to link or belongs to
// one trade.
var owners = map[string][]string{
	"github.com/janpfeifer/gonb":  {"show"},
	"gonum.org/v1/plot":           {"chart"},
	"github.com/go-zeromq/zmq4":   {"notebook"},
	"github.com/google/pprof":     {"profile"},
	"github.com/dgraph-io/badger": {"shelf", "arms"},
	"github.com/goccy/go-json":    {"arms"},
	"github.com/vmihailenco":      {"arms"},
	"github.com/fxamacker/cbor":   {"arms"},
	"github.com/google/go-cmp":    {}, // tests only
	"pgregory.net/rapid":          {}, // tests only
}

const maxLines = 350

// source is what the rules look at of one Go file.
type source struct {
	path    string // from labkit, with slashes: "arms/lab.go"
	lines   int
	imports []string
}

func (s source) test() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s source) room() string {
	room, _, below := strings.Cut(s.path, "/")
	if !below {
		return ""
	}
	return room
}

// broken returns a line for every rule that a file breaks. direct lists the
// modules that go.mod requires directly.
func broken(s source, direct []string) []string {
	var lines []string
	add := func(format string, args ...any) {
		lines = append(lines, s.path+": "+fmt.Sprintf(format, args...))
	}
	room := s.room()
	allowed, known := rooms[room]
	if !known && room != command {
		add("no rule knows the room %q", room)
	}
	if s.lines > maxLines {
		add("%d lines, more than %d", s.lines, maxLines)
	}
	for _, imported := range s.imports {
		if imported == "C" {
			add("imports C: the lab needs Go and nothing else")
		}
		if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") && first != "shelflab" {
			continue // the standard library
		}
		_, peer := peers[path.Dir(s.path)]
		if rest, ours := strings.CutPrefix(imported, "shelflab"); ours {
			if peer && !s.test() && !slices.Contains(peersMay, imported) {
				add("imports %s: a peer may not, or a cell would link more than it uses", imported)
				continue
			}
			to := source{path: strings.TrimPrefix(rest, "/labkit") + "/x.go"}
			to.path = strings.TrimPrefix(to.path, "/")
			if other := to.room(); !s.test() && room != command && other != room && !slices.Contains(allowed, other) {
				add("imports %s: the room %q may not", imported, room)
			}
			continue
		}
		if !slices.ContainsFunc(direct, func(module string) bool { return within(imported, module) }) {
			add("imports %s, which go.mod does not require directly: go mod tidy", imported)
		}
		for what, who := range owners {
			if within(imported, what) && !s.test() && !slices.Contains(who, room) {
				add("imports %s: only %q may", imported, who)
			}
		}
		for who, stores := range peers {
			if slices.ContainsFunc(stores, func(store string) bool { return within(imported, store) }) && !s.test() && path.Dir(s.path) != who {
				add("imports %s: only %q may", imported, who)
			}
		}
	}
	return lines
}

// within tells whether a package is of a module, or below a path whose major
// version is left open.
func within(imported, module string) bool {
	return imported == module || strings.HasPrefix(imported, module+"/")
}

func TestImportRules(t *testing.T) {
	direct := requirements(t)
	files := sources(t)
	if len(files) < 10 || len(direct) < 10 {
		t.Fatalf("only %d files and %d requirements were found", len(files), len(direct))
	}
	for _, s := range files {
		for _, line := range broken(s, direct) {
			t.Error(line)
		}
	}
}

// The rules must be able to fail.
func TestImportRulesFindViolations(t *testing.T) {
	direct := []string{"go.etcd.io/bbolt", "github.com/dgraph-io/badger/v4", "gonum.org/v1/plot", "gonum.org/v1/gonum", "github.com/janpfeifer/gonb", "github.com/go-zeromq/zmq4", "pgregory.net/rapid"}
	const lab = "shelflab/labkit"
	for _, c := range []struct {
		path, imports string
		lines         int
		says          string // "" if no rule is broken
	}{
		{"measure.go", "fmt", 10, ""},
		{"measure.go", lab + "/records", 10, "may not"},
		{"records/records.go", lab, 10, "may not"},
		{"gobwire/gobwire.go", lab + "/records", 10, "may not"},
		{"shelf/shelf.go", lab + "/gobwire", 10, ""},
		{"shelf/shelf.go", lab + "/blob", 10, "may not"},
		{"shelf/shelf.go", lab, 10, "may not"},
		{"shelf/deep/shelf.go", lab + "/shelf", 10, ""},
		{"shelf/deep/shelf.go", lab + "/arms", 10, "may not"},
		{"shelf/shelf_test.go", lab + "/arms", 10, ""}, // tests may import more
		{"arms/lab.go", lab + "/shelf", 10, ""},
		{"arms/lab.go", lab + "/evidence", 10, "may not"},
		{"arms/deep/deep.go", lab + "/arms", 10, ""},
		{"arms/bolt/bolt.go", lab + "/arms", 10, "a peer may not"},
		{"arms/bolt/bolt.go", lab + "/shelf", 10, "a peer may not"},
		{"arms/bolt/bolt.go", lab + "/arms/hold", 10, "a peer may not"},
		{"arms/bolt/bolt.go", lab + "/arms/turn", 10, ""},
		{"arms/bolt/bolt.go", "go.etcd.io/bbolt", 10, ""},
		{"arms/lab.go", "go.etcd.io/bbolt", 10, "only"},
		{"arms/peers_test.go", "go.etcd.io/bbolt", 10, ""},
		{"evidence/evidence.go", lab + "/arms", 10, "may not"},
		{"evidence/evidence.go", lab + "/records", 10, "may not"},
		{"cost/fit.go", lab + "/evidence", 10, "may not"},
		{"evidence/costs.go", lab + "/cost", 10, ""},
		{"chart/chart.go", lab + "/show", 10, "may not"},
		{"show/show.go", lab + "/chart", 10, "may not"},
		{"show/show.go", lab + "/shelf", 10, "may not"},
		{"show/show.go", lab + "/records/rows", 10, ""},
		{"notebook/run.go", lab + "/evidence", 10, ""},
		{"notebook/run.go", lab + "/show", 10, "may not"},
		{"cmd/lab/main.go", lab + "/arms", 10, ""},
		{"kitchen/sink.go", "fmt", 10, "no rule knows"},
		{"show/show.go", "github.com/janpfeifer/gonb/gonbui", 10, ""},
		{"notebook/run.go", "github.com/janpfeifer/gonb/gonbui", 10, "only"},
		{"chart/chart.go", "gonum.org/v1/plot/vg", 10, ""},
		{"show/show.go", "gonum.org/v1/plot/vg", 10, "only"},
		{"stats.go", "gonum.org/v1/gonum/stat", 10, ""},
		{"notebook/run.go", "github.com/go-zeromq/zmq4", 10, ""},
		{"cmd/lab/run.go", "github.com/go-zeromq/zmq4", 10, "only"},
		{"arms/badger/arm.go", "github.com/dgraph-io/badger/v4", 10, ""},
		{"blob/blob.go", "github.com/dgraph-io/badger/v4", 10, "only"},
		{"blob/blob_test.go", "github.com/dgraph-io/badger/v4", 10, ""},
		{"blob/blob.go", "pgregory.net/rapid", 10, "only"},
		{"blob/blob.go", "github.com/nobody/knows", 10, "does not require"},
		{"blob/blob_test.go", "github.com/nobody/knows", 10, "does not require"},
		{"blob/blob.go", "gonum.org/v1/plotter", 10, "does not require"}, // of no module that is required
		{"blob/blob.go", "C", 10, "imports C"},
		{"blob/blob.go", "fmt", 351, "351 lines"},
	} {
		got := broken(source{c.path, c.lines, []string{c.imports}}, direct)
		switch {
		case c.says == "" && len(got) > 0:
			t.Errorf("%s imports %s: %q, want nothing", c.path, c.imports, got)
		case c.says != "" && (len(got) != 1 || !strings.Contains(got[0], c.says)):
			t.Errorf("%s imports %s: %q, want one line with %q", c.path, c.imports, got, c.says)
		}
	}
}

// topLevel is all that may stand in the repository's root, beside dot files.
var topLevel = []string{"README.md", "go.mod", "go.sum", "notebooks", "labkit", "data"}

// astray returns the names that do not belong at the top level, apart from what
// a pattern of .gitignore covers.
func astray(names, ignored []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return strings.HasPrefix(name, ".") || slices.Contains(topLevel, name) ||
			slices.ContainsFunc(ignored, func(pattern string) bool {
				match, err := path.Match(strings.Trim(pattern, "/"), name)
				return match && err == nil && !strings.HasPrefix(pattern, "!")
			})
	})
}

func TestTopLevel(t *testing.T) {
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	if got := astray(names, strings.Fields(string(ignored))); len(got) > 0 {
		t.Errorf("the top level holds %q, which belong below notebooks, labkit or data", got)
	}
	made := []string{".ci", "README.md", "labkit", "main.go", "cpu.prof", "docs", "labkit.test"}
	if got := astray(made, strings.Fields(string(ignored))); !slices.Equal(got, []string{"main.go", "docs"}) {
		t.Errorf("of %q it finds %q", made, got)
	}
}

const root = ".." // of the repository, from this package's folder

// sources parses the imports of every Go file of labkit, whatever its platform.
func sources(t *testing.T) []source {
	t.Helper()
	var files []source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".go" {
			return err
		}
		if strings.Contains(name, "testdata") {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		s := source{path: filepath.ToSlash(name), lines: bytes.Count(text, []byte("\n"))}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			s.imports = append(s.imports, imported)
		}
		files = append(files, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// requirements lists the modules that go.mod requires directly.
func requirements(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	var modules []string
	inside := false
	for line := range strings.Lines(string(text)) {
		line, one := strings.CutPrefix(strings.TrimSpace(line), "require ")
		switch fields := strings.Fields(line); {
		case one && len(fields) == 1: // "require ("
			inside = true
		case line == ")":
			inside = false
		case (one || inside) && len(fields) == 2: // a third field is "// indirect"
			modules = append(modules, fields[0])
		}
	}
	return modules
}
