package theme

import (
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// The attributes hold in every theme.
const (
	bold = 1 << iota
	underline
	reverse
	faint // where there are not 256 colours
)

// ink is how a role is drawn: attributes, then a colour for dark and light
// backgrounds, in 256 colours and in 16. -1 is none.
type ink struct {
	attr           int
	dark, light    int
	dark16, lite16 int
}

var none = ink{0, -1, -1, -1, -1}

// palette stays readable on the usual backgrounds: on dark ones nothing is
// darker than grey 244, on light ones nothing is lighter than grey 244.
var palette = [roles]ink{
	Plain:       none,
	Dim:         {faint, 246, 242, -1, -1},
	Strong:      {bold, -1, -1, -1, -1},
	Accent:      {bold, 80, 24, 6, 6},
	Border:      {0, 244, 247, 8, 8},
	Gutter:      {0, 67, 67, 4, 4},
	Cursor:      {bold, 80, 24, 6, 6},
	Selected:    {bold, -1, -1, -1, -1},
	Bar:         {bold | reverse, -1, -1, -1, -1},
	Mark:        {reverse, -1, -1, -1, -1},
	Warn:        {bold, 214, 130, 3, 3},
	Danger:      {bold, 210, 160, 1, 1},
	Good:        {0, 114, 28, 2, 2},
	Key:         {bold, 153, 25, 6, 4},
	Add:         {0, 114, 28, 2, 2},
	Del:         {0, 210, 160, 1, 1},
	Heading:     {bold, 153, 25, 6, 4},
	Urgent:      {bold | reverse, 214, 130, 3, 3},
	SynKeyword:  {0, 176, 90, 5, 5},
	SynString:   {0, 150, 22, 2, 2},
	SynComment:  {faint, 246, 242, -1, -1},
	SynNumber:   {0, 216, 130, 3, 3},
	SynName:     {0, 117, 25, 6, 4},
	SynType:     {0, 80, 24, 6, 6},
	SynOperator: {0, 252, 238, -1, -1},
}

// tints are the backgrounds of lines that come and go. Sixteen colours have none on which
// other colours could be read.
var tints = map[string]map[Tint]string{
	"dark":  {TintAdd: "22", TintDel: "52"},
	"light": {TintAdd: "194", TintDel: "224"},
}

// Dark returns the theme for dark backgrounds in 256 colours.
func Dark() *Theme { return build("dark", true) }

// Light returns the theme for light backgrounds in 256 colours.
func Light() *Theme { return build("light", true) }

// PlainTheme returns the theme without any colour; bold and reverse stay.
func PlainTheme() *Theme { return build("plain", true) }

// Choose returns the theme for a setting of the configuration (auto, dark,
// light, plain, ascii) and an environment in the form of os.Environ. NO_COLOR,
// CLICOLOR=0 and terminals without colour give the plain one. background is
// called for auto only, and only where there is colour; it says whether the
// terminal's background is dark. Where the locale is not UTF-8 only ASCII is drawn, and by
// the theme of that name, which has no colour.
func Choose(setting string, environ []string, background func() bool) *Theme {
	t := choose(setting, environ, background)
	if t.ascii = setting == "ascii" || latin(environ); t.ascii {
		t.Glyphs.Away = "="
	}
	return t
}

func choose(setting string, environ []string, background func() bool) *Theme {
	profile := colorprofile.Env(environ)
	if setting == "plain" || setting == "ascii" || profile < colorprofile.ANSI || clicolorOff(environ) {
		return PlainTheme()
	}
	name := setting
	if name != "dark" && name != "light" {
		name = "dark"
		if background != nil && !background() {
			name = "light"
		}
	}
	return build(name, profile >= colorprofile.ANSI256)
}

// clicolorOff is asked apart from the profile, because CLICOLOR_FORCE lifts the
// profile again and an explicit no has to win.
func clicolorOff(environ []string) bool {
	for _, e := range environ {
		if e == "CLICOLOR=0" || (len(e) > len("NO_COLOR=") && e[:len("NO_COLOR=")] == "NO_COLOR=") {
			return true
		}
	}
	return false
}

func build(name string, full bool) *Theme {
	t := &Theme{name: name, full: full, Glyphs: glyphs()}
	r := renderer(full)
	for role, i := range palette {
		t.prefix[role] = prefix(i.style(r, name, full))
		t.prefix[role+int(loud)] = t.prefix[Strong] + t.prefix[role]
	}
	if full && name != "plain" {
		for tint, colour := range tints[name] {
			t.tint[tint] = prefix(r.NewStyle().Background(lipgloss.Color(colour)))
		}
	}
	return t
}

// renderer is given its profile, so that it asks no terminal for one. The plain theme
// keeps attributes such as bold, which a profile without any would drop.
func renderer(full bool) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI)
	if full {
		r.SetColorProfile(termenv.ANSI256)
	}
	return r
}

// style is the ink as lipgloss has it.
func (i ink) style(r *lipgloss.Renderer, name string, full bool) lipgloss.Style {
	s := r.NewStyle().
		Bold(i.attr&bold != 0).
		Underline(i.attr&underline != 0).
		Reverse(i.attr&reverse != 0).
		Faint(i.attr&faint != 0 && (!full || name == "plain"))
	colour := -1
	switch {
	case name == "dark" && full:
		colour = i.dark
	case name == "light" && full:
		colour = i.light
	case name == "dark":
		colour = i.dark16
	case name == "light":
		colour = i.lite16
	}
	if colour < 0 {
		return s
	}
	return s.Foreground(lipgloss.Color(strconv.Itoa(colour)))
}

// prefix is what a style writes before a text. It is worked out once, because a
// frame paints hundreds of short pieces and lipgloss lays each of them out anew.
func prefix(s lipgloss.Style) string {
	const probe = "x"
	before, _, _ := strings.Cut(s.Render(probe), probe)
	return before
}
