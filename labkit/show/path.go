package show

import (
	"os"
	"path/filepath"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Path returns the path of a name in the run's folder, which is made if it is
// not there; no name is the folder itself. Where it cannot be made the cell
// ends as by Fail.
func Path(plan labkit.Plan, name string) string {
	dir, err := evidence.Dir(plan)
	Fail(err)
	Fail(os.MkdirAll(dir, 0o755))
	return filepath.Join(dir, name)
}
