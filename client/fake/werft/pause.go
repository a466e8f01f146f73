package werft

import (
	"time"
)

// receipt is a pause or a resume that was taken.
type receipt struct {
	ID        string
	Session   string
	Operation string
	Status    string
	Reason    string
	since     time.Time
	mode      Pausing
	read      bool // it was looked at once, while pending
}

// Pauses returns the pauses and resumes that were taken, in order, as
// "pause SESSION STATUS", with the reason behind a colon where there is one.
func (s *Server) Pauses() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, r := range s.receipts {
		line := r.Operation + " " + r.Session + " " + r.Status
		if r.Reason != "" {
			line += ": " + r.Reason
		}
		out = append(out, line)
	}
	return out
}

type pauseBody struct {
	ExpectedRevision *int64  `json:"expected_revision"`
	Reason           *string `json:"reason"`
}

// pause takes a pause or a resume.
func (s *Server) pause(k Key, id, operation string, body []byte) (any, *problem) {
	if wrong := k.without("sessions:control"); wrong != nil {
		return nil, wrong
	}
	var given pauseBody
	if wrong := strict(body, &given); wrong != nil {
		return nil, wrong
	}
	if given.ExpectedRevision == nil {
		return nil, invalid("expected_revision is missing")
	}
	now := s.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.find(id)
	switch {
	case n == nil:
		return nil, notFound("session")
	case *given.ExpectedRevision != n.Revision:
		return nil, refuse(409, "REVISION_CONFLICT", "the session has changed")
	case operation == "pause" && n.AdmissionState == Paused:
		return nil, refuse(409, "SESSION_PAUSED", "the session is paused")
	case operation == "pause" && n.AdmissionState != Active, operation == "resume" && n.AdmissionState != Paused:
		return nil, refuse(409, "INVALID_STATE", "the session is "+n.AdmissionState)
	}
	n.Revision++
	r := &receipt{ID: s.newID("rcp"), Session: id, Operation: operation, Status: "pending", since: now, mode: s.pausing}
	if given.Reason != nil {
		r.Reason = *given.Reason
	}
	s.receipts = append(s.receipts, r)
	return struct {
		ReceiptID string `json:"receipt_id"`
	}{r.ID}, nil
}

// advance moves a receipt on and reports whether it did; s.mu is held. A receipt
// is pending for the first who looks at it, so that a client has to look twice.
func (s *Server) advance(r *receipt, now time.Time) bool {
	n := s.find(r.Session)
	if r.Status != "pending" || n == nil {
		return false
	}
	if r.Operation == "pause" && r.mode == Blocks && len(n.listed()) > 0 {
		if n.Attention == nil && now.Sub(r.since) >= blockedAfter {
			blocked := "PAUSE_BLOCKED"
			n.Attention = &blocked
			n.Revision++
			return true
		}
		return false
	}
	if !r.read {
		return false
	}
	r.Status = "succeeded"
	n.Attention = nil
	switch {
	case r.mode == Fails:
		r.Status = "failed"
	case r.Operation == "pause":
		n.AdmissionState = Paused
	default:
		n.AdmissionState = Active
	}
	n.Revision++
	return true
}

func (s *Server) receipt(id string) (any, *problem) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.receipts {
		if r.ID == id {
			r.read = true
			return struct {
				Operation string `json:"operation"`
				Status    string `json:"status"`
			}{r.Operation, r.Status}, nil
		}
	}
	return nil, notFound("receipt")
}
