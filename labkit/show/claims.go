package show

import (
	"fmt"
	"slices"
	"strings"

	"shelflab/labkit/evidence"
)

// Claims returns what is seen of published claims at n: a row for each claim, a
// column for each pair of arms, and in it whether it holds, is reversed, shows no
// difference, cannot be told or was not measured, and how many times better the
// better arm is. A nil run, or one without claims, gives a table that says so.
func Claims(run *evidence.Run, n int) Table {
	t := Table{Title: "What was published, and what is seen here"}
	if run == nil {
		run = &evidence.Run{}
	}
	findings := run.Findings(n)
	if len(findings) == 0 {
		t.Notes = []string{"The run asks after no claims."}
		return t
	}
	t.Title += ", " + size(run, n)
	t.Head = []string{"claim"}
	column := map[string]int{}
	for _, f := range findings {
		if _, known := column[f.Label]; !known {
			column[f.Label] = len(t.Head)
			t.Head = append(t.Head, f.Label)
		}
	}
	for _, list := range evidence.ByClaim(findings) {
		row := slices.Repeat([]string{none}, len(t.Head))
		row[0] = list[0].Claim
		for _, f := range list {
			row[column[f.Label]] = found(f)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{"Below each outcome: how many times better the one arm is" + atLevel(run, n) +
		"; where a claim is reversed, it is the other one." + chanceNote(ratiosOfClaims(run, n))}
	t.Notes = append(t.Notes, whyNot(findings)...)
	return t
}

// found is a cell of the claims.
func found(f evidence.Finding) string {
	s := f.Times
	if s.Count == 0 {
		return string(f.Outcome)
	}
	if !s.HasInterval() {
		return string(f.Outcome) + "\ntoo few rounds"
	}
	p50, lo, hi := evidence.Factor(s.P50), evidence.Factor(s.Lo), evidence.Factor(s.Hi)
	return lines(string(f.Outcome), p50+"×", interval(p50, lo, hi))
}

// ratiosOfClaims are the ratios that the claims at n are judged by.
func ratiosOfClaims(run *evidence.Run, n int) []evidence.Ratio {
	return slices.DeleteFunc(slices.Clone(run.Ratios), func(x evidence.Ratio) bool { return x.N != n || !x.Role.Claims() })
}

// whyNot lists the reasons of what was not measured or has no ratio, each once for
// the pairs that it is the reason of.
func whyNot(findings []evidence.Finding) []string {
	pairs := grouped[[2]string]{} // by outcome and reason
	for _, f := range findings {
		key := [2]string{sentence(string(f.Outcome)), f.Why}
		if f.Why != "" && !slices.Contains(pairs.texts[key], f.Label) {
			pairs.add(key, f.Label)
		}
	}
	var notes []string
	for _, key := range pairs.order {
		notes = append(notes, fmt.Sprintf("%s: %s: %s.", key[0], strings.Join(pairs.texts[key], "; "), key[1]))
	}
	return notes
}
