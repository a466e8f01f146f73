package tui

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/tui/frames"
	"askbox/tui/input"
	"askbox/tui/theme"
)

// meantWorld is askbox as it runs, with Bubble Tea's own loop and renderer, between
// a far terminal and relays in memory.
type meantWorld struct {
	*farTerminal
	relays  []*meantRelay
	box     *tapped
	program *tea.Program
	sizes   *sized
	crash   *crash
	keys    *input.Reader
	clock   *sleeper
	signals chan os.Signal
	drafts  *drafts.Store
	folder  string
	undo    time.Duration
	presses []*press
	ended   chan error
	next    int // of asks
	change  int // of contents

	width, height int
	tore          time.Time // when a sequence was torn last
	lastText      string    // the last screen
	typedWords    []typedWord
	backs         []*press // keys that took back what another one decided
}

// typedWord is a word that a person saw in a text field after typing it.
type typedWord struct {
	word string
	ask  string
}

// tapped notes when an answer was handed to the inbox, which tells the key by when
// it came; what it was for and what was on the screen is learned elsewhere.
type tapped struct {
	*inbox.Inbox
	mu    sync.Mutex
	holds []*hold
}

type hold struct {
	at     time.Time
	ref    client.Ref
	answer client.Answer
	taken  bool // the inbox took it
	undone bool
}

func (b *tapped) Hold(ref client.Ref, digest string, a client.Answer) error {
	err := b.Inbox.Hold(ref, digest, a)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holds = append(b.holds, &hold{at: time.Now(), ref: ref, answer: a, taken: err == nil})
	return err
}

func (b *tapped) Undo(ref client.Ref) (client.Answer, bool) {
	a, ok := b.Inbox.Undo(ref)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := len(b.holds) - 1; ok && i >= 0; i-- {
		if b.holds[i].ref == ref && b.holds[i].taken {
			b.holds[i].undone = true
			break
		}
	}
	return a, ok
}

// sleeper is the clock of a machine that may sleep: its monotonic part stands still.
type sleeper struct {
	mu     sync.Mutex
	start  time.Time
	slept  time.Duration
	frozen *moment
}

func (s *sleeper) now() moment {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frozen != nil {
		return *s.frozen
	}
	return moment{wall: time.Now().Round(0), mono: time.Since(s.start) - s.slept}
}

func (s *sleeper) sleep() {
	now := s.now()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = &now
}

func (s *sleeper) wake() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slept += time.Since(s.frozen.wall)
	s.frozen = nil
}

// sized checks every frame on its way to the renderer.
type sized struct {
	tea.Model
	mu            sync.Mutex
	width, height int
	wrong         string
}

func (s *sized) Init() tea.Cmd { return s.Model.Init() }

func (s *sized) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		s.mu.Lock()
		s.width, s.height = size.Width, size.Height
		s.mu.Unlock()
	}
	next, cmd := s.Model.Update(msg)
	s.Model = next
	return s, cmd
}

func (s *sized) View() string {
	frame := s.Model.View()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.width <= 0 || s.height <= 0 || s.wrong != "" {
		return frame
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != s.height {
		s.wrong = fmt.Sprintf("a frame of %d lines at %dx%d", len(lines), s.width, s.height)
	}
	for _, l := range lines {
		if w := ansi.StringWidth(l); w != s.width {
			s.wrong = fmt.Sprintf("a line of %d cells at %dx%d: %q", w, s.width, s.height, l)
		}
	}
	return frame
}

// newMeantWorld starts everything inside a bubble of fake time.
func newMeantWorld(t *testing.T, ctx context.Context, width, height int, undo time.Duration) *meantWorld {
	w := &meantWorld{farTerminal: newFarTerminal(ctx, width, height), width: width, height: height, undo: undo,
		relays: []*meantRelay{{name: "work"}, {name: "home"}}, ended: make(chan error, 1), signals: make(chan os.Signal, 1),
		clock: &sleeper{start: time.Now()}, crash: &crash{}, folder: t.TempDir()}
	return w
}

// start starts the inbox and the program on what is there.
func (w *meantWorld) start(t *testing.T) {
	o := inbox.Options{Poll: 2 * time.Second, Undo: w.undo}
	for _, r := range w.relays {
		o.Sources = append(o.Sources, inbox.Source{Name: r.name, Kind: "double", Relay: r})
	}
	w.box = &tapped{Inbox: inbox.New(o)}
	w.box.Start()
	var err error
	if w.drafts, err = drafts.Open(w.folder); err != nil {
		t.Fatal(err)
	}
	w.keys = input.From(w.open, input.Options{Mouse: true})
	screen := frames.New[seen]()
	output := screen.Output(w.farTerminal)
	m := newModel(setup{ctx: w.ctx, box: w.box, drafts: w.drafts, theme: theme.PlainTheme(), clock: w.clock.now, out: output, frames: screen,
		again: output.Again, keys: w.keys, lost: func() int { return w.keys.Stats().Lost }, signals: w.signals, notify: "off"}, client.All)
	m = m.resize(w.width, w.height)
	w.sizes = &sized{Model: contained{model: m, crash: w.crash}, width: w.width, height: w.height}
	w.program = tea.NewProgram(w.sizes, Options{Mouse: true}.programOptions(w.ctx, w.keys, output)...)
	w.crash.stop = w.program.Quit
	go func() {
		_, err := w.program.Run()
		w.ended <- err
	}()
	w.program.Send(tea.WindowSizeMsg{Width: w.width, Height: w.height})
}

// stop ends everything, so that nothing is left in the bubble.
func (w *meantWorld) stop(cancel context.CancelFunc) {
	w.program.Kill()
	<-w.ended
	w.box.Close(context.Background(), false)
	cancel()
	_ = w.keys.Close()
	_ = w.drafts.Flush()
	synctest.Wait()
}

// resize gives the window another size, at both ends of the line at once.
func (w *meantWorld) resize(width, height int) {
	w.mu.Lock()
	w.width, w.height = width, height
	w.screen.Resize(max(width, 1), max(height, 1))
	w.mu.Unlock()
	w.program.Send(tea.WindowSizeMsg{Width: width, Height: height})
}

// add opens an ask on a relay.
func (w *meantWorld) add(r *meantRelay, lines, words, rules int, question bool) {
	w.next++
	id := fmt.Sprintf("A%02d", w.next%100)
	c := &content{id: id, question: question, says: stamped(id, "s000", 0, 2)}
	if question {
		lines, rules, c.says = min(lines, 4), 0, ""
	}
	for i := range lines {
		n := 1 + (i*7+words)%words
		c.command = append(c.command, stamped(id, fmt.Sprintf("l%03d", i), 0, n))
	}
	for i := range rules {
		c.rules = append(c.rules, stamped(id, fmt.Sprintf("r%03d", i), 0, 1))
	}
	w.know(c)
	r.set(func(r *meantRelay) {
		h := &heldAsk{}
		r.put(h, c)
		h.id = h.ask.Ref
		r.asks = append([]*heldAsk{h}, r.asks...)
	})
}

func (w *meantWorld) know(c *content) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, l := range c.all() {
		w.seen.know(l)
	}
}
