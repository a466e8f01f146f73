// Package faketest speaks plain HTTP to fake relays in their own tests, with
// nothing of askbox in between.
package faketest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Client speaks to one relay, as somebody with a token. Its methods end the test
// where no reply comes.
type Client struct {
	T *testing.T
	// URL goes before every path.
	URL  string
	HTTP *http.Client
	// Header is sent with every request.
	Header http.Header
}

// New returns a client for the rest of a test; transport may be nil. At the end
// of the test its connections are closed, and then close is called.
func New(t *testing.T, transport *http.Transport, url, token string, close func()) *Client {
	t.Helper()
	if transport == nil {
		transport = &http.Transport{}
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		close()
	})
	return &Client{T: t, URL: url, HTTP: &http.Client{Transport: transport},
		Header: http.Header{"Authorization": {"Bearer " + token}}}
}

// With returns a client that sends one more header, or another value of it.
func (c *Client) With(name, value string) *Client {
	other := *c
	other.Header = c.Header.Clone()
	other.Header.Set(name, value)
	return &other
}

// As returns a client with another token.
func (c *Client) As(token string) *Client { return c.With("Authorization", "Bearer "+token) }

// Do sends a request. The caller closes the reply's body.
func (c *Client) Do(method, path, body string) *http.Response {
	c.T.Helper()
	request, err := http.NewRequestWithContext(c.T.Context(), method, c.URL+path, strings.NewReader(body))
	if err != nil {
		c.T.Fatal(err)
	}
	request.Header = c.Header.Clone()
	response, err := c.HTTP.Do(request)
	if err != nil {
		c.T.Fatal(err)
	}
	return response
}

// Raw sends a request and returns the reply with its whole body.
func (c *Client) Raw(method, path, body string) (*http.Response, string) {
	c.T.Helper()
	response := c.Do(method, path, body)
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	if err != nil {
		c.T.Fatal(err)
	}
	return response, string(read)
}

// Call is [Client.Raw] for replies that are a JSON object, or nothing where the
// status says so. It returns the status and the decoded body.
func (c *Client) Call(method, path, body string) (int, map[string]any) {
	c.T.Helper()
	response, read := c.Raw(method, path, body)
	return response.StatusCode, c.decode(method+" "+path, response.StatusCode, read)
}

func (c *Client) decode(what string, status int, read string) (decoded map[string]any) {
	c.T.Helper()
	if status == http.StatusNoContent && read == "" {
		return nil
	}
	// Some replies repeat on purpose what no relay should send.
	if err := json.Unmarshal([]byte(read), &decoded, jsontext.AllowInvalidUTF8(true)); err != nil {
		c.T.Fatalf("%s: %v in %s", what, err, read)
	}
	return decoded
}

// At walks down a decoded body: names of members and indexes. It returns nil
// where there is nothing.
func At(v any, path ...any) any {
	for _, p := range path {
		switch key := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[key]
		case int:
			l, _ := v.([]any)
			if key >= len(l) {
				return nil
			}
			v = l[key]
		}
	}
	return v
}
