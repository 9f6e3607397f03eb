package show

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit"
	"shelflab/labkit/records/rows"
)

func TestRecordsTable(t *testing.T) {
	content := "{\"id\":1,\"<b>\":\"" + strings.Repeat("long ", 20) + "\"}\noops\n{\"id\":1.5,\"<b>\":null}\n"
	f, err := rows.Parse([]byte(content), rows.Options{SkipBad: true})
	if err != nil {
		t.Fatal(err)
	}
	f.Path = "my.jsonl"
	table := RecordsTable(f)
	want := [][]string{
		{"id", "number\nfound: 1 whole number, 1 number", "2", "0", "1"},
		{"<b>", "text", "1", "1", "long long long long long long long long…"},
	}
	if diff := cmp.Diff(want, table.Rows); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if table.Title != "Your records: 2 of my.jsonl" {
		t.Errorf("%q", table.Title)
	}
	notes := strings.Join(table.Notes, "\n")
	for _, part := range []string{"Read as JSON Lines, SHA-256 ", `Keys such as "row_00001"`, "several kinds", "⚠ 1 bad line was left out", "line 2: not a JSON object"} {
		if !strings.Contains(notes, part) {
			t.Errorf("no %q in the notes:\n%s", part, notes)
		}
	}
	if strings.Contains(table.HTML(), "<b>") {
		t.Error("the name of a field is not escaped")
	}
	if got := RecordsTable(nil); len(got.Notes) != 1 {
		t.Errorf("no file: %+v", got)
	}
}

func TestPlanTableOfAFile(t *testing.T) {
	plan := samplePlan()
	if err := labkit.SetParams(&plan, map[string]string{"records": "../../data/samples/orders.csv"}); err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(PlanTable(&plan).Notes, "\n")
	if !strings.Contains(notes, "orders.csv (SHA-256 c6f551462181…)") {
		t.Errorf("%s", notes)
	}
}

// A plan of other things than records shows no parameters about a file of them,
// which it would refuse.
func TestPlanTableOfOtherThings(t *testing.T) {
	names := func(counts string) (list []string) {
		plan := labkit.Plan{Name: "x", Counts: counts, N: []int{1}, Rounds: 1, Keys: 1}
		for _, row := range PlanTable(&plan).Rows {
			list = append(list, row[0])
		}
		return list
	}
	of := append(names("rows"), aboutRecords...)
	slices.Sort(of)
	if want := slices.Sorted(slices.Values(names(""))); !slices.Equal(of, want) {
		t.Errorf("of rows it shows %q, of records %q", names("rows"), names(""))
	}
}
