package notebook

import (
	"os"
	"testing"
)

func TestSmokeHTML(t *testing.T) {
	nb := New(prose("# Hello\n\nSome *text*[^1] with `code`, $x^2$\n\n[^1]: a note\n\n|a|b|\n|-|-:|\n|1|2|\n\n```go\nfunc main() {}\n```\n\n- [x] done\n- [ ] not\n\n## Second\n\n<script>alert(1)</script><b onclick=x>bold</b>\n"),
		code("// Say hi\nimport (\n\t\"fmt\"\n\t\"github.com/janpfeifer/gonb/gonbui\"\n)\n%%\nfmt.Println(\"hi\")\ngonbui.DisplaySVG(`<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 100 40\" width=\"400\"><rect width=\"100\" height=\"40\" fill=\"#fff\"/><linearGradient id=\"g\"><stop offset=\"0\" stop-color=\"red\"/></linearGradient><path d=\"M0 0L100 40\" stroke=\"#06c\" style=\"fill:url(#g)\"/></svg>`)\ngonbui.DisplayHTML(`<table><thead><tr><th>arm<th style=\"text-align:right\">rec/s</thead><tbody><tr><td>shelf<td style=\"text-align:right\">12 345</tr></table>`)\ngonbui.Sync()"),
		code("%%\nundefinedThing()"))
	out, err := Run(t.Context(), kernel, nb, Options{})
	t.Log(err)
	f, _ := os.Create("/tmp/smoke.html")
	if err := out.HTML(f, Page{Header: "<p><b>Verdict</b>: none", Attachments: []Attachment{{"summary.json", []byte("{}")}}}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := out.Write("/tmp/smoke.ipynb"); err != nil {
		t.Fatal(err)
	}
}
