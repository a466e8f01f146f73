package inbox

import (
	"fmt"
	"runtime/debug"
	"sync"

	"askbox/client/text"
)

// Crash is a fault of the inbox itself, found in one of its goroutines. It ends
// the inbox: what it would show from then on could not be trusted.
type Crash struct {
	Value string // safe
	Stack string // of where it happened, as the runtime has it
}

func (e *Crash) Error() string { return "the inbox crashed: " + e.Value }

// Trace returns the stack of where it happened.
func (e *Crash) Trace() string { return e.Stack }

// background runs a part of the inbox in a goroutine of its own. A panic there
// must not end the process, because the terminal would be left as it is.
func (b *Inbox) background(group *sync.WaitGroup, run func()) {
	group.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				b.fail(&Crash{Value: text.New(fmt.Sprint(p)).String(), Stack: string(debug.Stack())})
			}
		}()
		run()
	})
}

// fail keeps the first crash and wakes who waits for a snapshot. It takes no lock
// that the crashed part may hold.
func (b *Inbox) fail(c *Crash) {
	if b.crash.CompareAndSwap(nil, c) {
		b.log.Error("the inbox crashed", "panic", c.Value, "stack", text.New(c.Stack).String())
		b.endPolls()
		close(b.crashed)
	}
}

// locked runs with the lock held and gives it back whatever happens.
func (b *Inbox) locked(run func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	run()
}
