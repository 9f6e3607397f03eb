package rows

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// levels is how many levels of objects are flattened.
const levels = 4

// jsonLines calls each for every line that is not blank.
func jsonLines(content []byte, each func(line int, cells []cell, bad error) error) error {
	number := 0
	for len(content) > 0 {
		var line []byte
		line, content, _ = bytes.Cut(content, []byte("\n"))
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		cells, err := object(line)
		if err := each(number, cells, err); err != nil {
			return err
		}
	}
	return nil
}

// object reads the one JSON object that a line holds.
func object(line []byte) ([]cell, error) {
	switch {
	case len(line) > MaxLine:
		return nil, tooLong(len(line))
	case !utf8.Valid(line):
		return nil, errNotUTF8
	case line[0] == '[':
		return nil, errors.New("a list: write one object a line")
	case line[0] != '{':
		return nil, errors.New("not a JSON object")
	case !json.Valid(line):
		return nil, syntax(line)
	}
	cells, err := flatten(nil, "", line, 1)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(cells))
	for _, c := range cells {
		if seen[c.field] {
			return nil, fmt.Errorf("the field %q is there twice", c.field)
		}
		seen[c.field] = true
	}
	return cells, nil
}

// syntax says what is wrong with a line.
func syntax(line []byte) error {
	err := json.Unmarshal(line, new(json.RawMessage))
	if at := new(json.SyntaxError); errors.As(err, &at) {
		if int(at.Offset) >= len(line) {
			return errors.New("the JSON object does not end on its line")
		}
		return fmt.Errorf("no JSON at character %d: %s", at.Offset, strings.TrimPrefix(at.Error(), "json: "))
	}
	return err
}

// flatten appends the fields of a JSON object to cells, those of objects in it
// under both names. text must be valid.
func flatten(cells []cell, prefix string, text []byte, level int) ([]cell, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	if _, err := decoder.Token(); err != nil { // the brace
		return nil, err
	}
	for decoder.More() {
		var raw json.RawMessage
		token, err := decoder.Token()
		if err == nil {
			err = decoder.Decode(&raw)
		}
		if err != nil {
			return nil, err
		}
		name := prefix + token.(string)
		if raw[0] == '{' && level < levels && !emptyObject(raw) {
			cells, err = flatten(cells, name+".", raw, level+1)
		} else {
			var c cell
			c, err = value(name, raw)
			cells = append(cells, c)
		}
		if err != nil {
			return nil, err
		}
	}
	_, err := decoder.Token()
	if err == io.EOF {
		err = nil
	}
	return cells, err
}

func emptyObject(raw []byte) bool { return len(bytes.Trim(raw, "{} \t\r\n")) == 0 }

// value is one JSON value that is not flattened.
func value(name string, raw []byte) (cell, error) {
	switch raw[0] {
	case 'n':
		return cell{field: name}, nil
	case 't', 'f':
		return cell{field: name, kind: Truth, text: string(raw)}, nil
	case '"':
		text, err := unquote(raw)
		return cell{field: name, kind: Text, text: text}, err
	case '[', '{':
		var compact bytes.Buffer
		err := json.Compact(&compact, raw)
		return cell{field: name, kind: JSON, text: compact.String()}, err
	}
	return number(name, string(raw)), nil
}

// unquote is the text of a JSON string. Half of a surrogate pair is refused:
// encoding/json would put another character in its place.
func unquote(raw []byte) (text string, err error) {
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", err
	}
	const replaced = "\uFFFD"
	escaped := strings.Count(strings.ToLower(string(raw)), `\ufffd`)
	if strings.Count(text, replaced) > bytes.Count(raw, []byte(replaced))+escaped {
		return "", errors.New(`half of a character, such as \ud800, in a text`)
	}
	return text, nil
}
