package ask

import (
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/inbox"
	"askbox/client/text"
)

// turned is a pane on which an ask changed under its id, its frame drawn.
func turned(p Model, to *client.Ask) Model {
	return drawn(p.Show(p.group, itemOf(to), askNow))
}

// readAll goes through all of an ask by pages.
func readAll(p Model) Model {
	for at := (Shown{}); at != p.OnScreen(); {
		at = p.OnScreen()
		p, _ = press(p, "pgdn")
	}
	return p
}

const changedWords = "hanged since you saw it"

// H04: a change says so and shows what it was against what it is; the first
// approving key acknowledges it and does nothing else, however much later, and the
// next one counts only once the new text was read to its end.
func TestChangeIsSaid(t *testing.T) {
	for _, size := range [][2]int{{40, 7}, {40, 8}, {74, 38}, {120, 21}} {
		for _, keys := range []string{"a", "A", "m"} {
			p := samplePane(sampleApproval("npm run lint"), size[0], size[1])
			other := sampleApproval("npm publish\n" + strings.Repeat("# x\n", 60) + "--access public")
			p = turned(p, other)
			wantSees(t, p, changedWords)
			if !p.Changed(p.item) {
				t.Error("the list is not told")
			}
			p = readAll(p)
			wantSees(t, p, "read to the end", changedWords)
			stage := p.Stage()
			p, in := press(p, keys)
			wantQuiet(t, p, in, "changed since you saw it")
			if p.Stage() == stage {
				t.Error("the keys are not armed anew")
			}
			if p.Changed(p.item) || strings.Contains(plainView(p), "Read it again") {
				t.Errorf("it was acknowledged\n%s", plainView(p))
			}
			if p, in = press(p, "a"); in.Kind != Send {
				t.Errorf("%v: it was read and acknowledged, and says %q\n%s", size, in.Text, plainView(p))
			}
		}
	}
}

// What it was stands against what it is, and all of it below.
func TestChangeIsShown(t *testing.T) {
	p := turned(samplePane(sampleApproval("npm run lint"), 74, 38), sampleApproval("npm publish"))
	wantSees(t, p, "- │ npm run lint", "+ │ npm publish", "│ npm publish", "All of it, as it is now:")
	rule := sampleApproval("ls")
	rule.Approval.Always = []text.Text{text.New("Bash(*)")}
	wantSees(t, turned(samplePane(sampleApproval("ls"), 74, 38), rule), "- │ Bash(rm -rf build)", "+ │ Bash(*)")
	offers := sampleApproval("ls")
	offers.Offers[client.ActAllow].Effect = "it runs as root"
	wantSees(t, turned(samplePane(sampleApproval("ls"), 74, 38), offers), "+ │ Here: allow · it runs as root")
	goesOn := sampleApproval("ls")
	goesOn.Waits = false
	wantSees(t, turned(samplePane(sampleApproval("ls"), 74, 38), goesOn), "- │ The session waits.")
	hidden := sampleApproval("ls")
	hidden.Approval.ApprovingWords = []string{"yes"}
	wantSees(t, turned(samplePane(sampleApproval("ls"), 74, 38), hidden), "Nothing that its text shows is different")
}

// An acknowledged change that was not read to its end cannot be allowed, and what
// was read before counts for nothing.
func TestChangeIsReadAgain(t *testing.T) {
	long := func(first string) *client.Ask { return sampleApproval(first + strings.Repeat("\necho x", 80)) }
	p := samplePane(long("one"), 60, 20)
	p = readAll(p)
	p, in := press(turned(p, long("two")), "a")
	wantQuiet(t, p, in, "changed since you saw it")
	p, in = press(p, "a")
	wantQuiet(t, p, in, "read it to the end first")
	p = readAll(p)
	if _, in = press(p, "a"); in.Kind != Send {
		t.Error("it was read again")
	}
}

// Neither another ask nor an empty pane in between makes a change forgotten, also
// one that was undone; and a change that no drawn frame showed cannot be acknowledged.
func TestChangeIsRemembered(t *testing.T) {
	one, two := sampleApproval("ls"), sampleApproval("rm -rf ~")
	other := sampleApproval("pwd")
	other.ID = "another"
	p := samplePane(one, 60, 24)
	p = turned(p, other).Show(nil, nil, askNow)
	if !p.Changed(itemOf(two)) || p.Changed(itemOf(one)) || p.Changed(itemOf(other)) {
		t.Error("the memory is wrong")
	}
	p = p.Show(&inbox.Group{Name: "work"}, itemOf(two), askNow)
	wantSees(t, p, changedWords, "- │ ls", "+ │ rm -rf ~")
	q, in := press(p, "a")
	wantQuiet(t, q, in, "only just come on the screen")
	back := turned(turned(p, two), one)
	wantSees(t, back, changedWords)
	back, in = press(back, "a")
	wantQuiet(t, back, in, "changed since you saw it")
	if _, in = press(back, "a"); in.Kind != Send {
		t.Error("it was acknowledged")
	}
	shut, in := drawn(p).Key(askKey("a"), Gate{Why: "Nothing was sent: wait."})
	wantQuiet(t, shut, in, "wait")
	if !shut.owed() {
		t.Error("a key that does not count acknowledged the change")
	}
	closed := *two
	closed.Status = client.Answered
	if p = turned(p, &closed); p.owed() || p.Changed(itemOf(&closed)) {
		t.Error("an ask that is over waits for nothing")
	}
	other = sampleApproval("mkfs")
	if p = turned(p, other); !p.owed() {
		t.Error("an ask that came back as another one is taken for the same")
	}
}

