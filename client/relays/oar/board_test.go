package oar

import (
	"strings"
	"testing"

	"askbox/client"
)

const hostileBoard = `{"id":"b1","conversationId":"c4","boardType":"plan_ready","title":"Plan ready","body":"1. x","actions":[
	{"id":"autopilot","label":"Stop here","mode":"autopilot","prompt":null},
	{"id":"exit_only","label":"Implement in autopilot","mode":"agent","prompt":null}],
	"recommendedAction":"autopilot","status":"pending","createdAt":"2026-11-30T09:00:00Z","updatedAt":"2026-11-30T09:00:00Z"}`

func boards(all ...string) map[string]string {
	return map[string]string{"GET /api/relay-boards?status=pending": `{"boards":[` + strings.Join(all, ",") + `]}`}
}

func boardAnswer(id string) client.Answer {
	return client.Answer{Questions: []client.QuestionAnswer{{ID: "b1", Choices: []string{id}}}}
}

// TestBoard: what an action does follows from its id and mode, whatever its label
// says, and what nobody attends to is confirmed (F05).
func TestBoard(t *testing.T) {
	s := newStand(t, boards(hostileBoard))
	ask := s.only()
	q := ask.Questions[0]
	if ask.Kind != client.Question || ask.Waits || q.OwnText || q.Recommended != 1 || q.Text.Raw() != "Plan ready\n\n1. x" {
		t.Fatalf("got %+v", ask)
	}
	stop, leave := q.Options[0], q.Options[1]
	if stop.Confirm == "" || !strings.Contains(stop.Effect, "nobody attends to") {
		t.Errorf("autopilot: %+v", stop)
	}
	if leave.Confirm != "" || !strings.Contains(leave.Effect, "without carrying the plan out") {
		t.Errorf("exit_only: %+v", leave)
	}
	s.replies["POST /api/relay-board/b1/action"] = `{"ok":true}`
	got, err := s.answer(ask, boardAnswer("autopilot"))
	if err != nil || got.Status != client.Answered {
		t.Fatalf("got %v, %v", got, err)
	}
	if got, err = s.answer(ask, client.Answer{Dismiss: true}); err != nil || got.Status != client.Dismissed {
		t.Fatalf("got %v, %v", got, err)
	}
	calls := s.calls("POST ")
	if calls[0].body != `{"actionId":"autopilot"}` || calls[1].body != `{"actionId":"exit_only"}` {
		t.Errorf("sent %+v", calls)
	}
	s.reply("POST /api/relay-board/b1/action", `{"error":"Board already acted"}`, 409)
	if _, err = s.answer(ask, boardAnswer("autopilot")); !is[*client.Closed](err) {
		t.Errorf("got %v", err)
	}
}

func TestBoardsThatAreOdd(t *testing.T) {
	tests := []struct {
		name, actions    string
		answer, dismiss  bool
		confirmed, words string
	}{
		{"no action", `[]`, false, false, "", ""},
		{"two of one id", `[{"id":"go","label":"A"},{"id":"go","label":"B"}]`, false, false, "", ""},
		{"an exit that starts something", `[{"id":"exit_only","label":"A","mode":"autopilot"}]`, true, false, "exit_only", "nobody attends to"},
		{"an exit with a prompt", `[{"id":"exit_only","label":"A","prompt":"do it"}]`, true, false, "", "sends the agent the words"},
		{"another spelling", `[{"id":"Autopilot_fleet","label":"A"}]`, true, false, "Autopilot_fleet", "nobody attends to"},
		{"an action of its own", `[{"id":"go","label":"A","mode":"edit"}]`, true, false, "", `"edit"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			board := `{"id":"b1","conversationId":"c4","title":"T","actions":` + tt.actions + `,"status":"pending"}`
			ask := newStand(t, boards(board)).only()
			if ask.Offer(client.ActAnswer).OK != tt.answer || ask.Offer(client.ActDismiss).OK != tt.dismiss {
				t.Errorf("got %+v", ask.Offers)
			}
			for _, o := range ask.Questions[0].Options {
				if (o.Confirm != "") != (o.ID == tt.confirmed) || !strings.Contains(o.Effect, tt.words) {
					t.Errorf("got %+v", o)
				}
			}
		})
	}
}

// TestBoardElsewhere learns how a board ended that is not pending any more, where
// the relay lists those, and does not claim to know what was chosen.
func TestBoardElsewhere(t *testing.T) {
	closed := strings.NewReplacer(`"pending"`, `"acted"`).Replace(hostileBoard)
	for _, tc := range []struct {
		name, acted string
		want        client.Status
	}{
		{"acted", `{"boards":[` + closed + `]}`, client.Answered},
		{"pending ones whatever is asked for", `{"boards":[` + hostileBoard + `]}`, client.StatusUnknown},
		{"no such listing", "", client.StatusUnknown},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStand(t, boards(hostileBoard))
			ask := s.only()
			s.reply("GET /api/relay-boards?status=pending", `{"boards":[]}`, 200)
			if tc.acted != "" {
				s.reply("GET /api/relay-boards?status=acted", tc.acted, 200)
			}
			got, err := s.relay.Get(t.Context(), ask)
			if tc.want == client.StatusUnknown && !is[*client.NotFound](err) || tc.want != client.StatusUnknown && (err != nil || got.Status != tc.want || !got.Closing.Untold) {
				t.Errorf("got %+v, %v", got, err)
			}
		})
	}
}

// TestBoardAnswerThatIsNotConfirmed is told as uncertain.
func TestBoardAnswerThatIsNotConfirmed(t *testing.T) {
	s := newStand(t, boards(hostileBoard))
	s.reply("POST /api/relay-board/b1/action", `{"ok":false}`, 200)
	if _, err := s.answer(s.only(), boardAnswer("autopilot")); !is[*client.Uncertain](err) {
		t.Fatalf("the answer came to %v", err)
	}
}

// TestBoardsReadAgain: two contents under one id are none that could be answered,
// and the reply to an answer shows what was acted on.
func TestBoardsReadAgain(t *testing.T) {
	s := newStand(t, boards(planBoard))
	ask := s.only()
	changed := strings.Replace(planBoard, `"body":"1."`, `"body":"2. rm -rf"`, 1)
	for _, list := range []string{planBoard + "," + changed, changed + "," + planBoard} {
		s.reply("GET /api/relay-boards?status=pending", `{"boards":[`+list+`]}`, 0)
		if now, err := s.relay.Get(t.Context(), ask); err != nil || now.Unreadable == "" || now.Ref != ask.Ref {
			t.Errorf("it is %+v, %v", now, err)
		}
	}
	s.reply("POST /api/relay-board/b1/action", `{"ok":true,"board":`+strings.Replace(changed, `"pending"`, `"acted"`, 1)+`}`, 0)
	done, err := s.answer(ask, boardAnswer("autopilot"))
	if err != nil || done.Status != client.Answered || !strings.Contains(done.Questions[0].Text.Raw(), "rm -rf") || done.Closing.At.IsZero() {
		t.Errorf("the reply is told as %+v, %v", done, err)
	}
}
