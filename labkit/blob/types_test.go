package blob_test

import (
	"path/filepath"
	"testing"

	"shelflab/labkit/blob"
)

// Types that a program may have had over the years. Those inside functions have
// one name, "blob_test.person", and different fields.

func savePerson(t *testing.T, path string) {
	type person struct {
		Name string
		Age  int
		City string
	}
	check(t, blob.Save(path, map[string]person{"a": {"Ann", 40, "Ulm"}}, blob.Options{}))
	check(t, blob.Pack(path+"x", blob.Sorted(map[string]person{"a": {"Ann", 40, "Ulm"}}), blob.Options{}))
}

// TestChangedStruct: fields may come, go and change places by gob's rules.
func TestChangedStruct(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	savePerson(t, path)
	type person struct {
		Email string
		Age   int
		Name  string
	}
	want := map[string]person{"a": {"", 40, "Ann"}}
	wantEqual(t, must[map[string]person](t)(blob.Load[map[string]person](path)), want)
	wantEqual(t, must[map[string]person](t)(readIndexed[person](path+"x")), want)
}

// TestUnfitStruct: a field of another kind is ErrType, and so is a value that has
// none in common.
func TestUnfitStruct(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	savePerson(t, path)
	func() {
		type person struct{ Name, Age string }
		_, err := blob.Load[map[string]person](path)
		wantError(t, err, blob.ErrType, path)
		_, err = blob.Open[person](path + "x")
		wantError(t, err, blob.ErrType, path+"x")
	}()
	func() {
		type person struct{ Other int }
		_, err := blob.Open[person](path + "x")
		wantError(t, err, blob.ErrType, path+"x")
	}()
	func() {
		type person struct{ Age int8 } // 40 fits
		wantEqual(t, must[map[string]person](t)(blob.Load[map[string]person](path)), map[string]person{"a": {40}})
		wantEqual(t, must[map[string]person](t)(readIndexed[person](path+"x")), map[string]person{"a": {40}})
	}()
	check(t, blob.Save(path, []int{1, 1000}, blob.Options{}))
	_, err := blob.Load[[]int8](path)
	wantError(t, err, blob.ErrType, path)
}

// TestAnotherType: one field name in common does for gob, but not here.
func TestAnotherType(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	savePerson(t, path)
	type company struct {
		Name string
		VAT  string
	}
	_, err := blob.Load[map[string]company](path)
	wantError(t, err, blob.ErrType, path)
	_, err = blob.Open[company](path + "x")
	wantError(t, err, blob.ErrType, path+"x")
	for _, load := range []func() error{
		func() error { _, err := blob.Load[int](path); return err },
		func() error { _, err := blob.Load[[]int](path); return err },
		func() error { _, err := blob.Load[map[int]string](path); return err },
		func() error { _, err := blob.Load[func()](path); return err },
		func() error { _, err := blob.Open[int](path); return err },
	} {
		wantError(t, load(), blob.ErrType, path)
	}
	_, err = blob.Load[int](path + "x")
	wantError(t, err, blob.ErrType, path+"x")
	_, err = blob.Open[func()](path + "x")
	wantError(t, err, blob.ErrType, path+"x")
}

// TestNamedAnew: another name for what is made of the same parts will do.
func TestNamedAnew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.blob")
	type ages map[string]int
	check(t, blob.Save(path, ages{"Ann": 40}, blob.Options{}))
	wantEqual(t, must[ages](t)(blob.Load[ages](path)), ages{"Ann": 40})
	p := must[*ages](t)(blob.Load[*ages](path))
	wantEqual(t, *p, ages{"Ann": 40})
	check(t, blob.Save(path, map[string]int64{"Ann": 40}, blob.Options{}))
	wantEqual(t, must[map[string]int](t)(blob.Load[map[string]int](path)), map[string]int{"Ann": 40})
}
