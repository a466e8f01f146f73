package fake

import (
	"bytes"
	"net/http"
	"strings"
	"time"
)

// None lets the requests through that fit it, ahead of faults that are switched
// on after it.
func None() Fault {
	return Fault{Name: "none", serve: func(c *call) { c.next.ServeHTTP(c.w, c.r) }}
}

// Instead lets a handler of the test answer in place of the relay, which may say
// what no relay should.
func Instead(h http.Handler) Fault {
	return Fault{Name: "instead", serve: func(c *call) { h.ServeHTTP(c.w, c.r) }}
}

// Hang accepts the request and says nothing until it is lifted; then the relay answers.
func Hang() Fault {
	return Fault{Name: "hang", serve: func(c *call) {
		if c.hang() {
			c.next.ServeHTTP(c.w, c.r)
		}
	}}
}

// Change changes a request before the relay gets it.
func Change(change func(*http.Request)) Fault {
	return Fault{Name: "change", serve: func(c *call) {
		change(c.r)
		c.next.ServeHTTP(c.w, c.r)
	}}
}

// Slow lets the relay answer after a while.
func Slow(d time.Duration) Fault {
	return Fault{Name: "slow", serve: func(c *call) {
		select {
		case <-time.After(d):
			c.next.ServeHTTP(c.w, c.r)
		case <-c.r.Context().Done():
		case <-c.ended:
		}
	}}
}

// HangAfter lets the relay do what is asked at once and says nothing until it is
// lifted; then the reply goes out.
func HangAfter() Fault {
	return Fault{Name: "hang after", serve: func(c *call) {
		rec := c.reply()
		if c.hang() {
			c.head(rec, rec.body.Len())
			_, _ = c.w.Write(rec.body.Bytes())
		}
	}}
}

// HangMidBody sends the headers and half of the body; the rest follows when it is lifted.
func HangMidBody() Fault {
	return Fault{Name: "hang mid-body", serve: func(c *call) {
		rec := c.reply()
		c.head(rec, rec.body.Len())
		_, _ = c.w.Write(rec.half())
		c.flush()
		if !c.hang() {
			c.drop()
		}
		_, _ = c.w.Write(rec.body.Bytes()[len(rec.half()):])
	}}
}

// Reply answers with a status, a content type and a body, and asks the relay nothing.
func Reply(status int, contentType, body string) Fault {
	return Fault{Name: "reply " + http.StatusText(status), serve: func(c *call) {
		say(c, status, contentType, body)
	}}
}

// JSON answers with a status and a JSON body, and asks the relay nothing.
func JSON(status int, body string) Fault { return Reply(status, "application/json", body) }

// ServerError is a 500 with a short text.
func ServerError() Fault {
	return Reply(http.StatusInternalServerError, "text/plain; charset=utf-8", "internal server error\n")
}

// RateLimited is a 429 with the Retry-After header as given, whatever it says.
// Empty: without one.
func RateLimited(retryAfter string) Fault {
	return Fault{Name: "rate limited", serve: func(c *call) {
		if retryAfter != "" {
			c.w.Header().Set("Retry-After", retryAfter)
		}
		say(c, http.StatusTooManyRequests, "text/plain; charset=utf-8", "too many requests\n")
	}}
}

// Unauthorized is a 401 with an empty body.
func Unauthorized() Fault { return Reply(http.StatusUnauthorized, "", "") }

// EchoToken is a 401 whose body repeats the headers that carry tokens, as some
// proxies do.
func EchoToken() Fault {
	return Fault{Name: "echo token", serve: func(c *call) {
		say(c, http.StatusUnauthorized, "text/plain; charset=utf-8",
			"refused: Authorization: "+c.r.Header.Get("Authorization")+" "+c.r.URL.String())
	}}
}

// LoginPage is a proxy's login page with status 200.
func LoginPage() Fault {
	return Reply(http.StatusOK, "text/html; charset=utf-8",
		"<!doctype html><title>Sign in</title><form action=\"/login\"><input name=\"user\"></form>\n")
}

// Rewrite changes the bodies of right replies.
func Rewrite(change func(body []byte) []byte) Fault {
	return Fault{Name: "rewrite", serve: func(c *call) {
		rec := c.reply()
		body := change(rec.body.Bytes())
		c.head(rec, len(body))
		_, _ = c.w.Write(body)
	}}
}

// HalfJSON is half of the right body, with an end as if it were whole.
func HalfJSON() Fault {
	f := Rewrite(func(body []byte) []byte { return body[:len(body)/2] })
	f.Name = "half JSON"
	return f
}

// TrailingGarbage puts HTML behind the right body.
func TrailingGarbage() Fault {
	f := Rewrite(func(body []byte) []byte { return append(bytes.Clone(body), "<html>"...) })
	f.Name = "trailing garbage"
	return f
}

// Endless is a JSON body that never ends.
func Endless() Fault {
	chunk := strings.Repeat("a", 32<<10)
	return Fault{Name: "endless", serve: func(c *call) {
		say(c, http.StatusOK, "application/json", `{"sessions":[],"more":"`)
		for c.alive() {
			if _, err := c.w.Write([]byte(chunk)); err != nil {
				return
			}
		}
	}}
}

// Redirect sends the client to the same path of another origin.
func Redirect(status int, origin string) Fault {
	return Fault{Name: "redirect", serve: func(c *call) {
		c.w.Header().Set("Location", origin+c.r.URL.RequestURI())
		c.w.WriteHeader(status)
	}}
}

// RedirectAfter lets the relay do what is asked, and then sends the client to the
// same path of an origin in place of the reply.
func RedirectAfter(status int, origin string) Fault {
	return Fault{Name: "redirect after", serve: func(c *call) {
		c.reply()
		c.w.Header().Set("Location", origin+c.r.URL.RequestURI())
		c.w.WriteHeader(status)
	}}
}

// LoseReply lets the relay do what is asked, and then cuts the connection
// without a reply: an answer counted, and nobody was told.
func LoseReply() Fault {
	return Fault{Name: "lose reply", serve: func(c *call) {
		c.reply()
		c.drop()
	}}
}

// Drop reads the request and cuts the connection: nothing was done.
func Drop() Fault { return Fault{Name: "drop", serve: func(c *call) { c.drop() }} }
