package cli

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/text"
)

func openAsk(id, what, title string) *client.Ask {
	return &client.Ask{
		Ref: client.Ref{Relay: "work", Session: "s", ID: id}, Kind: client.Question, Status: client.Open, Waits: true,
		Questions: []client.QuestionAsk{{Text: text.New(what)}}, Session: client.Session{Title: text.New(title)},
	}
}

// What is asked stands in one column, and on a line of its own where the names
// leave no room for it: it is what the list is read for.
func TestAListShowsWhatIsAskedWhateverTheNames(t *testing.T) {
	now := time.Now()
	short := listing{width: 80}
	short.add(listed{openAsk("1", "Which one?", "Build"), "work/1", "0123456789ab", now})
	short.add(listed{openAsk("22", "Which two?", "Build"), "work/22", "0123456789ab", now})
	lines := short.lines(true)
	if len(lines) != 2 || strings.Index(lines[0], "Which") != strings.Index(lines[1], "Which") {
		t.Errorf("the columns are not aligned:\n%s", strings.Join(lines, "\n"))
	}
	if strings.Contains(lines[0], "waits") {
		t.Errorf("a column says the same of all: %s", lines[0])
	}
	long := listing{width: 80}
	name := "work/" + strings.Repeat("c", 60)
	long.add(listed{openAsk("1", "Which of the builds may go?", "Nightly"), name, "0123456789ab", now})
	lines = long.lines(true)
	if len(lines) != 2 || !strings.Contains(lines[0], name) || !strings.Contains(lines[1], "Which of the builds may go? · Nightly") {
		t.Errorf("a long name hides what is asked:\n%s", strings.Join(lines, "\n"))
	}
}

// A sentence is broken between words, and what goes on never begins a line.
func TestSentencesBreakBetweenWords(t *testing.T) {
	var out bytes.Buffer
	p := printer{w: &out, width: 40, terminal: true}
	p.say("\nClosed by %s", "somebody whose name is Session, started by you")
	for i, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		if i > 1 && !strings.HasPrefix(line, "    ") || text.Width(line) > 40 {
			t.Errorf("line %d is %q", i, line)
		}
	}
	if !strings.HasPrefix(out.String(), "\nClosed by somebody whose name is") {
		t.Errorf("it says %q", out.String())
	}
}

func TestAnEmptyListSaysSoToAPersonAlone(t *testing.T) {
	for want, says := range map[string]string{
		"Nothing is open.": nothingOpen(nil, nil, &listOptions{}),
		"Nothing is open under Mine on the relays that answered.": nothingOpen(nil, errors.New("down"), &listOptions{narrowing: narrowing{filter: filterFlag{value: client.Mine}}}),
		"Nothing open could be read, but the list of yard may not be whole.": nothingOpen([]*reading{{config: &config.Relay{Name: "yard"},
			batch: client.Batch{Partial: "the requests of one session could not be read"}}}, nil, &listOptions{}),
		"Nothing like that is open.": nothingOpen(nil, nil, &listOptions{waits: true}),
	} {
		if says != want {
			t.Errorf("it says %q", says)
		}
	}
}

// A script reads what an ask was answered with as a value, and needs no words for it.
func TestDecisionIsAValue(t *testing.T) {
	for decision, want := range map[client.Decision]string{client.NoDecision: "", client.Allow: "allow", client.Always: "always", client.Deny: "deny"} {
		ask := &client.Ask{Status: client.Answered, Closing: &client.Closing{Decision: decision, Answer: []text.Text{text.New("allowed")}}}
		if got := toJSON(ask).Closing.Decision; got != want {
			t.Errorf("%v is %q, want %q", decision, got, want)
		}
	}
}
