package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"askbox/client"
	"askbox/client/text"
)

// The JSON that commands write with --json, in version [jsonVersion] of its form. Names and
// values stay as they are; what comes later is added. Strings of a relay are as the relay
// sent them. A time is RFC 3339 in UTC, and left out where it is not known.
//
// What stands in the tag "help" is printed by askbox help json: the values that a string
// can have, or what it means.

// jsonVersion changes when something in the JSON is renamed, removed or gets another meaning.
const jsonVersion = 1

type askJSON struct {
	Ref        string      `json:"ref" help:"RELAY/SESSION/ASK: the name that show, answer and dismiss take, the same in every command"`
	Relay      string      `json:"relay" help:"the name in the configuration"`
	Session    sessionJSON `json:"session"`
	ID         string      `json:"id" help:"the relay's id of the ask"`
	Paired     string      `json:"paired,omitempty" help:"the relay behind the configured one that the ask is on"`
	AskedBy    *partyJSON  `json:"askedBy,omitempty" help:"the session that asks through this one"`
	Kind       string      `json:"kind" help:"approval, question, secret, unknown"`
	KindName   string      `json:"kindName,omitempty" help:"the relay's own word for the kind"`
	Status     string      `json:"status" help:"unknown, open, answered, dismissed, declined, interrupted, expired, withdrawn, ended, gone"`
	StatusName string      `json:"statusName,omitempty" help:"the relay's own word for the status"`
	Waits      bool        `json:"waits" help:"the session waits for it"`
	Urgent     bool        `json:"urgent" help:"the agent says now"`
	Opened     *time.Time  `json:"opened,omitempty"`
	Expires    *time.Time  `json:"expires,omitempty"`
	What       string      `json:"what" help:"what is asked"`
	Digest     string      `json:"digest" help:"changes when what is asked changes; answer --digest takes it"`
	// ShortDigest is enough for answer --digest too.
	ShortDigest string            `json:"shortDigest" help:"its first digits, which are enough for answer --digest"`
	Approval    *approvalJSON     `json:"approval,omitempty"`
	Questions   []questionJSON    `json:"questions,omitempty"`
	Secret      *secretJSON       `json:"secret,omitempty"`
	Fields      []partJSON        `json:"fields,omitempty" help:"what an ask of an unknown kind holds"`
	Extra       []extraJSON       `json:"extra,omitempty" help:"what the relay sent beside what askbox knows"`
	Unreadable  string            `json:"unreadable,omitempty" help:"a sentence: why the ask could not be read; nothing can be done with it"`
	Closing     *closingJSON      `json:"closing,omitempty" help:"how it closed, once it has"`
	Can         []string          `json:"can" help:"allow, allow_always, allow_message, deny, deny_message, answer, dismiss, dismiss_message: what may be done with it here"`
	Cannot      map[string]string `json:"cannot,omitempty" help:"by the names of can, a sentence: why it may not be done"`
	Effects     map[string]string `json:"effects,omitempty" help:"by the names of can, a sentence: what it does beyond its name"`
}

type sessionJSON struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Link        string `json:"link,omitempty"`
	Attach      string `json:"attach,omitempty" help:"what a shell runs to go to it"`
	StartedBy   string `json:"startedBy" help:"me, person, agent, unknown"`
	Mode        string `json:"mode,omitempty" help:"in which it works on, as the relay calls it"`
	Origin      string `json:"origin,omitempty" help:"where it was started, in the relay's words"`
	OriginRelay string `json:"originRelay,omitempty" help:"the relay that it was started from"`
	Folder      string `json:"folder,omitempty"`
	Trouble     string `json:"trouble,omitempty" help:"a sentence: what is wrong with the session"`
}

type partyJSON struct {
	Session string `json:"session"`
	Title   string `json:"title"`
}

