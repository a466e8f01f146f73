package httpx

import (
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"unicode/utf8"

	"askbox/client/text"
)

// redactor cuts a token out of texts, in every form in which a relay, a proxy
// or the standard library could repeat it.
type redactor struct{ replacer *strings.Replacer }

// shortest is the length in bytes from which a token is looked for. A shorter
// one is no secret, and cutting it out would garble ordinary words.
const shortest = 3

func newRedactor(user, token string) redactor {
	if len(token) < shortest {
		return redactor{}
	}
	forms := []string{token, url.QueryEscape(token), url.PathEscape(token),
		base64.StdEncoding.EncodeToString([]byte(user + ":" + token)),
		base64.StdEncoding.EncodeToString([]byte(token)),
		base64.RawURLEncoding.EncodeToString([]byte(token))}
	var pairs []string
	for _, form := range forms {
		pairs = append(pairs, form, "[token]")
	}
	return redactor{strings.NewReplacer(pairs...)}
}

func (r redactor) cut(s string) string {
	if r.replacer == nil {
		return s
	}
	return r.replacer.Replace(s)
}

// brief cuts the token out first and shortens then, so that no part of the
// token can be left at the end.
func (r redactor) brief(s string, bytes int) string {
	s = r.cut(s)
	if len(s) <= bytes {
		return s
	}
	for bytes > 0 && !utf8.RuneStart(s[bytes]) {
		bytes--
	}
	return s[:bytes] + "…"
}

// quiet is an error whose text is safe to print, on one line, and which can
// still be asked for what it is made of.
type quiet struct {
	text string
	err  error
}

func (r redactor) quiet(err error) error {
	return &quiet{text: text.New(r.brief(bare(err), 200)).Fit(200), err: err}
}

func (q *quiet) Error() string        { return q.text }
func (q *quiet) Is(target error) bool { return errors.Is(q.err, target) }
func (q *quiet) As(target any) bool   { return errors.As(q.err, target) }

// bare returns the text of an error without the URL that net/http puts around it.
func bare(err error) string {
	var at *url.Error
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
