package show

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shelflab/labkit"
	"shelflab/labkit/evidence"
)

// Control is a setting in the panel of Explore: a parameter of the plan, by its
// name, and the values that it can be given there.
type Control struct {
	Param   string
	Label   string
	Options []string // as SetParams takes them
	Kind    string   // "slider", "choice" or "checks"
}

// Slider is a whole number that takes one of the steps, ascending.
func Slider(param, label string, steps ...int) Control {
	c := Control{Param: param, Label: label, Kind: "slider"}
	for _, step := range steps {
		c.Options = append(c.Options, strconv.Itoa(step))
	}
	return c
}

// Choice is one of several values.
func Choice(param, label string, options ...string) Control {
	return Control{Param: param, Label: label, Options: options, Kind: "choice"}
}

// Checks is any of several names, of which the parameter holds those that are
// checked, separated by Between.
func Checks(param, label string, options ...string) Control {
	return Control{Param: param, Label: label, Options: options, Kind: "checks"}
}

// Between separates the names that a parameter of Checks holds.
const Between = "; "

// start returns the control with the value that is in force among its options,
// and that value. Of several sizes the largest is taken.
func (c Control) start(value string) (Control, string, error) {
	switch c.Kind {
	case "slider":
		if at := strings.LastIndex(value, ","); at >= 0 {
			value = value[at+1:]
		}
		now, err := strconv.Atoi(value)
		if err != nil {
			return c, "", fmt.Errorf("%w: %s = %q is no whole number: a slider cannot change it", labkit.ErrPlan, c.Param, value)
		}
		steps := []int{now}
		for _, option := range c.Options {
			step, err := strconv.Atoi(option)
			if err != nil {
				return c, "", fmt.Errorf("%w: %s: the step %q is no whole number", labkit.ErrPlan, c.Param, option)
			}
			steps = append(steps, step)
		}
		slices.Sort(steps)
		return Slider(c.Param, c.Label, slices.Compact(steps)...), value, nil
	case "choice":
		if !slices.Contains(c.Options, value) {
			c.Options = append(slices.Clone(c.Options), value)
		}
		return c, value, nil
	case "checks":
		return c, value, nil
	}
	return c, "", fmt.Errorf("%w: %s: there is no control of the kind %q", labkit.ErrPlan, c.Param, c.Kind)
}

// started returns the controls as the plan has them, and their values by name.
func started[T any](plan *T, controls []Control) ([]Control, map[string]string, error) {
	now := map[string]string{}
	for _, p := range labkit.ListParams(plan) {
		now[p.Name] = p.Value
	}
	list, values := make([]Control, len(controls)), map[string]string{}
	for i, c := range controls {
		value, known := now[c.Param]
		if !known {
			return nil, nil, fmt.Errorf("%w: the plan has no parameter %q", labkit.ErrPlan, c.Param)
		}
		var err error
		if list[i], values[c.Param], err = c.start(value); err != nil {
			return nil, nil, err
		}
	}
	return list, values, nil
}

// html is one control in the panel; id is the page's name for the panel.
func (c Control) html(id, value string) string {
	var b strings.Builder
	name := id + "-" + escape(c.Param)
	const label = `<label for="%s" style="text-align:right;opacity:.85">%s</label>`
	switch c.Kind {
	case "slider":
		at := max(slices.Index(c.Options, value), 0)
		labels := make([]string, len(c.Options))
		for i, option := range c.Options {
			step, _ := strconv.Atoi(option) // start has read it
			labels[i] = evidence.Count(step)
		}
		fmt.Fprintf(&b, label, name, escape(c.Label))
		fmt.Fprintf(&b, `<span><input type="range" id="%s" data-param="%s" data-kind="slider" data-options="%s" data-labels="%s" min="0" max="%d" step="1" value="%d" style="width:260px;vertical-align:middle"> `,
			name, escape(c.Param), escape(strings.Join(c.Options, "|")), escape(strings.Join(labels, "|")), len(c.Options)-1, at)
		fmt.Fprintf(&b, `<output for="%s" style="font-variant-numeric:tabular-nums;font-weight:600">%s</output></span>`, name, labels[at])
	case "choice":
		fmt.Fprintf(&b, label, name, escape(c.Label))
		fmt.Fprintf(&b, `<span><select id="%s" data-param="%s" data-kind="choice" style="font:inherit">`, name, escape(c.Param))
		for _, option := range c.Options {
			selected := ""
			if option == value {
				selected = " selected"
			}
			fmt.Fprintf(&b, `<option value="%s"%s>%[1]s</option>`, escape(option), selected)
		}
		b.WriteString(`</select></span>`)
	case "checks":
		on := strings.Split(value, Between)
		fmt.Fprintf(&b, `<span style="text-align:right;opacity:.85">%s</span><span role="group" aria-label="%[1]s" data-param="%s" data-kind="checks" data-between="%s">`, escape(c.Label), escape(c.Param), escape(Between))
		for _, option := range c.Options {
			checked := ""
			if value == "" || slices.Contains(on, option) {
				checked = " checked"
			}
			fmt.Fprintf(&b, `<label style="margin-right:12px;white-space:nowrap"><input type="checkbox" value="%s"%s style="vertical-align:middle"> %[1]s</label>`, escape(option), checked)
		}
		b.WriteString(`</span>`)
	}
	return b.String()
}
