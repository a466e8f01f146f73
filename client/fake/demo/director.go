package demo

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"askbox/client/fake"
)

// The pace of the world, before Options.Pace.
const (
	firstOpen = 12 // asks that are open at the start
	mostOpen  = 16 // asks that are open at once
)

// span is a range of time to choose from by chance.
type span struct{ from, to time.Duration }

var (
	between  = span{10 * time.Second, 20 * time.Second} // two new asks
	reacting = span{2 * time.Second, 5 * time.Second}   // an answer and what it leads to
	working  = span{6 * time.Second, 15 * time.Second}  // an answer and the story's next scene
	meddling = span{60 * time.Second, 100 * time.Second}
	// minAge keeps somebody else from closing what has only just appeared.
	minAge = 25 * time.Second
)

// director moves the agents. Everything that it does, it does in one goroutine.
type director struct {
	pace   float64
	chance *rand.Rand
	agents []*agent
	due    []*errand

	mu   sync.Mutex
	news []closing     // not heard of yet
	told chan struct{} // holds one; there is news
}

// closing is an ask that somebody closed.
type closing struct {
	stage *stage
	ask   fake.Ask
}

// errand is something to do at a time.
type errand struct {
	at time.Time
	do func(now time.Time)
}

func newDirector(o Options) *director {
	return &director{pace: o.Pace, chance: rand.New(rand.NewPCG(o.Seed, 0x61736b626f78)), told: make(chan struct{}, 1)}
}

// engage puts agents on a stage, who share its jobs between them, and has some
// of them ask right from the start.
func (d *director) engage(stage *stage, jobs []Job, agents, first int) {
	pool := &pool{stage: stage, jobs: jobs, sessions: map[string]string{}, open: map[string]int{}}
	for i := range agents {
		d.agents = append(d.agents, &agent{pool: pool, early: i < first})
	}
	stage.OnClose(func(a fake.Ask) {
		d.mu.Lock()
		d.news = append(d.news, closing{stage, a})
		d.mu.Unlock()
		select {
		case d.told <- struct{}{}:
		default:
		}
	})
}

// The rhythm of a relay that comes and goes.
var (
	staying = span{40 * time.Second, 70 * time.Second}
	leaving = span{15 * time.Second, 25 * time.Second}
)

// comeAndGo takes a server down and up again, for ever.
func (d *director) comeAndGo(server *fake.Server) {
	var leave, come func(time.Time)
	leave = func(now time.Time) {
		_ = server.Down()
		d.later(now, leaving, come)
	}
	come = func(now time.Time) {
		// Where its port is taken it stays away, which is what it is there to show.
		if server.Up() == nil {
			d.later(now, staying, leave)
		}
	}
	d.later(time.Now(), staying, leave)
}

// begin opens the asks that are there from the start, each at another age.
func (d *director) begin(now time.Time) {
	ages := []time.Duration{26 * time.Minute, 11 * time.Minute, 5 * time.Minute, 3 * time.Minute,
		2 * time.Minute, 70 * time.Second, 40 * time.Second, 15 * time.Second,
		9 * time.Minute, 50 * time.Second, 21 * time.Minute}
	for _, a := range d.agents {
		if a.early && d.count() < firstOpen {
			a.open(now.Add(-ages[d.count()%len(ages)]))
		}
	}
	d.later(now, between, d.newAsk)
	d.later(now, meddling, d.meddle)
}

// later plans something within a span of time.
func (d *director) later(now time.Time, s span, do func(time.Time)) {
	wait := s.from + time.Duration(d.chance.Int64N(int64(s.to-s.from)+1))
	d.due = append(d.due, &errand{now.Add(d.paced(wait)), do})
}

func (d *director) paced(wait time.Duration) time.Duration {
	return time.Duration(float64(wait) / d.pace)
}

// run does what is due, until the context ends.
func (d *director) run(ctx context.Context) {
	for {
		timer := time.NewTimer(time.Until(d.next()))
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
			d.step(time.Now())
		case <-d.told:
			timer.Stop()
			d.hear(time.Now())
		}
	}
}

// next returns when the next errand is due.
func (d *director) next() time.Time {
	at := time.Now().Add(time.Hour)
	for _, e := range d.due {
		if e.at.Before(at) {
			at = e.at
		}
	}
	return at
}

// step does the errands that are due.
func (d *director) step(now time.Time) {
	waiting := d.due
	d.due = nil
	for _, e := range waiting {
		if e.at.After(now) {
			d.due = append(d.due, e)
			continue
		}
		e.do(now)
	}
}

// hear takes up the asks that were closed.
func (d *director) hear(now time.Time) {
	d.mu.Lock()
	news := d.news
	d.news = nil
	d.mu.Unlock()
	for _, c := range news {
		for _, a := range d.agents {
			if a.waits && a.pool.stage == c.stage && a.ask == c.ask.Ref() {
				d.react(a, c.ask.End, now)
			}
		}
	}
}

// react plans what an agent does after an answer.
func (d *director) react(a *agent, e fake.End, now time.Time) {
	a.waits, a.busy = false, true
	next := a.scene.after(e)
	if next == nil {
		d.later(now, working, func(time.Time) { a.busy = false })
		return
	}
	d.later(now, reacting, func(at time.Time) { d.follow(a, next, at) })
}

// follow opens what an answer led to, as soon as there is room for it.
func (d *director) follow(a *agent, next *Scene, now time.Time) {
	if d.count() >= mostOpen || !a.pool.stage.Listening() {
		d.later(now, reacting, func(at time.Time) { d.follow(a, next, at) })
		return
	}
	a.busy = false
	a.play(next, now)
}

// newAsk has one of the agents who are free ask something.
func (d *director) newAsk(now time.Time) {
	d.later(now, between, d.newAsk)
	if d.count() >= mostOpen {
		return
	}
	var free []*agent
	for _, a := range d.agents {
		if !a.waits && !a.busy && a.pool.stage.Listening() {
			free = append(free, a)
		}
	}
	if len(free) > 0 {
		free[d.chance.IntN(len(free))].open(now)
	}
}

// meddle has somebody else close an ask, as long as enough are left.
func (d *director) meddle(now time.Time) {
	d.later(now, meddling, d.meddle)
	var old []*agent
	for _, a := range d.agents {
		if a.waits && a.pool.stage.Listening() && now.Sub(a.since) > d.paced(minAge) {
			old = append(old, a)
		}
	}
	if len(old) > 4 {
		a := old[d.chance.IntN(len(old))]
		a.pool.stage.elsewhere(a.ask, a.scene.Ask, d.chance)
	}
}

// count returns how many asks are open.
func (d *director) count() int {
	n := 0
	for _, a := range d.agents {
		if a.waits {
			n++
		}
	}
	return n
}
