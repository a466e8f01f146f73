package ask

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/text"
)

func plan() *client.Ask {
	a := sampleApproval("")
	a.Approval.Tool, a.Approval.Always = text.New("ExitPlanMode"), nil
	a.Approval.Parts = []client.Part{{Kind: client.PartPlan, Text: text.New("1. Split it.")}}
	a.Approval.Modes = []client.Mode{{ID: "default", Label: "ask as usual"}, {ID: "acceptEdits", Label: "accept edits"},
		{ID: "auto", Label: "auto"}, {ID: "bypassPermissions", Label: "bypass permissions", Confirm: "It asks for nothing any more."}}
	return a
}

// H18, J29: at every size the key that allows names the mode that it sends, and
// says so where it sends none.
func TestModeIsNamed(t *testing.T) {
	for w := 34; w <= 130; w += 3 {
		for h := 6; h <= 40; h += 2 {
			p := samplePane(plan(), w, h)
			if v := plainView(p); !strings.Contains(v, "no mode") {
				t.Fatalf("%dx%d does not say that no mode is sent:\n%s", w, h, v)
			}
			for i, name := range []string{"ask as usual", "accept edits", "auto", "bypass permissions"} {
				q, _ := press(p, fmt.Sprint(i+1))
				if !strings.Contains(strings.Join(strings.Fields(belowRule(q)), " "), name) {
					t.Fatalf("%dx%d does not name %q:\n%s", w, h, name, plainView(q))
				}
				q, _ = press(readAll(q), "m")
				if v := plainView(q); q.Typing() && !strings.Contains(belowRule(q), name) {
					t.Fatalf("%dx%d: the field does not name %q:\n%s", w, h, name, v)
				}
			}
		}
	}
	p, in := press(readAll(samplePane(plan(), 60, 12)), "4", "a")
	wantQuiet(t, p, in, "")
	wantSees(t, p, "a again: allow · mode: bypass permissions")
}

// belowRule is what stands below the text: the keys.
func belowRule(p Model) string {
	v := plainView(p)
	return v[strings.LastIndex(v, "\n─")+1:]
}

