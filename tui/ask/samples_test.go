package ask

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

var (
	askNow  = time.Date(2026, 11, 30, 9, 14, 0, 0, time.UTC)
	askOpen = Gate{Open: true}
)

// sampleAsk is an ask in a session of one's own, opened two minutes ago.
func sampleAsk(kind client.Kind) *client.Ask {
	return &client.Ask{
		Ref:  client.Ref{Relay: "work", Session: "cs_0123456789abcdef", ID: "ak_0123456789ab"},
		Kind: kind, Status: client.Open, Waits: true,
		Opened:  askNow.Add(-2 * time.Minute),
		Session: client.Session{ID: "cs_0123456789abcdef", Title: text.New("Fix the flaky build"), Starter: client.StarterMe},
	}
}

func sampleApproval(command string) *client.Ask {
	a := sampleAsk(client.Approval)
	a.Approval = &client.ApprovalAsk{
		Tool: text.New("Bash"),
		Parts: []client.Part{
			{Kind: client.PartCommand, Text: text.New(command)},
			{Kind: client.PartSays, Text: text.New("clean build")},
		},
		Always:      []text.Text{text.New("Bash(rm -rf build)")},
		AlwaysScope: "In this session, until it ends.",
	}
	a.Offers = client.Offered(client.ActAllow, client.ActAlways, client.ActAllowMessage,
		client.ActDeny, client.ActDenyReason, client.ActDismiss, client.ActDismissMessage)
	a.Raw = []byte(`{"id":"ak_0123456789ab","kind":"approval","approval":{"toolName":"Bash"}}`)
	return a
}

func sampleQuestion(qs ...client.QuestionAsk) *client.Ask {
	a := sampleAsk(client.Question)
	a.Questions = qs
	a.Offers = client.Offered(client.ActAnswer, client.ActDismiss, client.ActDismissMessage)
	return a
}

func databases() client.QuestionAsk {
	return client.QuestionAsk{
		ID: "q1", Header: text.New("Database"), Text: text.New("Which database?"),
		Options: []client.Option{
			{ID: "Postgres", Label: text.New("Postgres"), Description: text.New("what we run")},
			{ID: "SQLite", Label: text.New("SQLite"), Description: text.New("one file")},
		},
		OwnText: true, Recommended: 1,
	}
}

func several() client.QuestionAsk {
	q := client.QuestionAsk{ID: "q2", Text: text.New("Which checks should run before the release?"), Multi: true, Optional: true}
	for _, l := range []string{"unit tests", "lint", "end-to-end tests"} {
		q.Options = append(q.Options, client.Option{ID: l, Label: text.New(l)})
	}
	q.Detail = text.New("The end-to-end tests take 12 minutes.\nThe others take one.")
	return q
}

func itemOf(a *client.Ask) *inbox.Item { return &inbox.Item{Ask: a, Digest: a.Digest()} }

func samplePane(a *client.Ask, width, height int) Model {
	p := New(theme.PlainTheme(), keymap.New(), nil).Resize(width, height)
	return drawn(p.Show(&inbox.Group{Name: "work"}, itemOf(a), askNow))
}

// drawn is a pane whose frame the terminal has drawn.
func drawn(p Model) Model { return p.Confirm(p.OnScreen()) }

func askKey(s string) tea.KeyMsg {
	switch s {
	case "enter":
		return tea.KeyMsg{Type: tea.KeyEnter}
	case "esc":
		return tea.KeyMsg{Type: tea.KeyEsc}
	case "tab":
		return tea.KeyMsg{Type: tea.KeyTab}
	case "space":
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	case "up":
		return tea.KeyMsg{Type: tea.KeyUp}
	case "down":
		return tea.KeyMsg{Type: tea.KeyDown}
	case "left":
		return tea.KeyMsg{Type: tea.KeyLeft}
	case "right":
		return tea.KeyMsg{Type: tea.KeyRight}
	case "backspace":
		return tea.KeyMsg{Type: tea.KeyBackspace}
	case "delete":
		return tea.KeyMsg{Type: tea.KeyDelete}
	case "pgdn":
		return tea.KeyMsg{Type: tea.KeyPgDown}
	case "pgup":
		return tea.KeyMsg{Type: tea.KeyPgUp}
	case "end":
		return tea.KeyMsg{Type: tea.KeyEnd}
	case "home":
		return tea.KeyMsg{Type: tea.KeyHome}
	case "ctrl+j":
		return tea.KeyMsg{Type: tea.KeyCtrlJ}
	case "alt+enter":
		return tea.KeyMsg{Type: tea.KeyEnter, Alt: true}
	case "ctrl+e":
		return tea.KeyMsg{Type: tea.KeyCtrlE}
	case "ctrl+d":
		return tea.KeyMsg{Type: tea.KeyCtrlD}
	case "ctrl+u":
		return tea.KeyMsg{Type: tea.KeyCtrlU}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)}
}

// press gives keys to a pane with the gate open; the last Wish is returned.
func press(p Model, keys ...string) (Model, Wish) {
	var in Wish
	for _, k := range keys {
		p, in = p.Key(askKey(k), askOpen)
		p = drawn(p)
	}
	return p, in
}

// write types a text rune by rune.
func write(p Model, s string) Model {
	for _, r := range s {
		k := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
		if r == ' ' {
			k.Type = tea.KeySpace
		}
		p, _ = p.Key(k, askOpen)
	}
	return p
}
