package labkit_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"shelflab/labkit"
)

// What only shows in a process of its own is tested by running this test binary
// again: childVariable says as what.
const childVariable = "LABKIT_TEST_CHILD"

func TestMain(m *testing.M) {
	as := os.Getenv(childVariable)
	if turn, ok := labkit.ChildTurn(); ok && as != "no sweep" {
		takeTurn(turn)
	}
	if task, ok := labkit.ChildTask(); ok && as != "no sweep" {
		doTask(task)
	}
	switch as {
	case "":
		os.Exit(m.Run())
	case "no sweep":
	case "parent of a turn":
		measureForever()
	case "params":
		childParams()
	case "params twice":
		labkit.Params(plan(5))
		labkit.Params(plan(5))
	case "context":
		ctx, stop := labkit.Context()
		defer stop()
		childWaits(ctx)
	case "context, stopped at its end":
		ctx, stop := labkit.Context()
		fmt.Println("ready")
		<-ctx.Done()
		stop()
		fmt.Println(context.Cause(ctx))
		io.Copy(os.Stdout, os.Stdin)
	case "context, stopped at once":
		ctx, stop := labkit.Context()
		stop()
		childWaits(ctx)
	case "parent":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), childVariable+"=context")
		child.Stdin, child.Stdout = os.Stdin, os.Stdout
		if err := child.Run(); err != nil {
			fmt.Println(err)
		}
	}
	os.Exit(0)
}

// childParams does what a parameter cell does, and GoNB's main after it.
func childParams() {
	p := labkit.Params(plan(5))
	flag.Parse()
	fmt.Println(p)
}

// childWaits says that it is ready, then why its context has ended, then sends
// everything back that it is sent, to show that it lives. It ends with its
// input.
func childWaits(ctx context.Context) {
	fmt.Println("ready")
	go func() {
		<-ctx.Done()
		fmt.Println(context.Cause(ctx))
	}()
	io.Copy(os.Stdout, os.Stdin)
}

// A child is this test binary, run again, with a line of talk at a time.
type child struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

func start(t *testing.T, as string) *child {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+as)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// A child ends with its input. One that never says what is waited for must
	// not hold the test up for ever.
	patience := time.AfterFunc(time.Minute, func() { in.Close() })
	t.Cleanup(func() { patience.Stop(); in.Close(); cmd.Wait() })
	return &child{t, cmd, in, bufio.NewScanner(out)}
}

// says fails the test unless the child's next line is want.
func (c *child) says(want string) {
	c.t.Helper()
	if !c.lines.Scan() || c.lines.Text() != want {
		c.t.Fatalf("the child says %q (%v), want %q", c.lines.Text(), c.lines.Err(), want)
	}
}

// lives fails the test unless the child answers, again and again: a signal that
// was just sent takes a moment to arrive.
func (c *child) lives() {
	c.t.Helper()
	for range 50 {
		fmt.Fprintln(c.in, "still there?")
		c.says("still there?")
	}
}

func (c *child) signal(s os.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}
