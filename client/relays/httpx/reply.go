package httpx

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/text"
)

// Reply is a reply that arrived whole.
type Reply struct {
	Status int
	// Header is what the relay sent, without its cookies.
	Header http.Header
	// Body is what was sent, Size its length in bytes, Sum stands for it.
	Body []byte
	Size int
	Sum  Sum
	// Same says that the body is that of [Request.Before]. It is left out then.
	Same bool
	// Now is the relay's clock, from its Date header; zero where it does not tell.
	Now time.Time

	redact redactor
}

func (c *Client) read(response *http.Response, limit int64, before Sum) (*Reply, error) {
	reply, err := c.head(response)
	if err == nil {
		err = reply.take(response, limit, before)
	}
	if err != nil {
		return nil, err
	}
	return reply, nil
}

// good reports whether the status is one of success.
func (r *Reply) good() bool { return r.Status >= 200 && r.Status < 300 }

// Skew returns the relay's clock minus this machine's, by its newest reply.
func (c *Client) Skew() time.Duration { return time.Duration(c.skew.Load()) }

// Clock returns the time at the relay, by its newest reply, and false where it never told.
// The header that tells it counts whole seconds, so the moment that it names may be a
// second old; it is taken as it stands, which never ends anything too early.
func (c *Client) Clock() (time.Time, bool) {
	return time.Now().Add(c.Skew()).Round(0), c.told.Load()
}

// head makes the reply without its body.
func (c *Client) head(response *http.Response) (*Reply, error) {
	reply := &Reply{Status: response.StatusCode, Header: response.Header, redact: c.redact}
	reply.Header.Del("Set-Cookie")
	if at, err := http.ParseTime(response.Header.Get("Date")); err == nil {
		reply.Now = at
		c.skew.Store(int64(time.Until(at)))
		c.told.Store(true)
	}
	if encoding := response.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		// net/http takes the header away where it decompressed by itself.
		return nil, &client.NotRelay{What: "a body in an encoding that was not asked for"}
	}
	return reply, nil
}

// pass hands a body on as it arrives. It returns no reply where the body did not
// arrive whole, with the reason that the connection gave.
func (c *Client) pass(response *http.Response, limit int64, read func(io.Reader) error) (*Reply, error) {
	reply, err := c.head(response)
	if err != nil {
		return nil, err
	}
	body := &bounded{from: response.Body, left: limit, limit: limit}
	err = read(body)
	if body.err != nil {
		return nil, body.err
	}
	return reply, err
}

// bounded reads up to a limit and keeps the error, other than the end, with
// which reading stopped.
type bounded struct {
	from        io.Reader
	left, limit int64
	err         error
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.from.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), &client.TooLarge{Limit: b.limit}
	}
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// media returns the kind of the body, without its parameters.
func media(header http.Header) string {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		kind, _, _ = strings.Cut(header.Get("Content-Type"), ";")
	}
	return strings.ToLower(strings.TrimSpace(kind))
}

// JSON reports whether the body claims to be JSON. One without a content type
// may be; whether it is, is seen when it is decoded.
func (r *Reply) JSON() bool { return r.Size > 0 && claimsJSON(r.Header) }

