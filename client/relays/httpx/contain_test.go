package httpx

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
)

func TestContain(t *testing.T) {
	if err := Contain(func() error { return io.EOF }); !errors.Is(err, io.EOF) {
		t.Errorf("an error became %v", err)
	}
	err := Contain(func() error { panic("quotes \x1b[2J an agent") })
	if err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("a panic became %v", err)
	}
}

// TestTogether catches, in the caller's goroutine, what one of several parts
// panicked with, after all have ended.
func TestTogether(t *testing.T) {
	var ended atomic.Int32
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "no such field") || ended.Load() != 2 {
			t.Errorf("after %d parts: %v", ended.Load(), p)
		}
	}()
	part := func() { ended.Add(1) }
	Together(part, func() { panic("no such field") }, part)
	t.Error("the panic was lost")
}

func TestSegment(t *testing.T) {
	for id, want := range map[string]bool{
		"ak_0123456789ab": true, "a b?c#d%2F..%2Fe": true, "é漢": true, "...": true,
		"": false, ".": false, "..": false, "x/../../ak_2": false, `..\ak_2`: false, "a\x00": false, "a\nb": false,
		"a\xff": false, "a\u009b": false, strings.Repeat("a", 1001): false,
	} {
		if got := Segment(id); got != want {
			t.Errorf("Segment(%q) is %v", id, got)
		}
	}
}
