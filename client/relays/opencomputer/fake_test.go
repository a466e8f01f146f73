package opencomputer

import (
	"bytes"
	"testing"

	"askbox/client"
	"askbox/client/fake"
	server "askbox/client/fake/opencomputer"
	"askbox/client/relays/relaystest"
)

// against runs the adapter against the strict server that is written from the
// same page by other hands, with the key, or with one of the server's own.
func against(t *testing.T, transport string, keys ...fake.Key) (*server.Server, *Relay) {
	t.Helper()
	s, err := server.Start(server.Options{Keys: keys})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	r, err := New(Options{Name: "work", BaseURL: s.URL(), Token: s.Token(), Transport: transport, Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return s, r
}

// TestAgainstTheServer: an ask that is read again is the one that was listed, one
// that changed meanwhile is not, and the reply to an answer shows what was answered.
func TestAgainstTheServer(t *testing.T) {
	for _, transport := range []string{HTTP, JSONRPC} {
		t.Run(transport, func(t *testing.T) {
			s, r := against(t, transport)
			session := s.AddSession(fake.Session{Title: "Fix the flaky build"})
			ref := s.Bash(session, "ls -la build", "look")
			s.AskSecret(session, "STRIPE_KEY", "for the sandbox")
			batch := open(t, r)
			relaystest.StaysTheSame(t, r, batch.Asks)
			shown := find(t, batch, ref.Ask)
			lift := s.Break(fake.Rewrite(func(body []byte) []byte {
				return bytes.ReplaceAll(body, []byte("ls -la build"), []byte("rm -rf build/../src"))
			}))
			defer lift()
			now, err := r.Get(t.Context(), shown)
			if err != nil || now.Digest() == shown.Digest() || now.Approval.What().Raw() != "rm -rf build/../src" {
				t.Errorf("read again it is %+v, %v", now, err)
			}
			done, err := r.Answer(t.Context(), shown, client.Answer{Decision: client.Allow})
			if err != nil || done.Approval.What().Raw() != "rm -rf build/../src" {
				t.Errorf("the reply is told as %+v, %v", done, err)
			}
		})
	}
}
