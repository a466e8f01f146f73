// Package widths settles once, for every library of the program, whether characters
// of ambiguous width (│ ─ · … × “) take one cell of the terminal or two.
//
// Libraries that measure text read RUNEWIDTH_EASTASIAN when they are initialised, each
// in its own way, and some look at the locale as well. Where two of them differ, the
// renderer cuts what another one laid out, without a mark. So the answer is worked out
// here and written where they all read it, before they do: Go initialises the packages
// whose imports are ready in the order of their paths, and this one, which imports
// nothing but the standard library, comes before github.com. A test holds that.
package widths

import (
	"os"
	"strings"
)

const variable = "RUNEWIDTH_EASTASIAN"

var (
	before, wasSet = os.LookupEnv(variable)
	wide           = settle()
)

// Wide reports whether characters of ambiguous width are counted as two cells. A
// terminal may still draw them in one: then a row is shorter than it could be, while
// the other mistake would push its end into the next row.
func Wide() bool { return wide }

// Restore gives the environment back as it was, for the programs that this one starts.
// It is called when the libraries have read it.
func Restore() {
	if wasSet {
		_ = os.Setenv(variable, before)
	} else {
		_ = os.Unsetenv(variable)
	}
}

func settle() bool {
	wide, value := decide(os.Getenv), "0"
	if wide {
		value = "1"
	}
	_ = os.Setenv(variable, value)
	return wide
}

// decide takes what the person set, and else what the locale's language makes likely.
func decide(env func(string) string) bool {
	switch strings.ToLower(env(variable)) {
	case "1", "t", "true":
		return true
	case "":
	default:
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := env(name); locale != "" {
			return eastAsian(locale)
		}
	}
	return false
}

// eastAsian reports a locale whose fonts draw such characters as wide as its letters.
func eastAsian(locale string) bool {
	if strings.HasSuffix(locale, "@cjk_narrow") {
		return false
	}
	language, _, _ := strings.Cut(strings.ToLower(locale), "_")
	return language == "ja" || language == "ko" || language == "zh"
}
