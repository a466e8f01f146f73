package config

import "slices"

// Key is a line of the table [keys]: the keys of one action. What actions and keys
// there are is known where they are used.
type Key struct {
	Action string
	Keys   []string
	Line   int
}

// Wrong is the problem of a setting in [keys], in words that are safe to print.
func (c *Config) Wrong(action, words string) Problem {
	p := Problem{File: c.Path, Key: "keys." + action, Text: words}
	if i := slices.IndexFunc(c.Keys, func(k Key) bool { return k.Action == action }); i >= 0 {
		p.Line = c.Keys[i].Line
	}
	return p
}

// keys reads the table [keys], whose values are a key or a list of them, in the
// order of its lines.
func (c *checker) keys(raw map[string]any) (keys []Key) {
	for action, value := range raw {
		name := "keys." + action
		key := Key{Action: action, Line: c.lines.of(name, -1)}
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, one := range list {
			k, ok := one.(string)
			if !ok {
				c.fail(name, -1, "it has to be %s", wants["keys"])
				break
			}
			key.Keys = append(key.Keys, k)
		}
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b Key) int { return a.Line - b.Line })
	return keys
}
