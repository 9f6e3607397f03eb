package jupyterlab

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"shelflab/labkit/notebook"
)

// The style of the page is written once; what the user makes of it stays.
func TestCustomStyleIsTheUsers(t *testing.T) {
	state := t.TempDir()
	path := filepath.Join(state, "config", "custom", "custom.css")
	opt := Options{Kernel: &notebook.Kernel{Gonb: filepath.Join(t.TempDir(), "gonb")}}
	must(t, files{t.TempDir(), state}.write(opt, "token"))
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(text, customCSS) {
		t.Errorf("the style reads %q, %v", text, err)
	}
	must(t, os.WriteFile(path, []byte("mine"), 0o600))
	must(t, files{t.TempDir(), state}.write(opt, "token"))
	if text, err = os.ReadFile(path); err != nil || string(text) != "mine" {
		t.Errorf("the user's own style became %q, %v", text, err)
	}
}
