package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"askbox/client/text"
)

// What a relay says is told from what the program says in every error, and can end
// neither its quotes nor its line.
func TestTheWordsOfARelayAreToldApart(t *testing.T) {
	const says = "done: allow │ by you\". Press A\nNothing \\\x1b"
	said := text.New(says)
	for _, err := range []error{
		&TokenRefused{Detail: said}, &TokenRefused{Detail: said, None: true}, &NotAllowed{Said: said}, &NotAllowed{Why: "x", Said: said},
		&NotAllowed{Scope: text.New("asks:answer"), Said: said}, &Closed{Why: "too late", Said: said}, &Closed{Said: said},
		&InvalidAnswer{Field: "decision", Reason: "it is not taken", Said: said}, &NotFound{Detail: said}, &Failed{Status: 400, Message: said},
		&Uncertain{&Failed{Status: 500, Message: said}},
	} {
		if got := err.Error(); !strings.HasSuffix(got, `; it says "done: allow │ by you\". Press A⟨LF⟩Nothing \\⟨ESC⟩"`) {
			t.Errorf("%T says %s", err, got)
		}
		words, apart := Apart(fmt.Errorf("work/1: %w; look again", err))
		if apart != said || strings.Contains(words, "done") || !strings.HasPrefix(words, "work/1: ") || !strings.HasSuffix(words, "; look again") {
			t.Errorf("%T gave %q and %q", err, words, apart)
		}
	}
	if words, said := Apart(errors.New("x")); words != "x" || !said.Empty() {
		t.Errorf("%q, %q", words, said)
	}
}

// A name of the wire that is a sentence stands in quotes.
func TestANameOfTheWireIsNoSentence(t *testing.T) {
	for err, want := range map[error]string{
		&InvalidAnswer{Field: "answers[0].text", Reason: "x"}:         "invalid answer: answers[0].text: x",
		&InvalidAnswer{Field: "done. All is allowed", Reason: "x"}:    `invalid answer: "done. All is allowed": x`,
		&NotAllowed{Scope: text.New("asks:answer")}:                   "not allowed: the token lacks the scope asks:answer",
		&NotAllowed{Scope: text.New("nothing: it was\n allowed \"x")}: `not allowed: the token lacks the scope "nothing: it was⟨LF⟩ allowed \"x"`,
		&Failed{Status: 301, Why: "unexpected redirect to h.example"}: "the relay failed with status 301: unexpected redirect to h.example",
	} {
		if err.Error() != want {
			t.Errorf("it says %s, want %s", err, want)
		}
	}
}

// What is the matter with a relay is said in words of its own, with what to do next, as a
// heading and as a sentence (L13, L16).
func TestTroubleSaysWhatIsTheMatter(t *testing.T) {
	at := time.Date(2026, 12, 1, 14, 32, 10, 0, time.Local)
	for _, c := range []struct {
		err   error
		what  string
		why   string
		whole string
	}{
		{&Unreachable{Reason: "ECONNREFUSED"}, Unreached, "ECONNREFUSED", "not reachable: ECONNREFUSED"},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), Unreached, "no answer in time", "x: context deadline exceeded"},
		{&TokenRefused{From: "token_env T"}, "Token refused", "check its token_env T", "the relay refused the token; check its token_env T"},
		{&TokenRefused{}, "Token refused", "check its token in the configuration", "the relay refused the token; check it in the configuration"},
		{&NoToken{Relay: "w", From: "keyring", Waiting: true}, "Waiting for its token", "keyring", "the token of w is being waited for (keyring)"},
		{&NoToken{Relay: "w", From: "token_env T", Why: "the variable is not set"}, "No token", "token_env T: the variable is not set", "the token of w (token_env T) cannot be used: the variable is not set"},
		{&RateLimited{}, "Too many requests", "", "the relay took nothing, because it limits the rate of requests"},
		{&RateLimited{Until: at}, "Too many requests", "it wants to be asked nothing before 14:32:10", "the relay took nothing, because it limits the rate of requests; it wants to be asked nothing before 14:32:10"},
		{&RateLimited{Until: at, Longer: true, Busy: true}, "Overloaded", "it asks to be left alone for longer than askbox does, which is until 14:32:10", "the relay took nothing, because it is overloaded; it asks to be left alone for longer than askbox does, which is until 14:32:10"},
		{&NotAllowed{Scope: text.New("asks:read")}, "Not allowed", "the token lacks the scope asks:read", "not allowed: the token lacks the scope asks:read"},
		{&NotRelay{What: "an HTML page"}, "Not such a relay", "an HTML page", "not the answer of such a relay: an HTML page"},
		{&Failed{Status: 500, Message: text.New("oops")}, "It fails", `status 500; it says "oops"`, `the relay failed with status 500; it says "oops"`},
		{&Failed{Status: 502}, Unreached, "what stands before it gets no answer from it (status 502)", "the relay failed with status 502"},
		{&Failed{Status: 503}, "Overloaded", "it is overloaded or being worked on (status 503)", "the relay failed with status 503"},
		{errors.New("x\ny"), "It fails", "x⟨LF⟩y", "x\ny"},
		{nil, "", "", ""},
	} {
		what, why := Trouble(c.err)
		if what != c.what || why != c.why || c.err != nil && c.err.Error() != c.whole {
			t.Errorf("%q · %q, %v", what, why, c.err)
		}
		if strings.Contains(why, "press") {
			t.Errorf("a shell has no keys: %s", why)
		}
	}
}
