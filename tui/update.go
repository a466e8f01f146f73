package tui

import (
	"errors"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client/inbox"
)

// Update takes a message. It does no input or output: that is for commands.
func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	now := m.clock()
	m.now = now.wall
	var slept bool
	var asking tea.Cmd
	if m.arming, slept = m.arming.tick(now); slept {
		m, asking = m.woken(now)
	}
	m, drawing := m.drawnBy(now)
	_, under := m.list.Selected()
	m, cmd := m.handle(msg, now)
	m, forgetting := m.left(under)
	m = m.sync()
	var telling tea.Cmd
	m, telling = m.tell()
	m, titling := m.entitle()
	return m, tea.Batch(cmd, asking, drawing, forgetting, telling, titling)
}

func (m model) handle(msg tea.Msg, now moment) (model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.beginReading().key(msg, now)
	case tea.MouseMsg:
		return m.beginReading().mouse(msg)
	case tea.WindowSizeMsg:
		return m.resize(msg.Width, msg.Height), nil
	case tea.FocusMsg:
		m.arming = m.arming.focused(now)
		m.told.focus = focusHere
	case tea.BlurMsg:
		m.arming = m.arming.blur()
		m.told.focus = focusAway
	case snapshotMsg:
		return m.snapshotCame(msg)
	case tickMsg:
		m.status = m.status.expire(m.now)
		return m, tick(m.ctx)
	case stoodMsg:
		// Update looks at that before every message, as at what follows.
	case drawnMsg:
		return m, drawn(m.ctx, m.frames)
	case settledMsg:
		return m.settled(msg)
	case doneMsg:
		return m.done(msg)
	case closedMsg:
		m.loose, m.closed = msg.loose, true
		return m, m.givesBack(tea.Quit)
	case tea.ResumeMsg:
		m.frames.Back()
		m.title = ""
		return m.woken(now)
	case continuedMsg:
		m.frames.Back()
		m.title = ""
		m, cmd := m.woken(now)
		return m, tea.Batch(cmd, tea.ClearScreen, m.continued())
	case freedMsg:
		return m, tea.Batch(tea.ClearScreen, m.freed())
	case draftsMsg:
		m.ask = m.ask.Reload()
		return m, m.drafted()
	case editMsg:
		return m.edit(msg)
	case editedMsg:
		return m.edited(msg, now)
	case unopenedMsg:
		return m.unopened(msg.link), nil
	case sayMsg:
		if msg.trouble {
			return m.trouble(msg.text), nil
		}
		return m.say(msg.text), nil
	}
	return m, nil
}

// snapshotCame takes a snapshot and waits for the next one.
func (m model) snapshotCame(msg snapshotMsg) (model, tea.Cmd) {
	if crash, ok := errors.AsType[*inbox.Crash](msg.err); ok {
		// Nothing on the screen can be trusted any more, so the program ends.
		panic(crash)
	}
	if msg.err != nil {
		if !errors.Is(msg.err, io.EOF) && m.ctx.Err() == nil {
			m = m.trouble(m.keymap.Spell("The inbox has stopped. Quit with {quit} and start askbox again."))
		}
		return m, nil
	}
	m = m.take(msg.snapshot)
	return m, await(m.ctx, m.box, m.snapshot.Number)
}

// woken is what follows a stop of the program or a sleep of the machine: what is
// on the screen may be old, so every relay is asked before a key decides.
func (m model) woken(now moment) (model, tea.Cmd) {
	m.arming = m.arming.wake(now)
	var back tea.Cmd
	if !m.unsettled.empty() {
		m, back = m.takeBack("Taken back, nothing was sent: askbox was asleep. Press the key again.")
	}
	m, asking := m.request(request{kind: requestRefresh})
	return m, tea.Batch(back, asking)
}
