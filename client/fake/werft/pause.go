package werft

import (
	"fmt"
	"path"
	"time"

	"askbox/client/fake"
)

// blockedAfter is how long a pause waits for the open requests before the relay
// says that it is blocked.
const blockedAfter = 60 * time.Second

// receipt is a pause or a resume that was taken.
type receipt struct {
	id        string
	session   *fake.Session
	operation string
	status    string
	since     time.Time
	read      bool // it was looked at once, while pending
}

func newReceipt(st *fake.State) string { return fmt.Sprintf("rcp_%02d", st.Number()) }

// Pauses returns the pauses and resumes that were taken, in order, as "pause
// SESSION STATUS".
func (s *Server) Pauses() (out []string) {
	s.Do(func(*fake.State) {
		for _, r := range s.receipts {
			out = append(out, r.operation+" "+r.session.ID+" "+r.status)
		}
	})
	return out
}

// postPause takes a pause or a resume.
func (s *Server) postPause(c *fake.Call) (any, *fake.Refusal) {
	var given struct {
		ExpectedRevision *int64  `json:"expected_revision"`
		Reason           *string `json:"reason"`
	}
	n, operation := c.Session(), path.Base(c.URL.Path)
	_, err := fake.Strict(c.Body, &given)
	switch {
	case !c.Key.May("sessions:control"):
		return nil, lacks("sessions:control")
	case err != nil:
		return nil, invalid("the body is not a pause: " + err.Error())
	case given.ExpectedRevision == nil:
		return nil, invalid("expected_revision is missing")
	case given.Reason != nil && operation == "resume":
		return nil, invalid("reason goes with a pause only")
	case n == nil:
		return nil, notFound("session")
	case *given.ExpectedRevision != n.Revision:
		return nil, refuse(409, "REVISION_CONFLICT", "the session has changed")
	case operation == "pause" && n.State == Paused:
		return nil, refuse(409, "SESSION_PAUSED", "the session is paused")
	case operation == "pause" && n.State != Active, operation == "resume" && n.State != Paused:
		return nil, refuse(409, "INVALID_STATE", "the session is "+n.State)
	}
	r := &receipt{newReceipt(c.State), n, operation, "pending", c.Now, false}
	s.receipts = append(s.receipts, r)
	c.Touch(n, c.Now)
	return object{"receipt_id": r.id}, nil
}

// advance moves the receipts on. A pause does not come true while a request is
// open: after a while the relay says that it is blocked. A receipt is pending for
// the first who looks at it, so that a client has to look twice.
func (s *Server) advance(st *fake.State) {
	for _, r := range s.receipts {
		blocked := r.operation == "pause" && len(r.session.Open()) > 0
		switch {
		case r.status != "pending":
		case blocked && r.session.Attention == "" && st.Now.Sub(r.since) >= blockedAfter:
			r.session.Attention = "PAUSE_BLOCKED"
			st.Touch(r.session, st.Now)
		case r.read && !blocked:
			r.status, r.session.State, r.session.Attention = "succeeded", Active, ""
			if r.operation == "pause" {
				r.session.State = Paused
				r.session.Checkpoint++
			}
			st.Touch(r.session, st.Now)
		}
	}
}

func (s *Server) getReceipt(c *fake.Call) (any, *fake.Refusal) {
	for _, r := range s.receipts {
		if r.id == c.PathValue("receipt") {
			r.read = true
			return object{"operation": r.operation, "status": r.status}, nil
		}
	}
	return nil, notFound("receipt")
}
