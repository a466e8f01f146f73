package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/tui/frames"
)

// source is where snapshots come from.
type source interface {
	Latest() *inbox.Snapshot
	Next(ctx context.Context, after uint64) (*inbox.Snapshot, error)
	Fresh(relay string, since time.Time) bool
	Unsent() []client.Ref
}

// closer ends the inbox.
type closer interface {
	Close(ctx context.Context, flush bool) []inbox.Loose
}

// await waits for a snapshot that is newer than the one shown.
func await(ctx context.Context, s source, after uint64) tea.Cmd {
	return func() tea.Msg {
		snapshot, err := s.Next(ctx, after)
		return snapshotMsg{snapshot, err}
	}
}

// beginTime is how long the inbox waits for the first frame at most.
const beginTime = 100 * time.Millisecond

// begin starts the inbox once the first frame is written: its first polls take every
// processor, and would only keep that frame from the screen.
func begin(ctx context.Context, began <-chan struct{}, start func()) tea.Cmd {
	if start == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-began:
		case <-time.After(beginTime):
		case <-ctx.Done():
			return nil
		}
		start()
		return nil
	}
}

// tick waits for the next whole second, at which ages and countdowns are drawn anew.
// Nothing is written where they all say the same as before.
func tick(ctx context.Context) tea.Cmd {
	return func() tea.Msg {
		now := time.Now()
		return after(ctx, now.Truncate(time.Second).Add(time.Second).Sub(now), tickMsg{})
	}
}

// stand waits until rows that were just drawn have stood long enough to count.
func stand(ctx context.Context) tea.Cmd {
	return func() tea.Msg { return after(ctx, standTime, stoodMsg{}) }
}

// after returns the message once the time is over, and nothing where the program
// ends before.
func after(ctx context.Context, d time.Duration, msg tea.Msg) tea.Msg {
	select {
	case <-time.After(d):
		return msg
	case <-ctx.Done():
		return nil
	}
}

// settle waits whether another key follows: as long as no letter of a word takes,
// and then until all that was typed has been delivered.
func settle(ctx context.Context, seq int, idle func() bool) tea.Cmd {
	return func() tea.Msg {
		wait := aloneTime
		for end := time.Now().Add(aloneTime + settleLimit); ; wait = burstTime / 10 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil
			}
			if alone := idle(); alone || time.Now().After(end) {
				return settledMsg{seq, alone}
			}
		}
	}
}

// drawn waits until what was written is due to count as drawn, or to be asked for
// again.
func drawn(ctx context.Context, s *frames.Screen[seen]) tea.Cmd {
	return func() tea.Msg {
		s.Wait(ctx)
		return drawnMsg{}
	}
}

// once waits for an element of a channel, which may be nil, and returns the message.
func once[T any](ctx context.Context, c <-chan T, msg tea.Msg) tea.Cmd {
	if c == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case <-c:
			return msg
		case <-ctx.Done():
			return nil
		}
	}
}

// Freed, continued and drafts that changed: what comes from outside of the inbox.
func (m model) freed() tea.Cmd     { return once(m.ctx, m.unblocked, freedMsg{}) }
func (m model) continued() tea.Cmd { return once(m.ctx, m.signals, continuedMsg{}) }
func (m model) drafted() tea.Cmd {
	if m.drafts == nil {
		return nil
	}
	return once(m.ctx, m.drafts.Changed(), draftsMsg{})
}

// closeTime is how long quitting waits for answers that are under way, and
// flushTime how long for those that the user wants to be sent first.
const (
	closeTime = 800 * time.Millisecond
	flushTime = 8 * time.Second
)

// closeBox closes the inbox. It does not take the program's context, because it
// has to go on where that ends.
func closeBox(c closer, flush bool) tea.Cmd {
	return func() tea.Msg {
		limit := closeTime
		if flush {
			limit = flushTime
		}
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		defer cancel()
		return closedMsg{c.Close(ctx, flush)}
	}
}
