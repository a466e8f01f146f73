//go:build unix

package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"askbox/cmd/askbox/e2e/opencodebed"
)

// programs are the real servers that stories are played on.
var (
	opencodeProgram = program{opencodebed.Opencode, "ASKBOX_OPENCODE", "opencode-linux-x64", opencodebed.Version}
	kiloProgram     = program{opencodebed.Kilo, "ASKBOX_KILO", "@kilocode/cli-linux-x64", opencodebed.KiloVersion}
)

// program is a server's binary: the variable that names it, and the package that has it.
type program struct {
	make                  opencodebed.Make
	variable, in, version string
}

// without is what stands where the program is not there.
func (p program) without() string {
	return fmt.Sprintf("set %s to the binary of %s %s: npm install --prefix DIR --no-audit --no-fund --ignore-scripts %s@%[3]s puts it at DIR/node_modules/%[4]s/bin/%[2]s",
		p.variable, p.make.Name(), p.version, p.in)
}

// TestOpencode plays stories on a real opencode server. They share one server and
// have a folder each, except for those that kill it. That an answer arrived is
// read from what the model was told and from the disk.
func TestOpencode(t *testing.T) {
	opencodeProgram.play(t, opencodePermissions, opencodeSecond, opencodeQuestions, opencodeDismissal, opencodeOthers)
}

// TestKilo plays on a real server of Kilo what it does differently, and one story of each
// kind that it shares with opencode: it takes ten seconds and more to boot each folder.
func TestKilo(t *testing.T) {
	kiloProgram.play(t, kiloStories, map[string]func(*realServer){
		"allow": opencodeAllow, "always": opencodeAlways, "deny with a reason": opencodeDenyReason, "edit": opencodeEdit,
		"one choice": opencodeOneChoice, "answered elsewhere": opencodeElsewhere,
	})
}

// play plays stories on a program.
func (p program) play(t *testing.T, groups ...map[string]func(*realServer)) {
	if os.Getenv(p.variable) == "" {
		t.Skip(p.without())
	}
	bed := p.start(t)
	stories := map[string]func(*realServer){}
	for _, some := range groups {
		maps.Copy(stories, some)
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
	for _, outside := range bed.Outside() {
		if !telemetry(p, outside) {
			t.Errorf("the server tried to reach %q", outside)
		}
	}
}

// telemetry reports whether what Kilo wanted to reach is where it sends what people do
// with it, which nothing in its settings stops.
func telemetry(p program, outside string) bool {
	return p.make == opencodebed.Kilo && strings.Contains(outside, "posthog.com")
}

// start starts a server for a test and those below it.
func (p program) start(t *testing.T) *opencodebed.Bed {
	t.Helper()
	bed, err := opencodebed.Start(t.Context(), opencodebed.Options{Make: p.make, Binary: os.Getenv(p.variable), Home: t.TempDir()})
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
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
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
	w.more = fmt.Sprintf("\n[[relay]]\nname = \"oc\"\ntype = \"opencode\"\nurl = %q\ntoken = %q\nuser = %q\n",
		r.bed.URL(), opencodebed.Password, r.bed.Make().Name())
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
