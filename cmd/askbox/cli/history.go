package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/history"
	"askbox/client/inbox"
	"askbox/client/text"
)

type historyOptions struct {
	since       string
	local, json bool
	limit       int
	relayNames
	timeLimit
}

func (a *app) historyCommand() *cobra.Command {
	var o historyOptions
	command := &cobra.Command{
		Use:   "history",
		Short: "List what was answered",
		Long: `List what was answered, newest first: when, the kind, what became of the ask, which one,
with what, what was asked, the session, by whom, where, and what was tried here in vain. It
puts together what was answered on this machine and what the relays tell, as the inbox does
with h; with --local it asks no relay. In a pipe the fields are separated by tabs.

A relay that fails is named on standard error and makes the exit status 4. The JSON that
--json writes is described by askbox help json.`,
		Example: `  askbox history --since 7d
  askbox history --local --json | jq '.answered[] | select(.decision == "deny")'`,
		Args: noArguments,
		RunE: a.begin(func(ctx context.Context, _ []string) error { return a.history(ctx, o) }),
	}
	command.Flags().StringVar(&o.since, "since", "24h", "how far back: a `time` such as 24h or 7d, yesterday, or a day such as 2026-11-30")
	command.Flags().BoolVar(&o.local, "local", false, "list only what was answered on this machine, and ask no relay")
	command.Flags().BoolVar(&o.json, "json", false, "write JSON")
	o.relayNames.add(a, command, "list only what closed on this relay")
	o.timeLimit.add(command)
	command.Flags().IntVar(&o.limit, "limit", 0, "list at most this many, the newest")
	return command
}

func (a *app) history(ctx context.Context, o historyOptions) error {
	since, err := sinceWhen(o.since, a.now())
	if err != nil {
		return err
	}
	if o.limit < 0 {
		return &usageError{"--limit has to be more than nothing, such as 20"}
	}
	kept, err := history.At(config.StateDir()).Read(since)
	if err != nil {
		return err
	}
	readings, failed, err := a.readClosed(ctx, o, since)
	if err != nil {
		return err
	}
	var told []inbox.Told
	for _, r := range readings {
		told = append(told, inbox.Told{Relay: r.config.Name, Batch: r.batch, At: a.now()})
	}
	entries := inbox.Answered(since, kept.Entries, told)
	if len(o.relays) > 0 {
		entries = only(entries, o.relays)
	}
	if o.limit > 0 && len(entries) > o.limit {
		entries = entries[:o.limit]
	}
	if !kept.Since.IsZero() {
		a.note("What was answered here before %s is not kept any more: there was too much of it.", kept.Since.Local().Format("Jan _2 15:04"))
	}
	if kept.LeftOut > 0 {
		a.note("%s of the history cannot be an entry and was left out: it is too long.", client.Count(kept.LeftOut, "line"))
	}
	if o.json {
		if err := writeJSON(a.Out, historyToJSON(entries, readings), true); err != nil {
			return err
		}
		return failed
	}
	for _, e := range entries {
		for _, line := range a.entryLines(e) {
			fmt.Fprintln(a.Out, line)
		}
	}
	if len(entries) == 0 && a.OutTerminal {
		fmt.Fprintln(a.Out, "Nothing was answered in that time.")
	}
	return failed
}

