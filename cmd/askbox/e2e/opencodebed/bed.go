//go:build unix

// Package opencodebed runs a real server of opencode or Kilo for tests: the binary of a
// pinned version, in a home of its own, with no way out to a network, and with a
// model that says what the test wrote down for it.
//
//	bed, err := opencodebed.Start(ctx, opencodebed.Options{Make: opencodebed.Opencode, Binary: binary, Home: t.TempDir()})
//	…
//	defer bed.Stop()
//	folder, err := bed.Folder("alpha")
//	turn, err := bed.Begin(ctx, opencodebed.Task{Folder: folder, Steps: []opencodebed.Step{
//		{Calls: []opencodebed.Call{opencodebed.Bash("echo marked > marker.txt")}},
//	}})
//	ask, err := turn.Ask(ctx)      // what the server announced
//	… answer it …
//	told, err := turn.Told(ctx, 1) // what the model was told after it
//
// What the model was told, and what is on disk, is the proof that an answer
// arrived; the server is only asked for what makes an ask.
package opencodebed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Version is the version of opencode that the tests are written for.
const Version = "1.18.33"

// KiloVersion is that of Kilo.
const KiloVersion = "7.7.9"

// Password is what the server wants, with the user that is called as its make.
const Password = "bed-password-0123456789"

// Make is whose server it is: how its user, its folders and its variables are called.
type Make struct{ name, variables, plugin string }

// Name is what its user and its binary are called.
func (m Make) Name() string { return m.name }

// The makes of server that a bed can run.
var (
	Opencode = Make{"opencode", "OPENCODE_", "@opencode-ai/plugin"}
	Kilo     = Make{"kilo", "KILO_", "@kilocode/plugin"}
)

// Options set a bed up.
type Options struct {
	Make Make
	// Binary is the path of its program.
	Binary string
	// Home is an empty folder, which everything is written below.
	Home string
}

// Bed is a running server with its model. Its methods can be called from any
// goroutine, except Kill, Again and Stop, which are for one at a time.
type Bed struct {
	options Options
	port    int
	model   *model
	client  *http.Client

	mu      sync.Mutex
	server  *process
	witness *witness
}

// Start starts the model and the server, and waits until both answer. The error
// shows the end of the server's log.
func Start(ctx context.Context, o Options) (*Bed, error) {
	home, err := filepath.EvalSymlinks(o.Home)
	if err != nil {
		return nil, err
	}
	o.Home = home
	// The bed is the only client, and its answers come from this machine.
	b := &Bed{options: o, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 4}}}
	if b.port, err = freePort(); err != nil {
		return nil, err
	}
	b.model = newModel()
	if err := b.prepare(); err != nil {
		b.model.close()
		return nil, err
	}
	if err := b.Again(ctx); err != nil {
		b.model.close()
		return nil, err
	}
	return b, nil
}

// freePort finds a port. Port 0 is not any free port to opencode: it tries 4096 first.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = l.Close() }()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(port)
}

// Make returns whose server it is.
func (b *Bed) Make() Make { return b.options.Make }

// URL returns the server's origin.
func (b *Bed) URL() string { return "http://127.0.0.1:" + strconv.Itoa(b.port) }

func (b *Bed) path(parts ...string) string {
	return filepath.Join(append([]string{b.options.Home}, parts...)...)
}

// prepare writes what the server reads when it starts.
func (b *Bed) prepare() error {
	for _, dir := range []string{"tmp", "data", "state", "cache", "work", "config/" + b.options.Make.name + "/node_modules"} {
		if err := os.MkdirAll(b.path(dir), 0o755); err != nil {
			return err
		}
	}
	// The server installs a package with npm into its configuration's folder, and no
	// switch stops it. It does not where the folder of modules and a lock file that
	// names the package are there.
	lock := `{"name":"bed","lockfileVersion":3,"requires":true,"packages":{"":{"dependencies":{"` + b.options.Make.plugin + `":"*"}}}}`
	if err := os.WriteFile(b.path("config", b.options.Make.name, "package-lock.json"), []byte(lock), 0o644); err != nil {
		return err
	}
	settings, err := json.Marshal(map[string]any{
		"model": "bed/bed-1", "small_model": "bed/bed-1", "enabled_providers": []string{"bed"},
		"autoupdate": false, "share": "disabled", "snapshot": false, "lsp": false, "formatter": false,
		"permission": map[string]string{"bash": "ask", "edit": "ask", "webfetch": "ask", "external_directory": "ask"},
		"provider": map[string]any{"bed": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "Bed",
			"options": map[string]string{"baseURL": b.model.url() + "/v1", "apiKey": "none"},
			"models": map[string]any{"bed-1": map[string]any{"name": "Bed One", "tool_call": true,
				"limit": map[string]int{"context": 200000, "output": 8192}}},
		}},
	})
	if err != nil {
		return err
	}
	return os.WriteFile(b.path("config", b.options.Make.name, b.options.Make.name+".json"), settings, 0o644)
}

