package input

import (
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"github.com/muesli/cancelreader"
)

// chunk is what one read of the terminal gave, and when.
type chunk struct {
	bytes []byte
	at    time.Time
}

// mostChunks is the most that a pump reads ahead. It reads ahead so that the time
// of a byte is that of its coming, however busy the program is: two halves of a
// sequence are not torn because nobody asked for the second.
const mostChunks = 64

// pump reads a source in a goroutine of its own, so that a Read can wait for
// bytes and for time at once.
type pump struct {
	from cancelreader.CancelReader
	room chan struct{} // holds an element for each chunk that was read ahead
	more chan struct{} // has an element when next may give something
	stop chan struct{}
	done chan struct{}

	mu    sync.Mutex
	ahead []chunk
	err   error // that of the source, once it ended
}

func startPump(from cancelreader.CancelReader) *pump {
	p := &pump{from: from, room: make(chan struct{}, mostChunks), more: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	go p.run()
	return p
}

func (p *pump) run() {
	defer close(p.done)
	buf := make([]byte, 4096)
	for {
		select {
		case p.room <- struct{}{}:
		case <-p.stop:
			return
		}
		n, err := p.from.Read(buf)
		if n > 0 {
			p.put(chunk{append([]byte(nil), buf[:n]...), time.Now()})
		} else {
			<-p.room
		}
		switch {
		case err == nil, errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.EINTR):
		case errors.Is(err, cancelreader.ErrCanceled):
			return
		default:
			p.mu.Lock()
			p.err = errors.Join(ErrGone, named(err))
			p.mu.Unlock()
			p.signal()
			return
		}
	}
}

func (p *pump) put(c chunk) {
	p.mu.Lock()
	p.ahead = append(p.ahead, c)
	p.mu.Unlock()
	p.signal()
}

// signal wakes the Read that waits.
func (p *pump) signal() {
	select {
	case p.more <- struct{}{}:
	default:
	}
}

// next takes the oldest chunk. Behind the last one it returns the error with which
// the source ended.
func (p *pump) next() (c chunk, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.ahead) == 0 {
		return chunk{}, false, p.err
	}
	c, p.ahead = p.ahead[0], p.ahead[1:]
	<-p.room
	return c, true, nil
}

// holds reports whether anything was read ahead.
func (p *pump) holds() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.ahead) > 0
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
	if p.from.Cancel() {
		<-p.done
		_ = p.from.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ahead
}