func claimsJSON(header http.Header) bool {
	kind := media(header)
	return kind == "" || kind == "application/json" || kind == "text/json" ||
		strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

// HTML reports whether the body is a web page.
func (r *Reply) HTML() bool {
	kind := media(r.Header)
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// judge says what a reply's status and form mean.
func (c *Client) judge(r *Reply, q Request) error {
	switch {
	case r.good():
		if q.Bare && !r.HTML() || r.JSON() {
			return nil
		}
		return unsure(q, r.other())
	case r.Status >= 300 && r.Status < 400:
		// A server may do what was asked and then send its client to a page about it.
		return unsure(q, &client.Failed{Status: r.Status, Why: "unexpected redirect" + r.elsewhere()})
	}
	err := r.refusal()
	var limited *client.RateLimited
	if errors.As(err, &limited) {
		c.hold.begin(limited)
	}
	if r.Status == http.StatusServiceUnavailable && q.Counts {
		// That it asks to come again later does not say that it did nothing.
		err = &client.Failed{Status: r.Status, Message: text.New(r.Problem().Message)}
	}
	if r.Status >= 500 || r.Status == http.StatusRequestTimeout {
		return unsure(q, err)
	}
	return err
}

// other says what a reply is that no relay gives.
func (r *Reply) other() *client.NotRelay {
	switch {
	case r.HTML():
		return &client.NotRelay{What: "an HTML page (a login page or a proxy?)"}
	case r.Size == 0:
		return &client.NotRelay{What: "an empty reply"}
	}
	return &client.NotRelay{What: "no JSON but " + text.New(r.redact.brief(media(r.Header), 80)).Fit(80)}
}

// elsewhere names the host that a redirect points to. Its path and query are
// left out: they may hold what is secret.
func (r *Reply) elsewhere() string {
	target, err := url.Parse(r.Header.Get("Location"))
	if err != nil || target.Host == "" {
		return ""
	}
	return " to " + text.New(r.redact.cut(target.Host)).Fit(80)
}

// refusal turns a status from 400 on into the error that it means.
func (r *Reply) refusal() error {
	p := r.Problem()
	switch {
	case r.Status == http.StatusUnauthorized:
		return &client.TokenRefused{Detail: text.New(p.Message)}
	case r.Status == http.StatusForbidden:
		refused := &client.NotAllowed{Scope: text.New(p.Scope)}
		if p.Scope == "" {
			refused.Said = text.New(p.Message)
		}
		return refused
	case r.Status == http.StatusNotFound && r.HTML():
		return r.other()
	case r.Status == http.StatusNotFound:
		return &client.NotFound{Detail: text.New(p.Message)}
	case r.Status == http.StatusTooManyRequests, r.Status == http.StatusServiceUnavailable && retryAfter(r.Header, r.Now) > 0:
		return r.limited()
	}
	return &client.Failed{Status: r.Status, Code: p.Code, Message: text.New(p.Message)}
}

// Problem is what a relay says about a refusal, whichever shape it has. The
// strings are raw, with the token cut out: print them through text.New.
type Problem struct {
	Code, Message, Scope, Field string
	// Raw is the object that tells it, for whatever else it holds; nil where
	// there is none.
	Raw jsontext.Value
}

// longestMessage bounds the bytes kept of a relay's message.
const longestMessage = 2000

// Problem reads the body of a refusal.
func (r *Reply) Problem() Problem {
	if !r.JSON() {
		if media(r.Header) != "text/plain" {
			return Problem{}
		}
		return Problem{Message: r.redact.brief(strings.TrimSpace(string(r.Body)), longestMessage)}
	}
	return r.ProblemIn(r.Body)
}

// ProblemIn reads a refusal that stands elsewhere than in the body as a whole.
// It knows {"error":{"code","message",…}}, {"error":"text","code"}, the same
// without error around it, {"name","data":{"message"}} and {"_tag","message"}.
func (r *Reply) ProblemIn(raw []byte) Problem {
	outer, err := Split(raw)
	if err != nil {
		return Problem{}
	}
	p := Problem{Raw: raw}
	if message, ok := String(outer.Get("error")); ok {
		p.Message = message
	} else if inner, err := Split(outer.Get("error")); err == nil {
		p.Raw, outer = outer.Get("error"), inner
	}
	take := func(into *string, o Object, names ...string) {
		for _, name := range names {
			if s, ok := String(o.Get(name)); ok && *into == "" {
				*into = s
			}
		}
	}
	take(&p.Code, outer, "code", "_tag", "name")
	take(&p.Message, outer, "message")
	take(&p.Scope, outer, "scope")
	take(&p.Field, outer, "field")
	if data, err := Split(outer.Get("data")); err == nil {
		take(&p.Message, data, "message")
	}
	p.Message = r.redact.brief(p.Message, longestMessage)
	p.Code, p.Scope, p.Field = r.redact.brief(p.Code, 200), r.redact.brief(p.Scope, 200), r.redact.brief(p.Field, 200)
	return p
}
