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

Parameters and their defaults:` + help,
		Example: "  go tool lab measure\n  go tool lab measure -p n=300,900 -p rounds=3 --out /tmp/lab",
		Args:    cobra.NoArgs,
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
	var run *evidence.Run
	bar := show.Progress("Measure")
	defer func() { bar.End() }()
	for _, n := range plan.N {
		data, err := arms.Records(plan, n)
		if err != nil {
			return err
		}
		list := arms.Lab(data, plan.Durability)
		run, err = evidence.Measure(cmd.Context(), dir, plan, n, list, arms.Comparisons(), again(plan), bar.Step)
		if err == nil && n == plan.Largest() {
			bar.End()
			bar = show.Progress("Cold reads, memory and bytes written")
			run, err = evidence.MeasureMore(cmd.Context(), dir, plan, list, arms.Comparisons(), again(plan), bar.Step)
		}
		if err != nil {
			return err
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
	data, err := arms.Records(plan, turn.N)
	if err != nil {
		return err
	}
	return turn.Take(ctx, arms.Lab(data, plan.Durability))
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
