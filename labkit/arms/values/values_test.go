package values_test

import (
	"errors"
	"strings"
	"testing"

	"shelflab/labkit"
	"shelflab/labkit/arms/values"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/records"
)

func TestValues(t *testing.T) {
	array, err := values.Array(3, 20, records.Random)
	want, _ := records.Array(3, 20, records.Random)
	if err != nil || array.N != 20 || array.Payload != 3200 || array.Sum(array.V) != records.SumArray(want) {
		t.Errorf("array of n = %d, %d bytes, %v", array.N, array.Payload, err)
	}
	parts, err := values.Hierarchy(3, 20)
	if err != nil || parts.N != 20 || parts.Sum(parts.V) != records.SumPart(records.Hierarchy(3, 20)) {
		t.Errorf("hierarchy of n = %d, %v", parts.N, err)
	}
	tree, err := values.Tree(3, 20)
	if err != nil || tree.N != 20 || tree.Sum(tree.V) != records.SumTree(records.Tree(3, 20)) {
		t.Errorf("tree of n = %d, %v", tree.N, err)
	}
}

func TestRefused(t *testing.T) {
	if _, err := values.Array(1, 10, "zeros"); err == nil {
		t.Error("an unknown content was taken")
	}
	for _, n := range []int{-1, 0, labkit.MaxRecords + 1} {
		_, err1 := values.Array(1, n, records.Ones)
		_, err2 := values.Hierarchy(1, n)
		_, err3 := values.Tree(1, n)
		for _, err := range []error{err1, err2, err3} {
			if !errors.Is(err, labkit.ErrPlan) {
				t.Errorf("n = %d: %v", n, err)
			}
		}
	}
	_, err := values.Array(1, labkit.MaxRecords, records.Ones) // 800 TB
	if !errors.Is(err, whole.ErrRoom) || !strings.Contains(err.Error(), "fewer rows") {
		t.Errorf("an array beyond any memory: %v", err)
	}
}
