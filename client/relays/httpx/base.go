package httpx

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"askbox/client/text"
)

// ParseBase checks the address of a relay and returns it without a slash at its
// end. User names, tokens, queries and fragments do not belong into it. Plain
// http is taken for loopback and private addresses, and for any other where
// insecure is set. The errors never repeat the address, because a secret may
// stand in it.
func ParseBase(raw string, insecure bool) (*url.URL, error) {
	base, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, errors.New("the url cannot be read; write it as https://HOST/PATH")
	}
	switch {
	case base.Scheme != "https" && base.Scheme != "http":
		return nil, errors.New("the url has to begin with https:// or http://")
	case base.Hostname() == "" || base.Opaque != "":
		return nil, errors.New("the url has no host; write it as https://HOST/PATH")
	case base.User != nil:
		return nil, errors.New("the url holds a user name or password; take them out and use token_env or another way to give the token")
	case base.RawQuery != "" || base.ForceQuery:
		return nil, errors.New("the url holds a query; take out everything from ? on and give the token with token_env or another way")
	case base.Fragment != "" || base.RawFragment != "":
		return nil, errors.New("the url holds a fragment; take out everything from # on")
	case base.Scheme == "http" && !insecure && !NearHost(base.Hostname()):
		return nil, fmt.Errorf("plain http to %s would send the token unprotected; use https, or set insecure = true",
			text.New(base.Hostname()).Fit(80))
	}
	base.Path = strings.TrimRight(base.Path, "/")
	base.RawPath = strings.TrimRight(base.RawPath, "/")
	return base, nil
}

// NearHost reports whether a host of a URL is this machine or a private
// address. A name other than localhost is not: what it leads to is known only
// when it is looked up.
func NearHost(host string) bool {
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && nearAddr(addr)
}

func nearAddr(addr netip.Addr) bool {
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()
}

var errFar = errors.New("the name leads to a public address, and plain http would send the token there unprotected")

// onlyNear is the control function of a dialer that speaks plain http. It looks
// at the address that the name led to, so that a name like localhost cannot be
// pointed elsewhere.
func onlyNear(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || !nearAddr(addr) {
		return errFar
	}
	return nil
}

// Path joins the segments of a path, each escaped as one segment. An id that is
// "." or ".." would be taken out of the path on its way: see [Segment].
func Path(segments ...string) string {
	var b strings.Builder
	for _, segment := range segments {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(segment))
	}
	return b.String()
}

// Segment reports whether an id of a relay can be one segment of a path and
// arrive as it is. Proxies take the escape off a slash and then shorten the path,
// which would lead to another ask; of controls and bytes that are not text they
// make what they like.
func Segment(id string) bool {
	return id != "" && id != "." && id != ".." && len(id) <= longestSegment && utf8.ValidString(id) &&
		!strings.ContainsFunc(id, func(r rune) bool { return r == '/' || r == '\\' || r == utf8.RuneError || unicode.IsControl(r) })
}

// longestSegment is the most bytes of an id; servers take no longer addresses.
const longestSegment = 1000
