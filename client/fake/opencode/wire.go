package opencode

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/fake"
)

// object is a JSON object whose members need no type of their own.
type object = map[string]any

// projectOf returns the id of the project of a folder: in the fake, each is one.
func projectOf(folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return hex.EncodeToString(sum[:20])
}

type sessionWire struct {
	ID        string `json:"id"`
	Slug      string `json:"slug"`
	ProjectID string `json:"projectID"`
	Directory string `json:"directory"`
	Path      string `json:"path"`
	ParentID  string `json:"parentID,omitzero"`
	Title     string `json:"title"`
	Agent     string `json:"agent"`
	Version   string `json:"version"`
	Cost      int    `json:"cost"`
	Time      object `json:"time"`
}

func wireSession(n *fake.Session) sessionWire {
	out := sessionWire{ID: n.ID, Slug: "silent-otter", ProjectID: projectOf(n.Folder), Directory: n.Folder, ParentID: n.Parent, Title: n.Title,
		Agent: "build", Version: version, Time: object{"created": n.CreatedAt.UnixMilli(), "updated": n.UpdatedAt.UnixMilli()}}
	if n.Parent != "" {
		out.Agent = "general"
	}
	return out
}

type questionWire struct {
	Question string       `json:"question"`
	Header   string       `json:"header"`
	Options  []optionWire `json:"options"`
	Multiple bool         `json:"multiple,omitzero"`
}

type optionWire struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

func wireQuestions(a *fake.Ask) (out []questionWire) {
	for _, q := range a.Questions {
		item := questionWire{q.Text, q.Header, []optionWire{}, q.Several}
		for _, o := range q.Options {
			item.Options = append(item.Options, optionWire(o))
		}
		out = append(out, item)
	}
	return out
}

// wireAsk is a request as it is listed.
func wireAsk(engine int, a *fake.Ask) jsontext.Value {
	c := callOf(a)
	tool := object{"messageID": c.message, "callID": c.id}
	out := object{"id": a.ID, "sessionID": a.Session, "tool": tool}
	switch {
	case len(a.Questions) > 0:
		out["questions"] = wireQuestions(a)
	case engine == 1:
		out["permission"], out["patterns"], out["always"], out["metadata"] = c.permission, c.patterns, c.always, c.metadata
	default:
		delete(out, "tool")
		tool["type"] = "tool"
		out["action"], out["resources"], out["save"], out["source"] = c.permission, c.patterns, c.always, tool
		if c.metadata != nil {
			out["metadata"] = c.metadata
		}
	}
	return fake.Marshal(out)
}

// wireMessage is the message that holds a tool call.
func wireMessage(n *fake.Session, a *fake.Ask) object {
	c := callOf(a)
	state := object{"status": c.status, "input": c.input, "time": times(c.start, c.end)}
	if len(a.Questions) > 0 && a.End.How == fake.Answered {
		state["metadata"] = object{"answers": a.End.Choices}
	}
	switch c.status {
	case "completed":
		state["output"] = c.output
	case "error":
		state["error"] = c.output
	}
	if c.output == abortedWords {
		state["metadata"] = object{"interrupted": true}
	}
	return object{"info": object{"id": c.message, "sessionID": n.ID, "role": "assistant", "time": object{"created": c.start.UnixMilli()}},
		"parts": []object{{"type": "step-start"}, {"type": "tool", "sessionID": n.ID, "messageID": c.message, "callID": c.id, "tool": c.tool, "state": state}}}
}

func times(start, end time.Time) object {
	out := object{"start": start.UnixMilli()}
	if !end.IsZero() {
		out["end"] = end.UnixMilli()
	}
	return out
}

// wireMessage2 is the same in the second engine.
func wireMessage2(a *fake.Ask) object {
	c := callOf(a)
	state := object{"status": c.status, "input": c.input, "structured": object{}, "content": []object{}}
	if len(a.Questions) > 0 && a.End.How == fake.Answered {
		state["structured"] = object{"answers": a.End.Choices}
	}
	switch c.status {
	case "completed":
		state["content"] = []object{{"type": "text", "text": c.output}}
	case "error":
		state["error"] = object{"type": "unknown", "message": c.output}
	}
	return object{"id": c.message, "type": "assistant", "time": object{"created": c.start.UnixMilli()},
		"content": []object{{"type": "tool", "id": c.id, "name": c.tool, "state": state, "time": object{"created": c.start.UnixMilli()}}}}
}

// event is an event as it is sent to everyone who follows.
func (s *Server) event(st *fake.State, engine int, folder, kind string, properties any) string {
	out := object{"payload": object{"id": id("evt", st.Number(), st.Now), "type": kind, "properties": properties}}
	if folder != "" {
		out["directory"] = folder
	}
	// Those of the second engine do not name their project.
	if folder != "" && engine == 1 {
		out["project"] = projectOf(folder)
	}
	return "data: " + string(fake.Marshal(out)) + "\n\n"
}

func (s *Server) tell(st *fake.State, n *fake.Session, kind string, properties any) {
	s.events.Tell([]byte(s.event(st, n.Engine, n.Folder, kind, properties)))
}

// tellSession tells of a session, and once more in the form that is for other
// copies of the server.
func (s *Server) tellSession(st *fake.State, kind string, n *fake.Session) {
	properties := object{"sessionID": n.ID, "info": wireSession(n)}
	s.tell(st, n, kind, properties)
	s.tell(st, n, "sync", properties)
}

// kind is how the events of an ask begin.
func kind(engine int, a *fake.Ask) string {
	kind := "permission"
	if len(a.Questions) > 0 {
		kind = "question"
	}
	if engine == 2 {
		kind += ".v2"
	}
	return kind
}

// follow sends the events, without replay.
func (s *Server) follow(c *fake.Call) (any, *fake.Refusal) {
	beat := func(kind string) (frame string) {
		s.Do(func(st *fake.State) { frame = s.event(st, 1, "", kind, object{}) })
		return frame
	}
	s.events.Serve(c.Reply, c.Request, s.Ended(), 10*time.Second, beat("server.connected"), func() string { return beat("server.heartbeat") })
	return nil, fake.Served
}
