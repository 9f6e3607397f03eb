package evidence

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Verify checks evidence: the folder of a run, or its summary.json alone. It
// computes everything anew from the raw samples (fingerprint, digest,
// summaries, ratios, warnings, verdict) and compares it with what stands there;
// likewise bench.txt, and for a folder every hash of its manifest. The error
// wraps ErrAltered and names the first places that differ, or ErrFormat if it
// cannot be read as evidence of this lab's version at all. The folder of a run
// that was interrupted is ErrNoManifest, if nothing else is wrong with it.
//
// It finds any edit that is not consistent all the way down: to the samples,
// the digest and the manifest. It cannot find one that is, since it has nothing
// to compare with: whoever makes up samples, a date or a machine and lets the
// lab's own code compute the rest has evidence that agrees with itself.
//
// Somebody else's evidence is safe to verify: nothing in it is run, and no file
// outside of the folder is opened, whatever the manifest says.
func Verify(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	dir, name := path, ""
	if !info.IsDir() {
		if path, err = filepath.EvalSymlinks(path); err != nil { // the caller's own link
			return err
		}
		dir, name = filepath.Dir(path), filepath.Base(path)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if name == "" {
		return verifyFolder(root)
	}
	lines, err := verifyPair(root, name, false)
	return altered(lines, err)
}

func verifyFolder(root *os.Root) error {
	if _, err := root.Lstat(SummaryName); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: there is no %s", ErrNone, SummaryName)
	}
	lines, err := verifyPair(root, SummaryName, true)
	if err != nil {
		return err
	}
	more, err := verifyManifest(root)
	if err != nil && len(lines) > 0 { // what was found already is worth more
		return altered(append(lines, err.Error()), nil)
	}
	return altered(append(lines, more...), err)
}

// verifyPair checks a summary, and the bench.txt beside it, which must be there
// in a whole folder.
func verifyPair(root *os.Root, name string, folder bool) ([]string, error) {
	text, err := rootFile(root, name)
	if err != nil {
		return nil, err
	}
	run, lines, err := verifySummary(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if run == nil || !folder && name != SummaryName { // set aside, or sent under another name
		return lines, nil
	}
	bench, err := rootFile(root, BenchName)
	switch {
	case errors.Is(err, fs.ErrNotExist) && folder:
		lines = append(lines, BenchName+": it is missing")
	case errors.Is(err, fs.ErrNotExist): // a summary that was sent by itself
	case err != nil:
		return nil, err
	case !bytes.Equal(bench, run.Bench()):
		lines = append(lines, fmt.Sprintf("%s: line %d is not what the samples give", BenchName, firstLine(bench, run.Bench())))
	}
	return lines, nil
}

// VerifySummary checks the text of a summary.json, wherever it was found (an
// exported page has it inside), as Verify does, and returns its run. White
// space between the values does not matter.
func VerifySummary(text []byte) (*Run, error) {
	run, lines, err := verifySummary(text)
	if err := altered(lines, err); err != nil {
		return nil, err
	}
	return run, nil
}

// verifySummary returns a line for each place that differs. run is nil if the
// text hangs together too badly to compute anything.
func verifySummary(text []byte) (run *Run, lines []string, err error) {
	run, err = parse(text)
	if err != nil {
		return nil, nil, err
	}
	if faults := run.faults(); len(faults) > 0 {
		return nil, faults, nil
	}
	anew := *run
	if err := anew.compute(); err != nil {
		return nil, []string{err.Error()}, nil
	}
	again, err := anew.encode()
	if err != nil {
		return nil, []string{err.Error()}, nil
	}
	return run, differ(text, again), nil
}

func altered(lines []string, err error) error {
	if err != nil || len(lines) == 0 {
		return err
	}
	return fmt.Errorf("%w:%s", ErrAltered, places(lines))
}

// differ compares two texts of JSON, of the file and computed anew, token by
// token. It returns a line for each place, or one if they only differ in how
// they are written: a field that is there twice, or a number of the same value.
func differ(there, anew []byte) []string {
	var a, b bytes.Buffer
	if json.Compact(&a, there) != nil || json.Compact(&b, anew) != nil {
		return []string{"it is no JSON"}
	}
	if bytes.Equal(a.Bytes(), b.Bytes()) {
		return nil
	}
	x, err1 := tree(a.Bytes())
	y, err2 := tree(b.Bytes())
	if err := errors.Join(err1, err2); err != nil {
		return []string{err.Error()}
	}
	lines := walk(nil, "", x, y)
	sentence := func(line string) bool {
		return strings.HasPrefix(line, "verdict[") || strings.HasPrefix(line, "warnings[")
	}
	if all(lines, sentence) {
		lines = append(lines, "only sentences differ: if nobody edited them, the lab that measured was of another version and worded them otherwise")
	}
	if len(lines) == 0 {
		return []string{"it is not as the lab writes it: a field may be there twice or in another order"}
	}
	return lines
}

func tree(text []byte) (v any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // every digit counts
	err = decoder.Decode(&v)
	return v, err
}

// rootFile reads a file of a folder, if it is one and not too large.
func rootFile(root *os.Root, name string) ([]byte, error) {
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w: it is no file", name, ErrFormat)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s: %w: it is larger than %s", name, ErrFormat, Quantity(maxFile, "B"))
	}
	return root.ReadFile(name)
}

// firstLine is the number of the first line in which two texts differ.
func firstLine(a, b []byte) int {
	x, y := bytes.Split(a, []byte("\n")), bytes.Split(b, []byte("\n"))
	for i := range min(len(x), len(y)) {
		if !bytes.Equal(x[i], y[i]) {
			return i + 1
		}
	}
	return min(len(x), len(y)) + 1
}
