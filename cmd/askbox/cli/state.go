package cli

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"askbox/client/drafts"
	"askbox/client/history"
	"askbox/client/text"
)

// state is what the inbox keeps between two runs. Each part is nil where its
// file cannot be had: agents wait for the person, and a full disk or a folder of
// somebody else must not keep them from being answered.
type state struct {
	history *history.Store
	drafts  *drafts.Store
	log     *slog.Logger
	close   func() error
	// trouble says in whole sentences what is not kept, safe to print; empty when all is.
	trouble string
}

// openState opens the state in a folder, which is made when it is not there.
func openState(dir string) state {
	var s state
	var missing []string
	failed := os.MkdirAll(dir, 0o700)
	miss := func(what string, err error) {
		if missing = append(missing, what); failed == nil {
			failed = err
		}
	}
	var err error
	if s.log, s.close, err = openLog(dir); err != nil {
		// An inbox without a log is as good, so nobody is told of that alone.
		s.log, s.close = slog.New(slog.DiscardHandler), func() error { return nil }
	}
	if s.history, err = history.Open(dir); err != nil {
		s.history = nil
		miss("what you answer is not in the history", err)
	}
	if s.drafts, err = drafts.Open(filepath.Join(dir, "drafts")); err != nil {
		s.drafts = nil
		miss("a text that you leave unsent is lost when you quit", err)
	}
	if len(missing) > 0 {
		s.log.Error("state is not kept", "error", failed)
		s.trouble = fmt.Sprintf("Nothing can be kept in the state folder, so %s: %s",
			strings.Join(missing, ", and "), text.Cut(text.Sentence(failed.Error()), 160))
	}
	return s
}

// spareMemory keeps less garbage than Go does by itself: an inbox stands open all day and
// is nearly always idle. With 10,000 asks that is 13 MiB, for no time that can be
// measured. Who sets GOGC has decided.
func spareMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(25)
	}
}
