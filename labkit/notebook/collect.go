package notebook

import (
	"fmt"
	"strings"
)

// maxStream bounds what a cell may print to stdout and stderr together. A loop
// that prints forever would otherwise fill the memory before its time is up.
const maxStream = 16 << 20 // bytes

// collector gathers the outputs of one cell as a notebook keeps them: text of
// one stream that comes in pieces becomes one output, in the order of arrival.
type collector struct {
	outputs []*Output
	tail    strings.Builder // text of the last output while that is a stream
	printed int             // bytes of stream text kept
	dropped int             // bytes of stream text left out
}

func (c *collector) add(o *Output) {
	if o.Type != Stream {
		c.settle()
		c.outputs = append(c.outputs, o)
		return
	}
	text := o.Text
	if room := maxStream - c.printed; len(text) > room {
		c.dropped += len(text) - room
		text = text[:room]
	}
	if text == "" {
		return
	}
	c.printed += len(text)
	if last := c.last(); last == nil || last.Type != Stream || last.Name != o.Name {
		c.settle()
		c.outputs = append(c.outputs, &Output{Type: Stream, Name: o.Name})
	}
	c.tail.WriteString(text)
}

func (c *collector) last() *Output {
	if len(c.outputs) == 0 {
		return nil
	}
	return c.outputs[len(c.outputs)-1]
}

// settle moves the gathered text into the output that it belongs to.
func (c *collector) settle() {
	if last := c.last(); last != nil && last.Type == Stream {
		last.Text += c.tail.String()
		c.tail.Reset()
	}
}

// finish returns the outputs. What was left out is said at the end.
func (c *collector) finish() []*Output {
	c.settle()
	if c.dropped > 0 {
		note := fmt.Sprintf("\n[%d more bytes of output left out: the limit of a cell is %d]\n", c.dropped, maxStream)
		c.dropped = 0
		c.outputs = append(c.outputs, &Output{Type: Stream, Name: "stderr", Text: note})
	}
	return c.outputs
}
