package ask

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

// watched is what a person could have read of an ask: the rows that stood on
// the pane in some frame while the same content was shown.
type watched struct {
	digest string
	rows   map[string]bool
	// known is the content that the person knows: the first one that was drawn, then
	// the one whose change a key was refused for.
	known string
}

func (w *watched) look(p Model) {
	if d := p.item.Digest; d != w.digest {
		w.digest, w.rows = d, map[string]bool{}
	}
	if w.known == "" {
		w.known = w.digest
	}
	for l := range strings.SplitSeq(plainView(p), "\n") {
		w.rows[strings.TrimRight(l, " ")] = true
	}
}

// drawAsk makes an approval whose every line is one of a kind, so that a row on
// the screen tells which line was seen.
func drawAsk(t *rapid.T, generation int) *client.Ask {
	n := rapid.IntRange(1, 60).Draw(t, "lines")
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("g%d-%d", generation, i))
	}
	a := sampleApproval(strings.Join(lines, "\n"))
	a.Approval.Always = nil
	for i := range rapid.IntRange(1, 30).Draw(t, "rule") {
		a.Approval.Always = append(a.Approval.Always, text.New(fmt.Sprintf("r%d-%d", generation, i)))
	}
	if rapid.Bool().Draw(t, "modes") {
		a.Approval.Modes = []client.Mode{{ID: "m", Label: "mode", Confirm: "Really?"}, {ID: "n", Label: "other"}}
	}
	return a
}

// Whatever is pressed, in whatever size, while the ask changes: an answer goes
// for the ref and digest on the pane and passes validation, nothing is allowed
// of which a row was never on the pane, nothing is sent through a closed gate or
// by a single enter, and every frame has its size.
func TestNothingUnmeant(t *testing.T) {
	keys := []string{"a", "A", "A", "m", "d", "D", "x", "X", "1", "2", "space", "t", "enter", "esc", "pgdn", "pgup",
		"end", "home", "up", "down", "tab", "ctrl+d", "ctrl+u", "v", "o", "y", "u", "p", "z", "right"}
	rapid.Check(t, func(t *rapid.T) {
		ask := drawAsk(t, 0)
		p := samplePane(ask, rapid.IntRange(34, 90).Draw(t, "w"), rapid.IntRange(8, 40).Draw(t, "h"))
		seen := &watched{}
		seen.look(p)
		generation := 0
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				p = p.Resize(rapid.IntRange(0, 90).Draw(t, "w"), rapid.IntRange(0, 40).Draw(t, "h"))
			case 1:
				generation++
				p = p.Show(p.group, itemOf(drawAsk(t, generation)), askNow.Add(time.Duration(generation)*time.Minute))
			default:
				g := Gate{Open: rapid.IntRange(0, 3).Draw(t, "gate") > 0, Why: "shut"}
				k := rapid.SampledFrom(keys).Draw(t, "key")
				typing, confirming := p.Typing(), p.Focused()
				before := p
				var in Wish
				if p, in = p.Key(askKey(k), g); strings.Contains(in.Text, "this ask changed") {
					if !g.Open || seen.digest != p.item.Digest {
						t.Fatal("a key acknowledged a change that was not drawn, or did not count")
					}
					seen.known = p.item.Digest
				}
				if in.Kind == Send {
					checkSend(t, before, in, g, seen)
					if k == "enter" && !typing && !confirming {
						t.Fatalf("a lone enter sent %+v", in.Answer)
					}
				}
			}
			checkPane(t, p)
			if rapid.IntRange(0, 3).Draw(t, "drawn") > 0 {
				seen.look(p)
				p = drawn(p)
			}
		}
	})
}

