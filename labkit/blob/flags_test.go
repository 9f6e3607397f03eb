package blob_test

import "flag"

// kills is for long runs by hand.
var kills = flag.Int("kills", 50, "how many writers of each kind TestKilled kills")
