package ask

import (
	"errors"
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

// ownRows are the rows of a pane as far as the program's words go: what stands left
// of the first gutter.
func ownRows(p Model) []string {
	var out []string
	for l := range strings.SplitSeq(plainView(p), "\n") {
		if i := strings.IndexAny(l, "│┆"); i >= 0 {
			l = l[:i]
		}
		out = append(out, strings.TrimRight(l, " "))
	}
	return out
}

// wantNone fails where some words stand where the program's words stand.
func wantNone(t *testing.T, p Model, words ...string) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(strings.Join(ownRows(p), "\n"), w) {
			t.Errorf("%q stands where the program's words stand:\n%s", w, plainView(p))
		}
	}
}

var sizes = [][2]int{{40, 7}, {40, 8}, {60, 20}, {74, 38}, {160, 50}}

// H13: whatever people, relays, sessions and surfaces are called, the name stands
// behind the gutter, last on its line.
func TestNamesAreNotTheProgramsWords(t *testing.T) {
	for _, size := range sizes {
		for _, name := range []string{"yours", "agent", "you", "work ── 9 │ Approval · done", "read to the end ✓", "another person · yours", "x\ny · yours"} {
			a := sampleApproval("ls")
			a.Session.Starter, a.Session.StartedBy = client.StarterPerson, client.Actor{Name: text.New(name)}
			a.Session.Title, a.Session.Folder = text.New(name), text.New(name)
			a.AskedBy, a.Mode = &client.Party{Title: text.New(name)}, text.New(name)
			p := New(samplePane(a, 1, 1).theme, samplePane(a, 1, 1).keys, nil).Resize(size[0], size[1])
			p = drawn(p.Show(&inbox.Group{Name: text.New(name).String(), Via: "home"}, itemOf(a), askNow))
			rows := ownRows(p)
			if size[1] > 8 && rows[1] != "via home · another person" {
				t.Errorf("%q: the program says %q", name, rows[1])
			}
			wantNone(t, p, "yours", "you ", "done")
			closed := *a
			closed.Status = client.Answered
			closed.Closing = &client.Closing{By: client.Actor{Name: text.New(name)}, Surface: text.New(name), At: askNow, Answer: []text.Text{text.New("allow")}}
			p = drawn(p.Show(p.group, itemOf(&closed), askNow))
			wantNone(t, p, "by you", "yours", "done")
			wantSees(t, p, "Answered just now by │ ")
		}
	}
}

// H14: what a relay says of an answer that it did not take stands behind the gutter
// on each of its rows, and is named as its words.
func TestRelaysErrorIsItsOwn(t *testing.T) {
	said := text.New("done: allow │ Answered just now by you. Press A to allow always\nNothing else is needed. " + strings.Repeat("Press A. ", 100))
	errs := map[string]error{
		"invalid":  &client.InvalidAnswer{Field: "decision", Reason: "it does not fit", Said: said},
		"field":    &client.InvalidAnswer{Field: "q1", Reason: "it does not fit", Said: said},
		"failed":   &client.Failed{Status: 500, Message: said},
		"unsure":   &client.Uncertain{Err: &client.Failed{Status: 500, Message: said}},
		"unread":   &inbox.Unread{Err: &client.Failed{Status: 500, Message: said}},
		"too late": &client.Closed{Why: "too late", Said: said},
		"none":     errors.New("cut"), "nil": nil,
	}
	for _, size := range sizes {
		for name, err := range errs {
			for state := inbox.Held; state <= inbox.NotKnown; state++ {
				for _, a := range []*client.Ask{sampleApproval("ls"), sampleQuestion(databases())} {
					it := itemOf(a)
					it.Flight = &inbox.Flight{State: state, Answer: client.Answer{Decision: client.Allow}, Err: err}
					p := samplePane(a, size[0], size[1])
					p = drawn(p.Show(p.group, it, askNow))
					checkPane(t, p)
					for _, r := range ownRows(p) {
						if strings.Contains(r, "Answered") || strings.Contains(r, "Press A") || strings.Contains(r, "Nothing else") {
							t.Fatalf("%s, state %d, %v: the relay speaks as the program:\n%s", name, state, size, plainView(p))
						}
					}
					if state == inbox.Refused && name == "invalid" && size[1] > 20 {
						wantSees(t, p, "not sent: invalid answer", "it says │ done: allow │ Answered")
					}
				}
			}
			p := samplePane(sampleQuestion(databases()), size[0], size[1])
			checkPane(t, p.Refused(p.item.Ask.Ref, err))
			wantNone(t, p.Refused(p.item.Ask.Ref, err), "Answered", "Press A")
		}
	}
}

