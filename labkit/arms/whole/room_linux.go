package whole

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// systemRoom is what the machine has available, or what a control group of this
// process leaves, whichever is less.
func systemRoom() (Room, error) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return Room{}, err
	}
	available, ok := field(string(text), "MemAvailable:")
	if !ok {
		return Room{}, errors.New("/proc/meminfo has no MemAvailable")
	}
	room := Room{Bytes: available * 1024, Of: "the machine"}
	text, err = os.ReadFile("/proc/self/cgroup")
	if err != nil { // a system without control groups
		return room, nil
	}
	for line := range strings.Lines(string(text)) {
		group, ours := strings.CutPrefix(strings.TrimSpace(line), "0::") // version 2
		for dir := path.Clean("/" + group); ours; dir = path.Dir(dir) {
			if left, ok := groupRoom(os.DirFS("/sys/fs/cgroup"), dir); ok && left < room.Bytes {
				room = Room{Bytes: left, Of: "the control group of this process"}
			}
			if dir == "/" {
				break
			}
		}
	}
	return room, nil
}

// groupRoom is what a control group leaves; ok is false if it sets no limit.
// Pages of files that nobody uses do not count: the system drops them first.
func groupRoom(root fs.FS, dir string) (left int64, ok bool) {
	read := func(name string) string {
		text, _ := fs.ReadFile(root, path.Join(".", dir, name)) // none: no limit
		return strings.TrimSpace(string(text))
	}
	limit, err1 := strconv.ParseInt(read("memory.max"), 10, 64) // "max" is none
	used, err2 := strconv.ParseInt(read("memory.current"), 10, 64)
	if err1 != nil || err2 != nil {
		return 0, false
	}
	idle, _ := field(read("memory.stat"), "inactive_file")
	return max(limit-used+idle, 0), true
}

// field is the number behind a name at the beginning of a line.
func field(text, name string) (int64, bool) {
	for line := range strings.Lines(text) {
		var x int64
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			_, err := fmt.Sscan(rest, &x)
			return x, err == nil
		}
	}
	return 0, false
}
