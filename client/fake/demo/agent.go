package demo

import (
	"time"

	"askbox/client/fake"
)

// pool is the work on one stage. Agents take the jobs in their order, and begin
// again with the first when all were done.
type pool struct {
	stage    *stage
	jobs     []Job
	next     int
	sessions map[string]string // the newest session of each title
	open     map[string]int    // agents at work on it
}

// take returns the next job and its session.
func (p *pool) take(at time.Time) (*Job, string) {
	job := &p.jobs[p.next%len(p.jobs)]
	p.next++
	if p.open[job.Title] == 0 {
		// A session is a little older than its first ask.
		p.sessions[job.Title] = p.stage.begin(job, p.sessions[job.Parent], at.Add(-4*time.Minute))
	}
	p.open[job.Title]++
	return job, p.sessions[job.Title]
}

// agent is one agent. It has at most one ask open.
type agent struct {
	pool  *pool
	early bool // asks right from the start

	job     *Job
	place   int // of the next scene of the job
	session string

	scene *Scene
	ask   fake.Ref  // the ask that is, or was last, open
	since time.Time // when it appeared, by this machine's clock
	waits bool      // the ask is open
	busy  bool      // it works on what it was answered
}

// open opens the next scene, of the next job where one has ended.
func (a *agent) open(at time.Time) {
	if a.job == nil || a.place >= len(a.job.Scenes) {
		if a.job != nil {
			a.pool.open[a.job.Title]--
		}
		a.job, a.session = a.pool.take(at)
		a.place = 0
	}
	scene := &a.job.Scenes[a.place]
	a.place++
	a.play(scene, at)
}

// play opens the ask of a scene.
func (a *agent) play(s *Scene, at time.Time) {
	a.scene, a.since, a.waits = s, at, true
	a.ask = a.pool.stage.open(a.session, s.Ask, at)
}