func checkSend(t *rapid.T, p Model, in Wish, g Gate, seen *watched) {
	a := p.item.Ask
	if in.Ref != a.Ref || in.Digest != p.item.Digest {
		t.Fatalf("sent for %v, shown is %v", in.Ref, a.Ref)
	}
	if err := client.Validate(a, in.Answer); err != nil {
		t.Fatalf("sent what does not fit: %v", err)
	}
	if !g.Open {
		t.Fatalf("sent through a closed gate: %+v", in.Answer)
	}
	if in.Answer.Decision != client.Allow && in.Answer.Decision != client.Always {
		return
	}
	if seen.known != p.item.Digest {
		t.Fatalf("allowed %s, and what the person knows is %s", p.item.Digest, seen.known)
	}
	for l := range strings.Lines(a.Approval.Parts[0].Text.Raw()) {
		if !seen.rows["│ "+strings.TrimSuffix(l, "\n")] {
			t.Fatalf("allowed, and %q was never on the pane", l)
		}
	}
	for _, r := range a.Approval.Always {
		if in.Answer.Decision == client.Always && !seen.rows["│ "+r.Raw()] {
			t.Fatalf("allowed always, and the rule %q was never on the pane", r.Raw())
		}
	}
}

// drawQuestions makes an ask of some questions of every form.
func drawQuestions(t *rapid.T) *client.Ask {
	var qs []client.QuestionAsk
	for i := range rapid.IntRange(1, 3).Draw(t, "questions") {
		q := client.QuestionAsk{ID: fmt.Sprint("q", i), Text: text.New("What?"),
			Multi: rapid.Bool().Draw(t, "multi"), Optional: rapid.Bool().Draw(t, "optional"),
			TextWithChoices: rapid.Bool().Draw(t, "with")}
		for o := range rapid.IntRange(0, 12).Draw(t, "options") {
			q.Options = append(q.Options, client.Option{ID: fmt.Sprint("o", o), Label: text.New("same")})
		}
		q.OwnText = len(q.Options) == 0 || rapid.Bool().Draw(t, "own")
		if rapid.Bool().Draw(t, "detail") {
			q.Detail = text.New("more\nlines")
		}
		qs = append(qs, q)
	}
	return sampleQuestion(qs...)
}

// An answer to questions is what stood on the pane as ticked and typed, in the
// order offered, and never empty (C28, C29, R10).
func TestAnswersAreWhatWasTicked(t *testing.T) {
	keys := []string{"1", "2", "3", "9", "space", "t", "enter", "esc", "up", "down", "tab", "right", "z", "backspace", "x"}
	rapid.Check(t, func(t *rapid.T) {
		p := samplePane(drawQuestions(t), rapid.IntRange(40, 90).Draw(t, "w"), rapid.IntRange(8, 60).Draw(t, "h"))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			k := rapid.SampledFrom(keys).Draw(t, "key")
			before := p
			var in Wish
			p, in = p.Key(askKey(k), askOpen)
			checkPane(t, p)
			if in.Kind != Send {
				continue
			}
			if in.Answer.Dismiss != (k == "x" && !before.Typing()) {
				t.Fatalf("%s sent %+v", k, in.Answer)
			}
			if err := client.Validate(p.item.Ask, in.Answer); err != nil {
				t.Fatal(err)
			}
			for i, q := range in.Answer.Questions {
				checkTicks(t, before.Resize(60, 400), i, q)
			}
			return
		}
	})
}

// checkTicks compares an answer with the ticks on the pane.
func checkTicks(t *rapid.T, p Model, question int, a client.QuestionAnswer) {
	block := strings.Split(plainView(p), "\n")
	if len(p.item.Ask.Questions) > 1 {
		from := slices.IndexFunc(block, func(l string) bool {
			return strings.HasPrefix(l, fmt.Sprintf("Question %d of", question+1))
		})
		block = block[from+1:]
		if to := slices.IndexFunc(block, func(l string) bool { return strings.HasPrefix(l, "Question ") }); to >= 0 {
			block = block[:to]
		}
	}
	var ticked []string
	for _, l := range block {
		var n int
		for _, tick := range []string{"(x)", "[x]"} {
			if fields := strings.Fields(strings.TrimPrefix(l, "▌")); len(fields) > 1 && fields[1] == tick {
				if _, err := fmt.Sscan(fields[0], &n); err == nil {
					ticked = append(ticked, fmt.Sprint("o", n-1))
				}
			}
		}
	}
	if !slices.Equal(ticked, a.Choices) {
		t.Fatalf("ticked on the pane %v, sent %v\n%s", ticked, a.Choices, strings.Join(block, "\n"))
	}
}

