package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
)

// What a reader saves from a page is compressed, and read as it is.
func TestVerifySavedFromAPage(t *testing.T) {
	page := madePage(t)
	dir := t.TempDir()
	save := func(name, page string) string {
		link := regexp.MustCompile(`download="summary\.json\.gz" href="data:application/gzip;base64,([^"]*)`).FindStringSubmatch(page)
		data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(link[1], "&#43;", "+"))
		must(t, err)
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, data, 0o644))
		return path
	}
	good := save("summary.json.gz", page)
	if code, stdout, stderr := lab(t, "verify", good); code != exitOK || !strings.Contains(stdout, "agrees with its samples") {
		t.Errorf("verify: exit code %d\n%s", code, stderr)
	}
	if code, _, stderr := lab(t, "compare", good, good); code != exitOK {
		t.Errorf("compare: exit code %d\n%s", code, stderr)
	}
	edited := save("edited.json.gz", editAttached(t, page, evidence.SummaryName, "0.00101", "0.00191"))
	if code, _, stderr := lab(t, "verify", edited); code != exitFailed || !strings.Contains(stderr, "does not agree") {
		t.Errorf("an edit: exit code %d\n%s", code, stderr)
	}
	torn, err := os.ReadFile(good)
	must(t, err)
	must(t, os.WriteFile(good, torn[:len(torn)/2], 0o644))
	if code, _, stderr := lab(t, "verify", good); code != exitFailed || !strings.Contains(stderr, "not readable as evidence") {
		t.Errorf("torn: exit code %d\n%s", code, stderr)
	}
}
