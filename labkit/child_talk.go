package labkit

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"syscall"
)

// A child and its parent talk through two pipes that the child inherits. The
// child reports as lines of JSON when a turn begins and when it has ended, and
// waits each time for one byte before it goes on: what the parent does with a
// report, such as writing evidence to disk, happens between two turns, not
// beside one. Where the byte does not come because the parent is gone, or wants
// no more, the child ends.

// The child's ends of the pipes, as os/exec numbers its extra files.
const (
	reportFile = 3 // to write to
	goOnFile   = 4 // to read from
)

// event says what a report is of.
type event string

const (
	begins   event = "begins"   // a turn, of Arm; the parent is waited for
	ends     event = "ends"     // that turn, with its samples; likewise
	fails    event = "fails"    // the turn, or the whole: there is no more
	finished event = "finished" // all turns have been taken: there is no more
)

// report is what a child tells.
type report struct {
	Event      event        `json:"event"`
	Arm        string       `json:"arm,omitempty"`    // its name
	Number     int          `json:"number,omitempty"` // of the round, from 0; -1 is the warm-up
	Place      int          `json:"place,omitempty"`  // of the arm in the round, from 1
	Series     []Series     `json:"series,omitempty"`
	Unmeasured []Unmeasured `json:"unmeasured,omitempty"`
	Failure    *failure     `json:"failure,omitempty"`
}

// parent is how a child reaches it.
type parent struct {
	reports *os.File
	goOn    *os.File
}

// joinParent finds the pipes.
func joinParent() (*parent, error) {
	if err := pipesThere(turnVariable); err != nil {
		return nil, err
	}
	return &parent{os.NewFile(reportFile, "reports"), os.NewFile(goOnFile, "go on")}, nil
}

func (p *parent) say(r report) error {
	line, err := json.Marshal(r)
	if err == nil {
		_, err = p.reports.Write(append(line, '\n'))
	}
	return err
}

// ask reports and waits until the parent says to go on.
func (p *parent) ask(r report) error {
	err := p.say(r)
	if err == nil {
		_, err = p.goOn.Read(make([]byte, 1))
	}
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.EPIPE) {
		return ErrOrphaned
	}
	return err
}

// failure is an error on its way to another process.
type failure struct {
	Text string   `json:"text"`
	Is   []string `json:"is,omitempty"` // texts of those of telling that it wraps
}

// telling are the errors that a caller may look for.
var telling = []error{ErrWrong, ErrSamples, ErrPlan, ErrChild, ErrInterrupted, ErrOrphaned, ErrLimit, context.Canceled, syscall.ENOSPC, syscall.ENOMEM}

func failureOf(err error) *failure {
	f := &failure{Text: err.Error()}
	for _, known := range telling {
		if errors.Is(err, known) {
			f.Is = append(f.Is, known.Error())
		}
	}
	return f
}

func (f *failure) Error() string { return f.Text }

// Unwrap returns the errors of this process that it was in the other one.
func (f *failure) Unwrap() (list []error) {
	for _, known := range telling {
		for _, text := range f.Is {
			if text == known.Error() {
				list = append(list, known)
			}
		}
	}
	return list
}
