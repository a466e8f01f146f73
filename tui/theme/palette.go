package theme

import (
	"strconv"

	"github.com/charmbracelet/colorprofile"
)

// ink is how a role is drawn: SGR attributes that hold in every theme, then a
// colour for dark and light backgrounds, in 256 colours and in 16. -1 is none.
type ink struct {
	attr           string
	dark, light    int
	dark16, lite16 int
}

var none = ink{"", -1, -1, -1, -1}

// palette stays readable on the usual backgrounds: on dark ones nothing is
// darker than grey 244, on light ones nothing is lighter than grey 244.
var palette = [roles]ink{
	Plain:       none,
	Dim:         {"", 246, 242, 7, 8},
	Strong:      {"1", -1, -1, -1, -1},
	Accent:      {"1", 80, 24, 6, 6},
	Border:      {"", 244, 247, 8, 7},
	Gutter:      {"", 67, 67, 4, 4},
	Cursor:      {"1", 80, 24, 6, 6},
	Selected:    {"1", 231, 16, 15, 0},
	Mark:        {"7", -1, -1, -1, -1},
	Warn:        {"1", 214, 130, 3, 3},
	Danger:      {"1", 210, 160, 1, 1},
	Good:        {"", 114, 28, 2, 2},
	Key:         {"1", 153, 25, 6, 4},
	Add:         {"", 114, 28, 2, 2},
	Del:         {"", 210, 160, 1, 1},
	Heading:     {"1", 153, 25, 6, 4},
	Urgent:      {"1;7", 214, 130, 3, 3},
	Match:       {"4", -1, -1, -1, -1},
	SynKeyword:  {"", 176, 90, 5, 5},
	SynString:   {"", 150, 22, 2, 2},
	SynComment:  {"", 246, 242, 7, 8},
	SynNumber:   {"", 216, 130, 3, 3},
	SynName:     {"", 117, 25, 6, 4},
	SynType:     {"", 80, 24, 6, 6},
	SynOperator: {"", 252, 238, -1, -1},
}

// Dark returns the theme for dark backgrounds in 256 colours.
func Dark() *Theme { return build("dark", true) }

// Light returns the theme for light backgrounds in 256 colours.
func Light() *Theme { return build("light", true) }

// PlainTheme returns the theme without any colour; bold and reverse stay.
func PlainTheme() *Theme { return build("plain", true) }

// Choose returns the theme for a setting of the configuration (auto, dark,
// light, plain) and an environment in the form of os.Environ. NO_COLOR,
// CLICOLOR=0 and terminals without colour give the plain one. background is
// called for auto only, and only where there is colour; it says whether the
// terminal's background is dark.
func Choose(setting string, environ []string, background func() bool) *Theme {
	profile := colorprofile.Env(environ)
	if setting == "plain" || profile < colorprofile.ANSI || clicolorOff(environ) {
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
	t := &Theme{name: name, Glyphs: glyphs}
	for r := range palette {
		t.prefix[r] = sgr(palette[r], name, full)
	}
	return t
}

func sgr(i ink, name string, full bool) string {
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
	code := i.attr
	if colour >= 0 {
		if code != "" {
			code += ";"
		}
		switch {
		case full:
			code += "38;5;" + strconv.Itoa(colour)
		case colour < 8:
			code += strconv.Itoa(30 + colour)
		default:
			code += strconv.Itoa(90 + colour - 8)
		}
	}
	if code == "" {
		return ""
	}
	return "\x1b[" + code + "m"
}
