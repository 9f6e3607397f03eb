package labkit_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"shelflab/labkit"
)

// kinds has a field of every kind that a parameter can be.
type kinds struct {
	Whole  int               `param:"whole" help:"a whole number"`
	Seed   uint64            `param:"seed"`
	Share  float64           `param:"share"`
	Deep   bool              `param:"deep"`
	Text   string            `param:"text"`
	Sizes  []int             `param:"sizes"`
	Class  labkit.Durability `param:"class"`
	Fixed  int               `param:"-"`
	Hidden int
}

func (k kinds) Validate() error {
	if k.Whole == 13 {
		return errors.New("whole = 13: give another")
	}
	return nil
}

func TestSetParams(t *testing.T) {
	k := kinds{Fixed: 1, Hidden: 2, Sizes: []int{9}}
	before := k
	err := labkit.SetParams(&k, map[string]string{
		"whole": " -3 ", "seed": "18446744073709551615", "share": "1e-3", "deep": "true",
		"text": "two words", "sizes": "300, 900", "class": "power-loss",
	})
	want := kinds{-3, 1<<64 - 1, 0.001, true, "two words", []int{300, 900}, labkit.PowerLoss, 1, 2}
	if diff := cmp.Diff(want, k); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if before.Sizes[0] != 9 {
		t.Error("a copy of the plan changed with it")
	}
	if err := labkit.SetParams(&k, map[string]string{"sizes": ""}); err != nil || len(k.Sizes) != 0 {
		t.Errorf("no sizes: %v, %v, want an empty list", k.Sizes, err)
	}
	if err := labkit.SetParams(&k, nil); err != nil {
		t.Errorf("nothing to set: %v", err)
	}
}

func TestSetParamsRefuses(t *testing.T) {
	for _, c := range []struct {
		values map[string]string
		says   string
	}{
		{map[string]string{"speed": "1"}, `no parameter "speed": there are whole, seed, share, deep, text, sizes, class`},
		{map[string]string{"-": "1"}, `no parameter "-"`},
		{map[string]string{"Hidden": "1"}, `no parameter "Hidden"`},
		{map[string]string{"whole": "many"}, `whole = "many": give whole numbers`},
		{map[string]string{"whole": "1.5"}, `whole = "1.5"`},
		{map[string]string{"whole": ""}, `whole = ""`},
		{map[string]string{"whole": "9223372036854775808"}, "whole"},
		{map[string]string{"seed": "-1"}, `seed = "-1": give a whole number from 0 on`},
		{map[string]string{"share": "half"}, `share = "half": give a finite number`},
		{map[string]string{"share": "NaN"}, "finite"},
		{map[string]string{"share": "1e999"}, "finite"},
		{map[string]string{"deep": "deep"}, "give true or false"},
		{map[string]string{"sizes": "1,,2"}, "several separated by commas"},
		{map[string]string{"class": "forever"}, "give process-crash or power-loss"},
		{map[string]string{"whole": "13"}, "whole = 13: give another"},                   // Validate's
		{map[string]string{"text": "new", "whole": "1", "zz": "1"}, `no parameter "zz"`}, // the good ones first
		{map[string]string{"deep": "x", "share": "y"}, "deep"},                           // always the same error
	} {
		k := kinds{Whole: 7, Text: "old", Sizes: []int{1, 2}}
		want := k
		err := labkit.SetParams(&k, c.values)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v, want one line with %s", c.values, err, c.says)
		}
		if diff := cmp.Diff(want, k); diff != "" {
			t.Errorf("%v: changed in spite of the error (-before +after):\n%s", c.values, diff)
		}
	}
}

func TestSetParamsNamesWhatItCannotSet(t *testing.T) {
	var odd struct {
		At complex128 `param:"at"`
	}
	if err := labkit.SetParams(&odd, map[string]string{"at": "1"}); !errors.Is(err, labkit.ErrPlan) || !strings.Contains(err.Error(), "complex128") {
		t.Errorf("%v, want an error that names the type", err)
	}
}

func TestListParams(t *testing.T) {
	k := kinds{Whole: -3, Sizes: []int{1, 2}, Class: labkit.PowerLoss, Share: 0.25}
	var got []string
	for _, p := range labkit.ListParams(&k) {
		got = append(got, fmt.Sprintf("%s=%s %s", p.Name, p.Value, p.Help))
	}
	want := []string{"whole=-3 a whole number", "seed=0 ", "share=0.25 ", "deep=false ", "text= ", "sizes=1,2 ", "class=power-loss "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What ListParams shows can be given back.
func TestParamsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := kinds{
			Whole: rapid.IntRange(14, 1<<62).Draw(t, "whole"), Seed: rapid.Uint64().Draw(t, "seed"),
			Share: rapid.Float64().Draw(t, "share"), Deep: rapid.Bool().Draw(t, "deep"),
			Text:  rapid.StringMatching(`[a-z]+( [a-z]+)*`).Draw(t, "text"),
			Sizes: rapid.SliceOfN(rapid.Int(), 1, 5).Draw(t, "sizes"), Class: rapid.SampledFrom([]labkit.Durability{0, 1}).Draw(t, "class"),
		}
		values := map[string]string{}
		for _, p := range labkit.ListParams(&k) {
			values[p.Name] = p.Value
		}
		var got kinds
		if err := labkit.SetParams(&got, values); err != nil || !cmp.Equal(k, got) {
			t.Fatalf("%v: %+v came back as %+v", err, k, got)
		}
	})
}

