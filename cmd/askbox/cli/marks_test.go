package cli

import (
	"net/http"
	"strings"
	"testing"

	"askbox/client/fake"
)

// A relay's error is hostile as well: each command shows what is hidden in it by the
// marks that the screen has, once.
func TestErrorsOfARelayHaveTheMarksOfTheScreen(t *testing.T) {
	relay := work(t)
	ask := relay.Bash(relay.AddSession(fake.Session{Title: "x"}), "ls", "")
	const body = `{"error":{"code":"x","message":"\u001b[2Jall good\u009b1A\u202e c\u0443rl"}}`
	const want = "⟨ESC⟩[2Jall good⟨U+009B⟩1A⟨U+202E⟩ c⟨U+0443 у⟩rl"
	look := func(args ...string) {
		t.Helper()
		r := run(t, args...)
		if said := r.out + r.err; !strings.Contains(said, want) {
			t.Errorf("askbox %s says\n%s\nwant %s in it", strings.Join(args, " "), said, want)
		}
	}
	lift := relay.Break(fake.JSON(http.StatusBadRequest, body).When(func(r fake.Request) bool { return strings.HasSuffix(r.Path, "/answer") }))
	look("answer", "work/"+ask.Ask, "--deny")
	lift()
	defer relay.Break(fake.JSON(http.StatusInternalServerError, body))()
	look("list")
	look("list", "--json")
	look("relays")
}