// H18: no mode comes back from a draft, be it one of an earlier version.
func TestModeIsNoDraft(t *testing.T) {
	store, err := drafts.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a := plan()
	store.Save(a.Ref, drafts.Draft{Digest: a.Digest(), Answer: client.Answer{Mode: "auto"}})
	p := samplePane(a, 60, 24)
	p.drafts = store
	p = drawn(p.Show(nil, nil, askNow).Show(p.group, itemOf(a), askNow))
	wantSees(t, p, "no mode")
	p, _ = press(p, "3")
	p = drawn(p.Show(nil, nil, askNow).Show(p.group, itemOf(a), askNow))
	p, in := press(p, "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow})
}

// H02: the second A counts only once every rule was in a frame that was drawn.
func TestEveryRuleIsDrawn(t *testing.T) {
	a := sampleApproval("ls")
	a.Approval.Always = nil
	for i := range 122 {
		a.Approval.Always = append(a.Approval.Always, text.New(fmt.Sprintf("Bash(ls:%d)", i)))
	}
	p, _ := press(samplePane(a, 74, 23), "A")
	for range 40 {
		p, _ = p.Key(askKey("pgdn"), askOpen)
	}
	p = drawn(p)
	p, in := p.Key(askKey("A"), askOpen)
	wantQuiet(t, p, in, "read the rule to its end")
	wantSees(t, p, "above not read")
	p, _ = press(p, "home")
	p, in = press(readAll(p), "A")
	wantSent(t, p, in, client.Answer{Decision: client.Always})
}

// H01, H03: nothing is read by being laid out, scrolled or resized, and a frame
// counts for what it held only: its ask, its content, its rows as they stood.
func TestOnlyDrawnRowsCount(t *testing.T) {
	long := sampleApproval(strings.Repeat("echo x\n", 400) + "rm -rf ~")
	p := samplePane(long, 60, 24)
	for range 200 {
		p, _ = p.Key(askKey("pgdn"), askOpen)
	}
	p = p.Resize(60, 500).Resize(60, 24)
	p, in := p.Key(askKey("a"), askOpen)
	wantQuiet(t, p, in, "read it to the end first")
	top := samplePane(long, 60, 24)
	tall := top.Resize(60, 600)
	for name, q := range map[string]Model{
		"another width":    top.Resize(61, 24).Confirm(tall.OnScreen()),
		"another content":  top.Show(top.group, itemOf(sampleApproval(strings.Repeat("echo y\n", 400))), askNow).Confirm(tall.OnScreen()),
		"another view":     press1(top, "v").Confirm(tall.OnScreen()),
		"a row too few":    top.Confirm(Shown{Ref: long.Ref, Digest: long.Digest(), Layout: tall.OnScreen().Layout, Last: 400}),
		"nothing, no ask":  top.Show(nil, nil, askNow).Confirm(tall.OnScreen()),
		"too narrow":       top.Confirm(top.Resize(12, 900).OnScreen()),
		"no height at all": top.Confirm(top.Resize(60, 0).OnScreen()),
		"tall, then none":  tall.Resize(60, 0).Confirm(tall.Resize(60, 0).OnScreen()).Resize(60, 24),
	} {
		if q.read() {
			t.Errorf("%s: it counts as read", name)
		}
	}
	if q := tall.Confirm(tall.OnScreen()).Resize(60, 24); !q.read() {
		t.Error("what was drawn does not count")
	}
}

func press1(p Model, key string) Model {
	p, _ = p.Key(askKey(key), askOpen)
	return p
}

// The frame's value is the same as long as the frame is, and another one for
// another frame: what is drawn once has not to be drawn again.
func TestShownIsStable(t *testing.T) {
	p := samplePane(sampleQuestion(databases(), several()), 60, 14)
	again := p.Show(p.group, itemOf(p.item.Ask), askNow)
	if p.OnScreen() != again.OnScreen() {
		t.Errorf("%+v became %+v by itself", p.OnScreen(), again.OnScreen())
	}
	unfolded, _ := press(p, "enter", "down", "down", "down", "right")
	if unfolded.OnScreen().Layout == p.OnScreen().Layout {
		t.Error("rows moved, and their numbers mean the same")
	}
	next, _ := press(p, "pgdn")
	if a, b := p.OnScreen(), next.OnScreen(); a.Layout != b.Layout || a.First == b.First {
		t.Errorf("a page further: %+v, then %+v", a, b)
	}
}

// What is folded has to be read where it has to be read at all.
func TestFoldedIsNotRead(t *testing.T) {
	q := several()
	q.Options[2].Confirm = "Really?"
	a := sampleQuestion(q)
	p, _ := press(samplePane(a, 60, 40), "right", "3", "enter")
	p, in := press(p, "enter")
	if in.Kind == Send {
		t.Fatal("sent with the detail folded")
	}
	fresh := New(p.theme, p.keys, nil).Resize(60, 40).Show(p.group, itemOf(a), askNow)
	fresh, _ = fresh.Key(askKey("right"), askOpen)
	fresh = drawn(fresh)
	if fresh.read() {
		t.Error("what was folded counts as read")
	}
	if fresh, _ = press(fresh, "right"); !fresh.read() {
		t.Error("what was unfolded does not count")
	}
}

// G08: pages reach the end of a question whose cursor stands at its top, and the
// next step of the cursor brings it back.
func TestPagesLeaveTheCursor(t *testing.T) {
	q := client.QuestionAsk{ID: "q1", Text: text.New("Which?")}
	for i := range 12 {
		q.Options = append(q.Options, client.Option{ID: fmt.Sprint(i), Label: text.New("one"), Description: text.New(strings.Repeat("three rows of it ", 10))})
	}
	p, _ := press(samplePane(sampleQuestion(q), 72, 27), "enter", "pgdn", "pgdn", "pgdn", "end")
	p = p.Show(p.group, p.item, askNow)
	wantSees(t, p, "12 ( ) │ one", "Ask │ ")
	p, _ = press(p, "down")
	wantSees(t, p, "▌  2 ( ) │ one")
}

// A line break goes into every text, by every key that terminals have for it.
func TestNewLines(t *testing.T) {
	for _, k := range []string{"ctrl+j", "alt+enter"} {
		for _, open := range []string{"m", "D", "X"} {
			p, _ := press(samplePane(sampleApproval("ls"), 60, 24), open, "o", k, "w", "enter")
			if got := p.texts[p.last].Value; got != "o\nw" {
				t.Errorf("%s %s: %q", open, k, got)
			}
		}
		p, in := press(samplePane(sampleQuestion(inWords("a", "Why?")), 60, 24), "enter", "o", k, "w", "enter")
		wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{{ID: "a", Text: "o\nw", HasText: true}}})
	}
}

