package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

// The cursor stays on its ask whatever arrives (C15).
func TestCursorStaysOnItsAsk(t *testing.T) {
	story(t, func(t *testing.T) {
		a, b, c := approval("work", "5", "ls", 3*time.Minute), approval("work", "6", "pwd", 4*time.Minute), approval("work", "7", "id", 5*time.Minute)
		w := newWorld(t, 120, 24, group("work", 1, a, b, c))
		w.key("j")
		if got := w.under(); got != "6" {
			t.Fatalf("the cursor is on %s", got)
		}
		w.publish(w.snap(group("work", 2, approval("work", "9", "new", 0), a, b, c)))
		if got := w.under(); got != "6" {
			t.Fatalf("an arrival moved the cursor to %s", got)
		}
		w.hides("new ↑") // it is in sight
		w.publish(w.snap(group("first", 1, approval("first", "1", "x", 0)), group("work", 2, approval("work", "9", "new", 0), a, b, c)))
		if got := w.under(); got != "6" {
			t.Fatalf("a new group moved the cursor to %s", got)
		}
		w.key("k", "k")
		if got := w.under(); got != "9" {
			t.Fatalf("the cursor went to %s", got)
		}
		w.hides("new ↑")
	})
}

// An ask that closes elsewhere stays under the cursor, says so, and goes when
// the cursor leaves it.
func TestClosedAskStaysUntilTheCursorLeaves(t *testing.T) {
	story(t, func(t *testing.T) {
		a, b, c := approval("work", "5", "ls", 3*time.Minute), approval("work", "6", "pwd", 4*time.Minute), approval("work", "7", "id", 5*time.Minute)
		w := newWorld(t, 80, 24, group("work", 1, a, b, c))
		w.key("j")
		s := w.snap(group("work", 2, approval("work", "8", "new", time.Minute), a, c))
		s.Closed = inbox.ItemsOf(map[client.Ref]*inbox.Item{b.Ask.Ref: closeItem(b, client.Answered, "Grace")})
		w.publish(s)
		if got := w.under(); got != "6" {
			t.Fatalf("the cursor is on %s", got)
		}
		frame := strings.Split(w.frame(), "\n")
		if !strings.Contains(frame[6], "▌") || !strings.Contains(frame[7], "answered") || !strings.Contains(frame[6], "pwd") {
			t.Fatalf("the closed ask is not in its place:\n%s", strings.Join(frame, "\n"))
		}
		if heading := strings.TrimSpace(frame[1]); !strings.HasSuffix(heading, " 3") {
			t.Errorf("the closed ask is counted as open: %s", heading)
		}
		// It stays through further snapshots, also of an unchanged group.
		again := w.snap(s.Groups...)
		again.Closed = s.Closed
		w.publish(again)
		if got := w.under(); got != "6" {
			t.Fatalf("the cursor is on %s", got)
		}
		w.key("j")
		if got := w.under(); got != "7" {
			t.Fatalf("the cursor went to %s", got)
		}
		w.hides("pwd")
	})
}

// An ask that vanishes without a word is shown as gone, and not as open.
func TestVanishedAskIsGone(t *testing.T) {
	story(t, func(t *testing.T) {
		a, b := approval("work", "5", "ls", 3*time.Minute), approval("work", "6", "pwd", 4*time.Minute)
		w := newWorld(t, 120, 24, group("work", 1, a, b))
		w.publish(w.snap(group("work", 2, b)))
		w.shows("gone")
		_, it := w.m.list.Selected()
		if it.Ask.ID != "5" || !it.Ask.Status.Closed() || it.Ask.Offer(client.ActAllow).OK {
			t.Fatalf("the ask under the cursor is %s, %v", it.Ask.ID, it.Ask.Status)
		}
		// All that is left closes as well: nothing is selected once the cursor leaves.
		w.publish(w.snap(group("work", 3)))
		if got := w.under(); got != "5" {
			t.Fatalf("the cursor is on %s", got)
		}
		w.shows("work")
	})
}

// Rows that arrive above the window leave the row under the eye where it is.
func TestArrivalsDoNotScroll(t *testing.T) {
	story(t, func(t *testing.T) {
		g := many("work", 60)
		w := newWorld(t, 80, 24, g)
		for range 30 {
			w.key("j")
		}
		line := cursorLine(w)
		before := w.under()
		items := append([]*inbox.Item{approval("work", "n1", "new", 0), approval("work", "n2", "new", 0)}, g.Items...)
		w.publish(w.snap(group("work", 2, items...)))
		if w.under() != before || cursorLine(w) != line {
			t.Fatalf("the cursor was on %s in line %d, is on %s in line %d", before, line, w.under(), cursorLine(w))
		}
		w.shows("2 new ↑")
		w.key("g")
		if w.under() != "n1" {
			t.Fatalf("g went to %s", w.under())
		}
		w.hides("new ↑")
	})
}

func cursorLine(w *world) int {
	for i, line := range strings.Split(w.frame(), "\n") {
		if strings.HasPrefix(line, "▌") {
			return i
		}
	}
	return -1
}

