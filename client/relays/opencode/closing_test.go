package opencode

import (
	"errors"
	"strings"
	"testing"

	"askbox/client"
)

func TestGetSaysWhatBecameOfAnAsk(t *testing.T) {
	const waiting = `{"status":"running","input":{}}`
	for name, c := range map[string]struct {
		ask, state string
		idle       bool
		status     client.Status
		answer     string
		note       string
	}{
		"ran":          {bashID, `{"status":"completed","input":{}}`, false, client.Answered, "allowed", "it ran"},
		"denied":       {bashID, `{"status":"error","error":"The user rejected permission to use this specific tool call."}`, false, client.Answered, "denied", "denied"},
		"with reason":  {bashID, `{"status":"error","error":"The user rejected permission to use this specific tool call with the following feedback: use make"}`, false, client.Answered, "denied|use make", "denied"},
		"aborted":      {bashID, `{"status":"error","error":"Tool execution aborted","metadata":{"interrupted":true}}`, false, client.Interrupted, "", "aborted"},
		"failed":       {bashID, "{\"status\":\"error\",\"error\":\"no such file\\u001b[2J\"}", false, client.Gone, "", "no such file⟨ESC⟩[2J"},
		"runs":         {bashID, waiting, false, client.Answered, "allowed", "went on"},
		"never ended":  {bashID, waiting, true, client.Interrupted, "", "restarted"},
		"answered":     {askID, `{"status":"completed","metadata":{"answers":[["SQLite"],["amd64","riscv"],[]]}}`, false, client.Answered, "Database: SQLite|Which platforms?: amd64, riscv|Name?: left out", "shows the answer"},
		"dismissed":    {askID, `{"status":"error","error":"The user dismissed this question"}`, false, client.Dismissed, "", "dismissed"},
		"second, ends": {"per_v2", `{"status":"error","error":{"type":"unknown","message":"Tool execution interrupted"}}`, false, client.Interrupted, "", "denied, or interrupted"},
	} {
		t.Run(name, func(t *testing.T) {
			s, r, asks := both(t)
			s.change(func() {
				s.lists = map[string][]string{}
				if c.idle {
					s.busy = map[string][]string{}
				}
				s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", c.state)
				s.messages["api/session/ses_1/msg_2"] = `{"data":{"content":[{"type":"tool","id":"c2","name":"bash","state":` + c.state + `}]}}`
			})
			ask := *asks[c.ask]
			if c.ask == "per_v2" {
				ask.Private = private{place: place{list{second, false}, "ses_1", "msg_2", "c2"}, folder: "/srv/a b"}
			}
			got, err := r.Get(t.Context(), &ask)
			if err != nil {
				t.Fatal(err)
			}
			var lines []string
			for _, l := range got.Closing.Answer {
				lines = append(lines, l.Raw())
			}
			if got.Status != c.status || strings.Join(lines, "|") != c.answer || !strings.Contains(got.Closing.Note, c.note) {
				t.Errorf("it came out as %s, %q, %q", got.Status, lines, got.Closing.Note)
			}
			if got.Ref != ask.Ref || got.Offer(client.ActAllow).OK {
				t.Errorf("it can still be answered, as %s", got.Ref)
			}
		})
	}
}

func TestGetOpenAsk(t *testing.T) {
	s, r, asks := both(t)
	got, err := r.Get(t.Context(), asks[bashID])
	if err != nil || got != asks[bashID] {
		t.Errorf("an open ask came back as %v, %v", got, err)
	}
	s.change(func() { s.breaks["/srv/a b"] = true })
	if got, err := r.Get(t.Context(), asks[bashID]); err != nil || got.Status != client.Open {
		t.Errorf("with a broken list it is %v, %v", got, err)
	}
	s.change(func() { s.call("ses_1", "msg_ses_1", "call_ses_1", "bash", `{"status":"completed","input":{}}`) })
	if got, err := r.Get(t.Context(), asks[bashID]); err != nil || got.Status != client.Answered {
		t.Errorf("with a broken list and a call that ran it is %v, %v", got, err)
	}
	s.Close()
	var lost *client.Unreachable
	if _, err := r.Get(t.Context(), asks["per_v2"]); !errors.As(err, &lost) {
		t.Errorf("of a server that is gone: %v", err)
	}
}

// An ask with the same id in another session is another ask.
func TestGetOfAnotherSession(t *testing.T) {
	_, r, asks := both(t)
	other := *asks[bashID]
	other.Ref.Session = "ses_2"
	got, err := r.Get(t.Context(), &other)
	if err != nil || !got.Status.Closed() {
		t.Errorf("it came out as %v, %v", got, err)
	}
}

func TestGivenAnswers(t *testing.T) {
	_, _, asks := both(t)
	ask := asks[askID]
	want := client.Answer{Questions: []client.QuestionAnswer{{ID: "1", Choices: []string{"SQLite"}},
		{ID: "2", Choices: []string{"amd64"}, Text: "riscv", HasText: true}, {ID: "3"}}}
	sent := answersOf(want)
	back := given(ask, sent)
	if back == nil || len(back.Questions) != 3 || back.Questions[1].Text != "riscv" || back.Questions[0].Choices[0] != "SQLite" || !back.Questions[2].Empty() {
		t.Errorf("%v came back as %+v", sent, back)
	}
	if got := given(ask, [][]string{{"x", "y"}}); got != nil {
		t.Errorf("two texts to one question came back as %+v", got)
	}
}
