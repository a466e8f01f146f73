package cli

import (
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
)

// A relay that does not tell whose token it is has nothing under Mine, which must not
// look as if nothing waited.
func TestMineSaysWhereNobodyKnowsWhoseAnAskIs(t *testing.T) {
	relay, err := opencomputer.Start(opencomputer.Options{NoMe: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	configured(t, relayConfig("work", relay))
	relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	const says = "work: some asks may be yours and are not listed"
	run(t, "list", "--filter", "mine").want(t, statusDone, says, "set me to your id")
	for _, filter := range []string{"all", "agents"} {
		if r := run(t, "list", "--filter", filter); strings.Contains(r.err, says) {
			t.Errorf("--filter %s says %s", filter, r.err)
		}
	}
	configured(t, relayConfig("work", relay)+"me = \"usr_1\"\n")
	if r := run(t, "list", "--filter", "mine"); r.err != "" || !strings.Contains(r.out, "ls") {
		t.Errorf("with me: %+v", r)
	}
}