// H05: words that were typed before a change are not sent with it without asking
// again, and the line that says so stands at every size.
func TestWordsFromBeforeAChange(t *testing.T) {
	for _, size := range [][2]int{{40, 7}, {40, 8}, {76, 21}} {
		for key, want := range map[string]client.Answer{
			"m": {Decision: client.Allow, Message: "looks good to me"},
			"D": {Decision: client.Deny, Message: "looks good to me"},
			"X": {Dismiss: true, Message: "looks good to me"},
		} {
			p, _ := press(readAll(samplePane(sampleApproval("npm run lint"), size[0], size[1])), key)
			p = turned(write(p, "looks good to me"), sampleApproval("npm publish"))
			checkPane(t, p)
			wantSees(t, p, "from before", "looks good to me")
			p, in := press(p, "enter")
			wantQuiet(t, p, in, "this ask changed after you typed that")
			p = readAll(p)
			p, in = press(p, "enter")
			wantSent(t, p, in, want)
		}
		p, _ := press(samplePane(sampleQuestion(inWords("a", "Why?")), size[0], size[1]), "enter")
		p = turned(write(p, "because"), sampleQuestion(inWords("a", "Why not?")))
		wantSees(t, p, "from before")
		p, in := press(p, "enter")
		wantQuiet(t, p, in, "this ask changed after you typed that")
		p, in = press(p, "enter")
		wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{{ID: "a", Text: "because", HasText: true}}})
	}
}

// A question that changed is not answered by the first key either.
func TestChangedQuestion(t *testing.T) {
	after := databases()
	after.Text = text.New("Which database shall be dropped?")
	p := turned(samplePane(sampleQuestion(databases()), 60, 24), sampleQuestion(after))
	p, in := press(p, "1", "enter")
	wantQuiet(t, p, in, "changed since you saw it")
	p, in = press(p, "enter")
	wantSent(t, p, in, client.Answer{Questions: []client.QuestionAnswer{chosen("q1", "Postgres")}})
}

// A change that the inbox saw right before it sent stops the answer, and is said; it
// is acknowledged like any other, and once.
func TestChangedBeforeItWasSent(t *testing.T) {
	one := sampleApproval("ls")
	p := samplePane(one, 74, 30)
	refused := itemOf(one)
	refused.Flight = &inbox.Flight{State: inbox.Refused, Answer: client.Answer{Decision: client.Allow}, At: askNow,
		Err: &inbox.Changed{Item: itemOf(sampleApproval("rm -rf ~")), Shown: one}}
	p = drawn(p.Show(p.group, refused, askNow))
	wantSees(t, p, "Nothing was sent: the ask changed right before it was sent", changedWords)
	p, in := press(p, "a")
	wantQuiet(t, p, in, "changed since you saw it")
	p = drawn(p.Show(p.group, refused, askNow.Add(time.Minute)))
	p, in = press(p, "a")
	wantSent(t, p, in, client.Answer{Decision: client.Allow})
}

// What a relay carried out instead is said at every size, with both texts.
func TestRelayDidSomethingElse(t *testing.T) {
	closed := sampleApproval("ls -la build")
	closed.Status, closed.Closing = client.Answered, &client.Closing{By: client.Actor{Me: true}}
	told := sampleApproval("rm -rf build/../src")
	it := itemOf(closed)
	it.Flight = &inbox.Flight{State: inbox.Done, Answer: client.Answer{Decision: client.Allow}, Differs: told}
	for _, size := range [][2]int{{40, 7}, {74, 38}} {
		p := samplePane(sampleApproval("ls -la build"), size[0], size[1])
		p = drawn(p.Show(p.group, it, askNow))
		checkPane(t, p)
		wantSees(t, p, "The relay ")
		if size[1] > 20 {
			wantSees(t, p, "carried out something else than you saw", "- │ ls -la build", "+ │ rm -rf build/../src", "What you saw:", "done: allow")
		}
	}
}

// The memory has a bound, and forgets nothing first that has to be acknowledged.
func TestMemoryIsBounded(t *testing.T) {
	var k memory
	owed := itemOf(sampleApproval("ls"))
	k = k.drawn(owed).shows(itemOf(sampleApproval("rm")))
	for i := range mostKnown + 50 {
		a := sampleApproval("ls")
		a.ID = strings.Repeat("x", i+1)
		k = k.drawn(&inbox.Item{Ask: a, Digest: "d"})
	}
	if len(k) > mostKnown || !k.changed(owed) {
		t.Errorf("%d asks are known, and the change is remembered: %v", len(k), k.changed(owed))
	}
}

// A small change of a large ask is shown as one, and soon.
func TestChangeOfALargeAsk(t *testing.T) {
	long := strings.Repeat("echo one line of a thousand\n", 30_000)
	p := samplePane(sampleApproval(long+"ls\n"+long), 100, 40)
	p = turned(p, sampleApproval(long+"rm -rf ~\n"+long))
	wantSees(t, p, "This ask changed since you saw it")
	small := strings.Repeat("echo one line of a thousand\n", 3_000)
	p = samplePane(sampleApproval(small+"ls\n"+small), 100, 40)
	p = turned(p, sampleApproval(small+"rm -rf ~\n"+small))
	wantSees(t, p, "- │ ls", "+ │ rm -rf ~", "  │ echo one line of a thousand")
	other := samplePane(sampleApproval(small), 100, 900)
	other = turned(other, sampleApproval(strings.Repeat("rm\n", 3000)))
	wantSees(t, other, "- │ echo one line", "+ │ rm", "more lines of this are left out here")
}
