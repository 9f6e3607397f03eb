package evidence_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"shelflab/labkit/evidence"
)

// kept collects the struct types that summary.json is made of.
func kept(of reflect.Type, names []string) []string {
	switch of.Kind() {
	case reflect.Slice, reflect.Map, reflect.Pointer:
		return kept(of.Elem(), names)
	case reflect.Struct:
	default:
		return names
	}
	name := of.PkgPath() + "." + of.Name()
	if !strings.HasPrefix(name, "shelflab/") || slices.Contains(names, name) {
		return names
	}
	names = append(names, name)
	for field := range of.Fields() {
		names = kept(field.Type, names)
	}
	return names
}

// Every field of summary.json says in the source what stands in it.
func TestEveryFieldIsDocumented(t *testing.T) {
	types := kept(reflect.TypeFor[evidence.Run](), nil)
	if len(types) < 14 {
		t.Fatalf("only %v", types)
	}
	found := 0
	for pkg, dir := range map[string]string{"shelflab/labkit": "..", "shelflab/labkit/evidence": "."} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				spec, ok := n.(*ast.TypeSpec)
				if !ok || !slices.Contains(types, pkg+"."+spec.Name.Name) {
					return true
				}
				found++
				for _, field := range spec.Type.(*ast.StructType).Fields.List {
					if field.Tag == nil {
						continue
					}
					tag, err := strconv.Unquote(field.Tag.Value)
					if err != nil {
						t.Fatal(err)
					}
					if reflect.StructTag(tag).Get("json") != "-" && field.Doc.Text() == "" && field.Comment.Text() == "" {
						t.Errorf("%s: %s.%s has no comment", name, spec.Name.Name, field.Names[0])
					}
				}
				return true
			})
		}
	}
	if found != len(types) {
		t.Errorf("%d of the types %v were found in the source", found, types)
	}
}
