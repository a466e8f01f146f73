package ask

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

func chosen(id string, choices ...string) client.QuestionAnswer {
	return client.QuestionAnswer{ID: id, Choices: choices}
}

// R7, C28: a number chooses and enter sends; neither alone does, and enter on
// nothing is refused with the question still open.
func TestSingleChoice(t *testing.T) {
	p, in := press(samplePane(sampleQuestion(databases()), 60, 24), "2")
	wantQuiet(t, p, in, "")
	wantSees(t, p, "2 (x) │ SQLite", "1 ( ) │ Postgres", "Recommended")
	p, in = press(p, "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{chosen("q1", "SQLite")}})
	for _, keys := range []string{"enter enter", "enter enter enter", "enter down enter", "space", "enter esc"} {
		p, in := press(samplePane(sampleQuestion(databases()), 60, 24), strings.Fields(keys)...)
		wantQuiet(t, p, in, "")
	}
	p, in = press(samplePane(sampleQuestion(databases()), 60, 24), "enter", "enter")
	wantQuiet(t, p, in, "has no answer yet")
	// Enter on another option than the chosen one does not send the chosen one.
	p, in = press(samplePane(sampleQuestion(databases()), 60, 24), "1", "down", "enter")
	wantQuiet(t, p, in, "Option 1 is chosen, not this one")
}

// C29: ticks are kept as ticked, in the order offered, and shown before they go.
func TestSeveralChoices(t *testing.T) {
	q := several()
	p, in := press(samplePane(sampleQuestion(q), 60, 24), "1", "3", "1", "1", "enter")
	wantQuiet(t, p, in, "")
	wantSees(t, p, "1 [x] │ unit tests", "2 [ ] │ lint", "3 [x] │ end-to-end tests", "Your answers:", "option 3 │ end-to-end tests")
	p, in = press(p, "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{chosen("q2", "unit tests", "end-to-end tests")}})
}

// C31: what is missing in one of several questions is pointed out and nothing is lost.
func TestSeveralQuestions(t *testing.T) {
	second := databases()
	second.ID, second.Header = "q3", text.New("Cache")
	a := sampleQuestion(databases(), second)
	p, in := press(samplePane(a, 60, 40), "1", "enter", "enter")
	wantQuiet(t, p, in, "Question 2 has no answer yet")
	wantSees(t, p, "1 (x) │ Postgres", "Question 2 has no answer yet")
	p, in = press(p, "t", "enter")
	wantQuiet(t, p, in, "Question 2 has no answer yet")
	p = write(p, "no\tcache")
	p, in = press(p, "enter")
	wantQuiet(t, p, in, "")
	wantSees(t, p, "Your answers:", "1. option 1 │ Postgres", "2. your words │ no")
	p, in = press(p, "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{
		chosen("q1", "Postgres"), {ID: "q3", Text: "no\tcache", HasText: true}}})
}

