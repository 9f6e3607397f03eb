// Package dicts keeps a list of dictionaries, dumped and loaded as a whole, in
// every way that a Go program would: it is the published work about pickle and
// larger objects, in Go.
//
// Every arm keeps the same list and is timed by package whole, so what differs
// is how it dumps and loads. What each notices of a damaged file:
//
//	                cut   extended   a letter changed
//	blob            yes   yes        yes               checksums
//	indexed blob    yes   yes        yes               checksums
//	shelf           yes   -          yes               a checksum a value
//	plain gob       yes   no         no
//	gob of structs  yes   no         no
//	gob, interned   yes   no         no
//	JSON            yes   yes        no
//	text lines      yes   yes        no                counts of lines and values
package dicts

import (
	"fmt"

	"shelflab/labkit"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/blob"
	"shelflab/labkit/records"
)

// List is a list of dictionaries with its checksum and its size.
type List = whole.Value[[]map[string]string]

// Wrap makes a List of dictionaries that the caller has.
func Wrap(list []map[string]string) List {
	return List{V: list, N: len(list), Sum: records.SumDicts, Payload: records.DictsPayload(list)}
}

// New makes n dictionaries by kind from a seed. Where they, and what dumping
// and loading them takes, would not fit into the memory that is left, nothing is
// made and the error wraps whole.ErrRoom; a kind that is not valid is
// records.ErrDicts. progress, if set, is told now and then how many are done.
func New(kind records.Dicts, seed uint64, n int, progress func(done int)) (List, error) {
	if err := kind.Validate(); err != nil {
		return List{}, err
	}
	if n < 1 || n > labkit.MaxRecords {
		return List{}, fmt.Errorf("%w: n = %d: give 1 to %d dictionaries", labkit.ErrPlan, n, labkit.MaxRecords)
	}
	if n > sample {
		room, err := whole.RoomLeft()
		if err != nil {
			return List{}, err
		}
		if err := room.Fit(Need(kind, seed, n), fmt.Sprintf("%d dictionaries of %d items", n, kind.Items), "a smaller n"); err != nil {
			return List{}, err
		}
	}
	return Wrap(kind.List(seed, n, progress)), nil
}

// sample is how many dictionaries are weighed to tell what many will take, and
// how many are made without asking.
const sample = 1000

// Need estimates how many bytes of memory it takes to dump and load n
// dictionaries, by weighing the first thousand of them: five times the list. In
// the process that measures, the list is there once and what was loaded from it
// again; Go's collector lets as much garbage stand as there is live memory (GOGC
// = 100), which doubles both. The process that has asked for it holds the list
// once more.
func Need(kind records.Dicts, seed uint64, n int) int64 {
	each := float64(whole.Weigh(func() any { return kind.List(seed, sample, nil) })) / sample
	return int64(5 * each * float64(n))
}

// The names of the arms.
const (
	PlainGob    = "plain gob"
	PlainAgain  = "plain gob, again"
	Structs     = "gob of structs"
	Interned    = "gob, interned"
	Blob        = "blob"
	BlobOneCore = "blob, one core"
	Indexed     = "indexed blob"
	Shelf       = "shelf"
	JSON        = "JSON"
	FastJSON    = "JSON, fast engine"
	Text        = "text lines"
)

// textKind is the kind of the arms whose files can be read by people.
const textKind = "text"

// Arms returns every arm over a list, and the control. Structs are among them
// where every dictionary has exactly the published 25 keys. All write with the
// same durability.
func Arms(list List, class labkit.Durability) []labkit.Arm {
	plain := gobArm(list, class)
	arms := []labkit.Arm{
		plain,
		{
			Name: Interned, Kind: turn.KindSnapshot, Pair: turn.PairPlain, Durability: class,
			What:    "one gob encoder, a message for each dictionary; loaded one by one, each string through unique.Make",
			Measure: whole.Turn(list, saveEach(class), LoadInterned),
		},
		blobArm(list, class, Blob, "labkit/blob, Save and Load of the list", 0),
		blobArm(list, class, BlobOneCore, "labkit/blob held to one core", 1),
		{
			Name: Indexed, Kind: turn.KindSnapshot, Pair: turn.PairOurs, Durability: class,
			What:    "labkit/blob, Pack of the dictionaries under their numbers; loading streams all of them and keeps none",
			Measure: whole.Streamed(list, packIndexed(class), scanIndexed),
		},
		{
			Name: Shelf, Kind: turn.KindKeyed, Pair: turn.PairOurs, Durability: class,
			What:    "labkit/shelf, one PutAll under their numbers; All into a list through a read-only opening",
			Measure: whole.Turn(list, putShelf(class), loadShelf),
		},
		jsonArm(list, class, JSON, "encoding/json, Marshal and Unmarshal of the list", standard),
		jsonArm(list, class, FastJSON, "goccy/go-json, the same calls and the same format", faster),
		{
			Name: Text, Kind: textKind, Pair: turn.PairPlain, Durability: class,
			What: "a line for each dictionary, its values separated by tabs, the keys once; loaded by splitting lines",
			Measure: whole.Turn(list,
				func(path string, v []map[string]string) error { return SaveText(path, class, v) }, LoadText),
		},
		labkit.AsControl(plain),
	}
	if structs, err := structsArm(list, class); err == nil {
		arms = append(arms[:1], append([]labkit.Arm{structs}, arms[1:]...)...)
	}
	return arms
}

func gobArm(list List, class labkit.Durability) labkit.Arm {
	return labkit.Arm{
		Name: PlainGob, Kind: turn.KindSnapshot, Pair: turn.PairPlain, Durability: class,
		What:    "one gob.Encode of the list of maps into a file, one gob.Decode",
		Measure: whole.Turn(list, saveGob[[]map[string]string](class), loadGob[[]map[string]string]),
	}
}

func blobArm(list List, class labkit.Durability, name, what string, workers int) labkit.Arm {
	options := blob.Options{Durability: blob.Durability(class), Workers: workers}
	return labkit.Arm{
		Name: name, Kind: turn.KindSnapshot, Pair: turn.PairOurs, Durability: class, What: what,
		Measure: whole.Turn(list, saveBlob(options), loadBlob(workers)),
	}
}

func jsonArm(list List, class labkit.Durability, name, what string, e engine) labkit.Arm {
	return labkit.Arm{
		Name: name, Kind: textKind, Pair: turn.PairPlain, Durability: class, What: what,
		Measure: whole.Turn(list, e.save(class), e.load),
	}
}
