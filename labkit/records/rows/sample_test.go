package rows_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"shelflab/labkit/records/rows"
)

// order is a record of the sample, as a shop might export it.
type order struct {
	ID       string    `json:"id"`
	Placed   time.Time `json:"placed"`
	Customer customer  `json:"customer"`
	Items    int       `json:"items"`
	Total    float64   `json:"total"`
	Express  bool      `json:"express"`
	Coupon   *string   `json:"coupon"` // most have none
	Note     string    `json:"note,omitempty"`
	SKUs     []string  `json:"skus"`
}

type customer struct {
	Name  string `json:"name"`
	Email string `json:"email"`
	City  string `json:"city"`
}

const sampleOrders = 800

// orders makes the sample from its seed.
func orders() []order {
	random := rand.New(rand.NewPCG(20261130, 1))
	pick := func(words string) string {
		list := strings.Split(words, "|")
		return list[random.IntN(len(list))]
	}
	placed := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	list := make([]order, sampleOrders)
	for i := range list {
		placed = placed.Add(time.Duration(random.IntN(7200)) * time.Second)
		first := pick("Aoife|Björn|Chloé|Dmitri|Elif|Fatima|Giulia|Håkon|Inés|Jürgen|Kasia|Lars|Mei|Noor|Olu|Pedro")
		last := pick("Andersen|Brown|Çelik|Dubois|Eriksson|Ferrari|García|Hoffmann|Ito|Jansen|Kowalska|Li|Müller|Novák|Okafor|Popov")
		o := order{
			ID: fmt.Sprintf("ord-%06d", 104_000+i), Placed: placed,
			Customer: customer{
				Name:  first + " " + last,
				Email: fmt.Sprintf("user%d@%s.example", 1000+random.IntN(9000), pick("post|mail|web")),
				City:  pick("Athens|Bergen|Bristol|Gdańsk|İzmir|Köln|Lyon|Malmö|Porto|São Paulo|Utrecht|東京"),
			},
			Items: 1 + random.IntN(6), Express: random.IntN(5) == 0,
		}
		for range o.Items {
			o.SKUs = append(o.SKUs, fmt.Sprintf("%s-%04d", pick("BK|CD|EL|GR|TX"), random.IntN(2500)))
			o.Total += float64(199+random.IntN(8800)) / 100
		}
		o.Total, _ = strconv.ParseFloat(strconv.FormatFloat(o.Total, 'f', 2, 64), 64)
		if random.IntN(8) == 0 {
			coupon := pick("SPRING10|WELCOME|FREESHIP")
			o.Coupon = &coupon
		}
		if random.IntN(4) == 0 {
			o.Note = pick("Leave it with the neighbour, please.|Ring twice.|A gift:\nno invoice in the parcel.|She said \"after six\".|Third floor; mind the dog.")
		}
		list[i] = o
	}
	return list
}

func sampleJSON(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b) // a line each
	for _, o := range orders() {
		if err := encoder.Encode(o); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func sampleCSV(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write([]string{"id", "placed", "customer.name", "customer.email", "customer.city", "items", "total", "express", "coupon", "note", "skus"})
	for _, o := range orders() {
		coupon := ""
		if o.Coupon != nil {
			coupon = *o.Coupon
		}
		w.Write([]string{
			o.ID, o.Placed.Format(time.RFC3339), o.Customer.Name, o.Customer.Email, o.Customer.City, strconv.Itoa(o.Items),
			strconv.FormatFloat(o.Total, 'f', -1, 64), strconv.FormatBool(o.Express), coupon, o.Note, strings.Join(o.SKUs, " "),
		})
	}
	if w.Flush(); w.Error() != nil {
		t.Fatal(w.Error())
	}
	return b.Bytes()
}

// TestSample holds the sample that ships against what its seed makes, byte for
// byte. A run with UPDATE_GOLDEN=1 in the environment writes it anew.
func TestSample(t *testing.T) {
	for name, want := range map[string][]byte{"orders.jsonl": sampleJSON(t), "orders.csv": sampleCSV(t)} {
		path := filepath.Join("..", "..", "..", "data", "samples", name)
		if os.Getenv("UPDATE_GOLDEN") != "" {
			if err := os.WriteFile(path, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what its seed makes", path)
		}
		if len(got) > 300_000 {
			t.Errorf("%s has %d bytes", path, len(got))
		}
	}
}

func TestSampleIsUnderstood(t *testing.T) {
	field := func(name string, kind rows.Kind, has, null int, example string) rows.Field {
		return rows.Field{Name: name, Kind: kind, Has: has, Null: null, Example: example}
	}
	list := orders()
	coupons, notes := 0, 0
	for _, o := range list {
		if o.Coupon != nil {
			coupons++
		}
		if o.Note != "" {
			notes++
		}
	}
	f, err := rows.Read(filepath.Join("..", "..", "..", "data", "samples", "orders.jsonl"), rows.Options{Key: "id"})
	if err != nil {
		t.Fatal(err)
	}
	first := list[0]
	want := map[string]rows.Kind{
		"id": rows.Text, "placed": rows.Text, "customer.name": rows.Text, "customer.email": rows.Text, "customer.city": rows.Text,
		"items": rows.Whole, "total": rows.Number, "express": rows.Truth, "coupon": rows.Text, "note": rows.Text, "skus": rows.JSON,
	}
	got := map[string]rows.Kind{}
	for _, x := range f.Fields {
		got[x.Name] = x.Kind
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got, want := plain(f, "customer.name"), field("customer.name", rows.Text, sampleOrders, 0, first.Customer.Name); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if c := plain(f, "coupon"); c.Has != coupons || c.Null != sampleOrders-coupons {
		t.Errorf("%d coupons, %d null, want %d", c.Has, c.Null, coupons)
	}
	if n := plain(f, "note"); n.Has != notes || n.Null != 0 { // left out, not null
		t.Errorf("%d notes, %d null, want %d", n.Has, n.Null, notes)
	}

	// The same orders as CSV are the same values, but for the list.
	asCSV, err := rows.Read(filepath.Join("..", "..", "..", "data", "samples", "orders.csv"), rows.Options{Key: "id"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Rows {
		a, b := f.Map(&f.Rows[i]), asCSV.Map(&asCSV.Rows[i])
		delete(a, "skus")
		delete(b, "skus")
		if diff := cmp.Diff(a, b); diff != "" || f.Keys[i] != asCSV.Keys[i] {
			t.Fatalf("record %d (-JSON +CSV):\n%s", i, diff)
		}
	}
}

// plain is a field by its name, as far as it shows outside.
func plain(f *rows.File, name string) rows.Field {
	for _, x := range f.Fields {
		if x.Name == name {
			return rows.Field{Name: x.Name, Kind: x.Kind, Has: x.Has, Null: x.Null, Example: x.Example, Mixed: x.Mixed}
		}
	}
	return rows.Field{}
}