type approvalJSON struct {
	Tool        string     `json:"tool"`
	Parts       []partJSON `json:"parts" help:"what would be done, in the order of the screen"`
	Excerpt     string     `json:"excerpt,omitempty" help:"a sentence: why the relay shows only a part"`
	Always      []string   `json:"always,omitempty" help:"the rules that allow_always would store"`
	AlwaysScope string     `json:"alwaysScope,omitempty" help:"a sentence: how long and where they hold"`
	Modes       []modeJSON `json:"modes,omitempty" help:"in which a plan can be carried out; answer --mode takes the id"`
}

type modeJSON struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Effect string `json:"effect,omitempty"`
}

type partJSON struct {
	Kind string   `json:"kind" help:"command, arguments, change, plan, field, says"`
	Key  string   `json:"key,omitempty" help:"its name in the tool's input"`
	Path string   `json:"path,omitempty"`
	Text string   `json:"text,omitempty"`
	Args []string `json:"args,omitempty"`
	Note string   `json:"note,omitempty" help:"a sentence of askbox about it"`
}

type extraJSON struct {
	Key  string `json:"key" help:"where it stood"`
	Text string `json:"text" help:"its JSON"`
}

type questionJSON struct {
	ID              string       `json:"id" help:"what stands left of = in answer --choose and --text"`
	Header          string       `json:"header,omitempty"`
	Text            string       `json:"text"`
	Type            string       `json:"type" help:"choice, text, number, integer, boolean"`
	Options         []optionJSON `json:"options,omitempty"`
	Multi           bool         `json:"multi" help:"several options may be chosen"`
	OwnText         bool         `json:"ownText" help:"words of one's own are taken"`
	TextWithChoices bool         `json:"textWithChoices" help:"words may stand beside options"`
	Optional        bool         `json:"optional"`
	Recommendation  string       `json:"recommendation,omitempty"`
	Detail          string       `json:"detail,omitempty"`
	Default         string       `json:"default,omitempty"`
	MaxText         int          `json:"maxText,omitempty" help:"characters"`
}

