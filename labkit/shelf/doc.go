// Package shelf is a persistent dictionary: strings for keys, values of one Go
// type, in a folder on the local disk. It is what Python's shelve is for, over
// Badger and encoding/gob.
//
//	s, err := shelf.Open[Record]("people", shelf.Options{})
//	defer s.Close()
//	err = s.Put("ada", Record{Name: "Ada"})
//	ada, err := s.Get("ada")
//	for e, err := range s.Prefix("a") { … }
//
// # Goals
//
//   - Nothing that was acknowledged is lost, nothing half-written is ever read:
//     not by a kill, a full disk, two openers, a changed struct or a flipped bit.
//   - Writing and single reads cost little more than Badger itself, a scan what
//     decoding costs: type descriptions are stored once a shelf and not once a
//     value, see package gobwire. The package's benchmarks say how much.
//   - A small shelf opens in milliseconds and takes little memory; the same shelf
//     holds millions of records and values of 256 MB.
//   - No input makes it panic, no write hangs, and nothing is printed.
//
// # Non-goals
//
//   - Queries, indexes, expiry, and transactions over several keys.
//   - Several writers: one opener at a time, or many that only read.
//   - Network file systems, and files from people one does not trust: gob runs no
//     code, but it was not made for attackers.
//   - A write-back cache: what Get returns is a copy, and changing it changes
//     nothing until Put or Update.
//
// # Coming from shelve
//
//	Python                       Go
//	shelve.open(p)               shelf.Open[V](p, shelf.Options{})
//	flag 'c', 'w', 'r', 'n'      Mode: Create, Existing, ReadOnly, Fresh
//	d[k] = v                     s.Put(k, v)
//	d[k], KeyError               s.Get(k), ErrNotFound
//	d.get(k, v)                  s.GetOr(k, v)
//	d.setdefault(k, v)           s.PutIfAbsent(k, v)
//	d.pop(k)                     s.Pop(k)
//	del d[k]                     s.Delete(k), no error for a missing key
//	k in d                       s.Has(k)
//	len(d)                       s.Len(), which reads all keys
//	d.keys(), in no order        s.Keys(), in the order of keys
//	d.items()                    s.All(), s.Prefix(p), s.Range(from, to)
//	d.update(other)              s.PutAll(seq)
//	d.clear()                    s.Clear()
//	x = d[k]; x.n += 1; d[k] = x s.Update(k, func(v *V) error { v.N++; return nil })
//	writeback=True               nothing: see the non-goals
//	d.sync(), d.close()          s.Sync(), s.Close()
//	any picklable value          values of type V; an interface type for several
//
// And from pickle: a value that is always read and written as a whole is a blob,
// see package blob.
//
// # Durability
//
// By default a finished write survives a crash or a kill of the process, at any
// moment; a crash of the machine may take the last writes, and of a larger write a
// part. With [PowerLoss] it survives that as well, for the price of a sync; Badger
// counts there on a file system that syncs a new file's name with its contents, as
// ext4 and XFS do. Sync does the same on demand. macOS is an exception to both:
// Badger syncs mapped files with msync, which there leaves the last writes in the
// cache of the drive, where a power loss may take them. The names of folders that
// Open makes are synced, those that were there are not.
//
// A crashed shelf recovers when it is opened for writing; a reader cannot do that,
// and says so. Where the disk fails while Compact, Clear or Restore put the new
// contents in place, both are kept, and writes get ErrUnsure until the shelf is
// opened again.
//
// # Types
//
// Values follow gob's rules, and package gobwire lists what they change and what is
// refused. Fields are matched by name, so a struct may gain and lose fields while
// the shelf keeps its values: each is read by the description that it was written
// under. A shelf opens only for the type that it holds: one of the same name, or
// of the same fields and kinds throughout. Update refuses a value that has fields
// which the program's struct lacks.
//
// # Memory and disk
//
// The figures are what a program takes from the system; mapped files, which the
// system takes back when it needs to, are not in them. Tests keep them.
//
//	opening an empty shelf                   16 MB
//	twenty openings and loadings in turn     80 MB
//	loading 300 MB by PutAll                300 MB
//	reading 300 MB by All                    64 MB, and the longest value
//
// Deleted and overwritten values of up to 64 kB are given back little by little,
// longer ones by Compact alone. DiskBytes says what the disk has allocated.
//
// Badger writes through mapped files, and where the disk is full the system kills
// a process that does. A shelf therefore refuses to write, with ErrNoSpace, while
// 117 MB are still free; deletions and Compact, which make room, may go to half of
// that, and opening for writing is refused where recovery may need more than there
// is. That leaves a risk: another program may take the last bytes at the same
// moment, and merging the tables of a shelf of many gigabytes can take more than
// the reserve.
//
// # Damage
//
// Every value has a checksum with its key: one that was damaged is ErrCorrupt, and
// its neighbours stay readable. Damage to Badger's own structures can make keys
// disappear, and Badger may panic in a goroutine of its own when it meets such
// damage while it compacts; keep backups.
package shelf
