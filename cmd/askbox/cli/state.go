package cli

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"askbox/client/drafts"
	"askbox/client/history"
	"askbox/client/state"
	"askbox/client/text"
)

// kept is what the inbox keeps between two runs. The history is nil where its file
// cannot be had, and drafts stay in memory then: agents wait for the person, and a full
// disk or a folder of somebody else must not keep them from being answered.
type kept struct {
	history *history.Store
	drafts  *drafts.Store
	log     *slog.Logger
	close   func() error
	// trouble says in whole sentences what is not kept, safe to print; empty when all is.
	trouble string
}

// openState opens the state in a folder, which is made when it is not there.
func openState(dir string) kept {
	var k kept
	var missing []string
	failed := state.Folder(dir)
	miss := func(what string, err error) {
		if missing = append(missing, what); failed == nil {
			failed = err
		}
	}
	var err error
	if k.log, k.close, err = openLog(dir); err != nil {
		k.log, k.close = slog.New(slog.DiscardHandler), func() error { return nil }
		miss("there is no log", err)
	}
	if k.history, err = history.Open(dir); err != nil {
		k.history = nil
		miss("what you answer is not in the history", err)
	}
	k.drafts, err = drafts.Open(filepath.Join(dir, "drafts"))
	noDrafts := err != nil
	if noDrafts {
		miss("a text that you leave unsent is lost when you quit", err)
	} else if err := k.drafts.Odd(); err != nil {
		miss("a text that you left unsent is not there", err)
	}
	if len(missing) > 0 {
		k.log.Error("state is not kept", "error", failed)
		what := "Not everything"
		if k.history == nil && noDrafts {
			what = "Nothing"
		}
		k.trouble = fmt.Sprintf("%s can be kept in the state folder, so %s: %s", what,
			strings.Join(missing, ", and "), text.Cut(text.Sentence(failed.Error()), 160))
	}
	if k.trouble == "" {
		k.trouble = state.Shared(dir)
	}
	return k
}

// loads is how long an inbox is taken to load what is open at its start.
const loads = 3 * time.Second

// spareMemory has an inbox keep less garbage than Go does by itself, once it has loaded:
// it stands open all day and is nearly always idle. With 10,000 asks that is 13 MiB. While
// it loads, the memory grows all the time, and a third of the time would go to looking for
// garbage in it. Who sets GOGC has decided. The function that it returns ends it.
func spareMemory() (end func() bool) {
	if os.Getenv("GOGC") != "" {
		return func() bool { return false }
	}
	return time.AfterFunc(loads, func() {
		debug.SetGCPercent(25)
		debug.FreeOSMemory()
	}).Stop
}
