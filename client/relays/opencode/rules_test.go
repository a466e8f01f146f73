package opencode

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"askbox/client"
)

// saved is a server with rules for two projects. Without a project it lists those that
// belong to none.
type saved struct {
	*server
	rules map[string][]string // by project
	keeps bool                // what is deleted stays
}

func (s *saved) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	switch id, ok := strings.CutPrefix(q.URL.Path, "/api/permission/saved/"); {
	case q.URL.Path == "/project":
		write(w, ok200(`[{"id":"p1","worktree":"/srv/a"},{"id":"p2","worktree":"/srv/b"}]`))
	case q.URL.Path == "/api/permission/saved":
		var all []string
		project := q.URL.Query().Get("projectID")
		for _, rule := range s.rules[project] {
			all = append(all, fmt.Sprintf(`{"id":%q,"projectID":%q,"action":"bash","resource":%q}`, rule, project, "run "+rule))
		}
		write(w, ok200(`{"data":[`+strings.Join(all, ",")+`]}`))
	case ok && q.Method == "DELETE":
		s.change(func() { s.calls["DELETE "+id]++ })
		for project, rules := range s.rules {
			if len(rules) > 0 && rules[0] == id && !s.keeps {
				s.rules[project] = nil
			}
		}
		write(w, canned{204, "", ""})
	default:
		s.serve(w, q)
	}
}

func TestRules(t *testing.T) {
	s := &saved{server: newServer(t), rules: map[string][]string{"p1": {"psv_1"}, "p2": {"psv_2"}, "": {"psv_0"}}}
	s.handler = s
	r := s.relay(Options{})
	told := func() string {
		rules, err := r.Rules(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, rule := range rules {
			all = append(all, strings.Join([]string{rule.ID, rule.Permission.Raw(), rule.Pattern.Raw(), rule.Project.Raw()}, "|"))
		}
		return strings.Join(all, " ")
	}
	if got := told(); got != "psv_0|bash|run psv_0| psv_1|bash|run psv_1|/srv/a psv_2|bash|run psv_2|/srv/b" {
		t.Errorf("the rules are %q", got)
	}
	if err := r.Revoke(t.Context(), "psv_1"); err != nil || s.count("DELETE psv_1") != 1 || strings.Contains(told(), "psv_1") {
		t.Errorf("taken back: %v, %q", err, told())
	}
	// That the server says it is done is not believed where it lists the rule.
	s.keeps = true
	if err := r.Revoke(t.Context(), "psv_2"); err == nil || !strings.Contains(err.Error(), "still lists") {
		t.Errorf("what stays is taken back: %v", err)
	}
}

func TestRulesOfAServerThatListsNone(t *testing.T) {
	for name, c := range map[string]canned{
		"opencode without the engine": page, "Kilo": {500, "application/json", `{"name":"UnknownError","data":{"message":"Unexpected server error."}}`},
	} {
		s := newServer(t)
		s.replies["/project"], s.replies["/api/permission/saved"] = ok200(`[]`), c
		var not *client.NotAllowed
		if _, err := s.relay(Options{}).Rules(t.Context()); !errors.As(err, &not) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
