package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"shelflab/labkit/evidence"
)

func verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check that evidence follows from its samples",
		Long: `verify takes the folder of a run, or its summary.json, and computes every
summary, ratio, warning and verdict anew from the raw samples, and every hash of
the manifest from the files. It finds any edit that is not consistent all the way
down to the samples. It cannot find one that is: whoever makes up samples can
make up everything else to match.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			var errs []error
			for _, path := range paths {
				if err := evidence.Verify(path); err != nil {
					errs = append(errs, fmt.Errorf("%s: %w", path, err))
					continue
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: agrees with its samples\n", path)
			}
			return errors.Join(errs...)
		},
	}
}
