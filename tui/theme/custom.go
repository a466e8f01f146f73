package theme

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"
)

// Setting draws a role in another way: with a colour, as a number from 0 to 255 or as
// #rrggbb, and with bold, underline, reverse and faint.
type Setting struct{ Role, Value string }

// Fault is what is wrong with a setting, in words that are safe to print.
type Fault struct{ Role, Text string }

// Inks are the roles that are drawn in another way.
type Inks map[Role]custom

type custom struct {
	attr   int
	colour string
}

// named are the roles that may be set. A mark for what cannot be shown is none of them:
// nothing that an agent writes may be drawn like one.
var named = map[string]Role{
	"plain": Plain, "dim": Dim, "strong": Strong, "accent": Accent, "border": Border, "gutter": Gutter, "cursor": Cursor,
	"selected": Selected, "bar": Bar, "warn": Warn, "danger": Danger, "good": Good, "key": Key, "add": Add, "del": Del,
	"heading": Heading, "urgent": Urgent, "keyword": SynKeyword, "string": SynString, "comment": SynComment,
	"number": SynNumber, "name": SynName, "type": SynType, "operator": SynOperator,
}

var attributes = map[string]int{"bold": bold, "underline": underline, "reverse": reverse, "faint": faint, "default": 0}

// Custom reads settings, or says what is wrong with them.
func Custom(settings []Setting) (Inks, []Fault) {
	inks := Inks{}
	var faults []Fault
	for _, s := range settings {
		role, ok := named[s.Role]
		if !ok {
			names := slices.Sorted(maps.Keys(named))
			faults = append(faults, Fault{s.Role, "there is no such role; there are: " + strings.Join(names, ", ")})
			continue
		}
		c := custom{}
		for _, word := range strings.Fields(s.Value) {
			switch attr, known := attributes[word]; {
			case known:
				c.attr |= attr
			case colour(word) && c.colour == "":
				c.colour = word
			default:
				faults = append(faults, Fault{s.Role, "it has to be a colour such as 80 or #5fd7d7, and bold, underline, reverse or faint, or default"})
			}
		}
		inks[role] = c
	}
	return inks, faults
}

func colour(s string) bool {
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		_, err := strconv.ParseUint(hex, 16, 32)
		return err == nil && len(hex) == 6
	}
	n, err := strconv.Atoi(s)
	return err == nil && n >= 0 && n <= 255 && s == strconv.Itoa(n)
}

// With returns the theme with some roles drawn in another way. Where there is no colour
// only the attributes count.
func (t *Theme) With(inks Inks) *Theme {
	if len(inks) == 0 {
		return t
	}
	with := *t
	r := renderer(t.full)
	for role, c := range inks {
		for _, more := range []int{0, bold} {
			attr := c.attr | more
			s := r.NewStyle().Bold(attr&bold != 0).Underline(attr&underline != 0).Reverse(attr&reverse != 0).Faint(attr&faint != 0)
			if c.colour != "" && t.Coloured() {
				s = s.Foreground(lipgloss.Color(c.colour))
			}
			if more == 0 {
				with.prefix[role] = prefix(s)
			} else {
				with.prefix[role+loud] = prefix(s)
			}
		}
	}
	return &with
}
