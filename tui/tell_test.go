package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/inbox"
	"askbox/client/text"
)

// notices starts a world whose notices are recorded.
func notices(t *testing.T, setting string, groups ...*inbox.Group) (*world, *bells) {
	told := &bells{}
	w := newWorld(t, 80, 24, groups...)
	w.m.notify, w.m.out = setting, told
	return w, told
}

// bells are what was written to the terminal beside its frames.
type bells []string

func (b *bells) Write(p []byte) (int, error) {
	*b = append(*b, string(p))
	return len(p), nil
}

func urgentAsk(id, what string) *inbox.Item {
	it := approval("work", id, what, 0)
	it.Ask.Urgent = true
	return it
}

func goesOn(it *inbox.Item) *inbox.Item {
	it.Ask.Waits = false
	return it
}

func TestNotices(t *testing.T) {
	for _, c := range []struct {
		name, setting string
		arrives       *inbox.Item
		focus         tea.Msg
		want          int
	}{
		{"off", "off", urgentAsk("2", "ls"), nil, 0},
		{"now, urgent", "now", urgentAsk("2", "ls"), nil, 1},
		{"now, the session waits", "now", approval("work", "2", "ls", 0), nil, 1},
		{"now, the session goes on", "now", goesOn(approval("work", "2", "ls", 0)), nil, 0},
		{"now, urgent though the session goes on", "now", goesOn(urgentAsk("2", "ls")), nil, 1},
		{"urgent, the session waits", "urgent", approval("work", "2", "ls", 0), nil, 0},
		{"urgent", "urgent", urgentAsk("2", "ls"), nil, 1},
		{"all, not urgent", "all", approval("work", "2", "ls", 0), nil, 1},
		{"a key was pressed just now", "all", urgentAsk("2", "ls"), keyNamed("j"), 0},
		{"the terminal is in front", "all", urgentAsk("2", "ls"), tea.FocusMsg{}, 0},
		{"the terminal is elsewhere", "all", urgentAsk("2", "ls"), tea.BlurMsg{}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				first := urgentAsk("1", "pwd")
				w, told := notices(t, c.setting, group("work", 1, first))
				if c.focus != nil {
					w.send(c.focus)
				}
				w.publish(w.snap(group("work", 2, c.arrives, first)))
				if len(*told) != c.want {
					t.Fatalf("told %d times: %q", len(*told), *told)
				}
			})
		})
	}
}

// What a relay lists at first is no news, nor is an ask that shows up again; and
// many at once are one notice.
func TestNoticesAreFew(t *testing.T) {
	story(t, func(t *testing.T) {
		empty := group("work", 1)
		empty.State = inbox.State{}
		w, told := notices(t, "all", empty)
		a, b, c, d := urgentAsk("1", "a"), urgentAsk("2", "b"), urgentAsk("3", "c"), urgentAsk("4", "d")
		w.publish(w.snap(group("work", 2, a)))
		if len(*told) != 0 {
			t.Fatalf("the first listing was told: %q", *told)
		}
		w.publish(w.snap(group("work", 3, b, a)))
		w.publish(w.snap(group("work", 4, c, b, a)))
		w.publish(w.snap(group("work", 5, d, c, b, a)))
		if len(*told) != 1 {
			t.Fatalf("told %d times within a moment: %q", len(*told), *told)
		}
		w.pass(6 * time.Second)
		if len(*told) != 2 || !strings.Contains((*told)[1], "2 new asks wait") {
			t.Fatalf("what waited was not told as one: %q", *told)
		}
		w.publish(w.snap(group("work", 6, d, c, a)))
		w.publish(w.snap(group("work", 7, d, c, b, a)))
		w.pass(time.Minute)
		if len(*told) != 2 {
			t.Fatalf("an ask that came back was told again: %q", *told)
		}
	})
}

// What an agent wrote is in no notice, and a relay's name cannot act on the terminal
// or the desktop (A19, R18).
func TestNoticesAreSafe(t *testing.T) {
	bad := "--urgency=critical <b>x</b> \x1b]0;x\x07\n'\"; touch /tmp/pwned"
	it := urgentAsk("1", bad)
	it.Ask.Session.Title = text.New(bad)
	words := notice([]*inbox.Item{it}, []string{text.New("a<b>;\x1b").String()})
	if want := "askbox: Approval now · one ask waits on a_b__⟨ESC⟩"; words != want {
		t.Errorf("the notice is %q, want %q", words, want)
	}
}

// Every terminal gets the sequence that it knows, through tmux as well.
func TestNotificationsOfTerminals(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"TERM": "xterm-kitty"}, "\x1b]9;askbox: Question · x\a\a"},
		{map[string]string{"TERM": "foot"}, "\x1b]777;notify;askbox;Question · x\a\a"},
		{map[string]string{"TERM": "xterm-256color", "VTE_VERSION": "7200"}, "\x1b]777;notify;askbox;Question · x\a\a"},
		{map[string]string{"TERM": "screen", "STY": "1.pts"}, "\x1bP\x1b]9;askbox: Question · x\a\x1b\\\a"},
		{map[string]string{"TERM": "tmux-256color", "TMUX": "/tmp/tmux"}, "\x1bPtmux;\x1b\x1b]9;askbox: Question · x\a\x1b\\\a"},
	} {
		if got := notification("askbox: Question · x", func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
}

// An ask that will end unanswered is told of once, while there is time to act, by its
// relay's clock, and not to who is there and sees it (I24).
func TestNoticeBeforeAnAskIsOver(t *testing.T) {
	ending := func(id string, left time.Duration) *inbox.Item {
		it := approval("work", id, "ls", 0)
		it.Ask.Expires, it.Ask.ExpiredWords = time.Now().Add(2*time.Hour+left), "expired, counted as a denial"
		return it
	}
	ahead := func(n uint64, items ...*inbox.Item) *inbox.Group {
		g := group("work", n, items...)
		g.Skew = 2 * time.Hour
		return g
	}
	for _, c := range []struct {
		name, setting string
		left          time.Duration
		final         bool
		focus         tea.Msg
		want          int
	}{
		{"elsewhere", "now", 3 * time.Minute, true, tea.BlurMsg{}, 1},
		{"soon", "all", 6 * time.Minute, true, tea.BlurMsg{}, 1},
		{"later", "all", 30 * time.Minute, true, tea.BlurMsg{}, 0},
		{"off", "off", 3 * time.Minute, true, tea.BlurMsg{}, 0},
		{"the person is here", "all", 3 * time.Minute, true, tea.FocusMsg{}, 0},
		{"the relay decides", "all", 3 * time.Minute, false, tea.BlurMsg{}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			story(t, func(t *testing.T) {
				it := ending("1", c.left)
				if !c.final {
					it.Ask.ExpiredWords = ""
				}
				w, told := notices(t, c.setting, ahead(1, it))
				w.send(c.focus)
				w.pass(2 * time.Minute)
				w.pass(2 * time.Minute)
				if len(*told) != c.want {
					t.Fatalf("told %d times: %q", len(*told), *told)
				}
				if c.want > 0 && !strings.Contains((*told)[0], "one ask ends unanswered in ") {
					t.Errorf("told %q", *told)
				}
			})
		})
	}
	story(t, func(t *testing.T) {
		w, told := notices(t, "now", ahead(1, ending("1", 200*time.Second), ending("2", 250*time.Second)))
		w.send(tea.BlurMsg{})
		w.pass(10 * time.Second)
		if len(*told) != 1 || !strings.Contains((*told)[0], "2 asks end unanswered soon, the first in 3 minutes on work") {
			t.Errorf("told %q", *told)
		}
	})
}
