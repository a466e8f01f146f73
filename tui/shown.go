package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/tui/ask"
)

// standTime is how long a layout has to stand on the terminal before its rows
// count as read: what a window shows for a blink is not read.
const standTime = 100 * time.Millisecond

// shown is what stands on the screen for keys to decide on. Whenever it changes,
// the keys are armed anew.
type shown struct {
	ref           client.Ref
	digest        string
	stage         int
	width, height int
	blanks        int // how often the window had no cell up to then
	ok            bool
}

// seen is what one frame shows of an ask; the zero value shows none. It goes with
// the frame to the terminal and comes back once the terminal has drawn it.
type seen struct {
	shown shown
	rows  ask.Shown
}

// layout is what was seen without which rows: scrolling keeps it.
func (s seen) layout() seen {
	s.rows.First, s.rows.Last = 0, 0
	return s
}

// seen is what the next frame shows.
func (m model) seen() seen {
	if !m.shown.ok {
		return seen{}
	}
	return seen{m.shown, m.ask.OnScreen()}
}

// standing is the layout that the terminal shows, since when, and the rows of it
// that do not count yet.
type standing struct {
	layout seen
	since  time.Time
	rows   []ask.Shown
}

// drawnBy takes what is due by the time of the frames that were written.
func (m model) drawnBy(now moment) (model, tea.Cmd) {
	drawn, again := m.frames.Tick()
	m, cmd := m.confirmAll(drawn, now)
	if again {
		cmd = tea.Batch(cmd, m.askAgain())
	}
	return m, cmd
}

// replied takes a reply of the terminal.
func (m model) replied(now moment) (model, tea.Cmd) {
	drawn, late := m.frames.Replied()
	if late {
		// What counted by the time may not have been drawn.
		m.drawn, m.stood = shown{}, standing{}
	}
	return m.confirmAll(drawn, now)
}

// confirmAll takes the frames that the terminal has drawn, and waits for their rows
// to count.
func (m model) confirmAll(drawn []seen, now moment) (model, tea.Cmd) {
	for _, s := range drawn {
		m = m.confirm(s, now)
	}
	if m = m.count(); len(drawn) > 0 && len(m.stood.rows) > 0 {
		return m, stand(m.ctx)
	}
	return m, nil
}

// confirm takes what a frame shows that the terminal has drawn. From here on the
// person can have read it.
func (m model) confirm(s seen, now moment) model {
	if s.shown != m.drawn {
		before := m.drawn
		m.drawn = s.shown
		m.arming = m.arming.show(now, m.timeFor(before, s.shown))
		if s.shown.ok {
			m.read = s.shown
		}
	}
	if layout := s.layout(); layout != m.stood.layout {
		m.stood = standing{layout: layout, since: now.wall}
	}
	if s.shown.ok {
		rows := m.stood.rows
		m.stood.rows = append(rows[:len(rows):len(rows)], s.rows)
	}
	return m
}

// timeFor is how long an ask has to stand on the terminal before a key decides.
func (m model) timeFor(before, after shown) time.Duration {
	switch {
	case after.ref == m.read.ref && after.digest != m.read.digest:
		return changeTime
	case before.ok && after == m.stepped:
		return stepTime
	}
	return readTime
}

// count lets the rows count that stood long enough, and that no frame on its way to
// the terminal replaces by another layout.
func (m model) count() model {
	s := m.stood
	if len(s.rows) == 0 || m.now.Before(s.since.Add(standTime)) || !m.frames.Only(func(r seen) bool { return r.layout() == s.layout }) {
		return m
	}
	for _, rows := range s.rows {
		m.ask = m.ask.Confirm(rows)
	}
	m.stood.rows = nil
	return m
}

// behind reports whether the terminal shows, or may still come to show, something
// else than what is laid out: a key was pressed on that.
func (m model) behind() bool {
	return m.drawn != m.shown || !m.frames.Only(func(r seen) bool { return r.shown == m.shown })
}

// reachable reports whether scrolling to s goes at most to the rows next to those
// that were written: what no frame held is passed by nobody.
func (m model) reachable(s ask.Shown) bool {
	written, ok := m.frames.Written()
	if !ok || written.rows.Layout != s.Layout || written.rows.Ref != s.Ref || written.rows.Digest != s.Digest {
		return false
	}
	return next(written.rows, s)
}

// next reports whether the rows of one layout overlap or follow each other.
func next(a, b ask.Shown) bool { return b.First <= a.Last && b.Last >= a.First }

// reading is what the terminal gave at once, and the rows on the screen as its
// first key was taken. It scrolls by a page at most: where frames are drawn
// meanwhile, a flick of the wheel shows nothing for long enough to be read.
type reading struct {
	number int
	rows   ask.Shown
}

// beginReading notes the beginning of a reading.
func (m model) beginReading() model {
	switch {
	case m.readings == nil:
		m.reading.rows = m.ask.OnScreen()
	case m.readings() != m.reading.number:
		m.reading = reading{m.readings(), m.ask.OnScreen()}
	}
	return m
}

// askAgain asks the terminal once more whether it has drawn what was written.
func (m model) askAgain() tea.Cmd {
	again := m.again
	if again == nil {
		return nil
	}
	return func() tea.Msg {
		again()
		return nil
	}
}
