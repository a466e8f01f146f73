package frames

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
)

// A frame that was laid out for a window of another size is cut by the terminal.
func TestFrameOfAnotherSize(t *testing.T) {
	line, window, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = line.Close(); _ = window.Close() }()
	if err := pty.Setsize(window, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	s := New[string]()
	o := s.Output(window)
	for _, c := range []struct {
		size Size
		asks int
	}{{Size{80, 24}, 1}, {Size{80, 40}, 0}, {Size{120, 24}, 0}, {Size{80, 24}, 1}} {
		s.asked = nil
		if _, err := o.Write([]byte(s.Stamp("frame", c.size, "r"))); err != nil || len(s.asked) != c.asks {
			t.Errorf("%v: %d requests, %v", c.size, len(s.asked), err)
		}
	}
}

// drawing is a program whose frame is what it was told last.
type drawing struct {
	screen *Screen[string]
	frame  string
}

func (d drawing) Init() tea.Cmd { return nil }
func (d drawing) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if s, ok := msg.(string); ok {
		d.frame = s
	}
	return d, nil
}
func (d drawing) View() string { return d.screen.Stamp(d.frame, Size{3, 2}, d.frame) }

// TestRenderer: Bubble Tea's own renderer hands the stamps on: each frame
// that it writes is asked for in the same write, and none while nothing changes.
func TestRenderer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New[string]()
		terminal := &tty{}
		program := tea.NewProgram(drawing{screen: s, frame: "one\ntwo"}, tea.WithInput(nil), tea.WithOutput(s.Output(terminal)),
			tea.WithAltScreen(), tea.WithoutSignalHandler())
		ended := make(chan error)
		go func() {
			_, err := program.Run()
			ended <- err
		}()
		settle := func() string {
			time.Sleep(100 * time.Millisecond)
			synctest.Wait()
			all := strings.Join(terminal.writes, "")
			terminal.writes = nil
			return all
		}
		program.Send(tea.WindowSizeMsg{Width: 3, Height: 2})
		if got := settle(); !strings.Contains(got, "two") || !strings.HasSuffix(got, statusRequest) || strings.Contains(got, stampStart) {
			t.Errorf("the first frame was written as %q", got)
		}
		replied(t, s, "one\ntwo")
		for _, frame := range []string{"ONE\ntwo", "one\ntoo long"} {
			program.Send(frame)
			if got := settle(); strings.Count(got, statusRequest) != 1 || !strings.HasSuffix(got, statusRequest) {
				t.Errorf("%q was written as %q", frame, got)
			}
			replied(t, s, frame)
			program.Send(frame)
			if got := settle(); got != "" {
				t.Errorf("nothing changed, and %q was written", got)
			}
		}
		program.Quit()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
