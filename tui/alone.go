package tui

import (
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/tui/ask"
)

// unsettled is what waits for the keyboard to be quiet: the decisions that the inbox
// holds and that are not released yet, and the key that opens a field or page. A
// key that decides looks like the first letter of a word, until nothing follows it.
type unsettled struct {
	held   []held
	opener *pressed
	last   tea.KeyMsg // the key that began or went on with it
	at     time.Duration
	seq    int // of the pause that is waited for
}

// held is a decision, and the content that it is about.
type held struct {
	ref    client.Ref
	digest string
}

// pressed is a key that is done once nothing follows it.
type pressed struct {
	msg  tea.KeyMsg
	gate gate
	on   shown
}

func (r unsettled) empty() bool { return len(r.held) == 0 && r.opener == nil }

// Words for what was typed on, and for what was typed before.
const (
	typedOnSent   = "Taken back, nothing was sent: you typed on."
	wentBack      = "Taken back, nothing was sent: the key that goes back followed at once."
	typedOnOpened = "Nothing was opened: you typed on."
	typedBefore   = "Nothing was sent: you were typing. Press the key again, alone."
)

// kind is what a key may be to somebody who types a text without a look at the
// screen.
type kind int

const (
	keyMoves  kind = iota // no part of it
	keyLetter             // a letter that only moves here
	keyTypes              // any other part of it
	keyEnter              // its end
)

func (m model) kindOf(msg tea.KeyMsg) kind {
	k := m.keymap
	switch {
	case msg.Type == tea.KeyEnter:
		return keyEnter
	case msg.Type == tea.KeySpace, msg.Type == tea.KeyBackspace:
		return keyTypes
	case msg.Type != tea.KeyRunes:
		return keyMoves
	case key.Matches(msg, k.Up, k.Down, k.Top, k.Bottom, k.LineUp, k.LineDown):
		return keyLetter
	}
	return keyTypes
}

// deciding reports whether a key is one that decides or opens something when it
// stands alone. Enter is not among them: behind another key it ends a line.
func (m model) deciding(msg tea.KeyMsg) bool {
	k := m.keymap
	return key.Matches(msg, k.Allow, k.Always, k.AllowMessage, k.Deny, k.DenyReason,
		k.Dismiss, k.DismissMessage, k.Type, k.Pause)
}

// begin waits for a pause behind a key, from now on.
func (m model) begin(msg tea.KeyMsg, now moment) (model, tea.Cmd) {
	m.unsettled.last, m.unsettled.at = msg, now.mono
	m.unsettled.seq++
	return m, settle(m.ctx, m.unsettled.seq, m.idle)
}

// bounced reports whether a key is the one before it once more.
func (m model) bounced(msg tea.KeyMsg, now moment) bool {
	return !m.unsettled.empty() && !msg.Paste && msg.String() == m.unsettled.last.String() && now.mono-m.unsettled.at < bounceTime
}

// follow looks at a key that comes while something waits for a pause: a move makes
// it wait longer, words take it back. swallowed says that the key was part of words.
func (m model) follow(msg tea.KeyMsg, g gate, burst bool, now moment) (_ model, _ tea.Cmd, swallowed bool) {
	switch {
	case m.unsettled.empty():
		return m, nil, false
	case key.Matches(msg, m.keymap.Back) && len(m.unsettled.held) > 0:
		m, cmd := m.takeBack(wentBack)
		return m, cmd, true
	case key.Matches(msg, m.keymap.Back) && m.unsettled.opener != nil:
		m.unsettled.opener = nil
		fallthrough
	case m.kindOf(msg) == keyMoves, m.kindOf(msg) == keyLetter && !burst, m.deciding(msg) && g.alone:
		m, cmd := m.begin(msg, now)
		return m, cmd, false
	}
	m, cmd := m.typedOn()
	return m, cmd, true
}

// words reports whether a key is part of words that somebody goes on typing where
// no text field is: until the keyboard was quiet, no letter does anything, and what
// was said of it stays on the screen.
func (m model) words(msg tea.KeyMsg) bool {
	if m.arming.lost == "" || m.prompt != 0 || m.screen == screenQuit || m.askVisible() && m.ask.Typing() {
		return false
	}
	return m.kindOf(msg) == keyTypes || m.kindOf(msg) == keyEnter
}

// typedOn takes everything back because words followed it.
func (m model) typedOn() (model, tea.Cmd) {
	if len(m.unsettled.held) == 0 {
		return m.takeBack(typedOnOpened)
	}
	return m.takeBack(typedOnSent)
}

// takeBack drops everything that waits, says so, and closes the gate.
func (m model) takeBack(words string) (model, tea.Cmd) {
	var cmds []tea.Cmd
	for _, h := range m.unsettled.held {
		var cmd tea.Cmd
		m, cmd = m.request(request{kind: requestTakeBack, Wish: ask.Wish{Ref: h.ref}})
		cmds = append(cmds, cmd)
	}
	m.unsettled = unsettled{seq: m.unsettled.seq + 1}
	m.arming = m.arming.lose(typing)
	return m.trouble(words), tea.Batch(cmds...)
}

// settled lets go what stood alone: the decisions, and the key that opens something,
// where that still stands on the screen.
func (m model) settled(msg settledMsg) (model, tea.Cmd) {
	if m.unsettled.empty() || m.unsettled.seq != msg.seq {
		return m, nil
	}
	if !msg.alone {
		return m.takeBack("Taken back, nothing was sent: more keys came, faster than they could be taken.")
	}
	decisions, opener := m.unsettled.held, m.unsettled.opener
	m.unsettled.held, m.unsettled.opener = nil, nil
	var cmds []tea.Cmd
	for _, h := range decisions {
		what := requestRelease
		if it := m.snapshot.Find(h.ref); it != nil && it.Digest != h.digest {
			what = requestTakeBack
			m = m.trouble("Taken back, nothing was sent: the ask changed as you pressed the key. Read it again.")
		}
		var cmd tea.Cmd
		m, cmd = m.request(request{kind: what, Wish: ask.Wish{Ref: h.ref}})
		cmds = append(cmds, cmd)
	}
	if opener != nil {
		var cmd tea.Cmd
		m, cmd = m.unfold(*opener)
		cmds = append(cmds, cmd)
	}
	return m, tea.Batch(cmds...)
}

// unfold does what a key opens, where the ask is the one that it was pressed on.
func (m model) unfold(p pressed) (model, tea.Cmd) {
	if p.on != m.shown {
		return m.trouble("Nothing was opened: the ask changed as you pressed the key. Read it again."), nil
	}
	if p.gate.soon {
		m.arming.behind = m.behind()
		if p.gate = m.arming.judge(m.clock(), false); !p.gate.open {
			return m.missed(p.msg).trouble(p.gate.why), nil
		}
	}
	return m.give(p.msg, p.gate)
}

// opens reports whether a key leads to a field, a page or another question of the
// same ask, or acts on its session, and so has to stand alone as well.
func (m model) opens(msg tea.KeyMsg, after ask.Model, w ask.Wish) bool {
	if w.Kind == ask.Send || m.ask.Typing() || key.Matches(msg, m.keymap.Raw, m.keymap.Back) {
		return false
	}
	return w.Kind == ask.Pause || after.Typing() || after.Stage() != m.ask.Stage() ||
		key.Matches(msg, m.keymap.Enter) && after.Focused() != m.ask.Focused()
}