// A draft holds everything that was chosen and typed, and gives it back.
func TestDraftRoundTrip(t *testing.T) {
	keys := []string{"1", "2", "space", "t", "enter", "esc", "down", "tab", "z", "X", "m", "D"}
	rapid.Check(t, func(t *rapid.T) {
		ask := drawQuestions(t)
		if rapid.Bool().Draw(t, "approval") {
			ask = sampleApproval("ls")
		}
		p := samplePane(ask, 60, 40)
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			p, _ = p.Key(askKey(rapid.SampledFrom(keys).Draw(t, "key")), askOpen)
		}
		d := p.draft()
		again := samplePane(ask, 60, 40)
		again = again.restore(d)
		if got := again.draft(); fmt.Sprint(got) != fmt.Sprint(d) {
			t.Fatalf("draft\n%+v came back as\n%+v", d, got)
		}
	})
}

// Hostile text of every kind never breaks a frame or loses its gutter (A, B).
func TestHostileFrames(t *testing.T) {
	hostile := []string{
		"curl x | sh\r\x1b[2K   ls", "ls \x1b]0; ; rm -rf ~", "git \u009b2K", "cat \u202etxt.hs\u202c",
		strings.Repeat("ㅤ", 200) + "; rm", strings.Repeat(" ", 500) + "tail" + strings.Repeat("\t", 200),
		"a" + strings.Repeat("\u0301", 1000), "🏳️‍🌈 1️⃣ 👨‍👩‍👧 🇺🇸", strings.Repeat("漢", 79) + "x ｀Д´ ﷽", "a\u2028b\u0085\v\f",
		"\xff\xfe", "", "\n\n\n\n\n", "⟨ESC⟩ │ ┆ ─ read to the end ✓",
	}
	pick := rapid.OneOf(rapid.SampledFrom(hostile), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		h := func(label string) text.Text { return text.New(pick.Draw(t, label)) }
		a := sampleApproval(pick.Draw(t, "command"))
		a.Approval.Tool, a.Session.Title, a.Session.Folder = h("tool"), h("title"), h("folder")
		a.Session.Starter, a.Session.StartedBy = client.StarterPerson, client.Actor{Name: h("name")}
		a.AskedBy = &client.Party{Title: h("by")}
		a.Approval.Always = []text.Text{h("rule")}
		a.Approval.Parts = append(a.Approval.Parts,
			client.Part{Kind: client.PartDiff, Path: h("path"), Text: h("diff")},
			client.Part{Kind: client.PartArgs, Args: []text.Text{h("arg"), h("arg")}},
			client.Part{Kind: client.PartField, Key: h("key"), Text: h("value")})
		if rapid.Bool().Draw(t, "question") {
			q := databases()
			q.Text, q.Header, q.Detail, q.RecommendedText = h("q"), h("header"), h("detail"), h("recommended")
			q.Options[0].Label, q.Options[0].Description = h("label"), h("description")
			a = sampleQuestion(q)
		}
		if rapid.Bool().Draw(t, "closed") {
			a.Status = client.Answered
			a.Closing = &client.Closing{By: client.Actor{Name: h("ada")}, Surface: h("surface"), Answer: []text.Text{h("with")}}
		}
		p := samplePane(a, rapid.IntRange(1, 90).Draw(t, "w"), rapid.IntRange(1, 50).Draw(t, "h"))
		for _, k := range []string{"A", "pgdn", "end", "v", "home"} {
			p, _ = press(p, k)
			checkPane(t, p)
			if strings.ContainsAny(plainView(p), "\x1b\r\t\u009b\u202e\u2028\v\f\b") {
				t.Fatalf("a control character on the pane: %q", plainView(p))
			}
		}
	})
}

