package config

import (
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"askbox/client/text"
)

// maxName is the most characters that a relay's name may have, so that it can
// stand as a heading in the narrowest screen.
const maxName = 32

func (c *checker) relays(cfg *Config, raw []relayFile) {
	seen := map[string]int{}
	for i, r := range raw {
		relay := c.relay(i, r)
		if first, ok := seen[relay.Name]; ok && relay.Name != "" {
			c.fail("name", i, "the relay in line %d has this name too; give each its own", c.lines.of("name", first))
		} else {
			seen[relay.Name] = i
		}
		cfg.Relays = append(cfg.Relays, relay)
	}
}

func (c *checker) relay(i int, r relayFile) *Relay {
	relay := &Relay{Line: c.lines.of("", i), Name: c.name(i, r.Name)}
	if r.Type == nil {
		c.fail("type", i, "it is missing; it has to be %s", wants["relay.type"])
	} else {
		relay.Type = c.oneOf("type", i, r.Type, OpenComputer, OAR, Werft, OpenCode)
	}
	relay.Insecure = r.Insecure != nil && *r.Insecure
	relay.URL = c.url(i, r.URL, relay)
	if r.Me != nil {
		relay.Me = *r.Me
	}
	c.special(i, r, relay)
	relay.source = c.source(i, r, relay)
	return relay
}

func (c *checker) name(i int, value *string) string {
	if value == nil || *value == "" {
		c.fail("name", i, "it is missing; give the relay a short name, it is the heading of its group")
		return ""
	}
	name := *value
	switch {
	case strings.Contains(name, "/"):
		c.fail("name", i, "it may not hold a slash, because asks are named RELAY/ASK")
	case !plain(name):
		c.fail("name", i, "it has to be made of visible characters, with no space at either end")
	case utf8.RuneCountInString(name) > maxName:
		c.fail("name", i, "it may have at most %d characters", maxName)
	}
	return name
}

// plain reports whether a name shows on a screen as what it is.
func plain(name string) bool {
	if !utf8.ValidString(name) || strings.TrimSpace(name) != name {
		return false
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return text.New(name).String() == name
}

// special checks the keys that only one type of relay has.
func (c *checker) special(i int, r relayFile, relay *Relay) {
	if relay.Type == OpenComputer {
		relay.Transport = c.oneOf("transport", i, r.Transport, "http", "jsonrpc")
	} else if r.Transport != nil {
		c.fail("transport", i, "only a relay of the type opencomputer has it; remove it")
	}
	if relay.Type != OpenCode {
		if r.User != nil {
			c.fail("user", i, "only a relay of the type opencode has it; remove it")
		}
		if r.Directories != nil {
			c.fail("directories", i, "only a relay of the type opencode has it; remove it")
		}
		return
	}
	relay.User = "opencode"
	if r.User != nil {
		relay.User = *r.User
		// A colon ends the user name on the wire, so it would become part of the password.
		if relay.User == "" || strings.Contains(relay.User, ":") || !plain(relay.User) {
			c.fail("user", i, "it has to be made of visible characters without a colon")
		}
	}
	if r.Directories == nil {
		return
	}
	for _, dir := range *r.Directories {
		if !filepath.IsAbs(dir) {
			c.fail("directories", i, "it has to be %s", wants["relay.directories"])
			return
		}
		relay.Directories = append(relay.Directories, filepath.Clean(dir))
	}
}

// url checks a relay's address. No message repeats it, because a pasted one may
// hold a token.
func (c *checker) url(i int, value *string, relay *Relay) *url.URL {
	if value == nil || *value == "" {
		c.fail("url", i, "it is missing; it has to be %s", wants["relay.url"])
		return nil
	}
	u, err := url.Parse(strings.TrimSpace(*value))
	switch {
	case bareIPv6(*value):
		c.fail("url", i, "an IPv6 address stands in brackets, as in http://[::1]:4096")
		return nil
	case err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" || !clean(u):
		c.fail("url", i, "it has to be a link that begins with https:// or http:// and names a host, with a port up to 65535 where it names one")
		return nil
	case u.User != nil:
		c.fail("url", i, "it may not hold a user or a password; give the token with token_file, token_env, token_command or keyring, and take it out of the link")
		return nil
	}
	if u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		if !c.strip(i, u, relay.Type) {
			return nil
		}
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
	if relay.Type == OAR && strings.HasSuffix(u.Path, "/index.html") {
		u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/index.html"), strings.TrimSuffix(u.RawPath, "/index.html")
	}
	thisMachine(u)
	c.plainHTTP(i, u, relay)
	return u
}

// thisMachine puts the address of this machine in the place of the one that a server
// prints which listens on all of its addresses.
func thisMachine(u *url.URL) {
	at, err := netip.ParseAddr(u.Hostname())
	if err != nil || !at.IsUnspecified() {
		return
	}
	host := "127.0.0.1"
	if at.Is6() {
		host = "::1"
	}
	if port := u.Port(); port != "" {
		u.Host = net.JoinHostPort(host, port)
	} else if u.Host = host; at.Is6() {
		u.Host = "[" + host + "]"
	}
}

// bareIPv6 reports whether the host of a link is an IPv6 address without its brackets.
func bareIPv6(link string) bool {
	_, rest, _ := strings.Cut(link, "://")
	host, _, _ := strings.Cut(rest, "/")
	return strings.Count(host, ":") > 1 && !strings.ContainsAny(host, "[]@?#")
}

// clean reports whether nothing in a link is a control character once decoded.
func clean(u *url.URL) bool {
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return false
		}
	}
	return strings.IndexFunc(u.Host+u.Path, unicode.IsControl) < 0 && utf8.ValidString(u.Path)
}

// strip takes the query and the fragment off a link. OAR hands out links with a
// token in the query, and people paste them: their origin and path are kept. Any
// other relay has no use for a query, so there it is a mistake to point out.
func (c *checker) strip(i int, u *url.URL, kind string) bool {
	if kind != OAR {
		c.fail("url", i, "it may not hold anything from a ? or # on; keep the part before it, and give a token with token_file, token_env, token_command or keyring")
		return false
	}
	if u.RawQuery != "" && c.mode&0o077 != 0 {
		c.fail("url", i, "its part from the ? on may hold a token, and others can read this file; remove that part, or run chmod 600 on the file")
		return false
	}
	u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = "", false, "", ""
	c.notes = append(c.notes, Problem{c.path, c.lines.of("url", i), "relay.url",
		"only the link up to the ? or # is used; remove the rest, which may hold a token"}.String())
	return true
}

// plainHTTP refuses a connection that others could read, unless it was asked for.
func (c *checker) plainHTTP(i int, u *url.URL, relay *Relay) {
	switch {
	case u.Scheme == "https" && relay.Insecure:
		c.fail("insecure", i, "it is for http only; certificates are always checked, so remove it")
	case u.Scheme == "http" && local(u.Hostname()):
		relay.Insecure = false
	case u.Scheme == "http" && !relay.Insecure:
		c.fail("url", i, "plain http lets everybody on the way read the token; use https, or set insecure = true for this relay")
	}
}

// local reports whether a host is this machine or has a private address. A name
// other than localhost says nothing about where it leads.
func local(host string) bool {
	if Loopback(host) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && (addr.Unmap().IsPrivate() || addr.Unmap().IsLinkLocalUnicast())
}

// Loopback reports whether a host, without its port, is this machine.
func Loopback(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}
