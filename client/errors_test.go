package client

import (
	"errors"
	"fmt"
	"strings"
	"testing"

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
