package oar

import "testing"

// TestBrief gives a row to what would be done, where the relay's own first line
// says only who asks, and takes nothing apart otherwise.
func TestBrief(t *testing.T) {
	for _, tc := range []struct{ source, prompt, want string }{
		{"onPermissionRequest", "Copilot wants to run:\nrm -rf build\n\nApprove this action?", "rm -rf build"},
		{"onPermissionRequest", "Copilot wants to run:\n\nmake a\nmake b\n\nrm -rf ~", "make a\nmake b"},
		{"ClaudeCloudPermission", "Claude wants to read:\r\n/etc/passwd", "/etc/passwd"},
		{"onPermissionRequest", "Copilot wants to run:", ""},
		{"onPermissionRequest", "Copilot wants to run:\n\n", ""},
		{"onPermissionRequest", "rm -rf ~\nls", ""},
		{"remote_relay", "Allow the agent to send a prompt?\n\nMode: agent", ""},
		{"somethingNew", "Copilot wants to run:\nls", ""},
	} {
		w := &wireCard{Prompt: tc.prompt, about: cardContext{source: tc.source}}
		if got := w.brief().Raw(); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.prompt, got, tc.want)
		}
	}
}
