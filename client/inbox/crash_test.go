package inbox

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCrash in a goroutine of the inbox is told to who waits for a snapshot, and
// leaves nothing running and nobody waiting.
func TestCrash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := New(Options{Undo: time.Minute, Sources: []Source{{Name: "work", Relay: newDouble(ask(1))}}})
		b.Start()
		after(time.Second)
		send(t, b, ask(1), allow)
		told := make(chan error)
		go func() {
			_, err := b.Next(t.Context(), b.Latest().Number)
			told <- err
		}()
		b.background(&b.polling, func() { b.locked(func() { panic("quotes \x1b[2J an agent") }) })
		var crash *Crash
		if err := <-told; !errors.As(err, &crash) || strings.Contains(err.Error(), "\x1b") || !strings.Contains(crash.Trace(), "TestCrash") {
			t.Fatalf("%v", err)
		}
		loose := b.Close(t.Context(), false)
		if len(loose) != 1 || loose[0].Ref != ask(1).Ref || loose[0].Why != notSent {
			t.Errorf("%+v", loose)
		}
	})
}
