// Package records makes the lab's data sets: repeatable from a seed, the same
// bytes on every machine.
package records

import (
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"strings"
)

// Record is what the published lab keeps: seven fields, about 120 bytes of
// payload, a little of everything that small records hold.
type Record struct {
	ID     int
	Name   string
	Email  string
	Tags   []string // two
	Score  float64  // 0 to 100, two decimals
	Active bool
	Note   string // about 40 characters
}

// Key returns the key of record i of n: "id_00042", wide enough that the keys
// of a set sort like its numbers, at least five digits.
func Key(i, n int) string {
	return fmt.Sprintf("id_%0*d", max(5, len(fmt.Sprint(max(n-1, 0)))), i)
}

// What a seed is for: each use has a stream of its own.
const (
	ofRecords = 0x5e1f
	ofNotes   = 0x2073
)

// Set is n records with their keys, both in key order.
type Set struct {
	Keys   []string
	Values []Record
}

// Generate makes n records from a seed: equal arguments give equal records, on
// every machine and in every version of Go (PCG is a fixed algorithm). n below 1
// gives an empty set.
func Generate(seed uint64, n int) Set {
	n = max(n, 0)
	random := rand.New(rand.NewPCG(seed, ofRecords))
	set := Set{Keys: make([]string, n), Values: make([]Record, n)}
	for i := range n {
		set.Keys[i] = Key(i, n)
		set.Values[i] = one(random, i)
	}
	return set
}

// Pick draws k keys at random, with repetition, from a seed; none from an empty
// set.
func (s Set) Pick(seed uint64, k int) []string {
	if len(s.Keys) == 0 {
		return nil
	}
	random := rand.New(rand.NewPCG(seed, 0x9e75))
	picked := make([]string, max(k, 0))
	for i := range picked {
		picked[i] = s.Keys[random.IntN(len(s.Keys))]
	}
	return picked
}

// Map returns the set as a new map, the form in which a program holds it.
func (s Set) Map() map[string]Record {
	m := make(map[string]Record, len(s.Keys))
	for i, key := range s.Keys {
		m[key] = s.Values[i]
	}
	return m
}

func one(random *rand.Rand, i int) Record {
	first, last := pick(random, firstNames), pick(random, lastNames)
	var note strings.Builder
	for note.Len() < 36 {
		if note.Len() > 0 {
			note.WriteByte(' ')
		}
		note.WriteString(pick(random, words))
	}
	return Record{
		ID:     i,
		Name:   first + " " + last,
		Email:  strings.ToLower(fmt.Sprintf("%s.%s.%d@%s.example", first, last, i, pick(random, words))),
		Tags:   []string{pick(random, tags), pick(random, tags)},
		Score:  float64(random.IntN(10_001)) / 100,
		Active: random.IntN(2) == 1,
		Note:   note.String(),
	}
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

var seed = maphash.MakeSeed()

// Sum is a checksum of a record under its key. Sums add up to the checksum of a
// set in any order. It is cheap enough to be taken while records are read, and
// it is meaningful within one process only.
func Sum(key string, r *Record) uint64 {
	h := maphash.String(seed, key)
	h = mix(h, uint64(r.ID))
	h = mix(h, maphash.String(seed, r.Name))
	h = mix(h, maphash.String(seed, r.Email))
	for _, tag := range r.Tags {
		h = mix(h, maphash.String(seed, tag))
	}
	h = mix(h, math.Float64bits(r.Score))
	h = mix(h, maphash.String(seed, r.Note))
	if r.Active {
		h = mix(h, 1)
	}
	return h
}

// Payload is how many bytes a record is under its key, whatever keeps it: the
// texts by their length, numbers by 8 and the truth value by 1.
func Payload(key string, r *Record) int {
	size := len(key) + 8 + len(r.Name) + len(r.Email) + 8 + 1 + len(r.Note)
	for _, tag := range r.Tags {
		size += len(tag)
	}
	return size
}

// Rescore changes one field of a record: its score goes up by one. It is what is
// timed where a record is changed; the error is nil.
func Rescore(r *Record) error {
	r.Score++
	return nil
}

// mix folds x into h; the multiplier is the 64-bit FNV prime.
func mix(h, x uint64) uint64 {
	h = (h ^ x) * 0x100000001b3
	return h ^ h>>29
}

var (
	firstNames = strings.Fields("Ada Alan Barbara Bjarne Claude Dana Donald Edsger Frances Grace Hedy Ivan Joan Ken Leslie Lynn Margaret Niklaus Radia Robin Shafi Tony Ursula Vint Whitfield Yukihiro")
	lastNames  = strings.Fields("Allen Backus Cerf Codd Dahl Dijkstra Engelbart Floyd Goldwasser Hamilton Hoare Hopper Iverson Johnson Knuth Lamport Liskov McCarthy Naur Perlis Ritchie Shannon Thompson Turing Wirth Zuse")
	tags       = strings.Fields("alpha archive beta billing draft export gold import internal legacy new partner priority silver trial urgent")
	words      = strings.Fields("amber anchor atlas basin beacon birch canyon cedar cinder copper delta ember falcon fjord garnet glacier harbor hazel indigo island juniper lagoon lantern maple meadow nickel north ochre orchid pepper prairie quartz ridge river saffron shelf signal slate spruce summit thistle timber valley velvet willow winter")
)
