package config

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxToken is the most bytes that a token may have: what servers accept in a header.
const maxToken = 8 << 10

// Token is a secret that shows nowhere: whatever prints, formats, logs or encodes
// it gets nothing. It holds a function, because fmt looks into unexported fields
// with reflection and would print a string in them.
type Token struct{ reveal func() string }

// NewToken makes a token of a value that was checked.
func NewToken(value string) Token { return Token{func() string { return value }} }

// Reveal returns the value, to be put into the header of a request and nowhere else.
func (t Token) Reveal() string {
	if t.reveal == nil {
		return ""
	}
	return t.reveal()
}

// Empty reports whether there is no token.
func (t Token) Empty() bool { return t.Reveal() == "" }

// String returns nothing.
func (Token) String() string { return "" }

// GoString returns nothing.
func (Token) GoString() string { return "" }

// Format writes nothing, whatever the verb.
func (Token) Format(fmt.State, rune) {}

// LogValue returns nothing to log.
func (Token) LogValue() slog.Value { return slog.StringValue("") }

// MarshalText returns nothing.
func (Token) MarshalText() ([]byte, error) { return []byte{}, nil }

// checkToken trims the line end that files and commands leave and refuses what
// cannot stand in a header. A password may hold spaces and letters of any
// language, because it is encoded before it is sent.
func checkToken(value string, password bool) (Token, error) {
	if len(value) > maxToken {
		return Token{}, fmt.Errorf("it is longer than %d bytes, so it is not a token", maxToken)
	}
	value = strings.TrimSuffix(strings.TrimSuffix(value, "\n"), "\r")
	if value == "" {
		return Token{}, errors.New("it is empty")
	}
	if !utf8.ValidString(value) {
		return Token{}, errors.New("it is not text")
	}
	for _, r := range value {
		switch {
		case r == '\n' || r == '\r':
			return Token{}, errors.New("it has more than one line")
		case unicode.IsControl(r):
			return Token{}, errors.New("it holds a control character")
		case password:
		case unicode.IsSpace(r):
			return Token{}, errors.New("it holds a space")
		case r > unicode.MaxASCII:
			return Token{}, errors.New("it holds a character that no token has")
		}
	}
	return NewToken(value), nil
}

// readBounded reads at most one byte more than a token may have, so that the
// check sees that it is too long and nothing larger is held.
func readBounded(r io.Reader) (string, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxToken+1))
	return string(data), err
}
