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
