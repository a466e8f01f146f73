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

// The JSON that commands write with --json. Its names stay as they are; what
// comes later is added. Strings of a relay are as the relay sent them. A time is
// RFC 3339, and left out where it is not known.

type askJSON struct {
	Ref     string      `json:"ref"` // what show, answer and dismiss take
	Relay   string      `json:"relay"`
	Session sessionJSON `json:"session"`
	ID      string      `json:"id"`
	Paired  string      `json:"paired,omitempty"`
	AskedBy *partyJSON  `json:"askedBy,omitempty"`
	Kind    string      `json:"kind"` // approval, question, secret, unknown
	// KindName and StatusName are the relay's own words.
	KindName   string     `json:"kindName,omitempty"`
	Status     string     `json:"status"`
	StatusName string     `json:"statusName,omitempty"`
	Waits      bool       `json:"waits"`
	Urgent     bool       `json:"urgent"`
	Opened     *time.Time `json:"opened,omitempty"`
	Expires    *time.Time `json:"expires,omitempty"`
	What       string     `json:"what"`
	// Digest changes when what is asked changes; answer --digest takes it, or the short one.
	Digest      string         `json:"digest"`
	ShortDigest string         `json:"shortDigest"`
	Approval    *approvalJSON  `json:"approval,omitempty"`
	Questions   []questionJSON `json:"questions,omitempty"`
	Secret      *secretJSON    `json:"secret,omitempty"`
	Fields      []partJSON     `json:"fields,omitempty"`
	// Extra is what the relay sent that askbox does not know: where it stood, and its JSON.
	Extra      []extraJSON       `json:"extra,omitempty"`
	Unreadable string            `json:"unreadable,omitempty"`
	Closing    *closingJSON      `json:"closing,omitempty"`
	Can        []string          `json:"can"`              // what may be done with it here
	Cannot     map[string]string `json:"cannot,omitempty"` // and why not, where there is a reason
}

type sessionJSON struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Link        string `json:"link,omitempty"`
	StartedBy   string `json:"startedBy"`      // me, person, agent, unknown
	Mode        string `json:"mode,omitempty"` // in which it works on, as the relay calls it
	Origin      string `json:"origin,omitempty"`
	OriginRelay string `json:"originRelay,omitempty"`
	Folder      string `json:"folder,omitempty"`
	Trouble     string `json:"trouble,omitempty"`
}

type partyJSON struct {
	Session string `json:"session"`
	Title   string `json:"title"`
}

type approvalJSON struct {
	Tool        string     `json:"tool"`
	Parts       []partJSON `json:"parts"`
	Excerpt     string     `json:"excerpt,omitempty"`
	Always      []string   `json:"always,omitempty"`
	AlwaysScope string     `json:"alwaysScope,omitempty"`
	Modes       []modeJSON `json:"modes,omitempty"`
}

type modeJSON struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Effect string `json:"effect,omitempty"`
}

type partJSON struct {
	Kind string   `json:"kind"` // command, arguments, change, plan, field, says
	Key  string   `json:"key,omitempty"`
	Path string   `json:"path,omitempty"`
	Text string   `json:"text,omitempty"`
	Args []string `json:"args,omitempty"`
	Note string   `json:"note,omitempty"`
}

type extraJSON struct {
	Key  string `json:"key"`
	Text string `json:"text"`
}

type questionJSON struct {
	ID              string       `json:"id"`
	Header          string       `json:"header,omitempty"`
	Text            string       `json:"text"`
	Type            string       `json:"type"` // choice, text, number, integer, boolean
	Options         []optionJSON `json:"options,omitempty"`
	Multi           bool         `json:"multi"`
	OwnText         bool         `json:"ownText"`
	TextWithChoices bool         `json:"textWithChoices"`
	Optional        bool         `json:"optional"`
	Recommendation  string       `json:"recommendation,omitempty"`
	Detail          string       `json:"detail,omitempty"`
	Default         string       `json:"default,omitempty"`
	MaxText         int          `json:"maxText,omitempty"` // characters
}

type optionJSON struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Effect      string `json:"effect,omitempty"`
	Recommended bool   `json:"recommended,omitempty"`
}

type secretJSON struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Where       string `json:"where"`
}

type closingJSON struct {
	By      string     `json:"by,omitempty"`     // name
	ByType  string     `json:"byType,omitempty"` // user, agent, system
	Me      bool       `json:"me"`
	At      *time.Time `json:"at,omitempty"`
	Surface string     `json:"surface,omitempty"`
	// Decision is allow, always or deny, where the relay tells. Answer says it in words.
	Decision string   `json:"decision,omitempty"`
	Answer   []string `json:"answer,omitempty"`
	Note     string   `json:"note,omitempty"`
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

func toJSON(ask *client.Ask, n names) askJSON {
	out := askJSON{
		Ref: n.raw(ask), Relay: ask.Relay, ID: ask.ID, Paired: ask.Paired,
		Session: sessionToJSON(ask), Kind: ask.Kind.Name(), KindName: ask.KindName.Raw(),
		Status: ask.Status.String(), StatusName: ask.StatusName.Raw(), Waits: ask.Waits && !ask.Status.Closed(), Urgent: ask.Urgent,
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
			Me: c.By.Me, At: known(c.At), Surface: c.Surface.Raw(), Decision: c.Decision.String(), Answer: raws(c.Answer), Note: c.Note}
	}
	out.ShortDigest = out.Digest[:shortDigits]
	for _, p := range ask.Extra {
		out.Extra = append(out.Extra, extraJSON{p.Key.Raw(), p.Text.Raw()})
	}
	out.offers(ask)
	return out
}

func (out *askJSON) offers(ask *client.Ask) {
	for i, offer := range ask.Offers {
		name := client.Action(i).Name()
		switch {
		case offer.OK && ask.Status == client.Open:
			out.Can = append(out.Can, name)
		case offer.Why != "":
			if out.Cannot == nil {
				out.Cannot = map[string]string{}
			}
			out.Cannot[name] = offer.Why
		}
	}
}

func sessionToJSON(ask *client.Ask) sessionJSON {
	s := ask.Session
	return sessionJSON{
		ID: ask.Session.ID, Title: s.Title.Raw(), Link: s.Link, Mode: ask.Mode.Raw(),
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
