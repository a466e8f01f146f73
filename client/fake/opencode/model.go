package opencode

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Session is a session as tests and stories give it.
type Session struct {
	ID    string // ses_ and 26 characters; made up where it is empty
	Title string
	// Folder is the absolute path that the session works in; [Options.Root] where
	// it is empty. Each folder has an instance of its own.
	Folder string
	// Parent is the id of the session that a subagent works for.
	Parent string
	Agent  string // "build", or "general" where there is a parent
	// Engine is 1 or 2; 0 is 1.
	Engine int
	// Updated is when it changed last; now where it is zero.
	Updated time.Time
	// Archived leaves it out of the listing over all projects.
	Archived bool
}

// Permission is the wish to do something, as the first engine has it. The second
// engine calls its members action, resources and save.
type Permission struct {
	Permission string   // the name, such as bash or edit
	Patterns   []string // what it is wanted for
	Metadata   any      // encoded as JSON; nil is an empty object, and left out by the second engine
	Always     []string // what "always" would allow
	Call       Call
	// Unlistable names the member of the metadata that is undefined, which breaks
	// the listing of the first engine while this is open: "timeout", "path".
	Unlistable string
	At         time.Time // when it opened; now where it is zero
}

// Question is one question of a request.
type Question struct {
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Options  []Option `json:"options"`
	Multiple bool     `json:"multiple,omitzero"`
}

// Option is one answer that is offered.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Call is the tool call that asks.
type Call struct {
	Tool  string // the tool's name; the permission's where it is empty
	Input any    // encoded as JSON; nil is an empty object
	// ID is of an earlier call of the same session, which asks once more; it is
	// made up where it is empty.
	ID string
	// Early leaves the call at "pending" until [Server.Begin], as it is for a moment
	// after the event.
	Early bool
}

// State is where an ask is.
type State int

// The states. A ghost is listed and can be answered, but nobody waits for it.
const (
	Open State = iota
	Ghost
	Replied  // a permission was answered
	Answered // a question was answered
	Rejected // a question was rejected
	Lost     // its instance ended, or its turn was interrupted in the second engine
)

func (s State) String() string {
	return [...]string{"open", "ghost", "replied", "answered", "rejected", "lost"}[s]
}

// Ask is a permission or a question as it now is.
type Ask struct {
	ID, Session, Folder string
	Engine              int
	CallID, MessageID   string
	Permission          *Permission
	Questions           []Question
	At                  time.Time

	State State
	// Reply is once, always or reject, for a permission; Message goes with a reject.
	Reply, Message string
	Answers        [][]string
	// Auto says that it closed because of an answer to another ask, or was never
	// asked because of an earlier "always".
	Auto bool
	// Ran says that the tool did what it was to do. That of a ghost's edit does too,
	// when it is allowed.
	Ran bool
	// TurnEnded says that the agent's turn ended with it.
	TurnEnded bool
	// Told is what the model was told; empty where it was told nothing.
	Told string
}

// Sent is an answer that arrived over the wire, whatever came of it.
type Sent struct {
	Path string // with the query
	Body []byte
	// Status is what it got.
	Status int
}

// sessionWire is a session as it is sent.
type sessionWire struct {
	ID        string      `json:"id"`
	Slug      string      `json:"slug"`
	ProjectID string      `json:"projectID"`
	Directory string      `json:"directory"`
	Path      string      `json:"path"`
	ParentID  string      `json:"parentID,omitzero"`
	Title     string      `json:"title"`
	Agent     string      `json:"agent,omitzero"`
	Model     modelWire   `json:"model"`
	Version   string      `json:"version"`
	Cost      int         `json:"cost"`
	Tokens    tokensWire  `json:"tokens"`
	Time      timesWire   `json:"time"`
	Project   *projectRef `json:"project,omitzero"`
}

type modelWire struct {
	ID         string `json:"id"`
	ProviderID string `json:"providerID"`
}

type tokensWire struct {
	Input     int `json:"input"`
	Output    int `json:"output"`
	Reasoning int `json:"reasoning"`
	Cache     struct {
		Read  int `json:"read"`
		Write int `json:"write"`
	} `json:"cache"`
}

// timesWire holds milliseconds since 1970.
type timesWire struct {
	Created   int64 `json:"created"`
	Updated   int64 `json:"updated,omitzero"`
	Completed int64 `json:"completed,omitzero"`
	Archived  int64 `json:"archived,omitzero"`
}

type projectRef struct {
	ID       string `json:"id"`
	Worktree string `json:"worktree"`
}

// permissionWire is a permission of the first engine.
type permissionWire struct {
	ID         string         `json:"id"`
	SessionID  string         `json:"sessionID"`
	Permission string         `json:"permission"`
	Patterns   []string       `json:"patterns"`
	Metadata   jsontext.Value `json:"metadata"`
	Always     []string       `json:"always"`
	Tool       toolRef        `json:"tool"`
}

// permissionWire2 is a permission of the second engine.
type permissionWire2 struct {
	ID        string         `json:"id"`
	SessionID string         `json:"sessionID"`
	Action    string         `json:"action"`
	Resources []string       `json:"resources"`
	Save      []string       `json:"save"`
	Metadata  jsontext.Value `json:"metadata,omitzero"`
	Source    sourceRef      `json:"source"`
}

type questionWire struct {
	ID        string     `json:"id"`
	SessionID string     `json:"sessionID"`
	Questions []Question `json:"questions"`
	Tool      toolRef    `json:"tool"`
}

type toolRef struct {
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}

type sourceRef struct {
	Type      string `json:"type"`
	MessageID string `json:"messageID"`
	CallID    string `json:"callID"`
}
