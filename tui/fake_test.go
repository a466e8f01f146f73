package tui

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/frames"
	"askbox/tui/input"
	"askbox/tui/theme"
)

// world is a model under test in a bubble of fake time, on a terminal that draws
// what is written and says so a lag later.
type world struct {
	t      testing.TB
	m      model
	box    *fakeBox
	got    chan tea.Msg
	quit   bool
	number uint64

	lag     time.Duration // between a write to the terminal and its reply
	silent  bool          // the terminal replies to nothing
	updated bool          // since the renderer got its frame
	laid    string        // the newest frame, which the renderer holds
	drawn   string        // what the terminal shows
	written int           // bytes
	output  *frames.Output
}

// lagging is how long the terminal of a test takes to reply.
const lagging = 10 * time.Millisecond

// Write is the terminal's side of the line.
func (w *world) Write(p []byte) (int, error) {
	w.written += len(p)
	text := string(p)
	requests := strings.Count(text, "\x1b[5n")
	if text = strings.ReplaceAll(text, "\x1b[5n", ""); text != "" {
		w.drawn = text
	}
	for range requests {
		if w.silent {
			continue
		}
		time.AfterFunc(w.lag, func() { w.got <- tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{input.Replied}} })
	}
	return len(p), nil
}
func (w *world) Read([]byte) (int, error) { return 0, io.EOF }
func (w *world) Close() error             { return nil }
func (w *world) Fd() uintptr              { return ^uintptr(0) }

// flush writes the newest frame, as the renderer does at its ticks.
func (w *world) flush() (wrote bool) {
	if !w.updated {
		return false
	}
	w.updated = false
	frame := w.m.View()
	if frame == w.laid {
		return false
	}
	w.laid = frame
	_, _ = w.output.Write([]byte(frame))
	return true
}

// story plays a test in fake time that begins at day.
func story(t *testing.T, play func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(day))
		play(t)
	})
}

func newWorld(t testing.TB, width, height int, groups ...*inbox.Group) *world {
	t.Helper()
	return newWorldIn(t, theme.PlainTheme(), width, height, groups...)
}

// newWorldIn starts a model with a theme, inside a bubble.
func newWorldIn(t testing.TB, paint *theme.Theme, width, height int, groups ...*inbox.Group) *world {
	t.Helper()
	return (&world{t: t, lag: lagging}).start(paint, width, height, groups...)
}

// start starts the model on the terminal that the world has.
func (w *world) start(paint *theme.Theme, width, height int, groups ...*inbox.Group) *world {
	w.box, w.got = newFakeBox(), make(chan tea.Msg, 1000)
	w.box.snapshot = w.snap(groups...)
	w.m = bare(w.t, w.box, paint, clockOf(time.Now())).resize(width, height)
	w.output = w.m.frames.Output(w)
	w.m.again, w.updated = w.output.Again, true
	w.run(w.m.Init())
	w.drain()
	return w
}

// bare returns a model without anything that runs.
func bare(t testing.TB, b *fakeBox, paint *theme.Theme, clock func() moment) model {
	return newModel(setup{ctx: t.Context(), box: b, theme: paint, out: io.Discard, clock: clock}, client.All)
}

// snap builds the next snapshot.
func (w *world) snap(groups ...*inbox.Group) *inbox.Snapshot {
	w.number++
	return &inbox.Snapshot{Number: w.number, Taken: time.Now(), Groups: groups}
}

// publish shows a snapshot the way the inbox does.
func (w *world) publish(s *inbox.Snapshot) {
	w.box.publish(s)
	w.drain()
}

// pass lets time go by; what is due happens in its order.
func (w *world) pass(d time.Duration) {
	w.drain()
	for end := time.After(d); ; {
		select {
		case msg := <-w.got:
			w.take(msg)
			w.drain()
		case <-end:
			w.drain()
			return
		}
	}
}

// send gives messages to the model that come in one reading, and then everything
// that follows from them at once.
func (w *world) send(msgs ...tea.Msg) {
	for _, msg := range msgs {
		w.update(msg)
		w.m.View()
	}
	w.drain()
}

// take gives what a command returned to the model.
func (w *world) take(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		w.quit = true
		return
	}
	w.update(msg)
}

func (w *world) update(msg tea.Msg) {
	next, cmd := w.m.Update(msg)
	w.m, w.updated = next.(model), true
	w.run(cmd)
}

// run runs a command as Bubble Tea does, at the side.
func (w *world) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				w.run(c)
			}
		default:
			w.got <- msg
		}
	}()
}

// drain gives the model what the commands returned, until nothing moves any more.
func (w *world) drain() {
	for {
		synctest.Wait()
		select {
		case msg := <-w.got:
			w.take(msg)
		default:
			if !w.flush() {
				return
			}
		}
	}
}

// key presses keys as a person does: after a pause, alone, with time to settle.
func (w *world) key(keys ...string) {
	for _, k := range keys {
		w.pass(time.Second)
		w.send(keyNamed(k))
		w.pass(aloneTime + 100*time.Millisecond)
	}
}

