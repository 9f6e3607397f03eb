package blob_test

import (
	"flag"
	"os"
	"strconv"
)

// kills is for long runs: by hand, or where SHELFLAB_TRIALS is set.
var kills = flag.Int("kills", trials(50), "how many writers of each kind TestKilled kills")

func trials(normally int) int {
	if n, err := strconv.Atoi(os.Getenv("SHELFLAB_TRIALS")); err == nil {
		return n
	}
	return normally
}