func only(entries []*history.Entry, relays []string) (out []*history.Entry) {
	for _, e := range entries {
		for _, name := range relays {
			if e.Ref.Relay == name {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

// readClosed asks the relays what closed since a moment, unless only this machine is
// wanted, or nothing is configured. failed is what went wrong with some of them.
func (a *app) readClosed(ctx context.Context, o historyOptions, since time.Time) (readings []*reading, failed, err error) {
	if _, err := config.Load(config.Path(a.config)); o.local || is[*config.Missing](err) {
		return nil, nil, nil
	}
	cfg, err := a.load()
	if err != nil {
		return nil, nil, err
	}
	relays, err := pick(cfg, o.relays)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel, err := o.timeLimit.start(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer cancel()
	var all []error
	readings = ask(relays, func(r *reading) { r.batch, r.err = r.relay.Closed(ctx, since) }, func(some []*reading) {
		for _, r := range some {
			if r.err != nil {
				problem := &unread{r.config.Name, r.err}
				a.complain(problem)
				all = append(all, &told{problem})
			}
		}
	})
	return readings, worst(all), nil
}

// sinceWhen returns the moment that --since means.
func sinceWhen(word string, now time.Time) (time.Time, error) {
	wrong := &usageError{"--since " + quoted(word) + " is no time; write how far back, such as 24h or 7d, or yesterday, or a day such as 2026-11-30"}
	midnight := func(t time.Time) time.Time {
		y, m, d := t.Date()
		return time.Date(y, m, d, 0, 0, 0, 0, t.Location())
	}
	word = strings.ToLower(strings.TrimSpace(word))
	switch word {
	case "today":
		return midnight(now), nil
	case "yesterday":
		return midnight(now.AddDate(0, 0, -1)), nil
	}
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.ParseInLocation(form, strings.ToUpper(word), now.Location()); err == nil {
			return at, nil
		}
	}
	var back time.Duration
	if days, rest, some := strings.Cut(word, "d"); some {
		n, err := strconv.ParseUint(days, 10, 16)
		if err != nil {
			return time.Time{}, wrong
		}
		back, word = time.Duration(n)*24*time.Hour, rest
	}
	if word != "" {
		more, err := time.ParseDuration(word)
		if err != nil || more < 0 {
			return time.Time{}, wrong
		}
		back += more
	}
	if back <= 0 {
		return time.Time{}, wrong
	}
	return now.Add(-back), nil
}

type historyJSON struct {
	Version  int           `json:"version"`
	Answered []entryJSON   `json:"answered" help:"newest first"`
	Relays   []readingJSON `json:"relays" help:"every relay that was asked"`
}

type entryJSON struct {
	Ref          string `json:"ref" help:"RELAY/SESSION/ASK"`
	Relay        string `json:"relay"`
	Session      string `json:"session"`
	ID           string `json:"id"`
	SessionTitle string `json:"sessionTitle"`
	Kind         string `json:"kind" help:"approval, question, secret, unknown"`
	Waited       bool   `json:"waited" help:"the session waited for it"`
	What         string `json:"what" help:"what was asked"`
	How          string `json:"how" help:"how it closed, as status in an ask; open where an answer was only tried"`
	answerJSON
	By      string       `json:"by,omitempty" help:"the name that the relay gives"`
	ByType  string       `json:"byType,omitempty" help:"user, agent, system"`
	ByMe    bool         `json:"byMe"`
	At      *time.Time   `json:"at,omitempty"`
	Surface string       `json:"surface,omitempty" help:"where it was answered, as the relay calls it"`
	After   string       `json:"after,omitempty" help:"went_on, asked_again, failed, stopped: what the agent did then"`
	With    []string     `json:"with,omitempty" help:"the answer in words, for people"`
	Note    string       `json:"note,omitempty" help:"a sentence of askbox about it"`
	Shown   string       `json:"shown,omitempty" help:"what was on the screen, where the relay says that something else was answered"`
	Told    string       `json:"told,omitempty" help:"what the relay says was answered instead"`
	Here    bool         `json:"here" help:"it was answered with askbox on this machine"`
	Tried   *attemptJSON `json:"tried,omitempty" help:"the last answer given here that is not known to have counted"`
}

// answerJSON is what was answered, as far as that is known.
type answerJSON struct {
	Decision string   `json:"decision,omitempty" help:"allow, always, deny"`
	Mode     string   `json:"mode,omitempty" help:"in which a plan is carried out"`
	Message  string   `json:"message,omitempty"`
	Choices  []string `json:"choices,omitempty" help:"the labels of what was chosen"`
	Texts    []string `json:"texts,omitempty" help:"what was typed"`
}

type attemptJSON struct {
	Dismiss bool `json:"dismiss" help:"it was a dismissal"`
	answerJSON
	End  string     `json:"end" help:"not_sent, refused, too_late, not_known"`
	At   *time.Time `json:"at,omitempty"`
	Why  string     `json:"why,omitempty" help:"a sentence"`
	Said string     `json:"said,omitempty" help:"the relay's words"`
}

func historyToJSON(entries []*history.Entry, readings []*reading) historyJSON {
	out := historyJSON{Version: jsonVersion, Answered: []entryJSON{}, Relays: []readingJSON{}}
	for _, e := range entries {
		out.Answered = append(out.Answered, entryToJSON(e))
	}
	for _, r := range readings {
		out.Relays = append(out.Relays, readingToJSON(r))
	}
	return out
}

func entryToJSON(e *history.Entry) entryJSON {
	out := entryJSON{
		Ref: e.Ref.Raw(), Relay: e.Ref.Relay, Session: e.Ref.Session, ID: e.Ref.ID,
		SessionTitle: e.Session.Raw(), Kind: e.Kind.Name(), Waited: e.Waited, What: e.What.Raw(),
		How: e.How.Name(), answerJSON: answerToJSON(e.Answer), By: e.By.Raw(), ByType: e.ByType.Name(), ByMe: e.ByMe, At: known(e.At),
		Surface: e.Surface.Raw(), After: e.After.Name(), With: raws(e.With), Note: e.Note,
		Shown: e.Shown.Raw(), Told: e.Told.Raw(), Here: e.Here,
	}
	if t := e.Tried; t != nil {
		out.Tried = &attemptJSON{Dismiss: t.Answer.Dismiss, answerJSON: answerToJSON(t.Answer), End: t.End.Name(), At: known(t.At),
			Why: t.Why, Said: t.Said.Raw()}
	}
	return out
}

func answerToJSON(a history.Answer) answerJSON {
	return answerJSON{Decision: a.Decision.String(), Mode: a.Mode.Raw(), Message: a.Message.Raw(), Choices: raws(a.Choices), Texts: raws(a.Texts)}
}

// entryLines writes one entry: what the program says, then what was answered, then
// what an agent wrote.
func (a *app) entryLines(e *history.Entry) []string {
	with := make([]string, len(e.With))
	for i, line := range e.With {
		with[i] = line.Fit(60)
	}
	answered := strings.Join(with, ", ")
	if answered == "" {
		answered = "-"
	}
	tried := ""
	if e.Tried != nil {
		tried = e.Tried.End.String() + ": " + e.Tried.Answer.Action().String()
	}
	if !a.OutTerminal {
		at := ""
		if !e.At.IsZero() {
			at = e.At.UTC().Format(time.RFC3339)
		}
		by := e.By.Fit(60)
		if e.ByMe {
			by = "me"
		} else if !e.By.Empty() {
			by = e.By.Quoted(60)
		}
		return []string{strings.Join([]string{at, e.Kind.String(), e.Did(), e.Ref.String(),
			answered, e.What.Fit(longest), e.Session.Fit(longest), by, e.Surface.Fit(60), tried}, "\t")}
	}
	return a.entryRows(e, answered, tried)
}

func (a *app) entryRows(e *history.Entry, answered, tried string) []string {
	when := text.Pad("-", len("Jan _2 15:04"))
	if !e.At.IsZero() {
		when = e.At.Local().Format("Jan _2 15:04")
	}
	by := ""
	if e.ByMe {
		by = "by you  "
	}
	left := fmt.Sprintf("%s  %s  %s  %s%s  %s%s  ", when, text.Pad(e.Kind.String(), 8),
		text.Pad(e.Did(), 15), by, argument(e.Ref.String()), gutter, answered)
	rows := []string{text.Cut(left+e.What.Fit(a.Width)+" · "+e.Session.Fit(30), a.Width)}
	below := func(words string, t text.Text) {
		if words += "  "; !t.Empty() {
			words += gutter + t.Fit(a.Width)
		}
		rows = append(rows, text.Cut("  "+strings.TrimRight(words, " "), a.Width))
	}
	if !e.ByMe && !e.By.Empty() {
		below("by", e.By)
	}
	if !e.Surface.Empty() {
		below("in", e.Surface)
	}
	if tried != "" {
		below("your answer was "+tried, text.Text{})
	}
	if !e.Told.Empty() {
		below("TAKE CARE: "+inbox.Differ, e.Told)
	}
	if e.After != client.AfterUnknown {
		below(e.After.String(), text.Text{})
	}
	return rows
}
