package inbox

import (
	"testing"

	"askbox/client"
)

// TestWaitedIsKept in what was answered, also where a relay tells of the end alone.
func TestWaitedIsKept(t *testing.T) {
	open := ask(1)
	told := &client.Ask{Ref: open.Ref, Kind: open.Kind, Approval: open.Approval, Status: client.Answered, Closing: &client.Closing{}}
	if e := entry(filled(told, open), 0); !open.Waits || !e.Waited {
		t.Errorf("the session waited: %v, and the entry says %v", open.Waits, e.Waited)
	}
}
