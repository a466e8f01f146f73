package inbox

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
)

// TestAnyStory plays random stories of a relay that loses replies, lags, fails, and
// whose asks are changed and are answered by others too, and checks what has to hold
// in every one.
func TestAnyStory(t *testing.T) {
	for seed := range uint64(150) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { playAny(t, rand.New(&shared{src: rand.NewPCG(seed, 1)})) })
		})
	}
}

// shared is a source of chance for several goroutines.
type shared struct {
	mu  sync.Mutex
	src rand.Source
}

func (s *shared) Uint64() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.src.Uint64()
}

func playAny(t *testing.T, dice *rand.Rand) {
	const n = 6
	s := newStreaming()
	for i := range n {
		s.asks = append(s.asks, ask(i))
	}
	s.none = dice.IntN(2) == 0
	attempts, lost := map[client.Ref]int{}, map[client.Ref]int{}
	shown, changed := map[client.Ref]*client.Ask{}, map[client.Ref]time.Time{}
	s.takes = func(_ int, a *client.Ask, answer client.Answer) (*client.Ask, error) {
		s.set(func(d *double) {
			attempts[a.Ref]++
			if a.Digest() != shown[a.Ref].Digest() {
				t.Errorf("%v: answered is %v, shown was %v", a.Ref, a.What(), shown[a.Ref].What())
			}
			for _, now := range d.asks {
				if late := time.Since(changed[a.Ref]); now.Ref == a.Ref && now.Digest() != a.Digest() && answer.Decision == client.Allow && late > lookAhead {
					t.Errorf("%v: allowed %v after it had changed", a.Ref, late)
				}
			}
		})
		broke := &client.Uncertain{Err: errors.New("the connection broke")}
		how, by := byMe(answer)
		switch dice.IntN(5) {
		case 0: // it counted, and the reply is lost
			s.end(a.Ref, how, by)
			s.set(func(*double) { lost[a.Ref]++ })
			return nil, broke
		case 1: // it did not
			s.set(func(*double) { lost[a.Ref]++ })
			return nil, broke
		case 2:
			s.set(func(*double) {
				if lost[a.Ref] > 0 { // it was sent once more, and may be again
					lost[a.Ref]++
				}
			})
			return nil, refusedConnection
		case 3:
			time.Sleep(time.Duration(dice.IntN(3000)) * time.Millisecond)
		}
		s.mu.Lock()
		over := s.over[a.Ref]
		s.mu.Unlock()
		if over != nil {
			return nil, &client.Closed{Ask: over}
		}
		return s.end(a.Ref, how, by), nil
	}
	s.lists = func(int) (client.Batch, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		b := client.Batch{Asks: append([]*client.Ask{}, s.asks...), Complete: true}
		if dice.IntN(6) == 0 && len(b.Asks) > 0 {
			b.Asks, b.Complete = b.Asks[:dice.IntN(len(b.Asks))], false
		}
		return b, nil
	}
	play(t, Options{Undo: time.Duration(dice.IntN(2)) * undo}, func(t *testing.T, b *Inbox) {
		taken := map[client.Ref]int{}
		for range 40 {
			a := ask(dice.IntN(n))
			switch dice.IntN(9) {
			case 0, 1, 2:
				if it := b.Latest().Find(a.Ref); it != nil {
					s.set(func(*double) {
						was := shown[a.Ref]
						shown[a.Ref] = it.Ask
						if b.Send(a.Ref, it.Digest, []client.Answer{allow, deny}[dice.IntN(2)]) == nil {
							taken[a.Ref]++
						} else {
							shown[a.Ref] = was
						}
					})
				}
			case 3:
				if _, back := b.Undo(a.Ref); back {
					taken[a.Ref]--
				}
			case 4:
				s.end(a.Ref, client.Answered, byGrace("deny"))
			case 5:
				s.set(func(d *double) { d.down = []error{nil, refusedConnection}[dice.IntN(2)] })
			case 6:
				b.Forget(a.Ref)
			case 7:
				b.Refresh("")
			case 8:
				s.set(func(d *double) {
					d.asks = slices.Clone(d.asks)
					for i, now := range d.asks {
						if now.Ref == a.Ref {
							d.asks[i], changed[a.Ref] = ask(now.Opened.Minute(), command(fmt.Sprint("make ", dice.IntN(3)))), time.Now()
						}
					}
				})
			}
			time.Sleep(time.Duration(dice.IntN(4000)) * time.Millisecond)
		}
		s.set(func(d *double) { d.down = nil })
		after(10 * time.Minute)
		s.mu.Lock()
		defer s.mu.Unlock()
		for i := range n {
			ref := ask(i).Ref
			it := b.Latest().Find(ref)
			over := s.over[ref]
			switch {
			case it == nil && over != nil:
				continue // it was over before it was ever listed
			case it == nil:
				t.Errorf("%v is nowhere", ref)
				continue
			case (over == nil) != isOpen(b, ask(i)):
				t.Errorf("%v: open here %v, there %v", ref, isOpen(b, ask(i)), over == nil)
			}
			if f := it.Flight; f != nil {
				if missed := f.State > Done && !isOpen(b, ask(i)); missed != (listed(b, ask(i)) != nil && !isOpen(b, ask(i))) {
					t.Errorf("%v: listed %v, with state %d", ref, listed(b, ask(i)) != nil, f.State)
				}
				mine := over != nil && over.Closing.By.Me
				if f.State == Done && (f.Differs == nil) != shown[ref].SameContent(over) || f.State == Done && !shown[ref].SameContent(it.Ask) {
					t.Errorf("%v: shown was %v, answered is %v, it says %v and differs %v", ref, shown[ref].What(), over.What(), it.Ask.What(), f.Differs)
				}
				if !f.State.settled() || f.State == Done && !mine || f.State == TooLate && mine {
					t.Errorf("%v: state %d, closed by me %v", ref, f.State, mine)
				}
			}
			if most := taken[ref] + lost[ref]; attempts[ref] > most {
				t.Errorf("%v: sent %d times, at most %d are right", ref, attempts[ref], most)
			}
		}
	}, s)
}

func (s FlightState) settled() bool { return s >= Done }
