package httpx

import (
	"errors"
	"io"
	"strings"
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
