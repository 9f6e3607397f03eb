package sqlite

import (
	"database/sql"
	"errors"
	"net/url"
	"runtime"
	"strconv"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

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
	options = url.Values{"_pragma": pragmas, "_txlock": options["_txlock"], "mode": options["mode"]}
	s, err := reopen[V](path, options)
	if err != nil {
		return nil, err
	}
	if how.WAL {
		if err := keepLog(s.db, how.Wait); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	s.db.SetMaxOpenConns(4 * runtime.NumCPU())
	s.db.SetMaxIdleConns(4 * runtime.NumCPU()) // opening one takes longer than using it
	return s, nil
}

// keepLog gives the file a write-ahead log, for every connection to it. SQLite does
// not wait for another process that does the same just then, so this does.
func keepLog(db *sql.DB, wait time.Duration) error {
	for begun := time.Now(); ; time.Sleep(time.Millisecond) {
		_, err := db.Exec("PRAGMA journal_mode(wal)")
		var failed *driver.Error
		busy := errors.As(err, &failed) && failed.Code()&0xff == lib.SQLITE_BUSY
		if !busy || time.Since(begun) > wait {
			return err
		}
	}
}
