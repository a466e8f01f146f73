package fake_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// shop is the smallest face: a path for a listing, one for an answer, and one for
// everything else.
func shop(t *testing.T, change func(*fake.Wire)) (*fake.Store, func(method, path, token, body string) (int, string)) {
	t.Helper()
	wire := fake.Wire{
		Prefix: "/shop", Keys: []fake.Key{{Actor: fake.Actor{Type: "user", ID: "u1", Name: "Ada"}, Token: "t1", Scopes: []string{"look"}}},
		NewID: func(a *fake.Ask, number int, _ time.Time) string {
			if a == nil {
				return fmt.Sprint("s", number)
			}
			return fmt.Sprint("a", number)
		},
		Unknown: fake.Refuse(401, fake.Problem{Code: "who"}),
		Routes: map[string]fake.Handler{
			"GET /asks": func(c *fake.Call) (any, *fake.Refusal) {
				limit, ok := c.Limit(2)
				if !ok {
					return nil, fake.Refuse(400, fake.Problem{Code: "limit"})
				}
				var all []fake.Entry
				for _, a := range c.Asks {
					all = append(all, a.Entry(func() jsontext.Value { return fake.Marshal(a.ID) }))
				}
				items, next, ok := c.Page("asks", all, c.URL.Query().Get("cursor"), limit)
				if !ok {
					return nil, fake.Refuse(400, fake.Problem{Code: "cursor"})
				}
				return []any{items, next}, nil
			},
			"POST /{session}/{ask}/answer": func(c *fake.Call) (any, *fake.Refusal) {
				a := c.State.Ask(c.Ref())
				if a == nil || c.Session() == nil || !c.State.End(a, fake.End{How: fake.Answered, By: c.Key.Actor}) {
					return nil, fake.Refuse(409, fake.Problem{Code: "late"})
				}
				return nil, nil
			},
			"/": func(*fake.Call) (any, *fake.Refusal) { return nil, fake.HTML(404, fake.Page("<none>")) },
		},
	}
	if change != nil {
		change(&wire)
	}
	s, err := fake.NewStore(wire)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	if pipe, ok := wire.Network.(*fake.Pipe); ok {
		transport.DialContext = pipe.DialContext
	}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
	})
	return s, func(method, path, token, body string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, s.Server.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		read, _ := io.ReadAll(response.Body)
		return response.StatusCode, string(read)
	}
}

func TestTheFirstEndCounts(t *testing.T) {
	s, call := shop(t, nil)
	var told []string
	s.OnClose(func(a fake.Ask) { told = append(told, a.ID+" "+a.End.How) })
	session := s.AddSession(fake.Session{Title: "x"})
	first, second := s.Bash(session, "ls", "look"), s.Edit(session, "a.go", "a", "b")
	path := "/shop/" + session + "/" + first.Ask + "/answer"
	if status, body := call("POST", path, "t1", `{"yes":1}`); status != 204 || body != "" {
		t.Errorf("the answer got %d %s", status, body)
	}
	if status, _ := call("POST", path, "t1", "again"); status != 409 {
		t.Errorf("the second got %d", status)
	}
	if s.AnswerAs(fake.Actor{Name: "Grace"}, first, fake.Deny("no")) || !s.DismissAs(fake.Actor{Name: "Grace"}, second, "not now") || s.Interrupt(second) {
		t.Error("a second end counted, or a first one did not")
	}
	sent, err := s.WaitAnswer(t.Context(), first)
	if err != nil || len(sent) != 2 || sent[0] != (fake.Sent{By: fake.Actor{Type: "user", ID: "u1", Name: "Ada"}, Call: "answer", Body: `{"yes":1}`}) || sent[1].Code != "late" {
		t.Errorf("noted %+v, %v", sent, err)
	}
	a, err := s.WaitClosed(t.Context(), second)
	if err != nil || a.End.By.Name != "Grace" || a.End.Words != "not now" || a.End.At.IsZero() || s.OpenAsks() != 0 {
		t.Errorf("the other became %+v, %v", a.End, err)
	}
	if want := []string{first.Ask + " answered", second.Ask + " dismissed"}; !slices.Equal(told, want) {
		t.Errorf("the hooks were told %v", told)
	}
}

func TestWhoComesInAndWhatIsNotThere(t *testing.T) {
	s, call := shop(t, nil)
	session := s.AddSession(fake.Session{Title: "<b>"})
	for path, want := range map[string]int{"/shop/asks": 401, "/s/" + session: 200, "/s/none": 404} {
		if status, body := call("GET", path, "no", ""); status != want || strings.Contains(body, "<b>") {
			t.Errorf("%s got %d %s", path, status, body)
		}
	}
	if status, body := call("GET", "/elsewhere", "t1", ""); status != 404 || !strings.Contains(body, "&lt;none&gt;") {
		t.Errorf("no path got %d %s", status, body)
	}
	if s.URL() != s.Server.URL()+"/shop" || s.Token() != "t1" {
		t.Errorf("it is at %s with %s", s.URL(), s.Token())
	}
}

func TestAsksExpireByTheRelaysClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := shop(t, func(w *fake.Wire) {
			w.Network, w.Lag = fake.NewPipe(), 5*time.Second
			w.Ask = func(_ *fake.State, _ *fake.Session, a *fake.Ask) { a.ExpiresAt = a.OpenedAt.Add(time.Minute) }
			w.Word = func(_ *fake.Ask, how string) string { return "was " + how }
		})
		ref := s.Plan(s.AddSession(fake.Session{Title: "x"}), "1. go")
		time.Sleep(time.Minute + 4*time.Second)
		if a, _ := s.Ask(ref); !a.Open() || a.Status != "was open" {
			t.Errorf("within the lag it is %+v", a)
		}
		s.SetClock(time.Second)
		if a, err := s.WaitClosed(t.Context(), ref); err != nil || a.Status != "was expired" {
			t.Errorf("behind it it is %+v, %v", a, err)
		}
	})
}

func TestPages(t *testing.T) {
	s, call := shop(t, nil)
	session := s.AddSession(fake.Session{Title: "x"})
	for i := range 5 {
		s.Open(session, fake.Ask{Secret: "KEY", OpenedAt: s.Now().Add(time.Duration(-i) * time.Hour)})
	}
	s.SetPaging(2)
	var got string
	for cursor, more := "", true; more; {
		_, body := call("GET", "/shop/asks?limit=100&cursor="+cursor, "t1", "")
		items, next, _ := strings.Cut(strings.TrimSuffix(body, "]"), "],")
		got += items
		cursor, more = strings.Trim(next, `"`), next != "null"
		// What comes between two pages is on neither, and moves nothing.
		s.AskSecret(session, "NEW", "")
	}
	if want := `[["a2","a3"[["a4","a5"[["a6"`; got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
	for _, query := range []string{"limit=0", "limit=x", "limit=101", "cursor=nonsense"} {
		if status, _ := call("GET", "/shop/asks?"+query, "t1", ""); status != 400 {
			t.Errorf("%s got %d", query, status)
		}
	}
}

func TestWhatNoRelayShouldDo(t *testing.T) {
	s, _ := shop(t, func(w *fake.Wire) { w.OneID = true })
	one, two := s.AddSession(fake.Session{Title: "one"}), s.AddSession(fake.Session{Title: "two"})
	ref := s.Approve(one, "Fetch", map[string]string{"url": "x"}, "")
	if !s.Replace(ref, func(a *fake.Ask) { a.Command = "rm" }) {
		t.Error("it cannot be replaced")
	}
	s.Do(func(st *fake.State) { st.Move(st.Ask(ref), st.Session(two)) })
	a, ok := s.Ask(fake.Ref{Ask: ref.Ask})
	if tool, _ := a.ToolCall(); !ok || a.Session != two || tool != "Bash" {
		t.Errorf("it became %+v", a)
	}
	raw := s.Raw(two, fake.Ask{ID: "odd"}, `{"id":1,"id":2}`)
	if a, _ := s.Ask(raw); string(a.Raw()) != `{"id":1,"id":2}` {
		t.Errorf("it is sent as %s", a.Raw())
	}
	s.Remove(ref)
	s.Change(one, func(n *fake.Session) { n.Title = "1" })
	if n, err := s.WaitSession(t.Context(), one, func(n fake.Session) bool { return n.Title == "1" }); err != nil || n.Waits() {
		t.Errorf("the session is %+v, %v", n, err)
	}
	if all := s.Everything(); len(all) != 1 || all[0].ID != "odd" {
		t.Errorf("left are %+v", all)
	}
}

func TestAnswersToQuestionsAreChecked(t *testing.T) {
	text, none := "own words", ""
	a := fake.Ask{Questions: []fake.Question{{ID: "1", Options: fake.Labels("a", "b")}, {ID: "2", Options: fake.Labels("c", "d"), Several: true}}}
	two := fake.Given{ID: "2", Choices: []string{"d", "c"}}
	for _, tc := range []struct {
		given []fake.Given
		where string
	}{
		{[]fake.Given{two}, ""},
		{[]fake.Given{{ID: "3", Choices: []string{"a"}}, two}, "[0].questionId"},
		{[]fake.Given{two, two}, "[1].questionId"},
		{[]fake.Given{two, {ID: "1", Text: &none}}, "[1]"},
		{[]fake.Given{{ID: "1", Choices: []string{"c"}}, two}, "[0].choices"},
		{[]fake.Given{{ID: "1", Choices: []string{"a", "b"}}, two}, "[0].choices"},
		{[]fake.Given{{ID: "1", Choices: []string{"a", "a"}}, two}, "[0].choices"},
	} {
		if _, where, fault := a.Check(tc.given); where != tc.where || fault == "" {
			t.Errorf("%+v: %q lies at %q, want %q", tc.given, fault, where, tc.where)
		}
	}
	answer, _, fault := a.Check([]fake.Given{two, {ID: "1", Text: &text}})
	if fault != "" || answer.Words != text || len(answer.Choices[0]) != 0 || !slices.Equal(answer.Choices[1], []string{"d", "c"}) || answer.First() != "" {
		t.Errorf("it is %+v, %s", answer, fault)
	}
}
