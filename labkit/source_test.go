package labkit_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shelflab/labkit"
)

// fileOf writes a file of records and returns its path.
func fileOf(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "records")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSurvey(t *testing.T) {
	for _, c := range []struct {
		content string
		want    int
	}{
		{"", 0},
		{"\n \r\n", 0},
		{"{}", 1},
		{"{\"a\":\"x\"}\r\n\n{}\n", 2},
		{"\uFEFF{}\n{}\n", 2},
		{"{\"a\":\"one \\\" quote\"}\n{}\n", 2},
		{"a,b\n", 0},
		{"a,b\n1,2\n3,4", 2},
		{"a,b\n1,\"x\ny\n\nz\"\n3,\"\"\"\"\n", 2},
	} {
		digest, got, err := labkit.Survey(fileOf(t, c.content))
		sum := sha256.Sum256([]byte(c.content))
		if err != nil || got != c.want || digest != hex.EncodeToString(sum[:]) {
			t.Errorf("%q: %d records, %s, %v, want %d", c.content, got, digest, err, c.want)
		}
	}
	if _, _, err := labkit.Survey(t.TempDir()); err == nil {
		t.Error("a folder is taken for a file")
	}
}

// The digest of a file is part of the plan, so that evidence of another content
// is another plan's; without a file the plan is what it was.
func TestPlanOfAFile(t *testing.T) {
	path := fileOf(t, strings.Repeat("{}\n", 3000))
	plan := published()
	before := plan.Fingerprint()
	if err := labkit.SetParams(&plan, map[string]string{"records": path, "key": "id", "skip-bad": "true"}); err != nil {
		t.Fatal(err)
	}
	if got := plan.N; !slices.Equal(got, []int{187, 750, 3000}) {
		t.Errorf("default sizes became %v", got)
	}
	if text := plan.String(); !strings.Contains(text, "records of "+path+" by id without bad lines") {
		t.Errorf("%s", text)
	}
	first := plan.Fingerprint()
	if err := os.WriteFile(path, []byte(strings.Repeat("{} \n", 3000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := labkit.SetParams(&plan, nil); err != nil {
		t.Fatal(err)
	}
	if plan.Fingerprint() == first || first == before {
		t.Error("another content of the file has the same plan")
	}
	if err := labkit.SetParams(&plan, map[string]string{"n": "500,2000", "records": "", "key": "", "skip-bad": "false"}); err != nil {
		t.Fatal(err)
	}
	if plan.N = published().N; plan.Fingerprint() != before {
		t.Errorf("without a file the plan is %+v", plan)
	}
	if before != "64deecd5a7f8" { // that of the committed reference run
		t.Errorf("the plan without a file has another fingerprint than before: %s", before)
	}
}

func TestPlanOfAFileRefuses(t *testing.T) {
	small := fileOf(t, "a\n1\n2\n")
	for _, c := range []struct {
		values map[string]string
		says   string
	}{
		{map[string]string{"records": "no/such/file"}, "there is no such file"},
		{map[string]string{"records": fileOf(t, "")}, "holds no records"},
		{map[string]string{"records": small, "n": "1,3"}, "has 2 records: give at most that many, such as n=1,2"},
		{map[string]string{"key": "id"}, "give records, too"},
		{map[string]string{"skip-bad": "true"}, "give records, too"},
	} {
		plan := published()
		if err := labkit.SetParams(&plan, c.values); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v, want ErrPlan with %q", c.values, err, c.says)
		}
	}
	plan := published()
	plan.Counts = "dictionaries"
	if err := labkit.SetParams(&plan, map[string]string{"records": small}); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), "measures dictionaries") {
		t.Errorf("a notebook of other things: %v", err)
	}
	plan = published()
	plan.Records = small
	if err := plan.Validate(); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), "SHA-256") {
		t.Errorf("a plan without the digest: %v", err)
	}
}

// ours embeds a plan, as notebooks do that have parameters of their own.
type ours struct {
	labkit.Plan
	Size int `param:"size"`
}

func TestFileOfAnEmbeddedPlan(t *testing.T) {
	p := ours{Plan: published()}
	if err := labkit.SetParams(&p, map[string]string{"records": fileOf(t, "{}\n{}\n{}\n")}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.N, []int{1, 3}) || p.RecordsSHA256 == "" || p.Own["records"] != "" {
		t.Errorf("%+v", p)
	}
}
