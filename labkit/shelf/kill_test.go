package shelf_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"shelflab/labkit/shelf"
)

// The writers of the kill trials. Each prints a number when a step is
// acknowledged, and goes on until it is killed.

const killBulk = 3000 // entries of a PutAll: more than a batch

func init() {
	writer := func(step func(s *shelf.Shelf[record], i int) error) func(string) error {
		return func(dir string) error {
			s, err := shelf.Open[record](dir, shelf.Options{})
			if err != nil {
				return err
			}
			fmt.Println("open")
			for i := 1; ; i++ {
				if err := step(s, i); err != nil {
					return err
				}
				fmt.Println(i)
			}
		}
	}
	roles["put"] = writer(func(s *shelf.Shelf[record], i int) error { return s.Put(keyOf(i), sample(i)) })
	roles["putall"] = writer(func(s *shelf.Shelf[record], i int) error {
		return s.PutAll(func(yield func(shelf.Entry[record], error) bool) {
			for k := range killBulk {
				if !yield(shelf.Entry[record]{Key: keyOf(k), Value: record{ID: i}}, nil) {
					return
				}
			}
		})
	})
	roles["update"] = writer(func(s *shelf.Shelf[record], i int) error {
		if _, err := s.PutIfAbsent("counter", record{}); err != nil {
			return err
		}
		return s.Update("counter", func(r *record) error { r.ID++; return nil })
	})
	roles["compact"] = writer(func(s *shelf.Shelf[record], i int) error {
		if err := s.Put(keyOf(i), sample(i)); err != nil || i%5 != 0 {
			return err
		}
		return s.Compact()
	})
}

// trials is how many processes of each role are killed; a long run sets the
// variable: with 50, the four roles make 200.
func trials(t *testing.T, normally int) int {
	if n, err := strconv.Atoi(os.Getenv("SHELFLAB_TRIALS")); err == nil {
		return n
	}
	return normally
}

// killed runs role in dir, kills it at a random moment after it said so, and
// returns the last step that it acknowledged.
func killed(t *testing.T, role, dir, after string, rng *rand.Rand) (acknowledged int) {
	t.Helper()
	c := start(t, role, dir)
	c.expect(t, "open")
	if after != "open" {
		c.expect(t, after)
		acknowledged = 1
	}
	go func() {
		time.Sleep(time.Duration(rng.IntN(40_000)) * time.Microsecond)
		c.Process.Kill()
	}()
	for c.lines.Scan() {
		n, err := strconv.Atoi(c.lines.Text())
		if err != nil {
			t.Fatalf("%s: %s", role, c.lines.Text())
		}
		acknowledged = n
	}
	c.Wait()
	return acknowledged
}

// After a kill -9 all that was acknowledged is there, and nothing half.
func TestKill(t *testing.T) {
	t.Parallel()
	check := map[string]func(t *testing.T, s *shelf.Shelf[record], n int){
		"put": func(t *testing.T, s *shelf.Shelf[record], n int) {
			got := contents(t, s)
			if len(got) != n && len(got) != n+1 {
				t.Errorf("%d values of %d acknowledged", len(got), n)
			}
			for i := 1; i <= n; i++ {
				check(t, s, keyOf(i), sample(i))
			}
		},
		"putall": func(t *testing.T, s *shelf.Shelf[record], n int) {
			got := contents(t, s)
			before := n + 1
			for k := range killBulk {
				id := got[keyOf(k)].ID // 0 if it is missing
				if id != n && id != n+1 || id > before {
					t.Fatalf("%s is of PutAll %d, the one before it of %d; %d acknowledged", keyOf(k), id, before, n)
				}
				before = id
			}
		},
		"update": func(t *testing.T, s *shelf.Shelf[record], n int) {
			if r, err := s.GetOr("counter", record{}); err != nil || r.ID != n && r.ID != n+1 {
				t.Errorf("counter is %d, %v; %d acknowledged", r.ID, err, n)
			}
		},
	}
	check["compact"] = check["put"]
	for role, verify := range check {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			rng := rand.New(rand.NewPCG(seed, 1))
			total := 0
			for i := range trials(t, 8) {
				dir := t.TempDir()
				after := []string{"1", "open"}[i%2] // a first step can take long
				n := killed(t, role, dir, after, rng)
				total += n
				s, err := shelf.Open[record](dir, shelf.Options{})
				if err != nil {
					t.Fatalf("seed %d, trial %d, after %d steps: %v", seed, i, n, err)
				}
				verify(t, s, n)
				if err := s.Put("later", sample(1)); err != nil {
					t.Error(err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
				if t.Failed() {
					t.Fatalf("seed %d, trial %d", seed, i)
				}
				os.RemoveAll(dir)
			}
			if total == 0 { // then nothing was tested
				t.Errorf("seed %d: no step was acknowledged before a kill", seed)
			}
		})
	}
}
