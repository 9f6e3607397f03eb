package notebook

import (
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// unsafe looks for what must not be in a page, by other means than sanitize:
// it names what is forbidden, and parses as a browser does that runs scripts
// and as one that does not. It returns "" for a safe page.
func unsafe(page string) string {
	for _, scripting := range []bool{true, false} {
		doc, err := html.ParseWithOptions(strings.NewReader(page), html.ParseOptionEnableScripting(scripting))
		if err != nil {
			return err.Error()
		}
		if why := unsafeNode(doc); why != "" {
			return why
		}
	}
	return ""
}

var (
	forbiddenElement = regexp.MustCompile(`(?i)^(script|iframe|frame|frameset|object|embed|applet|base|link|audio|video|source|track|portal|form|template|foreignobject|animate.*|set|handler|noscript|math)$`)
	loadingAttribute = regexp.MustCompile(`(?i)^(src|srcset|imagesrcset|poster|background|data|action|formaction|ping|manifest|cite|longdesc|usemap|codebase|archive|profile|srcdoc|attributionsrc|xml:base|target)$`)
	loadingCSS       = regexp.MustCompile(`(?i)@import|image-set\(|expression\s*\(|url\(\s*["']?(?:[^#d"'\s]|d[^a])`)
	runningScheme    = regexp.MustCompile(`(?i)^[\x00-\x20]*(j\s*a\s*v\s*a\s*s\s*c\s*r\s*i\s*p\s*t|v\s*b\s*s\s*c\s*r\s*i\s*p\s*t|data)\s*:`)
)

func unsafeNode(n *html.Node) string {
	if n.Type == html.ElementNode {
		if forbiddenElement.MatchString(n.Data) {
			return "element " + n.Data
		}
		if n.Data == "meta" && !safeMeta(n) {
			return "a meta element"
		}
		for _, a := range n.Attr {
			key, val := strings.ToLower(a.Key), a.Val
			image := strings.HasPrefix(val, "data:image/") && (n.Data == "img" || n.Data == "image")
			switch {
			case strings.HasPrefix(key, "on"):
				return "handler " + key
			case loadingAttribute.MatchString(key) && !image:
				return key + "=" + val
			case strings.HasSuffix(key, "href") && n.Data == "a":
				if runningScheme.MatchString(val) && !isAttachment(n) {
					return "link to " + val
				}
			case strings.HasSuffix(key, "href") && !image && !strings.HasPrefix(val, "#"):
				return n.Data + " " + key + "=" + val
			case loadingCSS.MatchString(val) && (key == "style" || n.Namespace == "svg" && !strings.HasPrefix(key, "aria-") && !strings.HasPrefix(key, "data-")):
				return key + "=" + val
			}
		}
		if n.Data == "style" && n.FirstChild != nil && loadingCSS.MatchString(n.FirstChild.Data) {
			return "style sheet " + n.FirstChild.Data
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if why := unsafeNode(c); why != "" {
			return why
		}
	}
	return ""
}

// safeMeta knows the page's own meta elements.
func safeMeta(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "http-equiv" && a.Val != "Content-Security-Policy" {
			return false
		}
	}
	return true
}

// isAttachment knows the page's own download links.
func isAttachment(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "download" {
			return true
		}
	}
	return false
}

