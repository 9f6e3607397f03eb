package evidence_test

import (
	"math"
	"testing"

	"shelflab/labkit/evidence"
)

func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{1.52e6, "records/s", "1.52 M rec/s"},
		{152_300, "records/s", "152 k rec/s"},
		{999.9996e3, "records/s", "1.00 M rec/s"}, // not 1000 k
		{999.5e3, "records/s", "1.00 M rec/s"},
		{999.4e3, "records/s", "999 k rec/s"},
		{42, "records/s", "42.0 rec/s"},
		{0, "records/s", "0 rec/s"},
		{1.97e-3, "s", "1.97 ms"},
		{12.34, "s", "12.3 s"},
		{1, "s", "1.00 s"},
		{99.96e-6, "s", "100 µs"},
		{0.9996, "s", "1.00 s"}, // not 1000 ms
		{3e-9, "s", "3.00 ns"},
		{1e-15, "s", "1.00 fs"},
		{1e-40, "s", "0.00 qs"}, // below every prefix, but no panic
		{0, "s", "0 s"},
		{-1.5e-3, "s", "-1.50 ms"},
		{1.57e6, "B", "1.57 MB"},
		{4096, "B", "4.10 kB"},
		{999, "B", "999 B"}, // bytes are whole: 999, not 1.00 k
		{7, "B", "7 B"},
		{512.25, "B", "512 B"}, // a p50 may lie between two sizes
		{100.00000000000287, "B", "100 B"},
		{999.7, "B", "1.00 kB"},
		{0, "B", "0 B"},
		{math.NaN(), "s", "NaN s"},
		{math.Inf(1), "records/s", "+Inf rec/s"},
		{math.Inf(-1), "B", "-Inf B"},
	} {
		if got := evidence.Quantity(c.v, c.unit); got != c.want {
			t.Errorf("Quantity(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

func TestFactor(t *testing.T) {
	for x, want := range map[float64]string{
		112.7: "113", 12.44: "12.4", 3.777: "3.78", 1: "1.00", 99.96: "100", 9.996: "10.0",
		0.5: "0.50", 0.1: "0.10", 0.0523: "0.052", 0.00001: "<0.001", 0.001: "0.001", 0: "0.00", 1234567: "1,234,567", 1091.2: "1,091", 999.6: "1,000", 999.4: "999", -2: "-2.00",
	} {
		if got := evidence.Factor(x); got != want {
			t.Errorf("Factor(%v) = %q, want %q", x, got, want)
		}
	}
	for n, want := range map[int]string{1: "1 random get", 0: "0 random gets", 10_000: "10,000 random gets"} {
		if got := evidence.RandomGets(n); got != want {
			t.Errorf("RandomGets(%d) = %q, want %q", n, got, want)
		}
	}
	if got := evidence.Factor(math.NaN()); got != "NaN" {
		t.Errorf("Factor(NaN) = %q", got)
	}
	if got := evidence.Factor(math.Inf(1)); got != "+Inf" {
		t.Errorf("Factor(+Inf) = %q", got)
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 8000: "8,000", 10_000_000: "10,000,000", -1234: "-1,234"} {
		if got := evidence.Count(n); got != want {
			t.Errorf("Count(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for level, want := range map[float64]string{
		0: "0 %", 0.5: "50 %", 0.75: "75 %", 0.875: "87.5 %", 0.9375: "93.75 %", 0.96875: "96.88 %", 0.95: "95 %", 1: "100 %", 0.1: "10 %",
	} {
		if got := evidence.Percent(level); got != want {
			t.Errorf("Percent(%v) = %q, want %q", level, got, want)
		}
	}
}

// What Quantity writes can be read back, to the digits that are there.
func TestParseQuantity(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
	}{{0.117, "s"}, {8.19, "s"}, {134, "s"}, {979971, "B"}, {512, "B"}, {0, "B"}, {1.52e6, "records/s"}, {999.96, "s"}, {1e-9, "s"}, {3, "GCs"}} {
		text := evidence.Quantity(c.v, c.unit)
		v, ok := evidence.ParseQuantity(text, c.unit)
		if !ok || evidence.Quantity(v, c.unit) != text {
			t.Errorf("%q is read as %v, %v", text, v, ok)
		}
	}
	for _, text := range []string{"", "–", "1.52", "1.52 s s", "fast", "1.5 ms", "NaN s", "1e3 s", "1.52 k"} {
		if v, ok := evidence.ParseQuantity(text, "s"); ok {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}

func TestExponent(t *testing.T) {
	for x, want := range map[float64]string{0.98: "0.98", 1: "1.00", -0.004: "0.00", -0.5: "-0.50", 0: "0.00", 12.345: "12.35"} {
		if got := evidence.Exponent(x); got != want {
			t.Errorf("%v is written %q, want %q", x, got, want)
		}
	}
}
