// Package config reads askbox's configuration file, says what is wrong with it by
// file, line and key, and knows where each relay's token comes from.
//
// A token is read when it is needed and not before, it never leaves this package
// but through [Token.Reveal], and no message of this package holds one.
package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// The bounds of the durations in the file.
const (
	MinPoll     = 500 * time.Millisecond
	MaxPoll     = 10 * time.Minute
	DefaultPoll = 2 * time.Second
	MaxUndo     = 10 * time.Minute
	DefaultUndo = 3 * time.Second
)

// maxFile is the most bytes that a configuration may have; more is not one.
const maxFile = 1 << 20

// The types of relay, in the words of the file.
const (
	OpenComputer = "opencomputer"
	OAR          = "oar"
	Werft        = "werft"
	OpenCode     = "opencode"
)

// Config is a configuration whose every value was checked.
type Config struct {
	// Path is the file that it was read from.
	Path string
	// Poll is how often each relay is asked, MinPoll to MaxPoll.
	Poll time.Duration
	// Undo is how long an answer can be taken back; 0 sends at once.
	Undo time.Duration
	// Filter is what the inbox opens with.
	Filter client.Filter
	// Notify is "off", "urgent", "now" (a session waits) or "all".
	Notify string
	// Theme is "auto", "dark", "light", "plain" or "ascii".
	Theme string
	Mouse bool
	// Title gives the terminal's window a title with the number of open asks.
	Title bool
	// Keys are the keys that are set, in the order of the file.
	Keys []Key
	// Colors are the roles that are drawn in another way, in the order of the file.
	Colors []Key
	// Relays are in the order of the file. It may be empty.
	Relays []*Relay
	// Notes are things worth telling about the file that are not errors.
	Notes []string
}

// Relay is one relay as configured.
type Relay struct {
	Name string
	// Type is one of the constants above.
	Type string
	// URL has a scheme, a host and maybe a path without a slash at its end; never
	// a user, a query or a fragment.
	URL *url.URL
	// Me is the id of the person whose sessions are Mine; may be empty.
	Me string
	// Transport is "http" or "jsonrpc" for opencomputer, empty for all others.
	Transport string
	// User is the user name for opencode, empty for all others.
	User string
	// Directories are the only folders to look in, for opencode; empty: all.
	Directories []string
	// Insecure says that plain http to an address that is not local was asked for.
	Insecure bool
	// State is the folder for what is kept of it across runs; empty, as Load leaves it:
	// nothing is.
	State string
	// Line is where the relay begins in the file, counted from 1.
	Line int

	source source
}

// TokenFrom says in the program's words where the token comes from, without it.
func (r *Relay) TokenFrom() string { return r.source.describe() }

// HasToken reports whether the relay has a token at all; opencode on loopback
// may go without.
func (r *Relay) HasToken() bool { return r.source.kind != fromNowhere }

// Problem is one thing that is wrong with a configuration file.
type Problem struct {
	File string
	Line int    // from 1; 0 where it is about the whole file
	Key  string // "poll", "relay.url"; may be empty
	Text string // what is wrong and what to do; safe, and without any value that may be a token
}

// String returns the problem as FILE:LINE: KEY: TEXT, safe to print.
func (p Problem) String() string {
	var b strings.Builder
	b.WriteString(text.New(p.File).String())
	if p.Line > 0 {
		fmt.Fprintf(&b, ":%d", p.Line)
	}
	b.WriteString(": ")
	if p.Key != "" {
		b.WriteString(text.New(p.Key).String() + ": ")
	}
	return b.String() + p.Text
}

// Error means that a configuration file cannot be used. It has at least one problem.
type Error struct{ Problems []Problem }

// Error returns the problems, a line each.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return strings.Join(lines, "\n")
}

// Missing means that there is no configuration file.
type Missing struct{ Path string }

// Error says where the file was looked for.
func (e *Missing) Error() string {
	return "there is no configuration at " + text.New(e.Path).String()
}

// Path returns the file to read: the flag's value if it is not empty, else
// $ASKBOX_CONFIG, else config.toml in askbox's folder below $XDG_CONFIG_HOME.
func Path(flag string) string {
	if named := cmp.Or(flag, os.Getenv("ASKBOX_CONFIG")); named != "" {
		return atHome(named)
	}
	return filepath.Join(folder("XDG_CONFIG_HOME", ".config", os.UserConfigDir), "askbox", "config.toml")
}

// StateDir returns the folder for history, drafts and the log:
// $XDG_STATE_HOME/askbox. It need not exist.
func StateDir() string {
	return filepath.Join(folder("XDG_STATE_HOME", ".local/state", os.UserCacheDir), "askbox")
}

// folder returns the folder that a variable names, or the usual one: below the home
// folder on every unix, macOS included, and the system's own elsewhere.
func folder(variable, usual string, elsewhere func() (string, error)) string {
	if dir := os.Getenv(variable); filepath.IsAbs(dir) {
		return dir
	}
	if runtime.GOOS == "windows" {
		if dir, err := elsewhere(); err == nil {
			return dir
		}
	}
	return atHome("~/" + usual)
}

// atHome returns a path in which ~/ is the home folder, as a shell has it.
func atHome(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}

// Load reads and checks a file. It returns *Missing where there is none and
// *Error with everything that is wrong with it. The tokens that the file takes
// from environment variables are read at once and the variables are removed
// from this process's environment, so that no program started by askbox gets them.
func Load(path string) (*Config, error) {
	cfg, err := readConfig(path)
	if err != nil {
		return nil, err
	}
	return cfg, cfg.takeEnvironment()
}

// readConfig leaves the environment as it is.
func readConfig(path string) (*Config, error) {
	data, mode, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &Missing{Path: path}
	}
	if err != nil {
		return nil, &Error{[]Problem{{File: path, Text: "it cannot be read: " + reason(err)}}}
	}
	return parse(path, data, mode)
}

func readFile(path string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	switch {
	case !info.Mode().IsRegular():
		return nil, 0, errors.New("it is not a regular file")
	case info.Size() > maxFile:
		return nil, 0, errors.New("it is larger than 1 MiB")
	}
	data, err := os.ReadFile(path)
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		err = errors.New("it is written as UTF-16; save it as UTF-8")
	}
	return data, info.Mode().Perm(), err
}

// reason returns the cause of a file error without the path, which the caller
// has said already, safe to print.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return text.New(err.Error()).String()
}
