package inbox

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"askbox/client"
	"askbox/client/text"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// double is a relay that a test scripts. It keeps asks as a relay would and
// counts what it is asked for.
type double struct {
	mu    sync.Mutex
	asks  []*client.Ask              // open, as listed
	over  map[client.Ref]*client.Ask // closed, as read one by one
	down  error                      // of every call
	slow  time.Duration              // of every call
	lists func(n int) (client.Batch, error)
	takes func(n int, a *client.Ask, answer client.Answer) (*client.Ask, error)
	reads func(n int, a *client.Ask) (*client.Ask, error)
	about client.About
	shut  client.Batch
	ahead time.Duration // of its clock; 0 where it tells none
	pair  []client.Paired

	opens, gets, closes, busy, most int
	openedAt                        []time.Duration
	began                           time.Time
	sent                            []client.Answer
	since                           []time.Time // of the listings of closed asks
}

func newDouble(asks ...*client.Ask) *double {
	return &double{asks: asks, over: map[client.Ref]*client.Ask{}, began: time.Now()}
}

// wait takes as long as a call does, or until the context ends.
func (d *double) wait(ctx context.Context) error {
	d.mu.Lock()
	slow, down := d.slow, d.down
	d.mu.Unlock()
	if slow > 0 {
		select {
		case <-time.After(slow):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return down
}

func (d *double) Open(ctx context.Context) (client.Batch, error) {
	d.mu.Lock()
	d.opens++
	n := d.opens
	d.openedAt = append(d.openedAt, time.Since(d.began))
	d.busy++
	d.most = max(d.most, d.busy)
	lists := d.lists
	// What is listed is what is there when the call begins.
	b := client.Batch{Asks: slices.Clone(d.asks), Complete: true, Paired: d.pair}
	if d.ahead != 0 {
		b.Now = time.Now().Add(d.ahead).Truncate(time.Second) // as a Date header has it
	}
	d.mu.Unlock()
	defer func() { d.mu.Lock(); d.busy--; d.mu.Unlock() }()
	if err := d.wait(ctx); err != nil {
		return client.Batch{}, err
	}
	if lists != nil {
		return lists(n)
	}
	return b, nil
}

func (d *double) Closed(ctx context.Context, since time.Time) (client.Batch, error) {
	d.mu.Lock()
	d.closes++
	d.since = append(d.since, since)
	shut := d.shut
	d.mu.Unlock()
	return shut, d.wait(ctx)
}

// listedClosed is how often the closed asks were listed.
func (d *double) listedClosed() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closes
}

func (d *double) Get(ctx context.Context, a *client.Ask) (*client.Ask, error) {
	d.mu.Lock()
	d.gets++
	n, reads := d.gets, d.reads
	d.mu.Unlock()
	if err := d.wait(ctx); err != nil {
		return nil, err
	}
	if reads != nil {
		return reads(n, a)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range d.asks {
		if o.Ref == a.Ref {
			return o, nil
		}
	}
	if o := d.over[a.Ref]; o != nil {
		return o, nil
	}
	return nil, &client.NotFound{}
}

func (d *double) Answer(ctx context.Context, a *client.Ask, answer client.Answer) (*client.Ask, error) {
	d.mu.Lock()
	d.sent = append(d.sent, answer)
	n, takes := len(d.sent), d.takes
	d.mu.Unlock()
	if err := d.wait(ctx); err != nil {
		return nil, err
	}
	if takes != nil {
		return takes(n, a, answer)
	}
	how, by := byMe(answer)
	return d.end(a.Ref, how, by), nil
}

func (d *double) About(ctx context.Context) (client.About, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.about, d.down
}

// set changes the relay under its lock.
func (d *double) set(change func(*double)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change(d)
}

// end closes an ask and returns it.
func (d *double) end(ref client.Ref, how client.Status, c client.Closing) *client.Ask {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, a := range d.asks {
		if a.Ref == ref {
			over := *a
			over.Status, over.Closing = how, &c
			d.over[ref] = &over
			d.asks = slices.Delete(slices.Clone(d.asks), i, i+1)
			return &over
		}
	}
	return d.over[ref]
}

func (d *double) count() (opens, gets, sent int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.opens, d.gets, len(d.sent)
}

// byMe is how an ask closes with an answer of mine.
func byMe(answer client.Answer) (client.Status, client.Closing) {
	c := client.Closing{By: client.Actor{Type: client.ActorUser, ID: "usr_1", Name: text.New("Ada"), Me: true}, At: time.Now()}
	if answer.Dismiss {
		return client.Dismissed, c
	}
	c.Decision, c.Answer = answer.Decision, []text.Text{text.New(answer.Decision.String())}
	return client.Answered, c
}

// maybeMe is a closing by a person on a relay that does not tell whose token it is.
func maybeMe(answer client.Answer) client.Closing {
	_, c := byMe(answer)
	c.By.Me, c.By.MaybeMe, c.Given = false, true, &answer
	return c
}

func byGrace(word string) client.Closing {
	return client.Closing{By: client.Actor{Type: client.ActorUser, ID: "usr_2", Name: text.New("Grace")}, At: time.Now(),
		Answer: []text.Text{text.New(word)}}
}

var sixOClock = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

// ask makes an approval that was opened minutes after six.
func ask(n int, change ...func(*client.Ask)) *client.Ask {
	a := &client.Ask{
		Ref:  client.Ref{Relay: "work", Session: "cs_1", ID: fmt.Sprintf("ak_%d", n)},
		Kind: client.Approval, Status: client.Open, Waits: true,
		Session: client.Session{ID: "cs_1", Title: text.New("Fix the flaky build"), Starter: client.StarterMe},
		Opened:  sixOClock.Add(time.Duration(n) * time.Minute),
		Offers:  client.Offered(client.ActAllow, client.ActAlways, client.ActAllowMessage, client.ActDeny, client.ActDenyReason, client.ActDismiss, client.ActDismissMessage),
		Approval: &client.ApprovalAsk{Tool: text.New("Bash"), Always: []text.Text{text.New("Bash(make)")},
			Parts: []client.Part{{Kind: client.PartCommand, Text: text.New(fmt.Sprintf("make step-%d", n))}}},
		Raw: fmt.Appendf(nil, `{"id":"ak_%d"}`, n),
	}
	for _, c := range change {
		c(a)
	}
	return a
}

func command(s string) func(*client.Ask) {
	return func(a *client.Ask) {
		approval := *a.Approval
		approval.Parts = []client.Part{{Kind: client.PartCommand, Text: text.New(s)}}
		a.Approval, a.Raw = &approval, []byte(s)
	}
}

var (
	allow = client.Answer{Decision: client.Allow}
	deny  = client.Answer{Decision: client.Deny}
)

// play runs an inbox on some relays in fake time, and closes it at the end.
func play(t *testing.T, o Options, story func(t *testing.T, b *Inbox), relays ...client.Relay) {
	t.Helper()
	names := []string{"work", "home", "prod"}
	for i, r := range relays {
		o.Sources = append(o.Sources, Source{Name: names[i], Kind: "double", Relay: r})
	}
	if o.Poll == 0 {
		o.Poll = 2 * time.Second
	}
	b := New(o)
	b.Start()
	synctest.Wait()
	story(t, b)
	b.Close(t.Context(), false)
}

// after lets time pass and everything that it brings come to rest.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func send(t *testing.T, b *Inbox, a *client.Ask, answer client.Answer) {
	t.Helper()
	it := b.Latest().Find(a.Ref)
	if it == nil {
		t.Fatalf("%v is not there", a.Ref)
	}
	if err := b.Send(a.Ref, it.Digest, answer); err != nil {
		t.Fatalf("the answer was not taken: %v", err)
	}
	synctest.Wait()
}

// flightOf returns the answer on an ask's item, and fails where there is none.
func flightOf(t *testing.T, b *Inbox, a *client.Ask) *Flight {
	t.Helper()
	it := b.Latest().Find(a.Ref)
	if it == nil || it.Flight == nil {
		t.Fatalf("%v has no answer on its way: %+v", a.Ref, it)
	}
	return it.Flight
}

func isOpen(b *Inbox, a *client.Ask) bool {
	it := listed(b, a)
	return it != nil && !it.Ask.Status.Closed()
}

// listed returns the item of an ask as a group shows it, or nil.
func listed(b *Inbox, a *client.Ask) *Item {
	for _, g := range b.Latest().Groups {
		for _, it := range g.Items {
			if it.Ask.Ref == a.Ref {
				return it
			}
		}
	}
	return nil
}

// breakFolder takes a folder away.
func breakFolder(t *testing.T, folder string) {
	t.Helper()
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
}
