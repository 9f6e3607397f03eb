package notebook

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// sanitize makes an HTML fragment safe to put into a page that must run no
// script and load nothing: what the lists of allow.go do not name is removed.
// Elements that only wrap text lose the tag, the others go with their content.
//
// A browser may read the result differently from how it was meant if the
// fragment is crafted so ("mutation XSS"). So the result is read and cleaned
// again until nothing changes; what does not come to rest, or cannot be parsed,
// is shown as the text that it is.
func sanitize(fragment string) string {
	const patience = 4
	fragment = strings.ReplaceAll(fragment, "\x00", "\ufffd") // parsers disagree about NUL
	current := fragment
	for range patience {
		clean, err := sanitizeOnce(current)
		if err != nil {
			break
		}
		if clean == current {
			return clean
		}
		current = clean
	}
	return "<pre>" + html.EscapeString(fragment) + "</pre>"
}

func sanitizeOnce(fragment string) (string, error) {
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragmentWithOptions(strings.NewReader(fragment), context, html.ParseOptionEnableScripting(false))
	if err != nil {
		return "", err
	}
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	cleanChildren(root)
	var buf bytes.Buffer
	for c := root.FirstChild; c != nil; c = c.NextSibling {
		if err := html.Render(&buf, c); err != nil {
			return "", err
		}
	}
	return buf.String(), nil
}

func cleanChildren(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		switch verdict(n) {
		case keep:
			cleanAttributes(n)
			cleanChildren(n)
		case unwrap:
			cleanChildren(n)
			for c := n.FirstChild; c != nil; c = n.FirstChild {
				n.RemoveChild(c)
				parent.InsertBefore(c, n)
			}
			parent.RemoveChild(n)
		case drop:
			parent.RemoveChild(n)
		}
		n = next
	}
}

type fate int

const (
	drop fate = iota
	unwrap
	keep
)

func verdict(n *html.Node) fate {
	switch n.Type {
	case html.TextNode:
		return keep
	case html.ElementNode:
	default: // comments, doctypes
		return drop
	}
	switch n.Namespace {
	case "":
		switch {
		case n.Data == "style":
			return styleVerdict(n)
		case n.Data == "input":
			return inputVerdict(n)
		case htmlElements[n.Data]:
			return keep
		case droppedElements[n.Data]:
			return drop
		}
		return unwrap
	case "svg":
		switch {
		case n.Data == "style":
			return styleVerdict(n)
		case n.Data == "title" || n.Data == "desc":
			// Their content is HTML again; only text is wanted.
			return textOnly(n)
		case svgElements[n.Data]:
			return keep
		}
	}
	return drop
}

// styleVerdict keeps a style sheet that loads nothing, and lets it contain
// nothing that could end it early.
func styleVerdict(n *html.Node) fate {
	if textOnly(n) == drop {
		return drop
	}
	if c := n.FirstChild; c != nil && (strings.Contains(c.Data, "<") || !cssLoadsNothing(c.Data)) {
		return drop
	}
	n.Attr = nil // media= and nonce= change nothing for the better
	return keep
}

func textOnly(n *html.Node) fate {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type != html.TextNode {
			return drop
		}
	}
	return keep
}

// inputVerdict keeps the check boxes of a markdown task list.
func inputVerdict(n *html.Node) fate {
	checked := false
	for _, a := range n.Attr {
		switch a.Key {
		case "type":
			if a.Val != "checkbox" {
				return drop
			}
		case "checked":
			checked = true
		}
	}
	n.Attr = []html.Attribute{{Key: "type", Val: "checkbox"}, {Key: "disabled"}}
	if checked {
		n.Attr = append(n.Attr, html.Attribute{Key: "checked"})
	}
	return keep
}

func cleanAttributes(n *html.Node) {
	if n.Data == "input" {
		return // done by inputVerdict
	}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return !attributeAllowed(n, a) })
}

func attributeAllowed(n *html.Node, a html.Attribute) bool {
	key := a.Key
	if a.Namespace != "" {
		key = a.Namespace + ":" + key
	}
	switch key {
	case "href":
		return hrefAllowed(n, a.Val)
	case "xlink:href":
		return n.Namespace == "svg" && hrefAllowed(n, a.Val)
	case "src":
		return n.Namespace == "" && n.Data == "img" && dataImage.MatchString(a.Val)
	}
	if strings.HasPrefix(key, "aria-") || strings.HasPrefix(key, "data-") {
		return attributeName.MatchString(key)
	}
	allowed := htmlAttributes
	if n.Namespace == "svg" {
		allowed = svgAttributes
	}
	return allowed[key] && cssLoadsNothing(a.Val)
}

// hrefAllowed lets a link lead anywhere that runs nothing, and everything else
// refer to the page itself or to an image that it holds.
func hrefAllowed(n *html.Node, ref string) bool {
	switch {
	case n.Data == "a":
		return linkAllowed(ref)
	case n.Namespace == "svg" && n.Data == "image":
		return dataImage.MatchString(ref)
	case n.Namespace == "svg":
		return strings.HasPrefix(ref, "#")
	}
	return false
}

func linkAllowed(ref string) bool {
	// Browsers drop these before they look for the scheme.
	ref = strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f {
			return -1
		}
		return r
	}, ref)
	scheme := linkScheme.FindStringSubmatch(ref)
	if scheme == nil {
		return true // relative, or within the page
	}
	switch strings.ToLower(scheme[1]) {
	case "http", "https", "mailto":
		return true
	}
	return false
}

var (
	linkScheme    = regexp.MustCompile(`^([^/?#:]*):`)
	dataImage     = regexp.MustCompile(`^data:image/(?:png|jpeg|gif|webp|svg\+xml)[;,]`)
	attributeName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

	// cssLoads matches what makes CSS load something, or run something in
	// browsers of old, save that a url() is looked at more closely.
	cssLoads = regexp.MustCompile(`(?i)@import|@namespace|@font-face|@document|expression\s*\(|script\s*:|-moz-binding|behavior\s*:|(?:src|image|image-set|cross-fade|paint|element)\s*\(`)
	cssURL   = regexp.MustCompile(`(?i)url\s*\(\s*["']?\s*([^"')]*)`)
)

// cssLoadsNothing says that the style sheet, declaration or attribute value
// refers to nothing outside the page. Escapes can spell anything: none are let
// through.
func cssLoadsNothing(css string) bool {
	if strings.Contains(css, `\`) || cssLoads.MatchString(css) {
		return false
	}
	for _, m := range cssURL.FindAllStringSubmatch(css, -1) {
		if !strings.HasPrefix(m[1], "#") && !dataImage.MatchString(m[1]) {
			return false
		}
	}
	return true
}
