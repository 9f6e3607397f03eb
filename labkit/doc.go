// Package labkit is the measuring core of the shelf lab: it times arms that
// keep the same records in different ways, and says what five rounds can say.
//
// # The way of the data
//
//		records -> arm -> rounds -> p50 + interval -> evidence on disk (data/) -> table, chart, verdict in a cell
//
//	 1. records makes a data set from a seed, the same on every machine.
//	 2. an [Arm] keeps those records in one way: a shelf, a blob, a plain gob.
//	 3. [Lab.MeasureApart] runs the arms interleaved, round by round, in seeded
//	    order, a process a round; [Lab.Measure] does so in one process.
//	 4. [Summarize] turns a series of samples into a p50, a range and an interval.
//	 5. evidence writes the samples, their summaries and the verdict to disk.
//	 6. chart and show draw what the evidence holds; neither measures anything.
//
// A notebook cell is a program of its own, so the evidence file is also how one
// cell hands its results to the next.
//
// # Glossary
//
//	record         one value with its key
//	keyed store    keeps one record at a time; here a shelf
//	snapshot       keeps all records at once in one file; here a blob
//	protocol       how a value is written: as text, or as binary of some form
//	engine         the codec that turns a value into those bytes and back
//	arm            one way of keeping the records, as the lab measures it
//	peer           an arm of a store that other programs use, from bbolt to Python's
//	               shelve; one that this machine lacks is Unmeasured, not zero
//	round          one pass over all arms, in an order of its own and, in a sweep,
//	               in a process of its own; each turn after one of warm-up
//	sample         what one arm's operation took in one round, in base units
//	p50            the median of the samples
//	interval       where the median lies, at the level that the rounds reach
//	paired ratio   one arm's sample over another's of the same round
//	claim          what was published of two kinds of arms: it holds in a pair of them
//	               or not, and carries over from the pairs that it was made of to others
//	growth         the exponent of the power of n that an arm's samples follow
//	crossing       the n from which on the other of two arms is better
//	cost model     what an operation costs by n and bytes, fitted to what was measured
//	misfit         the largest factor between what was fitted and what was measured
//	held out       measured, but left out of the fit, to check it
//	cycle          all records written from nothing, then some keys fetched from fresh
//	part           a run of its own that belongs to another one, with sizes of its own
//	control        one arm measured twice: what differs is the machine's noise
//	batch          several calls in one sample, where one is too short for the clock
//	trial          a turn that times nothing and counts what has happened: a writer is
//	               killed, and what it has left is looked through
//	closed loop    workers that each begin an operation when the last is done
//	open loop      operations that begin at moments fixed beforehand, at an offered
//	               rate; their latency is counted from those moments
//	observation    what a cell has found out beside samples, kept with them as it shows it
//	durability     what a finished write survives: a process crash or a power loss
//	cold read      one whose files were dropped from the page cache before it
//	flat           of an arm, one of whose records costs the same at a large n
//	forecast       what a size will take, from what the smaller ones have taken
//	own memory     what no file backs of a process's: heap and stacks, not pages of files
//	child          this program, started again to take a round's turns, or one alone
//	payload        bytes of the records themselves: keys and fields
//	amplification  bytes written, or kept on disk, for each byte of the payload
//
// # Who may import whom
//
// The core, records and gobwire import none of the others; shelf and blob
// import gobwire; arms alone imports both stores and the core; cost imports the
// core, evidence the core and cost; chart imports evidence and cost; show imports
// evidence, cost and records, and takes charts as bytes; notebook may import
// evidence and guard; profile and guard import none; leftout is for tests. A test
// keeps these rules.
//
// The core does not know any store or any front end, so it can time whatever
// else a Go program does.
package labkit
