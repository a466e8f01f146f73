package fake_test

import (
	"net"
	"strings"
	"syscall"
	"testing"
)

func TestThePortOfARelayThatIsDownIsKept(t *testing.T) {
	server, _, _ := setUp(t, nil)
	if err := server.Down(); err != nil {
		t.Fatal(err)
	}
	// Without the reuse that Go asks for, binding fails on every port that is bound.
	exclusive := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		return c.Control(func(fd uintptr) {
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0)
		})
	}}
	address := strings.TrimPrefix(server.URL(), "http://")
	if taken, err := exclusive.Listen(t.Context(), "tcp", address); err == nil {
		taken.Close()
		t.Errorf("%s was free while the relay was down", address)
	}
}
