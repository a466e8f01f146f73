//go:build unix

package opencodebed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

// turns counts the turns of this run of the tests, to name their scripts.
var turns atomic.Int64

// Folder makes a project folder, a git repository of its own where git is there,
// with a file greeting.txt, and returns its path.
func (b *Bed) Folder(name string) (string, error) {
	folder := b.path("work", name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(folder, "greeting.txt"), []byte("# "+name+"\nHello, you.\nBye.\n"), 0o644); err != nil {
		return "", err
	}
	git, err := exec.LookPath("git")
	if err != nil {
		return folder, nil
	}
	for _, words := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "Start " + name}} {
		cmd := exec.Command(git, words...)
		cmd.Dir = folder
		cmd.Env = append(b.environment(), "GIT_AUTHOR_NAME=bed", "GIT_AUTHOR_EMAIL=bed@localhost",
			"GIT_COMMITTER_NAME=bed", "GIT_COMMITTER_EMAIL=bed@localhost")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("git %s: %w\n%s", words[0], err, out)
		}
	}
	return folder, nil
}

// Task is what an agent is to do.
type Task struct {
	Folder string
	Title  string
	Steps  []Step
	// Sub is what a subagent does. It is started by a step with [Subagent].
	Sub []Step
	// Session goes on in a session; a new one is made where it is empty.
	Session string
	// Second runs it in the server's second engine.
	Second bool
}

// Subagent is the call that starts a subagent, which does what Task.Sub says.
func Subagent() Call {
	return Call{"task", map[string]any{"description": "Look around", "subagent_type": "general", "prompt": "Look around. " + subMark}}
}

// subMark is replaced by the script of the subagent.
const subMark = "[subagent]"

// Turn is one turn of an agent.
type Turn struct {
	bed     *Bed
	script  string
	Session string
	Folder  string
	seen    int // asks of the session that were there before
}

// Begin starts a turn. It does not wait for anything that comes of it.
func (b *Bed) Begin(ctx context.Context, task Task) (*Turn, error) {
	t := &Turn{bed: b, script: strconv.FormatInt(turns.Add(1), 10), Session: task.Session, Folder: task.Folder}
	if task.Title == "" {
		task.Title = "Task " + t.script
	}
	b.model.learn(t.script, withSub(task.Steps, mark(t.script+"-sub")))
	b.model.learn(t.script+"-sub", task.Sub)
	if t.Session == "" {
		if err := t.open(ctx, task); err != nil {
			return nil, err
		}
	}
	t.seen = len(b.asksOf(t.Session))
	b.busy(t.Session)
	prompt := "Do it. " + mark(t.script)
	if task.Second {
		return t, b.call(ctx, "POST", "/api/session/"+t.Session+"/prompt", "", map[string]any{"prompt": map[string]string{"text": prompt}}, nil)
	}
	return t, b.call(ctx, "POST", "/session/"+t.Session+"/prompt_async", task.Folder, map[string]any{
		"model": map[string]string{"providerID": "bed", "modelID": "bed-1"},
		"parts": []any{map[string]string{"type": "text", "text": prompt}}}, nil)
}

// open makes the session of a task.
func (t *Turn) open(ctx context.Context, task Task) error {
	if !task.Second {
		var made struct{ ID string }
		err := t.bed.call(ctx, "POST", "/session", task.Folder, map[string]string{"title": task.Title}, &made)
		t.Session = made.ID
		return err
	}
	var made struct{ Data struct{ ID string } }
	err := t.bed.call(ctx, "POST", "/api/session", "", map[string]any{
		"location": map[string]string{"directory": task.Folder},
		"model":    map[string]string{"providerID": "bed", "id": "bed-1"}}, &made)
	t.Session = made.Data.ID
	return err
}

