package httpx

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync/atomic"
	"time"

	json "github.com/go-json-experiment/json"

	"askbox/client"
)

// patience is how long a connection that was used before may be silent until the request
// is sent on a new one as well: it may have died without a word. It is longer where the
// relay is slow.
const patience = 4 * time.Second

// Do sends a request. It returns the reply wherever one arrived whole, also
// together with an error, so that an adapter can look at a refusal's status and
// [Reply.Problem]. With a nil error the reply is a good one and, unless Bare, its
// body claims to be JSON.
//
// What counts is sent once. Anything else is sent once more, on a new connection, where
// the one that it went out on was used before and is silent.
func (c *Client) Do(ctx context.Context, q Request) (*Reply, error) {
	if q.Timeout <= 0 {
		q.Timeout = c.timeout
	}
	if q.Limit <= 0 {
		q.Limit = c.limit
	}
	reply, t, err := c.once(ctx, q)
	if reply != nil || t == nil || !t.frozen() || q.Timeout <= patience || ctx.Err() != nil {
		return reply, err
	}
	switch {
	case q.Counts, q.Waits:
		c.replace(t.pool, nil)
	case t.begun && q.Read == nil:
		c.replace(t.pool, nil)
		reply, _, err = c.once(ctx, q)
	}
	return reply, err
}

// once sends a request and reads its reply. It returns the try that gave the result, or
// nil where nothing was sent.
func (c *Client) once(ctx context.Context, q Request) (*Reply, *try, error) {
	if err := c.hold.err(); err != nil {
		return nil, nil, err
	}
	response, t, err := c.open(ctx, q)
	if t == nil {
		return nil, nil, err
	}
	defer t.end()
	if err != nil {
		return nil, t, c.lost(ctx, t.ctx, q, t.sent.Load(), err)
	}
	defer response.Body.Close()
	var reply *Reply
	if q.Read != nil && response.StatusCode/100 == 2 && claimsJSON(response.Header) {
		if reply, err = c.pass(response, q.Limit, q.Read); reply != nil {
			return reply, t, err
		}
	} else {
		reply, err = c.read(response, q.Limit, q.Before)
	}
	var large *client.TooLarge
	var other *client.NotRelay
	switch {
	case errors.As(err, &large), errors.As(err, &other):
		return nil, t, unsure(q, err)
	case err != nil:
		return nil, t, c.lost(ctx, t.ctx, q, true, err)
	}
	return reply, t, c.judge(reply, q)
}

// try is one sending of a request.
type try struct {
	client *Client
	pool   *pool
	ctx    context.Context
	cancel context.CancelFunc
	// sent says that a connection was got on, so that bytes may have gone out: nothing
	// that is later is certain, because writing and giving up run side by side. reused
	// says that the connection was used before.
	sent, reused atomic.Bool
	begun        bool // the reply began
}

// end lets go of the try, once its reply was read or given up.
func (t *try) end() {
	t.cancel()
	t.client.release(t.pool)
}

// frozen reports whether the deadline passed before the reply was whole, on a connection
// that was used before.
func (t *try) frozen() bool {
	return errors.Is(context.Cause(t.ctx), errDeadline) && t.reused.Load()
}

// begun is what came of a try: a reply whose body is still to be read, or an error.
type begun struct {
	try      *try
	response *http.Response
	err      error
}

