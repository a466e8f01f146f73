package cli

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/fake"
	"askbox/client/history"
)

// shapes returns every shape that stands in a document, each once.
func shapes() []reflect.Type {
	var all []reflect.Type
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		switch {
		case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
			walk(t.Elem())
		case t.Kind() == reflect.Struct && t != reflect.TypeFor[time.Time]() && !slices.Contains(all, t):
			all = append(all, t)
			for _, f := range reflect.VisibleFields(t) {
				walk(f.Type)
			}
		}
	}
	for _, d := range documents {
		walk(reflect.TypeOf(d.value))
	}
	return all
}

// TestJSONIsAnObjectWithAVersion holds of every document, and every field is named as
// the others are.
func TestJSONIsAnObjectWithAVersion(t *testing.T) {
	for _, d := range documents {
		data, err := json.Marshal(d.value)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(data, &object); err != nil || object["version"] == nil {
			t.Errorf("%s: %v, %s", d.name, err, data)
		}
	}
	for _, shape := range shapes() {
		for _, f := range jsonFields(shape) {
			name := strings.TrimSuffix(f.name, "?")
			if name != "…" && (name == "" || strings.ToLower(name[:1]) != name[:1] || strings.ContainsAny(name, "_- ")) {
				t.Errorf("%s has a field %q", shape.Name(), f.name)
			}
		}
	}
}

// TestJSONPageTellsEveryValue compares the listed values with those that the program has.
func TestJSONPageTellsEveryValue(t *testing.T) {
	var actions, kinds, parts, types, statuses, starters, actors, decisions, after, ends, shown []string
	for i := range client.Offered() {
		actions = append(actions, client.Action(i).Name())
	}
	for _, k := range []client.Kind{client.Approval, client.Question, client.Secret, client.Unknown} {
		kinds = append(kinds, k.Name())
	}
	for k := client.PartCommand; k <= client.PartSays; k++ {
		parts = append(parts, k.Name())
	}
	for f := client.FieldChoice; f <= client.FieldBool; f++ {
		types = append(types, f.Name())
	}
	for s := client.StatusUnknown; s <= client.Gone; s++ {
		statuses = append(statuses, s.Name())
	}
	for _, s := range []client.Starter{client.StarterMe, client.StarterPerson, client.StarterAgent, client.StarterUnknown} {
		starters = append(starters, s.Name())
	}
	for a := client.ActorUser; a <= client.ActorSystem; a++ {
		actors = append(actors, a.Name())
	}
	for _, d := range []client.Decision{client.Allow, client.Always, client.Deny} {
		decisions = append(decisions, d.String())
	}
	for a := client.AfterWentOn; a <= client.AfterStopped; a++ {
		after = append(after, a.Name())
	}
	for e := history.NotSent; e <= history.NotKnown; e++ {
		ends = append(ends, e.Name())
	}
	shown = append(shown, config.OpenComputer, config.OAR, config.Werft, config.OpenCode)
	for _, c := range []struct {
		shape       any
		field, sums string
		values      []string
	}{
		{askJSON{}, "can", ": ", actions}, {askJSON{}, "kind", "", kinds}, {askJSON{}, "status", "", statuses},
		{partJSON{}, "kind", "", parts}, {questionJSON{}, "type", "", types}, {sessionJSON{}, "startedBy", "", starters},
		{closingJSON{}, "byType?", "", actors}, {closingJSON{}, "decision?", "", decisions}, {closingJSON{}, "after?", ": ", after},
		{relayJSON{}, "type", "", shown}, {entryJSON{}, "kind", "", kinds}, {entryJSON{}, "byType?", "", actors},
		{entryJSON{}, "after?", ": ", after}, {answerJSON{}, "decision?", "", decisions}, {attemptJSON{}, "end", "", ends},
	} {
		for _, f := range jsonFields(reflect.TypeOf(c.shape)) {
			if f.name != c.field {
				continue
			}
			listed := f.help
			if c.sums != "" {
				listed, _, _ = strings.Cut(listed, c.sums)
			}
			if want := strings.Join(c.values, ", "); listed != want {
				t.Errorf("%T %s lists %q, and has %q", c.shape, c.field, listed, want)
			}
		}
	}
}