// hostile are fragments that try to run or load something.
var hostile = []string{
	`<script>alert(1)</script>`,
	`<SCRIPT SRC=http://x.example/a.js></SCRIPT>`,
	`<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`<svg onload=alert(1)>`,
	`<svg><script>alert(1)</script></svg>`,
	`<svg><script href="http://x.example/a.js"/></svg>`,
	`<svg><foreignObject><iframe src="http://x.example"></iframe></foreignObject></svg>`,
	`<svg><animate attributeName=href values=javascript:alert(1) /><a id=x><rect/></a></svg>`,
	`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`,
	`<svg><set attributeName=onmouseover to=alert(1)></svg>`,
	`<svg><use href="http://x.example/a.svg#b"/><use xlink:href="data:image/svg+xml,<svg/>"/></svg>`,
	`<svg><image href="http://x.example/a.png"/><feImage href="http://x.example/a.png"/></svg>`,
	`<svg><rect fill="url(http://x.example/a.svg#g)" filter="url('//x.example/f#f')"/></svg>`,
	`<svg><style>@import "http://x.example/a.css";</style></svg>`,
	`<svg><style>*{background:url(http://x.example/a)}</style></svg>`,
	`<svg xml:base="http://x.example/"><use href="#a"/></svg>`,
	`<svg><title><img src=x onerror=alert(1)></title></svg>`,
	`<svg><desc><script>alert(1)</script></desc></svg>`,
	`<svg><style><img src=x onerror=alert(1)></style></svg>`,
	`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<svg></p><style><a title="</style><img src=x onerror=alert(1)>">`,
	`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
	`<img src=x onerror=alert(1)>`,
	`<img src="http://x.example/a.png" srcset="http://x.example/b.png 2x" attributionsrc>`,
	`<img src="data:text/html,<script>alert(1)</script>">`,
	`<a href="javascript:alert(1)">x</a>`,
	"<a href=\"java\nscript:alert(1)\">x</a>",
	"<a href=\"\x01 javascript:alert(1)\">x</a>",
	`<a href="&#106;avascript:alert(1)">x</a>`,
	`<a href="data:text/html,<script>alert(1)</script>" ping="http://x.example">x</a>`,
	`<a href="vbscript:x" target=_blank download>x</a>`,
	`<base href="http://x.example/"><link rel=stylesheet href="http://x.example/a.css">`,
	`<meta http-equiv=refresh content="0;url=http://x.example">`,
	`<style>@import url(http://x.example/a.css);</style>`,
	`<style>@im\port "http://x.example/a.css";</style>`,
	`<style>p{background:\75rl(http://x.example/a)}</style>`,
	`<style>p{background:image-set("http://x.example/a" 1x)}</style>`,
	`<style>@font-face{font-family:x;src:url(http://x.example/a)}</style>`,
	`<p style="background:url(http://x.example/a)">x</p>`,
	`<p style="background:URL( 'http://x.example/a' )">x</p>`,
	`<p style="width:expression(alert(1))">x</p>`,
	`<table background="http://x.example/a"><tr><td background="http://x.example/a">x</table>`,
	`<video poster="http://x.example/a" src="http://x.example/b"></video><audio src=x autoplay></audio>`,
	`<object data="http://x.example/a"></object><embed src="http://x.example/a">`,
	`<iframe srcdoc="<script>alert(1)</script>"></iframe>`,
	`<form action="http://x.example"><input type=image src="http://x.example/a" formaction=javascript:alert(1)><button formaction="javascript:alert(1)">x</button></form>`,
	`<input type=text autofocus onfocus=alert(1)>`,
	`<template><script>alert(1)</script></template>`,
	`<details ontoggle=alert(1) open>x</details>`,
	`<body onload=alert(1)>`,
	`<div><p>unclosed <b>tags`,
	`</div></section></main><script>alert(1)</script>`,
	`<!--><script>alert(1)</script>-->`,
	`<![CDATA[><script>alert(1)</script>]]>`,
	`<xmp><script>alert(1)</script></xmp><plaintext>`,
	"<p title=\"\x00\">\x00<scr\x00ipt>alert(1)</script>",
	`<select><template><style><!--</style><a rel="--></style></template></select><img id=x src onerror=alert(1)>`,
	strings.Repeat("<div>", 5000),
	strings.Repeat("<svg><title>", 300),
}

func TestSanitizeHostile(t *testing.T) {
	t.Parallel()
	for _, in := range hostile {
		clean := sanitize(in)
		if why := unsafe(clean); why != "" {
			t.Errorf("%.200s\nleaves %s in\n%.300s", in, why, clean)
		}
		if again := sanitize(clean); again != clean {
			t.Errorf("%.200s\nchanges when cleaned again:\n%.300s\n%.300s", in, clean, again)
		}
	}
}

// What honest outputs consist of comes through as it is.
func TestSanitizeKeeps(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		`plain text &amp; entities`,
		`<table class="lab"><caption>c</caption><thead><tr><th scope="col" style="text-align:right">n</th></tr></thead><tbody><tr><td colspan="2">1</td></tr></tbody></table>`,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9pt" role="img" aria-label="a chart"><title>a chart</title><defs><linearGradient id="g"><stop offset="0" stop-color="#fff"></stop></linearGradient><clipPath id="c"><rect width="9" height="9"></rect></clipPath></defs><g transform="translate(1,2)" clip-path="url(#c)" style="fill:url(#g);font-family:&#39;Liberation Serif&#39;"><path d="M0 0L9 9" stroke-dasharray="1,2"></path><text x="1" y="2" text-anchor="middle" font-size="12">x</text><use href="#c"></use></g></svg>`,
		`<svg viewBox="0 0 1 1"><style>@media (prefers-color-scheme: dark) { text { fill: #fff } }</style></svg>`,
		`<img src="data:image/png;base64,iVBORw0KGgo=" alt="a picture"/>`,
		`<a href="https://example.org/x?a=b#c">x</a> <a href="#y">y</a> <a href="bench.txt">z</a> <a href="mailto:a@example.org">m</a>`,
		`<div style="border:1px solid #888"><b>Verdict</b> <progress max="3" value="2"></progress><details open=""><summary>s</summary>t</details></div>`,
		"<pre>\n\nfirst line kept</pre>",
		`<input type="checkbox" disabled="" checked=""/>`,
	} {
		if got := sanitize(in); got != in {
			t.Errorf("changed\n%s\ninto\n%s", in, got)
		}
	}
}

func TestSanitizeUnwrapsAndDrops(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`a<custom-thing>b</custom-thing>c`:      `abc`,
		`a<button onclick=x>b</button>`:         `ab`,
		`a<script>b</script>c`:                  `ac`,
		`<p style="color:red;x:url(//y)">b</p>`: `<p>b</p>`,
		`a<!-- comment -->b`:                    `ab`,
		``:                                      ``,
	} {
		if got := sanitize(in); got != want {
			t.Errorf("sanitize(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, s := range hostile {
		if len(s) < 1000 {
			f.Add(s)
		}
	}
	f.Fuzz(func(t *testing.T, in string) {
		clean := sanitize(in)
		if why := unsafe(clean); why != "" {
			t.Fatalf("leaves %s in\n%s", why, clean)
		}
		// Inside a page, after other content, it must mean the same.
		if why := unsafe("<!DOCTYPE html><main><div>" + clean + "</div></main>"); why != "" {
			t.Fatalf("in a page, leaves %s in\n%s", why, clean)
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range hostile {
		if len(s) < 1000 {
			f.Add(s)
		}
	}
	f.Add("[x](javascript:alert(1)) ![y](http://x.example/a.png) <javascript:alert(1)>\n\n[z]: data:text/html,x\n[z]")
	f.Fuzz(func(t *testing.T, in string) {
		out, err := newMarkdownPage().render(in, nil)
		if err != nil {
			t.Fatal(err)
		}
		if why := unsafe(out); why != "" {
			t.Fatalf("leaves %s in\n%s", why, out)
		}
	})
}