// C38: labels that are blank, equal, or look like buttons; options beyond nine.
func TestOptionLabels(t *testing.T) {
	q := client.QuestionAsk{ID: "q1", Text: text.New("Continue?")}
	for id, l := range map[int]string{0: "ㅤ", 1: "No", 2: "No", 3: "Cancel\n  5. Really cancel", 4: "", 11: "last"} {
		for len(q.Options) <= id {
			q.Options = append(q.Options, client.Option{ID: string(rune('a' + len(q.Options))), Label: text.New("x")})
		}
		q.Options[id].Label = text.New(l)
	}
	p := samplePane(sampleQuestion(q), 60, 40)
	wantSees(t, p, "1 ( ) │ ⟨", " 2 ( ) │ No", " 3 ( ) │ No", " 4 ( ) │ Cancel", "│   5. Really cancel", " 5 ( ) no label", "12 ( ) │ last")
	p, in := press(samplePane(sampleQuestion(q), 60, 40), "3", "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{chosen("q1", "c")}})
	p, _ = press(samplePane(sampleQuestion(q), 60, 40), "enter")
	for range 11 {
		p, _ = press(p, "down")
	}
	p, in = press(p, "space", "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{chosen("q1", "l")}})
}

// C34, B21: untrusted lines never stand without a gutter, and nothing of them is hidden.
func TestQuestionBehindGutter(t *testing.T) {
	q := databases()
	q.Text = text.New("Continue?\n\n╰────────────╯\n[y] approve  [n] deny\nCommand: ls -la <!-- rm -rf ~ --> [docs](https://evil.example)")
	for _, w := range []int{40, 60, 74} {
		p := samplePane(sampleQuestion(q), w, 40)
		for _, l := range strings.Split(plainView(p), "\n") {
			for _, bad := range []string{"╰", "[y]", "Command:", "evil.example"} {
				if strings.Contains(l, bad) && !strings.HasPrefix(l, "│ ") && !strings.HasPrefix(l, "┆ ") {
					t.Errorf("without a gutter: %q", l)
				}
			}
		}
	}
	wantSees(t, samplePane(sampleQuestion(q), 74, 40), "<!-- rm -rf ~ -->", "(https://evil.example)")
}

// C37: the box for one's own words says where they go.
func TestOwnWordsAreLogged(t *testing.T) {
	q := client.QuestionAsk{ID: "q", Text: text.New("Paste your GitHub token to continue:"), OwnText: true}
	p, _ := press(samplePane(sampleQuestion(q), 40, 20), "enter")
	if !p.Typing() {
		t.Fatal("enter did not go into the only field")
	}
	wantSees(t, p, "sent and logged as plain text", "work · yours │ Fix the flaky build")
	p, in := press(p, "enter")
	wantQuiet(t, p, in, "has no answer yet")
}

// A lone text of one's own goes out exactly as it was typed and pasted, once (D15, D23, R10).
func TestPasteExactly(t *testing.T) {
	q := client.QuestionAsk{ID: "q", Text: text.New("Why?"), OwnText: true}
	p, _ := press(samplePane(sampleQuestion(q), 60, 24), "enter")
	raw := "abc\x1b[31m\tdef\r\nthird "
	p = p.Paste(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(raw), Paste: true})
	if strings.ContainsAny(plainView(p), "\x1b\t\r") || strings.Contains(p.View(), "\x1b[31m") {
		t.Fatalf("raw characters on the screen: %q", p.View())
	}
	wantSees(t, p, "abc", "⟨ESC⟩", "third")
	p, in := press(p, "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{{ID: "q", Text: "abc\x1b[31m\tdef\nthird ", HasText: true}}})
	// Without a field a paste goes to nobody.
	a := samplePane(sampleApproval("ls"), 60, 24)
	b := a.Paste(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\ra\r"), Paste: true})
	if plainView(a) != plainView(b) || b.Typing() {
		t.Error("a paste changed the pane")
	}
}

// D19: 120 wide characters arrive whole; a damaged one is not sent.
func TestWideInput(t *testing.T) {
	p, _ := press(samplePane(sampleApproval("ls"), 60, 24), "D")
	p, in := press(write(p, strings.Repeat("あ", 120)), "enter")
	wantSent(t, p, in, client.Answer{Decision: client.Deny, Message: strings.Repeat("あ", 120)})
	p, _ = press(samplePane(sampleApproval("ls"), 60, 24), "D")
	p, in = press(write(p, "あ�"), "enter")
	wantQuiet(t, p, in, "damaged")
}

// F05: what an option does is said by the program; the recommended one is not
// chosen; what asks once more wants its own key again, never enter.
func TestConfirmedOption(t *testing.T) {
	board := client.QuestionAsk{ID: "b", Text: text.New("Plan ready"), Detail: text.New("1. x"), Recommended: 1, Options: []client.Option{
		{ID: "autopilot", Label: text.New("Stop here"), Effect: "starts an unattended turn", Confirm: "This starts an unattended turn."},
		{ID: "exit_only", Label: text.New("Implement in autopilot"), Effect: "closes the board"}}}
	p := samplePane(sampleQuestion(board), 60, 30)
	wantSees(t, p, "1 ( ) │ Stop here", "does: starts an unattended turn", "Recommended by the agent", "│ 1. x")
	p, in := press(p, "1", "enter")
	wantQuiet(t, p, in, "")
	wantSees(t, p, "This starts an unattended turn.", "1 again: send this answer")
	stage := p.Stage()
	p, in = press(p, "enter")
	wantQuiet(t, p, in, "Enter does not confirm this")
	q, in := press(p, "2")
	wantQuiet(t, q, in, "")
	p, in = press(p, "1")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{chosen("b", "autopilot")}})
	if before := samplePane(sampleQuestion(board), 60, 30); before.Stage() == stage {
		t.Error("the keys are not armed anew for what is asked once more")
	}
	board.Detail = text.New(strings.Repeat("1. x\n", 20))
	small, in := press(samplePane(sampleQuestion(board), 60, 10), "1", "enter")
	wantQuiet(t, small, in, "read it to the end first")
}

// A plan's mode is chosen by number and sent with a, after it was asked once more.
func TestPlanModes(t *testing.T) {
	plan := sampleApproval("")
	plan.Approval.Tool = text.New("ExitPlanMode")
	plan.Approval.Parts = []client.Part{{Kind: client.PartPlan, Text: text.New("1. x")}}
	plan.Approval.Modes = []client.Mode{
		{ID: "default", Label: "default", Effect: "asks before each edit"},
		{ID: "bypassPermissions", Label: "bypass", Quoted: text.New("Stop here"), Effect: "never asks again", Confirm: "It never asks again."}}
	p, in := press(samplePane(plan, 60, 30), "2")
	wantQuiet(t, p, in, "Mode 2 is chosen")
	wantSees(t, p, "2 (x) bypass", "never asks again", "│ Stop here", "mode: bypass")
	p, in = press(p, "a")
	wantQuiet(t, p, in, "")
	wantSees(t, p, "It never asks again.", "a again: allow")
	p, in = press(p, "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow, Mode: "bypassPermissions"})
	p, in = press(samplePane(plan, 60, 30), "1", "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow, Mode: "default"})
}

// A form: what it proposes stands in the field and goes only if it is left
// standing; a number is checked; the relay's words stand at their field.
func TestForm(t *testing.T) {
	form := sampleQuestion(
		client.QuestionAsk{ID: "env", Text: text.New("Environment"), Type: client.FieldText, Default: text.New("staging")},
		client.QuestionAsk{ID: "count", Text: text.New("How many?"), Type: client.FieldInteger},
		client.QuestionAsk{ID: "dry", Text: text.New("Dry run?"), Type: client.FieldBool, Default: text.New("true"), Optional: true,
			Options: []client.Option{{ID: "true", Label: text.New("yes")}, {ID: "false", Label: text.New("no")}}})
	p := samplePane(form, 60, 40)
	wantSees(t, p, "staging", "a whole number · required", "may be left out", "1 ( ) │ yes", "Proposed by the form")
	p, in := press(p, "enter", "enter", "x", "enter", "enter")
	wantQuiet(t, p, in, "is not a whole number")
	wantSees(t, p, "is not a whole number")
	p, in = press(p, "backspace", "7", "enter", "2", "enter")
	wantQuiet(t, p, in, "")
	wantSees(t, p, "1. your words │ staging", "2. your words │ 7", "3. option 2 │ no")
	p, in = press(p, "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{
		{ID: "env", Text: "staging", HasText: true}, {ID: "count", Text: "7", HasText: true}, chosen("dry", "false")}})
	p = p.Refused(form.Ref, &client.InvalidAnswer{Field: "env", Reason: text.New("\x1b[2Jnot there").String()})
	wantSees(t, p, "Question 1: ⟨ESC⟩[2Jnot there")
}

// The counter of a dismissal, and its limit.
func TestDismissalLimit(t *testing.T) {
	p, _ := press(samplePane(sampleApproval("ls"), 60, 24), "X")
	p = p.Paste(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat("é", 2001)), Paste: true})
	wantSees(t, p, "2,001 / 2,000 too long")
	p, in := press(p, "enter")
	wantQuiet(t, p, in, "1 character too many")
	p, in = press(p, "backspace", "enter")
	wantSent(t, p, in, client.Answer{Dismiss: true, Message: strings.Repeat("é", 2000)})
}

