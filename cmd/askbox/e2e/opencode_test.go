//go:build unix

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askbox/cmd/askbox/e2e/opencodebed"
)

// withoutOpencode is what stands where the real server is not there.
const withoutOpencode = "set ASKBOX_OPENCODE to the binary of opencode " + opencodebed.Version +
	": npm install --prefix DIR --no-audit --no-fund --ignore-scripts opencode-linux-x64@" + opencodebed.Version +
	" puts it at DIR/node_modules/opencode-linux-x64/bin/opencode"

// TestOpencode plays stories on a real opencode server. They share one server and
// have a folder each, except for those that kill it. That an answer arrived is
// read from what the model was told and from the disk.
func TestOpencode(t *testing.T) {
	if os.Getenv("ASKBOX_OPENCODE") == "" {
		t.Skip(withoutOpencode)
	}
	bed := startOpencode(t)
	stories := map[string]func(*realServer){}
	for _, some := range []map[string]func(*realServer){opencodePermissions, opencodeQuestions, opencodeOthers} {
		for name, story := range some {
			stories[name] = story
		}
	}
	// It looks at every folder, so it comes before there are many.
	t.Run("killed", func(t *testing.T) { opencodeKilled(newRealServer(t, bed, "killed")) })
	// The server does one thing at a time, and a folder that boots takes it a while.
	room := make(chan struct{}, 2)
	t.Run("stories", func(t *testing.T) {
		for name, story := range stories {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				room <- struct{}{}
				t.Cleanup(func() { <-room })
				story(newRealServer(t, bed, name))
			})
		}
	})
	if outside := bed.Outside(); len(outside) > 0 {
		t.Errorf("the server tried to reach %q", outside)
	}
}

// startOpencode starts a server for a test and those below it.
func startOpencode(t *testing.T) *opencodebed.Bed {
	t.Helper()
	bed, err := opencodebed.Start(t.Context(), opencodebed.Options{Binary: os.Getenv("ASKBOX_OPENCODE"), Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := bed.Stop(); err != nil {
			t.Error(err)
		}
	})
	// Its first turn takes a server several times as long as any later one.
	first := newRealServer(t, bed, "first")
	first.over(first.begin(opencodebed.Task{Steps: []opencodebed.Step{{Text: "Good morning."}}}))
	return bed
}

// realServer is what a story has of a real server: a folder of its own, and time.
type realServer struct {
	*testing.T
	bed    *opencodebed.Bed
	folder string
	ctx    context.Context
}

func newRealServer(t *testing.T, bed *opencodebed.Bed, name string) *realServer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	r := &realServer{T: t, bed: bed, ctx: ctx}
	r.folder = r.newFolder(strings.ReplaceAll(name, " ", "-"))
	return r
}

func (r *realServer) newFolder(name string) string {
	r.Helper()
	folder, err := r.bed.Folder(name)
	if err != nil {
		r.Fatal(err)
	}
	return folder
}

// begin starts a turn in the story's folder.
func (r *realServer) begin(task opencodebed.Task) *opencodebed.Turn {
	r.Helper()
	if task.Folder == "" {
		task.Folder = r.folder
	}
	turn, err := r.bed.Begin(r.ctx, task)
	if err != nil {
		r.Fatal(err)
	}
	return turn
}

// asks starts a turn and waits until it has asked.
func (r *realServer) asks(task opencodebed.Task) *opencodebed.Turn {
	r.Helper()
	turn := r.begin(task)
	if _, err := turn.Ask(r.ctx); err != nil {
		r.Fatal(err)
	}
	return turn
}

// told waits until the model was told the results of n calls, and returns the last.
func (r *realServer) told(turn *opencodebed.Turn, n int) string {
	r.Helper()
	heard, err := turn.Told(r.ctx, n)
	if err != nil {
		r.Fatal(err)
	}
	return heard[n-1].Content
}

// over waits until the turn has ended and returns how many results the model was
// told in it.
func (r *realServer) over(turn *opencodebed.Turn) int {
	r.Helper()
	heard, err := turn.Over(r.ctx)
	if err != nil {
		r.Fatal(err)
	}
	return len(heard)
}

// file returns what is in a file of the story's folder, and whether it is there.
func (r *realServer) file(name string) (string, bool) {
	r.Helper()
	content, err := os.ReadFile(filepath.Join(r.folder, name))
	if err != nil && !os.IsNotExist(err) {
		r.Fatal(err)
	}
	return string(content), err == nil
}

// world is a home whose configuration knows the server, and only some folders of
// it; none are all.
func (r *realServer) world(folders ...string) *world {
	r.Helper()
	w := newWorld(r.T, "")
	w.more = fmt.Sprintf("\n[[relay]]\nname = \"oc\"\ntype = \"opencode\"\nurl = %q\ntoken = %q\n", r.bed.URL(), opencodebed.Password)
	if len(folders) > 0 {
		quoted := make([]string, len(folders))
		for i, folder := range folders {
			quoted[i] = fmt.Sprintf("%q", folder)
		}
		w.more += "directories = [" + strings.Join(quoted, ", ") + "]\n"
	}
	return w
}

// open opens the inbox on the story's folder.
func (r *realServer) open() *story {
	r.Helper()
	return r.world(r.folder).open("120x40")
}
