package cli

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// Arguments are told apart in every command (B20).
func TestArgumentsAreShownApart(t *testing.T) {
	relay := work(t)
	ask := relay.Open(relay.AddSession(fake.Session{Title: "x"}), fake.Ask{
		Tool: "Bash", Input: jsontext.Value(`{"command":["rm","","a b","x\n4 \"y\"\u001b"]}`),
	})
	run(t, "show", "work/"+ask.Ask).want(t, statusDone, "│ 1 \"rm\"\n│ 2 \"\"\n│ 3 \"a b\"\n│ 4 \"x\\n4 \\\"y\\\"\\x1b\"\nTake care: ")
	run(t, "list").want(t, statusDone, "Bash  rm '' 'a b' 'x⟨LF⟩4 \"y\"⟨ESC⟩'")
}
