package show

import (
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Text returns the table as lines of text, for terminals and front ends without
// HTML. Columns that do not fit into 100 characters continue below, with the
// names of the rows repeated.
func (t Table) Text() string { return t.text(textWidth) }

func (t Table) text(width int) string {
	columns := t.columns()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(wrap(plain(t.Title), width) + "\n\n")
	}
	right := t.numeric(columns)
	for i, block := range t.blocks(columns, width, right) {
		if i > 0 {
			b.WriteString("\n")
		}
		t.writeBlock(&b, block, right)
	}
	if len(t.Rows) == 0 {
		b.WriteString(nothing + "\n")
	}
	for i, note := range t.Notes {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(wrap(plain(note), width) + "\n")
	}
	return b.String()
}

// gap is the space between two columns of text.
const gap = "  "

// blocks deals the columns out to blocks that fit into width. Each begins with
// the columns that name its rows: those before the first one of numbers.
func (t Table) blocks(columns, width int, right []bool) [][]int {
	if columns == 0 {
		return nil
	}
	wide := make([]int, columns)
	for i := range wide {
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			wide[i] = max(wide[i], text.LongestLineLen(plain(at(row, i)))+len(gap))
		}
	}
	names := max(1, slices.Index(right, true))
	var first []int
	used := 0
	for i := range names {
		first, used = append(first, i), used+wide[i]
	}
	blocks, base := [][]int{first}, used
	for i := names; i < columns; i++ {
		last := len(blocks) - 1
		if used+wide[i]-len(gap) > width && len(blocks[last]) > names {
			blocks, used = append(blocks, slices.Clone(first)), base
			last++
		}
		blocks[last] = append(blocks[last], i)
		used += wide[i]
	}
	return blocks
}

// writeBlock writes some of the columns, by go-pretty.
func (t Table) writeBlock(b *strings.Builder, block []int, right []bool) {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Options = table.Options{SeparateHeader: true}
	w.Style().Format.Header = text.FormatDefault
	w.Style().Box.PaddingLeft, w.Style().Box.PaddingRight = "", gap
	var configs []table.ColumnConfig
	for i, column := range block {
		if right[column] {
			configs = append(configs, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	w.SetColumnConfigs(configs)
	cells := func(row []string) table.Row {
		out := make(table.Row, len(block))
		for i, column := range block {
			out[i] = plain(at(row, column))
		}
		return out
	}
	if len(t.Head) > 0 {
		w.AppendHeader(cells(t.Head))
	}
	for _, row := range t.Rows {
		w.AppendRow(cells(row))
	}
	for line := range strings.Lines(w.Render()) {
		line = strings.TrimRight(line, " \n")
		if strings.Trim(line, "─") == "" { // the rule is as long as the last column's padding, too
			line = strings.TrimSuffix(line, "──")
		}
		b.WriteString(line + "\n")
	}
}
