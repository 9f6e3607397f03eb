//go:build !race

package blob_test

// allowance is for what the race detector allocates beside the program.
const allowance = 1