func TestParamsInAProcess(t *testing.T) {
	for _, c := range []struct {
		name, as, variable string
		args               []string
		code               int
		says               string // a part of the one line on stdout or stderr
	}{
		{"defaults", "params", "", nil, 0, "test: n = 10; 5 rounds; 5 keys; seed 1; durability process-crash (plan "},
		{"environment", "params", `{"n":"300,900","rounds":"3"}`, nil, 0, "n = 300,900; 3 rounds;"},
		{"flags go before the environment", "params", `{"n":"300,900","rounds":"3"}`, []string{"--rounds=4", "-durability", "power-loss"}, 0, "n = 300,900; 4 rounds; 5 keys; seed 1; durability power-loss"},
		{"no JSON", "params", `n=3`, nil, 2, "SHELFLAB_PARAMS: "},
		{"unknown name", "params", `{"size":"3"}`, nil, 2, `plan: no parameter "size": there are name, n, rounds, keys, seed, durability`},
		{"bad value", "params", `{"n":"x"}`, nil, 2, `plan: n = "x": give whole numbers such as 2000`},
		{"bad plan", "params", `{"n":"5,5"}`, nil, 2, "list the sizes in ascending order"},
		{"bad value of a flag", "params", "", []string{"--rounds=0"}, 2, "plan: rounds = 0: give 1 to 1000"},
		{"called twice", "params twice", "", nil, 2, "two flags --n"},
	} {
		var out bytes.Buffer
		cmd := exec.Command(os.Args[0], c.args...)
		cmd.Env = append(os.Environ(), childVariable+"="+c.as, labkit.ParamsVariable+"="+c.variable)
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: exit code %d (%v), want %d", c.name, code, err, c.code)
		}
		if text := out.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, c.says) {
			t.Errorf("%s: it says\n%swant one line with %q", c.name, text, c.says)
		}
	}
}

// An unknown flag is the flag package's to answer: exit code 2 and the names.
func TestUnknownFlagListsTheFlags(t *testing.T) {
	cmd := exec.Command(os.Args[0], "--size=3")
	cmd.Env = append(os.Environ(), childVariable+"=params", labkit.ParamsVariable+"=")
	out, _ := cmd.CombinedOutput()
	for _, want := range []string{"not defined: -size", "-rounds", "measured rounds, after one of warm-up (now 5)"} {
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), want) {
			t.Errorf("exit code %d, want 2 and %q in\n%s", cmd.ProcessState.ExitCode(), want, out)
		}
	}
}

// A notebook's own struct may embed the plan and add to it.
func TestParamsOfAnEmbeddedPlan(t *testing.T) {
	type own struct {
		labkit.Plan
		Items  int `param:"items" help:"items of a dictionary"`
		hidden int // of no concern to anybody
	}
	plan := own{labkit.Plan{Name: "own", N: []int{10}, Rounds: 5, Keys: 1}, 25, 3}
	if err := labkit.SetParams(&plan, map[string]string{"items": "7", "n": "20,30"}); err != nil {
		t.Fatal(err)
	}
	if plan.Items != 7 || len(plan.N) != 2 || plan.N[1] != 30 {
		t.Errorf("the plan is %+v", plan)
	}
	if diff := cmp.Diff(map[string]string{"items": "7"}, plan.Own); diff != "" {
		t.Errorf("own parameters (-want +got):\n%s", diff)
	}
	before, copied := plan.Fingerprint(), plan
	if err := labkit.SetParams(&plan, map[string]string{"items": "8"}); err != nil {
		t.Fatal(err)
	}
	if plan.Fingerprint() == before || copied.Fingerprint() != before {
		t.Errorf("another value of an own parameter: plan %s, before %s; of a copy %s", plan.Fingerprint(), before, copied.Fingerprint())
	}
	if got := plan.String(); !strings.Contains(got, "durability process-crash; items = 8 (plan ") {
		t.Errorf("the plan reads %q", got)
	}
	names := ""
	for _, p := range labkit.ListParams(&plan) {
		names += p.Name + " "
	}
	if want := "name n rounds keys seed durability records key skip-bad items "; names != want {
		t.Errorf("parameters %q, want %q", names, want)
	}
	if err := labkit.SetParams(&plan, map[string]string{"rounds": "0"}); !errors.Is(err, labkit.ErrPlan) {
		t.Errorf("error %v, want ErrPlan", err)
	}
}
