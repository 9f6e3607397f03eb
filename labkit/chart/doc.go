// Package chart draws what a run's evidence holds, as SVG and PNG bytes.
//
//	evidence.Run -> Scale, Bars, Random, Disk, Topology -> Chart{SVG, PNG, Alt} -> show.Chart, Save
//	evidence.Model -> Map -> the same
//	[]Share of a profile -> Shares -> the same
//
// Goals: every number on a chart is one of the run's summaries; a chart reads
// the same on light and dark pages, in grey print and to colour-blind eyes; its
// alternative text says with numbers what it shows; what is missing is named on
// the chart. Odd evidence (a zero on a log axis, one arm, one n, one round, an
// interrupted run, hostile names) draws, and does not mislead.
//
// Not goals: interaction, styling from outside, drawing anything that is not
// evidence, but for Shares: a profile is a look, not a result. A run without samples is an error, not an empty picture.
//
// Lengths are points on a page of [Width]; shown at that width, one point is
// one pixel.
package chart
