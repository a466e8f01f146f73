package input

import (
	"strconv"
	"strings"
	"unicode"
)

// Keys as their Unicode code points come from terminals with the protocol of
// kitty (https://sw.kovidgoyal.net/kitty/keyboard-protocol/) or with the option
// modifyOtherKeys of xterm, where another program or a multiplexer switched that
// on.

// The codes of kitty's keypad.
const (
	keypadZero  = 57399 // and on to 9
	keypadSigns = 57409 // . / * - + enter = ,
	keypadMoves = 57417 // left and on to delete
	keypadLast  = 57426
)

// The keys that kitty has in the private area of Unicode.
const firstPrivate, lastPrivate = 57344, 63743

// shifted are the characters that a key gives with shift on some keyboard, and
// that no terminal sends for one that gives something else.
const shifted = "!@#$%^&*()_+{}|:\"<>?~"

// unicodeKey reads the parameters of ESC [ … u: the code, with those of other
// layouts behind colons, the modifiers, and the text.
func unicodeKey(params string, held int) string {
	fields := strings.Split(params+";;", ";")
	codes := strings.Split(fields[0]+"::", ":")
	code, known := runeOf(codes[0])
	latin, hasLatin := runeOf(codes[2])
	mods, locks, ok := modifiers(fields[1])
	if mods |= held; !ok || len(fields) > 5 {
		return ""
	}
	if text, ok := runeOf(fields[2]); ok && mods&^shiftKey == 0 && unicode.IsPrint(text) {
		return textKey(text, 0)
	}
	upper, hasUpper := runeOf(codes[1])
	switch {
	case !known:
		return ""
	case code >= keypadZero && code <= keypadLast:
		return keypadKey(code, mods)
	case code >= firstPrivate && code <= lastPrivate:
		return ""
	case mods&ctrlKey != 0 && code >= 0x7f && hasLatin:
		code = latin // What the key is on a Latin keyboard: ctrl+c is never another key.
	case mods&ctrlKey != 0 && (code == 'с' || code == 'ψ'):
		code = 'c' // In the place of c on a Cyrillic and on a Greek keyboard.
	case mods&ctrlKey != 0:
	case mods&shiftKey != 0 && hasUpper:
		code, mods = upper, mods&^shiftKey
	case unicode.IsLetter(code):
		if (mods&shiftKey != 0) != (locks&capsLock != 0) {
			code = unicode.ToUpper(code)
		}
		mods &^= shiftKey
	case strings.ContainsRune(shifted, code):
		mods &^= shiftKey
	}
	return textKey(code, mods)
}

// runeOf reads a code point.
func runeOf(digits string) (rune, bool) {
	n, err := strconv.ParseUint(digits, 10, 21)
	return rune(n), err == nil && n > 0
}

// keypadKey is a key of kitty's keypad.
func keypadKey(code rune, mods int) string {
	switch {
	case code < keypadSigns:
		return textKey('0'+code-keypadZero, mods)
	case code < keypadMoves:
		return textKey(rune("./*-+\r=,"[code-keypadSigns]), mods)
	}
	switch moves := "DCAB56HF23"; moves[code-keypadMoves] {
	case '5', '6', '2', '3':
		return numberKey(int(moves[code-keypadMoves]-'0'), mods)
	default:
		return letterKey(moves[code-keypadMoves], mods)
	}
}

// textKey writes a character or a key of the ASCII controls. Shift is a part of a
// character already, so that with one nobody knows which character was meant.
func textKey(r rune, mods int) string {
	switch {
	case r == '\r' && mods != 0:
		return altEnter
	case r == '\r':
		return "\r"
	case r == '\t' && mods == shiftKey:
		return "\x1b[Z"
	case r == '\t' && mods == 0:
		return "\t"
	case r == esc:
		return "\x1b"
	case r == 0x08 || r == 0x7f:
		return withAlt("\x7f", mods)
	case r == ' ' && mods&ctrlKey == 0:
		return withAlt(" ", mods)
	case r < 0x20 || r >= 0x7f && !character(r) || mods&shiftKey != 0:
		return ""
	case mods&ctrlKey != 0:
		return controlCharacter(r, mods)
	case mods&altKey != 0 && strings.ContainsRune(`[O]P_^X\`, r):
		return "" // The start of something else.
	}
	return withAlt(string(r), mods)
}

// controlCharacter is a key with ctrl, in the form of one byte.
func controlCharacter(r rune, mods int) string {
	switch {
	case r == ' ':
		r = 0
	case r >= '@' && r <= '_' || r >= 'a' && r <= 'z':
		r &= 0x1f
	case r == '/':
		r = 0x1f
	default:
		return ""
	}
	if r == '\r' || r == esc {
		return textKey(r, mods&^ctrlKey)
	}
	return withAlt(string(r), mods)
}

func withAlt(key string, mods int) string {
	if mods&altKey != 0 {
		return "\x1b" + key
	}
	return key
}
