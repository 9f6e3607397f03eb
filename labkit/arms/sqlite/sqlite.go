// Package sqlite is SQLite as a peer: one file, a table of keys and values, every
// value a primed gob. The driver is modernc.org/sqlite, SQLite itself translated
// to Go, used through database/sql as most programs do.
package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/gobwire"
)

// Name is the arm's.
const Name = "SQLite"

// Arm is SQLite, filled in one transaction in key order.
func Arm[V any](d *turn.Data[V], class labkit.Durability) labkit.Arm {
	return labkit.Arm{
		Name: Name, Kind: turn.KindKeyed, Pair: turn.PairPeer, Durability: class,
		What: "SQLite (modernc.org/sqlite), primed gob, one transaction for all records, rollback journal; read back through a read-only opening",
		Measure: turn.Keyed(d,
			turn.Filled(len(d.Keys), func(path string) (*Store[V], error) { return Create[V](path, class) },
				func(s *Store[V]) error { return s.PutAll(d.Entries()) }),
			func(path string) (turn.Store[V], error) { return Open[V](path) },
			func(path string) (turn.Changer[V], error) { return Edit[V](path, class) }),
	}
}

// Store is an SQLite file of records.
type Store[V any] struct {
	db      *sql.DB
	get     *sql.Stmt
	put     *sql.Stmt
	codec   *gobwire.Codec[V]
	decoder *gobwire.Decoder[V]
}

// schema keeps a record in the index itself, not in a table beside it.
const schema = `
CREATE TABLE records (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE meta (description BLOB NOT NULL);`

// Create makes a new file. Under labkit.ProcessCrash SQLite does not sync, which
// leaves what was committed to the operating system; otherwise it syncs the file,
// its journal, and the folder in which the journal is removed.
func Create[V any](path string, class labkit.Durability) (*Store[V], error) {
	codec, err := gobwire.New[V]()
	if err != nil {
		return nil, err
	}
	db, err := connect(path, writing(class))
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(schema); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if _, err := db.Exec("INSERT INTO meta VALUES (?)", codec.Description()); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return opened(db, codec)
}

// writing is how a file is opened for writing. A transaction locks it at once,
// not at its first write, where what it has read could have changed.
func writing(class labkit.Durability) url.Values {
	synchronous := "synchronous(off)"
	if class == labkit.PowerLoss {
		synchronous = "synchronous(extra)"
	}
	return url.Values{"_pragma": {synchronous}, "_txlock": {"immediate"}}
}

// Open opens a file that Create made, for reading.
func Open[V any](path string) (*Store[V], error) {
	return reopen[V](path, url.Values{"mode": {"ro"}})
}

// Edit opens a file that Create made, for writing too. Its writes survive class.
func Edit[V any](path string, class labkit.Durability) (*Store[V], error) {
	options := writing(class)
	options.Set("mode", "rw") // a file that is not there is not made
	return reopen[V](path, options)
}

func reopen[V any](path string, options url.Values) (*Store[V], error) {
	codec, err := gobwire.New[V]()
	if err != nil {
		return nil, err
	}
	db, err := connect(path, options)
	if err != nil {
		return nil, err
	}
	return opened(db, codec)
}

func connect(path string, options url.Values) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}).String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1) // opened once, not once a goroutine
	return db, nil
}

func opened[V any](db *sql.DB, codec *gobwire.Codec[V]) (_ *Store[V], err error) {
	s := &Store[V]{db: db, codec: codec}
	var description []byte
	if err = db.QueryRow("SELECT description FROM meta").Scan(&description); err == nil {
		s.decoder, err = codec.Decoder(description)
	}
	if err == nil {
		s.get, err = db.Prepare("SELECT value FROM records WHERE key = ?")
	}
	if err == nil {
		s.put, err = db.Prepare("INSERT OR REPLACE INTO records VALUES (?, ?)")
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return s, nil
}

// PutAll writes records in one transaction: all of them, or none after an error,
// which may be the sequence's.
func (s *Store[V]) PutAll(list iter.Seq2[turn.Entry[V], error]) error {
	return s.transact(func(tx *sql.Tx) error { return s.putAll(tx, list) })
}

// ReplaceAll is PutAll into a store that is emptied in the same transaction.
func (s *Store[V]) ReplaceAll(list iter.Seq2[turn.Entry[V], error]) error {
	return s.transact(func(tx *sql.Tx) error {
		if _, err := tx.Exec("DELETE FROM records"); err != nil {
			return err
		}
		return s.putAll(tx, list)
	})
}

// transact keeps what do has done, or nothing after an error.
func (s *Store[V]) transact(do func(*sql.Tx) error) error {
	tx, err := s.db.Begin()
	if err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func (s *Store[V]) putAll(tx *sql.Tx, list iter.Seq2[turn.Entry[V], error]) error {
	put := tx.Stmt(s.put)
	var body []byte
	for e, err := range list {
		if err != nil {
			return err
		}
		if body, err = s.codec.Append(body[:0], &e.Value); err != nil {
			return err
		}
		if _, err := put.Exec(e.Key, body); err != nil {
			return err
		}
	}
	return nil
}

// Update changes the record under key in one transaction, or returns
// turn.ErrNotFound. An error of change leaves the record as it was.
func (s *Store[V]) Update(key string, change func(*V) error) error {
	return s.transact(func(tx *sql.Tx) error { return s.update(tx, key, change) })
}

func (s *Store[V]) update(tx *sql.Tx, key string, change func(*V) error) error {
	v, err := s.read(tx.Stmt(s.get), key)
	if err != nil {
		return err
	}
	if err := change(&v); err != nil {
		return err
	}
	body, err := s.codec.Append(nil, &v)
	if err != nil {
		return err
	}
	_, err = tx.Stmt(s.put).Exec(key, body)
	return err
}

// Get returns the record under key, or turn.ErrNotFound.
func (s *Store[V]) Get(key string) (V, error) { return s.read(s.get, key) }

func (s *Store[V]) read(get *sql.Stmt, key string) (v V, err error) {
	var body []byte
	if err := get.QueryRow(key).Scan(&body); err == sql.ErrNoRows {
		return v, fmt.Errorf("%q: %w", key, turn.ErrNotFound)
	} else if err != nil {
		return v, err
	}
	err = s.decoder.Decode(body, &v)
	return v, err
}

// All yields the records in key order.
func (s *Store[V]) All() iter.Seq2[turn.Entry[V], error] {
	return func(yield func(turn.Entry[V], error) bool) {
		rows, err := s.db.Query("SELECT key, value FROM records ORDER BY key")
		if err != nil {
			yield(turn.Entry[V]{}, err)
			return
		}
		defer rows.Close()
		var body sql.RawBytes // decoded before the next row
		for rows.Next() {
			var e turn.Entry[V]
			if err := rows.Scan(&e.Key, &body); err != nil {
				yield(turn.Entry[V]{}, err)
				return
			}
			if err := s.decoder.Decode(body, &e.Value); err != nil {
				yield(turn.Entry[V]{}, err)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(turn.Entry[V]{}, err)
		}
	}
}

// Close closes the file.
func (s *Store[V]) Close() error { return errors.Join(s.get.Close(), s.put.Close(), s.db.Close()) }
