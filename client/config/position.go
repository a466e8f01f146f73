package config

import (
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// positions holds the line of each key, by the key's name for the settings and
// by "relay N key" for the relays, counted from 0.
type positions map[string]int

func (p positions) of(key string, relay int) int {
	if relay < 0 {
		return p[key]
	}
	for _, name := range []string{at(relay, key), at(relay, ""), "relay"} {
		if line := p[name]; line > 0 {
			return line
		}
	}
	return 0
}

func at(relay int, key string) string { return fmt.Sprintf("relay %d %s", relay, key) }

// spelling points out what the decoder lets pass: keys in other letters than
// they are documented in, which would escape every check by name, and one relay
// written as a plain table, whose lines nobody could name.
func (c *checker) spelling(data []byte) {
	var parser unstable.Parser
	parser.Reset(data)
	prefix := ""
	for parser.NextExpression() {
		node := parser.Expression()
		keys, line := keysOf(&parser, node)
		if len(keys) == 0 {
			continue
		}
		name := strings.Join(keys, ".")
		single := node.Kind == unstable.Table || node.Kind == unstable.KeyValue && prefix == "" && len(keys) > 1
		switch {
		case single && strings.EqualFold(keys[0], "relay"):
			c.problems = append(c.problems, Problem{c.path, line, "relay", "begin each relay with a line that says [[relay]], in double brackets"})
			return
		case node.Kind == unstable.KeyValue:
			c.spelled(prefix+name, line)
			c.listed(node.Value(), name+".", line)
		default:
			c.spelled(name, line)
			prefix = name + "."
		}
	}
}

// listed goes on into the relays that are written as a list in one line.
func (c *checker) listed(node *unstable.Node, prefix string, line int) {
	for it := node.Children(); it.Next(); {
		child := it.Node()
		if child.Kind != unstable.KeyValue {
			c.listed(child, prefix, line)
			continue
		}
		var names []string
		for key := child.Key(); key.Next(); {
			names = append(names, string(key.Node().Data))
		}
		c.spelled(prefix+strings.Join(names, "."), line)
	}
}

func (c *checker) spelled(key string, line int) {
	if _, known := wants[key]; !known && !strings.HasPrefix(key, "keys.") && !strings.HasPrefix(key, "colors.") {
		c.problems = append(c.problems, Problem{c.path, line, key, "askbox does not know this key; " + nearest(strings.ToLower(key))})
	}
}

// locate finds the lines of the keys in a document that was read without an error.
// The decoder tells them for its own errors only, and not for what is wrong
// between two keys.
func locate(data []byte) positions {
	lines := positions{}
	var parser unstable.Parser
	parser.Reset(data)
	relay, table := -1, ""
	for parser.NextExpression() {
		node := parser.Expression()
		keys, line := keysOf(&parser, node)
		if len(keys) == 0 {
			continue
		}
		switch {
		case node.Kind == unstable.ArrayTable && keys[0] == "relay":
			relay++
			table = ""
			lines[at(relay, "")] = line
		case node.Kind == unstable.Table:
			table = strings.Join(keys, ".") + "."
		case table == "" && relay >= 0:
			lines[at(relay, keys[0])] = line
		default:
			name := table + strings.Join(keys, ".")
			lines[name] = line
			for it := node.Value().Children(); it.Next(); {
				if child := it.Node(); child.Kind == unstable.KeyValue {
					for key := child.Key(); key.Next(); {
						lines[name+"."+string(key.Node().Data)] = line
					}
				}
			}
		}
	}
	return lines
}

func keysOf(parser *unstable.Parser, node *unstable.Node) (keys []string, line int) {
	switch node.Kind {
	case unstable.ArrayTable, unstable.Table, unstable.KeyValue:
	default:
		return nil, 0
	}
	for it := node.Key(); it.Next(); {
		key := it.Node()
		if line == 0 {
			line = parser.Shape(key.Raw).Start.Line
		}
		keys = append(keys, string(key.Data))
	}
	return keys, line
}
