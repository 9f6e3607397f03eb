package jupyterlab

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"

	"shelflab/labkit/notebook"
)

// gopls is pinned in a module of its own: it is compiled against internals of
// x/tools, and must neither move the versions of this module nor be moved by
// them.
var (
	//go:embed gopls/mod.txt
	goplsMod []byte
	//go:embed gopls/sum.txt
	goplsSum []byte
)

const goplsPackage = "golang.org/x/tools/gopls"

// SetupGopls builds gopls in a folder below cache, or finds the one that it
// built earlier, and returns the folder of the program. Another Go gets one of its
// own. Errors are those of [notebook.Build]; report may be nil.
func SetupGopls(ctx context.Context, cache string, report func(stage string)) (string, error) {
	if report == nil {
		report = func(string) {}
	}
	key := sha256.Sum256(append([]byte(runtime.Version()+"\n"), goplsSum...))
	dir := filepath.Join(cache, "gopls-"+hex.EncodeToString(key[:])[:16])
	err := once(ctx, cache, filepath.Join(dir, "gopls"), report, func() error {
		report("building gopls, which completes code, once")
		tmp, err := os.MkdirTemp(cache, "building-")
		if err != nil {
			return notebook.FolderError(err)
		}
		defer os.RemoveAll(tmp)
		for name, data := range map[string][]byte{"go.mod": goplsMod, "go.sum": goplsSum} {
			if err := os.WriteFile(filepath.Join(tmp, name), data, 0o644); err != nil {
				return notebook.FolderError(err)
			}
		}
		bin := filepath.Join(tmp, "bin")
		if err := notebook.Build(ctx, tmp, bin, report, goplsPackage); err != nil {
			return err
		}
		return os.Rename(bin, dir)
	})
	return dir, err
}
