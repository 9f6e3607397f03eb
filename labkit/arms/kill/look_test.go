package kill

import "testing"

// Items of which one is written at a time, three in turns.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name         string
		versions     []int
		acknowledged int
		want         Found
	}{
		{"nothing was written", []int{0, 0, 0}, 0, Found{}},
		{"one that was not acknowledged is there", []int{0, 1, 0}, 0, Found{}},
		{"all are there", []int{3, 4, 2}, 4, Found{}},
		{"and the next", []int{3, 4, 5}, 4, Found{}},
		{"the last is lost", []int{3, 1, 2}, 4, Found{Lost: 1}},
		{"all of one item are lost", []int{3, 0, 2}, 4, Found{Lost: 2}},
		{"everything is lost", []int{0, 0, 0}, 7, Found{Lost: 7}},
		{"the next is torn, and the one that it replaces lost", []int{3, 4, torn}, 4, Found{Lost: 1, Torn: 1}},
		{"the first of an item is torn", []int{0, torn, 0}, 0, Found{Torn: 1}},
		{"all are torn", []int{torn, torn, torn}, 1, Found{Lost: 1, Torn: 3}},
		{"of another item", []int{3, 4, 1}, 4, Found{Lost: 1, Torn: 1}},
		{"of a write that was never made", []int{3, 7, 2}, 4, Found{Lost: 1, Torn: 1}},
	} {
		if got := judge(c.versions, c.acknowledged); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Items that are all written at once.
func TestJudgeWhole(t *testing.T) {
	for _, c := range []struct {
		name         string
		versions     []int
		acknowledged int
		want         Found
	}{
		{"nothing was written", []int{0, 0, 0}, 0, Found{}},
		{"the last is there", []int{4, 4, 4}, 4, Found{}},
		{"the next is there", []int{5, 5, 5}, 4, Found{}},
		{"a part of the next", []int{5, 5, 4}, 4, Found{Partial: 2}},
		{"the last is lost", []int{3, 3, 3}, 4, Found{Lost: 1}},
		{"a part of it is lost", []int{4, 1, 4}, 4, Found{Lost: 3}},
		{"one is torn", []int{4, torn, 4}, 4, Found{Lost: 1, Torn: 1}},
		{"all are torn before anything was acknowledged", []int{torn, torn, torn}, 0, Found{Torn: 3}},
		{"of a write that was never made", []int{4, 9, 4}, 4, Found{Lost: 1, Torn: 1}},
	} {
		if got := judgeWhole(c.versions, c.acknowledged); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
