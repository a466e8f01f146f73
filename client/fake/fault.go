package fake

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"strconv"
)

// Fault is one way in which a relay can go wrong. The zero value is none; the
// functions of this package make them, and [Server.Break] switches them on.
type Fault struct {
	// Name is what the log calls it.
	Name  string
	when  func(Request) bool
	next  int
	serve func(*call)
}

// When narrows the fault to the requests that fit.
func (f Fault) When(fits func(Request) bool) Fault {
	f.when = fits
	return f
}

// Next lets the fault befall only the next n requests that fit.
func (f Fault) Next(n int) Fault {
	f.next = n
	return f
}

// active is a fault that is switched on.
type active struct {
	Fault
	left   int // how often it still happens; 0 is without end
	lifted chan struct{}
}

// call is one request in a fault.
type call struct {
	w      http.ResponseWriter
	r      *http.Request
	next   http.Handler
	lifted <-chan struct{}
	ended  <-chan struct{}
}

// hang waits until the fault is lifted. It reports false where the client has
// gone or the server is closed.
func (c *call) hang() bool {
	select {
	case <-c.lifted:
		return true
	case <-c.r.Context().Done():
	case <-c.ended:
	}
	return false
}

// alive reports whether the client is there and the server is not closed.
func (c *call) alive() bool {
	select {
	case <-c.ended:
		return false
	default:
		return c.r.Context().Err() == nil
	}
}

// reply lets the relay answer and returns what it would have sent.
func (c *call) reply() *recorded {
	rec := &recorded{header: c.w.Header().Clone(), status: http.StatusOK}
	c.next.ServeHTTP(rec, c.r)
	return rec
}

// head sends the status and the headers of a reply. A length below zero is left out.
func (c *call) head(rec *recorded, length int) {
	maps.Copy(c.w.Header(), rec.header)
	c.w.Header().Del("Content-Length")
	if length >= 0 {
		c.w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	c.w.WriteHeader(rec.status)
}

func (c *call) flush() { _ = http.NewResponseController(c.w).Flush() }

// drop cuts the connection, without a reply where none was begun.
func (c *call) drop() { panic(http.ErrAbortHandler) }

// recorded is a reply that is kept back.
type recorded struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer
}

func (r *recorded) Header() http.Header { return r.header }

func (r *recorded) WriteHeader(status int) {
	if !r.wrote {
		r.wrote, r.status = true, status
	}
}

func (r *recorded) Write(b []byte) (int, error) {
	r.wrote = true
	return r.body.Write(b)
}

// half returns the first half of the body.
func (r *recorded) half() []byte { return r.body.Bytes()[:r.body.Len()/2] }

func say(c *call, status int, contentType, body string) {
	if contentType != "" {
		c.w.Header().Set("Content-Type", contentType)
	}
	c.w.WriteHeader(status)
	_, _ = io.WriteString(c.w, body)
}
