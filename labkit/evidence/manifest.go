package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"
)

// ManifestName is the file of a run that lists its other files.
const ManifestName = "manifest.json"

// ChartsName is the folder of a run that holds its charts.
const ChartsName = "charts"

// manifestSchema is the version of manifest.json that this package writes.
const manifestSchema = 1

// manifest is the content of manifest.json.
type manifest struct {
	Schema int    `json:"schema"`
	Files  []file `json:"files"` // by path, each once
}

// file is one file of a run.
type file struct {
	Path   string `json:"path"` // from the run's folder, with slashes
	Size   int64  `json:"size"` // bytes
	SHA256 string `json:"sha256"`
}

// WriteManifest writes dir/manifest.json: path, size and SHA-256 of every file
// of the run that is evidence, which is summary.json, bench.txt, the charts, and
// the notebooks and pages of HTML beside them; not the stores and not what was
// set aside. It is written atomically and last, when all of those are there:
// what is kept later removes it. A folder without a summary.json is ErrNone.
func WriteManifest(dir string) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	m := manifest{Schema: manifestSchema, Files: []file{}}
	names, err := evidenceFiles(root)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if !slices.Contains(names, SummaryName) {
		return fmt.Errorf("%s: %w: there is no %s to go with", dir, ErrNone, SummaryName)
	}
	for _, name := range names {
		f, err := look(root, name)
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
	}
	text, err := m.encode()
	if err != nil {
		return err
	}
	return renameio.WriteFile(filepath.Join(dir, ManifestName), text, 0o644)
}

func (m manifest) encode() ([]byte, error) {
	text, err := json.MarshalIndent(m, "", " ")
	return append(text, '\n'), err
}

// evidenceFiles lists the paths of the files that a manifest covers, sorted.
func evidenceFiles(root *os.Root) ([]string, error) {
	var names []string
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := e.Name()
		hidden := strings.HasPrefix(name, ".")
		page := path.Ext(name) == ".ipynb" || path.Ext(name) == ".html"
		if name == SummaryName || name == BenchName || page && !hidden {
			names = append(names, name)
		}
	}
	charts, err := fs.ReadDir(root.FS(), ChartsName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range charts {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, path.Join(ChartsName, e.Name()))
		}
	}
	slices.Sort(names)
	return names, nil
}

// look reads one file for the manifest. Links are not followed and nothing but
// a regular file is opened: a pipe would never end.
func look(root *os.Root, name string) (file, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return file{}, err
	}
	if !info.Mode().IsRegular() {
		return file{}, fmt.Errorf("%s: it is no regular file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return file{}, err
	}
	defer f.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, f)
	return file{name, size, hex.EncodeToString(sum.Sum(nil))}, err
}

// verifyManifest compares manifest.json with the files of the folder and
// returns a line for each difference.
func verifyManifest(root *os.Root) ([]string, error) {
	text, err := rootFile(root, ManifestName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the run did not finish, or it was removed; nothing vouches for files other than %s and %s",
			ErrNoManifest, SummaryName, BenchName)
	} else if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("%s: %w: %v", ManifestName, ErrFormat, err)
	}
	if m.Schema != manifestSchema {
		return nil, fmt.Errorf("%s: %w: schema %d, this lab knows %d", ManifestName, ErrFormat, m.Schema, manifestSchema)
	}
	there, err := evidenceFiles(root)
	if err != nil {
		return nil, err
	}
	var lines []string
	listed := map[string]bool{}
	for _, want := range m.Files {
		switch {
		case listed[want.Path]:
			lines = append(lines, fmt.Sprintf("%s: %q is listed twice", ManifestName, want.Path))
			continue
		case !slices.Contains(there, want.Path): // nothing else is opened, wherever its path leads
			lines = append(lines, fmt.Sprintf("%s: %q is listed, but there is no such file of evidence", ManifestName, want.Path))
			continue
		}
		listed[want.Path] = true
		switch got, err := look(root, want.Path); {
		case err != nil:
			lines = append(lines, err.Error())
		case got.Size != want.Size:
			lines = append(lines, fmt.Sprintf("%s: %d bytes, the manifest says %d", want.Path, got.Size, want.Size))
		case got.SHA256 != want.SHA256:
			lines = append(lines, fmt.Sprintf("%s: its SHA-256 is not the manifest's", want.Path))
		}
	}
	for _, name := range there {
		if !listed[name] {
			lines = append(lines, fmt.Sprintf("%s: it is not in the manifest", name))
		}
	}
	if again, err := m.encode(); err != nil || !bytes.Equal(again, text) {
		lines = append(lines, ManifestName+": it is not as the lab writes it")
	}
	return lines, nil
}
