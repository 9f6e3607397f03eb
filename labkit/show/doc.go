// Package show puts tables, charts, notes, verdicts and progress before the
// reader: in a GoNB cell as HTML with a text fallback, anywhere else as text on
// standard output.
//
// Goals: nothing is lost and nothing changes places, so every function returns
// only when the front end has what it was given; every number comes from the
// evidence and is formatted by package evidence; text from outside (names,
// warnings, errors) is escaped; nil, empty or ragged input shows something
// sensible. A cell that imports show links no store and no plot: charts come as
// bytes.
//
// Not goals: to compute anything, to be styled from outside, to read input.
// [Sweep] measures nothing itself: it gives the arms to evidence.Measure and, at
// the largest n, to evidence.MeasureMore; [SweepRounds] and [SweepResources] do
// one of the two, the latter at every n.
//
// What is a table or a box as a value ([Table.HTML], [Table.Text]) can be
// tested and printed anywhere; what displays ([Show], [Chart], [Note]) writes
// to the cell or the terminal that the process has. [Report] writes the text
// form of a whole run to any writer.
package show
