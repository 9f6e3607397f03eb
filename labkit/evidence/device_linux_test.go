package evidence

import (
	"os"
	"path/filepath"
	"testing"
)

// A sys file system is laid down as the kernel's is: numbers are links to
// devices, partitions stand inside their device, what is mapped links to what is
// below.
func TestDeviceIn(t *testing.T) {
	sys := t.TempDir()
	for name, content := range map[string]string{
		"devices/nvme0n1/device/model":          "Fast Disk  9000   \n",
		"devices/nvme0n1/queue/rotational":      "0\n",
		"devices/nvme0n1/nvme0n1p2/partition":   "2\n",
		"devices/sda/queue/rotational":          "1\n",
		"devices/virtual/dm-0/queue/rotational": "0\n",
		"devices/virtual/md0/queue/rotational":  "1\n",
		"devices/odd/queue/rotational":          "perhaps\n",
	} {
		path := filepath.Join(sys, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{
		"dev/block/259:0": "devices/nvme0n1", "dev/block/259:2": "devices/nvme0n1/nvme0n1p2",
		"dev/block/8:0": "devices/sda", "dev/block/254:0": "devices/virtual/dm-0", "dev/block/9:0": "devices/virtual/md0",
		"dev/block/7:7":                         "devices/odd",
		"devices/virtual/dm-0/slaves/nvme0n1p2": "devices/nvme0n1/nvme0n1p2",
		"devices/virtual/md0/slaves/sda":        "devices/sda",
		"devices/virtual/md0/slaves/nvme0n1":    "devices/nvme0n1",
	} {
		path := filepath.Join(sys, link)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(sys, to), path); err != nil {
			t.Fatal(err)
		}
	}
	fast := Device{"nvme0n1", "Fast Disk 9000", No}
	for device, want := range map[string]Device{
		"259:0": fast, "259:2": fast,
		"254:0": fast, // encrypted
		"9:0":   {"md0", "", Yes},
		"8:0":   {"sda", "", Yes},
		"7:7":   {"odd", "", ""},
		"1:1":   {},
	} {
		if got := deviceIn(sys, device); got != want {
			t.Errorf("%s is %+v, want %+v", device, got, want)
		}
	}
}

func TestSourceOf(t *testing.T) {
	const mounts = `22 27 0:21 / /proc rw,relatime - proc proc rw
36 35 0:42 /root /mount\040point rw shared:1 master:2 - btrfs /dev/nvme0n1p2 rw,space_cache
37 35 0:43 / /short
38 35 0:44 / /other rw -
`
	for device, want := range map[string]string{
		"0:42": "/dev/nvme0n1p2", "0:21": "proc", "0:43": "", "0:44": "", "0:45": "",
	} {
		if got := sourceOf(mounts, device); got != want {
			t.Errorf("%s is of %q, want %q", device, got, want)
		}
	}
	if got := deviceOf(filepath.Join(t.TempDir(), "nowhere")); got != (Device{}) {
		t.Errorf("a folder that is not there is on %+v", got)
	}
}
