package demo

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"askbox/client/fake"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// play runs a world in fake time and gives it to f, with a function that lets
// time pass.
func play(t *testing.T, o Options, f func(w *World, wait func(time.Duration))) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		o.network = func() fake.Network { return fake.NewPipe() }
		w, err := Start(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		f(w, func(d time.Duration) {
			time.Sleep(d)
			synctest.Wait()
		})
	})
}

// stages returns the relays that have agents, or those of the given names.
func stages(w *World, names ...string) []*stage {
	var out []*stage
	for _, a := range w.director.agents {
		if s := a.pool.stage; !slices.Contains(out, s) && (names == nil || slices.Contains(names, s.name)) {
			out = append(out, s)
		}
	}
	return out
}

func open(w *World) (n int) {
	for _, s := range stages(w) {
		n += s.OpenAsks()
	}
	return n
}

func TestTheWorldStartsWithAsksOfEveryKind(t *testing.T) {
	play(t, Options{}, func(w *World, wait func(time.Duration)) {
		names := []string{}
		for _, r := range w.Relays {
			names = append(names, r.Name)
			if r.Kind == "" || r.URL == "" || r.Token == "" {
				t.Errorf("relay %+v is not whole", r)
			}
		}
		if !slices.Equal(names, []string{"work", "home", "laptop", "studio", "releases", "lab", "attic"}) {
			t.Errorf("the relays are %v", names)
		}
		if got := open(w); got != firstOpen {
			t.Errorf("%d asks are open at the start, want %d", got, firstOpen)
		}
		kinds := map[string]bool{}
		for _, a := range everything(w) {
			kinds[a.kind] = true
		}
		for _, kind := range []string{"Bash", "Edit", "ExitPlanMode", "single", "multi", "several", "secret"} {
			if !kinds[kind] {
				t.Errorf("no %s is open at the start: %v", kind, kinds)
			}
		}
	})
}

func TestNewAsksKeepComingUpToALimit(t *testing.T) {
	play(t, Options{Seed: 4}, func(w *World, wait func(time.Duration)) {
		wait(41 * time.Second)
		if got := open(w); got < firstOpen+2 || got > firstOpen+4 {
			t.Errorf("%d asks are open after 41 seconds", got)
		}
		for range 60 {
			wait(time.Minute)
			if got := open(w); got > mostOpen {
				t.Fatalf("%d asks are open", got)
			}
		}
		kinds := map[string]int{}
		closed := map[string]int{}
		for _, a := range everything(w) {
			kinds[a.kind]++
			closed[a.status]++
		}
		for _, kind := range []string{"Bash", "Edit", "ExitPlanMode", "single", "multi", "several", "secret"} {
			if kinds[kind] == 0 {
				t.Errorf("an hour has no %s: %v", kind, kinds)
			}
		}
		if closed["answered"] == 0 || closed["interrupted"] == 0 || closed["declined"] == 0 {
			t.Errorf("in an hour nobody closed some kinds elsewhere: %v", closed)
		}
	})
}

// told is one ask of a world, for comparing and counting.
type told struct{ kind, status, what string }

func everything(w *World) (out []told) {
	for _, s := range stages(w) {
		for _, a := range s.Everything() {
			out = append(out, told{kindOf(a), a.End.How, fmt.Sprint(s.name, a.OpenedAt, a.ID, a.End)})
		}
	}
	return out
}

func kindOf(a fake.Ask) string {
	switch {
	case a.Approval():
		tool, _ := a.ToolCall()
		return tool
	case a.Secret != "":
		return "secret"
	case a.Form != "":
		return "form"
	case len(a.Questions) > 1:
		return "several"
	case a.Questions[0].Several:
		return "multi"
	}
	return "single"
}

func TestEqualSeedsGiveEqualWorlds(t *testing.T) {
	var runs [3][]told
	for i, seed := range []uint64{7, 7, 8} {
		play(t, Options{Seed: seed}, func(w *World, wait func(time.Duration)) {
			wait(20 * time.Minute)
			runs[i] = everything(w)
		})
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Error("the same seed gave two worlds")
	}
	if slices.Equal(runs[0], runs[2]) {
		t.Error("another seed gave the same world")
	}
}

func TestAgentsReactToAnswers(t *testing.T) {
	for _, tc := range []struct {
		answer fake.Answer
		want   string
	}{
		{fake.Allow, "go test -race -count=20 ./orders/..."},
		{fake.Deny("use the cache"), "go clean -testcache"},
	} {
		play(t, Options{}, func(w *World, wait func(time.Duration)) {
			server := stages(w, "work")[0].Store
			ref, ok := find(server, "rm -rf build")
			if !ok {
				t.Fatal("the first story is not open")
			}
			if !server.AnswerAs(ada, ref, tc.answer) {
				t.Fatal("it was closed already")
			}
			wait(reacting.to + time.Millisecond)
			next, ok := find(server, tc.want)
			if !ok || next.Session != ref.Session {
				t.Errorf("%v led to nothing in its session", tc.answer)
			}
		})
	}
}

// find returns the open ask for a command.
func find(server *fake.Store, command string) (fake.Ref, bool) {
	for _, a := range server.Everything() {
		if a.Open() && a.Command == command {
			return a.Ref(), true
		}
	}
	return fake.Ref{}, false
}

func TestTheLaptopComesAndGoes(t *testing.T) {
	play(t, Options{}, func(w *World, wait func(time.Duration)) {
		laptop := stages(w, "laptop")[0]
		changes := 0
		for before := true; changes < 6; changes++ {
			limit := time.Now().Add(staying.to + time.Second)
			for laptop.Listening() == before {
				if time.Now().After(limit) {
					t.Fatalf("after %d changes it stays as it is", changes)
				}
				wait(time.Second)
			}
			before = !before
		}
	})
}

func TestTheRealNetwork(t *testing.T) {
	w, err := Start(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	reachable := 0
	for _, r := range w.Relays {
		if reaches(t, r) {
			reachable++
		}
	}
	if reachable != len(w.Relays)-1 {
		t.Errorf("%d of %d relays can be reached", reachable, len(w.Relays))
	}
}

// listings are what is open on each kind of relay.
var listings = map[string]string{"opencomputer": "/sessions?status=waiting",
	"oar": "/api/relay-questions?status=pending", "werft": "/v1/sessions?status=needs_input", "opencode": "/permission"}

// reaches reports whether a relay gives a person with its token a listing.
func reaches(t *testing.T, r Relay) bool {
	request, err := http.NewRequestWithContext(t.Context(), "GET", r.URL+listings[r.Kind], nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+r.Token)
	if r.User != "" {
		request.SetBasicAuth(r.User, r.Token)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	return response.StatusCode == http.StatusOK
}
