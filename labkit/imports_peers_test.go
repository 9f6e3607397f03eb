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
	linksOnly(t, mine, stores)
}

// engines are the packages of the three tricks, each of which links the library
// of its own engine or form, and no other.
var engines = map[string][]string{
	"arms/arrays":         {},
	"arms/arrays/dense":   {"gonum.org/v1/gonum/mat"},
	"arms/codecs":         {},
	"arms/codecs/cbor":    {"github.com/fxamacker/cbor/v2"},
	"arms/codecs/msgpack": {"github.com/vmihailenco/msgpack/v5"},
	"arms/collector":      {},
}

func TestEnginesLinkOneLibrary(t *testing.T) {
	heavy := []string{"shelflab/labkit/shelf", "shelflab/labkit/blob", "github.com/dgraph-io/badger/v4", "gonum.org/v1/plot"}
	for _, list := range engines {
		heavy = append(heavy, list...)
	}
	linksOnly(t, engines, heavy)
}

// linksOnly checks that each package links, of what is heavy, what it uses and
// nothing else.
func linksOnly(t *testing.T, packages map[string][]string, heavy []string) {
	t.Helper()
	for name, uses := range packages {
		out, err := exec.Command("go", "list", "-deps", "shelflab/labkit/"+name).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
		linked := strings.Fields(string(out))
		for _, imported := range linked {
			if slices.Contains(heavy, imported) && !slices.Contains(uses, imported) {
				t.Errorf("%s links %s", name, imported)
			}
		}
		for _, library := range uses {
			if !slices.Contains(linked, library) {
				t.Errorf("%s does not link %s: is it still called that?", name, library)
			}
		}
	}
}

// Python beside Go links our store and Badger, and none of the other Go stores.
func TestSideBySideLinksNoPeer(t *testing.T) {
	uses := []string{"shelflab/labkit/shelf", "shelflab/labkit/blob", "github.com/dgraph-io/badger/v4"}
	heavy := append([]string{"gonum.org/v1/plot"}, uses...)
	for _, list := range peers {
		heavy = append(heavy, list...)
	}
	linksOnly(t, map[string][]string{"arms/sidebyside": uses}, heavy)
}

// A cell that draws the arms links none of their stores.
func TestOutlineLinksNoStore(t *testing.T) {
	linksOnly(t, map[string][]string{"arms/outline": {}, "arms/mix": {}}, []string{
		"shelflab/labkit/shelf", "shelflab/labkit/blob", "github.com/dgraph-io/badger/v4", "gonum.org/v1/plot",
	})
}
