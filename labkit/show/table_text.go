package show

import (
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Text returns the table as lines of text, for terminals and front ends without
// HTML. What does not fit into 100 columns continues below, with the first
// column repeated.
func (t Table) Text() string { return t.text(textWidth) }

func (t Table) text(width int) string {
	columns := t.columns()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(wrap(plain(t.Title), width) + "\n\n")
	}
	right := t.numeric(columns)
	for i, block := range t.blocks(columns, width) {
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

// blocks deals the columns out to blocks that fit into width, the first column
// to each.
func (t Table) blocks(columns, width int) [][]int {
	if columns == 0 {
		return nil
	}
	wide := make([]int, columns)
	for i := range wide {
		for _, row := range append([][]string{t.Head}, t.Rows...) {
			wide[i] = max(wide[i], text.LongestLineLen(plain(at(row, i)))+len(gap))
		}
	}
	blocks, used := [][]int{{0}}, wide[0]
	for i := 1; i < columns; i++ {
		last := len(blocks) - 1
		if used+wide[i]-len(gap) > width && len(blocks[last]) > 1 {
			blocks, used = append(blocks, []int{0}), wide[0]
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