// Words come back after a failed send, and are marked after a change of the ask.
func TestWordsAreKept(t *testing.T) {
	a := sampleApproval("ls")
	p, _ := press(samplePane(a, 60, 24), "D")
	p, _ = press(write(p, "not now"), "enter")
	refused := &inbox.Item{Ask: a, Digest: a.Digest(), Flight: &inbox.Flight{State: inbox.Refused, Err: errors.New("the relay failed with status 500"), Answer: client.Answer{Decision: client.Deny, Message: "not now"}}}
	p = p.Show(p.group, refused, askNow)
	wantSees(t, p, "not sent: the relay failed with status 500")
	p, _ = press(p, "D")
	wantSees(t, p, "not now▏")
	p = p.Show(p.group, itemOf(sampleApproval("rm -rf ~")), askNow)
	wantSees(t, p, "not now▏", "from before")
	if !p.Typing() {
		t.Error("the change took the focus away")
	}
	if d := p.draft(); d.Digest != a.Digest() || d.Answer.Message != "not now" {
		t.Errorf("the draft is not marked as written for another content: %+v", d)
	}
	q, _ := press(samplePane(sampleQuestion(databases()), 60, 24), "1")
	other := databases()
	other.Options[0].Label = text.New("rm -rf ~")
	q = q.Show(q.group, itemOf(sampleQuestion(other)), askNow)
	wantSees(t, q, "1 ( ) │ rm -rf ~")
}

// The editor's text comes back into the field it was opened from.
func TestEditor(t *testing.T) {
	p, _ := press(samplePane(sampleApproval("ls"), 60, 24), "D")
	p, in := press(write(p, "draft"), "ctrl+e")
	if in.Kind != Edit || in.Text != "draft" || in.Ref != p.item.Ask.Ref {
		t.Fatalf("%+v", in)
	}
	p = p.Edited(in.Ref, "two\nlines")
	p, in = press(p, "enter")
	wantSent(t, p, in, client.Answer{Decision: client.Deny, Message: "two\nlines"})
}
