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
		{"an exit with another mode", `[{"id":"exit_only","label":"A","mode":"autopilot"}]`, true, true, "", "without carrying the plan out"},
		{"an exit with a prompt", `[{"id":"exit_only","label":"A","prompt":"do it"}]`, true, true, "", "without carrying the plan out"},
		{"two exits", `[{"id":"exit_only","label":"A"},{"id":"exit_only","label":"B"}]`, false, false, "", "without carrying the plan out"},
		{"a prompt", `[{"id":"go","label":"Stop","prompt":"do it"}]`, true, false, "go", "the words below the label"},
		{"a prompt, and the mode of the board", `[{"id":"go","label":"Stop","prompt":"do it"}]`, true, false, "go", `in the mode "ask"`},
		{"no prompt of its own", `[{"id":"interactive","label":"Stop","mode":null,"prompt":null}]`, true, false, "interactive", `in the mode "agent": starts the agent. It gets a message in your name that says you approved the plan`},
		{"a blank one", `[{"id":"interactive","label":"Stop","mode":"plan","prompt":" "}]`, true, false, "interactive", `in the mode "plan": starts the agent. It gets a message in your name`},
		{"a fleet", `[{"id":"autopilot_fleet","label":"Stop"}]`, true, false, "autopilot_fleet", `in the mode "autopilot": starts a turn that nobody attends to, the agent does not ask. It gets a message in your name that asks it to implement the approved plan now, with autopilot_fleet`},
		{"a prompt in autopilot", `[{"id":"go","label":"Stop","mode":"Autopilot","prompt":"do it"}]`, true, false, "go", "nobody attends"},
		{"another spelling", `[{"id":"Autopilot_fleet","label":"A"}]`, true, false, "Autopilot_fleet", "nobody attends to"},
		{"an action of its own", `[{"id":"go","label":"A","mode":"edit"}]`, true, false, "", `"edit"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			board := `{"id":"b1","conversationId":"c4","mode":"ask","title":"T","actions":` + tt.actions + `,"status":"pending"}`
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

// TestBoardElsewhere learns how a board ended, and does not claim to know what was
// chosen where the relay does not tell.
func TestBoardElsewhere(t *testing.T) {
	for _, tc := range []struct {
		name, board string
		want        client.Status
		chosen      string
		dismiss     bool
	}{
		{"acted", `"status":"acted","selectedAction":"autopilot","actedAt":"2026-11-30T09:10:00Z"`, client.Answered, "Stop here", false},
		{"dismissed", `"status":"dismissed","selectedAction":"exit_only","actedAt":"2026-11-30T09:10:00Z"`, client.Dismissed, "Implement in autopilot", true},
		{"something else", `"status":"acted","selectedAction":"ship","actedAt":null,"updatedAt":"2026-11-30T09:10:00Z"`, client.Answered, "ship", false},
		{"untold", `"status":"acted","selectedAction":null`, client.Answered, "", false},
		{"not there", "", client.StatusUnknown, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStand(t, boards(hostileBoard))
			ask := s.only()
			if s.reply("GET /api/relay-board/b1", `{"error":"Not found"}`, 404); tc.board != "" {
				now := strings.NewReplacer(`"status":"pending"`, tc.board, `,"updatedAt":"2026-11-30T09:00:00Z"`, "").Replace(hostileBoard)
				s.reply("GET /api/relay-board/b1", `{"board":`+now+`}`, 200)
			}
			got, err := s.relay.Get(t.Context(), ask)
			if tc.want == client.StatusUnknown {
				if !is[*client.NotFound](err) {
					t.Errorf("got %+v, %v", got, err)
				}
				return
			}
			if err != nil || got.Status != tc.want || got.Closing.Untold != (tc.chosen == "") {
				t.Fatalf("got %+v, %v", got, err)
			}
			if tc.chosen != "" && (got.Closing.Answer[0].Raw() != tc.chosen || got.Closing.Given.Dismiss != tc.dismiss || got.Closing.At.Minute() != 10) {
				t.Errorf("it closed as %+v", got.Closing)
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

// TestBoardsReadAgain: the reply to an answer shows what was acted on, and that a message
// goes to the agent.
func TestBoardsReadAgain(t *testing.T) {
	s := newStand(t, boards(planBoard))
	ask := s.only()
	changed := strings.Replace(planBoard, `"body":"1."`, `"body":"2. rm -rf"`, 1)
	s.reply("GET /api/relay-board/b1", `{"board":`+changed+`}`, 0)
	if now, err := s.relay.Get(t.Context(), ask); err != nil || now.Digest() == ask.Digest() || now.Ref != ask.Ref {
		t.Errorf("it is %+v, %v", now, err)
	}
	s.reply("POST /api/relay-board/b1/action", `{"ok":true,"board":`+strings.Replace(changed, `"pending"`, `"acted"`, 1)+`,"queuedMessageId":"m-1"}`, 0)
	done, err := s.answer(ask, boardAnswer("autopilot"))
	if err != nil || done.Status != client.Answered || !strings.Contains(done.Questions[0].Text.Raw(), "rm -rf") || done.Closing.At.IsZero() || done.Closing.Note == "" {
		t.Errorf("the reply is told as %+v, %v", done, err)
	}
}
