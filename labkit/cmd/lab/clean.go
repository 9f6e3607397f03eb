package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"shelflab/labkit/notebook"
)

func cleanCommand() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "clean [NOTEBOOK...]",
		Short: "Remove outputs from notebooks, as they are committed",
		Long: `clean removes from notebooks what an execution or a front end leaves behind:
outputs, execution counts, timing, what is folded, the version of Go. Sources and
cell ids stay. A NOTEBOOK is a name or number in the notebooks folder, or a path;
none means all of them. A notebook that is clean is not written.

With --check nothing is written; the exit code is 1 if a notebook is not clean.`,
		Example: "  go tool lab clean\n  go tool lab clean --check",
		RunE: func(cmd *cobra.Command, typed []string) error {
			_, paths, err := named(typed)
			if err != nil {
				return err
			}
			var unclean []string
			for _, path := range paths {
				changed, err := clean(path, !check)
				if err != nil {
					return err
				}
				switch {
				case !changed:
					fmt.Fprintf(cmd.OutOrStdout(), "%s is clean\n", path)
				case check:
					unclean = append(unclean, path)
				default:
					fmt.Fprintf(cmd.OutOrStdout(), "%s was cleaned\n", path)
				}
			}
			if len(unclean) > 0 {
				return fmt.Errorf("not clean: %s: run go tool lab clean", strings.Join(unclean, ", "))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "write nothing, and fail if a notebook is not clean")
	return cmd
}

// clean cleans a notebook and tells whether that changes its file.
func clean(path string, write bool) (changed bool, err error) {
	nb, err := notebook.Read(path)
	if err != nil {
		return false, usageError{err}
	}
	nb.Clean()
	before, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	after, err := nb.Encode()
	if err != nil || bytes.Equal(before, after) {
		return false, err
	}
	if write {
		err = nb.Write(path)
	}
	return true, err
}
