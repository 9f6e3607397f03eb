package notebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// decode parses a notebook. Fields that the types do not name are kept in
// their rest maps, and numbers as they were spelled, so that writing the
// notebook again loses nothing.
func decode(data []byte) (*Notebook, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%w: not UTF-8 text", ErrNotNotebook)
	}
	top, err := decodeObject(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotNotebook, err)
	}
	major, ok := intOf(top["nbformat"])
	if !ok {
		return nil, fmt.Errorf("%w: no nbformat number", ErrNotNotebook)
	}
	if major != formatMajor {
		return nil, fmt.Errorf("%w: it is nbformat %d, this reads nbformat 4 (open and save it in JupyterLab to convert it)", ErrFormat, major)
	}
	nb := &Notebook{rest: top}
	nb.minor, _ = intOf(top["nbformat_minor"])
	if nb.Metadata, ok = take[map[string]any](top, "metadata"); !ok {
		return nil, fmt.Errorf("%w: metadata is missing or no object", ErrNotNotebook)
	}
	cells, ok := take[[]any](top, "cells")
	if !ok {
		return nil, fmt.Errorf("%w: cells is missing or no list", ErrNotNotebook)
	}
	for i, v := range cells {
		c, err := decodeCell(v)
		if err != nil {
			return nil, fmt.Errorf("%w: cell %d: %w", ErrNotNotebook, i+1, err)
		}
		nb.Cells = append(nb.Cells, c)
	}
	delete(top, "nbformat")
	delete(top, "nbformat_minor")
	nb.minor = max(nb.minor, formatMinor)
	nb.fixIDs()
	return nb, nil
}

func decodeObject(data []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var top map[string]any
	if err := dec.Decode(&top); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, errors.New("the file is empty")
		}
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("something follows the notebook at byte %d", dec.InputOffset())
	}
	return top, nil
}

func decodeCell(v any) (*Cell, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("no object")
	}
	c := &Cell{rest: m}
	kind, _ := take[string](m, "cell_type")
	c.Kind = Kind(kind)
	switch c.Kind {
	case Code, Markdown, Raw:
	default:
		return nil, fmt.Errorf("cell_type %q is not code, markdown or raw", kind)
	}
	c.ID, _ = take[string](m, "id")
	c.Metadata, _ = take[map[string]any](m, "metadata")
	c.Attachments, _ = take[map[string]any](m, "attachments")
	if c.Source, ok = joinLines(m["source"]); !ok {
		return nil, errors.New("source is missing or no text")
	}
	delete(m, "source")
	if c.Kind != Code {
		return c, nil
	}
	c.ExecutionCount, _ = intOf(m["execution_count"])
	delete(m, "execution_count")
	outputs, _ := take[[]any](m, "outputs")
	for i, v := range outputs {
		o, err := decodeOutput(v)
		if err != nil {
			return nil, fmt.Errorf("output %d: %w", i+1, err)
		}
		c.Outputs = append(c.Outputs, o)
	}
	return c, nil
}

func decodeOutput(v any) (*Output, error) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("no object")
	}
	typ, _ := take[string](m, "output_type")
	o := &Output{Type: OutputType(typ), rest: m}
	switch o.Type {
	case Stream:
		o.Name, _ = take[string](m, "name")
		if o.Text, ok = joinLines(m["text"]); !ok {
			return nil, errors.New("text of a stream is missing or no text")
		}
		delete(m, "text")
	case DisplayData, ExecuteResult:
		o.Metadata, _ = take[map[string]any](m, "metadata")
		data, ok := take[map[string]any](m, "data")
		if !ok {
			return nil, errors.New("data is missing or no object")
		}
		for mime, v := range data {
			if !isJSONType(mime) {
				if s, ok := joinLines(v); ok {
					data[mime] = s
				}
			}
		}
		o.Data = data
		if o.Type == ExecuteResult {
			o.ExecutionCount, _ = intOf(m["execution_count"])
			delete(m, "execution_count")
		}
	case Error:
		o.EName, _ = take[string](m, "ename")
		o.EValue, _ = take[string](m, "evalue")
		lines, _ := take[[]any](m, "traceback")
		for _, l := range lines {
			s, ok := l.(string)
			if !ok {
				return nil, errors.New("a traceback line is no text")
			}
			o.Traceback = append(o.Traceback, s)
		}
	default:
		return nil, fmt.Errorf("output_type %q is not known", typ)
	}
	return o, nil
}

// Encode returns what Write writes.
func (nb *Notebook) Encode() ([]byte, error) {
	top := withRest(nb.rest)
	top["nbformat"] = formatMajor
	top["nbformat_minor"] = max(nb.minor, formatMinor)
	top["metadata"] = notNil(nb.Metadata)
	cells := make([]any, len(nb.Cells))
	for i, c := range nb.Cells {
		cells[i] = c.object()
	}
	top["cells"] = cells

	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(top); err != nil {
		return nil, err
	}
	return plainSeparators(buf.Bytes()), nil
}

func (c *Cell) object() map[string]any {
	m := withRest(c.rest)
	m["cell_type"] = string(c.Kind)
	m["id"] = c.ID
	m["metadata"] = notNil(c.Metadata)
	m["source"] = splitLines(c.Source)
	if c.Attachments != nil {
		m["attachments"] = c.Attachments
	}
	if c.Kind == Code {
		m["execution_count"] = countOrNull(c.ExecutionCount)
		outputs := make([]any, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = o.object()
		}
		m["outputs"] = outputs
	}
	return m
}

func (o *Output) object() map[string]any {
	m := withRest(o.rest)
	m["output_type"] = string(o.Type)
	switch o.Type {
	case Stream:
		m["name"] = o.Name
		m["text"] = splitLines(o.Text)
	case DisplayData, ExecuteResult:
		data := make(map[string]any, len(o.Data))
		for mime, v := range o.Data {
			if s, ok := v.(string); ok && isSplitType(mime) {
				v = splitLines(s)
			}
			data[mime] = v
		}
		m["data"] = data
		m["metadata"] = notNil(o.Metadata)
		if o.Type == ExecuteResult {
			m["execution_count"] = countOrNull(o.ExecutionCount)
		}
	case Error:
		m["ename"] = o.EName
		m["evalue"] = o.EValue
		m["traceback"] = append([]string{}, o.Traceback...)
	}
	return m
}

// isJSONType says that a MIME bundle's value is JSON rather than text.
func isJSONType(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

// isSplitType says that Jupyter stores values of this type as a list of lines.
func isSplitType(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml"
}
