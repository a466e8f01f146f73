package tui

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// darkBackground reports whether the terminal's background is dark, and takes it
// to be where nobody says so in time; then told is false. The environment is asked first.
func darkBackground(in, out *os.File, environ []string) (dark, told bool) {
	if dark, ok := fromEnviron(environ); ok {
		return dark, true
	}
	dark, told = fromReply(askColour(in, out))
	return dark || !told, told
}

// coloured draws everything for the background that the terminal has told late.
func (m model) coloured() model {
	if m.repaint == nil || m.keys == nil {
		return m
	}
	if dark, ok := fromReply(m.keys.Stats().Colour); ok {
		*m.theme = *m.repaint(dark)
	}
	return m.resize(m.width, m.height)
}

// fromEnviron reads COLORFGBG, whose last field is the number of the background
// colour: 7 and 9 to 15 are light ones.
func fromEnviron(environ []string) (dark, ok bool) {
	for _, e := range environ {
		value, found := strings.CutPrefix(e, "COLORFGBG=")
		if !found {
			continue
		}
		n, err := strconv.Atoi(value[strings.LastIndexByte(value, ';')+1:])
		if err != nil || n < 0 || n > 15 {
			return false, false
		}
		return n < 7 || n == 8, true
	}
	return false, false
}

// fromReply reads the reply that holds 11;rgb:RRRR/GGGG/BBBB, of one to four digits a colour.
func fromReply(reply string) (dark, ok bool) {
	_, after, found := strings.Cut(reply, "11;rgb:")
	if !found {
		return false, false
	}
	fields := strings.Split(after, "/")
	if len(fields) < 3 {
		return false, false
	}
	var light float64
	for i, weight := range []float64{0.299, 0.587, 0.114} {
		digits := fields[i]
		if end := strings.IndexFunc(digits, notHex); end >= 0 {
			digits = digits[:end]
		}
		n, err := strconv.ParseUint(digits, 16, 16)
		if err != nil || len(digits) > 4 {
			return false, false
		}
		most := float64(uint64(1)<<(4*len(digits)) - 1)
		light += weight * float64(n) / most
	}
	return light < 0.5, true
}

func notHex(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF", r) }

// answered reports whether the reply to the second question is there, which
// comes after that to the first.
func answered(reply []byte) bool {
	at := bytes.Index(reply, []byte("\x1b[?"))
	return at >= 0 && bytes.IndexByte(reply[at:], 'c') > 0
}
