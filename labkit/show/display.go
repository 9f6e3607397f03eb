package show

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// syncLimit is how long a display may be in transit. The kernel answers within
// a millisecond; one that is gone never does.
const syncLimit = 5 * time.Second

// display shows content: in a cell as HTML, with text for front ends that show
// none, otherwise text on standard output.
func display(html, text string) {
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stdout, strings.TrimRight(text, "\n"))
		return
	}
	send("", map[protocol.MIMEType]any{protocol.MIMETextHTML: html, protocol.MIMETextPlain: text})
	sync()
}

// send gives one bundle to the kernel, into the display with the id if it has
// one. Only string and []byte values are allowed: another type breaks the
// kernel's pipe for the rest of the cell.
func send(id string, data map[protocol.MIMEType]any) {
	gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: id})
}

// sync waits until the kernel has passed on what was sent; without it the end
// of the program loses what is in transit.
func sync() {
	done := make(chan struct{})
	go func() {
		gonbui.Sync()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(syncLimit):
	}
}
