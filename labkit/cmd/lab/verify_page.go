package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"golang.org/x/net/html"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// verifyPage checks a page against the evidence that it carries and returns a
// line for each place that differs, and the cells in which there is something that
// could not be compared. Nothing of the page is run, written or followed.
func verifyPage(text []byte) (lines, own []string, err error) {
	files, err := attached(text)
	if err != nil {
		return nil, nil, err
	}
	run, err := evidence.VerifySummary(files[evidence.SummaryName])
	if err != nil {
		return nil, nil, fmt.Errorf("the attached %s: %w", evidence.SummaryName, err)
	}
	if !bytes.Equal(files[evidence.BenchName], run.Bench()) {
		lines = append(lines, fmt.Sprintf("the attached %s is not what the samples give", evidence.BenchName))
	}
	parts, more, err := verifyParts(files, run)
	if err != nil {
		return nil, nil, err
	}
	lines = append(lines, more...)
	want, err := expect(run, parts)
	if err != nil {
		return nil, nil, err
	}
	want.files = files
	faults, own, err := want.faults(text)
	return append(lines, faults...), own, err
}

// verifyParts checks the summaries of parts that a page carries, and returns
// them in the order of their names, as the page shows them.
func verifyParts(files map[string][]byte, run *evidence.Run) (parts []*evidence.Run, lines []string, err error) {
	for name, text := range files {
		if !strings.HasSuffix(name, partEnding) {
			continue
		}
		part, err := evidence.VerifySummary(text)
		if err != nil {
			return nil, nil, fmt.Errorf("the attached %s: %w", name, err)
		}
		twin := evidence.DurabilityPlan(run.Plan)
		switch {
		case !evidence.PartOf(part.Plan, run.Plan) || name != partFile(part.Plan, run.Plan),
			name == partFile(twin, run.Plan) && part.Plan.Fingerprint() != twin.Fingerprint():
			lines = append(lines, fmt.Sprintf("the attached %s is of another plan", name))
		}
		parts = append(parts, part)
	}
	slices.SortFunc(parts, func(a, b *evidence.Run) int { return strings.Compare(a.Plan.Name, b.Plan.Name) })
	slices.Sort(lines)
	return parts, lines, nil
}

// verifyWithout checks a page that carries no evidence: its head must say so.
func verifyWithout(page []byte) ([]string, error) {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", evidence.ErrFormat, err)
	}
	return verifyHead(doc, nil, nil)
}

// faults returns a line for each place in which a page shows something else, and the
// cells that show, print or draw what is their own.
func (e expected) faults(page []byte) (lines, own []string, err error) {
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %v", evidence.ErrFormat, err)
	}
	head, err := verifyHead(doc, e.run, e.parts)
	lines, own = e.outputs(doc)
	return slices.Concat(active(doc), head, lines, e.footer(doc)), own, err
}

// footer compares the list of the files that a page carries with those.
func (e expected) footer(doc *html.Node) (lines []string) {
	if e.files == nil {
		return nil
	}
	for _, footer := range nodes(doc, func(n *html.Node) bool { return n.Data == "footer" }) {
		want := []string{"Files in this page"}
		for _, link := range nodes(footer, func(n *html.Node) bool { return n.Data == "a" }) {
			name := strings.TrimSuffix(attribute(link, "download"), ".gz")
			want = append(want, name, fmt.Sprintf("(%s)", humanize.Bytes(uint64(len(e.files[name])))))
		}
		lines = append(lines, differentTexts("the list of files", leaves(footer), want)...)
	}
	return lines
}

// active lists what could change the page after it was read here: the lab writes
// no script.
func active(doc *html.Node) (lines []string) {
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if slices.Contains([]string{"script", "iframe", "object", "embed", "base", "link"}, n.Data) {
			lines = append(lines, fmt.Sprintf("it holds <%s>: the lab writes none", n.Data))
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				lines = append(lines, fmt.Sprintf("it holds a handler %s=: the lab writes none", a.Key))
			}
		}
	}
	return lines
}

