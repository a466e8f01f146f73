package fake_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"

	"askbox/client/fake"
)

func TestJSONGoesOutAsItWasGiven(t *testing.T) {
	odd := `{"a":1,"a":"\ud800` + "\xff" + `"}`
	w := httptest.NewRecorder()
	fake.SendJSON(w, 418, fake.MustBeJSON(odd))
	if got := w.Body.String(); got != odd || w.Code != 418 || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("got %d %q %v", w.Code, got, w.Header())
	}
	w = httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if fake.SendJSON(w, 200, nil); w.Header().Get("Content-Type") != "application/json; charset=utf-8" {
		t.Errorf("got %v", w.Header())
	}
	defer func() {
		if recover() == nil {
			t.Error("what is not JSON was taken")
		}
	}()
	fake.MustBeJSON(`{"a":`)
}

func TestUntil(t *testing.T) {
	var changed fake.Signal
	looks := 0
	got, err := fake.Until(t.Context(), &changed, func() (int, bool) {
		// What changes while it is looked is not missed.
		looks++
		changed.Broadcast()
		return looks, looks == 3
	})
	if got != 3 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if got, err := fake.Until(ctx, &changed, func() (int, bool) { return 7, false }); got != 0 || !errors.Is(err, enough) {
		t.Errorf("got %d, %v", got, err)
	}
}

func TestHooksMayUseTheStore(t *testing.T) {
	s, _ := shop(t, nil)
	session := s.AddSession(fake.Session{Title: "x"})
	var late []string
	s.OnClose(func(a fake.Ask) {
		if a.Command == "a" {
			s.OnClose(func(a fake.Ask) { late = append(late, a.Command) })
			s.Interrupt(s.Bash(session, "b", ""))
		}
	})
	s.Interrupt(s.Bash(session, "a", ""))
	if len(late) != 1 || late[0] != "b" {
		t.Errorf("the later hook was told %v", late)
	}
}
