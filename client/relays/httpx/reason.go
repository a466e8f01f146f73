package httpx

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// errDeadline is the cause with which this package ends a call that takes too
// long, to be told from a caller that gave up.
var errDeadline = errors.New("the deadline of the call has passed")

// reason says in a few plain words why no reply came.
func (c *Client) reason(err error, waited time.Duration) string {
	if why, ok := certificate(err); ok {
		return why
	}
	var name *net.DNSError
	var record tls.RecordHeaderError
	switch {
	case errors.Is(err, errDeadline), errors.Is(err, context.DeadlineExceeded):
		return "no answer within " + plain(waited)
	case errors.Is(err, errFar):
		return errFar.Error()
	case errors.As(err, &name):
		if name.IsNotFound {
			return "no such host"
		}
		return "the name of the host could not be looked up"
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "it does not speak TLS (is it http instead of https?)"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the connection was closed before the reply was whole"
	}
	if code, ok := errno(err); ok {
		return code
	}
	return c.redact.quiet(err).Error()
}

// errno names the error of the system that people look for by its name.
func errno(err error) (string, bool) {
	for _, known := range []struct {
		code syscall.Errno
		name string
	}{
		{syscall.ECONNREFUSED, "ECONNREFUSED"},
		{syscall.ECONNRESET, "ECONNRESET"},
		{syscall.EPIPE, "ECONNRESET"},
		{syscall.EHOSTUNREACH, "EHOSTUNREACH, no way to the host"},
		{syscall.ENETUNREACH, "ENETUNREACH, no way to the network"},
		{syscall.ETIMEDOUT, "ETIMEDOUT"},
		{syscall.EMFILE, "EMFILE, too many files are open here"},
	} {
		if errors.Is(err, known.code) {
			return known.name, true
		}
	}
	return "", false
}

func certificate(err error) (string, bool) {
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	var verify *tls.CertificateVerificationError
	switch {
	case errors.As(err, &host):
		return "certificate is for another host", true
	case errors.As(err, &unknown):
		return "certificate signed by an unknown authority", true
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "certificate has expired or is not valid yet", true
	case errors.As(err, &invalid), errors.As(err, &verify):
		return "certificate is not valid", true
	}
	return "", false
}

// plain writes a span as people say it: 10 s, not 10s.
func plain(d time.Duration) string {
	if d >= time.Second && d%time.Second == 0 {
		return strconv.Itoa(int(d/time.Second)) + " s"
	}
	return d.String()
}
