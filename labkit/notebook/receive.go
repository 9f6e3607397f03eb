package notebook

import (
	"bytes"
	"encoding/json"

	"github.com/go-zeromq/zmq4"
)

// read passes a socket's messages to handle, until the socket is closed.
func (s *Session) read(sock zmq4.Socket, handle func(message)) {
	s.readers.Go(func() {
		for {
			m, err := s.wire.receive(sock)
			if err != nil {
				return
			}
			handle(m)
		}
	})
}

func (s *Session) lookup(m message) *execution {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests[m.parent.ID]
}

func (s *Session) onReply(m message) {
	if ex := s.lookup(m); ex != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		ex.mark(&ex.replied)
	}
}

func (s *Session) onQuestion(m message) {
	ex := s.lookup(m)
	if ex == nil || m.header.Type != "input_request" {
		return
	}
	var q struct {
		Prompt string `json:"prompt"`
	}
	decodeInto(m, &q)
	select {
	case ex.input <- q.Prompt:
	default: // one question is enough to end the cell
	}
}

// onIOPub handles what the kernel publishes while it works. Outputs belong to
// the request that they name, also when they come late.
func (s *Session) onIOPub(m message) {
	ex := s.lookup(m)
	if ex == nil {
		return
	}
	switch m.header.Type {
	case "status":
		var c struct {
			State string `json:"execution_state"`
		}
		if decodeInto(m, &c); c.State == "idle" {
			s.mu.Lock()
			ex.mark(&ex.idle)
			s.mu.Unlock()
		}
	case "execute_input":
		var c struct {
			Count int `json:"execution_count"`
		}
		decodeInto(m, &c)
		s.mu.Lock()
		ex.count = c.Count
		s.mu.Unlock()
	case "stream":
		var c struct{ Name, Text string }
		decodeInto(m, &c)
		s.add(ex, "", &Output{Type: Stream, Name: c.Name, Text: c.Text})
	case "display_data", "execute_result":
		d := decodeDisplay(m)
		s.add(ex, d.Transient.ID, &Output{Type: OutputType(m.header.Type), Data: d.Data, Metadata: d.Metadata, ExecutionCount: d.Count})
	case "update_display_data":
		s.update(ex, decodeDisplay(m))
	case "error":
		var c struct {
			EName     string   `json:"ename"`
			EValue    string   `json:"evalue"`
			Traceback []string `json:"traceback"`
		}
		decodeInto(m, &c)
		s.add(ex, "", &Output{Type: Error, EName: c.EName, EValue: c.EValue, Traceback: c.Traceback})
	}
}

type display struct {
	Data      map[string]any `json:"data"`
	Metadata  map[string]any `json:"metadata"`
	Count     int            `json:"execution_count"`
	Transient struct {
		ID string `json:"display_id"`
	} `json:"transient"`
}

func decodeDisplay(m message) display {
	var d display
	dec := json.NewDecoder(bytes.NewReader(m.content))
	dec.UseNumber() // a number in a JSON bundle stays as it was spelled
	_ = dec.Decode(&d)
	return d
}

func (s *Session) add(ex *execution, displayID string, o *Output) {
	s.mu.Lock()
	ex.out.add(o)
	if displayID != "" {
		s.displays[displayID] = append(s.displays[displayID], o)
	}
	s.mu.Unlock()
	if ex.onOutput != nil {
		ex.onOutput(o)
	}
}

// update changes every output with the display's id, in whichever cell.
func (s *Session) update(ex *execution, d display) {
	s.mu.Lock()
	for _, o := range s.displays[d.Transient.ID] {
		o.Data, o.Metadata = d.Data, d.Metadata
	}
	s.mu.Unlock()
	if ex.onOutput != nil {
		ex.onOutput(&Output{Type: DisplayData, Data: d.Data, Metadata: d.Metadata})
	}
}

// decodeInto reads a message's content; one that does not fit is left zero, as
// nothing sensible can be done about a kernel that breaks the protocol.
func decodeInto(m message, v any) { _ = json.Unmarshal(m.content, v) }