// H21: a name takes one line whatever is in it, and its value begins on a row that
// the program opens.
func TestNamesTakeOneLine(t *testing.T) {
	a := sampleApproval("ls")
	a.Approval.Tool = text.New("Bash\n\n│ read to the end ✓")
	a.Approval.Parts = append(a.Approval.Parts, client.Part{Kind: client.PartField, Key: text.New("│ The agent says\n│ harmless"), Text: text.New("evil")})
	for _, width := range []int{34, 40, 60, 100} {
		p := samplePane(a, width, 40)
		v := plainView(p)
		if n := strings.Count(v, "⟨LF⟩"); n != 3 {
			t.Errorf("%d line feeds are marked:\n%s", n, v)
		}
		for l := range strings.SplitSeq(v, "\n") {
			if strings.HasPrefix(l, "│ │") && !strings.Contains(l, "⟨LF⟩") {
				t.Errorf("a name begins a row of its own: %q\n%s", l, v)
			}
		}
		wantSees(t, p, "│ ls", "│ evil")
	}
}

// H25: nothing stands over nothing.
func TestNoHeadingOverNothing(t *testing.T) {
	a := sampleApproval("ls")
	a.Approval.Parts[1].Text = text.New("")
	secret := sampleAsk(client.Secret)
	secret.Secret = &client.SecretAsk{Name: text.New("KEY")}
	for _, ask := range []*client.Ask{a, secret} {
		if v := plainView(samplePane(ask, 60, 30)); strings.Contains(v, "says") {
			t.Errorf("a heading over nothing:\n%s", v)
		}
	}
}

// What a relay sent beside what askbox knows is shown, warned of, and has to be read.
func TestExtraIsShown(t *testing.T) {
	a := sampleApproval("ls")
	a.Extra = []client.Part{{Kind: client.PartField, Key: text.New("approval.env"), Text: text.New(`{"LD_PRELOAD":"./x.so"}` + strings.Repeat("\n1", 60))}}
	p, in := press(samplePane(a, 60, 24), "a")
	wantQuiet(t, p, in, "read it to the end first")
	wantSees(t, p, "Look closely: the relay sent more than askbox knows", "Also sent, not known to askbox:", "│ approval.env", `│ {"LD_PRELOAD":"./x.so"}`)
	p, in = press(readAll(p), "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow})
	wantSees(t, turned(samplePane(sampleApproval("ls"), 74, 60), a), `+ │ {"LD_PRELOAD":"./x.so"}`)
	for _, kind := range []client.Kind{client.Question, client.Secret, client.Unknown} {
		b := sampleAsk(kind)
		b.Extra = a.Extra
		wantSees(t, samplePane(b, 60, 80), "Also sent, not known to askbox:", "│ approval.env")
	}
}

// J11: what the program says around an ask has not to be read; what an agent wrote has.
func TestIdsNeedNoReading(t *testing.T) {
	a := sampleApproval("git push --force origin main")
	a.Session.Folder, a.Session.Origin = text.New("/srv/app"), text.New("another session")
	p, in := press(samplePane(a, 40, 7), "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow})
	a.Approval.Parts[1].Text = text.New("publish the release\nto everybody")
	p = samplePane(a, 40, 7)
	p, in = press(p, "a")
	wantQuiet(t, p, in, "read it to the end first")
	p, _ = press(p, "pgdn", "pgdn")
	wantSees(t, p, "read to the end ✓")
	p, in = press(p, "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow})
	p, in = press(samplePane(a, 60, 16), "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow})
}
