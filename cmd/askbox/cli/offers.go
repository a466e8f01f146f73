package cli

import (
	"slices"
	"strings"

	"askbox/client"
	"askbox/client/text"
)

func (p *printer) closing(ask *client.Ask) {
	c := ask.Closing
	if c == nil {
		return
	}
	when := ""
	if !c.At.IsZero() {
		when = ", " + client.Ago(p.now.Sub(c.At))
	}
	p.say("\nClosed: %s%s", ask.EndedBy(), when)
	for _, line := range c.Answer {
		p.quote(line, text.Words)
	}
	if c.Note != "" {
		p.say("%s", c.Note)
	}
}

// offers says what may be done with an ask, with lines that are to be copied.
func (p *printer) offers(ask *client.Ask, shown string) {
	all := ask.AllOffers()
	if !slices.ContainsFunc(all[:], func(o client.Offer) bool { return o.OK || o.Why != "" }) {
		return
	}
	p.say("\nWhat can be done with it")
	name, last := argument(shown), ""
	for _, o := range [...]struct {
		act    client.Action
		line   string
		answer client.Answer
	}{
		{client.ActAllow, "answer " + name + " --allow", client.Answer{Decision: client.Allow}},
		{client.ActAlways, "answer " + name + " --always", client.Answer{Decision: client.Always}},
		{client.ActDeny, "answer " + name + " --deny", client.Answer{Decision: client.Deny}},
		{client.ActAnswer, "answer " + name + " --choose LABEL or --text TEXT", client.Answer{}},
		{client.ActDismiss, "dismiss " + name, client.Answer{Dismiss: true}},
	} {
		offer := ask.Offer(o.act)
		if !offer.OK {
			continue
		}
		if o.answer.Approves() {
			if why := ask.TooLarge(p.width); why != "" {
				last = why
				continue
			}
			o.line += " --digest " + shortDigest(ask)
		}
		confirm := ask.Confirm(o.answer)
		if confirm != "" {
			o.line += " --confirm"
		}
		p.offer(o.line, sentence(offer.Effect, confirm))
		if o.act == client.ActAllow {
			p.modes(ask, o.line, confirm != "")
		}
	}
	p.refused(ask, last)
}

func (p *printer) offer(line, effect string) {
	p.line("  askbox " + line)
	if effect != "" {
		p.say("    (%s)", effect)
	}
}

// modes writes a line for each way to carry a plan out.
func (p *printer) modes(ask *client.Ask, line string, confirmed bool) {
	for _, mode := range ask.Approval.Modes {
		with := line + " --mode " + argument(text.New(mode.ID).String())
		if mode.Confirm != "" && !confirmed {
			with += " --confirm"
		}
		p.offer(with, "")
	}
}

// refused says what cannot be done here, each reason once.
func (p *printer) refused(ask *client.Ask, more string) {
	said := map[string]bool{"": true}
	for _, offer := range ask.AllOffers() {
		if why := offer.Why; !said[why] {
			said[why] = true
			p.say("  not here: %s", why)
		}
	}
	if !said[more] {
		p.say("  not here: %s", more)
	}
}

// announce says what an answer does beyond this one ask, before it is sent.
func (p *printer) announce(ask *client.Ask, answer client.Answer) {
	if answer.Decision == client.Always {
		p.say("From now on this is allowed without asking%s:", scope(ask.Approval.AlwaysScope))
		for _, rule := range ask.Approval.Always {
			p.quote(rule, text.Line)
		}
	}
	if effect := ask.Offer(answer.Action()).Effect; effect != "" {
		p.say("With this answer: %s.", strings.TrimSuffix(effect, "."))
	}
}
