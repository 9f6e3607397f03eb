package notebook

import (
	"testing"
)

func TestSmoke(t *testing.T) {
	nb := New(prose("# Hello"), code("import \"fmt\"\n%%\nfmt.Println(\"hi\")"), code("%%\nundefinedThing()"))
	out, err := Run(t.Context(), kernel, nb, Options{OnCell: func(i, n int, s string) { t.Log(i, n, s) },
		OnOutput: func(i int, o *Output) { t.Logf("%d %+v", i, o) }})
	t.Log(err)
	for _, c := range out.Cells {
		t.Logf("%+v", c)
	}
}

func TestSmoke2(t *testing.T) {
	nb := New(code("func boom() { panic(\"ouch\") }\n%%\nboom()"))
	_, err := Run(t.Context(), kernel, nb, Options{})
	t.Log(err)
	nb = New(code("import \"os\"\n%%\nprintln(\"bye\"); os.Exit(3)"))
	_, err = Run(t.Context(), kernel, nb, Options{})
	t.Log(err)
}
