package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"askbox/client"
)

// TestRelaysThatFlood share a bound, the first as the last, and what is left out is said
// in numbers; a small relay beside them loses nothing (L06).
func TestRelaysThatFlood(t *testing.T) {
	list := func(asks, size int) client.Batch {
		b := client.Batch{Complete: true}
		for i := range asks {
			b.Asks = append(b.Asks, &client.Ask{Ref: client.Ref{ID: fmt.Sprint(i)}, Raw: bytes.Repeat([]byte("x"), size)})
		}
		return b
	}
	s := &share{}
	floods, small := []*lazy{{}, {}, {}}, &lazy{}
	total := 0
	for range 3 { // polls
		total = 0
		for i, l := range floods {
			got := s.cut(l, list(20_000, 1<<10))
			total += len(got.Asks) << 10
			want := client.Count(20_000-len(got.Asks), "ask") + " of this relay are left out: askbox holds 24 MiB"
			if cut := len(got.Asks) < 20_000; cut == got.Complete || cut != strings.HasPrefix(got.Partial, want) || len(got.Asks) < leastOfOne>>10 || i == 1 && !cut {
				t.Errorf("of relay %d %d asks are left, and it says %q", i, len(got.Asks), got.Partial)
			}
		}
		if got := s.cut(small, list(900, 1<<10)); len(got.Asks) != 900 || !got.Complete {
			t.Errorf("of the small one %d asks are left, and it says %q", len(got.Asks), got.Partial)
		}
	}
	if total > mostTogether+3*leastOfOne {
		t.Errorf("%d bytes are held", total)
	}
	if got := s.cut(floods[0], list(3, 10)); len(got.Asks) != 3 || got.Partial != "" {
		t.Errorf("once it floods no more: %+v", got)
	}
	if got := s.cut(floods[1], list(15_000, 1<<10)); !got.Complete {
		t.Errorf("there is room again: %q", got.Partial)
	}
}
