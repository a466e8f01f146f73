package ask

import (
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/drafts"
	"askbox/client/text"
)

// inWords is a question that is answered in one's own words.
func inWords(id, asked string) client.QuestionAsk {
	return client.QuestionAsk{ID: id, Text: text.New(asked), OwnText: true}
}

// choiceOnly takes no words.
func choiceOnly(id string) client.QuestionAsk {
	q := databases()
	q.ID, q.OwnText = id, false
	return q
}

// TestWordsFollowTheirQuestion when a relay changes the questions of an ask while
// somebody types: no word is lost, and none goes to another question as long as
// its own is there.
func TestWordsFollowTheirQuestion(t *testing.T) {
	before := []client.QuestionAsk{inWords("a", "Why?"), inWords("b", "When?")}
	for name, c := range map[string]struct {
		after []client.QuestionAsk
		want  map[string]string // by the question's id
		focus bool              // typing goes on
	}{
		"another order":      {[]client.QuestionAsk{inWords("b", "When?"), inWords("a", "Why?")}, map[string]string{"a": "because", "b": "nextx"}, true},
		"one more before":    {[]client.QuestionAsk{inWords("z", "Who?"), inWords("a", "Why?"), inWords("b", "When?")}, map[string]string{"a": "because", "b": "nextx"}, true},
		"other ids":          {[]client.QuestionAsk{inWords("c", "Why?"), inWords("d", "When?")}, map[string]string{"c": "because", "d": "nextx"}, true},
		"the front one gone": {[]client.QuestionAsk{inWords("a", "Why?")}, map[string]string{"a": "because"}, false},
		"other words":        {[]client.QuestionAsk{inWords("a", "Why not?"), inWords("b", "When?")}, map[string]string{"a": "because", "b": "nextx"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := press(samplePane(sampleQuestion(before...), 60, 30), "enter")
			p, _ = press(write(p, "because"), "tab")
			p = write(p, "next")
			after := sampleQuestion(c.after...)
			p = p.Show(p.group, itemOf(after), askNow)
			if p.Typing() != c.focus {
				t.Errorf("typing: %v", p.Typing())
			}
			if p.Typing() {
				p = write(p, "x")
			}
			got := map[string]string{}
			all := ""
			for _, q := range p.draft().Answer.Questions {
				if q.Text != "" {
					got[q.ID] = q.Text
				}
				all += q.Text
			}
			all += p.draft().Answer.Message
			for _, other := range p.draft().Others {
				all += other
			}
			for id, want := range c.want {
				if got[id] != want {
					t.Errorf("%s has %q, want %q", id, got[id], want)
				}
			}
			if !strings.Contains(all, "because") || !strings.Contains(all, "next") {
				t.Errorf("a word is lost: %q", all)
			}
			wantSees(t, p, "from before")
		})
	}
}

// TestDraftForAnotherContent gives the words back, whatever became of their
// question, and no choice.
func TestDraftForAnotherContent(t *testing.T) {
	d := drafts.Draft{Digest: "another", Answer: client.Answer{Questions: []client.QuestionAnswer{
		{ID: "q1", Choices: []string{"Postgres"}}, {ID: "b", Text: "next week", HasText: true}}}}
	for name, after := range map[string][]client.QuestionAsk{
		"another order":  {inWords("b", "When?"), databases()},
		"another id":     {databases(), inWords("c", "When?")},
		"no words taken": {choiceOnly("q1")},
	} {
		t.Run(name, func(t *testing.T) {
			p := samplePane(sampleQuestion(after...), 60, 30)
			p = p.restore(d)
			kept := p.draft()
			all := kept.Answer.Message + kept.Others["dismiss"]
			for _, q := range kept.Answer.Questions {
				all += q.Text
				if len(q.Choices) > 0 {
					t.Errorf("%v was chosen for another content", q.Choices)
				}
			}
			if all != "next week" {
				t.Errorf("kept %q", all)
			}
		})
	}
}

// TestWordsOfAClosedAsk can be taken along, because nothing sends them any more.
func TestWordsOfAClosedAsk(t *testing.T) {
	p, _ := press(samplePane(sampleQuestion(inWords("a", "Why?"), inWords("b", "When?")), 60, 30), "enter")
	p, _ = press(write(p, "because"), "tab")
	p, _ = press(write(p, "next week"), "esc", "esc")
	if _, in := press(p, "y"); in.Kind != Copy || in.Text != "Why?" {
		t.Errorf("of an open ask y copies %q", in.Text)
	}
	over := *p.item.Ask
	over.Status, over.Closing = client.Answered, &client.Closing{}
	p = p.Show(p.group, itemOf(&over), askNow)
	wantSees(t, p, "y copies what you typed here")
	if _, in := press(p, "y"); in.Kind != Copy || in.Text != "because\nnext week" {
		t.Errorf("y copies %q", in.Text)
	}
}
