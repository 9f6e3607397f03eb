package notebook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"strings"
)

// html renders one output; empty when there is nothing to see, as of a display
// that was erased.
func (o *Output) html(md *markdownPage) (template.HTML, error) {
	if o.Type != Stream {
		return o.richest(md)
	}
	text := settle(stripANSI(o.Text))
	if strings.TrimSpace(text) == "" {
		return "", nil
	}
	return preformatted("stream "+streamClass(o.Name), text), nil
}

// failure says first what went wrong, and keeps the kernel's report of it one
// click away.
func (c *Cell) failure(o *Output) template.HTML {
	message := failureMessage(c.ExecutionCount, c.Outputs, locator{})
	report := strings.TrimSpace(stripANSI(strings.Join(o.Traceback, "\n")))
	body := preformatted("error", message)
	if report != "" && report != message && !exitStatus.MatchString(report) {
		body += "<details><summary>Full report</summary>" + preformatted("text", report) + "</details>"
	}
	return body
}

func streamClass(name string) string {
	if name == "stderr" {
		return "stderr"
	}
	return "stdout"
}

var base64Text = regexp.MustCompile(`^[A-Za-z0-9+/]*={0,2}$`)

func (o *Output) richest(md *markdownPage) (template.HTML, error) {
	text := func(mime string) (string, bool) {
		s, ok := o.Data[mime].(string)
		return s, ok
	}
	plain, _ := text("text/plain")
	if s, ok := text("text/html"); ok {
		// What was nothing but a script is better shown in another form.
		if clean := sanitize(s); strings.TrimSpace(clean) != "" || strings.TrimSpace(s) == "" {
			return wrap("rich", clean), nil
		}
	}
	if s, ok := text("image/svg+xml"); ok {
		return chart(sanitize(s), plain), nil
	}
	for _, mime := range []string{"image/png", "image/jpeg", "image/gif", "image/webp"} {
		s, ok := text(mime)
		if s = strings.Join(strings.Fields(s), ""); !ok || !base64Text.MatchString(s) {
			continue
		}
		return chart(fmt.Sprintf(`<img src="data:%s;base64,%s" alt="">`, mime, s), plain), nil
	}
	if s, ok := text("text/markdown"); ok {
		body, err := md.render(s, nil)
		return wrap("rich", body), err
	}
	if plain != "" {
		return preformatted("text", settle(stripANSI(plain))), nil
	}
	if v, ok := o.Data["application/json"]; ok {
		return preformatted("text", indentedJSON(v)), nil
	}
	return "", nil
}

func wrap(class, body string) template.HTML {
	if strings.TrimSpace(body) == "" {
		return ""
	}
	return template.HTML(fmt.Sprintf(`<div class="%s">%s</div>`, class, body))
}

// chart shows a picture, with its text form for those who cannot see it.
func chart(picture, text string) template.HTML {
	label := ""
	if text = strings.TrimSpace(stripANSI(text)); text != "" {
		label = fmt.Sprintf(` role="img" aria-label="%s"`, template.HTMLEscapeString(text))
	}
	return template.HTML(fmt.Sprintf(`<div class="chart"%s>%s</div>`, label, picture))
}

// maxShown bounds the text of one output on the page: browsers get slow, and
// nobody reads further.
const maxShown = 200_000 // bytes

func preformatted(class, s string) template.HTML {
	note := ""
	if len(s) > maxShown {
		note = fmt.Sprintf("\n[%d more bytes are in the notebook]", len(s)-maxShown)
		s = strings.ToValidUTF8(s[:maxShown], "")
	}
	return template.HTML(fmt.Sprintf(`<pre class="%s">%s%s</pre>`, class, template.HTMLEscapeString(s), note))
}

func indentedJSON(v any) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(buf.String())
}
