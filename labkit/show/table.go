package show

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Table is text in rows. In a cell of the table, and in a heading, what follows
// a line break is secondary: HTML sets it smaller. The first column names its
// row; columns of numbers are aligned right. Rows may be ragged: missing cells
// are empty, and cells beyond the headings get an empty heading.
type Table struct {
	Title string
	Head  []string
	Rows  [][]string
	Notes []string // below the table, one paragraph each
}

// Show displays the table.
func Show(t Table) { display(t) }

// Inline styles, because front ends and exports keep those, while a style
// element would reach the whole page. Colours are the page's own, lines and
// shades translucent, so that light and dark pages both work.
const (
	fontStyle  = "font-size:13px;line-height:1.4;"
	wrapStyle  = fontStyle + "max-width:100%;overflow-x:auto;margin:8px 0"
	tableStyle = fontStyle + "border-collapse:collapse;table-layout:auto;width:auto;margin:0;color:inherit;font-variant-numeric:tabular-nums"
	titleStyle = "caption-side:top;text-align:left;font-weight:600;font-size:14px;padding:0 0 6px;color:inherit"
	headStyle  = "padding:4px 10px;vertical-align:bottom;font-weight:600;background:transparent;color:inherit;border:0;border-bottom:2px solid rgba(128,128,128,.55);"
	cellStyle  = "padding:4px 10px;vertical-align:top;background:transparent;color:inherit;border:0;border-bottom:1px solid rgba(128,128,128,.28);"
	smallStyle = "font-size:11px;font-weight:400;opacity:.75;white-space:nowrap"
	notesStyle = "font-size:12px;opacity:.85;margin:6px 0 0;max-width:860px"
)

// HTML returns the table as one element. All text is escaped.
func (t Table) HTML() string { return t.html() }

// html is written by hand: go-pretty, which makes the text form, renders HTML
// without header scopes and without styles that hold on a dark page, and
// html/template would make what a table cell links half as large again.
func (t Table) html() string {
	var b strings.Builder
	b.WriteString(`<div style="` + wrapStyle + `">`)
	right := t.numeric(t.columns())
	for i, columns := range t.bands() {
		t.band(&b, i == 0, columns, right)
	}
	for _, note := range t.Notes {
		b.WriteString(`<p style="` + notesStyle + `">` + escape(note) + `</p>`)
	}
	b.WriteString(`</div>`)
	return b.String()
}

// bands are the columns of the tables that the rows are set in, below each other:
// one, or several where a page is not as wide, each with the first column.
func (t Table) bands() (list [][]int) {
	const most = 9
	rest := max(0, t.columns()-1)
	count := max(1, (rest+most-2)/(most-1))
	for i := range count {
		band := []int{0}
		for c := i * rest / count; c < (i+1)*rest/count; c++ {
			band = append(band, c+1)
		}
		list = append(list, band)
	}
	return list
}

// band writes some of the columns.
func (t Table) band(b *strings.Builder, first bool, columns []int, right []bool) {
	b.WriteString(`<table style="` + tableStyle + `">`)
	if t.Title != "" && first {
		b.WriteString(`<caption style="` + titleStyle + `">` + escape(t.Title) + `</caption>`)
	}
	if len(t.Head) > 0 {
		b.WriteString(`<thead><tr style="background:transparent">`)
		for _, i := range columns {
			writeCell(b, "th", ` scope="col"`, headStyle, i < len(right) && right[i], at(t.Head, i))
		}
		b.WriteString(`</tr></thead>`)
	}
	b.WriteString(`<tbody>`)
	for _, row := range t.Rows {
		b.WriteString(`<tr style="background:transparent">`)
		for _, i := range columns {
			if i == 0 {
				writeCell(b, "th", ` scope="row"`, cellStyle+"font-weight:500;", i < len(right) && right[i], at(row, i))
				continue
			}
			writeCell(b, "td", "", cellStyle, right[i], at(row, i))
		}
		b.WriteString(`</tr>`)
	}
	if len(t.Rows) == 0 {
		b.WriteString(`<tr style="background:transparent">`)
		writeCell(b, "td", "", cellStyle, false, nothing)
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody></table>`)
}

// nothing stands in a table without rows.
const nothing = "(no rows)"

func writeCell(b *strings.Builder, tag, scope, style string, right bool, content string) {
	if right {
		style += "text-align:right;white-space:nowrap"
	} else {
		style += "text-align:left"
	}
	main, small, _ := strings.Cut(content, "\n")
	b.WriteString("<" + tag + scope + ` style="` + style + `">` + escape(main))
	if small != "" {
		b.WriteString(`<br><span style="` + smallStyle + `">` + strings.ReplaceAll(escape(small), "\n", "<br>") + `</span>`)
	}
	b.WriteString("</" + tag + ">")
}

func (t Table) columns() int {
	columns := len(t.Head)
	for _, row := range t.Rows {
		columns = max(columns, len(row))
	}
	return columns
}

// numeric tells which columns hold numbers, or what stands for none, only.
func (t Table) numeric(columns int) []bool {
	out := make([]bool, columns)
	for i := range out {
		digits := false
		out[i] = true
		for _, row := range t.Rows {
			cell := at(row, i)
			if cell == "" || cell == none || cell == noRatio {
				continue
			}
			const longest = 32 // characters; a sentence may begin with a number, too
			main, _, _ := strings.Cut(cell, "\n")
			first := strings.TrimPrefix(main, "-")
			if first == "" || !unicode.IsDigit([]rune(first)[0]) || utf8.RuneCountInString(main) > longest {
				out[i] = false
			}
			digits = true
		}
		out[i] = out[i] && digits
	}
	return out
}

// none stands for what was not measured.
const none = "–"

func at(row []string, i int) string {
	if i < len(row) {
		return row[i]
	}
	return ""
}
