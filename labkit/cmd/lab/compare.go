package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"shelflab/labkit/evidence"
	"shelflab/labkit/show"
)

// errWorse says that a comparison found what --fail-above looks for.
var errWorse = errors.New("worse than --fail-above allows")

// errUnjudged says that --fail-above would never find anything.
var errUnjudged = errors.New("--fail-above: no comparison has samples enough to see a difference: give both runs four rounds or more")

func compareCommand() *cobra.Command {
	var limit string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Set two runs side by side: across commits, machines or plans",
		Long: `compare sets a new run beside an old one. Each is the folder of a run, its
summary.json, its HTML page, or a file in Go's benchmark format, such as a
bench.txt or what 'go test -bench' has printed.

For every metric, n and arm that both have it prints the old and the new p50 with
their intervals, and the new over the old where the samples differ (Mann-Whitney
U test, p at most ` + evidence.Factor(evidence.Alpha) + `); '~' where no difference is seen. What only one run
has, or measures otherwise, is listed and not compared; nothing is averaged over
unlike things. Different plans and environments are pointed out. A run of four
rounds or more on each side is needed to see any difference.

With --fail-above the exit code is 1 if anything takes more time or space by more
than that share, significantly: 10% means that the new run takes more than 1.1
times as long (a rate below 1/1.1 of the old), or more than 1.1 times the bytes.
It is 1 as well if no comparison has samples enough to see any difference.
Each comparison is judged by itself, and about one of twenty between equals
differs by chance: give --fail-above more than your machine's noise.

An independent check of the lab: plain Go benchmarks of the same operations,
which use nothing of the lab's measuring, set beside a run:

  for i in 1 2 3 4 5 6 7; do
    go test -run '^$' -bench . -benchtime 1x ./labkit/arms/check
  done | tee data/check.txt
  go tool lab compare data/01_shelf_vs_blob data/check.txt

With -outside behind ./labkit/arms/check, a process of its own takes a round of
the largest size and is timed by the process that has started it. Either agrees
with the lab where the new p50 lies within the old interval; the last lines say how
often it does, and how often it would by chance if the two were equal.`,
		Example: "  go tool lab compare before/measure data/measure\n  go tool lab compare --fail-above 10% main.json branch.json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usageError{fmt.Errorf("compare takes two runs, OLD and NEW: %d given", len(args))}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			most := math.Inf(1)
			if cmd.Flags().Changed("fail-above") {
				var err error
				if most, err = share(limit); err != nil {
					return usageError{err}
				}
			}
			old, err := readEvidence(args[0])
			if err != nil {
				return err
			}
			new, err := readEvidence(args[1])
			if err != nil {
				return err
			}
			changes, err := evidence.Compare(old, new)
			if err != nil {
				return err
			}
			if err := printChanges(cmd, changes, asJSON); err != nil {
				return err
			}
			if cmd.Flags().Changed("fail-above") && !slices.ContainsFunc(changes.List, evidence.Change.Judged) {
				return errUnjudged
			}
			return tooMuchWorse(changes, most)
		},
	}
	cmd.Flags().StringVar(&limit, "fail-above", "", "exit with 1 if anything is worse by more than this `share`, such as 10%")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the comparison as JSON instead of tables")
	return cmd
}

// share reads "10%" or "10 %" as 0.1.
func share(text string) (float64, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !percent || x < 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("--fail-above %q: give a share from 0 on, such as 10%%", text)
	}
	return x / 100, nil
}

func printChanges(cmd *cobra.Command, changes evidence.Changes, asJSON bool) error {
	w := cmd.OutOrStdout()
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", " ")
		return encoder.Encode(changes)
	}
	for _, t := range show.Changes(changes) {
		if _, err := fmt.Fprintln(w, t.Text()); err != nil {
			return err
		}
	}
	return nil
}

// tooMuchWorse is an error that names what is worse by more than the share most.
func tooMuchWorse(changes evidence.Changes, most float64) error {
	var list []string
	for _, c := range changes.List {
		if c.Worse() > most {
			by := "from nothing"
			if c.Old.P50 > 0 {
				by = fmt.Sprintf("by %s", evidence.Percent(c.Worse()))
			}
			list = append(list, fmt.Sprintf("%s, n = %s, %s: %s", c.Arm, evidence.Count(c.N), c.Metric, by))
		}
	}
	if len(list) == 0 {
		return nil
	}
	return fmt.Errorf("%w:\n  %s", errWorse, strings.Join(list, "\n  "))
}