// TestHelp shows a page for each topic, and the help of each command at every depth.
func TestHelp(t *testing.T) {
	home(t)
	run(t, "help", "json").want(t, statusDone, "askbox watch --json", "allow_always", "RELAY/SESSION/ASK")
	run(t, "help", "status").want(t, statusDone, "6  not known")
	run(t, "help", "environment").want(t, statusDone, "ASKBOX_CONFIG", "NO_COLOR")
	run(t, "help", "config", "check").want(t, statusDone, "askbox config check")
	run(t, "help").want(t, statusDone, "askbox help json")
	run(t, "--version").want(t, statusDone, "askbox ", "go1", "/")
}

// TestMatchTakesTheBeginningOfAnID where it fits one ask alone.
func TestMatchTakesTheBeginningOfAnID(t *testing.T) {
	ask := func(session, id string) *client.Ask {
		return &client.Ask{Ref: client.Ref{Relay: "work", Session: session, ID: id}}
	}
	asks := []*client.Ask{ask("cs_1", "ak_0123"), ask("cs_2", "ak_0199"), ask("cs_2", "ak_01")}
	for id, want := range map[string]*client.Ask{
		"ak_012": asks[0], "ak_0199": asks[1], "ak_01": asks[2], "cs_1/": nil, "cs_1/ak": asks[0], "cs_2/ak_019": asks[1], "ak_2": nil, "ak_": nil, "": nil,
	} {
		if got, err := match(asks, "work", id); got != want || err != nil {
			t.Errorf("%q: %+v, %v", id, got, err)
		}
	}
	if got, err := match(asks, "work", "cs_2/ak"); got != nil || err == nil || !strings.Contains(err.Error(), "work/cs_2/ak_0199") {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestManPage names every command and flag that is not hidden, and no line of it is an
// order to roff by accident.
func TestManPage(t *testing.T) {
	home(t)
	page := run(t, "man").out
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		if c.HasParent() && !strings.Contains(page, ".SS "+roff(c.Parent().CommandPath()+" "+c.Use)) {
			t.Errorf("%s is missing", c.CommandPath())
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" && !strings.Contains(page, roff("--"+f.Name)) {
				t.Errorf("%s --%s is missing", c.CommandPath(), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				check(sub)
			}
		}
	}
	check(newApp(Streams{}).root())
	for line := range strings.Lines(page) {
		order, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, ".") && !slices.Contains([]string{".TH", ".SH", ".SS", ".TP", ".B", ".nf", ".fi"}, order) || strings.HasPrefix(line, "'") {
			t.Errorf("roff takes %q for an order", line)
		}
	}
	for _, topic := range topics {
		if !strings.Contains(page, ".SH "+strings.ToUpper(topic.name)) {
			t.Errorf("the topic %s is missing", topic.name)
		}
	}
}

// TestCompletion completes names from what is open, and what can be chosen there.
func TestCompletion(t *testing.T) {
	relay := work(t)
	session := relay.AddSession(fake.Session{Title: "x"})
	bash := relay.Bash(session, "ls", "")
	choice := relay.Choice(session, "Which?", "Post\tgres", "SQLite")
	plan := relay.Plan(session, "# do it")
	for _, c := range []struct{ args, want string }{
		{"show|", "work/" + session + "/" + bash.Ask + "\tApproval"}, {"answer|", "work/" + session + "/" + choice.Ask + "\tQuestion"},
		{"dismiss|", bash.Ask}, {"login|", "work\n"}, {"list|--relay|", "work\n"},
		{"answer|work/" + choice.Ask + "|--choose|", "1=2\t│ SQLite"}, {"answer|work/" + plan.Ask + "|--mode|", "acceptEdits\t"},
	} {
		run(t, append([]string{"__complete"}, strings.Split(c.args, "|")...)...).want(t, statusDone, c.want, ":4\n")
	}
	if r := run(t, "__complete", "show", bash.Ask, ""); strings.Contains(r.out, bash.Ask) {
		t.Error("a second ask is offered")
	}
	defer relay.Break(fake.Hang())()
	began := time.Now()
	if r := run(t, "__complete", "show", ""); r.status != statusDone || time.Since(began) > 10*completeTime {
		t.Errorf("%d after %v: %s", r.status, time.Since(began), r.out)
	}
	configured(t, "nonsense")
	run(t, "__complete", "show", "").want(t, statusDone, ":4\n")
}
