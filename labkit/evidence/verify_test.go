package evidence_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

func TestVerifySummaryAlone(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sent by a colleague.json")
	run := made()
	write(t, path, text(t, run))
	if err := evidence.Verify(path); err != nil {
		t.Error(err)
	}
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := evidence.Verify(link); err != nil {
		t.Errorf("by the caller's own link: %v", err)
	}
	var compact bytes.Buffer // as a page may hold it
	if err := json.Compact(&compact, text(t, run)); err != nil {
		t.Fatal(err)
	}
	got, err := evidence.VerifySummary(compact.Bytes())
	if diff := cmp.Diff(run, got, asWritten); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestVerifyNamesThePlaces(t *testing.T) {
	good := string(text(t, made()))
	for _, c := range []struct{ name, old, new, says string }{
		{"a sentence", "blob is 2.00 times as fast", "blob is 9.00 times as fast", `verdict[0]: …`},
		{"a sentence from where it differs", "blob is 2.00 times as fast", "blob is 9.00 times as fast", `f, bulk: write: blob is 9.00 times as fast (`},
		{"only a sentence", "blob is 2.00 times as fast", "blob is 9.00 times as fast", "only sentences differ: if nobody edited them, the lab that measured was of another version"},
		{"a p50", `"p50": 1000000,`, `"p50": 2000000,`, `summaries[0].p50: 2000000 stands there, the samples give 1000000`},
		{"a level", `"level": 0.9375`, `"level": 0.99`, "summaries[0].level: 0.99 stands there, the samples give 0.9375"},
		{"the fingerprint", `"fingerprint": "`, `"fingerprint": "0`, "fingerprint: "},
		{"complete", `"complete": true`, `"complete": false`, "complete: false stands there, the samples give true"},
		{"a warning", `"warnings": []`, `"warnings": [{"text": "All is well.", "remedy": ""}]`, "warnings: 1 stand there, the samples give 0"},
		{"a warning missing", `"warnings": [],`, ``, "warnings: it is missing"},
		{"a field more", `"verdict": [`, `"approved": true, "verdict": [`, "approved: the lab writes no such field"},
		{"a field twice", `"complete": true`, `"complete": false, "complete": true`, "it is not as the lab writes it"},
		{"a field in capitals", `"complete": true`, `"Complete": true`, "complete: it is missing"},
		{"a number in other words", `"rounds": 5`, `"rounds": 5.0`, ""}, // no int for the decoder
		{"a sample in other words", `"p50": 1000000,`, `"p50": 1e6,`, "summaries[0].p50: 1e6 stands there, the samples give 1000000"},
		{"text for a list", `"warnings": []`, `"warnings": null`, "warnings: null stands there, the samples give []"},
		{"seed", `"seed": 1`, `"seed": 2`, "digest: it does not fit"},
		{"series of no arm", `"arm": "blob"`, `"arm": "blub"`, "series[0] (blub, n = 500, write): there is no such arm"},
		{"more samples than rounds", `"samples": [`, `"samples": [1, 1, `, "7 samples, want 1 to 5"},
		{"work of nothing", `"work": 500`, `"work": 0`, "work of 0"},
		{"a series twice", `"metric": "put"`, `"metric": "write"`, "it is there twice"},
		{"no time", "0.00051,", "0,", "a sample of 0 s"},
	} {
		edited := strings.Replace(good, c.old, c.new, 1)
		if edited == good {
			t.Fatalf("%s: there is no %s to change", c.name, c.old)
		}
		run, err := evidence.VerifySummary([]byte(edited))
		if run != nil || c.says == "" && !errors.Is(err, evidence.ErrFormat) ||
			c.says != "" && (!errors.Is(err, evidence.ErrAltered) || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want ErrAltered with %q", c.name, err, c.says)
		}
	}
	all := strings.ReplaceAll(good, `"level": 0.9375`, `"level": 0.99`)
	_, err := evidence.VerifySummary([]byte(all))
	if err == nil || strings.Count(err.Error(), "\n") != 11 || !strings.Contains(err.Error(), "\n  and ") {
		t.Errorf("many places: want the first ten and how many more there are, got\n%v", err)
	}
}

// leaves calls with for every value of a tree that holds no others, with its
// place and a function that changes it.
func leaves(at string, tree any, with func(place string, old any, set func(any))) {
	visit := func(place string, value any, set func(any)) {
		switch value.(type) {
		case map[string]any, []any:
			leaves(place, value, with)
		default:
			with(place, value, set)
		}
	}
	switch tree := tree.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(tree)) {
			visit(strings.TrimPrefix(at+"."+name, "."), tree[name], func(v any) { tree[name] = v })
		}
	case []any:
		for i := range tree {
			visit(fmt.Sprintf("%s[%d]", at, i), tree[i], func(v any) { tree[i] = v })
		}
	}
}

