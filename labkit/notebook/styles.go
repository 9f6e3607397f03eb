package notebook

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"
)

// styleSheet gives the styles that outputs repeat on every cell of a table a name
// each. Outputs must carry their styles themselves, since JupyterLab has its own
// for tables; a page has one sheet for all of them, and is less than half as long.
type styleSheet struct {
	seen  map[string]int // how often a style stands in the outputs
	names map[string]string
	rules strings.Builder
}

// styledTag matches an element as html.Render writes it. SVG is not among them: a
// drawing keeps its own styles, so that it can be taken out of the page.
var styledTag = regexp.MustCompile(`<(?:table|caption|tr|th|td|p|span|div)(?: [a-z-]+="[^"]*")*>`)

// styleAttribute matches declarations that end where they seem to: no brace, quote,
// comment or open bracket lets them reach into the rule after them.
var styleAttribute = regexp.MustCompile(` style="((?:[\w :;,.#%-]|\([\w ,.%-]*\))+)"`)

// count takes note of the styles in a piece of HTML that sanitize has written.
func (s *styleSheet) count(body template.HTML) {
	for _, tag := range styledTag.FindAllString(string(body), -1) {
		if m := styleAttribute.FindStringSubmatch(tag); m != nil {
			s.seen[m[1]]++
		}
	}
}

// replace puts a class in the place of every style that was counted often.
func (s *styleSheet) replace(body template.HTML) template.HTML {
	return template.HTML(styledTag.ReplaceAllStringFunc(string(body), func(tag string) string {
		m := styleAttribute.FindStringSubmatch(tag)
		const often = 3
		if m == nil || s.seen[m[1]] < often || strings.Contains(tag, ` class="`) {
			return tag
		}
		return strings.Replace(tag, m[0], fmt.Sprintf(` class="%s"`, s.name(m[1])), 1)
	}))
}

// name returns the class of a style, whose rule outweighs those of the page as
// the attribute did.
func (s *styleSheet) name(style string) string {
	name, ok := s.names[style]
	if !ok {
		name = fmt.Sprintf("s-%d", len(s.names)+1)
		s.names[style] = name
		fmt.Fprintf(&s.rules, ".%[1]s.%[1]s { %[2]s }\n", name, style)
	}
	return name
}
