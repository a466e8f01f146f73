//go:build unix

package e2e

import (
	"path/filepath"
	"strings"

	bed "askbox/cmd/askbox/e2e/opencodebed"
)

// opencodePermissions are the stories of permissions.
var opencodePermissions = map[string]func(*realServer){
	"allow": opencodeAllow, "always": opencodeAlways, "deny": opencodeDeny, "deny with a reason": opencodeDenyReason,
	"deny one of two": opencodeDenyOneOfTwo, "edit": opencodeEdit, "indented": opencodeIndented,
	"what cannot be listed": opencodeUnlistable, "a file elsewhere": opencodeOutside,
}

// opencodeSecond are the stories of the server's second engine.
var opencodeSecond = map[string]func(*realServer){
	"write in the second engine": opencodeSecondEngine, "deny in the second engine": opencodeSecondDeny,
	"question in the second engine": opencodeSecondQuestion, "a stored rule": opencodeStoredRule,
}

func opencodeAllow(r *realServer) {
	turn := r.asks(bed.Task{Title: "Mark it", Steps: bed.Steps(bed.Bash("echo marked > marker.txt && cat marker.txt"))})
	s := r.open().see("echo marked > marker.txt && cat marker.txt", "Mark it", "Approval · the session waits", r.folder)
	s.press("enter").never("done: allow")
	if _, there := r.file("marker.txt"); there {
		r.Fatal("it ran before it was allowed")
	}
	s.press("esc").decide("a")
	if told := r.told(turn, 1); told != "marked\n" {
		r.Errorf("the model was told %q", told)
	}
	s.see("done: allow", "All 0")
	if content, _ := r.file("marker.txt"); content != "marked\n" {
		r.Errorf("the file holds %q", content)
	}
}

// opencodeAlways allows what comes later as well, and shows the rules before.
func opencodeAlways(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Bash("echo one >> log.txt"), bed.Bash("echo two >> log.txt"), bed.Bash("date > log2.txt"))})
	s := r.open().see("echo one >> log.txt").decide("A").see("A again", "echo *")
	if asks, _ := turn.Pending(r.ctx); len(asks) != 1 {
		r.Fatalf("after one key %q wait", asks)
	}
	s.decide("A").see("date > log2.txt").see("All 1")
	if told := r.told(turn, 2); told != "(no output)" && told != "" {
		r.Errorf("the model was told %q", told)
	}
	if content, _ := r.file("log.txt"); content != "one\ntwo\n" {
		r.Errorf("the file holds %q", content)
	}
	if _, there := r.file("log2.txt"); there {
		r.Error("what the rules do not cover ran too")
	}
}

// opencodeDeny ends the turn: the model is not told anything more.
func opencodeDeny(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Bash("echo no > marker.txt"))})
	s := r.open().see("echo no > marker.txt", "the turn ends").decide("d")
	if n := r.over(turn); n != 0 {
		r.Errorf("the model was told %d results", n)
	}
	s.see("done: deny")
	if _, there := r.file("marker.txt"); there {
		r.Error("what was denied ran")
	}
}

// opencodeDenyReason lets the agent go on, which is told the reason as typed.
func opencodeDenyReason(r *realServer) {
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Bash("rm -rf build"), bed.Bash("make clean"))})
	s := r.open().see("rm -rf build", "the agent reads it and goes on")
	s.decide("D").see("enter sends").write("use make clean: it knows \"build\"").decide("enter")
	if told := r.told(turn, 1); !strings.HasSuffix(told, "with the following feedback: use make clean: it knows \"build\"") {
		r.Errorf("the model was told %q", told)
	}
	s.see("make clean", "All 1")
}

// opencodeDenyOneOfTwo says before the key that the other one closes too.
func opencodeDenyOneOfTwo(r *realServer) {
	turn := r.begin(bed.Task{Steps: []bed.Step{{Calls: []bed.Call{bed.Bash("echo first > one.txt"), bed.Bash("echo second > two.txt")}}}})
	if _, err := turn.Asks(r.ctx, 2); err != nil {
		r.Fatal(err)
	}
	s := r.open().see("echo first", "echo second", "All 2", "the other permission").decide("d")
	if n := r.over(turn); n != 0 {
		r.Errorf("the model was told %d results", n)
	}
	s.see("All 0")
	for _, name := range []string{"one.txt", "two.txt"} {
		if _, there := r.file(name); there {
			r.Errorf("%s was written", name)
		}
	}
}

