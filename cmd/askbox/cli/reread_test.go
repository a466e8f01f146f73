package cli

import (
	"context"
	"errors"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/fake/demo"
)

// TestAnAskReadAloneIsTheSame on every kind of relay: an answer is refused where
// the ask, read once more, is not what the listing had, and a difference is said
// loudly where the closed ask has another content than the open one.
func TestAnAskReadAloneIsTheSame(t *testing.T) {
	world, err := demo.Start(context.Background(), demo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer world.Close()
	cfg, err := demoConfig(t.TempDir(), world.Relays)
	if err != nil {
		t.Fatal(err)
	}
	answered := map[string]int{}
	for _, r := range cfg.Relays {
		t.Run(r.Name, func(t *testing.T) { answered[r.Type] += reread(t, r) })
	}
	for _, kind := range []string{config.OpenComputer, config.OAR, config.Werft, config.OpenCode} {
		if answered[kind] == 0 {
			t.Errorf("no ask of a relay of the type %s was answered", kind)
		}
	}
}

// reread reads and answers what is open on a relay, and returns how many answers counted.
func reread(t *testing.T, r *config.Relay) (answered int) {
	ctx, relay := t.Context(), client.Relay(once(r))
	batch, err := relay.Open(ctx)
	var down *client.Unreachable
	if errors.As(err, &down) {
		t.Skip(err)
	}
	for _, a := range batch.Asks {
		now, err := relay.Get(ctx, a)
		if err != nil || now.Digest() != a.Digest() {
			t.Errorf("%v, a %v, is read as another one (%v)\nlisted %s\nread   %s", a.Ref, a.Kind, err, a.Raw, now.Raw)
		}
		answer, ok := someAnswer(a)
		if !ok {
			continue
		}
		over, err := relay.Answer(ctx, a, answer)
		var closed *client.Closed
		if errors.As(err, &closed) {
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", a.Ref, err)
			continue
		}
		answered++
		wantSame(t, "the reply", a, over)
		if over, err = relay.Get(ctx, a); err == nil {
			wantSame(t, "read again", a, over)
		}
		if batch, err := relay.Closed(ctx, time.Now().Add(-time.Hour)); err == nil {
			for _, over := range batch.Asks {
				if over.ID == a.ID && over.Ref.Session == a.Ref.Session {
					wantSame(t, "listed", a, over)
				}
			}
		}
	}
	return answered
}

func wantSame(t *testing.T, where string, a, over *client.Ask) {
	t.Helper()
	if !a.SameContent(over) {
		here, there := a.Difference(over)
		t.Errorf("%s: %v, a %v: %q became %q", where, a.Ref, a.Kind, here.Raw(), there.Raw())
	}
}

// someAnswer returns an answer that fits an ask.
func someAnswer(a *client.Ask) (client.Answer, bool) {
	switch {
	case a.Approval != nil && a.Offer(client.ActAlways).OK:
		return client.Answer{Decision: client.Always}, true
	case a.Approval != nil && a.Offer(client.ActAllow).OK:
		return client.Answer{Decision: client.Allow}, true
	case len(a.Questions) > 0 && a.Offer(client.ActAnswer).OK:
		var answer client.Answer
		for _, q := range a.Questions {
			one := client.QuestionAnswer{ID: q.ID}
			if len(q.Options) > 0 {
				one.Choices = []string{q.Options[0].ID}
			} else {
				one.Text, one.HasText = "7", true
			}
			answer.Questions = append(answer.Questions, one)
		}
		return answer, client.Validate(a, answer) == nil
	}
	return client.Answer{}, false
}
