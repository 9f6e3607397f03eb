package patterns

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"shelflab/labkit"
	"shelflab/labkit/arms"
	"shelflab/labkit/arms/turn"
	"shelflab/labkit/arms/whole"
	"shelflab/labkit/blob"
)

// The names of the arms of Files, where what they write survives a crash of the
// process.
const (
	InPlace  = "in place"
	Renamed  = "by rename"
	SaveOver = "blob, Save"
)

const kindFile = "file"

// InPlaceArm writes as many bytes as the records of d are over a file that is
// there. A reader, and a crash in the middle, find it empty, or half of it.
func InPlaceArm[V any](d *turn.Data[V], class labkit.Durability) labkit.Arm {
	return fileArm(d, class, InPlace, "the file is emptied and written again; then, for a power loss, synced, and its folder",
		func(path string, content []byte) error { return Overwrite(path, content, class) })
}

// RenamedArm writes the bytes into a temporary file, which takes the old one's
// place: a reader, and a crash in the middle, find the old content.
func RenamedArm[V any](d *turn.Data[V], class labkit.Durability) labkit.Arm {
	return fileArm(d, class, Renamed, "a temporary file beside it is written, and renamed; for a power loss synced before, and the folder after",
		func(path string, content []byte) error { return ReplaceFile(path, content, class) })
}

// SaveArm is blob.Save of the records of d, which encodes them and then does what
// RenamedArm does.
func SaveArm[V any](d *turn.Data[V], class labkit.Durability) labkit.Arm {
	arm := labkit.Arm{Name: SaveOver, Kind: turn.KindSnapshot, Pair: turn.PairOurs, Durability: class, What: "labkit/blob, Save of one map, all cores"}
	options := blobOptions(class)
	arm.Measure = func(ctx context.Context, r *labkit.Round) error {
		after, err := d.Changed()
		if err != nil {
			return err
		}
		save := func(d *turn.Data[V]) func(path string) error {
			return func(path string) error { return blob.Save(path, d.Map(), options) }
		}
		return replaced(ctx, r, d.Bytes(), save(d), save(after), func(path string) error {
			sum, err := turn.Loaded(d, func(path string) (map[string]V, error) { return blob.Load[map[string]V](path) })(path)
			if err != nil {
				return err
			}
			return r.Check("the file", sum, after.Total())
		})
	}
	return arm
}

// Overwrite writes content into a file in place, as most programs do, so that it
// survives class once it has returned.
func Overwrite(path string, content []byte, class labkit.Durability) error {
	return whole.Create(path, class, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// ReplaceFile writes content into a temporary file beside path and renames it, so
// that it survives class once it has returned. After an error the old content is
// there, but for one of syncing the folder.
func ReplaceFile(path string, content []byte, class labkit.Durability) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil && class == labkit.PowerLoss {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if class == labkit.PowerLoss {
		return whole.SyncFolder(filepath.Dir(path))
	}
	return nil
}

// fileArm is an arm that writes plain bytes, no two times the same.
func fileArm[V any](d *turn.Data[V], class labkit.Durability, name, what string, write func(path string, content []byte) error) labkit.Arm {
	return labkit.Arm{Name: name, Kind: kindFile, Pair: turn.PairPlain, Durability: class, What: what,
		Measure: func(ctx context.Context, r *labkit.Round) error {
			random := rand.NewChaCha8([32]byte{byte(d.Seed)})
			old, content := make([]byte, d.Bytes()), make([]byte, d.Bytes())
			random.Read(old)
			random.Read(content)
			to := func(content []byte) func(path string) error {
				return func(path string) error { return write(path, content) }
			}
			return replaced(ctx, r, d.Bytes(), to(old), to(content), func(path string) error {
				got, err := os.ReadFile(path)
				if err == nil && !bytes.Equal(got, content) {
					err = fmt.Errorf("%w: the file is not what was written last", labkit.ErrWrong)
				}
				return err
			})
		}}
}

// replaced is the turn of an arm that replaces one file: the old content is
// written, then the new one over it, which check looks at.
func replaced(ctx context.Context, r *labkit.Round, payload int64, old, anew, check func(path string) error) error {
	r.Payload = payload
	if err := errors.Join(old(r.Path), ctx.Err()); err != nil {
		return err
	}
	err := r.Mean(labkit.Replace, r.N, fileCalls, func() error { return anew(r.Path) })
	if err != nil {
		return err
	}
	return errors.Join(check(r.Path), turn.Size(r))
}

// fileCalls is how many times a file is replaced in one sample: what the file
// system does now and then is no single call's.
const fileCalls = 8

// FilesComparisons sets the ways against each other in both classes, as arms.Twins
// names them, and each against its twin.
func FilesComparisons() []labkit.Comparison {
	var list []labkit.Comparison
	add := func(role labkit.Role, label, a, b string) {
		list = append(list, labkit.Comparison{Role: role, Label: label, A: a, B: b, Metrics: []string{labkit.Replace.Name}})
	}
	for _, of := range []func(string) string{func(name string) string { return name }, arms.Twin} {
		add(labkit.Headline, "a temporary file and a rename", of(InPlace), of(Renamed))
		add(labkit.Headline, "encoding and checks", of(Renamed), of(SaveOver))
	}
	return append(list, arms.PricesOf([]string{InPlace, Renamed, SaveOver}, labkit.Replace)...)
}
