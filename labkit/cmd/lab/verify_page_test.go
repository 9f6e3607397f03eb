package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"shelflab/labkit"
	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
	"shelflab/labkit/show"
)

// pageOf writes the page of a run, as a notebook would show it that displays
// everything that the lab knows of it, and returns its path.
func pageOf(t *testing.T, dir string) string {
	t.Helper()
	run, err := readEvidence(dir)
	must(t, err)
	nb := notebook.New()
	display := func(id, html string) {
		nb.Cells = append(nb.Cells, &notebook.Cell{ID: id, Kind: notebook.Code, Source: "%%\n// " + id, Outputs: []*notebook.Output{
			{Type: notebook.DisplayData, Data: map[string]any{"text/html": html}},
		}})
	}
	parts := evidence.Parts(filepath.Dir(dir), run.Plan)
	display("verdict", show.VerdictHTML(run, parts...))
	display("parameters", show.PlanTable(&run.Plan).HTML())
	for _, n := range run.Measured() {
		swept := show.Lead(run, n)
		swept.Notes = nil
		display(fmt.Sprintf("sweep-%d", n), swept.HTML())
	}
	display("lead", show.Lead(run, run.Largest()).HTML())
	display("ratios", show.Ratios(run).HTML())
	display("own", show.Table{Title: "The notebook's own", Head: []string{"arm", "what"}, Rows: [][]string{{"blob", "1.97 ms"}}}.HTML())
	if twin, err := readEvidence(filepath.Join(filepath.Dir(dir), evidence.DurabilityPlan(run.Plan).Name)); err == nil {
		display("durability", show.Durability(twin, labkit.Write).HTML())
	}
	charts, err := chart.All(run)
	must(t, err)
	for _, c := range charts {
		must(t, c.Save(dir))
		display(c.Name, `<div style="max-width:860px">`+string(c.SVG)+`</div>`)
	}
	name := filepath.Base(dir)
	must(t, writePage(nb, dir, name, reproduce(name, map[string]string{"rounds": fmt.Sprint(run.Plan.Rounds)}), time.Now(), false))
	must(t, evidence.WriteManifest(dir))
	return filepath.Join(dir, name+".html")
}

// madePage is the page of a made-up run of two sizes, by itself.
func madePage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(pageOf(t, recorded(t, 1, func(p *labkit.Plan) { p.N = []int{500, 2000} })))
	must(t, err)
	return string(page)
}

func TestVerifyPage(t *testing.T) {
	dir := recorded(t, 1, func(p *labkit.Plan) { p.N = []int{500, 2000} })
	page := pageOf(t, dir)
	alone := filepath.Join(t.TempDir(), "sent.html")
	must(t, os.WriteFile(alone, []byte(read(t, page)), 0o644))
	for _, path := range []string{dir, page, alone, filepath.Join(dir, evidence.SummaryName)} {
		if code, stdout, stderr := lab(t, "verify", path); code != exitOK || !strings.Contains(stdout, "agrees with its samples") {
			t.Errorf("%s: exit code %d\n%s", path, code, stderr)
		}
	}
	// The manifest covers what the page alone cannot tell.
	must(t, os.WriteFile(page, []byte(strings.Replace(read(t, page), "The notebook&#39;s own", "The notebook&#39;s old", 1)), 0o644))
	for _, path := range []string{dir, page} {
		if code, _, stderr := lab(t, "verify", path); code != exitFailed || !strings.Contains(stderr, "made.html: its SHA-256 is not the manifest's") {
			t.Errorf("%s: exit code %d, %s", path, code, stderr)
		}
	}
	// With the manifest made anew the edit is consistent; a number that follows
	// from the samples is not.
	must(t, os.WriteFile(page, []byte(strings.Replace(read(t, page), "full read", "full reed", 1)+" "), 0o644))
	drawing := filepath.Join(dir, evidence.ChartsName, "write_scale.svg")
	must(t, os.WriteFile(drawing, []byte(strings.Replace(read(t, drawing), ">500<", ">600<", 1)), 0o644))
	must(t, evidence.WriteManifest(dir))
	if code, _, stderr := lab(t, "verify", dir); code != exitFailed || !strings.Contains(stderr, "write_scale.svg: text") {
		t.Errorf("a chart: exit code %d, %s", code, stderr)
	}
}