type optionJSON struct {
	ID          string `json:"id"`
	Label       string `json:"label" help:"what answer --choose takes"`
	Description string `json:"description,omitempty"`
	Effect      string `json:"effect,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

type secretJSON struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Where       string `json:"where" help:"a sentence: where it is given, which is never here"`
}

type closingJSON struct {
	By       string     `json:"by,omitempty" help:"the name that the relay gives"`
	ByType   string     `json:"byType,omitempty" help:"user, agent, system"`
	Me       bool       `json:"me"`
	At       *time.Time `json:"at,omitempty"`
	Surface  string     `json:"surface,omitempty" help:"where it was answered, as the relay calls it"`
	Decision string     `json:"decision,omitempty" help:"allow, always, deny"`
	After    string     `json:"after,omitempty" help:"went_on, asked_again, failed, stopped: what the agent did then"`
	Answer   []string   `json:"answer,omitempty" help:"the answer in words, for people"`
	Note     string     `json:"note,omitempty" help:"a sentence of askbox about it"`
}

func known(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

func raws(texts []text.Text) []string {
	var out []string
	for _, t := range texts {
		out = append(out, t.Raw())
	}
	return out
}

func toJSON(ask *client.Ask) askJSON {
	out := askJSON{
		Ref: ask.Ref.Raw(), Relay: ask.Relay, ID: ask.ID, Paired: ask.Paired,
		Session: sessionToJSON(ask), Kind: ask.Kind.Name(), KindName: ask.KindName.Raw(),
		Status: ask.Status.Name(), StatusName: ask.StatusName.Raw(), Waits: ask.Waits && !ask.Status.Closed(), Urgent: ask.Urgent,
		Opened: known(ask.Opened), Expires: known(ask.Expires), What: ask.What().Raw(), Digest: ask.Digest(),
		Fields: partsToJSON(ask.Fields), Unreadable: ask.Unreadable, Can: []string{},
	}
	if ask.AskedBy != nil {
		out.AskedBy = &partyJSON{ask.AskedBy.Session, ask.AskedBy.Title.Raw()}
	}
	if ap := ask.Approval; ap != nil {
		out.Approval = &approvalJSON{Tool: ap.Tool.Raw(), Parts: partsToJSON(ap.Parts), Excerpt: ap.Excerpt,
			Always: raws(ap.Always), AlwaysScope: ap.AlwaysScope}
		for _, mode := range ap.Modes {
			out.Approval.Modes = append(out.Approval.Modes, modeJSON{mode.ID, mode.Label, mode.Effect})
		}
	}
	for i := range ask.Questions {
		out.Questions = append(out.Questions, questionToJSON(&ask.Questions[i]))
	}
	if s := ask.Secret; s != nil {
		out.Secret = &secretJSON{s.Name.Raw(), s.Description.Raw(), s.Where}
	}
	if c := ask.Closing; c != nil {
		out.Closing = &closingJSON{By: c.By.Name.Raw(), ByType: c.By.Type.Name(),
			Me: c.By.Me, At: known(c.At), Surface: c.Surface.Raw(), Decision: c.Decision.String(), After: c.After.Name(), Answer: raws(c.Answer), Note: c.Note}
	}
	out.ShortDigest = out.Digest[:shortDigits]
	for _, p := range ask.Extra {
		out.Extra = append(out.Extra, extraJSON{p.Key.Raw(), p.Text.Raw()})
	}
	out.offers(ask)
	return out
}

func (out *askJSON) offers(ask *client.Ask) {
	note := func(of *map[string]string, name, words string) {
		if *of == nil {
			*of = map[string]string{}
		}
		(*of)[name] = words
	}
	for i, offer := range ask.AllOffers() {
		name := client.Action(i).Name()
		switch {
		case offer.OK && ask.Status == client.Open:
			out.Can = append(out.Can, name)
			if offer.Effect != "" {
				note(&out.Effects, name, offer.Effect)
			}
		case offer.Why != "":
			note(&out.Cannot, name, offer.Why)
		}
	}
}

func sessionToJSON(ask *client.Ask) sessionJSON {
	s := ask.Session
	return sessionJSON{
		ID: ask.Session.ID, Title: s.Title.Raw(), Link: s.Link, Attach: s.Attach, Mode: ask.Mode.Raw(),
		StartedBy: s.Starter.Name(),
		Origin:    s.Origin.Raw(), OriginRelay: s.OriginRelay.Raw(), Folder: s.Folder.Raw(), Trouble: s.Trouble,
	}
}

func partsToJSON(parts []client.Part) []partJSON {
	var out []partJSON
	for _, p := range parts {
		if vacant(p) {
			continue
		}
		out = append(out, partJSON{
			Kind: p.Kind.Name(),
			Key:  p.Key.Raw(), Path: p.Path.Raw(), Text: p.Text.Raw(), Args: raws(p.Args), Note: p.Note,
		})
	}
	return out
}

func questionToJSON(q *client.QuestionAsk) questionJSON {
	out := questionJSON{
		ID: q.ID, Header: q.Header.Raw(), Text: q.Text.Raw(),
		Type:  q.Type.Name(),
		Multi: q.Multi, OwnText: q.OwnText, TextWithChoices: q.TextWithChoices, Optional: q.Optional,
		Recommendation: q.RecommendedText.Raw(), Detail: q.Detail.Raw(), Default: q.Default.Raw(), MaxText: q.MaxText,
	}
	for i, o := range q.Options {
		out.Options = append(out.Options, optionJSON{o.ID, o.Label.Raw(), o.Description.Raw(), o.Effect, q.Recommended == i+1})
	}
	return out
}

// writeJSON writes one value and a line end; indented where a person may read it.
// What does not print is written as an escape, which is the same JSON and cannot
// drive a terminal that it is printed on.
func writeJSON(w io.Writer, value any, indent bool) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if indent {
		encoder.SetIndent("", "  ")
	}
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeHidden(out.String()))
	return err
}

// escapeHidden writes every character outside ASCII that does not print as \u and
// four digits. In JSON such characters stand in strings only.
func escapeHidden(document string) string {
	hidden := func(r rune) bool { return r == 0x7f || r >= utf8.RuneSelf && !unicode.IsPrint(r) }
	if strings.IndexFunc(document, hidden) < 0 {
		return document
	}
	var b strings.Builder
	for _, r := range document {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
