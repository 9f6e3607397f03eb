package notebook

import (
	"fmt"
	"html"
	"iter"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
)

// The colours of code on a light and on a dark page.
const (
	lightStyle = "github"
	darkStyle  = "github-dark"
)

var formatter = chromahtml.New(chromahtml.WithClasses(true), chromahtml.PreventSurroundingPre(true), chromahtml.WithCSSComments(false))

// highlight colours code of the language by class names. A language that is not
// known gives the code as it is.
func highlight(language, code string) string {
	plain := "<pre><code>" + html.EscapeString(code) + "</code></pre>"
	lexer := lexers.Get(language)
	if lexer == nil {
		return plain
	}
	var tokens []chroma.Token
	for block, magic := range blocks(language, code) {
		if magic {
			tokens = append(tokens, chroma.Token{Type: chroma.CommentPreproc, Value: block})
			continue
		}
		found, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, block)
		if err != nil {
			return plain
		}
		for t := range found.Stdlib() {
			if strings.TrimSpace(t.Value) == "" {
				t.Type = chroma.Text // no element of its own for each space
			}
			tokens = append(tokens, t)
		}
	}
	var b strings.Builder
	if err := formatter.Format(&b, styles.Get(lightStyle), chroma.Literator(tokens...)); err != nil {
		return plain
	}
	return `<pre class="chroma"><code>` + b.String() + "</code></pre>"
}

// blocks cuts Go code of a cell at the lines that GoNB takes as commands, which
// would throw the lexer off.
func blocks(language, code string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		var block strings.Builder
		flush := func() bool {
			s := block.String()
			block.Reset()
			return s == "" || yield(s, false)
		}
		for line := range strings.Lines(code) {
			if language == "go" && isMagic(line) {
				if !flush() || !yield(line, true) {
					return
				}
				continue
			}
			block.WriteString(line)
		}
		flush()
	}
}

// codeCSS is the style sheet for what highlight produces. Print is always
// light. Neither style is laid over the other: a token that only the light one
// colours would stay dark on dark.
func codeCSS() (string, error) {
	var light, dark strings.Builder
	if err := formatter.WriteCSS(&light, styles.Get(lightStyle)); err != nil {
		return "", err
	}
	if err := formatter.WriteCSS(&dark, styles.Get(darkStyle)); err != nil {
		return "", err
	}
	return fmt.Sprintf("@media print, not all and (prefers-color-scheme: dark) {\n%s}\n@media screen and (prefers-color-scheme: dark) {\n%s}\n", light.String(), dark.String()), nil
}