// A page in a run's folder may carry no evidence if its notebook failed before
// it had measured, but then it shows no verdict.
func TestVerifyPageWithoutEvidence(t *testing.T) {
	dir := recorded(t, 1, nil)
	page := pageOf(t, dir)
	taken := regexp.MustCompile(`(?s)<footer>.*</footer>`).ReplaceAllString(read(t, page), "")
	must(t, os.WriteFile(page, []byte(taken), 0o644))
	must(t, evidence.WriteManifest(dir))
	if code, _, stderr := lab(t, "verify", dir); code != exitFailed || !strings.Contains(stderr, `made.html: the head: "Verdict" stands there`) {
		t.Errorf("the evidence was taken out: exit code %d, %s", code, stderr)
	}
	must(t, writePage(notebook.New(), dir, "made", "go tool lab run made", time.Now().Add(time.Hour), true))
	must(t, evidence.WriteManifest(dir))
	if code, _, stderr := lab(t, "verify", dir); code != exitOK {
		t.Errorf("a notebook that failed early: exit code %d, %s", code, stderr)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	must(t, err)
	return string(text)
}

// Whoever edits one thing that the page shows of the evidence is found.
func TestVerifyFindsEditsOfThePage(t *testing.T) {
	page := madePage(t)
	between := func(from, to string) string {
		_, rest, ok := strings.Cut(page, from)
		part, _, ok2 := strings.Cut(rest, to)
		if !ok || !ok2 {
			t.Fatalf("the page has no %q to %q", from, to)
		}
		return part
	}
	section := func(id string) string { return between(`id="cell-`+id+`"`, "</section>") }
	in := func(part, old, new string) string {
		if !strings.Contains(part, old) {
			t.Fatalf("no %q in %s", old, part)
		}
		return strings.Replace(page, part, strings.Replace(part, old, new, 1), 1)
	}
	head := between("<header>", "</header>")
	want := expectedOf(t, page)
	for _, c := range []struct{ name, page, says string }{
		{"the verdict in the head", in(head, "blob", "blub"), `the head: "blub`},
		{"a number in the head", in(head, "2.0", "9.0"), `the head: "9.0`},
		{"the plan", in(head, "5 rounds", "50 rounds"), `50 rounds; 20 keys`},
		{"the machine", in(head, " cores", "0 cores"), "cores"},
		{"the command", in(head, "-p rounds=5", "-p rounds=7"), "does not give the plan that was measured"},
		{"another command", in(head, "go tool lab run", "curl example.org"), "does not give the plan"},
		{"a sentence of the verdict", in(section("verdict"), "times as fast", "times as slow"), "cell-verdict: the verdict: "},
		{"a factor in a sentence", in(section("verdict"), "blob is 2.0", "blob is 3.0"), "cell-verdict: the verdict: "},
		{"a factor in the verdict's table", in(section("verdict"), "2.02×", "4.02×"), "cell-verdict: the verdict: "},
		{"a parameter", in(section("parameters"), ">500,2000<", ">500,9000<"), `cell-parameters: the parameters: "500,9000" stands there, the evidence gives "500,2000"`},
		{"a p50", in(section("lead"), "1.96 M", "9.96 M"), `cell-lead: the lead table at n = 2,000: "snapshot, ours 9.96 M 1.92" stands there, the evidence gives "snapshot, ours 1.96 M 1.92"`},
		{"an interval in the sweep", in(section("sweep-500"), "481", "181"), "cell-sweep-500: the lead table at n = 500: "},
		{"another size's table", in(section("sweep-500"), "n = 500", "n = 2,000"), "cell-sweep-500: the lead table"},
		{"the note of a table", in(section("lead"), "93.75 % level", "99 % level"), "cell-lead: the notes of the lead table"},
		{"a ratio", in(section("ratios"), ">2.0", ">7.0"), "cell-ratios: the table of ratios: "},
		{"a row more", in(section("ratios"), "<tbody>", "<tbody><tr><td>blob over all</td><td>everything</td></tr>"), "cell-ratios: the table of ratios: "},
		{"a row more at the end", in(section("ratios"), "</tbody>", "<tr><td>blob over all</td><td>everything</td></tr></tbody>"), `cell-ratios: "blob over all everything" stands beside`},
		{"a row beside", in(section("sweep-500"), "</tbody>", "<tr><td>a made-up arm</td></tr></tbody>"), `cell-sweep-500: "a made-up arm" stands beside`},
		{"a text beside a chart", in(section("disk"), "<svg", "<b>Ours is best</b><svg"), "cell-disk: a text stands beside the chart"},
		{"a chart's label", in(section("write_scale"), ">500<", ">501<"), `cell-write_scale: the chart "Write`},
		{"a chart's text for the blind", in(section("disk"), "8.19 kB", "1.19 kB"), `cell-disk: the chart "`},
		{"a chart's line", in(section("write_scale"), `d="M`, `d="M1`), `cell-write_scale: the chart "Write`},
		{"a script", strings.Replace(page, "</main>", "<script>hide()</script></main>", 1), "it holds <script>"},
		{"a handler", strings.Replace(page, "<main>", "<main onclick='hide()'>", 1), "a handler onclick="},
		{"the size of a file", regexp.MustCompile(`summary.json</a> \(\d`).ReplaceAllString(page, "summary.json</a> (77"), "the list of files: "},
		{"the name of a file", strings.Replace(page, "bench.txt</a>", "bench.text</a>", 1), "the list of files: "},
		{"a second head", strings.Replace(page, "</header>", "</header><header>All is well</header>", 1), "2 heads"},
		{"no head", strings.Replace(page, head, "", 1), "the head: "},
	} {
		lines, _, err := want.faults([]byte(c.page))
		if err != nil || !strings.Contains(strings.Join(lines, "\n"), c.says) {
			t.Errorf("%s: %v, want %q in\n%s", c.name, err, c.says, strings.Join(lines, "\n"))
		}
	}
	if lines, _, err := want.faults([]byte(page)); err != nil || len(lines) > 0 {
		t.Errorf("the page as it is: %q, %v", lines, err)
	}
	for _, c := range []struct{ name, page, says string }{
		{"a sample", editAttached(t, page, evidence.SummaryName, "0.00101", "0.00191"), "the attached summary.json: evidence does not agree"},
		{"bench.txt", editAttached(t, page, evidence.BenchName, "n=500", "n=501"), "the attached bench.txt"},
	} {
		path := filepath.Join(t.TempDir(), "page.html")
		must(t, os.WriteFile(path, []byte(c.page), 0o644))
		if code, stdout, stderr := lab(t, "verify", path); code != exitFailed || stdout != "" || !strings.Contains(stderr, c.says) {
			t.Errorf("%s: exit code %d, want %q in\n%s", c.name, code, c.says, stderr)
		}
	}
}

// Every number of the lead tables, the ratios and the verdict is looked at, not
// only those that a test names.
func TestVerifyFindsEveryNumberOfThePage(t *testing.T) {
	page := madePage(t)
	if edits := everyNumber(t, page, "own"); edits < 80 {
		t.Errorf("only %d texts with a number were found", edits)
	}
}

// everyNumber edits each number that a page shows, one at a time, and looks
// whether that is found. own is the id of the cell that shows the notebook's own.
// It returns how many were edited.
func everyNumber(t *testing.T, page, own string) int {
	t.Helper()
	body := page[strings.Index(page, "<header>"):strings.Index(page, "<footer>")]
	offset := strings.Index(page, "<header>")
	texts := regexp.MustCompile(`>[^<>]*\d[^<>]*<`)
	want := expectedOf(t, page)
	edits := 0
	for _, at := range texts.FindAllStringIndex(body, -1) {
		from, to := offset+at[0], offset+at[1]
		before := page[:from]
		if strings.LastIndex(before, "<pre") > strings.LastIndex(before, "</pre") || strings.LastIndex(before, `id="cell-`+own+`"`) > strings.LastIndex(before, "</section>") {
			continue // code, or the notebook's own table
		}
		digit := strings.LastIndexAny(page[from:to], "0123456789") + from
		if strings.Contains(page[from:to], "&#") { // the digits of an escape are none to the reader
			continue
		}
		edited := page[:digit] + string('0'+(page[digit]-'0'+1)%10) + page[digit+1:]
		edits++
		if lines, _, err := want.faults([]byte(edited)); err == nil && len(lines) == 0 {
			t.Errorf("%q can be edited after …%s", page[from+1:to-1], before[max(0, len(before)-200):])
		}
	}
	return edits
}

// editAttached changes a file that a page carries.
func editAttached(t *testing.T, page, name, old, new string) string {
	t.Helper()
	data := attachedTo(t, page, name)
	edited := bytes.Replace(data, []byte(old), []byte(new), 1)
	if bytes.Equal(edited, data) {
		t.Fatalf("%s was not edited: there is no %q", name, old)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(edited)
	must(t, errors.Join(err, w.Close()))
	link := regexp.MustCompile(`(download="` + regexp.QuoteMeta(name) + `\.gz" href="data:application/gzip;base64,)[^"]*`)
	return link.ReplaceAllString(page, "${1}"+base64.StdEncoding.EncodeToString(packed.Bytes()))
}

func attachedTo(t *testing.T, page, name string) []byte {
	t.Helper()
	files, err := attached([]byte(page))
	must(t, err)
	return files[name]
}

func expectedOf(t *testing.T, page string) expected {
	t.Helper()
	run, err := evidence.VerifySummary(attachedTo(t, page, evidence.SummaryName))
	must(t, err)
	files, err := attached([]byte(page))
	must(t, err)
	parts, lines, err := verifyParts(files, run)
	must(t, err)
	if len(lines) > 0 {
		t.Errorf("the parts: %q", lines)
	}
	want, err := expect(run, parts)
	must(t, err)
	want.files = files
	return want
}

// The run about durability is one of its own; its table is checked like the
// others.
func TestVerifyDurabilityOfThePage(t *testing.T) {
	dir := recorded(t, 1, nil)
	run, err := readEvidence(dir)
	must(t, err)
	twin := evidence.DurabilityPlan(run.Plan)
	must(t, os.Rename(recorded(t, 2, func(p *labkit.Plan) { *p = twin }), filepath.Join(filepath.Dir(dir), twin.Name)))
	page := read(t, pageOf(t, dir))
	lines, _, err := verifyPage([]byte(page))
	if err != nil || len(lines) > 0 || attachedTo(t, page, "durability-summary.json") == nil {
		t.Errorf("as it is: %q, %v", lines, err)
	}
	_, section, _ := strings.Cut(page, `id="cell-durability"`)
	section, _, _ = strings.Cut(section, "</section>")
	edited := strings.Replace(page, section, strings.Replace(section, "surviving", "not surviving", 1), 1)
	if lines, _, err := verifyPage([]byte(edited)); err != nil || len(lines) == 0 {
		t.Errorf("an edit: %q, %v", lines, err)
	}
	for old, new := range map[string]string{`"p50": `: `"p50": 1`, `"seed": 1,`: `"seed": 2,`} {
		if lines, _, err := verifyPage([]byte(editAttached(t, page, "durability-summary.json", old, new))); err == nil && len(lines) == 0 {
			t.Errorf("%s in the attached summary can be edited", old)
		}
	}
}

// Somebody else's page is read and refused, whatever it is.
func TestVerifyHostilePages(t *testing.T) {
	page := madePage(t)
	for name, c := range map[string]struct{ page, says string }{
		"empty page":            {"<", "carries no summary.json"},
		"no evidence":           {"<!DOCTYPE html><p>A page.", "carries no summary.json"},
		"a path that leads out": {strings.Replace(page, `download="summary.json.gz"`, `download="../summary.json.gz"`, 1), "carries no summary.json"},
		"cut":                   {page[:len(page)-200], ""},
		"deep":                  {page + strings.Repeat("<div>", 100_000), ""},
		"newer":                 {editAttached(t, page, evidence.SummaryName, `"schema": `, `"schema": 9`), "update the lab"},
		"not JSON":              {editAttached(t, page, evidence.SummaryName, `{`, `[`), "not readable as evidence"},
	} {
		path := filepath.Join(t.TempDir(), "page.html")
		must(t, os.WriteFile(path, []byte(c.page), 0o644))
		code, _, stderr := lab(t, "verify", path)
		if c.says != "" && (code != exitFailed || !strings.Contains(stderr, c.says)) {
			t.Errorf("%s: exit code %d, want %q in\n%s", name, code, c.says, stderr)
		}
	}
}

// A heading is no sentence: other outputs of a notebook hold its words, too.
func TestIsSentence(t *testing.T) {
	for text, want := range map[string]bool{
		"n = 60 rows": false, "1.96×, 1.49 – 2.49": false, "a or b or c": false, "raw (ones) or text (ones)": false, "": false,
		"Stop what else runs and repeat.": true, "the collector, on top of the other two": true, "shelf over one file a key, locked": false,
	} {
		if got := isSentence(words([]string{text})); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
