package notebook

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"
	"golang.org/x/net/html"
)

// Attachment is a file that a page carries, compressed, as a link to be saved.
// Some browsers save no link of more than 2 MB; [ReadAttachments] has no such
// limit.
type Attachment struct {
	Name string // its file name, without a folder; the link adds ".gz"
	Data []byte
}

// packed starts the link to a compressed file.
const packed = "data:application/gzip;base64,"

func (a Attachment) dataURI() (string, error) {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	_, err = w.Write(a.Data)
	err = errors.Join(err, w.Close())
	return packed + base64.StdEncoding.EncodeToString(buf.Bytes()), err
}

// MaxAttached is the most that the files of one page may hold together, in bytes:
// a page that says more was made to fill the memory of whoever reads it.
const MaxAttached = 64 << 20

// Gunzip unpacks at most most bytes: a file that holds more is an error.
func Gunzip(data []byte, most int) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	data, err = io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("unpacked it has more than the %s that are left for it", humanize.Bytes(uint64(most)))
	}
	return data, err
}

// unpack returns what a link holds, of which at most most bytes are unpacked.
// Pages of earlier labs carry their files as they are.
func unpack(link string, most int) ([]byte, error) {
	_, text, ok := strings.Cut(link, ";base64,")
	if !ok {
		return nil, errors.New("it is no base64")
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !strings.HasPrefix(link, packed) {
		return data, err
	}
	return Gunzip(data, most)
}

// ReadAttachments returns the files that a page written by [Notebook.HTML]
// carries, in their order; none for other HTML. The error is that of r, or says
// which file's data is damaged, or beyond [MaxAttached]. Names are as found: check them before they
// become paths.
func ReadAttachments(r io.Reader) ([]Attachment, error) {
	var found []Attachment
	left := MaxAttached
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
			link := attr(tag, "href")
			data, err := unpack(link, left)
			if err != nil {
				return found, fmt.Errorf("the attached file %q is damaged: %w", name, err)
			}
			left -= len(data)
			if strings.HasPrefix(link, packed) {
				name = strings.TrimSuffix(name, ".gz")
			}
			found = append(found, Attachment{Name: name, Data: data})
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
