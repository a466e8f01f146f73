package input

import (
	"strconv"
	"strings"
)

// Terminals send one key in many forms, of which Bubble Tea knows some. The
// program gets each in one: cursor and function keys as xterm sends them, and
// those of the keypad as the ordinary keys, whose guards then hold for them.

// The modifiers of a key, in the bits that terminals send after adding one.
const (
	shiftKey = 1 << iota
	altKey
	ctrlKey
	superKey
	hyperKey
	metaKey
	capsLock
	numLock
)

// altEnter is a new line in a text and not the enter that sends: enter with any
// modifier, in the form in which every terminal sends it with alt.
const altEnter = "\x1b\r"

// legacy returns the key that a whole sequence stands for, in the form in which
// Bubble Tea knows it, and "" where it is none. What it returns, it returns
// unchanged.
func legacy(seq string) string {
	held := 0
	if strings.HasPrefix(seq, "\x1b\x1b") {
		seq, held = seq[1:], altKey
	}
	switch body := seq[2:]; {
	case seq[1] == 'O':
		return applicationKey(body, held)
	case seq[1] != '[', body == "":
		return seq // A character with alt.
	case body[0] == '<' && held == 0:
		return seq // A report of the mouse.
	case body[0] == '[' && len(body) == 2:
		return consoleKey(body[1], held)
	default:
		return controlKey(body[:len(body)-1], body[len(body)-1], held)
	}
}

// controlKey reads ESC [, parameters and a final byte. A cursor position report
// looks like f3 with a modifier, so that key is not available.
func controlKey(params string, final byte, held int) string {
	switch final {
	case 'A', 'B', 'C', 'D', 'F', 'H', 'P', 'Q', 'S':
		if params == "O" {
			return letterKey(final, held|shiftKey)
		}
		if mods, ok := modified(params, "1"); ok {
			return letterKey(final, held|mods)
		}
	case 'Z':
		if mods, ok := modified(params, "1"); ok && mods&^shiftKey == 0 && held == 0 {
			return "\x1b[Z"
		}
	case 'a', 'b', 'c', 'd':
		switch params {
		case "":
			return letterKey(final-0x20, held|shiftKey)
		case "O":
			return letterKey(final-0x20, held|ctrlKey)
		}
	case '$':
		return urxvtKey(params, held|shiftKey)
	case '^':
		return urxvtKey(params, held|ctrlKey)
	case '@':
		return urxvtKey(params, held|ctrlKey|shiftKey)
	case '~':
		return tildeKey(params, held)
	case 'u':
		return unicodeKey(params, held)
	}
	return ""
}

// applicationKey reads ESC O and what follows: cursor keys in the application
// mode, the first four function keys, and the keypad.
func applicationKey(body string, held int) string {
	final, params := body[len(body)-1], body[:len(body)-1]
	mods, ok := modified(params, "1")
	if number(params) {
		mods, _, ok = modifiers(params)
	}
	if mods |= held; !ok {
		return ""
	}
	switch {
	case strings.IndexByte("ABCDFHPQRS", final) >= 0:
		return letterKey(final, mods)
	case final >= 'a' && final <= 'd':
		return letterKey(final-0x20, mods|ctrlKey)
	case final == 'M':
		return textKey('\r', mods)
	case final == 'I':
		return textKey('\t', mods)
	case final == ' ':
		return textKey(' ', mods)
	case final == 'X':
		return textKey('=', mods)
	case final >= 'j' && final <= 'y':
		return textKey(rune("*+,-./0123456789"[final-'j']), mods)
	}
	return ""
}

// consoleKey is a function key of the Linux console, A to E.
func consoleKey(final byte, held int) string {
	if final == 'E' {
		return numberKey(15, held)
	}
	return letterKey(final-'A'+'P', held)
}

// urxvtKey is a key whose final byte is the modifier.
func urxvtKey(params string, mods int) string {
	if !number(params) {
		return ""
	}
	n, _ := strconv.Atoi(params)
	return numberKey(n, mods)
}

// tildeKey reads the parameters of a sequence that ends in ~. With 27 in front it
// is any key, as xterm sends it where it was asked to, and with 13 and a modifier
// it is enter: f3 has no modifiers here.
func tildeKey(params string, held int) string {
	base, rest, _ := strings.Cut(params, ";")
	if !number(base) {
		return ""
	}
	if mods, code, found := strings.Cut(rest, ";"); found {
		if base != "27" {
			return ""
		}
		return unicodeKey(code+";"+mods, held)
	}
	mods, _, ok := modifiers(rest)
	if mods |= held; !ok {
		return ""
	}
	n, _ := strconv.Atoi(base)
	if n == 13 && mods != 0 {
		return altEnter
	}
	return numberKey(n, mods)
}

// letterKey writes a key that ends in a letter, f3 without its modifiers.
func letterKey(final byte, mods int) string {
	switch {
	case mods != 0 && final != 'R':
		return "\x1b[1;" + strconv.Itoa(mods+1) + string(final)
	case final >= 'P' && final <= 'S':
		return "\x1bO" + string(final)
	}
	return "\x1b[" + string(final)
}

// numberKey writes a key that ends in a tilde, where no letter stands for it.
func numberKey(n, mods int) string {
	switch {
	case n == 1 || n == 7:
		return letterKey('H', mods)
	case n == 4 || n == 8:
		return letterKey('F', mods)
	case mods != 0:
		return "\x1b[" + strconv.Itoa(n) + ";" + strconv.Itoa(mods+1) + "~"
	}
	return "\x1b[" + strconv.Itoa(n) + "~"
}

// modified reads parameters that are nothing, or base and modifiers.
func modified(params, base string) (mods int, ok bool) {
	if params == "" {
		return 0, true
	}
	m, ok := strings.CutPrefix(params, base+";")
	if !ok {
		return 0, false
	}
	mods, _, ok = modifiers(m)
	return mods, ok
}

// modifiers reads modifiers and, behind a colon, what happened to the key. A key
// that is let go is none, and those with other modifiers than shift, alt and ctrl
// belong to the desktop. The locks are told apart.
func modifiers(s string) (mods, locks int, ok bool) {
	s, event, _ := strings.Cut(s, ":")
	if event != "" && event != "1" && event != "2" {
		return 0, 0, false
	}
	if s == "" {
		return 0, 0, true
	}
	n, err := strconv.Atoi(s)
	if n--; err != nil || n < 0 {
		return 0, 0, false
	}
	mods, locks = n&^(capsLock|numLock), n&(capsLock|numLock)
	return mods, locks, mods <= shiftKey|altKey|ctrlKey
}

// number reports whether params is one or two digits, which all keys have.
func number(params string) bool {
	return len(params) > 0 && len(params) < 3 && strings.Trim(params, "0123456789") == ""
}
