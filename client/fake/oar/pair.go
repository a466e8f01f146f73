package oar

import (
	"slices"
	"time"

	"askbox/client/fake"
)

// version is the version of OAR whose wire this is.
const version = "0.9.6"

// pairing is another relay that this one knows.
type pairing struct {
	server *Server
	seen   time.Time // by the clock of the relay that knows it
	fault  string    // why it cannot be reached; empty while it can
}

// Pair makes a running relay known to this one, one way. Its asks are listed and
// answered here as long as it is up.
func (s *Server) Pair(other *Server) {
	s.mu.Lock()
	s.paired = append(s.paired, &pairing{server: other})
	s.mu.Unlock()
	s.Tell("remote_relays_updated", object{})
}

// Unpair removes a pairing.
func (s *Server) Unpair(other *Server) {
	s.mu.Lock()
	s.paired = slices.DeleteFunc(s.paired, func(p *pairing) bool { return p.server == other })
	s.mu.Unlock()
	s.Tell("remote_relays_updated", object{})
}

// pairings returns the pairings as they now are. What they point to must not be
// asked with a lock held, because two relays may know each other.
func (s *Server) pairings() (out []pairing) {
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.paired {
		p.fault = "Not reachable (ECONNREFUSED)"
		if p.server.Listening() {
			p.seen, p.fault = now, ""
		}
		out = append(out, *p)
	}
	return out
}

// inAsks is the paired relay in the list of asks.
func (p pairing) inAsks() object {
	out := object{"relayId": p.server.RelayID(), "name": p.server.Name(), "reachable": p.fault == ""}
	if p.fault != "" {
		out["error"] = p.fault
	}
	return out
}

// inRelays is the paired relay in the list of relays.
func (p pairing) inRelays() object {
	id, status := p.server.RelayID(), "online"
	if p.fault != "" {
		status = "offline"
	}
	return object{"id": "rr_" + id[len(id)-8:], "relayId": id, "name": p.server.Name(), "url": p.server.URL(), "tokenMode": "custom",
		"version": version, "lastSeenAt": stamp(p.seen), "lastStatus": status, "lastError": some(p.fault)}
}

// identity is what the relay says it is.
func (s *Server) identity() object {
	return object{"relayId": s.RelayID(), "name": s.options.Name, "version": version, "platform": "linux",
		"publicUrl": nil, "remoteRelays": object{"protocol": 1, "inbound": true}}
}

func (s *Server) getRemoteRelays(*fake.Call) (any, *fake.Refusal) {
	relays := []object{}
	for _, p := range s.pairings() {
		relays = append(relays, p.inRelays())
	}
	return object{"relays": relays, "self": s.identity()}, nil
}
