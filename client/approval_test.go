package client

import (
	"strings"
	"testing"

	"askbox/client/text"
)

// TestArgumentsInARow keeps arguments apart where one line is all there is (B20).
func TestArgumentsInARow(t *testing.T) {
	what := func(args ...string) string {
		part := Part{Kind: PartArgs}
		for _, arg := range args {
			part.Args = append(part.Args, text.New(arg))
		}
		return (&ApprovalAsk{Tool: text.New("Bash"), Parts: []Part{part}}).What().Raw()
	}
	for want, args := range map[string][]string{
		"rm -rf '/tmp/a b' '' -- '-x y'": {"rm", "-rf", "/tmp/a b", "", "--", "-x y"},
		"''":                             {""},
		"echo 'a\nb'":                    {"echo", "a\nb"},
	} {
		if got := what(args...); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
	if what("a", "b") == what("a b") {
		t.Error("two arguments look like one")
	}
	if got := what(make([]string, 1_000_000)...); len(got) > 2*maxLine || !strings.HasSuffix(got, "…") {
		t.Errorf("a list without end makes a line of %d bytes", len(got))
	}
}
