package oar

import (
	"context"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
	"askbox/client/relays"
	"askbox/client/relays/httpx"
	"askbox/client/text"
)

// identity is who the relay says that it is.
type identity struct {
	id      string
	version text.Text
	known   bool
}

const identityPath = "/api/relay/identity"

// identify asks the relay who it is. One that does not know the question is an
// old one, and no error.
func (r *Relay) identify(ctx context.Context) (identity, error) {
	reply, o, err := r.get(ctx, identityPath, nil)
	if noSuchPath(reply, err) {
		r.setMissing(identityPath)
		return identity{}, nil
	}
	if err != nil {
		return identity{}, err
	}
	me := identity{id: relays.Word(o, "relayId"), version: text.New(relays.Word(o, "version")), known: true}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.self = me
	return me, nil
}

// who returns the relay's own id, which is empty where it does not tell.
func (r *Relay) who(ctx context.Context) (string, error) {
	r.mu.Lock()
	me := r.self
	r.mu.Unlock()
	if me.known || r.isMissing(identityPath) {
		return me.id, nil
	}
	me, err := r.identify(ctx)
	return me.id, err
}

// pairedEvery is how often the relay itself looks after the relays it is paired
// with; asking it more often tells nothing new.
const pairedEvery = time.Minute

// pairings is what the relay says of the relays that it is paired with.
type pairings struct {
	relays []pairedRelay
	at     time.Time
}

type pairedRelay struct {
	client.Paired
	base string // where its sessions are shown; empty where that is not known
}

// named is what the paired relay is called.
func (p *pairedRelay) named() text.Text {
	if p.Name.Empty() {
		return text.New(p.ID)
	}
	return p.Name
}

// readPairings reads them, at most once a minute. A relay that has none to tell
// of, or that fails to, costs nothing else.
func (r *Relay) readPairings(ctx context.Context) ([]pairedRelay, error) {
	r.mu.Lock()
	p := r.paired
	r.mu.Unlock()
	if !p.at.IsZero() && time.Since(p.at) < pairedEvery {
		return p.relays, nil
	}
	got := r.list(ctx, "/api/remote-relays", nil, "relays")
	if got.err != nil && relays.OfTheRelay(got.err) {
		return p.relays, got.err
	}
	if got.err == nil || got.absent {
		p.relays = nil
		for _, raw := range got.items {
			if one, ok := readPaired(raw); ok {
				p.relays = append(p.relays, one)
			}
		}
	}
	p.at = time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.paired = p
	return p.relays, nil
}

// states says in words why a paired relay cannot be asked.
var states = map[string]string{
	"offline": "offline", "unauthorized": "it refuses the token of the relay it is reached through",
	"error": "it answers with an error", "unknown": "it has not been asked yet",
}

// reason takes the relay's words for why it cannot be asked, without those that
// stand beside it on the screen anyway.
func reason(words string) text.Text {
	inner, found := strings.CutPrefix(words, "Not reachable (")
	if inner, ends := strings.CutSuffix(inner, ")"); found && ends && inner != "" {
		return text.New(inner)
	}
	return text.New(words)
}

func readPaired(raw jsontext.Value) (pairedRelay, bool) {
	o, err := httpx.Split(raw)
	id := relays.Word(o, "relayId")
	if err != nil || id == "" {
		return pairedRelay{}, false
	}
	p := pairedRelay{Paired: client.Paired{ID: id, Identity: id, Name: text.New(relays.Word(o, "name")),
		Seen: httpx.ParseTime(relays.Word(o, "lastSeenAt"))}}
	status := relays.Word(o, "lastStatus")
	if p.Reachable = status == "online"; !p.Reachable {
		p.Reason = reason(relays.Word(o, "lastError"))
		if p.Reason.Empty() {
			p.Reason = text.New(states[status])
		}
	}
	p.base = relays.Link(clean(relays.Word(o, "url")))
	return p, true
}

// pairs puts together what the listing of asks and the relay's own checks say. A
// relay that answers and whose asks are not listed is left out: a group without
// asks would claim that nothing waits there.
func pairs(told jsontext.Value, checked []pairedRelay, self string) []pairedRelay {
	var all []pairedRelay
	at := map[string]int{}
	byID := map[string]pairedRelay{}
	for _, c := range checked {
		byID[c.ID] = c
	}
	items, _ := httpx.List(told)
	for _, raw := range items {
		o, err := httpx.Split(raw)
		id := relays.Word(o, "relayId")
		if _, twice := at[id]; err != nil || id == "" || id == self || twice {
			continue
		}
		p := byID[id]
		p.ID, p.Identity = id, id
		if name := relays.Word(o, "name"); name != "" {
			p.Name = text.New(name)
		}
		if reach := o.Get("reachable"); reach != nil {
			p.Reachable = reach.Kind() == 't'
		}
		if why := relays.Word(o, "error"); why != "" {
			p.Reason = reason(why)
		}
		if p.Reachable {
			p.Reason = text.Text{}
		}
		at[id] = len(all)
		all = append(all, p)
	}
	for _, p := range checked {
		if _, listed := at[p.ID]; !listed && !p.Reachable && p.ID != self {
			at[p.ID] = len(all)
			all = append(all, p)
		}
	}
	return all
}
