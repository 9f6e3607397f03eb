package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/chart"
	"shelflab/labkit/evidence"
	"shelflab/labkit/records/rows"
	"shelflab/labkit/show"
)

// defaultPlan is the published lab's plan: n = 500, 2000, 8000, five rounds,
// 200 keys.
func defaultPlan(name string) labkit.Plan {
	return labkit.Plan{
		Name: name, N: []int{500, 2000, 8000}, Rounds: 5, Keys: 200, Seed: 1,
		Durability: labkit.ProcessCrash,
	}
}

func measureCommand() *cobra.Command {
	var pairs []string
	var out string
	var asJSON bool
	plan := defaultPlan("measure")
	help := ""
	for _, p := range labkit.ListParams(&plan) {
		help += fmt.Sprintf("\n  -p %s=%s\n        %s", p.Name, p.Value, p.Help)
	}
	cmd := &cobra.Command{
		Use:   "measure",
		Short: "Measure shelf against blob in the terminal, without a notebook",
		Long: `measure runs the localhost lab: it keeps n records in each arm, round by round,
and prints the table and the verdict. Evidence goes to DIR/measure, and
DIR/index.html lists all runs in DIR.

With -p records=FILE it keeps your own records instead of the lab's: the lines of
a JSON Lines file, one object each, or of a CSV file, whose first line names the
fields. -p key=FIELD takes the key from a field, otherwise it is the number of
the record. A table says what was understood. A file with lines that cannot be
read, or with a key twice, is refused with the first of them, unless
-p skip-bad=true leaves them out. n records are the first n of the file; default
sizes are scaled down to a file that has fewer.

Parameters and their defaults:` + help,
		Example: "  go tool lab measure\n  go tool lab measure -p n=300,900 -p rounds=3 --out /tmp/lab\n" +
			"  go tool lab measure -p records=my.jsonl -p key=id",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			values, err := params(pairs)
			if err != nil {
				return err
			}
			if err := labkit.SetParams(&plan, values); err != nil {
				return err
			}
			if turn, ok := labkit.ChildTurn(); ok {
				return takeTurn(cmd.Context(), plan, turn)
			}
			out, err := outFolder(out)
			if err != nil {
				return err
			}
			return measure(cmd, plan, filepath.Join(out, plan.Name), asJSON)
		},
	}
	cmd.Flags().StringArrayVarP(&pairs, "param", "p", nil, "change a parameter, as `name=value`; may be repeated")
	cmd.Flags().StringVar(&out, "out", "", "`folder` for the evidence (default: data in the repository)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the evidence as JSON instead of a table")
	return cmd
}

func measure(cmd *cobra.Command, plan labkit.Plan, dir string, asJSON bool) error {
	if err := showRecords(cmd, plan, asJSON); err != nil {
		return err
	}
	var run *evidence.Run
	bar := show.Progress("Measure")
	defer func() { bar.End() }()
	for _, n := range plan.N {
		list, err := arms.LabFor(plan, n)
		if err != nil {
			return err
		}
		run, err = evidence.Measure(cmd.Context(), dir, plan, n, list, arms.Comparisons(), again(plan), bar.Step)
		if err == nil && n == plan.Largest() {
			bar.End()
			bar = show.Progress("Cold reads, memory and bytes written")
			run, err = evidence.MeasureMore(cmd.Context(), dir, plan, list, arms.Comparisons(), again(plan), bar.Step)
		}
		if err != nil {
			return leaving(err, "what was measured is kept and marked incomplete")
		}
	}
	bar.End()
	if err := leave(run, dir); err != nil {
		return err
	}
	if err := writeIndex(filepath.Dir(dir)); err != nil {
		return err
	}
	if asJSON {
		encoder := json.NewEncoder(cmd.OutOrStdout())
		encoder.SetIndent("", " ")
		return encoder.Encode(run)
	}
	if err := show.Report(cmd.OutOrStdout(), run); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "\nEvidence: %s\n", dir)
	return nil
}

// takeTurn is all that a process does which was started as a child.
func takeTurn(ctx context.Context, plan labkit.Plan, turn labkit.Turn) error {
	list, err := arms.LabFor(plan, turn.N)
	if err != nil {
		return err
	}
	return turn.Take(ctx, list)
}

// showRecords prints what was understood of the user's own file, if the plan
// names one: before anything is measured, and apart from JSON.
func showRecords(cmd *cobra.Command, plan labkit.Plan, asJSON bool) error {
	if plan.Records == "" {
		return nil
	}
	file, err := rows.Read(plan.Records, rows.Options{Key: plan.Key, SkipBad: plan.SkipBad})
	if err != nil {
		return err
	}
	w := cmd.OutOrStdout()
	if asJSON {
		w = cmd.ErrOrStderr()
	}
	fmt.Fprintf(w, "%s\n%s\n\n", show.RecordsTable(file).Text(), plan)
	return nil
}

// again is the call of this command that comes to the same arms: the one with
// which a process of its own is started for a turn.
func again(plan labkit.Plan) []string {
	args := []string{"measure"}
	for _, p := range labkit.ListParams(&plan) {
		args = append(args, "-p", p.Name+"="+p.Value)
	}
	return args
}

// leave writes what goes with the samples: charts and the manifest.
func leave(run *evidence.Run, dir string) error {
	charts, err := chart.All(run)
	if err != nil {
		return err
	}
	for _, c := range charts {
		if err := c.Save(dir); err != nil {
			return err
		}
	}
	return evidence.WriteManifest(dir)
}
