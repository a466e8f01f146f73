package cli

import (
	"fmt"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencode"
)

// code starts a fake opencode server and configures it as "code".
func code(t *testing.T, o opencode.Options) *opencode.Server {
	t.Helper()
	server, err := opencode.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	configured(t, fmt.Sprintf("[[relay]]\nname = \"code\"\ntype = \"opencode\"\nurl = %q\ntoken = %q\n", server.URL(), server.Token()))
	return server
}

// A server that keeps no list of what was answered cannot tell an ask that
// someone else answered from one that was never there, and nobody claims it can.
func TestAnAskThatIsNotOpenOnAServerWithoutAHistory(t *testing.T) {
	server := code(t, opencode.Options{})
	session := server.AddSession(fake.Session{Title: "Fix it"})
	ref := server.Bash(session, "make", "")
	server.AnswerAs(fake.Actor{}, ref, fake.Allow)
	id := ref.Ask
	for _, args := range [][]string{{"show", "code/" + id}, {"answer", "code/" + id, "--allow"}, {"answer", "code/" + id, "--deny"}} {
		run(t, args...).want(t, statusClosed, "code has no open ask "+id, "it was answered, or it was never there", "keeps no list")
	}
	// The list of a folder can break; then nothing is known of an ask that is not listed.
	lost := server.Approve(session, "webfetch", map[string]string{"url": "http://localhost/"}, "*")
	run(t, "answer", "code/"+lost.Ask, "--allow").want(t, statusFailed, "the list may not be whole")
}
