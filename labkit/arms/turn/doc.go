// Package turn is what every arm does with the records when it is its turn, and
// knows no store: it writes every record into a new store, says how many bytes
// that takes on disk, reads every record back, and fetches some random keys.
// What is read is summed up and compared with the records, so an arm that reads
// wrong, or not at all, fails the run.
//
// Goals: equal work on all sides; an arm in a package of its own links its own
// store and no other. Not a goal: to wrap the stores for use in a program.
package turn
