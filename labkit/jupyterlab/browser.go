package jupyterlab

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
)

// Why no browser is opened. Errors of [OpenBrowser] wrap them.
var (
	ErrRemote    = errors.New("this is a remote shell, and a browser here would not be seen")
	ErrNoBrowser = errors.New("no browser can be opened from here")
)

// OpenBrowser opens the user's browser at the address. It returns when the
// program that does so has been started.
func OpenBrowser(url string) error {
	if os.Getenv("SSH_CONNECTION") != "" || os.Getenv("SSH_TTY") != "" {
		return ErrRemote
	}
	name := "xdg-open"
	switch {
	case os.Getenv("BROWSER") != "":
		name = os.Getenv("BROWSER")
	case runtime.GOOS == "darwin":
		name = "open"
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return fmt.Errorf("%w: there is no display", ErrNoBrowser)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("%w: there is no %s on PATH", ErrNoBrowser, name)
	}
	cmd := exec.Command(path, url)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%w: %v", ErrNoBrowser, err)
	}
	go cmd.Wait() // it may run as long as the browser
	return nil
}
