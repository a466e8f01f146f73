//go:build unix

package config

import (
	"context"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestTokenFileHasToBePrivateAndAFile(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		write(t, canary, 0o640):    "run chmod 600",
		dir:                        "not a regular file",
		pipe:                       "not a regular file",
		filepath.Join(dir, "none"): "no such file",
	} {
		relay, err := load(t, "token_file = \""+path+"\"", 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := relay.Token(context.Background(), false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