// A group with a skewed clock never makes an age negative (E23, F07).
func TestClocks(t *testing.T) {
	a := sampleApproval("ls")
	a.Opened, a.Expires = askNow.Add(90*time.Second), askNow.Add(120*time.Second)
	p := samplePane(a, 60, 24).Show(&inbox.Group{Name: "work", Skew: 90 * time.Second}, itemOf(a), askNow)
	wantSees(t, p, "just now", "expires in 30 seconds")
	p = p.Show(p.group, itemOf(a), askNow.Add(40*time.Second))
	wantSees(t, p, "its time is over, the relay decides")
	a.ExpiredWords = "expired, counted as a denial"
	p = p.Show(p.group, itemOf(a), askNow.Add(40*time.Second))
	wantSees(t, p, "Approval · just now · expired, counted as a denial", "Nothing is sent any more", "The relay has not said yet")
	if seen := plainView(p); strings.Contains(seen, "the session waits") || strings.Contains(seen, "d  deny") {
		t.Errorf("it is over:\n%s", seen)
	}
	for _, k := range []string{"a", "d", "D", "x", "enter"} {
		if q, in := press(p, k); in.Kind == Send || q.Typing() {
			t.Errorf("%s answers what is over", k)
		}
	}
	// While an answer is on its way nobody can say how it ends.
	sent := itemOf(a)
	sent.Flight = &inbox.Flight{State: inbox.Checking, Answer: client.Answer{Decision: client.Allow}}
	p = p.Show(p.group, sent, askNow.Add(41*time.Second))
	wantSees(t, p, "its time is over, the relay decides")
	a.ExpiredWords = ""
	a.Opened, a.Expires = time.Time{}, time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)
	p = samplePane(a, 60, 24)
	wantSees(t, p, "age not known")
}

// All of an ask is on the pane for whoever reads it by pages, at any size, and none
// of it is cut without a mark.
func TestAllOfItIsOnThePane(t *testing.T) {
	word := rapid.StringMatching(`[a-z]{1,12}|[0-9]{30,90}|漢{1,9}|\t|  {1,5}`)
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(word, 1, 200).Draw(t, "words")
		raw := strings.Join(words, rapid.SampledFrom([]string{" ", "\n", ""}).Draw(t, "between"))
		ask := sampleApproval(raw)
		if rapid.Bool().Draw(t, "question") {
			q := databases()
			q.Text = text.New(raw)
			ask = sampleQuestion(q)
		}
		p := samplePane(ask, rapid.IntRange(20, 120).Draw(t, "w"), rapid.IntRange(7, 40).Draw(t, "h"))
		rows := map[int]string{}
		for at := (Shown{}); at != p.OnScreen(); {
			at = p.OnScreen()
			pinned, from, to := p.pages[viewContent].Window()
			frame, lines := plainView(p), p.pages[viewContent].Draw(p.theme, p.width, p.controls)
			if pinned {
				lines = lines[1:]
			}
			for i := from; i < to; i++ {
				if rows[i] = ansi.Strip(lines[i-from]); !strings.Contains(frame, rows[i]) {
					t.Fatalf("row %d is not on its frame", i)
				}
			}
			p, _ = press(p, "pgdn")
		}
		var got strings.Builder
		for i := range p.pages[viewContent].Total() {
			row, ok := rows[i]
			if !ok {
				t.Fatalf("row %d of %d was on no frame", i, p.pages[viewContent].Total())
			}
			for _, gutter := range []string{"│ ", "┆ "} {
				_, quoted, _ := strings.Cut(row, gutter)
				got.WriteString(strings.TrimRight(quoted, " "))
			}
		}
		for _, w := range strings.Fields(raw) {
			if !strings.Contains(got.String(), strings.TrimSpace(w)) {
				t.Fatalf("%q stands nowhere", w)
			}
		}
	})
}
