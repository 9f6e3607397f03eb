package evidence_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/evidence"
)

// folder lays down a whole run: what a manifest covers, and what it does not.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	run := made()
	for name, content := range map[string]string{
		evidence.SummaryName:        string(text(t, run)),
		evidence.BenchName:          string(run.Bench()),
		"charts/write.svg":          "<svg>write</svg>",
		"charts/disk.svg":           "<svg>disk</svg>",
		"01_test.ipynb":             "{}",
		"01_test.html":              "<p>page</p>",
		"bench_blob_500":            "a store",
		"bench_shelf_bulk_500/00":   "a store",
		"summary-0123456789ab.json": "set aside",
		".lock":                     "",
		"charts/.write.svg1234":     "torn",
		"notes.txt":                 "mine",
	} {
		write(t, filepath.Join(dir, name), []byte(content))
	}
	if err := evidence.WriteManifest(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

var covered = []string{"01_test.html", "01_test.ipynb", "bench.txt", "charts/disk.svg", "charts/write.svg", "summary.json"}

func TestWriteManifest(t *testing.T) {
	dir := folder(t)
	type file struct {
		Path   string `json:"path"`
		Size   int    `json:"size"`
		SHA256 string `json:"sha256"`
	}
	var got struct {
		Schema int    `json:"schema"`
		Files  []file `json:"files"`
	}
	if err := json.Unmarshal(read(t, filepath.Join(dir, evidence.ManifestName)), &got); err != nil {
		t.Fatal(err)
	}
	var want []file
	for _, name := range covered {
		content := read(t, filepath.Join(dir, name))
		sum := sha256.Sum256(content)
		want = append(want, file{name, len(content), hex.EncodeToString(sum[:])})
	}
	if diff := cmp.Diff(want, got.Files); diff != "" || got.Schema != 1 {
		t.Errorf("schema %d (-want +got):\n%s", got.Schema, diff)
	}
	if err := evidence.Verify(dir); err != nil {
		t.Error(err)
	}
	first := read(t, filepath.Join(dir, evidence.ManifestName))
	if err := evidence.WriteManifest(dir); err != nil || string(first) != string(read(t, filepath.Join(dir, evidence.ManifestName))) {
		t.Errorf("written again it is another (%v)", err)
	}
}

func TestWriteManifestRefuses(t *testing.T) {
	if err := evidence.WriteManifest(t.TempDir()); !errors.Is(err, evidence.ErrNone) {
		t.Errorf("an empty folder: %v, want ErrNone", err)
	}
	if err := evidence.WriteManifest(filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v, want ErrNotExist", err)
	}
	for name, place := range map[string]func(path string) error{
		"folder": func(path string) error { return os.Mkdir(path, 0o755) },
		"link":   func(path string) error { return os.Symlink("disk.svg", path) },
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
	} {
		dir := folder(t)
		before := read(t, filepath.Join(dir, evidence.ManifestName))
		if err := place(filepath.Join(dir, "charts", "odd.svg")); err != nil {
			t.Fatal(err)
		}
		if err := evidence.WriteManifest(dir); err == nil || !strings.Contains(err.Error(), "charts/odd.svg") {
			t.Errorf("a %s: %v, want an error that names it", name, err)
		}
		if after := read(t, filepath.Join(dir, evidence.ManifestName)); string(before) != string(after) {
			t.Errorf("a %s: the manifest has changed", name)
		}
	}
}

// What is measured after the manifest was written makes it untrue.
func TestKeepRemovesTheManifest(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, plan(), 500, sample(500))
	if err := evidence.WriteManifest(dir); err != nil {
		t.Fatal(err)
	}
	if err := evidence.Verify(dir); err != nil {
		t.Error(err)
	}
	keep(t, dir, plan(), 2000, sample(2000))
	if _, err := os.Stat(filepath.Join(dir, evidence.ManifestName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the manifest is still there (%v)", err)
	}
}

func TestVerifyFolderRefuses(t *testing.T) {
	change := func(name string, with func(string) string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			write(t, path, []byte(with(string(read(t, path)))))
		}
	}
	add := func(text string) func(string) string { return func(s string) string { return s + text } }
	swap := func(old, new string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, new, 1) }
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, dir string)
		says   string
	}{
		{"chart edited", change("charts/write.svg", swap("write", "wrote")), "charts/write.svg: its SHA-256 is not the manifest's"},
		{"chart longer", change("charts/write.svg", add(" ")), "charts/write.svg: 17 bytes, the manifest says 16"},
		{"page truncated", change("01_test.html", func(s string) string { return s[:4] }), "01_test.html: 4 bytes"},
		{"page emptied", change("01_test.html", func(string) string { return "" }), "01_test.html: 0 bytes"},
		{"notebook gone", remove("01_test.ipynb"), `"01_test.ipynb" is listed, but there is no such file`},
		{"files swapped", func(t *testing.T, dir string) {
			a, b := filepath.Join(dir, "charts/write.svg"), filepath.Join(dir, "charts/disk.svg")
			one, two := read(t, a), read(t, b)
			write(t, a, two)
			write(t, b, one)
		}, "charts/disk.svg: 16 bytes, the manifest says 15"},
		{"another chart", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "charts/lies.svg"), nil) }, "charts/lies.svg: it is not in the manifest"},
		{"another page", func(t *testing.T, dir string) { write(t, filepath.Join(dir, "lies.html"), nil) }, "lies.html: it is not in the manifest"},
		{"chart is a link", func(t *testing.T, dir string) {
			remove("charts/write.svg")(t, dir)
			if err := os.Symlink("disk.svg", filepath.Join(dir, "charts/write.svg")); err != nil {
				t.Fatal(err)
			}
		}, "charts/write.svg: it is no regular file"},
		{"chart is a pipe", func(t *testing.T, dir string) {
			remove("charts/write.svg")(t, dir)
			if err := syscall.Mkfifo(filepath.Join(dir, "charts/write.svg"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "charts/write.svg: it is no regular file"},
		{"no bench.txt", remove("bench.txt"), "bench.txt: it is missing"},
		{"bench.txt edited", change("bench.txt", swap("500000", "400000")), "bench.txt: line "},
		{"bench.txt truncated", change("bench.txt", func(s string) string { return s[:len(s)-1] }), "bench.txt: line "},
		{"no manifest, and a sentence edited", func(t *testing.T, dir string) {
			remove("manifest.json")(t, dir)
			change("summary.json", swap("2.00 times as fast", "9.00 times as fast"))(t, dir)
		}, "9.00 times as fast"},
		{"manifest leaves a file out", change("manifest.json", func(s string) string {
			at := strings.Index(s, "  {\n   \"path\": \"charts/disk.svg\"")
			return s[:at] + s[at+strings.Index(s[at:], "},\n")+3:]
		}), "charts/disk.svg: it is not in the manifest"},
		{"manifest lists a file twice", change("manifest.json", swap("charts/disk.svg", "charts/write.svg")), `"charts/write.svg" is listed twice`},
		{"manifest climbs out", change("manifest.json", swap("charts/disk.svg", "../../etc/passwd")), `"../../etc/passwd" is listed, but there is no such file of evidence`},
		{"manifest is absolute", change("manifest.json", swap("charts/disk.svg", "/etc/passwd")), `"/etc/passwd" is listed, but`},
		{"manifest covers a store", change("manifest.json", swap("charts/disk.svg", "bench_blob_500")), `"bench_blob_500" is listed, but`},
		{"manifest covers itself", change("manifest.json", swap("charts/disk.svg", "manifest.json")), `"manifest.json" is listed, but`},
		{"manifest with a remark", change("manifest.json", swap(`"schema": 1,`, `"schema": 1, "by": "me",`)), "manifest.json: it is not as the lab writes it"},
		{"summary edited", change("summary.json", swap(`"seed": 1`, `"seed": 2`)), "summary.json: its SHA-256 is not the manifest's"},
	} {
		dir := folder(t)
		c.change(t, dir)
		err := evidence.Verify(dir)
		if !errors.Is(err, evidence.ErrAltered) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want ErrAltered with %q", c.name, err, c.says)
		}
	}
}

