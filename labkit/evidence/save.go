package evidence

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/google/renameio/v2"
)

// Save copies the evidence of a run from one folder to another, which is created:
// its samples and charts, with a manifest. What the other folder had of another
// plan is kept aside, as by Record; what it had of this one is replaced. The
// folder from which it is copied must not be measured into meanwhile.
func Save(from, to string) error {
	run, err := Read(filepath.Join(from, SummaryName))
	if err != nil {
		return err
	}
	rec, err := Record(to, run.Plan, run.Arms, run.Comparisons)
	if err != nil {
		return err
	}
	err = copyEvidence(from, to)
	return errors.Join(err, rec.Close())
}

func copyEvidence(from, to string) error {
	if err := os.Remove(filepath.Join(to, ManifestName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	names := []string{SummaryName, BenchName}
	charts, err := filepath.Glob(filepath.Join(from, ChartsName, "*.svg"))
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(filepath.Join(to, ChartsName)), os.MkdirAll(filepath.Join(to, ChartsName), 0o755)); err != nil {
		return err
	}
	for _, path := range charts {
		names = append(names, filepath.Join(ChartsName, filepath.Base(path)))
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := renameio.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	return WriteManifest(to)
}
