package config

import "slices"

// Key is a line of the table [keys] or [colors]: the keys of one action, or how one role is
// drawn. What actions, keys, roles and colours there are is known where they are used.
type Key struct {
	Action string
	Keys   []string
	Line   int
}

// Wrong is the problem of a setting in [keys] or [colors], in words that are safe to print.
func (c *Config) Wrong(table, name, words string) Problem {
	p := Problem{File: c.Path, Key: table + "." + name, Text: words}
	settings := c.Keys
	if table == "colors" {
		settings = c.Colors
	}
	if i := slices.IndexFunc(settings, func(k Key) bool { return k.Action == name }); i >= 0 {
		p.Line = settings[i].Line
	}
	return p
}

// table reads [keys] or [colors], whose values are a text or a list of them, in the order
// of its lines.
func (c *checker) table(table string, raw map[string]any) (settings []Key) {
	for action, value := range raw {
		name := table + "." + action
		key := Key{Action: action, Line: c.lines.of(name, -1)}
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, one := range list {
			k, ok := one.(string)
			if !ok {
				c.fail(name, -1, "it has to be %s", wants[table])
				break
			}
			key.Keys = append(key.Keys, k)
		}
		settings = append(settings, key)
	}
	slices.SortFunc(settings, func(a, b Key) int { return a.Line - b.Line })
	return settings
}
