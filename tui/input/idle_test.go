package input

import (
	"testing"
	"testing/synctest"
)

// A reader is idle only while a Read waits and nothing is on its way: not before
// the first Read, not while what it gave is being delivered, not with bytes that
// the pump holds, and not with half a sequence.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		term := newTerminal()
		is := func(want bool, when string) {
			t.Helper()
			synctest.Wait()
			if got := term.Idle(); got != want {
				t.Errorf("idle is %v %s", got, when)
			}
		}
		is(false, "before anything reads")
		deliver, read := make(chan bool), make(chan string)
		go func() {
			p := make([]byte, 256)
			for {
				n, err := term.Read(p)
				if err != nil {
					close(read)
					return
				}
				read <- string(p[:n])
				<-deliver
			}
		}()
		is(true, "while a read waits")
		term.chunks <- "a"
		if got := <-read; got != "a" {
			t.Fatalf("read %q", got)
		}
		is(false, "while a key is being delivered")
		term.chunks <- "nd don't"
		is(false, "while the pump holds more")
		deliver <- true
		if got := <-read; got != "nd don't" {
			t.Fatalf("read %q", got)
		}
		deliver <- true
		is(true, "once all was delivered")
		term.chunks <- "\x1b[<35;2"
		is(false, "with half a sequence")
		_ = term.Close()
		<-read
	})
}
