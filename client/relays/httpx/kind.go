package httpx

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// probeTimeout bounds each question of [Client.LooksLike], so that telling what
// stands at an address never holds up saying that it is the wrong thing.
const probeTimeout = 3 * time.Second

// probes are calls that one kind of relay alone answers in this way.
var probes = []struct {
	kind, path string
	query      url.Values
	fits       func(Object) bool
}{
	{"an OAR relay", "/api/relay/identity", nil, has("relayId", '"')},
	{"an opencode server", "/global/health", nil, has("healthy", 't')},
	{"a Werft server", "/v1/sessions", url.Values{"status": {"needs_input"}, "limit": {"1"}}, has("sessions", '[')},
	{"an OpenComputer relay", "/sessions", url.Values{"status": {"waiting"}, "limit": {"1"}}, has("sessions", '[')},
}

func has(key string, kind jsontext.Kind) func(Object) bool {
	return func(o Object) bool { return o.Get(key).Kind() == kind }
}

// LooksLike says what kind of relay stands at the address, in a few of the
// program's words, and nothing where no kind is recognised. It is asked when a
// relay did not answer like the kind that it is configured as.
func (c *Client) LooksLike(ctx context.Context) string {
	for _, p := range probes {
		reply, err := c.Do(ctx, Request{Method: http.MethodGet, Path: p.path, Query: p.query, Timeout: probeTimeout, Limit: 1 << 20})
		if err != nil {
			continue
		}
		if o, err := Split(reply.Body); err == nil && p.fits(o) {
			return p.kind
		}
	}
	return ""
}
