package client_test

import (
	"testing"

	"askbox/client"
	"askbox/client/text"
)

// TestSameContent compares what was shown with what a relay tells of it later.
func TestSameContent(t *testing.T) {
	bash := func(command string, rules ...string) *client.Ask {
		a := &client.Ask{Kind: client.Approval, Approval: &client.ApprovalAsk{Tool: text.New("Bash"),
			Parts: []client.Part{{Kind: client.PartCommand, Text: text.New(command)}}}}
		for _, r := range rules {
			a.Approval.Always = append(a.Approval.Always, text.New(r))
		}
		return a
	}
	argv := func(args ...string) *client.Ask {
		a := bash("")
		a.Approval.Parts[0] = client.Part{Kind: client.PartArgs}
		for _, arg := range args {
			a.Approval.Parts[0].Args = append(a.Approval.Parts[0].Args, text.New(arg))
		}
		return a
	}
	with := func(a *client.Ask, change func(*client.Ask)) *client.Ask { change(a); return a }
	question := func(id, label string) *client.Ask {
		return &client.Ask{Kind: client.Question, Questions: []client.QuestionAsk{{ID: "q", Text: text.New("Which?"),
			Options: []client.Option{{ID: id, Label: text.New(label)}}}}}
	}
	extra := func(a *client.Ask) {
		a.Extra = []client.Part{{Kind: client.PartField, Key: text.New("cwd"), Text: text.New("/srv/other")}}
	}
	for _, tt := range []struct {
		name        string
		shown, told *client.Ask
		here, there string
		differ      bool
	}{
		{"the same", bash("ls", "Bash(ls:*)"), bash("ls", "Bash(ls:*)"), "", "", false},
		{"closed, and nothing offered", bash("ls"), with(bash("ls"), func(a *client.Ask) {
			a.Status, a.Offers, a.Closing = client.Answered, client.Refused("over"), &client.Closing{}
		}), "", "", false},
		{"nothing told", bash("ls", "Bash(ls:*)"), &client.Ask{}, "", "", false},
		{"not to be read", bash("ls"), &client.Ask{Unreadable: "no"}, "", "", false},
		{"the rules not told", bash("ls", "Bash(ls:*)"), bash("ls"), "", "", false},
		{"another command", bash("ls"), bash("rm -rf ~"), "ls", "rm -rf ~", true},
		{"another rule", bash("ls", "Bash(ls:*)"), bash("ls", "Bash(*)"), "Bash(ls:*)", "Bash(*)", true},
		{"one rule more", bash("ls", "Bash(ls:*)"), bash("ls", "Bash(ls:*)", "Bash(*)"), "", "Bash(*)", true},
		{"other arguments", argv("rm", "a b"), argv("rm", "a", "b"), "rm\na b", "rm\na\nb", true},
		{"another tool", bash("ls"), with(bash("ls"), func(a *client.Ask) { a.Approval.Tool = text.New("Run") }), "Bash", "Run", true},
		{"another label", question("a", "Keep"), question("a", "Delete"), "a\nKeep", "a\nDelete", true},
		{"another kind", bash("ls"), question("a", "Keep"), "", "q\nWhich?", true},
		{"a member beside it", bash("ls"), with(bash("ls"), extra), "", "cwd\n/srv/other", true},
		{"the member not told", with(bash("ls"), extra), bash("ls"), "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			here, there := tt.shown.Difference(tt.told)
			if here.Raw() != tt.here || there.Raw() != tt.there || tt.shown.SameContent(tt.told) == tt.differ {
				t.Errorf("here %q, there %q, same %v", here.Raw(), there.Raw(), tt.shown.SameContent(tt.told))
			}
		})
	}
}

// What an agent says of it, and who asks, make no difference to what would be done.
func TestSameness(t *testing.T) {
	of := func(change func(a *client.Ask)) string {
		a := &client.Ask{Ref: client.Ref{Relay: "work", Session: "s", ID: "1"}, Kind: client.Approval, Approval: &client.ApprovalAsk{Tool: text.New("Bash"),
			Parts: []client.Part{{Kind: client.PartCommand, Text: text.New("ls")}, {Kind: client.PartSays, Text: text.New("look")}}}}
		change(a)
		return a.Sameness("werft")
	}
	same := of(func(*client.Ask) {})
	for name, c := range map[string]struct {
		change func(a *client.Ask)
		equal  bool
	}{
		"another session":     {func(a *client.Ask) { a.Session.ID, a.Ref.Session, a.ID = "t", "t", "2" }, true},
		"said in other words": {func(a *client.Ask) { a.Approval.Parts[1].Text = text.New("tidy up") }, true},
		"another command":     {func(a *client.Ask) { a.Approval.Parts[0].Text = text.New("ls -a") }, false},
		"another tool":        {func(a *client.Ask) { a.Approval.Tool = text.New("Sh") }, false},
		"more beside it":      {func(a *client.Ask) { a.Extra = []client.Part{{Key: text.New("env"), Text: text.New("1")}} }, false},
		"not all of it":       {func(a *client.Ask) { a.Approval.Excerpt = "cut" }, false},
	} {
		if got := of(c.change); (got == same) != c.equal {
			t.Errorf("%s: the same: %v", name, got == same)
		}
	}
	a := &client.Ask{Kind: client.Approval, Approval: &client.ApprovalAsk{Parts: []client.Part{{Kind: client.PartCommand, Text: text.New("ls")}}}}
	if a.Sameness("oar") == a.Sameness("werft") || (&client.Ask{Kind: client.Question}).Sameness("oar") != "" {
		t.Error("relays of two kinds, or questions, are the same")
	}
}
