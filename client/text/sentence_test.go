package text_test

import (
	"testing"

	"pgregory.net/rapid"

	"askbox/client/text"
)

func TestSentenceKeepsMarksAndMarksTheRest(t *testing.T) {
	for _, c := range []struct{ said, want string }{
		{"the relay failed: " + text.New("\x1b[2Jgood\u009b1A").String(), "the relay failed: ⟨ESC⟩[2Jgood⟨U+009B⟩1A"},
		{"no such file: \x1b[2J\u202e\n", "no such file: ⟨ESC⟩[2J⟨U+202E⟩⟨LF⟩"},
		{"not \xff UTF-8", `not ⟨\xff⟩ UTF-8`},
		{"a host " + text.New("c\u0443rl").String(), "a host " + text.New("c\u0443rl").String()},
		{"café · “quoted” … │", "café · “quoted” … │"},
		{"a\tb\u00a0c", "a⟨TAB⟩b⟨NBSP⟩c"},
		{"", ""},
	} {
		if got := text.Sentence(c.said); got != c.want {
			t.Errorf("Sentence(%q) = %q, want %q", c.said, got, c.want)
		}
	}
}

// Whatever it is given, nothing but printable text comes out, and what is safe
// already stays as it is.
func TestSentenceIsSafeAndSettled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := hostile().Draw(t, "raw") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		said := text.Sentence(raw)
		if bad := unsafe(said); bad != "" {
			t.Fatalf("Sentence(%q) = %q holds %s", raw, said, bad)
		}
		if again := text.Sentence(said); again != said {
			t.Fatalf("Sentence(%q) = %q, and then %q", raw, said, again)
		}
		if safe := text.New(raw).String(); text.Sentence(safe) != safe {
			t.Fatalf("Sentence(%q) = %q", safe, text.Sentence(safe))
		}
	})
}