func TestVerifyFolderThatIsNone(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(dir string) error
		want   error
	}{
		{"no summary", func(dir string) error { return os.Remove(filepath.Join(dir, "summary.json")) }, evidence.ErrNone},
		{"no manifest", func(dir string) error { return os.Remove(filepath.Join(dir, "manifest.json")) }, evidence.ErrNoManifest},
		{"summary torn", func(dir string) error { return os.Truncate(filepath.Join(dir, "summary.json"), 100) }, evidence.ErrFormat},
		{"manifest torn", func(dir string) error { return os.Truncate(filepath.Join(dir, "manifest.json"), 100) }, evidence.ErrFormat},
		{"manifest emptied", func(dir string) error { return os.Truncate(filepath.Join(dir, "manifest.json"), 0) }, evidence.ErrFormat},
		{"manifest of another schema", func(dir string) error {
			return os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`{"schema": 2}`), 0o644)
		}, evidence.ErrFormat},
		{"summary is a pipe", func(dir string) error {
			path := filepath.Join(dir, "summary.json")
			return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o644))
		}, evidence.ErrFormat},
		{"bench.txt is a folder", func(dir string) error {
			path := filepath.Join(dir, "bench.txt")
			return errors.Join(os.Remove(path), os.Mkdir(path, 0o755))
		}, evidence.ErrFormat},
	} {
		dir := folder(t)
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		if err := evidence.Verify(dir); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if err := evidence.Verify(filepath.Join(t.TempDir(), "nowhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v, want ErrNotExist", err)
	}
	// A summary that leads out of its folder is not followed.
	dir, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	write(t, secret, text(t, made()))
	if err := os.Symlink(secret, filepath.Join(dir, "summary.json")); err != nil {
		t.Fatal(err)
	}
	if err := evidence.Verify(dir); err == nil || errors.Is(err, evidence.ErrAltered) {
		t.Errorf("a link out of the folder: %v, want that it is refused", err)
	}
}

// Every file of the folder counts: none can be edited, removed or cut off.
func TestVerifyFolderCoversEveryFile(t *testing.T) {
	for _, name := range append(slices.Clone(covered), evidence.ManifestName) {
		dir := folder(t)
		path := filepath.Join(dir, name)
		whole := read(t, path)
		for what, content := range map[string][]byte{
			"with a byte more":  append(slices.Clone(whole), '\n'),
			"with a byte less":  whole[:len(whole)-1],
			"with its end bent": append(slices.Clone(whole[:len(whole)-1]), '\t'),
			"emptied":           {},
		} {
			write(t, path, content)
			if err := evidence.Verify(dir); !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat) {
				t.Errorf("%s %s: %v, want an error", name, what, err)
			}
		}
		write(t, path, whole)
		if err := evidence.Verify(dir); err != nil {
			t.Errorf("%s put back: %v", name, err)
		}
	}
}
