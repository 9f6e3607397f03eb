package notebook

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gonbNotebooks lists the notebooks that GoNB ships: real ones, saved by
// Jupyter, with outputs of every kind.
func gonbNotebooks(t *testing.T) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", gonbPackage).Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	err = filepath.WalkDir(filepath.Join(strings.TrimSpace(string(dir)), "examples"), func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".ipynb") {
			found = append(found, path)
		}
		return err
	})
	if err != nil || len(found) < 10 {
		t.Fatalf("found %d notebooks, %v", len(found), err)
	}
	return found
}

func TestRoundTripKeepsBytes(t *testing.T) {
	t.Parallel()
	for _, path := range append(gonbNotebooks(t), "testdata/odd.ipynb") {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(want), `"nbformat_minor": 5`) {
			continue // gets ids, and so differs
		}
		nb, err := Read(path)
		if err != nil {
			t.Error(err)
			continue
		}
		copied := filepath.Join(t.TempDir(), "copy.ipynb")
		if err := nb.Clone().Write(copied); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(copied)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestOlderMinorGetsIDs(t *testing.T) {
	t.Parallel()
	nb, err := decode([]byte(`{"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": [
		{"cell_type": "code", "source": "a\nb", "metadata": {}, "outputs": [], "execution_count": null},
		{"cell_type": "markdown", "source": [], "metadata": {}, "id": "cell-1"},
		{"cell_type": "markdown", "source": [], "metadata": {}, "id": "cell-1"},
		{"cell_type": "markdown", "source": [], "metadata": {}, "id": "not valid!"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, c := range nb.Cells {
		ids = append(ids, c.ID)
	}
	if diff := cmp.Diff([]string{"cell-1-2", "cell-1", "cell-3", "cell-4"}, ids); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
	data, err := nb.Encode()
	if err != nil || !strings.Contains(string(data), `"nbformat_minor": 5`) || !strings.Contains(string(data), "\"a\\n\",\n    \"b\"") {
		t.Errorf("%v\n%s", err, data)
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	const wrap = `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [%]}`
	for _, tt := range []struct {
		name, data string
		want       error
		says       string
	}{
		{"empty", "", ErrNotNotebook, "empty"},
		{"text", "# a Go program", ErrNotNotebook, "invalid character"},
		{"binary", "\xff\xfe\x00", ErrNotNotebook, "UTF-8"},
		{"null", "null", ErrNotNotebook, "nbformat"},
		{"list", "[]", ErrNotNotebook, "array"},
		{"other JSON", `{"name": "x"}`, ErrNotNotebook, "nbformat"},
		{"cut off", `{"nbformat": 4, "cells": [`, ErrNotNotebook, "EOF"},
		{"two documents", `{"nbformat": 4, "metadata": {}, "cells": []} {}`, ErrNotNotebook, "follows"},
		{"format 3", `{"nbformat": 3, "worksheets": []}`, ErrFormat, "nbformat 3"},
		{"format 5", `{"nbformat": 5}`, ErrFormat, "nbformat 5"},
		{"format text", `{"nbformat": "4"}`, ErrNotNotebook, "nbformat"},
		{"no metadata", `{"nbformat": 4, "cells": []}`, ErrNotNotebook, "metadata"},
		{"no cells", `{"nbformat": 4, "metadata": {}}`, ErrNotNotebook, "cells"},
		{"cell no object", strings.Replace(wrap, "%", "7", 1), ErrNotNotebook, "cell 1"},
		{"cell type", strings.Replace(wrap, "%", `{"cell_type": "video", "source": ""}`, 1), ErrNotNotebook, "video"},
		{"source", strings.Replace(wrap, "%", `{"cell_type": "raw", "source": [1]}`, 1), ErrNotNotebook, "source"},
		{"output type", strings.Replace(wrap, "%", `{"cell_type": "code", "source": "", "outputs": [{"output_type": "smell"}]}`, 1), ErrNotNotebook, "output 1"},
		{"deep", strings.Replace(wrap, "%", strings.Repeat("[", 100_000), 1), ErrNotNotebook, "depth"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.ipynb")
			if err := os.WriteFile(path, []byte(tt.data), 0o644); err != nil {
				t.Fatal(err)
			}
			nb, err := Read(path)
			if nb != nil || !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %v that says %q", err, tt.want, tt.says)
			}
		})
	}
	if _, err := Read(filepath.Join(t.TempDir(), "nosuch.ipynb")); !errors.Is(err, ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Read(t.TempDir()); err == nil || errors.Is(err, ErrNotExist) {
		t.Errorf("a folder: %v", err)
	}
}

func TestWriteReplacesInOneStep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "nb.ipynb")
	for range 2 {
		if err := New(code("1")).Write(path); err != nil {
			t.Fatal(err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("the folder holds %v", entries)
	}
	if err := New().Write(filepath.Join(dir, "nosuch", "nb.ipynb")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("into a missing folder: %v", err)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	nb, err := Read("testdata/odd.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	nb.Clean()
	data, err := nb.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{"output_type", "iopub.execute_input", `"execution_count": 1`} {
		if strings.Contains(string(data), left) {
			t.Errorf("%q is left", left)
		}
	}
	if !strings.Contains(string(data), `"tags"`) {
		t.Error("a tag is lost")
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"":                                "",
		"\n\n":                            "",
		"# A heading\ntext":               "A heading",
		"// What it does\nx := 1":         "What it does",
		"import (\n\t\"a\"\n)\n\n%%\nf()": "f()",
		"import \"a\"\n\nfunc f() {}":     "func f() {}",
		"import \"a\"":                    "import \"a\"",
		"%%\n" + strings.Repeat("é", 80):  strings.Repeat("é", 59) + "…",
	} {
		if got := (&Cell{Source: source}).Title(); got != want {
			t.Errorf("Title(%q) = %q, want %q", source, got, want)
		}
	}
}

func TestImports(t *testing.T) {
	t.Parallel()
	nb := New(
		code("import (\n\t\"fmt\"\n\tplot \"gonum.org/v1/plot\"\n)\n%%\nfmt.Println(1)"),
		code("%goflags -v\nimport \"fmt\"\nimport _ \"embed\"\n!ls"),
		code("%%bash\nimport \"no\""),
		code("this does not parse"),
		code("func f() {"),
		prose("import \"neither\""),
	)
	if diff := cmp.Diff([]string{"embed", "fmt", "gonum.org/v1/plot"}, nb.Imports()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSplitLines(t *testing.T) {
	t.Parallel()
	// The results of Python's str.splitlines(True).
	for s, want := range map[string][]string{
		"":           {},
		"a":          {"a"},
		"a\n":        {"a\n"},
		"a\n\nb":     {"a\n", "\n", "b"},
		"a\r\nb\rc":  {"a\r\n", "b\r", "c"},
		"\r":         {"\r"},
		"\r\r\n":     {"\r", "\r\n"},
		"a\u2028b\v": {"a\u2028", "b\v"},
		"é\u0085x":   {"é\u0085", "x"},
	} {
		if diff := cmp.Diff(want, splitLines(s)); diff != "" {
			t.Errorf("splitLines(%q) (-want +got):\n%s", s, diff)
		}
	}
}

func FuzzRead(f *testing.F) {
	odd, err := os.ReadFile("testdata/odd.ipynb")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(odd)
	f.Add([]byte(`{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "source": ["\\u2028\u2028"], "outputs": [{"output_type": "display_data", "data": {"application/json": [1e400]}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := decode(data)
		if err != nil {
			if !errors.Is(err, ErrNotNotebook) && !errors.Is(err, ErrFormat) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		first, err := nb.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(first) {
			t.Fatalf("wrote what is no JSON:\n%s", first)
		}
		again, err := decode(first)
		if err != nil {
			t.Fatalf("cannot read what it wrote: %v\n%s", err, first)
		}
		second, err := again.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(first), string(second)); diff != "" {
			t.Fatalf("writing it again differs:\n%s", diff)
		}
		if err := nb.HTML(discard{}, Page{}); err != nil {
			t.Fatal(err)
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