// environment is all that the server gets: nothing of the keys, proxies and
// settings of the person who runs the test.
func (b *Bed) environment() []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + b.options.Home, "TMPDIR=" + b.path("tmp"), "USER=bed", "SHELL=/bin/sh",
		"TERM=dumb", "LANG=C.UTF-8", "TZ=UTC", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"XDG_CONFIG_HOME=" + b.path("config"), "XDG_DATA_HOME=" + b.path("data"),
		"XDG_STATE_HOME=" + b.path("state"), "XDG_CACHE_HOME=" + b.path("cache"),
		b.options.Make.variables + "SERVER_PASSWORD=" + Password,
		"NO_PROXY=127.0.0.1,localhost", "no_proxy=127.0.0.1,localhost", "npm_config_registry=" + b.model.url() + "/registry/",
	}
	for _, off := range []string{"DISABLE_MODELS_FETCH", "DISABLE_AUTOUPDATE", "DISABLE_DEFAULT_PLUGINS", "PURE",
		"DISABLE_LSP_DOWNLOAD", "DISABLE_SHARE", "DISABLE_EXTERNAL_SKILLS", "DISABLE_CLAUDE_CODE"} {
		env = append(env, b.options.Make.variables+off+"=1")
	}
	// What still wants out meets the model, which refuses and remembers it.
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		env = append(env, name+"="+b.model.url())
	}
	return env
}

// Outside returns what the server tried to reach beyond this machine.
func (b *Bed) Outside() []string { return b.model.strays() }

// Again starts the server, on the same port and with the same home as before, and
// waits until it answers.
func (b *Bed) Again(ctx context.Context) error {
	p, err := b.launch()
	if err != nil {
		return err
	}
	b.mu.Lock()
	b.server = p
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := b.ready(ctx, p); err != nil {
		return errors.Join(err, b.end(syscall.SIGKILL))
	}
	w, err := b.watch(ctx)
	if err != nil {
		return errors.Join(err, b.end(syscall.SIGKILL))
	}
	b.mu.Lock()
	b.witness = w
	b.mu.Unlock()
	return nil
}

// ready waits until the server says that it is well.
func (b *Bed) ready(ctx context.Context, p *process) error {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		var health struct{ Healthy bool }
		try, cancel := context.WithTimeout(ctx, 2*time.Second)
		err := b.call(try, "GET", "/global/health", "", nil, &health)
		cancel()
		if err == nil && health.Healthy {
			return nil
		}
		select {
		case <-again.C:
		case <-p.done:
			return fmt.Errorf("%s ended while it was starting: %w; its last words:\n%s", b.options.Make.name, p.err, b.log())
		case <-ctx.Done():
			return fmt.Errorf("%s does not answer: %w (%w); its last words:\n%s", b.options.Make.name, context.Cause(ctx), err, b.log())
		}
	}
}

// log returns the end of the server's log.
func (b *Bed) log() string {
	all, err := os.ReadFile(b.path("server.log"))
	if err != nil {
		return err.Error()
	}
	return string(all[max(0, len(all)-4000):])
}

// process is a server that runs.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // of its end
}

// launch starts the server so that it dies with the test, however that ends.
func (b *Bed) launch() (*process, error) {
	out, err := os.OpenFile(b.path("server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	p := &process{done: make(chan struct{})}
	p.cmd = exec.Command(b.options.Binary, "serve", "--hostname", "127.0.0.1", "--port", strconv.Itoa(b.port), "--print-logs")
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = b.path("work"), b.environment(), out, out
	p.cmd.SysProcAttr = withTest()
	started := make(chan error)
	go func() {
		// The signal comes when the thread that started it ends, so this one has to last.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
		}
		_ = out.Close()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("%s cannot be started: %w", b.options.Make.name, err)
	}
	return p, nil
}

// Kill ends the server at once, as a crash does.
func (b *Bed) Kill() error { return b.end(syscall.SIGKILL) }

// Stop ends the server and the model.
func (b *Bed) Stop() error {
	defer b.model.close()
	defer b.client.CloseIdleConnections()
	return b.end(syscall.SIGTERM)
}

// end ends the server with a signal, and with SIGKILL where that is not enough,
// together with what it started.
func (b *Bed) end(signal syscall.Signal) error {
	b.mu.Lock()
	p, w := b.server, b.witness
	b.server, b.witness = nil, nil
	b.mu.Unlock()
	if w != nil {
		w.stop()
	}
	if p == nil {
		return nil
	}
	group := -p.cmd.Process.Pid
	if err := syscall.Kill(group, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	timer := time.NewTimer(5 * time.Second)
	defer timer.Stop()
	select {
	case <-p.done:
	case <-timer.C:
	}
	if err := syscall.Kill(group, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		return err
	}
	<-p.done
	return nil
}

// call makes a request to the server. A body and a result are JSON; nil is none.
func (b *Bed) call(ctx context.Context, method, path, folder string, body, result any) error {
	var content io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		content = bytes.NewReader(data)
	}
	if folder != "" {
		path += "?directory=" + url.QueryEscape(folder)
	}
	request, err := b.request(ctx, method, path, content)
	if err != nil {
		return err
	}
	response, err := b.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	all, err := io.ReadAll(response.Body)
	switch {
	case err != nil:
		return err
	case response.StatusCode >= 300:
		return fmt.Errorf("%s %s: status %d: %s", method, path, response.StatusCode, all)
	case result == nil:
		return nil
	}
	return json.Unmarshal(all, result)
}

func (b *Bed) request(ctx context.Context, method, path string, content io.Reader) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, method, b.URL()+path, content)
	if err != nil {
		return nil, err
	}
	request.SetBasicAuth(b.options.Make.name, Password)
	if content != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return request, nil
}
