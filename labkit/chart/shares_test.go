package chart

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
)

func ExampleShares() {
	c, err := Shares("why", "Where a load spends its time", "230 samples.", []Share{
		{Name: "maps.Put", Part: 0.312, With: 0.5}, {Name: "gob.Decode", Part: 0.08, With: 0.904},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Name, c.Title)
	fmt.Println(c.Alt)
	// Output:
	// why Where a load spends its time
	// Bar chart from zero. Where a load spends its time. 230 samples. “maps.Put” 31 %, 50 %; “gob.Decode” 8 %, 90 %.
}

func TestSharesReadWell(t *testing.T) {
	long := strings.Repeat("github.com/somebody/something.(*Decoder).", 4) + "decode"
	for name, list := range map[string][]Share{
		"one":    {{Name: "all", Part: 1}},
		"zeros":  {{Name: "a"}, {Name: "b"}},
		"small":  {{Name: "a", Part: 0.001}, {Name: "b", Part: 0.002, With: 0.003}},
		"long":   {{Name: long, Part: 0.5, With: 1}, {Name: "short", Part: 0.2}},
		"odd":    {{Name: "\x00<b>", Part: math.NaN(), With: 2}, {Name: "", Part: -1, With: math.Inf(1)}, {Name: "x", Part: 0.9, With: 0.1}},
		"twelve": make([]Share, 12),
	} {
		c, err := Shares("shares", "Where the time goes", "", list)
		if err != nil || len(c.PNG) == 0 {
			t.Fatalf("%s: %v", name, err)
		}
		pic := parse(t, c.SVG)
		for i, a := range pic.texts {
			if a.x1 < 0 || a.y1 < 0 || a.x2 > pic.width || a.y2 > pic.height {
				t.Errorf("%s: %q is cut off: %+v", name, a.text, a.rect)
			}
			for _, b := range pic.texts[:i] {
				if a.overlaps(b.rect) {
					t.Errorf("%s: %q lies on %q", name, a.text, b.text)
				}
			}
		}
	}
	c, err := Shares("shares", "t", "", []Share{{Name: "x", Part: math.NaN(), With: 2}})
	if err != nil || !strings.Contains(c.Alt, "“x” 0 %") {
		t.Errorf("%v, %s", err, c.Alt)
	}
	if _, err := Shares("none", "t", "", nil); !errors.Is(err, evidence.ErrNone) {
		t.Errorf("no shares: %v", err)
	}
}
