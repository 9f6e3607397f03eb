package show_test

import (
	"testing"
	"time"

	"shelflab/labkit/show"
)

func TestTookAndBytes(t *testing.T) {
	for got, want := range map[string]string{
		show.Took(1_970_400): "1.97 ms", show.Took(0): "0 s", show.Took(2 * time.Minute): "120 s",
		show.Bytes(114_637): "115 kB", show.Bytes(0): "0 B", show.Bytes(512): "512 B", show.Bytes(7_700_000): "7.70 MB",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
