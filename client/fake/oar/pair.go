package oar

import (
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// pairing is another relay that this one knows.
type pairing struct {
	server *Server
	seen   time.Time // by the clock of the relay that knows it
	// status and fault are set by a test; empty: as the relay is.
	status, fault string
}

// Pair makes a running relay known to this one, one way. Its asks are listed and
// answered here as long as it is up.
func (s *Server) Pair(other *Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paired = append(s.paired, &pairing{server: other})
}

// Unpair removes a pairing.
func (s *Server) Unpair(other *Server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paired = slices.DeleteFunc(s.paired, func(p *pairing) bool { return p.server == other })
}

// SetPairing says how a paired relay does, whatever is true: unknown, online,
// offline, unauthorized or error, and the words of the last error. An empty
// status goes back to what is true.
func (s *Server) SetPairing(other *Server, status, lastError string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.paired {
		if p.server == other {
			p.status, p.fault = status, lastError
		}
	}
}

// pairings returns the pairings as they now are. What they point to must not be
// asked with s.mu held, because two relays may know each other.
func (s *Server) pairings() []*pairing {
	now := s.Now()
	s.mu.Lock()
	out := slices.Clone(s.paired)
	s.mu.Unlock()
	for _, p := range out {
		up := p.server.Listening()
		s.mu.Lock()
		if up && p.status == "" {
			p.seen = now
		}
		s.mu.Unlock()
	}
	copies := make([]*pairing, len(out))
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, p := range out {
		held := *p
		copies[i] = &held
	}
	return copies
}

// pairState is how a paired relay does.
type pairState struct {
	*pairing
	reachable bool
	status    string
	fault     string // empty when there is none
}

func (p *pairing) state() pairState {
	if p.status != "" {
		return pairState{p, p.status == "online", p.status, p.fault}
	}
	if p.server.Listening() {
		return pairState{p, true, "online", ""}
	}
	return pairState{p, false, "offline", "Not reachable (ECONNREFUSED)"}
}

// inAsks is the paired relay in the list of asks.
func (p pairState) inAsks() jsontext.Value {
	return fake.Marshal(struct {
		RelayID   string `json:"relayId"`
		Name      string `json:"name"`
		Reachable bool   `json:"reachable"`
		Error     string `json:"error,omitzero"`
	}{p.server.RelayID(), p.server.Name(), p.reachable, p.fault})
}

// inRelays is the paired relay in the list of relays.
func (p pairState) inRelays() jsontext.Value {
	var fault *string
	if p.fault != "" {
		fault = &p.fault
	}
	id := p.server.RelayID()
	return fake.Marshal(struct {
		ID         string  `json:"id"`
		RelayID    string  `json:"relayId"`
		Name       string  `json:"name"`
		URL        string  `json:"url"`
		TokenMode  string  `json:"tokenMode"`
		Version    string  `json:"version"`
		LastSeenAt *stamp  `json:"lastSeenAt"`
		LastStatus string  `json:"lastStatus"`
		LastError  *string `json:"lastError"`
	}{"rr_" + id[len(id)-8:], id, p.server.Name(), p.server.URL(), "custom", p.server.options.Version,
		at(p.seen), p.status, fault})
}

// identity is what the relay says it is.
type identity struct {
	RelayID      string      `json:"relayId"`
	Name         string      `json:"name"`
	Version      string      `json:"version"`
	Platform     string      `json:"platform"`
	PublicURL    *string     `json:"publicUrl"`
	RemoteRelays remoteProto `json:"remoteRelays"`
}

type remoteProto struct {
	Protocol int  `json:"protocol"`
	Inbound  bool `json:"inbound"`
}

func (s *Server) identity() identity {
	return identity{RelayID: s.RelayID(), Name: s.options.Name, Version: s.options.Version, Platform: "linux",
		RemoteRelays: remoteProto{1, true}}
}

func (s *Server) getIdentity(*http.Request) (any, *problem) {
	if s.options.NoIdentity {
		return nil, page(http.StatusNotFound)
	}
	return s.identity(), nil
}

func (s *Server) getRemoteRelays(*http.Request) (any, *problem) {
	relays := []jsontext.Value{}
	for _, p := range s.pairings() {
		relays = append(relays, p.state().inRelays())
	}
	return struct {
		Relays []jsontext.Value `json:"relays"`
		Self   identity         `json:"self"`
	}{relays, s.identity()}, nil
}
