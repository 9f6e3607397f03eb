package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"shelflab/labkit/evidence"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	code, stdout, stderr := lab(t, "measure", "-p", "n=30,60", "-p", "rounds=5", "-p", "keys=10", "--out", out)
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	dir := filepath.Join(out, "measure")
	for _, want := range []string{"n = 60: p50 of 5 rounds", "shelf, bulk", "rec/s", "Verdict", "survive a process crash", dir} {
		if !strings.Contains(stdout, want) {
			t.Errorf("stdout does not hold %q:\n%s", want, stdout)
		}
	}
	if err := evidence.Verify(dir); err != nil {
		t.Error(err)
	}
	if charts, _ := filepath.Glob(filepath.Join(dir, "charts", "*.svg")); len(charts) < 4 {
		t.Errorf("charts: %v", charts)
	}
	if index := read(t, filepath.Join(out, indexName)); !strings.Contains(index, "measure: n = 30,60") {
		t.Errorf("the index does not list the run:\n%s", index)
	}
	if code, stdout, _ := lab(t, "verify", dir); code != exitOK || !strings.Contains(stdout, "agrees with its samples") {
		t.Errorf("verify: exit code %d, stdout %q", code, stdout)
	}
}

func TestMeasureAsJSON(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := lab(t, "measure", "--json", "-p", "n=30", "-p", "rounds=1", "-p", "durability=power-loss", "--out", t.TempDir())
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	var run evidence.Run
	if err := json.Unmarshal([]byte(stdout), &run); err != nil {
		t.Fatal(err)
	}
	if !run.Complete || run.Plan.Durability.String() != "power-loss" || len(run.Series) == 0 {
		t.Errorf("complete %t, plan %s, %d series", run.Complete, run.Plan, len(run.Series))
	}
	// Measured in processes of their own, which are this test binary again.
	if s, ok := run.Summary("blob", 30, "space"); !ok || s.P50 <= 0 {
		t.Errorf("no space of the blob for its records: %+v", s)
	}
}

// Ctrl-C in the terminal: what was measured is kept and marked incomplete.
func TestMeasureInterrupted(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	summary := filepath.Join(out, "measure", evidence.SummaryName)
	cmd := labProcess(t.Context(), "measure", "-p", "n=300", "-p", "rounds=1000", "--out", out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the first samples", func() bool {
		_, err := os.Stat(summary)
		return err == nil
	})
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v, want exit code %d", err, exitInterrupted)
	}
	run, err := evidence.Read(summary)
	if err != nil {
		t.Fatal(err)
	}
	if run.Complete || len(run.Series) == 0 {
		t.Errorf("complete %t, %d series", run.Complete, len(run.Series))
	}
	if code, _, stderr := lab(t, "measure", "-p", "n=20", "-p", "rounds=1", "--out", out); code != exitOK {
		t.Errorf("the next run: exit code %d\n%s", code, stderr)
	}
}

// The user's own records: what was understood comes before what was measured,
// and evidence is of that file.
func TestMeasureOwnRecords(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	csv := filepath.Join("..", "..", "..", "data", "samples", "orders.csv")
	code, stdout, stderr := lab(t, "measure", "-p", "records="+csv, "-p", "key=id", "-p", "n=20,40", "-p", "rounds=1", "--out", out)
	if code != exitOK {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	for _, want := range []string{"Your records: 800 of ", "customer.city", "whole number", `Keys such as "ord-104000"`, "All arms at n = 40", "records of " + csv + " by id"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("stdout does not hold %q:\n%s", want, stdout)
		}
	}
	dir := filepath.Join(out, "measure")
	if err := evidence.Verify(dir); err != nil {
		t.Error(err)
	}
	run, err := evidence.Read(filepath.Join(dir, evidence.SummaryName))
	if err != nil {
		t.Fatal(err)
	}
	if !run.Complete || run.Plan.Key != "id" || len(run.Plan.RecordsSHA256) != 64 {
		t.Errorf("complete %t, plan %+v", run.Complete, run.Plan)
	}
	// Measured in a process of its own, which reads the file again.
	if s, ok := run.Summary("shelf, bulk", 40, "space"); !ok || s.P50 <= 0 {
		t.Errorf("no space of the shelf for its records: %+v", s)
	}
}

func TestMeasureRefusesAFile(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(bad, []byte("{\"id\":1}\noops\n{\"id\":1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		values []string
		code   int
		says   string
	}{
		{[]string{"records=none.csv"}, exitUsage, "there is no such file"},
		{[]string{"records=" + bad, "n=4"}, exitUsage, "has 3 records"},
		{[]string{"records=" + bad, "key=id"}, exitFailed, "2 of them:\n  line 2: not a JSON object\n  line 3: the key \"1\" was there in line 1"},
		{[]string{"key=id"}, exitUsage, "give records, too"},
	} {
		args := []string{"measure", "--out", t.TempDir()}
		for _, value := range c.values {
			args = append(args, "-p", value)
		}
		code, _, stderr := lab(t, args...)
		if code != c.code || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit code %d, %s, want %d with %q", c.values, code, stderr, c.code, c.says)
		}
	}
}