// opencodeEdit shows the change as a diff with its file, and changes the file.
func opencodeEdit(r *realServer) {
	file := filepath.Join(r.folder, "greeting.txt")
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Read(file), bed.Edit(file, "Hello, you.", "Hello, world."))})
	s := r.open().see("greeting.txt", "- │ Hello, you.", "+ │ Hello, world.").decide("a")
	r.told(turn, 2)
	if content, _ := r.file("greeting.txt"); content != "# edit\nHello, world.\nBye.\n" {
		r.Errorf("the file holds %q", content)
	}
	s.see("done: allow")
}

// opencodeIndented shows what is written byte for byte, which the server's own diff
// does not.
func opencodeIndented(r *realServer) {
	file := filepath.Join(r.folder, "admin.py")
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Write(file, "    if admin:\n        delete_all()\n"), bed.Read(file),
		bed.Edit(file, "        delete_all()", "        delete_all()\n        log()"))})
	s := r.open().see("admin.py", "+ │     if admin:", "+ │         delete_all()").never("+ │ if admin:").decide("a")
	s.see("All 1").press("g").see("+ │         log()").never("+ │ log()").decide("a")
	r.told(turn, 3)
	if content, _ := r.file("admin.py"); content != "    if admin:\n        delete_all()\n        log()\n" {
		r.Errorf("the file holds %q", content)
	}
}

// opencodeSecondEngine allows an edit in the server's other engine.
func opencodeSecondEngine(r *realServer) {
	turn := r.asks(bed.Task{Second: true, Steps: []bed.Step{{Calls: []bed.Call{
		{Tool: "write", Args: map[string]any{"path": filepath.Join(r.folder, "note.txt"), "content": "written twice over\n"}}}}}})
	s := r.open().see("note.txt", "written twice over").decide("a")
	r.told(turn, 1)
	if content, _ := r.file("note.txt"); content != "written twice over\n" {
		r.Errorf("the file holds %q", content)
	}
	s.see("done: allow")
}

// opencodeSecondDeny does not promise that the reason arrives, because in the
// second engine it does not.
func opencodeSecondDeny(r *realServer) {
	turn := r.asks(bed.Task{Second: true, Steps: bed.Steps(bed.Bash("touch marker.txt"))})
	s := r.open().see("touch marker.txt").never("the agent reads it").decide("D").see("enter sends").write("use make").decide("enter")
	if told := r.told(turn, 1); strings.Contains(told, "use make") {
		r.Errorf("the model was told the reason, so askbox should say so: %q", told)
	}
	s.see("All 0")
	if _, there := r.file("marker.txt"); there {
		r.Error("what was denied ran")
	}
}

// opencodeStoredRule lists what "always" stored and takes it back, and then it is asked again.
func opencodeStoredRule(r *realServer) {
	const command = "echo stored >> log.txt"
	task := bed.Task{Second: true, Steps: bed.Steps(bed.Bash(command))}
	turn := r.asks(task)
	w := r.world(r.folder)
	s := w.open("120x40").see(command).decide("A").see("A again", "holds after a restart").decide("A")
	r.told(turn, 1)
	s.see("All 0")
	r.told(r.begin(task), 1)
	out, err := w.command("relays", "rules", "oc").CombinedOutput()
	id, rest, _ := strings.Cut(string(out), "\t")
	if err != nil || !strings.Contains(rest, command) || !strings.Contains(rest, r.folder) {
		r.Fatalf("the rules are %q, %v", out, err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, command) {
			id, _, _ = strings.Cut(line, "\t")
		}
	}
	if out, err := w.command("relays", "rules", "oc", "--revoke", id).CombinedOutput(); err != nil {
		r.Fatalf("it is not taken back: %s, %v", out, err)
	}
	r.asks(task)
	s.see("All 1").press("g").see(command)
}

// opencodeUnlistable is an ask that breaks the server's listing while it is open.
func opencodeUnlistable(r *realServer) {
	s := r.open().see("All 0")
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Fetch(r.bed.Page()))})
	if _, err := turn.Pending(r.ctx); err == nil {
		r.Log("this server lists it")
	}
	s.see(r.bed.Page(), "All 1").decide("a")
	if told := r.told(turn, 1); !strings.Contains(told, "nothing to see") {
		r.Errorf("the model was told %q", told)
	}
	s.see("done: allow")
}

// opencodeOutside asks twice for one call: for the folder and for the command.
func opencodeOutside(r *realServer) {
	other := r.newFolder("elsewhere")
	turn := r.asks(bed.Task{Steps: bed.Steps(bed.Bash("cat " + other + "/greeting.txt"))})
	s := r.open().see("external_directory").decide("a")
	if _, err := turn.Asks(r.ctx, 2); err != nil {
		r.Fatal(err)
	}
	s.see("All 1").press("g").gone("external_directory").see("cat " + other).decide("a")
	if told := r.told(turn, 1); told != "# elsewhere\nHello, you.\nBye.\n" {
		r.Errorf("the model was told %q", told)
	}
}
