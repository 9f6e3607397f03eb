package notebook

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
)

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

// ReadAttachments returns the files that a page written by [Notebook.HTML]
// carries, in their order; none for other HTML. The error is that of r, or says
// which file's data is damaged. Names are as found: check them before they
// become paths.
func ReadAttachments(r io.Reader) ([]Attachment, error) {
	var found []Attachment
	tokens := html.NewTokenizer(r)
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); err != io.EOF {
				return found, err
			}
			return found, nil
		case html.StartTagToken:
			tag := tokens.Token()
			// A cell cannot forge one: its links lose download and data.
			name := attr(tag, "download")
			if tag.Data != "a" || attr(tag, "class") != "attachment" || name == "" {
				continue
			}
			_, data, ok := strings.Cut(attr(tag, "href"), ";base64,")
			raw, err := base64.StdEncoding.DecodeString(data)
			if !ok || err != nil {
				return found, fmt.Errorf("the attached file %q is damaged", name)
			}
			found = append(found, Attachment{Name: name, Data: raw})
		}
	}
}

func attr(t html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
