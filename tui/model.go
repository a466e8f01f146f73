package tui

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/inbox"
	"askbox/tui/ask"
	"askbox/tui/frames"
	"askbox/tui/history"
	"askbox/tui/input"
	"askbox/tui/keymap"
	"askbox/tui/list"
	"askbox/tui/theme"
)

// screen is what fills the body.
type screen int

const (
	screenInbox screen = iota
	screenHistory
	screenHelp
	screenQuit
)

// setup is what the model gets from outside and never changes.
type setup struct {
	ctx     context.Context
	keymap  *keymap.Map
	box     mailbox
	start   func() // starts the inbox; nil in most tests
	drafts  *drafts.Store
	theme   *theme.Theme
	repaint func(dark bool) *theme.Theme // nil where the background is known
	clock   func() moment
	out     io.Writer
	frames  *frames.Screen[seen]
	tty     *os.File      // what out writes to; nil in tests
	again   func()        // asks the terminal once more what it has drawn; nil in tests
	keys    *input.Reader // nil in tests
	lost    func() int    // bytes that came from the terminal and are no text
	// readings counts what the terminal gave at once; nil in tests.
	readings  func() int
	signals   <-chan os.Signal // SIGCONT; nil in tests
	lent      func(bool)       // tells that another program has the terminal, and that it has not
	unlock    func() func()    // see [Options.Unlock]; may be nil
	free      func()           // drops what the terminal does not take, so that the program can end
	unblocked <-chan struct{}  // has an element when the terminal takes something again
	notify    string
	relays    []string
	demo      bool
	titled    bool // the window gets a title
}

// model is the root. It owns the layout, decides which pane a key belongs to,
// and is the only one that asks the inbox for anything.
type model struct {
	setup
	width, height int
	now           time.Time
	snapshot      *inbox.Snapshot
	counts        [3]int
	partial       bool // the list of a relay may not be whole

	list    list.Model
	ask     ask.Model
	history history.Model
	help    help
	screen  screen
	opened  bool // in one column: the ask covers the list
	quit    quitting

	blanks    int   // how often the window had no cell
	shown     shown // what is laid out
	drawn     shown // what the terminal shows
	read      shown // the ask that it showed last
	stepped   shown // the ask that a key moved to
	moving    bool  // a key is moving the cursor of the list
	stood     standing
	reading   reading
	arming    arming
	unsettled unsettled
	// lostBefore is how many bytes were lost before the text field in focus was opened.
	lostBefore int

	editing  *edit // an editor has it, or had
	bundle   bundle
	batch    batch
	queue    []request
	sent     []client.Ref // answers given here, newest last, for u
	status   status
	offer    string // what the next key copies where it is the one that copies
	prompt   rune   // '/': a search is typed, ':': a command; 0: neither
	typed    string // what is typed there
	told     teller
	title    string // of the window
	noticed  uint64 // the newest notice that was shown
	leftOver leftOver
	loose    []inbox.Loose
	closed   bool // the inbox is closed
}

func newModel(s setup, filter client.Filter) model {
	if s.lent == nil {
		s.lent, s.free = func(bool) {}, func() {}
	}
	if s.keymap == nil {
		s.keymap = keymap.New()
	}
	now, keys := s.clock(), s.keymap
	m := model{
		setup: s, now: now.wall,
		list:    list.New(s.theme, filter),
		ask:     ask.New(s.theme, keys, s.drafts),
		history: history.New(s.theme),
		help:    newHelp(s.theme, keys),
		arming:  newArming(now),
	}
	if m.frames == nil {
		m.frames = frames.New[seen]()
	}
	return m.take(s.box.Latest())
}

// Init starts the commands that go on for as long as the program runs.
func (m model) Init() tea.Cmd {
	return tea.Batch(
		begin(m.ctx, m.frames.Began(), m.start),
		await(m.ctx, m.box, m.snapshot.Number),
		tick(m.ctx),
		drawn(m.ctx, m.frames),
		m.continued(), m.freed(), m.drafted(),
	)
}

// Sizes below which the screen says so and takes no decision, and from which
// the list and the ask stand side by side.
const (
	leastWidth  = 40
	leastHeight = 10
	twoPanes    = 100
)

func (m model) small() bool { return m.width < leastWidth || m.height < leastHeight }
func (m model) wide() bool  { return m.width >= twoPanes }

// askVisible reports whether an ask stands on the screen in full.
func (m model) askVisible() bool {
	return m.screen == screenInbox && !m.small() && (m.wide() || m.opened)
}

// listVisible reports whether the list can be seen.
func (m model) listVisible() bool {
	return m.screen == screenInbox && (m.wide() || !m.opened)
}

// body is the height between the header and the two lines at the bottom.
func (m model) body() int { return max(m.height-3, 0) }

func (m model) listWidth() int {
	if !m.wide() {
		return m.width
	}
	return min(m.width*42/100, 80)
}

// margin is how far the ask stands in from the edge where it has the screen for
// itself. A narrow one has no cell to spare.
func (m model) margin() int {
	if m.wide() || m.width < 60 {
		return 0
	}
	return 1
}

func (m model) paneWidth() int {
	if m.wide() {
		return m.width - m.listWidth() - 2
	}
	return m.width - m.margin()
}

// resize lays the panes out for a size of the terminal.
func (m model) resize(width, height int) model {
	if m.width, m.height = max(width, 0), max(height, 0); m.width == 0 || m.height == 0 {
		m.blanks++
	}
	if !m.wide() && (m.ask.Typing() || m.ask.Focused()) {
		// What somebody is writing stays in front of them.
		m.opened = true
	}
	m.list = m.list.Resize(m.listWidth(), m.body(), m.wide())
	if !m.small() {
		m.ask = m.ask.Resize(m.paneWidth(), m.body())
	}
	m.history = m.history.Resize(m.width, m.body())
	m.help = m.help.resize(m.width, m.body())
	m.arming.small = m.small()
	return m.sync()
}

// take shows a snapshot.
func (m model) take(s *inbox.Snapshot) model {
	if m.snapshot != nil && s.Number < m.snapshot.Number {
		return m
	}
	if m.snapshot != nil {
		m.told = m.told.add(m.snapshot, s)
	}
	m.snapshot = s
	m.sent = arrived(m.drafts, s, m.sent)
	m.counts = s.Counts()
	m.partial = slices.ContainsFunc(s.Groups, func(g *inbox.Group) bool { return g.State.Partial != "" })
	m.list = m.list.Take(s)
	m.history = m.history.Take(s.Answered, s.AnsweredSince)
	var told []string
	for _, n := range s.Notices {
		if n.Seq > m.noticed {
			m.noticed = n.Seq
			told = append(told, n.Text)
		}
	}
	if len(told) > 0 {
		m = m.say(strings.Join(told, "; "))
	}
	return m.report().sayLeft(s).sync()
}

// sync gives the ask under the cursor to its pane, and notes what the next frame
// shows of it.
func (m model) sync() model {
	m = m.gather()
	group, item := m.selected()
	if !m.wide() && !m.opened {
		item = nil
	}
	m.ask = m.ask.Remember(m.snapshot.Precedents).Show(group, item, m.now)
	m.shown = shown{}
	if m.askVisible() && item != nil {
		m.shown = shown{ref: item.Ask.Ref, digest: item.Digest, stage: m.ask.Stage(), width: m.width, height: m.height, blanks: m.blanks, ok: true}
	}
	m.arming.onView = m.shown.ok
	if m.moving {
		m.stepped, m.moving = m.shown, false
	}
	return m
}
