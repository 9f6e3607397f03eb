package evidence

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// deviceOf finds the block device of a folder.
func deviceOf(dir string) Device {
	var stat unix.Stat_t
	if unix.Stat(dir, &stat) != nil {
		return Device{}
	}
	number := stat.Dev
	if unix.Major(number) == 0 { // of no device: btrfs and overlays number themselves
		mounts, err := os.ReadFile("/proc/self/mountinfo")
		if err != nil {
			return Device{}
		}
		source := sourceOf(string(mounts), numbers(number))
		if !strings.HasPrefix(source, "/dev/") || unix.Stat(source, &stat) != nil {
			return Device{}
		}
		number = stat.Rdev
	}
	return deviceIn("/sys", numbers(number))
}

// numbers writes the number of a device as the kernel does: "259:2".
func numbers(device uint64) string {
	return fmt.Sprintf("%d:%d", unix.Major(device), unix.Minor(device))
}

// sourceOf finds what is mounted as a device in a mountinfo file, "" if nothing
// is. A line is
//
//	36 35 0:42 /root /mount options shared:1 - btrfs /dev/nvme0n1p2 options
func sourceOf(mounts, device string) string {
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line)
		if len(fields) < 3 || fields[2] != device {
			continue
		}
		_, after, _ := strings.Cut(line, " - ")
		if kind := strings.Fields(after); len(kind) > 1 {
			return kind[1]
		}
	}
	return ""
}

// deviceIn reads what the sys file system says of a device. A partition is a
// folder inside that of its device; what is mapped, such as an encrypted one,
// names the one below it, and tells itself if there are several.
func deviceIn(sys, device string) Device {
	dir, err := filepath.EvalSymlinks(filepath.Join(sys, "dev", "block", device))
	if err != nil {
		return Device{}
	}
	for range 5 { // an encrypted partition of a logical volume on a partition
		if _, err := os.Stat(filepath.Join(dir, "partition")); err == nil {
			dir = filepath.Dir(dir)
		}
		below, err := os.ReadDir(filepath.Join(dir, "slaves"))
		if err != nil || len(below) != 1 {
			break
		}
		next, err := filepath.EvalSymlinks(filepath.Join(dir, "slaves", below[0].Name()))
		if err != nil {
			break
		}
		dir = next
	}
	d := Device{Name: filepath.Base(dir)}
	if text, err := os.ReadFile(filepath.Join(dir, "device", "model")); err == nil {
		d.Model = strings.Join(strings.Fields(string(text)), " ")
	}
	switch text, _ := os.ReadFile(filepath.Join(dir, "queue", "rotational")); strings.TrimSpace(string(text)) {
	case "0":
		d.Rotates = No
	case "1":
		d.Rotates = Yes
	}
	return d
}
