package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
	"shelflab/labkit/notebook"
)

// named finds the lab's repository and the notebooks that are meant by what was
// typed: see pick.
func named(typed []string) (root string, paths []string, err error) {
	if root, err = evidence.RepositoryRoot(); err != nil {
		return "", nil, usageError{err}
	}
	paths, err = pick(root, typed)
	return root, paths, err
}

// pick finds notebooks by what a user types: a file, a name in the notebooks
// folder with or without its ending, or the number that a name begins with.
// Nothing typed is all of them.
func pick(root string, typed []string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	if err != nil {
		return nil, err
	}
	if len(typed) == 0 {
		if len(all) == 0 {
			return nil, usageError{fmt.Errorf("there is no notebook in %s", filepath.Join(root, "notebooks"))}
		}
		return all, nil
	}
	var picked []string
	for _, name := range typed {
		path, err := find(all, name)
		if err != nil {
			return nil, err
		}
		picked = append(picked, path)
	}
	return picked, nil
}

func find(all []string, name string) (string, error) {
	var names []string
	for _, path := range all {
		base := runName(path)
		number, _, _ := strings.Cut(base, "_")
		if name == base || name == base+".ipynb" || name == number {
			return path, nil
		}
		names = append(names, base)
	}
	if strings.HasSuffix(name, ".ipynb") {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return filepath.Abs(name)
		}
	}
	return "", usageError{fmt.Errorf("no notebook %q: there are %s, or give the path of an .ipynb file", name, strings.Join(names, ", "))}
}

// runName is the name of a notebook's run: its file name without the ending, as
// far as that is safe as a folder's name.
func runName(path string) string {
	return labkit.Slug(strings.TrimSuffix(filepath.Base(path), ".ipynb"))
}

// planCall is how a parameter cell gets its plan; see labkit.Params.
var planCall = regexp.MustCompile(`\bParams\(\s*([\w.]+)\{`)

// planChecks check values for the plans that notebooks have, by the name of the
// plan's type, before a kernel is started. A type that is not here is checked by
// the parameter cell itself.
var planChecks = map[string]func(map[string]string) error{
	"labkit.Plan": func(values map[string]string) error {
		plan := defaultPlan("check")
		return labkit.SetParams(&plan, values)
	},
}

// embedsPlan tells whether a cell declares the type as a struct that embeds a
// plan, as a notebook's own parameters are declared. Such a one takes a name.
func embedsPlan(nb *notebook.Notebook, typed string) bool {
	declared := regexp.MustCompile(`(?m)^type\s+` + regexp.QuoteMeta(typed) + `\s+struct\s*\{[^}]*?^\s*labkit\.Plan\s*$`)
	return slices.ContainsFunc(nb.Cells, func(c *notebook.Cell) bool {
		return c.Kind == notebook.Code && declared.MatchString(c.Source)
	})
}

// checkParams tells whether the notebook's parameter cell will take the values.
// Where it takes the name of the run and none is given, the run is called after
// the notebook's file, so that a copy of a notebook keeps its evidence apart.
func checkParams(nb *notebook.Notebook, name string, values map[string]string) (map[string]string, error) {
	for _, c := range nb.Cells {
		if c.Kind != notebook.Code {
			continue
		}
		call := planCall.FindStringSubmatch(c.Source)
		if call == nil {
			continue
		}
		check, known := planChecks[call[1]]
		if !known && !embedsPlan(nb, call[1]) {
			return values, nil
		}
		named := map[string]string{"name": name}
		maps.Copy(named, values)
		if !known {
			return named, nil
		}
		return named, check(named)
	}
	if len(values) > 0 {
		return nil, usageError{fmt.Errorf("the notebook has no parameter cell (one that calls labkit.Params), so -p cannot change it")}
	}
	return nil, nil
}
