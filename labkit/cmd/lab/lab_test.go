package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// lab runs the command as main does, without a process.
func lab(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, &out, &errs)
	return code, out.String(), errs.String()
}

// Every mistake in a call is one line that says what to do, before anything is
// built or measured.
func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	notNotebook := filepath.Join(dir, "broken.ipynb")
	for path, text := range map[string]string{file: "x", notNotebook: "{"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args string
		says string
		code int
	}{
		{"fly", "unknown command", exitUsage},
		{"run --fast", "unknown flag: --fast", exitUsage},
		{"run 77_nothing", `no notebook "77_nothing": there are 01_shelf_vs_blob`, exitUsage},
		{"run ../somewhere.ipynb", "no notebook", exitUsage},
		{"run " + notNotebook, "broken.ipynb", exitUsage},
		{"run -p n", "write it as name=value", exitUsage},
		{"run -p n=1 -p n=2", "given twice", exitUsage},
		{"run -p speed=9", "there are name, n, rounds, keys, seed, durability", exitUsage},
		{"run -p rounds=many", "rounds", exitUsage},
		{"run -p n=500,200", "ascending", exitUsage},
		{"run -p durability=forever", "give process-crash or power-loss", exitUsage},
		{"run --out " + file + "/below", "--out", exitFailed},
		{"run -p name=../up", "use letters", exitUsage},
		{"measure extra", "unknown command", exitUsage},
		{"measure -p rounds=0", "rounds = 0: give 1 to 1000", exitUsage},
		{"measure --out " + file, "--out", exitFailed},
		{"verify " + dir, "summary.json", exitFailed},
		{"verify", "requires at least 1 arg", exitFailed},
		{"verify " + file, "not readable as evidence", exitFailed},
		{"verify " + filepath.Join(dir, "nowhere.html"), "no such file", exitFailed},
		{"compare " + file, "OLD and NEW: 1 given", exitUsage},
		{"compare " + file + " " + file, "no benchmark such as", exitFailed},
		{"index " + filepath.Join(dir, "nowhere"), "no such file", exitFailed},
		{"index a b", "accepts at most 1 arg", exitFailed},
	} {
		code, stdout, stderr := lab(t, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stderr, c.says) || stdout != "" {
			t.Errorf("lab %s: exit code %d, want %d; stdout %q; stderr %q, want %q in it", c.args, code, c.code, stdout, stderr, c.says)
		}
		if lines := strings.Count(stderr, "\n"); lines != 1 {
			t.Errorf("lab %s: %d lines on stderr, want 1:\n%s", c.args, lines, stderr)
		}
	}
}

func TestHelp(t *testing.T) {
	for _, args := range [][]string{{}, {"help"}, {"run", "--help"}, {"measure", "-h"}, {"help", "verify"}, {"compare", "-h"}, {"help", "index"}} {
		code, stdout, stderr := lab(t, args...)
		if code != exitOK || !strings.Contains(stdout, "Usage:") || stderr != "" {
			t.Errorf("lab %v: exit code %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
}

// What verify cannot find, its help says.
func TestHelpOfVerifySaysWhatItCannotFind(t *testing.T) {
	_, stdout, _ := lab(t, "help", "verify")
	_, cannot, _ := strings.Cut(stdout, "cannot find:")
	for _, want := range []string{"samples, a date or a machine", "prose, code", "text that a cell prints", "remarks in the notebook's own",
		"pictures", "a processor", "cells in which such a thing stands are listed", "published figures, their title and sources", "day that the calculator is given",
		"setting of its own, though not the value", "why a size did not", "taken out of a cell's output"} {
		if !strings.Contains(cannot, want) {
			t.Errorf("no %q in %q", want, cannot)
		}
	}
}
