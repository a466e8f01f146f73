package cli

import (
	"fmt"
	"strings"
	"testing"

	"askbox/client/fake"
	"askbox/client/fake/opencomputer"
	"askbox/client/fake/werft"
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

// A key made for approvals stands for itself. Who the person is the configuration says,
// and askbox relays shows both (I14).
func TestTheConfigurationSaysWhoThePersonIs(t *testing.T) {
	key := fake.Key{Token: "wk_approvals_0123456789", Actor: fake.Actor{Type: "user", ID: "key_9", Name: "approvals key"}}
	relay, err := werft.Start(werft.Options{Keys: []fake.Key{key}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(relay.Close)
	relay.Bash(relay.AddSession(fake.Session{Title: "x", CreatedBy: werft.Ada.Actor}), "ls", "")
	configured(t, fmt.Sprintf("[[relay]]\nname = \"yard\"\ntype = \"werft\"\nurl = %q\ntoken = %q\nme = \"u_1\"\n", relay.URL(), key.Token))
	if r := run(t, "list", "--filter", "mine"); r.err != "" || !strings.Contains(r.out, "ls") {
		t.Errorf("got %+v", r)
	}
	run(t, "relays").want(t, statusDone, `whose token  "approvals key"`, `you are      "u_1", as the configuration says`)
	run(t, "relays", "--json").want(t, statusDone, `"whoId": "key_9"`, `"me": "u_1"`)
}
