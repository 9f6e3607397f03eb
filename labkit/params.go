package labkit

import (
	"encoding"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// ParamsVariable is the environment variable through which `lab run -p` hands
// values to the parameter cell: a JSON object of names and texts.
const ParamsVariable = "SHELFLAB_PARAMS"

// Param is one value of a plan that can be changed from outside.
type Param struct {
	Name  string // as in -p NAME=VALUE and --NAME=VALUE
	Help  string // one line
	Value string // as text, in the form that Set takes
	field reflect.Value
}

// Params is what a notebook's parameter cell calls: it returns the plan that is
// in force, which is defaults, changed by `lab run -p name=value`, changed by
// the cell's flags (`%% --n=300,900`). T is a struct whose fields with a tag
// `param:"name"` are int, uint64, float64, bool, string, []int or a
// TextUnmarshaler; a `Validate() error` method is called on the result.
//
// It is meant for cells and for main functions: a wrong name or value ends the
// program with one line that says what to give, exit code 2. Flags are those of
// flag.CommandLine and take effect when it is parsed, which GoNB does at `%%`;
// an unknown flag is answered by that package, with the list of those that exist.
func Params[T any](defaults T) *T {
	plan := &defaults
	if text := os.Getenv(ParamsVariable); text != "" {
		var values map[string]string
		if err := json.Unmarshal([]byte(text), &values); err != nil {
			exitParams(fmt.Errorf("%s: %w", ParamsVariable, err))
		}
		if err := SetParams(plan, values); err != nil {
			exitParams(err)
		}
	}
	if os.Getenv(ParamsVariable) == "" {
		if err := keep(plan, false); err != nil {
			exitParams(err)
		}
	}
	for _, p := range ListParams(plan) {
		if flag.Lookup(p.Name) != nil { // flag would panic
			exitParams(fmt.Errorf("%w: there are two flags --%s: call Params once", ErrPlan, p.Name))
		}
		flag.Func(p.Name, p.Help+" (now "+p.Value+")", func(text string) error {
			if err := SetParams(plan, map[string]string{p.Name: text}); err != nil {
				exitParams(err) // flag would print all flags below it
			}
			return nil
		})
	}
	return plan
}

func exitParams(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(2)
}

// SetParams changes the named values of plan, a pointer to a struct as Params
// describes. All names and values are checked before the first is set, and the
// changed plan is validated: after an error the plan is as it was.
func SetParams[T any](plan *T, values map[string]string) error {
	changed := *plan
	params := ListParams(&changed)
	for _, name := range slices.Sorted(maps.Keys(values)) { // the same error every time
		text, at := values[name], -1
		var known []string
		for i, p := range params {
			known = append(known, p.Name)
			if p.Name == name {
				at = i
			}
		}
		if at < 0 {
			return fmt.Errorf("%w: no parameter %q: there are %s", ErrPlan, name, strings.Join(known, ", "))
		}
		if err := setField(params[at].field, text); err != nil {
			return fmt.Errorf("%w: %s = %q: %s", ErrPlan, name, text, err)
		}
	}
	_, given := values["n"]
	if err := keep(&changed, given); err != nil {
		return err
	}
	*plan = changed
	return nil
}

// keep fills in what a plan keeps about its parameters, and validates it. given
// tells whether the sizes were asked for, and are not defaults.
func keep(plan any, given bool) error {
	keepOwn(plan)
	if err := keepSource(plan, given); err != nil {
		return err
	}
	return validate(plan)
}

// ListParams returns the values of plan that can be changed, in the order of
// the struct's fields. An embedded struct counts as its fields, so a notebook's
// own struct may embed a Plan.
func ListParams[T any](plan *T) []Param { return listParams(reflect.ValueOf(plan).Elem()) }

func listParams(v reflect.Value) []Param {
	var list []Param
	for i := range v.NumField() {
		field, f := v.Type().Field(i), v.Field(i)
		if field.Anonymous && f.Kind() == reflect.Struct {
			list = append(list, listParams(f)...)
			continue
		}
		name := field.Tag.Get("param")
		if name == "" || name == "-" {
			continue
		}
		list = append(list, Param{Name: name, Help: field.Tag.Get("help"), Value: fieldText(f), field: f})
	}
	return list
}

// keepOwn writes the parameters that a struct adds to the Plan that it embeds
// into that plan's Own.
func keepOwn(plan any) {
	v := reflect.ValueOf(plan).Elem()
	for i := range v.NumField() {
		if field := v.Type().Field(i); !field.Anonymous || field.Type != reflect.TypeFor[Plan]() {
			continue
		}
		own := map[string]string{}
		for _, p := range listParams(v) {
			own[p.Name] = p.Value
		}
		for _, p := range listParams(v.Field(i)) {
			delete(own, p.Name)
		}
		v.Field(i).Addr().Interface().(*Plan).Own = own
	}
}

func validate(plan any) error {
	if v, ok := plan.(interface{ Validate() error }); ok {
		return v.Validate()
	}
	return nil
}

func fieldText(f reflect.Value) string {
	switch v := f.Interface().(type) {
	case []int:
		return joinInts(v)
	case encoding.TextMarshaler:
		if text, err := v.MarshalText(); err == nil {
			return string(text)
		}
	}
	return fmt.Sprint(f.Interface())
}

// setField parses text into f; []int gets a new slice, so that a copied plan
// does not change with its original.
func setField(f reflect.Value, text string) error {
	text = strings.TrimSpace(text)
	if u, ok := f.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(text))
	}
	switch p := f.Addr().Interface().(type) {
	case *string:
		*p = text
	case *[]int:
		var ns []int
		if text == "" {
			*p = ns
			break
		}
		for part := range strings.SplitSeq(text, ",") {
			n, err := parseInt(part)
			if err != nil {
				return err
			}
			ns = append(ns, n)
		}
		*p = ns
	case *int:
		n, err := parseInt(text)
		if err != nil {
			return err
		}
		*p = n
	case *uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return fmt.Errorf("give a whole number from 0 on")
		}
		*p = n
	case *float64:
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("give a finite number")
		}
		*p = x
	case *bool:
		b, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("give true or false")
		}
		*p = b
	default:
		return fmt.Errorf("a field of type %s cannot be set from text", f.Type())
	}
	return nil
}

func parseInt(text string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return 0, fmt.Errorf("give whole numbers such as 2000, several separated by commas")
	}
	return n, nil
}