// The same id in two sessions of one relay, and the same time: rows of their own (C17, C26).
func TestSameIDInTwoSessions(t *testing.T) {
	story(t, func(t *testing.T) {
		a, b := approval("work", "1", "ls", time.Minute), approval("work", "1", "rm -r x", time.Minute)
		b.Ask.Session.ID, b.Ask.Ref.Session = "other", "other"
		w := newWorld(t, 80, 24, group("work", 1, a, b))
		w.shows("All 2")
		w.key("j")
		if _, it := w.m.list.Selected(); it.Ask.Session.ID != "other" {
			t.Fatalf("the cursor is on session %s", it.Ask.Session.ID)
		}
	})
}

func TestFilters(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, everyday()...)
		w.shows("[All 6]")
		w.key("f")
		w.shows("[Mine 3]")
		w.hides("Postgres")
		w.shows("0 of 2")
		w.key("f")
		w.shows("[Agents 3]")
		w.hides("rm -rf build")
		w.key("F", "F")
		w.shows("[All 6]")
	})
}

// The cursor keeps its ask through a filter that shows it, and goes to the
// nearest one before it otherwise.
func TestFilterKeepsTheCursor(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, everyday()...)
		w.key("j") // w2, of an agent
		w.key("f") // Mine
		if w.under() != "w1" {
			t.Fatalf("the cursor is on %s", w.under())
		}
		w.key("G", "F") // p1, in All again
		if w.under() != "p1" {
			t.Fatalf("the cursor is on %s", w.under())
		}
	})
}

func TestSearch(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, everyday()...)
		w.key("/", "S", "Q", "L")
		w.shows("/SQL")
		w.hides("rm -rf build")
		w.key("esc")
		if w.under() != "w1" {
			t.Fatalf("esc goes back to where one was, and not to %s", w.under())
		}
		w.key("/", "S", "Q", "L", "enter")
		if w.under() != "w2" {
			t.Fatalf("the cursor is on %s", w.under())
		}
		w.shows("Match 1 of 1")
		w.key("/", "f", "l", "a", "k", "y", "enter")
		if w.under() != "w3" {
			t.Fatalf("the session's title was not found; the cursor is on %s", w.under())
		}
		w.key("n", "n")
		if w.under() != "w1" {
			t.Fatalf("n went to %s", w.under())
		}
		w.key("N")
		if w.under() != "p1" {
			t.Fatalf("N went to %s", w.under())
		}
		w.key("/", "z", "z", "z", "enter")
		w.shows("Nothing matches zzz")
	})
}

// What a relay is like stands in its group.
func TestGroupsSayHowTheirRelayDoes(t *testing.T) {
	for _, c := range []struct {
		name  string
		state inbox.State
		want  []string
	}{
		{"first", inbox.State{}, []string{"asking for the first time"}},
		{"down", inbox.State{Asked: true, Reason: "ECONNREFUSED", Seen: day.Add(2 * time.Minute), Next: day.Add(8 * time.Second)},
			[]string{"Not reachable · ECONNREFUSED", "seen 14:02 · next try in 8 s"}},
		{"never", inbox.State{Asked: true, Reason: "no such host", Next: day.Add(35 * time.Second)},
			[]string{"never seen · next try in 40 s"}},
		{"refused", inbox.State{Asked: true, Trouble: "Token refused", Reason: "check its token_env T", Next: day.Add(2 * time.Minute)},
			[]string{"Token refused · check its token_env T", "never seen · next try in 2 min"}},
		{"partial", inbox.State{Asked: true, Reachable: true, Partial: "page 3 repeats"}, []string{"may not be whole · page 3 repeats"}},
		{"empty", inbox.State{Asked: true, Reachable: true}, []string{"─ 0 "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				g := group("work", 1)
				g.State = c.state
				w := newWorld(t, 80, 24, g)
				for _, want := range c.want {
					w.shows(want)
				}
			})
		})
	}
}

// An ask that could not be read is counted, and has a row.
func TestUnreadableIsCounted(t *testing.T) {
	story(t, func(t *testing.T) {
		bad := &inbox.Item{Ask: &client.Ask{Ref: client.Ref{Relay: "work", ID: "3"}, Unreadable: "its id is not a string"}}
		w := newWorld(t, 80, 24, group("work", 1, approval("work", "1", "ls", 0), bad))
		w.shows("─ 2 1 ask could not be read")
		w.shows("its id is not a string")
		w.key("f")
		w.shows("its id is not a string")
	})
}

// What an answer does stands on the row of its ask, left of what an agent wrote.
func TestRowSaysWhereTheAnswerIs(t *testing.T) {
	for state, want := range map[inbox.FlightState]string{
		inbox.Held: "held 3s", inbox.Sending: "sending", inbox.Checking: "checking", inbox.Done: "allowed",
		inbox.Refused: "refused", inbox.TooLate: "too late", inbox.NotKnown: "not known",
	} {
		t.Run(want, func(t *testing.T) {
			story(t, func(t *testing.T) {
				it := approval("work", "1", "ls", 2*time.Minute)
				it.Flight = &inbox.Flight{State: state, Answer: client.Answer{Decision: client.Allow}, Until: day.Add(3 * time.Second)}
				w := newWorld(t, 80, 24, group("work", 1, it))
				w.shows("2m Run  │ ls")
				w.shows(want + " │ Fix the flaky build")
			})
		})
	}
}

