package blob_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/sys/unix"

	"shelflab/labkit/blob"
)

// corruptOrRight fails unless the file reads as ErrCorrupt or as the value that
// was saved.
func (r reader) corruptOrRight(t *testing.T, path, what string, content []byte) {
	t.Helper()
	check(t, os.WriteFile(path, content, 0o666))
	got, err := r.read(path)
	switch {
	case err != nil:
		if !errors.Is(err, blob.ErrCorrupt) {
			t.Errorf("%s: %v, want ErrCorrupt", what, err)
		}
	case !reflect.DeepEqual(got, r.want):
		t.Errorf("%s reads as another value", what)
	}
}

// mustBeCorrupt is corruptOrRight for what cannot be right.
func (r reader) mustBeCorrupt(t *testing.T, path, what string, content []byte) {
	t.Helper()
	check(t, os.WriteFile(path, content, 0o666))
	if _, err := r.read(path); !errors.Is(err, blob.ErrCorrupt) {
		t.Errorf("%s: %v, want ErrCorrupt", what, err)
	}
}

func eachReader(t *testing.T, f func(t *testing.T, r reader, path string)) {
	for _, r := range readers(t) {
		t.Run(r.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.blob")
			check(t, os.WriteFile(path, r.good, 0o666))
			got, err := r.read(path)
			check(t, err)
			wantEqual(t, got, r.want)
			f(t, r, path)
		})
	}
}

func TestEveryTruncation(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		for n := range len(r.good) {
			r.mustBeCorrupt(t, path, fmt.Sprintf("first %d of %d bytes", n, len(r.good)), r.good[:n])
			r.mustBeCorrupt(t, path, fmt.Sprintf("without the first %d bytes", n+1), r.good[n+1:])
		}
	})
}

func TestEveryBitFlip(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		b := bytes.Clone(r.good)
		for bit := range len(b) * 8 {
			b[bit/8] ^= 1 << (bit % 8)
			r.corruptOrRight(t, path, fmt.Sprintf("bit %d of byte %d flipped", bit%8, bit/8), b)
			b[bit/8] ^= 1 << (bit % 8)
		}
	})
}

func TestEveryByteZeroed(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		for i := range r.good {
			b := bytes.Clone(r.good)
			clear(b[i:min(i+8, len(b))])
			r.corruptOrRight(t, path, fmt.Sprintf("8 bytes from %d zeroed", i), b)
			b = bytes.Clone(r.good)
			clear(b[i:]) // what a power cut may leave
			r.corruptOrRight(t, path, fmt.Sprintf("zeroed from byte %d", i), b)
		}
	})
}

func TestExtended(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		r.mustBeCorrupt(t, path, "a zero appended", append(bytes.Clone(r.good), 0))
		r.mustBeCorrupt(t, path, "text appended", append(bytes.Clone(r.good), "text"...))
		r.mustBeCorrupt(t, path, "two files", append(bytes.Clone(r.good), r.good...))
		for _, other := range readers(t) {
			r.mustBeCorrupt(t, path, "with "+other.name, append(bytes.Clone(r.good), other.good...))
			if other.name != r.name {
				check(t, os.WriteFile(path, other.good, 0o666))
				_, err := r.read(path)
				wantError(t, err, blob.ErrType, path)
			}
		}
	})
}

func TestForeign(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		for _, content := range []string{"", "\n", "blob", "# a text\n", string(make([]byte, 10_000)), "\x93blob\r\n\x1a"} {
			r.mustBeCorrupt(t, path, fmt.Sprintf("%.20q", content), []byte(content))
		}
		_, err := r.read(path + ".missing")
		wantError(t, err, blob.ErrNotFound, path+".missing")
		wantError(t, err, fs.ErrNotExist, path+".missing")

		check(t, os.Remove(path))
		check(t, os.Mkdir(path, 0o777))
		_, err = r.read(path)
		wantError(t, err, blob.ErrCorrupt, path)
		wantError(t, err, blob.ErrTarget, path)

		check(t, os.Remove(path))
		check(t, unix.Mkfifo(path, 0o666)) // nobody writes to it: reading must not wait
		_, err = r.read(path)
		wantError(t, err, blob.ErrCorrupt, path)
		wantError(t, err, blob.ErrTarget, path)
	})
}

func TestNewerFormat(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		check(t, os.WriteFile(path, resealed(r.good, func(h []byte) { h[8]++ }), 0o666))
		_, err := r.read(path)
		wantError(t, err, blob.ErrVersion, path)
	})
}

// TestHugeClaims changes each number of the header and of the frames to promise
// more than the file holds, with checksums that are right.
func TestHugeClaims(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		for _, huge := range []uint64{1 << 20, 1 << 31, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1} {
			for _, at := range []int{12, 16, 24, 32} {
				b := resealed(r.good, func(h []byte) {
					if at == 12 {
						binary.LittleEndian.PutUint32(h[at:], uint32(min(huge, 1<<32-1)))
					} else {
						binary.LittleEndian.PutUint64(h[at:], huge)
					}
				})
				cheap(t, 1<<20, func() { r.mustBeCorrupt(t, path, fmt.Sprintf("header at %d: %d", at, huge), b) })
			}
			frame := 64 + int(binary.LittleEndian.Uint32(r.good[12:]))
			for _, change := range []func(f []byte){
				func(f []byte) { binary.LittleEndian.PutUint64(f, huge) },
				func(f []byte) { binary.LittleEndian.PutUint32(f[8:], uint32(min(huge, 1<<32-1))) },
			} {
				b := bytes.Clone(r.good)
				change(b[frame:])
				resealFrame(b, frame)
				cheap(t, 1<<20, func() { r.mustBeCorrupt(t, path, fmt.Sprintf("frame: %d", huge), b) })
			}
		}
	})
}

// TestEveryByteOfAFrame changes every byte behind a checksum that is made right
// again, as a hostile writer would: any value may come out, or an error, but no
// panic, and no memory beyond a bound.
func TestEveryByteOfAFrame(t *testing.T) {
	eachReader(t, func(t *testing.T, r reader, path string) {
		first := 64 + int(binary.LittleEndian.Uint32(r.good[12:]))
		for frame := first; frame < len(r.good); {
			length := 16 + int(binary.LittleEndian.Uint64(r.good[frame:]))
			for i := frame + 16; i < frame+length; i++ {
				for _, flip := range []byte{0x01, 0x80, 0xff} {
					b := bytes.Clone(r.good)
					b[i] ^= flip
					resealFrame(b, frame)
					check(t, os.WriteFile(path, b, 0o666))
					cheap(t, 64<<20, func() { _, _ = r.read(path) })
				}
			}
			frame += length
		}
	})
}
