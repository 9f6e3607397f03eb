package notebook

import (
	"encoding/base64"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html"
)

// Attachment is a file that a page carries as a link to be saved. Some browsers
// save no link of more than 2 MB; [ReadAttachments] has no such limit.
type Attachment struct {
	Name string // its file name, without a folder
	Data []byte
}

func (a Attachment) dataURI() string {
	mime := "application/octet-stream"
	switch {
	case strings.HasSuffix(a.Name, ".json"), strings.HasSuffix(a.Name, ".ipynb"):
		mime = "application/json"
	case strings.HasSuffix(a.Name, ".txt"):
		mime = "text/plain"
	}
	return "data:" + mime + ";base64," + base64.StdEncoding.EncodeToString(a.Data)
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
