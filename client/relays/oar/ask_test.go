package oar

import (
	"context"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

const oneAsk = `{"id":"a1","relayId":"self","conversationId":"c4","conversationTitle":"Release notes",
	"askedBy":{"conversationId":"c1","title":"lead"},"question":"Ship today?","options":["Yes","Tomorrow"],
	"recommended":"Tomorrow","detail":"the long story","urgency":"now","status":"pending",
	"createdAt":"2026-11-30T09:00:00Z","closedAt":null,"answer":null,"option":null,"answeredOn":null}`

const remoteRelays = `{"relays":[
	{"id":"rr_1","relayId":"box","name":"build-box","url":"https://box.example/base?token=zzz","lastSeenAt":"2026-11-30T09:00:00Z","lastStatus":"offline","lastError":"Not reachable (ECONNREFUSED)"},
	{"id":"rr_2","relayId":"lap","name":"laptop","url":"https://lap.example/","lastSeenAt":"2026-11-30T09:11:00Z","lastStatus":"online","lastError":null}],"self":{}}`

func withAsks(asks, relays string) map[string]string {
	return merge(cards(), map[string]string{
		"GET /api/asks?status=pending": `{"asks":[` + asks + `],"relays":[` + relays + `]}`,
		"GET /api/relay/identity":      `{"relayId":"self","name":"home","version":"0.9.16"}`,
		"GET /api/remote-relays":       remoteRelays,
	}, conversations(`{"id":"c4","title":"Notes","origin":{"kind":"agent","relayName":"home","conversationTitle":"lead"}}`))
}

func askAnswer(q client.QuestionAnswer) client.Answer {
	q.ID = "a1"
	return client.Answer{Questions: []client.QuestionAnswer{q}}
}

func TestAsk(t *testing.T) {
	s := newStand(t, withAsks(oneAsk, ``))
	ask := s.only()
	q := ask.Questions[0]
	if ask.Waits || !ask.Urgent || ask.Paired != "" || ask.Kind != client.Question || q.Recommended != 2 || !q.OwnText || q.Detail.Raw() != "the long story" {
		t.Fatalf("got %+v", ask)
	}
	if ask.AskedBy == nil || ask.AskedBy.Title.Raw() != "lead" || ask.Session.Starter != client.StarterAgent || ask.Session.Title.Raw() != "Notes" {
		t.Errorf("got %+v, %+v", ask.AskedBy, ask.Session)
	}
	s.replies["POST /api/ask/a1/"] = `{"ok":true}`
	for _, a := range []client.Answer{askAnswer(client.QuestionAnswer{Choices: []string{"Yes"}}),
		askAnswer(client.QuestionAnswer{Text: "next week", HasText: true}), {Dismiss: true}} {
		if got, err := s.answer(ask, a); err != nil || !got.Status.Closed() {
			t.Errorf("got %v, %v", got, err)
		}
	}
	want := []string{`POST /api/ask/a1/answer {"option":"Yes"}`, `POST /api/ask/a1/answer {"answer":"next week"}`, `POST /api/ask/a1/dismiss {}`}
	for i, c := range s.calls("POST ") {
		if c.what+" "+c.body != want[i] {
			t.Errorf("sent %s %s, want %s", c.what, c.body, want[i])
		}
	}
	closed := strings.Replace(strings.Replace(oneAsk, `"pending"`, `"answered"`, 1), `"option":null,"answeredOn":null`, `"option":"Yes","answeredOn":"laptop"`, 1)
	s.reply("POST /api/ask/a1/answer", `{"error":"Ask already answered","ask":`+closed+`}`, 409)
	_, err := s.answer(ask, askAnswer(client.QuestionAnswer{Choices: []string{"Tomorrow"}}))
	var over *client.Closed
	if !as(err, &over) || over.Ask.Closing.Surface.Raw() != "laptop" || over.Ask.Closing.Answer[0].Raw() != "Yes" {
		t.Errorf("got %v", err)
	}
	s.reply("POST /api/ask/a1/answer", `{"ok":true,"ask":`+closed+`}`, 200)
	if _, err := s.answer(ask, askAnswer(client.QuestionAnswer{Choices: []string{"Tomorrow"}})); !as(err, &over) {
		t.Errorf("another answer in the reply gave %v", err)
	}
}

func TestAskVariants(t *testing.T) {
	own := strings.Replace(oneAsk, `"recommended":"Tomorrow"`, `"recommended":"wait for Bob"`, 1)
	q := newStand(t, withAsks(own, ``)).only().Questions[0]
	if q.Recommended != 0 || q.RecommendedText.Raw() != "wait for Bob" {
		t.Errorf("got %+v", q)
	}
	self := strings.Replace(oneAsk, `"conversationId":"c1"`, `"conversationId":"c4"`, 1)
	if ask := newStand(t, withAsks(self, ``)).only(); ask.AskedBy != nil {
		t.Errorf("a session asks on its own behalf: %+v", ask.AskedBy)
	}
}

// TestHowAnAskEnded is read from the listings, because there is no call for one.
func TestHowAnAskEnded(t *testing.T) {
	for status, want := range map[string]client.Status{"answered": client.Answered, "dismissed": client.Dismissed,
		"withdrawn": client.Withdrawn, "ended": client.Ended} {
		s := newStand(t, withAsks(oneAsk, ``))
		ask := s.only()
		s.reply("GET /api/asks?status=pending", `{"asks":[],"relays":[]}`, 0)
		if _, err := s.relay.Get(context.Background(), ask); err == nil {
			t.Error("it was found nowhere and read all the same")
		}
		s.reply("GET /api/asks?since=", `{"asks":[]}`, 0)
		if _, err := s.relay.Get(context.Background(), ask); !is[*client.NotFound](err) {
			t.Errorf("got %v", err)
		}
		s.reply("GET /api/asks?since=", `{"asks":[`+strings.Replace(oneAsk, `"pending"`, `"`+status+`"`, 1)+`]}`, 0)
		if got, err := s.relay.Get(context.Background(), ask); err != nil || got.Status != want || got.Closing == nil {
			t.Errorf("%s: got %v, %v", status, got, err)
		}
	}
}

// TestPaired: each paired relay is told of, its asks are answered through this
// one, and its cards say where to answer them.
func TestPaired(t *testing.T) {
	theirs := strings.NewReplacer(`"self"`, `"lap"`, `"a1"`, `"a2"`, `"c4"`, `"c9"`).Replace(oneAsk)
	strange := strings.NewReplacer(`"a1"`, `"a3"`, `"self"`, `"box"`, `"question"`, `"prompt"`).Replace(oneAsk)
	s := newStand(t, withAsks(oneAsk+","+theirs+","+strange,
		`{"relayId":"lap","name":"laptop","reachable":true},{"relayId":"box","name":"build-box","reachable":false}`))
	s.replies["GET /api/relay-questions?status=pending"] = `{"questions":[` + card(`{"relayId":"box"}`) + `]}`
	batch := s.open()
	if len(batch.Asks) != 4 || len(batch.Paired) != 2 || !batch.Complete {
		t.Fatalf("got %+v", batch)
	}
	lap, box := batch.Paired[0], batch.Paired[1]
	if !lap.Reachable || lap.Identity != "lap" || !lap.Reason.Empty() || lap.Seen.IsZero() {
		t.Errorf("got %+v", lap)
	}
	if box.Reachable || box.Reason.Raw() != "ECONNREFUSED" || box.Seen.IsZero() || box.Name.Raw() != "build-box" {
		t.Errorf("got %+v", box)
	}
	for _, ask := range batch.Asks {
		switch ask.ID {
		case "a1":
			if ask.Paired != "" || !ask.Offer(client.ActAnswer).OK {
				t.Errorf("the own ask: %+v", ask)
			}
		case "a2":
			if ask.Paired != "lap" || !ask.Offer(client.ActAnswer).OK || ask.Session.Title.Raw() != "Release notes" || ask.Session.Link != "https://lap.example/?conv=c9" {
				t.Errorf("the ask of the laptop: %+v", ask)
			}
		case "a3", "q1":
			if ask.Paired != "box" || ask.Offer(client.ActAnswer).Why != `answer it on "build-box"` {
				t.Errorf("the card of the build box: %+v", ask)
			}
			if _, err := s.answer(ask, choose("Postgres")); !is[*client.Elsewhere](err) {
				t.Errorf("got %v", err)
			}
		}
	}
	s.open()
	if n := len(s.calls("GET /api/remote-relays")); n != 1 {
		t.Errorf("the pairings were read %d times within a minute", n)
	}
	if n := len(s.calls("GET /api/relay/identity")); n != 1 {
		t.Errorf("the identity was read %d times", n)
	}
}

// TestSilentPairedRelay: an ask is not gone because the relay that it lives on
// does not answer.
func TestSilentPairedRelay(t *testing.T) {
	theirs := strings.Replace(oneAsk, `"self"`, `"lap"`, 1)
	s := newStand(t, withAsks(theirs, `{"relayId":"lap","name":"laptop","reachable":true}`))
	ask := s.only()
	s.reply("GET /api/asks?status=pending", `{"asks":[],"relays":[{"relayId":"lap","name":"laptop","reachable":false,"error":"down"}]}`, 0)
	if _, err := s.relay.Get(context.Background(), ask); !is[*client.Unreachable](err) {
		t.Errorf("got %v", err)
	}
}

// TestPairedWithoutAsks: a relay that hands on no asks shows no empty group for
// relays that answer, as if nothing waited there.
func TestPairedWithoutAsks(t *testing.T) {
	s := newStand(t, merge(cards(), map[string]string{"GET /api/remote-relays": remoteRelays}))
	if batch := s.open(); len(batch.Paired) != 1 || batch.Paired[0].ID != "box" {
		t.Errorf("got %+v", batch.Paired)
	}
}

// TestOneIDOnTwoRelays: the id alone names an ask in the path, so neither of the
// two can be answered.
func TestOneIDOnTwoRelays(t *testing.T) {
	s := newStand(t, withAsks(oneAsk+","+strings.Replace(oneAsk, `"self"`, `"lap"`, 1), `{"relayId":"lap","name":"laptop","reachable":true}`))
	batch := s.open()
	if len(batch.Asks) != 2 {
		t.Fatalf("got %d asks", len(batch.Asks))
	}
	for _, ask := range batch.Asks {
		if ask.Offer(client.ActAnswer).OK || ask.Offer(client.ActAnswer).Why == "" {
			t.Errorf("%s can be answered", ask.Ref)
		}
	}
}

// TestAbout says what the relay tells of itself.
func TestAbout(t *testing.T) {
	s := newStand(t, withAsks(``, ``))
	about, err := s.relay.About(context.Background())
	if err != nil || about.Identity != "self" || about.Version.Raw() != "0.9.16" || about.Kind != "oar" || about.Auth != "token" || len(about.May) != 1 {
		t.Errorf("got %+v, %v", about, err)
	}
	if about, err = newStand(t, nil).relay.About(context.Background()); err != nil || about.Identity != "" {
		t.Errorf("an old relay: %+v, %v", about, err)
	}
}

// TestClosed: what was answered in the last day, at most once a minute.
func TestClosed(t *testing.T) {
	recent, old := `"answeredAt":"2026-11-30T09:10:00.000Z"`, `"answeredAt":"2026-11-28T09:10:00.000Z"`
	dismissed := strings.NewReplacer(`"pending"`, `"dismissed"`, `"closedAt":null`, `"closedAt":"2026-11-30T09:11:00Z"`).Replace(oneAsk)
	s := newStand(t, withAsks(``, ``))
	s.replies["GET /api/asks?since="] = `{"asks":[` + dismissed + `]}`
	s.replies["GET /api/relay-questions?status=answered"] = `{"questions":[` +
		card(`{"id":"q0","status":"answered","answer":"Postgres",`+old+`}`) + `,` +
		card(`{"id":"q1","status":"answered","answer":"SQLite",`+recent+`}`) + `,` +
		card(`{"id":"q2","status":"answered","answer":"SQLite","answeredAt":null}`) + `]}`
	since := now.Add(-24 * time.Hour)
	batch, err := s.relay.Closed(context.Background(), since)
	if err != nil || !batch.Complete || len(batch.Asks) != 2 || batch.Asks[0].ID != "a1" || batch.Asks[1].ID != "q1" {
		t.Fatalf("got %+v, %v", batch, err)
	}
	if got := batch.Asks[1]; got.Session.Title.Raw() != "Notes" || got.Closing.Answer[0].Raw() != "SQLite" {
		t.Errorf("got %+v", got)
	}
	if _, err = s.relay.Closed(context.Background(), since); err != nil || len(s.calls("GET /api/relay-questions?status=answered")) != 1 {
		t.Errorf("it was read twice within a minute (%v)", err)
	}
}

// TestAskInTwoSessions: while an ask moves it may be listed where it was and where it is.
// It is one ask, that of the later place, and can be answered.
func TestAskInTwoSessions(t *testing.T) {
	moved := strings.NewReplacer(`"conversationId":"c4"`, `"conversationId":"c7"`, "Release notes", "Release notes, continued").Replace(oneAsk)
	s := newStand(t, withAsks(oneAsk, ``))
	before := s.only()
	for _, list := range []string{oneAsk + "," + moved, moved} {
		s.reply("GET /api/asks?status=pending", `{"asks":[`+list+`],"relays":[]}`, 0)
		ask := s.only()
		if ask.Ref != before.Ref || ask.Digest() != before.Digest() || ask.Session.ID != "c7" || ask.Session.Title.Raw() != "Release notes, continued" {
			t.Errorf("got %+v in %+v", ask, ask.Session)
		}
		if now, err := s.relay.Get(t.Context(), before); err != nil || now.Digest() != before.Digest() || now.Session.ID != "c7" {
			t.Errorf("read again: %+v, %v", now, err)
		}
		if !ask.Offer(client.ActAnswer).OK {
			t.Errorf("it cannot be answered: %+v", ask.Offer(client.ActAnswer))
		}
	}
	// Another question under the id is none that anybody answered.
	other := strings.Replace(moved, "Ship today?", "Drop the tables?", 1)
	s.reply("GET /api/asks?status=pending", `{"asks":[`+oneAsk+","+other+`],"relays":[]}`, 0)
	if ask := s.only(); ask.Unreadable == "" || ask.Offer(client.ActAnswer).OK {
		t.Errorf("of two questions one is believed: %+v", ask)
	}
}
