package input

import (
	"errors"
	"io"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/muesli/cancelreader"
)

// chunk is what one read of the terminal gave, and when.
type chunk struct {
	bytes []byte
	at    time.Time
}

// pump reads a source in a goroutine of its own, so that a Read can wait for
// bytes and for time at once.
type pump struct {
	from    cancelreader.CancelReader
	chunks  chan chunk
	stop    chan struct{}
	done    chan struct{}
	carries atomic.Int32 // how many chunks were read and are not scanned yet
	spare   []chunk      // read and not taken; to be read after done
	err     error        // to be read after chunks is closed
}

func startPump(from cancelreader.CancelReader) *pump {
	p := &pump{from: from, chunks: make(chan chunk), stop: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

func (p *pump) run() {
	defer close(p.done)
	buf := make([]byte, 4096)
	for {
		n, err := p.from.Read(buf)
		if n > 0 {
			p.carries.Add(1)
			c := chunk{append([]byte(nil), buf[:n]...), time.Now()}
			select {
			case p.chunks <- c:
			case <-p.stop:
				p.spare = append(p.spare, c)
				return
			}
		}
		switch {
		case err == nil, errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EINTR):
		case errors.Is(err, cancelreader.ErrCanceled):
			return
		default:
			p.err = errors.Join(ErrGone, named(err))
			close(p.chunks)
			return
		}
	}
}

// named keeps io.EOF out of an error, because Bubble Tea takes it for an ordinary
// end and would go on without a keyboard.
func named(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// end stops the pump and returns what it had read. A source that cannot be
// cancelled ends at its next byte, which is lost.
func (p *pump) end() []chunk {
	close(p.stop)
	if !p.from.Cancel() {
		return nil
	}
	<-p.done
	_ = p.from.Close()
	return p.spare
}