// edits returns a run's file once for each number, text and truth value in it,
// with that one changed.
func edits(t *testing.T, whole []byte) map[string][]byte {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(whole))
	decoder.UseNumber()
	var tree map[string]any
	if err := decoder.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	leaves("", tree, func(place string, old any, set func(any)) {
		switch v := old.(type) {
		case bool:
			set(!v)
		case json.Number:
			x, err := v.Float64()
			if err != nil {
				t.Fatal(err)
			}
			if i, err := v.Int64(); err == nil && x == float64(i) {
				set(i + 1)
			} else {
				set(x * 1.0001)
			}
		case string:
			if at, err := time.Parse(time.RFC3339, v); err == nil {
				set(at.Add(time.Hour))
			} else if v == labkit.ProcessCrash.String() {
				set(labkit.PowerLoss)
			} else {
				set(v + "x")
			}
		default:
			t.Fatalf("%s holds %v", place, old)
		}
		text, err := json.MarshalIndent(tree, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		all[place] = text
		set(old)
	})
	return all
}

// reordered writes an edit in the order in which the lab writes its fields, as
// somebody would who changes the file in place.
func reordered(t *testing.T, edit []byte) []byte {
	t.Helper()
	var run evidence.Run
	if json.Unmarshal(edit, &run) != nil {
		return edit // refused in any order
	}
	text, err := json.MarshalIndent(run, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// single is a run of one size, small, with every kind of value in it.
func single() *evidence.Run {
	run := made()
	run.Plan.N = []int{500}
	run.Metrics = []labkit.Metric{labkit.Write, labkit.Gets, labkit.Disk}
	run.Comparisons = []evidence.Comparison{headline("write", "gets", "disk"), headline("write")}
	run.Comparisons[1].Role = evidence.Part
	run.Series = slices.DeleteFunc(sample(500), func(s labkit.Series) bool {
		_, ok := run.Metric(s.Metric)
		return !ok
	})
	run.Processors = []evidence.Processors{{N: 500, Time: 20.5, Own: 10.25, Others: 0.125}}
	return run
}

// Whoever changes one value is found, whichever it is.
func TestVerifyFindsEveryEdit(t *testing.T) {
	all := edits(t, text(t, single()))
	if len(all) < 200 {
		t.Fatalf("only %d values were found to edit", len(all))
	}
	for place, edit := range all {
		if _, err := evidence.VerifySummary(reordered(t, edit)); !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat) {
			t.Errorf("%s can be edited: %v", place, err)
		}
	}
}

// Whoever also puts the digest right is found wherever something else follows
// from the value. What is left is what the lab can only take down, and its list
// is what Verify's comment and the lab's help must own up to.
func TestVerifyCannotFindConsistentEdits(t *testing.T) {
	dir := t.TempDir()
	run := single()
	summary := filepath.Join(dir, evidence.SummaryName)
	whole := text(t, run)
	write(t, filepath.Join(dir, evidence.BenchName), run.Bench())
	index := regexp.MustCompile(`\[\d+\]`)
	missed := map[string]bool{}
	for place, edit := range edits(t, whole) {
		var changed evidence.Run
		if json.Unmarshal(edit, &changed) != nil {
			continue // refused whatever the digest
		}
		changed.Digest = digest(t, changed)
		text, err := json.MarshalIndent(changed, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if place == "digest" { // put right again
			continue
		}
		if _, err = evidence.VerifySummary(text); err == nil { // unless bench.txt tells
			write(t, summary, append(text, '\n'))
			err = evidence.Verify(summary)
		}
		switch {
		case err == nil:
			missed[index.ReplaceAllString(place, "[]")] = true
		case !errors.Is(err, evidence.ErrAltered) && !errors.Is(err, evidence.ErrFormat):
			t.Errorf("%s: %v", place, err)
		}
	}
	want := []string{
		"arms[].kind", "arms[].pair", "arms[].what",
		"environment.commit", "environment.cpus", "environment.device.model", "environment.device.name", "environment.device.rotates",
		"environment.dirty", "environment.disk_free", "environment.disk_size", "environment.file_system", "environment.go",
		"environment.gogc", "environment.gomaxprocs", "environment.gomemlimit", "environment.kernel", "environment.load_after",
		"environment.load_before", "environment.memory", "environment.modules.example.org/store",
		"environment.timer.cost", "environment.timer.grain", "environment.virtual",
		"metrics[].what", "processors[].others", "processors[].own", "processors[].time", "started", "updated",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(missed))); diff != "" {
		t.Errorf("edits with a new digest that go unnoticed (-want +got):\n%s", diff)
	}
}

// digest is Run.Digest as its comment describes it, by somebody who has not the
// lab's code.
func digest(t *testing.T, run evidence.Run) string {
	t.Helper()
	run.Fingerprint, run.Complete, run.Digest = "", false, ""
	run.Summaries, run.Ratios, run.Warnings, run.Verdict = nil, nil, nil, nil
	text, err := json.Marshal(run)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func TestDigestIsWhatItsCommentSays(t *testing.T) {
	run := made()
	text(t, run)
	if got := digest(t, *run); got != run.Digest {
		t.Errorf("digest %s, by hand %s", run.Digest, got)
	}
}
