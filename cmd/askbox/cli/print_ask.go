package cli

import (
	"strings"

	"askbox/client"
	"askbox/client/text"
)

func (p *printer) ask(ask *client.Ask, shown string) {
	p.head(ask, shown)
	switch {
	case ask.Unreadable != "":
		p.say("\nIt could not be read: %s. It cannot be answered here. As the relay sent it:", strings.TrimSuffix(ask.Unreadable, "."))
		p.quote(text.New(string(ask.Raw)), text.Exact)
	case ask.Approval != nil:
		p.approval(ask.Approval)
	case ask.Secret != nil:
		p.named("Secret", ask.Secret.Name)
		p.titled("The agent says", ask.Secret.Description, text.Words)
		p.say("\n%s", ask.Secret.Where)
	}
	for i := range ask.Questions {
		p.question(&ask.Questions[i], i, len(ask.Questions))
	}
	p.parts(ask.Fields)
	p.extra(ask.Extra)
	p.closing(ask)
	if ask.Status == client.Open {
		p.offers(ask, shown)
	}
}

func (p *printer) head(ask *client.Ask, shown string) {
	words := []string{kindWord(ask)}
	if ask.Status != client.Open {
		words = append(words, ask.Status.String())
	} else if ask.Waits {
		words = append(words, "the session waits")
	}
	if ask.Urgent {
		words = append(words, "now")
	}
	p.say("%s", strings.Join(words, " · "))
	p.say("%s · %s", argument(shown), p.opened(ask))
	p.say("digest %s", shortDigest(ask))
	if left := ask.TimeLeft(p.now); left != "" {
		p.say("%s", left)
	}
	if ask.Kind == client.Unknown && ask.Unreadable == "" {
		p.named("The relay calls its kind", ask.KindName)
	}
	if (ask.Kind == client.Question || ask.Approval != nil && ask.Approval.Tool.Empty()) && ask.KindName.Raw() != ask.Kind.Name() {
		p.named("Asked through", ask.KindName)
	}
	if ask.Status == client.StatusUnknown {
		p.named("The relay calls its status", ask.StatusName)
	}
	started := [...]string{", not told whose", ", started by you", ", started by another person", ", started by an agent"}[ask.Session.Starter]
	p.named("Session"+started, ask.Session.Title)
	if ask.Session.Starter == client.StarterPerson {
		p.named("Started by", ask.Session.StartedBy.Name)
	}
	p.named("Started from", ask.Session.Origin)
	p.named("on the relay", ask.Session.OriginRelay)
	p.named("In the folder", ask.Session.Folder)
	p.named("The session works on in the mode", ask.Mode)
	if ask.AskedBy != nil {
		p.named("On behalf of it asks", ask.AskedBy.Title)
	}
	if ask.Session.Link != "" {
		p.named("Link", text.New(ask.Session.Link))
	}
	if ask.Session.Attach != "" {
		p.named("To go there, run", text.New(ask.Session.Attach))
	}
	if ask.Session.Trouble != "" {
		p.say("\nThe session: %s", ask.Session.Trouble)
	}
}

func (p *printer) opened(ask *client.Ask) string {
	if ask.Opened.IsZero() {
		return "opened at a time that is not known"
	}
	return "opened " + client.Ago(p.now.Sub(ask.Opened))
}
