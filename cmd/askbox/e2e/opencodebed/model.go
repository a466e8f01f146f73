//go:build unix

package opencodebed

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"

	"askbox/client/fake"
)

// Call is one tool call that the model makes.
type Call struct {
	Tool string
	Args map[string]any
}

// Bash is a shell command.
func Bash(command string) Call { return Call{"bash", map[string]any{"command": command}} }

// Write is a new file.
func Write(file, content string) Call {
	return Call{"write", map[string]any{"filePath": file, "content": content}}
}

// Read reads a file.
func Read(file string) Call { return Call{"read", map[string]any{"filePath": file}} }

// Edit changes a file that was read before.
func Edit(file, before, after string) Call {
	return Call{"edit", map[string]any{"filePath": file, "oldString": before, "newString": after}}
}

// Fetch fetches a page. Without a timeout, which it leaves out, the server cannot
// list the ask that comes of it.
func Fetch(url string) Call { return Call{"webfetch", map[string]any{"url": url, "format": "text"}} }

// Question is one question of the question tool.
type Question struct {
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Options  []Option `json:"options"`
	Multiple bool     `json:"multiple,omitempty"`
}

// Option is one answer that is offered.
type Option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

// Ask is the question tool.
func Ask(questions ...Question) Call {
	return Call{"question", map[string]any{"questions": questions}}
}

// Step is what the model says next: calls, all in one message, or a text.
type Step struct {
	Text  string
	Calls []Call
}

// Steps makes a step of each call.
func Steps(calls ...Call) []Step {
	steps := make([]Step, len(calls))
	for i, call := range calls {
		steps[i].Calls = []Call{call}
	}
	return steps
}

// Heard is one result of a tool that the model was told.
type Heard struct{ Call, Content string }

// model is an OpenAI-compatible server that plays scripts. Which script, and how
// far it is, stands in each conversation, so that it remembers nothing of them
// but what it was told.
type model struct {
	server  *httptest.Server
	mu      sync.Mutex
	scripts map[string][]Step
	heard   map[string][][]Heard // by script: what each of its requests told
	outside []string
	changed fake.Signal
}

func newModel() *model {
	m := &model{scripts: map[string][]Step{}, heard: map[string][][]Heard{}}
	m.server = httptest.NewServer(http.HandlerFunc(m.serve))
	return m
}

func (m *model) url() string { return m.server.URL }
func (m *model) close() {
	m.server.CloseClientConnections()
	m.server.Close()
}

// mark stands in a prompt and names its script.
func mark(script string) string { return "[script " + script + "]" }

func (m *model) learn(script string, steps []Step) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.scripts[script] = steps
}

// told returns what each request of a script told, and what closes when there is more.
func (m *model) told(script string) ([][]Heard, <-chan struct{}) {
	changed := m.changed.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.heard[script]), changed
}

func (m *model) strays() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.outside)
}

func (m *model) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.IsAbs(), r.Method == http.MethodConnect, r.URL.Path != "/v1/chat/completions" && r.URL.Path != "/page":
		m.mu.Lock()
		m.outside = append(m.outside, r.Method+" "+r.RequestURI)
		m.mu.Unlock()
		http.Error(w, "nothing goes out from here", http.StatusForbidden)
	case r.URL.Path == "/page":
		_, _ = w.Write([]byte("nothing to see\n"))
	default:
		var request chatRequest
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		m.speak(w, m.next(request))
	}
}

// chatRequest is what is read of a request for a completion.
type chatRequest struct {
	Messages []chatMessage     `json:"messages"`
	Tools    []json.RawMessage `json:"tools"`
}

type chatMessage struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	ToolCallID string          `json:"tool_call_id"`
}

// text returns the words of a message, which come as a string or in pieces.
func (c chatMessage) text() string {
	var whole string
	if json.Unmarshal(c.Content, &whole) == nil {
		return whole
	}
	var pieces []struct{ Text string }
	if json.Unmarshal(c.Content, &pieces) != nil {
		return string(c.Content)
	}
	var b strings.Builder
	for _, piece := range pieces {
		b.WriteString(piece.Text)
	}
	return b.String()
}

// scriptOf finds the script of a conversation: the newest one that a person, or
// the caller of a subagent, named. It returns the messages after its name.
func scriptOf(messages []chatMessage) (script string, after []chatMessage) {
	for i, message := range messages {
		if message.Role != "user" {
			continue
		}
		if _, rest, ok := strings.Cut(message.text(), "[script "); ok {
			if name, _, ok := strings.Cut(rest, "]"); ok {
				script, after = name, messages[i+1:]
			}
		}
	}
	return script, after
}

// spoken is what the model says.
type spoken struct {
	text  string
	calls []Call
	ids   []string
}

// next returns what the model says now. A request without tools wants a title.
func (m *model) next(request chatRequest) spoken {
	script, after := scriptOf(request.Messages)
	m.mu.Lock()
	defer m.mu.Unlock()
	steps, known := m.scripts[script]
	if !known || len(request.Tools) == 0 {
		return spoken{text: "A title"}
	}
	step := 0
	var heard []Heard
	for _, message := range after {
		switch message.Role {
		case "assistant":
			step++
		case "tool":
			heard = append(heard, Heard{message.ToolCallID, message.text()})
		}
	}
	m.heard[script] = append(m.heard[script], heard)
	m.changed.Broadcast()
	if step >= len(steps) {
		return spoken{text: "That is all."}
	}
	out := spoken{text: steps[step].Text, calls: steps[step].Calls}
	for i := range out.calls {
		out.ids = append(out.ids, fmt.Sprintf("call_%s_%d_%d", script, step, i))
	}
	return out
}

// speak streams a completion.
func (m *model) speak(w http.ResponseWriter, s spoken) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	chunk := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{"id": "chatcmpl-bed", "object": "chat.completion.chunk", "created": 1, "model": "bed-1",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		_ = out.Flush()
	}
	chunk(map[string]any{"role": "assistant", "content": s.text}, nil)
	for i, call := range s.calls {
		args, _ := json.Marshal(call.Args)
		chunk(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": s.ids[i], "type": "function",
			"function": map[string]string{"name": call.Tool, "arguments": string(args)}}}}, nil)
	}
	finish := "stop"
	if len(s.calls) > 0 {
		finish = "tool_calls"
	}
	chunk(map[string]any{}, finish)
	_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
}