// withSub writes the subagent's script into the calls that start it.
func withSub(steps []Step, name string) []Step {
	out := make([]Step, len(steps))
	for i, step := range steps {
		out[i].Text = step.Text
		for _, call := range step.Calls {
			if prompt, ok := call.Args["prompt"].(string); ok && call.Tool == "task" {
				args := map[string]any{}
				for k, v := range call.Args {
					args[k] = v
				}
				args["prompt"] = prompt[:len(prompt)-len(subMark)] + name
				call.Args = args
			}
			out[i].Calls = append(out[i].Calls, call)
		}
	}
	return out
}

// Asks waits until the turn has asked n times, in its session or in one below it,
// and returns what was asked.
func (t *Turn) Asks(ctx context.Context, n int) ([]Asked, error) {
	for {
		changed := t.bed.wait()
		if asks := t.bed.asksOf(t.Session); len(asks) >= t.seen+n {
			return asks[t.seen:], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("the turn did not ask %d times: %w; the server's last words:\n%s", n, context.Cause(ctx), t.bed.log())
		}
	}
}

// Ask waits for the turn's first ask.
func (t *Turn) Ask(ctx context.Context) (Asked, error) {
	asks, err := t.Asks(ctx, 1)
	if err != nil {
		return Asked{}, err
	}
	return asks[0], nil
}

// Told waits until the model was told the results of at least n calls of this
// turn, and returns them, oldest first.
func (t *Turn) Told(ctx context.Context, n int) ([]Heard, error) { return t.told(ctx, t.script, n) }

// ToldSub is Told for the turn's subagent.
func (t *Turn) ToldSub(ctx context.Context, n int) ([]Heard, error) {
	return t.told(ctx, t.script+"-sub", n)
}

func (t *Turn) told(ctx context.Context, script string, n int) ([]Heard, error) {
	for {
		heard, changed := t.bed.model.told(script)
		if len(heard) > 0 && len(heard[len(heard)-1]) >= n {
			return heard[len(heard)-1], nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("the model was not told %d results: %w; what it was told: %q", n, context.Cause(ctx), heard)
		}
	}
}

// Over waits until the turn has ended, and returns all that the model was told in
// it. Only turns of the first engine say when they end.
func (t *Turn) Over(ctx context.Context) ([]Heard, error) {
	for {
		changed := t.bed.wait()
		idle, err := t.bed.idle(t.Session)
		if err != nil {
			return nil, err
		}
		if idle {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, fmt.Errorf("the turn does not end: %w; the server's last words:\n%s", context.Cause(ctx), t.bed.log())
		}
	}
	heard, _ := t.bed.model.told(t.script)
	if len(heard) == 0 {
		return nil, errors.New("the model was not asked at all")
	}
	return heard[len(heard)-1], nil
}

// Abort aborts the turn.
func (t *Turn) Abort(ctx context.Context) error {
	return t.bed.call(ctx, "POST", "/session/"+t.Session+"/abort", t.Folder, nil, nil)
}

// Pending returns the ids that the server lists as waiting in the turn's folder,
// in its first engine.
func (t *Turn) Pending(ctx context.Context) ([]string, error) {
	var ids []string
	for _, list := range []string{"/permission", "/question"} {
		var items []struct{ ID string }
		if err := t.bed.call(ctx, "GET", list, t.Folder, nil, &items); err != nil {
			return nil, err
		}
		for _, item := range items {
			ids = append(ids, item.ID)
		}
	}
	return ids, nil
}

// Reply answers a permission over the server's own interface, as another client
// would.
func (b *Bed) Reply(ctx context.Context, a Asked, reply, message string) error {
	body := map[string]string{"reply": reply}
	if message != "" {
		body["message"] = message
	}
	return b.call(ctx, "POST", "/permission/"+a.ID+"/reply", a.Folder, body, nil)
}

// Asked is an ask that the server announced.
type Asked struct {
	ID, Session, Folder string
	Kind                string // permission or question, with .v2 for the second engine
	Properties          json.RawMessage
}

// Page is the address of a page that can be fetched.
func (b *Bed) Page() string { return b.model.url() + "/page" }
