package toolinput

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// widest is the size in bytes up to which a value is laid out over several
// lines. A larger one is shown on one line, so that indenting it cannot make it
// many times as large.
const widest = 64 << 10

// deepest is how many levels of a value are laid out over several lines. The
// program's own indentation stays below what counts as a long run of blanks, so
// that every run which is warned of is one that the relay sent.
const deepest = 10

// field shows one key with its value. A text stands as it is; one that could be
// taken for a value of another kind, or for nothing, has a note.
func field(key string, raw jsontext.Value) client.Part {
	p := client.Part{Kind: client.PartField, Key: text.New(key)}
	if s, ok := httpx.String(raw); ok {
		p.Text = text.New(s)
		switch {
		case s == "":
			p.Note = "an empty text"
		case strings.TrimSpace(s) == "":
			p.Note = "only blanks"
		case jsontext.Value(s).IsValid(jsontext.AllowDuplicateNames(true)):
			p.Note = "a text"
		}
		return p
	}
	p.Text = text.New(JSON(raw))
	return p
}

// JSON writes a value so that it reads well and means one thing only: numbers
// stay as they were sent, and texts inside of it keep their quotes and escapes,
// while letters that were escaped without need are written plainly.
func JSON(raw jsontext.Value) string {
	options := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	if len(raw) <= widest && !flat(raw) && !httpx.Deeper(raw, deepest) {
		options = append(options, jsontext.Multiline(true), jsontext.WithIndent("  "))
	} else {
		options = append(options, jsontext.SpaceAfterColon(true), jsontext.SpaceAfterComma(true))
	}
	out, err := jsontext.AppendFormat(nil, raw, options...)
	if err != nil {
		return string(raw)
	}
	return string(out)
}

// flat reports whether a value reads best on one line.
func flat(raw jsontext.Value) bool { return len(raw) <= 60 }
