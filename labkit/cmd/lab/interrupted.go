package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"shelflab/labkit"
)

// interruption is an interrupt with what is true after it.
type interruption struct {
	error
	left string
}

func (i interruption) Unwrap() error { return i.error }

func isInterrupt(err error) bool {
	return errors.Is(err, labkit.ErrInterrupted) || errors.Is(err, labkit.ErrOrphaned)
}

// leaving says of an interrupt what it leaves; other errors stay as they are, and
// so does an interrupt of which that was said nearer to it.
func leaving(err error, format string, args ...any) error {
	var said interruption
	if !isInterrupt(err) || errors.As(err, &said) {
		return err
	}
	return interruption{err, fmt.Sprintf(format, args...)}
}

// interruptedLine tells the user of an interrupt.
func interruptedLine(err error) string {
	var said interruption
	if errors.As(err, &said) {
		return "interrupted; " + said.left
	}
	return "interrupted"
}

// atOnce lets an interrupt end a command that does not look for one: it measures
// nothing, and whatever it writes is a whole file.
func atOnce(cmd *cobra.Command, left string) *cobra.Command {
	do := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		done := make(chan error, 1)
		go func() { done <- do(cmd, args) }()
		select {
		case err := <-done:
			return err
		case <-cmd.Context().Done():
			return leaving(context.Cause(cmd.Context()), "%s", left)
		}
	}
	return cmd
}
