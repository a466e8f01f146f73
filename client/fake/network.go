package fake

import (
	"context"
	"errors"
	"net"
	"os"
	"sync"
	"syscall"
)

// Network is where a server listens. A server calls its methods one at a time.
type Network interface {
	// Listen opens the address: a new one the first time, the same one later.
	Listen() (net.Listener, error)
	// Refuse stops listening, so that connections are refused until Listen.
	Refuse() error
	// Addr is HOST:PORT.
	Addr() string
	// Close gives the address up.
	Close() error
}

// loopback is a port of 127.0.0.1.
type loopback struct {
	mu       sync.Mutex
	addr     string
	listener *net.TCPListener
	held     *os.File // the port while it refuses, where the system can hold it
}

func (l *loopback) Listen() (net.Listener, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	listener, err := l.listen()
	if err != nil {
		return nil, err
	}
	tcp, ok := listener.(*net.TCPListener)
	if !ok {
		return nil, errors.New("not a TCP listener")
	}
	l.addr, l.listener = tcp.Addr().String(), tcp
	return tcp, nil
}

func (l *loopback) listen() (net.Listener, error) {
	if l.held != nil {
		held := l.held
		l.held = nil
		return listenAgain(held)
	}
	if l.addr != "" {
		return net.Listen("tcp", l.addr)
	}
	return listenOnNew()
}

// listenOnNew picks a free port and then asks for it by its number: Linux lets
// go of a port that it chose itself as soon as nobody listens on it.
func listenOnNew() (net.Listener, error) {
	var failed error
	for range 20 {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		addr := free.Addr().String()
		_ = free.Close()
		listener, err := net.Listen("tcp", addr)
		if err == nil {
			return listener, nil
		}
		failed = err
	}
	return nil, failed
}

func (l *loopback) Refuse() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	held, err := stopListening(l.listener)
	l.held = held
	return err
}

func (l *loopback) Addr() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.addr
}

func (l *loopback) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held != nil {
		return l.held.Close()
	}
	return nil
}

// Pipe is a network in memory. Everything that waits on it waits durably in the
// sense of testing/synctest, so clients and servers on it work in fake time.
type Pipe struct {
	mu     sync.Mutex
	open   *pipeListener
	frozen chan struct{} // closed by Freeze; that of the connections made since the last one
}

// NewPipe makes a network for one server. Clients reach it with an
// http.Transport whose DialContext is the pipe's.
func NewPipe() *Pipe { return &Pipe{frozen: make(chan struct{})} }

// Freeze takes the connections that are open off the network without a word: no byte
// passes any more, and neither side sees an end. New ones work.
func (p *Pipe) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	close(p.frozen)
	p.frozen = make(chan struct{})
}

// Listen opens the network.
func (p *Pipe) Listen() (net.Listener, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = &pipeListener{incoming: make(chan net.Conn), closed: make(chan struct{})}
	return p.open, nil
}

// Refuse refuses connections until Listen.
func (p *Pipe) Refuse() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open != nil {
		_ = p.open.Close()
	}
	p.open = nil
	return nil
}

// Addr is a name that no real network has.
func (p *Pipe) Addr() string { return "pipe.invalid:80" }

// Close refuses connections for good.
func (p *Pipe) Close() error { return p.Refuse() }

// DialContext connects to the server, whatever the address says.
func (p *Pipe) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	p.mu.Lock()
	open, frozen := p.open, p.frozen
	p.mu.Unlock()
	refused := &net.OpError{Op: "dial", Net: network, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	if open == nil {
		return nil, refused
	}
	here, there := net.Pipe()
	select {
	case open.incoming <- there:
		return &pipeConn{Conn: here, frozen: frozen, closed: make(chan struct{})}, nil
	case <-open.closed:
		return nil, refused
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// pipeConn is the client's end of a connection that can be frozen.
type pipeConn struct {
	net.Conn
	frozen <-chan struct{}
	once   sync.Once
	closed chan struct{}
}

// pass waits until the connection is closed where it is frozen.
func (c *pipeConn) pass() error {
	select {
	case <-c.frozen:
		<-c.closed
		return net.ErrClosed
	default:
		return nil
	}
}

func (c *pipeConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if ended := c.pass(); ended != nil {
		return 0, ended
	}
	return n, err
}

func (c *pipeConn) Write(b []byte) (int, error) {
	if err := c.pass(); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

func (c *pipeConn) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

type pipeListener struct {
	incoming chan net.Conn
	once     sync.Once
	closed   chan struct{}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.incoming:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe.invalid:80" }
