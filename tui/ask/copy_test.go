package ask

import (
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/history"
	"askbox/client/inbox"
	"askbox/client/text"
	"askbox/tui/keymap"
	"askbox/tui/theme"
)

// L20: y copies nothing that acts on a terminal, and says what it copied instead; line
// breaks are said too.
func TestCopyIsSafe(t *testing.T) {
	for raw, want := range map[string]struct{ text, note string }{
		"rm -rf build": {"rm -rf build", ""},
		"cd a\nmake":   {"cd a\nmake", "It has 2 lines."},
		"echo hi\r\nrm -rf /\x1b[2J\x1b]52;c;eA==\a\u202e\x00\u009b1A": {
			"echo hi⟨CR⟩\nrm -rf /⟨ESC⟩[2J⟨ESC⟩]52;c;eA==⟨BEL⟩⟨U+202E⟩⟨NUL⟩⟨U+009B⟩1A",
			"It has 2 lines. What cannot be seen in it stands as 7 marks."},
	} {
		p := samplePane(sampleApproval(raw), 60, 20)
		for _, view := range []string{"", "v"} {
			if view != "" {
				p, _ = press(p, view)
			}
			if _, in := press(p, "y"); in.Kind != Copy || in.Text != want.text || in.Note != want.note {
				t.Errorf("%q: %q, %q", raw, in.Text, in.Note)
			}
		}
	}
	many := sampleApproval("")
	many.Approval.Parts[0] = client.Part{Kind: client.PartArgs, Args: []text.Text{text.New("echo"), text.New(strings.Repeat("a", 9000)), text.New("x y")}}
	if _, in := press(samplePane(many, 60, 20), "y"); in.Text != "echo "+strings.Repeat("a", 9000)+" 'x y'" {
		t.Errorf("%d bytes are copied", len(in.Text))
	}
	q := databases()
	q.Text = text.New("Which one, 👩\u200d💻?\x1b")
	if _, in := press(samplePane(sampleQuestion(q), 60, 20), "y"); in.Text != "Which one, 👩\u200d💻?⟨ESC⟩" || !strings.Contains(in.Note, "1 mark") {
		t.Errorf("%q, %q", in.Text, in.Note)
	}
}

// G28: what Unicode joins is drawn as it is in what people read, and marked in a command.
func TestEmojiOfProse(t *testing.T) {
	const joined = "⚠\ufe0f ✔\ufe0f 👍🏽 👩\u200d💻"
	q := databases()
	q.Text, q.Detail, q.Options[0].Label, q.Options[0].Description = text.New(joined), text.New("x "+joined), text.New("a "+joined), text.New("b "+joined)
	p, _ := press(samplePane(sampleQuestion(q), 74, 38), "right")
	wantSees(t, p, "│ "+joined, "│ x "+joined, "│ a "+joined, "│ b "+joined)
	a := sampleApproval("echo " + joined)
	a.Approval.Parts[1].Text = text.New("says " + joined)
	wantSees(t, samplePane(a, 100, 38), "│ says "+joined, "⚠⟨U+FE0F⟩", "👍⟨U+1F3FD⟩", "👩⟨U+200D⟩💻")
}

// What was decided about the same approval before is said below its keys, and changes nothing.
func TestPrecedentIsSaid(t *testing.T) {
	p := samplePane(sampleApproval("ls"), 74, 30)
	p.group = &inbox.Group{Name: "work", Kind: "werft"}
	before := p.Show(nil, nil, askNow).Show(p.group, p.item, askNow)
	p = before.Remember(history.Precedents{p.item.Ask.Sameness("werft"): {Allowed: 4}}).Show(p.group, p.item, askNow)
	wantSees(t, p, "You decided exactly this 4 times: allowed 4")
	if p.Stage() != before.Stage() || p.OnScreen() != before.OnScreen() {
		t.Error("it changes what is read")
	}
	other := p.Show(p.group, itemOf(sampleApproval("rm")), askNow)
	if strings.Contains(plainView(other), "exactly this") {
		t.Error("it is said of another command")
	}
}

// K25: the words of the pane name the keys that are in force.
func TestWordsNameTheKeysInForce(t *testing.T) {
	keys, faults := keymap.With([]keymap.Setting{{Action: "allow", Keys: []string{"ctrl+y"}}, {Action: "as_sent", Keys: []string{"w"}}, {Action: "line_down", Keys: []string{"ctrl+t"}}, {Action: "deny", Keys: []string{"ctrl+x"}}})
	if faults != nil {
		t.Fatal(faults)
	}
	p := drawn(New(theme.PlainTheme(), keys, nil).Resize(74, 20).Show(&inbox.Group{Name: "work"}, itemOf(sampleApproval(longCommand(60))), askNow))
	wantSees(t, p, "space, ctrl+t", "ctrl+y  allow", "ctrl+x  deny")
	_, in := p.Key(askKey("enter"), askOpen)
	wantQuiet(t, p, in, "ctrl+y allows, ctrl+x denies")
	p, _ = p.Key(askKey("w"), askOpen)
	wantSees(t, p, "w goes back")
	for _, a := range []*client.Ask{sampleApproval("ls"), plan(), sampleQuestion(databases())} {
		p = p.Show(p.group, itemOf(a), askNow)
		if strings.ContainsAny(plainView(p), "{}") {
			t.Errorf("a key has no name:\n%s", plainView(p))
		}
	}
}
