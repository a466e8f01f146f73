package inbox

import (
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
)

func hold(t *testing.T, b *Inbox, a *client.Ask, answer client.Answer) {
	t.Helper()
	if err := b.Hold(a.Ref, a.Digest(), answer); err != nil {
		t.Fatalf("the answer was not taken: %v", err)
	}
	synctest.Wait()
}

// TestHeldUntilReleased sends an answer when both its time is over and it was
// released, whichever comes last, and never one that was not released.
func TestHeldUntilReleased(t *testing.T) {
	const never = time.Duration(-1)
	for _, tt := range []struct {
		name          string
		undo, release time.Duration
		sent          time.Duration
	}{
		{"released first", undo, time.Second, undo},
		{"released last", undo, 5 * time.Second, 5 * time.Second},
		{"released at once", undo, 0, undo},
		{"without undo", 0, 400 * time.Millisecond, 400 * time.Millisecond},
		{"never", undo, never, never},
		{"never, without undo", 0, never, never},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, d := ask(1), newDouble(ask(1))
				began, sent := time.Now(), never
				d.takes = func(_ int, a *client.Ask, answer client.Answer) (*client.Ask, error) {
					sent = time.Since(began)
					how, by := byMe(answer)
					return d.end(a.Ref, how, by), nil
				}
				play(t, Options{Undo: tt.undo}, func(t *testing.T, b *Inbox) {
					began = time.Now()
					hold(t, b, a, allow)
					if tt.release >= 0 {
						after(tt.release)
						b.Release(a.Ref)
						b.Release(a.Ref)
					}
					after(time.Minute)
					if sent != tt.sent {
						t.Errorf("sent after %v, want %v", sent, tt.sent)
					}
					if tt.sent == never && flightOf(t, b, a).State != Held {
						t.Error("not held any more")
					}
				}, d)
			})
		})
	}
}

// TestUndoOfWhatWasNotReleased takes it back at any time, and what is released
// then is nothing.
func TestUndoOfWhatWasNotReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, d := ask(1), newDouble(ask(1))
		play(t, Options{Undo: undo}, func(t *testing.T, b *Inbox) {
			hold(t, b, a, allow)
			after(time.Minute)
			if _, ok := b.Undo(a.Ref); !ok {
				t.Error("not taken back")
			}
			b.Release(a.Ref)
			hold(t, b, a, deny)
			after(time.Minute)
			if _, _, sent := d.count(); sent != 0 || flightOf(t, b, a).State != Held {
				t.Errorf("sent %d times", sent)
			}
		}, d)
	})
}

// TestCloseDropsWhatWasNotReleased also where it sends what is held.
func TestCloseDropsWhatWasNotReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDouble(ask(1), ask(2))
		b := New(Options{Sources: []Source{{Name: "work", Relay: d}}, Poll: time.Minute, Undo: time.Minute})
		b.Start()
		synctest.Wait()
		hold(t, b, ask(1), allow)
		send(t, b, ask(2), deny)
		loose := b.Close(t.Context(), true)
		if len(loose) != 1 || loose[0].Ref != ask(1).Ref || loose[0].Why != notSent {
			t.Errorf("loose: %+v", loose)
		}
		if len(d.sent) != 1 || d.sent[0].Decision != client.Deny {
			t.Errorf("sent %v", d.sent)
		}
	})
}