// open sends a request and returns the reply once it begins. Where a connection that was
// used before stays silent, the request goes out on a new one as well; the reply that
// begins first is taken, and if it is the one of the new connection the old ones are
// dropped.
func (c *Client) open(ctx context.Context, q Request) (*http.Response, *try, error) {
	first, results, taken := c.current(), make(chan begun), make(chan struct{})
	defer close(taken)
	old, err := c.begin(ctx, q, first, results, taken)
	if err != nil {
		return nil, nil, err
	}
	if q.Waits { // as a stream does, it ends with the connections
		defer context.AfterFunc(first.dropped, old.cancel)()
	}
	tries := []*try{old}
	start := time.Now()
	timer := time.NewTimer(max(patience, 2*time.Duration(c.slow.Load())))
	defer timer.Stop()
	running, last := 1, begun{}
	for running > 0 {
		select {
		case <-timer.C:
			if !q.Counts && !q.Waits && old.reused.Load() && old.ctx.Err() == nil {
				if again, err := c.begin(ctx, q, c.newPool(), results, taken); err == nil {
					tries, running = append(tries, again), running+1
				}
			}
			continue
		case last = <-results:
			running--
		}
		if last.err == nil {
			last.try.begun = true
			if !q.Waits {
				c.slow.Store(int64(time.Since(start)))
			}
			for _, t := range tries {
				if t != last.try {
					t.cancel()
				}
			}
			if last.try != old {
				c.replace(first, last.try.pool)
			}
			return last.response, last.try, nil
		}
		if running > 0 {
			last.try.end()
		}
	}
	return nil, last.try, last.err
}

// begin sends a request on a pool's connections, and gives what comes of it to results
// unless another try was taken before.
func (c *Client) begin(ctx context.Context, q Request, p *pool, results chan<- begun, taken <-chan struct{}) (*try, error) {
	t := &try{client: c, pool: p}
	t.ctx, t.cancel = context.WithTimeoutCause(ctx, q.Timeout, errDeadline)
	request, err := c.request(httptrace.WithClientTrace(t.ctx, &httptrace.ClientTrace{
		// For what counts a second connection is got only where nothing was written to the first.
		GetConn: func(string) { t.sent.Store(false) },
		GotConn: func(info httptrace.GotConnInfo) {
			t.reused.Store(info.Reused)
			t.sent.Store(true)
		},
	}), q)
	if err != nil {
		t.cancel()
		return nil, err
	}
	go func() {
		response, err := p.http.Do(request)
		select {
		case results <- begun{t, response, err}:
		case <-taken:
			if err == nil {
				_ = response.Body.Close()
			}
			t.end()
		}
	}()
	return t, nil
}

func (c *Client) request(ctx context.Context, q Request) (*http.Request, error) {
	target := c.base.String() + q.Path
	if len(q.Query) > 0 {
		target += "?" + q.Query.Encode()
	}
	method := q.Method
	var body io.Reader
	kind := "application/json"
	if words, ok := q.Body.(Text); ok {
		body, kind, method = strings.NewReader(string(words)), "text/plain; charset=UTF-8", cmp.Or(method, http.MethodPost)
	} else if q.Body != nil {
		raw, err := json.Marshal(q.Body)
		if err != nil {
			return nil, &client.InvalidAnswer{Reason: "it holds characters that are not valid Unicode"}
		}
		body, method = bytes.NewReader(raw), cmp.Or(method, http.MethodPost)
	}
	request, err := http.NewRequestWithContext(ctx, method, target, body)
	if err != nil {
		return nil, &client.Failed{Why: "the address of the request cannot be built"}
	}
	for name, values := range q.Header {
		request.Header[http.CanonicalHeaderKey(name)] = values
	}
	request.Header.Set("User-Agent", c.agent)
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", kind)
	}
	if c.authorize != "" {
		request.Header.Set("Authorization", c.authorize)
	}
	return request, nil
}

// lost makes the error of a call whose reply did not arrive.
func (c *Client) lost(outer, inner context.Context, q Request, sent bool, err error) error {
	if cause := context.Cause(inner); cause != nil {
		err = cause
	}
	result := c.failure(err, q.Timeout)
	switch {
	case errors.Is(outer.Err(), context.Canceled):
		// Whoever gave up knows, and is not told that the relay is at fault.
		result = outer.Err()
	case outer.Err() != nil:
		result = &client.Unreachable{Reason: "no answer in time", Err: outer.Err()}
	}
	if sent {
		return unsure(q, result)
	}
	return result
}

// unsure turns an error after which it is open whether the request counted
// into one that says so.
func unsure(q Request, err error) error {
	if q.Counts {
		return &client.Uncertain{Err: err}
	}
	return err
}
