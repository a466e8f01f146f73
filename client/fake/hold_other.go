//go:build !linux

package fake

import (
	"errors"
	"net"
	"os"
)

// stopListening closes the port. Only Linux can keep a port that refuses
// connections, so elsewhere another program could take it meanwhile.
func stopListening(l *net.TCPListener) (*os.File, error) { return nil, l.Close() }

func listenAgain(*os.File) (net.Listener, error) {
	return nil, errors.New("a port cannot be held on this system")
}
