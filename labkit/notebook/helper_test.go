package notebook

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// The kernel that all tests share. Its cache folder stays between runs, so that
// only the first run builds it.
var kernel *Kernel

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	kernel, err = Setup(context.Background(), "../..", filepath.Join(cache, "shelflab-test"),
		[]string{"fmt", "github.com/janpfeifer/gonb/gonbui"},
		func(stage string) { fmt.Fprintln(os.Stderr, "setup:", stage) })
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func code(source string) *Cell { return &Cell{Kind: Code, Source: source} }

func prose(source string) *Cell { return &Cell{Kind: Markdown, Source: source} }
