package cli

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"askbox/client"
	"askbox/client/config"
	"askbox/client/fake"
	"askbox/client/fake/oar"
	"askbox/client/fake/opencode"
	"askbox/client/fake/opencomputer"
	"askbox/client/fake/werft"
	"askbox/client/inbox"
)

// kinds starts a relay of each kind on a network.
var kinds = map[string]func(n fake.Network) (*fake.Store, func() error, error){
	config.OpenComputer: func(n fake.Network) (*fake.Store, func() error, error) {
		s, err := opencomputer.Start(opencomputer.Options{Network: n})
		return s.Store, nil, err
	},
	config.OAR: func(n fake.Network) (*fake.Store, func() error, error) {
		s, err := oar.Start(oar.Options{Network: n})
		return s.Store, nil, err
	},
	config.Werft: func(n fake.Network) (*fake.Store, func() error, error) {
		s, err := werft.Start(werft.Options{Network: n})
		return s.Store, nil, err
	},
	config.OpenCode: func(n fake.Network) (*fake.Store, func() error, error) {
		s, err := opencode.Start(opencode.Options{Network: n, Root: "/srv/app"})
		return s.Store, s.Restart, err
	},
}

// stand is a relay that goes wrong, with an ask, beside one that is well, in an inbox.
type stand struct {
	*fake.Store
	t          *testing.T
	kind       string
	pipe       *fake.Pipe
	restarting func() error // where the kind has its own way
	token      string       // the file that it is in
	session    string
	other      *fake.Store
	box        *inbox.Inbox
}

// played plays one row on one kind of relay, in fake time.
func played(t *testing.T, kind string, play func(s *stand)) {
	t.Helper()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := &stand{t: t, kind: kind, pipe: fake.NewPipe(), token: filepath.Join(dir, "odd")}
		var err error
		if s.Store, s.restarting, err = kinds[kind](s.pipe); err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		well := fake.NewPipe()
		if s.other, _, err = kinds[config.OpenComputer](well); err != nil {
			t.Fatal(err)
		}
		defer s.other.Close()
		odd := &lazy{config: s.configured(dir, "odd", kind, s.Store), patience: tokenPatience, line: line{dial: s.pipe.DialContext}}
		home := &lazy{config: s.configured(dir, "home", config.OpenComputer, s.other), patience: tokenPatience, line: line{dial: well.DialContext}}
		s.box = inbox.New(inbox.Options{Poll: 2 * time.Second, Sources: []inbox.Source{
			{Name: "odd", Kind: kind, Relay: odd}, {Name: "home", Kind: config.OpenComputer, Relay: home}}})
		s.box.Start()
		defer s.box.Close(t.Context(), false)
		s.session = s.AddSession(fake.Session{Title: "Odd", Folder: "/srv/app"})
		play(s)
	})
}

func (s *stand) configured(dir, name, kind string, store *fake.Store) *config.Relay {
	s.t.Helper()
	path := filepath.Join(dir, name)
	keep(s.t, path, store.Token())
	body := fmt.Sprintf("[[relay]]\nname = %q\ntype = %q\nurl = %q\ninsecure = true\ntoken_file = %q\n", name, kind, store.URL(), path)
	if err := os.WriteFile(path+".toml", []byte(body), 0o600); err != nil {
		s.t.Fatal(err)
	}
	cfg, err := config.Load(path + ".toml")
	if err != nil {
		s.t.Fatal(err)
	}
	return cfg.Relays[0]
}

// The faults that are no reply of the relay.

func (s *stand) down() func() {
	if err := s.Down(); err != nil {
		s.t.Fatal(err)
	}
	return func() {
		if err := s.Up(); err != nil {
			s.t.Fatal(err)
		}
	}
}

func (s *stand) freeze() func() {
	s.pipe.Freeze()
	return func() {}
}

func (s *stand) clock(off time.Duration) func() {
	s.SetClock(off)
	return func() {}
}

// restart leaves the relay with the same asks under other ids.
func (s *stand) restart() func() {
	for _, a := range s.Everything() {
		s.Remove(a.Ref())
		if a.Open() {
			s.ask(a.Command)
		}
	}
	return func() {}
}

// renew has the relay take another token than before, which stands in the file by now.
func (s *stand) renew() func() {
	old := s.Requests()[0].Header.Get("Authorization")
	is := func(want bool) func(fake.Request) bool {
		return func(r fake.Request) bool { return (r.Header.Get("Authorization") == old) == want }
	}
	s.Break(fake.Unauthorized().When(is(true)))
	s.Break(fake.Change(func(r *http.Request) { r.Header.Set("Authorization", old) }).When(is(false)))
	keep(s.t, s.token, "another-token")
	return func() {}
}

func (s *stand) ask(command string) fake.Ref { return s.Bash(s.session, command, "") }

// says returns what the screen says of the relay, beside its asks.
func (s *stand) says() string {
	synctest.Wait()
	st := s.box.Latest().Groups[0].State
	if st.Reachable {
		return st.Partial
	}
	return strings.TrimSuffix(st.Trouble+" · "+st.Reason, " · ")
}

// well waits until nothing is said of the relay any more.
func (s *stand) well() {
	s.t.Helper()
	for end := time.Now().Add(11 * time.Minute); s.says() != ""; time.Sleep(time.Second) {
		if time.Now().After(end) {
			s.t.Fatalf("it is well, and still said to be: %s", s.says())
		}
	}
}

// shown waits for an ask by its command, and returns it as it is shown.
func (s *stand) shown(relay, command string, within time.Duration) *inbox.Item {
	s.t.Helper()
	for end := time.Now().Add(within); ; time.Sleep(100 * time.Millisecond) {
		synctest.Wait()
		for _, g := range s.box.Latest().Groups {
			for _, it := range g.Items {
				if g.Name == relay && !it.Ask.Status.Closed() && strings.Contains(it.Ask.Line(200), command) {
					return it
				}
			}
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s is not on the screen after %v; %s", command, within, s.says())
		}
	}
}

func (s *stand) send(it *inbox.Item, answer client.Answer) {
	s.t.Helper()
	if err := s.box.Send(it.Ask.Ref, it.Digest, answer); err != nil {
		s.t.Fatalf("the answer is not taken: %v", err)
	}
}

// ended waits until an answer is over.
func (s *stand) ended(it *inbox.Item, within time.Duration) *inbox.Flight {
	s.t.Helper()
	for end := time.Now().Add(within); ; time.Sleep(100 * time.Millisecond) {
		synctest.Wait()
		now := s.box.Latest().Find(it.Ask.Ref)
		if now != nil && now.Flight != nil && now.Flight.State >= inbox.Done {
			return now.Flight
		}
		if time.Now().After(end) {
			s.t.Fatalf("the answer is under way after %v: %+v", within, now)
		}
	}
}

// meanwhile: the other relay's new ask is shown and answered, as on any day.
func (s *stand) meanwhile(command string) {
	s.t.Helper()
	ref := s.other.Bash(s.other.AddSession(fake.Session{Title: "Home"}), command, "")
	it := s.shown("home", command, 3*time.Second)
	s.send(it, client.Answer{Decision: client.Allow})
	if f := s.ended(it, 3*time.Second); f.State != inbox.Done {
		s.t.Errorf("the other relay's answer ended as %d: %v", f.State, f.Err)
	}
	if a, _ := s.other.Ask(ref); a.Open() {
		s.t.Error("the other relay's ask is still open")
	}
}

// asked opens an ask and returns its command.
func (s *stand) asked(command string) string {
	s.ask(command)
	return command
}
