package fake

import (
	"net"
	"os"
	"syscall"
)

// stopListening makes a port refuse connections and yet keeps it bound: Linux
// takes a listening socket out of its state on shutdown without giving up its
// port. So no other program gets the port while a relay is down.
func stopListening(l *net.TCPListener) (*os.File, error) {
	f, err := l.File()
	if err != nil {
		return nil, err
	}
	return f, control(f, func(fd int) error { return syscall.Shutdown(fd, syscall.SHUT_RDWR) })
}

// listenAgain takes up the port that stopListening holds.
func listenAgain(f *os.File) (net.Listener, error) {
	defer func() { _ = f.Close() }()
	if err := control(f, func(fd int) error { return syscall.Listen(fd, syscall.SOMAXCONN) }); err != nil {
		return nil, err
	}
	return net.FileListener(f)
}

func control(f *os.File, do func(fd int) error) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { failed = do(int(fd)) }); err != nil {
		return err
	}
	return failed
}
