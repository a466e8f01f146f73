//go:build unix

package e2e

import (
	"path/filepath"

	bed "askbox/cmd/askbox/e2e/opencodebed"
)

// opencodeOthers are the stories of everything around an ask.
var opencodeOthers = map[string]func(*realServer){
	"subagent": opencodeSubagent, "two folders": opencodeTwoFolders, "ghost": opencodeGhost, "ghost at the key": opencodeGhostAtTheKey,
	"second askbox": opencodeSecondAskbox, "answered elsewhere": opencodeElsewhere,
}

// opencodeSubagent shows the session that a person knows, and who asks for it.
func opencodeSubagent(r *realServer) {
	turn := r.asks(bed.Task{Title: "Find the slow query", Steps: bed.Steps(bed.Subagent()), Sub: bed.Steps(bed.Bash("echo found > found.txt"))})
	s := r.open().see("echo found > found.txt", "Find the slow query", "Look around").decide("a")
	if _, err := turn.ToldSub(r.ctx, 1); err != nil {
		r.Fatal(err)
	}
	r.told(turn, 1)
	if content, _ := r.file("found.txt"); content != "found\n" {
		r.Errorf("the file holds %q", content)
	}
	s.see("All 0")
}

// opencodeTwoFolders sends each answer to the folder of its ask.
func opencodeTwoFolders(r *realServer) {
	other := r.newFolder("other")
	one := r.asks(bed.Task{Title: "Here", Steps: bed.Steps(bed.Bash("pwd > where.txt"))})
	two := r.asks(bed.Task{Title: "There", Folder: other, Steps: bed.Steps(bed.Bash("pwd; true"))})
	s := r.world(r.folder, other).open("120x40").see("pwd > where.txt", "pwd; true", "All 2")
	s.press("g").see("pwd; true").see(other).decide("a")
	if told := r.told(two, 1); told != other+"\n" {
		r.Errorf("the model was told %q", told)
	}
	if asks, err := one.Pending(r.ctx); err != nil || len(asks) != 1 {
		r.Errorf("in the first folder %q wait, %v", asks, err)
	}
	s.see("All 1").press("j").see(r.folder).decide("a")
	r.told(one, 1)
	if content, _ := r.file("where.txt"); content != r.folder+"\n" {
		r.Errorf("the file holds %q", content)
	}
}

// opencodeGhost cannot be allowed, and is cleared without changing the file.
func opencodeGhost(r *realServer) {
	file := filepath.Join(r.folder, "greeting.txt")
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Read(file), bed.Edit(file, "Hello, you.", "Hello, ghost."))})
	if err := turn.Abort(r.ctx); err != nil {
		r.Fatal(err)
	}
	r.over(turn)
	if asks, err := turn.Pending(r.ctx); err != nil || len(asks) != 1 {
		r.Fatalf("the server lists %q, %v", asks, err)
	}
	s := r.open().see("greeting.txt", "+ │ Hello, ghost.", "aborted")
	s.decide("a").see("Nothing was sent")
	s.decide("A")
	if asks, _ := turn.Pending(r.ctx); len(asks) != 1 {
		r.Fatal("the ghost was answered")
	}
	s.press("esc").decide("d").see("All 0")
	if content, _ := r.file("greeting.txt"); content != "# ghost\nHello, you.\nBye.\n" {
		r.Errorf("the file holds %q", content)
	}
	if asks, err := turn.Pending(r.ctx); err != nil || len(asks) != 0 {
		r.Errorf("after clearing it %q wait, %v", asks, err)
	}
}

// opencodeGhostAtTheKey aborts the turn while the ask is being read.
func opencodeGhostAtTheKey(r *realServer) {
	file := filepath.Join(r.folder, "greeting.txt")
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Read(file), bed.Edit(file, "Hello, you.", "Hello, ghost."))})
	s := r.open().see("+ │ Hello, ghost.")
	if err := s.Quiet(reading, limit); err != nil {
		r.Fatal(err)
	}
	if err := turn.Abort(r.ctx); err != nil {
		r.Fatal(err)
	}
	s.press("a").see("aborted").never("done: allow")
	r.over(turn)
	if content, _ := r.file("greeting.txt"); content != "# ghost-at-the-key\nHello, you.\nBye.\n" {
		r.Errorf("the file holds %q", content)
	}
}

// opencodeSecondAskbox has two people at two screens: the slower one is told.
func opencodeSecondAskbox(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Bash("echo once >> log.txt"))})
	one, two := r.open().see("echo once"), r.open().see("echo once")
	one.decide("a").see("done: allow")
	two.see("All 0").decide("a").never("done: allow")
	r.told(turn, 1)
	if content, _ := r.file("log.txt"); content != "once\n" {
		r.Errorf("the file holds %q", content)
	}
}

// opencodeElsewhere has another client deny the ask that is being read.
func opencodeElsewhere(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Bash("echo late > late.txt"))})
	ask, err := turn.Ask(r.ctx)
	if err != nil {
		r.Fatal(err)
	}
	s := r.open().see("echo late")
	if err := r.bed.Reply(r.ctx, ask, "reject", ""); err != nil {
		r.Fatal(err)
	}
	s.see("All 0", "denied").never("by you").decide("a").never("done: allow")
	r.over(turn)
	if _, there := r.file("late.txt"); there {
		r.Error("what was denied ran")
	}
}

// opencodeKilled kills the server while asks are open, and starts it again. It
// looks at every folder that the server knows.
func opencodeKilled(r *realServer) {
	r.asks(bed.Task{Title: "Before", Steps: bed.Steps(bed.Bash("echo lost > lost.txt"))})
	s := r.world().open("120x40").see("echo lost > lost.txt")
	if err := r.bed.Kill(); err != nil {
		r.Fatal(err)
	}
	s.see("Not reachable", "echo lost > lost.txt").decide("a").never("done: allow")
	if err := r.bed.Again(r.ctx); err != nil {
		r.Fatal(err)
	}
	s.press("R").gone("Not reachable").see("All 0")
	turn := r.asks(bed.Task{Title: "After", Steps: bed.Steps(bed.Bash("echo found > found.txt"))})
	s.see("echo found > found.txt", "All 1").press("g").gone("lost.txt").see("Approval · the session waits").decide("a")
	r.told(turn, 1)
	if _, there := r.file("lost.txt"); there {
		r.Error("what was asked before the end ran")
	}
	if content, _ := r.file("found.txt"); content != "found\n" {
		r.Errorf("the file holds %q", content)
	}
}