// keyNamed returns the message of a key by its name.
func keyNamed(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	for typ := tea.KeyType(-120); typ < 128; typ++ {
		if msg := (tea.KeyMsg{Type: typ}); typ != tea.KeyRunes && typ != tea.KeySpace && msg.String() == name {
			return msg
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// frame returns the screen without styles, after checking its size.
func (w *world) frame() string {
	w.t.Helper()
	frame := w.m.draw()
	checkSize(w.t, frame, w.m.width, w.m.height)
	return ansi.Strip(frame)
}

func checkSize(t testing.TB, frame string, width, height int) {
	t.Helper()
	if width <= 0 || height <= 0 {
		return
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != height {
		t.Fatalf("the frame has %d lines, want %d", len(lines), height)
	}
	for i, line := range lines {
		if got := ansi.StringWidth(line); got != width {
			t.Fatalf("line %d is %d cells wide, want %d: %q", i, got, width, line)
		}
	}
}

func (w *world) shows(want string) {
	w.t.Helper()
	if frame := w.frame(); !strings.Contains(frame, want) {
		w.t.Fatalf("the screen does not show %q:\n%s", want, frame)
	}
}

func (w *world) hides(what string) {
	w.t.Helper()
	if frame := w.frame(); strings.Contains(frame, what) {
		w.t.Fatalf("the screen shows %q:\n%s", what, frame)
	}
}

// under returns the id of the ask under the cursor.
func (w *world) under() string {
	_, it := w.m.list.Selected()
	if it == nil {
		return ""
	}
	return it.Ask.ID
}

// approval, question: asks as an adapter would build them.
func approval(relay, id, command string, age time.Duration) *inbox.Item {
	a := &client.Ask{
		Ref: client.Ref{Relay: relay, Session: "s-" + id, ID: id}, Kind: client.Approval, Status: client.Open, Waits: true,
		Session: client.Session{ID: "s-" + id, Title: text.New("Fix the flaky build"), Starter: client.StarterMe, Link: "https://relay.example/s/" + id},
		Opened:  day.Add(-age),
		Offers:  client.Offered(client.ActAllow, client.ActAlways, client.ActAllowMessage, client.ActDeny, client.ActDenyReason, client.ActDismiss, client.ActDismissMessage),
		Approval: &client.ApprovalAsk{Tool: text.New("Bash"), Always: []text.Text{text.New("Bash(" + command + ")")},
			Parts: []client.Part{{Kind: client.PartCommand, Text: text.New(command)}, {Kind: client.PartSays, Text: text.New("clean build")}}},
	}
	return &inbox.Item{Ask: a, Digest: a.Digest()}
}

func question(relay, id, ask string, age time.Duration) *inbox.Item {
	a := &client.Ask{
		Ref: client.Ref{Relay: relay, Session: "s-" + id, ID: id}, Kind: client.Question, Status: client.Open,
		Session: client.Session{ID: "s-" + id, Title: text.New("Plan the release"), Starter: client.StarterAgent},
		Opened:  day.Add(-age),
		Offers:  client.Offered(client.ActAnswer, client.ActDismiss, client.ActDismissMessage),
		Questions: []client.QuestionAsk{{ID: "q", Text: text.New(ask), OwnText: true,
			Options: []client.Option{{ID: "a", Label: text.New("Yes")}, {ID: "b", Label: text.New("No")}}, Recommended: 1}},
	}
	return &inbox.Item{Ask: a, Digest: a.Digest()}
}

// group builds the group of a relay that is well.
func group(name string, version uint64, items ...*inbox.Item) *inbox.Group {
	return &inbox.Group{Name: name, Kind: "opencomputer", Version: version, Items: items,
		State: inbox.State{Asked: true, Reachable: true, Seen: day, Next: day.Add(2 * time.Second)}}
}

// many builds a group of n asks, newest first.
func many(name string, n int) *inbox.Group {
	items := make([]*inbox.Item, n)
	for i := range items {
		items[i] = approval(name, fmt.Sprintf("ask-%05d", i), fmt.Sprintf("make target-%d && ./run --all", i), time.Duration(i)*time.Minute)
	}
	return group(name, 1, items...)
}

// closeItem returns an item as a relay tells of it once somebody closed it.
func closeItem(it *inbox.Item, status client.Status, by string) *inbox.Item {
	a := *it.Ask
	a.Status = status
	a.Closing = &client.Closing{By: client.Actor{Name: text.New(by)}, At: day}
	return &inbox.Item{Ask: &a, Digest: a.Digest()}
}

func entry(id, what string, age time.Duration) *history.Entry {
	return &history.Entry{Ref: client.Ref{Relay: "work", Session: "s", ID: id}, Kind: client.Approval, Waited: true,
		What: text.New(what), Session: text.New("Fix the flaky build"), How: client.Answered,
		By: text.New("Ada"), At: day.Add(-age), With: []text.Text{text.New("allow"), text.New("go on, but only this once")}}
}

// everyday is the inbox of the sketch: twenty asks, a relay that is down, one
// that is reached through another.
func everyday() []*inbox.Group {
	work := group("work", 1,
		approval("work", "w1", "rm -rf build", 2*time.Minute),
		question("work", "w2", "Postgres or SQLite?", 5*time.Minute),
		approval("work", "w3", "split the importer into reader and writer, keep the old entry point", 11*time.Minute))
	urgent := question("home", "h1", "Ship today?", time.Minute)
	urgent.Ask.Urgent = true
	home := group("home", 1, urgent, question("home", "h2", "Which naming style?", 26*time.Minute))
	box := group("build-box", 1)
	box.Via = "home"
	box.State = inbox.State{Asked: true, Reason: "ECONNREFUSED", Seen: day.Add(-time.Minute), Next: day.Add(8 * time.Second)}
	expiring := approval("prod", "p1", "kubectl apply -f production.yaml", 4*time.Hour)
	expiring.Ask.Expires = day.Add(9*time.Minute + 30*time.Second)
	prod := group("prod", 1, expiring)
	prod.Insecure = true
	return []*inbox.Group{work, home, box, prod}
}