// verifyHead compares the head of the page with one made anew, nil for a page
// without evidence. What the command says of the plan must be so.
func verifyHead(doc *html.Node, run *evidence.Run, parts []*evidence.Run) ([]string, error) {
	heads := nodes(doc, func(n *html.Node) bool { return n.Data == "header" })
	if len(heads) != 1 {
		return []string{fmt.Sprintf("it has %d heads with a verdict and a plan, want 1", len(heads))}, nil
	}
	there := leaves(heads[0])
	command := ""
	if codes := nodes(heads[0], func(n *html.Node) bool { return n.Data == "code" }); len(codes) > 0 {
		command = strings.Join(leaves(codes[0]), " ")
	}
	var fewest []string
	for _, note := range notes {
		anew, err := header(run, parts, command, note)
		if err != nil {
			return nil, err
		}
		lines := differentTexts("the head", there, leaves(fragment(anew)))
		if len(lines) == 0 {
			fewest = nil
			break
		}
		if fewest == nil || len(lines) < len(fewest) {
			fewest = lines
		}
	}
	if run != nil && !fits(command, run.Plan) {
		fewest = append(fewest, fmt.Sprintf("the head: %q does not give the plan that was measured", command))
	}
	return fewest, nil
}

// fits tells whether the parameters in a command are those of the plan, or have the
// values that it keeps of the notebook's own. The user's own records are
// looked at by their file's name alone: the plan gives its path from the notebook's
// folder, the command from where it was typed, and a page must not say which files
// are opened.
func fits(command string, plan labkit.Plan) bool {
	if !strings.HasPrefix(command, "go tool lab run ") {
		return false
	}
	records, key, skip := filepath.Base(plan.Records), plan.Key, plan.SkipBad
	plan.Records, plan.Key, plan.SkipBad, plan.RecordsSHA256 = "", "", false, ""
	_, flags, _ := strings.Cut(command, " -p ")
	for pair := range strings.SplitSeq(flags, " -p ") {
		name, value, ok := strings.Cut(strings.Trim(pair, "'"), "=")
		known := slices.ContainsFunc(labkit.ListParams(&plan), func(p labkit.Param) bool { return p.Name == name })
		own, kept := plan.Own[name]
		switch {
		case ok && !known && kept && !sameText(value, own):
			return false
		case !ok || !known:
			continue
		}
		same := false
		switch name {
		case "records":
			same = filepath.Base(strings.TrimSpace(value)) == records
		case "key":
			same = strings.TrimSpace(value) == key
		case "skip-bad":
			on, err := strconv.ParseBool(value)
			same = err == nil && on == skip
		default:
			changed := plan
			err := labkit.SetParams(&changed, map[string]string{name: value})
			same = err == nil && changed.Fingerprint() == plan.Fingerprint()
		}
		if !same {
			return false
		}
	}
	return true
}

// sameText tells whether two texts are one value of a parameter, or one list.
func sameText(a, b string) bool {
	return slices.EqualFunc(strings.Split(a, ","), strings.Split(b, ","), func(a, b string) bool {
		a, b = strings.TrimSpace(a), strings.TrimSpace(b)
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		p, err3 := strconv.ParseBool(a)
		q, err4 := strconv.ParseBool(b)
		return a == b || err1 == nil && err2 == nil && x == y || err3 == nil && err4 == nil && p == q
	})
}

// differentTexts says where two lists of texts part, "" nowhere.
func differentTexts(what string, there, want []string) []string {
	for i := range max(len(there), len(want)) {
		switch {
		case i >= len(there):
			return []string{fmt.Sprintf("%s: %q is missing", what, want[i])}
		case i >= len(want):
			return []string{fmt.Sprintf("%s: %q stands there, the evidence gives no such text", what, there[i])}
		case there[i] != want[i]:
			return []string{fmt.Sprintf("%s: %q stands there, the evidence gives %q", what, there[i], want[i])}
		}
	}
	return nil
}

// leaves returns the texts of an element in their order, with white space made
// even: what a reader reads, without how it looks.
func leaves(n *html.Node) (texts []string) {
	for d := range n.Descendants() {
		if d.Type != html.TextNode {
			continue
		}
		if text := strings.Join(strings.Fields(d.Data), " "); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// nodes returns the elements for which is holds, in the page's order.
func nodes(n *html.Node, is func(*html.Node) bool) (list []*html.Node) {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && is(d) {
			list = append(list, d)
		}
	}
	return list
}

// fragment parses HTML as it stands in a page.
func fragment(text string) *html.Node {
	root := &html.Node{Type: html.ElementNode, Data: "div"}
	list, err := html.ParseFragment(strings.NewReader(text), nil)
	if err != nil { // a reader of a string does not fail
		return root
	}
	for _, n := range list {
		root.AppendChild(n)
	}
	return root
}

// elements returns the elements of a name in a piece of HTML.
func elements(text, name string) []*html.Node {
	return nodes(fragment(text), func(n *html.Node) bool { return n.Data == name })
}
