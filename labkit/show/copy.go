package show

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// sessionVariable is how a Jupyter server tells a kernel the path of its
// notebook. Other ways of starting a kernel tell its folder only (GONB_DIR).
const sessionVariable = "JPY_SESSION_NAME"

// copyNote warns where the notebook that runs this cell is not the one that the
// plan's name belongs to, but a copy of it: both would measure into one folder,
// each over what the other has measured. It is "" elsewhere, and where the
// notebook is not known.
func copyNote(name string) string {
	root, err := evidence.RepositoryRoot()
	if err != nil {
		return ""
	}
	folder := filepath.Join(root, "notebooks")
	if _, err := os.Stat(filepath.Join(folder, name+".ipynb")); err != nil {
		return "" // the name belongs to nobody else
	}
	own, here := name, os.Getenv("GONB_DIR")
	if session := os.Getenv(sessionVariable); strings.HasSuffix(session, ".ipynb") {
		own = labkit.Slug(strings.TrimSuffix(filepath.Base(session), ".ipynb"))
	}
	if own == name && (here == "" || sameFolder(here, folder)) {
		return ""
	}
	if own == name {
		own = labkit.Slug(filepath.Base(here) + "_" + name)
	}
	return fmt.Sprintf("⚠ This notebook is a copy, and its runs go where those of notebooks/%s.ipynb go. Name: %q in the parameter cell keeps them apart.", name, own)
}

func sameFolder(a, b string) bool {
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
