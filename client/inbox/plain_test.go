package inbox

import (
	"errors"
	"fmt"
	"testing"

	"askbox/client"
	"askbox/client/text"
)

// What a relay said went through a Text already, so its marks are not marked again;
// what comes from elsewhere is.
func TestShownErrorsAreMarkedOnce(t *testing.T) {
	relay := &client.InvalidAnswer{Field: "env", Reason: text.New("\x1b[2Jok").String()}
	for _, c := range []struct {
		err  error
		want string
	}{
		{relay, "invalid answer: env: ⟨ESC⟩[2Jok"},
		{fmt.Errorf("after a while: %w", relay), "after a while: invalid answer: env: ⟨ESC⟩[2Jok"},
		{errors.New("open \x1b[2J: no such file"), "open ⟨ESC⟩[2J: no such file"},
	} {
		if got := plain(c.err); got.Error() != c.want || !errors.Is(got, c.err) {
			t.Errorf("plain: %q, want %q", got, c.want)
		}
		if got := reason(c.err); got != c.want {
			t.Errorf("reason: %q, want %q", got, c.want)
		}
	}
}