// What is too large is laid out in bounds, and cannot be answered here.
func TestTooLargeToAnswer(t *testing.T) {
	q := databases()
	q.Text = text.New(strings.Repeat("A", 5<<20))
	options := client.QuestionAsk{ID: "o", Text: text.New("Which?")}
	for range 30_000 {
		options.Options = append(options.Options, client.Option{ID: "x", Label: text.New("one\n\ntwo")})
	}
	for _, ask := range []*client.Ask{sampleQuestion(q), sampleQuestion(options)} {
		p := samplePane(ask, 60, 24)
		if n := p.pages[viewContent].Total(); n > 4*client.MaxRows {
			t.Errorf("%d rows are laid out", n)
		}
		for _, keys := range []string{"1", "enter", "t"} {
			q, in := press(p, keys)
			wantQuiet(t, q, in, "cannot be answered here")
		}
		p, in := press(p, "x")
		wantSent(t, p, in, client.Answer{Dismiss: true})
	}
}

// J09: each key has one place at a width, whatever the ask offers, and reading does not move
// it; all of them stand right below the text.
func TestKeysKeepTheirPlaces(t *testing.T) {
	long := sampleApproval(strings.Repeat("echo step\n", 60) + "rm -rf ~")
	edit := sampleApproval("")
	edit.Approval.Parts[0] = client.Part{Kind: client.PartDiff, Path: text.New("a.go"), Text: text.New("@@ -1 +1 @@\n-a\n+b\n")}
	bare := sampleApproval("ls")
	bare.Approval.Always, bare.Offers = nil, client.Offered(client.ActAllow, client.ActDeny, client.ActDenyReason, client.ActDismiss)
	bare.Offers[client.ActDeny].Effect, bare.Offers[client.ActDenyReason].Effect = "the turn ends", "the agent goes on"
	for _, size := range [][2]int{{40, 20}, {60, 20}, {74, 38}, {122, 58}} {
		columns := map[string]int{}
		for name, a := range map[string]*client.Ask{"short": sampleApproval("ls"), "long": long, "edit": edit, "bare": bare, "plan": plan()} {
			p := samplePane(a, size[0], size[1])
			before := strings.Split(plainView(p), "\n")
			after := strings.Split(plainView(readAll(p)), "\n")
			rule := slices.IndexFunc(before, func(l string) bool { return strings.HasPrefix(l, "─") })
			for y := rule + 1; y < len(before); y++ {
				if before[y] != after[y] {
					t.Errorf("%s at %v: reading made %q of %q", name, size, after[y], before[y])
				}
				for _, key := range []string{"a", "d", "D", "x", "m", "A"} {
					at := strings.Index(" "+before[y], " "+key+" ")
					if at < 0 || strings.HasPrefix(before[y], "   ") || key == "a" && at > 0 {
						continue
					}
					if was, ok := columns[key]; ok && was != at {
						t.Errorf("%s at %v: %s stands at %d and elsewhere at %d", name, size, key, at, was)
					}
					columns[key] = at
				}
			}
			if above := strings.TrimSpace(before[rule-1]); above == "" {
				t.Errorf("%s at %v: the keys stand apart from the text", name, size)
			}
		}
		if len(columns) < 6 {
			t.Errorf("at %v only these keys were found: %v", size, columns)
		}
	}
}