// A hostile title, tool, command, relay name and reason cannot leave their row (A08, A15, B13, B14, R4).
func TestHostileRows(t *testing.T) {
	hostile := []string{
		"\x1b]0;all approved\x07\x1b[2J\x1b[Hweb", "web\n  Status: approved\n  Command: ls", "a" + strings.Repeat("\u0301", 100_000) + "b",
		"\U0001F3F3\uFE0F\u200D\U0001F308 \u26A0\uFE0F 1\uFE0F\u20E3 \U0001F468\u200D\U0001F469 end", strings.Repeat("漢", 300), "a\tb\u202ec",
	}
	for _, bad := range hostile {
		for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 24}} {
			story(t, func(t *testing.T) {
				it := approval("work", "1", bad, time.Minute)
				it.Ask.Session.Title = text.New(bad)
				it.Ask.Approval.Tool = text.New(bad)
				g := group(text.New(bad).String(), 1, it, approval("work", "2", "the row below", time.Hour))
				down := group("via", 1)
				down.Via = text.New(bad).String()
				down.State = inbox.State{Asked: true, Reason: text.New(bad).String()}
				w := newWorld(t, size[0], size[1], g, down)
				frame := w.m.draw()
				for _, c := range "\x07\r\t\u202e\u200d\u0301" {
					if strings.ContainsRune(frame, c) && c != '\u0301' {
						t.Fatalf("%q reached the screen", c)
					}
				}
				if strings.Count(frame, "\x1b[2J")+strings.Count(frame, "\x1b]") > 0 || len(frame) > 64<<10 {
					t.Fatalf("control or flood on the screen: %d bytes", len(frame))
				}
				w.shows("the row")
			})
		}
	}
}

// The clock ticks each second, and writes only what says something else by then.
func TestAgesAreWrittenOnlyWhenTheyChange(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, group("work", 1, approval("work", "1", "ls", 90*time.Second), approval("work", "2", "pwd", 3*time.Hour)))
		w.pass(time.Second)
		written := w.written
		w.pass(28 * time.Second)
		if w.written != written {
			t.Fatalf("%d bytes were written although no age changed", w.written-written)
		}
		w.pass(2 * time.Second)
		w.shows("2m Run ")
		if w.written == written {
			t.Fatal("the age that changed was not written")
		}
	})
}

func TestExpiryCountsDown(t *testing.T) {
	story(t, func(t *testing.T) {
		it := approval("work", "1", "ls", time.Hour)
		it.Ask.Expires = day.Add(10*time.Minute + 30*time.Second)
		g := group("work", 1, it)
		g.Skew = 20 * time.Second // the relay's clock is ahead: what counts is the relay's
		w := newWorld(t, 80, 24, g)
		w.shows(" 1h Run ")
		for _, step := range []struct {
			pass time.Duration
			want string
		}{{12 * time.Second, "in 9m"}, {9 * time.Minute, "in 58s"}, {time.Second, "in 57s"}, {time.Minute, "over"}} {
			w.pass(step.pass)
			w.shows(step.want)
		}
	})
}

// A relay whose clock is ahead makes nothing older than it is, nor younger than new (E23).
func TestSkew(t *testing.T) {
	story(t, func(t *testing.T) {
		g := group("work", 1, approval("work", "1", "ls", -90*time.Second))
		w := newWorld(t, 80, 24, g)
		w.shows("<1m")
		unknown := approval("work", "2", "ls", 0)
		unknown.Ask.Opened = time.Time{}
		w.publish(w.snap(group("work", 2, unknown)))
		w.shows("   - Run ")
	})
}

// Ten thousand asks: g, G and a thousand steps find their way.
func TestLongList(t *testing.T) {
	story(t, func(t *testing.T) {
		w := newWorld(t, 80, 24, many("work", 10_000), many("home", 3))
		w.key("G")
		if w.under() != "ask-00002" {
			t.Fatalf("G went to %s", w.under())
		}
		w.key("g")
		for range 40 {
			w.key("pgdown")
		}
		w.shows("work ─")
		if want := fmt.Sprintf("ask-%05d", 40*20); w.under() != want {
			t.Fatalf("forty pages down is %s, want %s", w.under(), want)
		}
	})
}

// However long the names are, the group that is reached through another one is
// told by its own.
func TestLongNamesLeaveTheGroupItsOwn(t *testing.T) {
	story(t, func(t *testing.T) {
		g := group("the-build-box-in-the-cellar", 1)
		g.Via = "a-relay-whose-name-is-32-letters"
		w := newWorld(t, 100, 24, g)
		w.shows("via a-")
		w.shows("│ the-build-box")
	})
}
