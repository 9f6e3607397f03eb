package labkit_test

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// peers are the packages below arms that keep records in a store of others, each
// of which links that store, its libraries, and no other of ours.
var peers = map[string][]string{
	"arms/bolt":   {"go.etcd.io/bbolt"},
	"arms/files":  {},
	"arms/python": {},
	"arms/hold":   {"github.com/timshannon/badgerhold/v4"},
	"arms/sqlite": {"modernc.org/sqlite"},
}

// peersMay lists what of ours a peer may import.
var peersMay = []string{
	"shelflab/labkit", "shelflab/labkit/records", "shelflab/labkit/gobwire", "shelflab/labkit/arms/turn", "shelflab/labkit/arms/whole",
}

// A program that uses one peer links no store of another arm, nor what a cell of
// tables or charts links.
func TestPeersLinkOneStore(t *testing.T) {
	stores := []string{"shelflab/labkit/shelf", "shelflab/labkit/blob", "github.com/dgraph-io/badger/v4", "gonum.org/v1/plot"}
	for _, list := range peers {
		stores = append(stores, list...)
	}
	mine := maps.Clone(peers)
	mine["arms/hold"] = append(slices.Clone(mine["arms/hold"]), "github.com/dgraph-io/badger/v4")
	for peer, uses := range mine {
		out, err := exec.Command("go", "list", "-deps", "shelflab/labkit/"+peer).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", peer, err, out)
		}
		for imported := range strings.FieldsSeq(string(out)) {
			if slices.Contains(stores, imported) && !slices.Contains(uses, imported) {
				t.Errorf("%s links %s", peer, imported)
			}
		}
	}
}
