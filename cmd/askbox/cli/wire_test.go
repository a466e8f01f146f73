package cli

import (
	"context"
	"net/url"
	"testing"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/fake"
	"askbox/client/fake/oar"
	"askbox/client/fake/werft"
)

// TestAdapterOfEachKind: what the configuration says reaches the relay of its kind.
func TestAdapterOfEachKind(t *testing.T) {
	o, err := oar.Start(oar.Options{Prefix: "/oar"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	o.Question(o.AddSession(fake.Session{Title: "Notes"}), "Which?", "a", "b")
	w, err := werft.Start(werft.Options{Prefix: "/werft", NoMe: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	w.Bash(w.AddSession(fake.Session{Title: "Release", CreatedBy: werft.Grace.Actor}), "ls", "look")
	tests := []struct {
		kind, url, token, me string
		waits                client.Kind
	}{
		{config.OAR, o.URL(), o.Token(), "", client.Question},
		{config.Werft, w.URL(), w.Token(), werft.Grace.Actor.ID, client.Approval},
	}
	for _, tt := range tests {
		u := mustURL(t, tt.url)
		relay, err := adapter(&config.Relay{Name: "x", Type: tt.kind, URL: u, Me: tt.me}, config.NewToken(tt.token), &line{})
		if err != nil {
			t.Fatal(err)
		}
		about, err := relay.About(context.Background())
		if err != nil || about.Kind != tt.kind {
			t.Errorf("%s: about %+v, %v", tt.kind, about, err)
		}
		batch, err := relay.Open(context.Background())
		if err != nil || len(batch.Asks) != 1 || batch.Asks[0].Kind != tt.waits || batch.Asks[0].Session.Starter != client.StarterMe {
			t.Errorf("%s: %+v, %v", tt.kind, batch, err)
		}
	}
	if _, err := adapter(&config.Relay{Name: "x", Type: "other", URL: mustURL(t, o.URL())}, config.Token{}, &line{}); err == nil {
		t.Error("a kind that is not known was built")
	}
}

func mustURL(t *testing.T, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
