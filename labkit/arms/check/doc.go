// Package check holds nothing but benchmarks that check the lab: its operations
// once more, written without the arms and timed without the lab's rounds. They
// are in a package of their own so that their program holds as little in memory
// as a notebook's cell does: where an operation allocates about as much as the
// heap may grow, a megabyte more decides whether garbage is collected inside it.
package check
