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

// content is what can be displayed.
type content interface {
	html() string
	text(width int) string
}

// display shows content: in a cell as HTML, with text for front ends that show
// none, otherwise text on standard output.
func display(c content) {
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stdout, strings.TrimRight(c.text(widthOf(os.Stdout)), "\n"))
		return
	}
	send("", bundle(c))
	flush()
}

func bundle(c content) map[protocol.MIMEType]any {
	return map[protocol.MIMEType]any{protocol.MIMETextHTML: c.html(), protocol.MIMETextPlain: c.text(textWidth)}
}

// send gives one bundle to the kernel, into the display with the id if it has
// one. Only string and []byte values are allowed: another type breaks the
// kernel's pipe for the rest of the cell.
func send(id string, data map[protocol.MIMEType]any) {
	gonbui.SendData(&protocol.DisplayData{Data: data, DisplayID: id})
}

// flush waits until the kernel has passed on what was sent; without it the end
// of the program loses what is in transit.
func flush() {
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
