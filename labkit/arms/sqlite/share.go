package sqlite

import (
	"net/url"
	"runtime"
	"strconv"
	"time"

	"shelflab/labkit"
)

// Shared says how a file is opened that several goroutines and processes use at
// once. The zero value keeps the file's journal and waits for Patience.
type Shared struct {
	WAL  bool          // a write-ahead log beside the file: readers do not wait for a writer
	Wait time.Duration // how long a busy file is waited for; 0 is Patience
}

// Patience is how long a busy file is waited for: long enough for any other
// transaction of the lab's.
const Patience = 20 * time.Second

// Share opens a file that Create made for reading and writing, with up to four
// connections a core for several goroutines, in one of several processes. Its writes survive
// class. What finds the file busy for too long is an error of SQLite's.
func Share[V any](path string, class labkit.Durability, how Shared) (*Store[V], error) {
	options := writing(class)
	options.Set("mode", "rw")
	if how.Wait == 0 {
		how.Wait = Patience
	}
	// The wait is set before anything that may have to wait.
	pragmas := append([]string{"busy_timeout(" + strconv.FormatInt(how.Wait.Milliseconds(), 10) + ")"}, options["_pragma"]...)
	if how.WAL {
		pragmas = append(pragmas, "journal_mode(wal)")
	}
	options = url.Values{"_pragma": pragmas, "_txlock": options["_txlock"], "mode": options["mode"]}
	s, err := reopen[V](path, options)
	if err == nil {
		s.db.SetMaxOpenConns(4 * runtime.NumCPU())
		s.db.SetMaxIdleConns(4 * runtime.NumCPU()) // opening one takes longer than using it
	}
	return s, err
}
