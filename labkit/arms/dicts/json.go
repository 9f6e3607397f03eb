package dicts

import (
	"encoding/json"
	"os"

	fast "github.com/goccy/go-json"

	"shelflab/labkit"
	"shelflab/labkit/arms/whole"
)

// engine is one implementation of JSON: the two have the same calls and write
// the same format, as Python's pickle in Python and in C did.
type engine struct {
	marshal   func(any) ([]byte, error)
	unmarshal func([]byte, any) error
}

var (
	standard = engine{json.Marshal, json.Unmarshal}
	faster   = engine{fast.Marshal, fast.Unmarshal}
)

func (e engine) save(class labkit.Durability) func(string, []map[string]string) error {
	return func(path string, list []map[string]string) error {
		text, err := e.marshal(list)
		if err != nil {
			return err
		}
		return whole.Create(path, class, func(f *os.File) error {
			_, err := f.Write(text)
			return err
		})
	}
}

// load reads what either engine has saved. A file that was cut or extended is an
// error; a letter that was changed into another is not noticed, and what is no
// UTF-8 has come back as U+FFFD.
func (e engine) load(path string) (list []map[string]string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	err = e.unmarshal(text, &list)
	return list, err
}
