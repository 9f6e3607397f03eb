// Command lab measures, runs the notebooks and checks evidence, from a
// terminal and with nothing but Go. See `go tool lab help`.
package main

import (
	"os"

	"shelflab/labkit"
)

func main() {
	ctx, stop := labkit.Context()
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
