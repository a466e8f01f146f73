package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/inbox"
)

type watchOptions struct {
	narrowing
	json bool
	exec string
}

func (a *app) watchCommand() *cobra.Command {
	var o watchOptions
	command := &cobra.Command{
		Use:   "watch",
		Short: "Write a line for each ask that opens or closes and each relay lost or back",
		Long: `Write a line for each ask that opens or closes and for each relay that is lost or
back, until it is interrupted. It begins with the asks that are open already; listed says
that those of a relay are complete. In a pipe the fields are separated by tabs: the time, the
event, the ask or relay, the reason or how it closed, the kind, now where it is urgent, the
digest, and what is asked.

An ask stands with the digest of its content that askbox answer --digest takes.

With --exec, a command is run for each event, one at a time: its words are split as a shell
does, no shell takes part, no relay's token is in its environment, and it has 30 seconds.

With --json: a JSON object a line; askbox help json describes it.`,
		Args: noArguments,
		RunE: a.begin(func(ctx context.Context, _ []string) error { return a.watch(ctx, o) }),
	}
	a.addNarrowing(command, &o.narrowing)
	command.Flags().BoolVar(&o.json, "json", false, "write a JSON object a line")
	command.Flags().StringVar(&o.exec, "exec", "", "run this `command` for each event, which it gets as JSON on its standard input")
	return command
}

func (a *app) watch(ctx context.Context, o watchOptions) error {
	cfg, err := a.load()
	if err != nil {
		return err
	}
	relays, err := pick(cfg, o.relays)
	if err != nil {
		return err
	}
	var run *hook
	if o.exec != "" {
		if run, err = a.newHook(o.exec); err != nil {
			return err
		}
		working, stop := context.WithCancel(ctx)
		go run.run(working)
		defer func() {
			stop()
			close(run.events)
			<-run.done
		}()
	}
	sources, err := a.prepare(ctx, relays)
	if err != nil {
		return err
	}
	defer letGo(sources)
	box := inbox.New(inbox.Options{Sources: sources, Poll: cfg.Poll})
	box.Start()
	defer box.Close(context.WithoutCancel(ctx), false)

	w := watcher{filter: o.filter.value, open: map[client.Ref]*client.Ask{}, state: map[string]bool{}, began: map[string]bool{}}
	var number uint64
	for {
		snapshot, err := box.Next(ctx, number)
		if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		number = snapshot.Number
		for _, event := range w.events(snapshot) {
			if err := a.writeEvent(event, o.json); err != nil {
				return err
			}
			if run != nil {
				run.tell(event)
			}
		}
	}
}

// The events.
const (
	eventOpen   = "open"   // an ask was open when its relay was first listed
	eventOpened = "opened" // an ask is new
	eventClosed = "closed" // an ask is not open any more
	eventListed = "listed" // every ask that was open when a relay was first listed has been told
	eventLost   = "lost"   // a relay is not reachable
	eventBack   = "back"   // and is again
)

// happening is one thing that a watch tells.
type happening struct {
	event  string
	at     time.Time
	relay  string
	via    string // the configured relay that it is reached through, or empty
	reason string
	ask    *client.Ask
}

// watcher tells what changed from one snapshot to the next.
type watcher struct {
	filter client.Filter
	open   map[client.Ref]*client.Ask
	state  map[string]bool // whether a relay, by its name and way, was reachable when last told
	began  map[string]bool // whether its asks were told once
}

func (w *watcher) events(s *inbox.Snapshot) []happening {
	var out []happening
	still := map[client.Ref]bool{}
	for _, group := range s.Groups {
		key := group.Via + "/" + group.Name
		was, known := w.state[key]
		changed := known && group.State.Reachable != was || !known && !group.State.Reachable
		if group.State.Asked && changed {
			out = append(out, happening{event: lostOrBack(group.State.Reachable), at: s.Taken, relay: group.Name, via: group.Via, reason: lostFor(group.State)})
		}
		if group.State.Asked {
			w.state[key] = group.State.Reachable
		}
		first := !w.began[key] && group.State.Asked && group.State.Reachable
		word := eventOpened
		if !w.began[key] {
			word = eventOpen
		}
		for _, item := range group.Items {
			ask := item.Ask
			if ask.Status.Closed() || !w.filter.Passes(ask) {
				continue
			}
			still[ask.Ref] = true
			if w.open[ask.Ref] == nil {
				out = append(out, happening{event: word, at: s.Taken, relay: group.Name, ask: ask})
			}
			w.open[ask.Ref] = ask
		}
		if first {
			w.began[key] = true
			out = append(out, happening{event: eventListed, at: s.Taken, relay: group.Name, via: group.Via})
		}
	}
	return append(out, w.closed(s, still)...)
}

// closed tells the asks that are not open any more, with how they closed where
// the snapshot knows it.
func (w *watcher) closed(s *inbox.Snapshot, still map[client.Ref]bool) []happening {
	var out []happening
	for ref, ask := range w.open {
		if still[ref] {
			continue
		}
		delete(w.open, ref)
		if item := s.Closed.Find(ref); item != nil {
			ask = item.Ask
		}
		out = append(out, happening{event: eventClosed, at: s.Taken, relay: ref.Relay, ask: ask})
	}
	return out
}

// lostFor says why a relay is lost; empty of one that is not.
func lostFor(s inbox.State) string {
	if s.Trouble == "" || s.Trouble == client.Unreached {
		return s.Reason
	}
	return strings.TrimSuffix(s.Trouble+": "+s.Reason, ": ")
}

func lostOrBack(reachable bool) string {
	if reachable {
		return eventBack
	}
	return eventLost
}

type eventJSON struct {
	Version int       `json:"version"`
	Event   string    `json:"event" help:"open (was open at the start), opened, closed, listed (all that a relay had open at the start has been told), lost, back"`
	At      time.Time `json:"at"`
	Relay   string    `json:"relay"`
	Via     string    `json:"via,omitempty" help:"the configured relay that it is reached through"`
	Reason  string    `json:"reason,omitempty" help:"a sentence: why it was lost"`
	Ask     *askJSON  `json:"ask,omitempty"`
}

func eventToJSON(h happening) eventJSON {
	out := eventJSON{Version: jsonVersion, Event: h.event, At: h.at.UTC(), Relay: h.relay, Via: h.via, Reason: h.reason}
	if h.ask != nil {
		ask := toJSON(h.ask)
		out.Ask = &ask
	}
	return out
}

func (a *app) writeEvent(h happening, asJSON bool) error {
	if asJSON {
		return writeJSON(a.Out, eventToJSON(h), false)
	}
	line := eventFields(h)
	if a.OutTerminal {
		line = a.eventLine(h)
	}
	_, err := fmt.Fprintln(a.Out, line)
	return err
}
