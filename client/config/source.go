package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"

	"askbox/client"
	"askbox/client/text"
)

// KeyringService is the service under which tokens lie in the system's keyring;
// the user is the relay's name.
const KeyringService = "askbox"

// commandTimeout is how long a token_command, which may ask for a passphrase, gets.
const commandTimeout = 60 * time.Second

// keyringTimeout is how long the keyring, which may ask to be unlocked, gets.
const keyringTimeout = 60 * time.Second

type sourceKind int

const (
	fromNowhere sourceKind = iota
	fromFile               // an inline token
	fromEnv
	fromTokenFile
	fromCommand
	fromKeyring
)

// source is where one relay's token comes from.
type source struct {
	kind     sourceKind
	name     string // the variable, the path
	argv     []string
	token    Token // inline, or taken from the environment
	err      error // why the value of an inline or environment token is no token
	password bool
}

func (s source) describe() string {
	switch s.kind {
	case fromFile:
		return "token in the configuration"
	case fromEnv:
		return "token_env " + text.New(s.name).String()
	case fromTokenFile:
		return "token_file " + text.New(s.name).String()
	case fromCommand:
		// The arguments may hold a secret, the program's name does not.
		return "token_command " + text.New(s.argv[0]).String()
	case fromKeyring:
		return "keyring"
	}
	return "no token"
}

// source finds the one place that a relay's token comes from.
func (c *checker) source(i int, r relayFile, relay *Relay) source {
	s := source{password: relay.Type == OpenCode}
	keys := []string{}
	if r.Token != nil {
		keys, s.kind = append(keys, "token"), fromFile
		s.token, s.err = checkToken(*r.Token, s.password)
		c.inline(i, s.err)
	}
	if r.TokenEnv != nil {
		keys, s.kind, s.name = append(keys, "token_env"), fromEnv, *r.TokenEnv
		if s.name == "" || strings.ContainsAny(s.name, "=\x00") {
			c.fail("token_env", i, "it has to be %s", wants["relay.token_env"])
		}
	}
	if r.TokenFile != nil {
		keys, s.kind, s.name = append(keys, "token_file"), fromTokenFile, c.expand(*r.TokenFile)
		if *r.TokenFile == "" {
			c.fail("token_file", i, "it has to be %s", wants["relay.token_file"])
		}
	}
	if r.TokenCommand != nil {
		keys, s.kind, s.argv = append(keys, "token_command"), fromCommand, *r.TokenCommand
		if len(s.argv) == 0 || s.argv[0] == "" {
			s.argv = []string{""}
			c.fail("token_command", i, "it has to be %s", wants["relay.token_command"])
		}
	}
	if r.Keyring != nil && *r.Keyring {
		keys, s.kind = append(keys, "keyring"), fromKeyring
	}
	c.oneSource(i, keys, relay)
	return s
}

// inline holds a token in the file itself to the file's mode.
func (c *checker) inline(i int, wrong error) {
	if c.mode&0o077 != 0 {
		c.fail("token", i, "others can read this file, and the token in it; run chmod 600 on the file")
	}
	if wrong != nil {
		c.fail("token", i, "%s", wrong)
	}
}

func (c *checker) oneSource(i int, keys []string, relay *Relay) {
	switch {
	case len(keys) > 1:
		c.fail(keys[1], i, "the token comes from %s too; keep one of them", keys[0])
	case len(keys) == 1:
	case relay.Type == OpenCode && relay.URL != nil && Loopback(relay.URL.Hostname()):
		// An opencode server without a password is usual on one's own machine.
	case relay.Type == OpenCode && relay.URL != nil:
		c.fail("", i, "it has no password; only a server on this machine may go without: set token_env, token_file, token_command or keyring")
	default:
		c.fail("", i, "it has no token; set one of token_env, token_file, token_command or keyring")
	}
}

// expand makes a path absolute: ~/ is the home folder, and a relative one begins
// at the folder of the configuration.
func (c *checker) expand(path string) string {
	if path = atHome(path); path != "" && !filepath.IsAbs(path) {
		return filepath.Join(c.dir, path)
	}
	return path
}

// taken are the variables that a configuration was read from before, in this process.
var taken sync.Map

// takeEnvironment reads the tokens that are in environment variables and removes
// the variables once all are read: two relays may share one. A command that reads the
// configuration once more finds them all the same.
func (cfg *Config) takeEnvironment() error {
	for _, relay := range cfg.Relays {
		s := &relay.source
		if s.kind != fromEnv {
			continue
		}
		value, ok := os.LookupEnv(s.name)
		if before, had := taken.Load(s.name); !ok && had {
			value, ok = before.(string), true
		}
		if !ok {
			s.err = errors.New("the variable is not set; set it and start askbox again, or use token_file or token_command")
			continue
		}
		taken.Store(s.name, value)
		s.token, s.err = checkToken(value, s.password)
	}
	for _, relay := range cfg.Relays {
		if relay.source.kind == fromEnv {
			if err := os.Unsetenv(relay.source.name); err != nil {
				return fmt.Errorf("the variable %s cannot be removed from the environment: %w", relay.source.describe(), err)
			}
		}
	}
	return nil
}

// MayPrompt reports whether the token comes from a command, which may ask the person
// for a passphrase on the terminal.
func (r *Relay) MayPrompt() bool { return r.source.kind == fromCommand }

// Renewable reports whether the token can be another one when it is read again.
func (r *Relay) Renewable() bool {
	return r.source.kind == fromTokenFile || r.source.kind == fromCommand || r.source.kind == fromKeyring
}

// Token returns the relay's token, read anew where it comes from a file, a command or
// the keyring. A command can use the terminal only where onTerminal says so. It returns
// an empty token where the relay has none, and *client.NoToken where it cannot be had.
func (r *Relay) Token(ctx context.Context, onTerminal bool) (Token, error) {
	token, err := r.source.read(ctx, r.Name, onTerminal)
	if err != nil {
		return Token{}, r.noToken(err)
	}
	return token, nil
}

func (r *Relay) noToken(err error) error {
	return &client.NoToken{Relay: r.Name, From: r.TokenFrom(), Why: err.Error()}
}

// CheckToken looks at the token as far as that asks nobody for anything: the
// variable, the file and its mode, whether the command exists.
func (r *Relay) CheckToken() error {
	var err error
	switch r.source.kind {
	case fromCommand:
		if _, lookErr := exec.LookPath(r.source.argv[0]); lookErr != nil {
			err = errNoProgram
		}
	case fromKeyring:
	default:
		_, err = r.source.read(context.Background(), r.Name, false)
	}
	if err != nil {
		return r.noToken(err)
	}
	return nil
}

func (s source) read(ctx context.Context, relay string, onTerminal bool) (Token, error) {
	switch s.kind {
	case fromFile, fromEnv:
		return s.token, s.err
	case fromTokenFile:
		return s.readFile()
	case fromCommand:
		return s.run(ctx, onTerminal)
	case fromKeyring:
		return s.ask(ctx, relay)
	}
	return Token{}, nil
}

// readFile reads a token file that only its owner can read. A pipe or device is
// refused before it is opened, since opening one may wait for ever.
func (s source) readFile() (Token, error) {
	info, err := os.Stat(s.name)
	switch {
	case err != nil:
		return Token{}, errors.New("the file cannot be read: " + reason(err))
	case !info.Mode().IsRegular():
		return Token{}, errors.New("it is not a regular file")
	}
	file, err := os.Open(s.name)
	if err != nil {
		return Token{}, errors.New("the file cannot be read: " + reason(err))
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil || info.Mode().Perm()&0o077 != 0 {
		return Token{}, errors.New("others can read the file; run chmod 600 on it")
	}
	value, err := readBounded(file)
	if err != nil {
		return Token{}, errors.New("the file cannot be read: " + reason(err))
	}
	return checkToken(value, s.password)
}

// Store puts the relay's token into the keyring. It returns an error where the relay's
// token does not come from there, or cannot be one.
func (r *Relay) Store(ctx context.Context, value string) error {
	if r.source.kind != fromKeyring {
		return fmt.Errorf("the token of %s comes from elsewhere (%s); for the keyring, the relay needs keyring = true", text.New(r.Name), r.TokenFrom())
	}
	token, err := checkToken(value, r.source.password)
	if err != nil {
		return fmt.Errorf("this cannot be the token of %s: %w", text.New(r.Name), err)
	}
	_, err = withKeyring(ctx, func() (string, error) { return "", keyring.Set(KeyringService, r.Name, token.Reveal()) })
	return err
}

// ask looks the token up in the keyring.
func (s source) ask(ctx context.Context, relay string) (Token, error) {
	value, err := withKeyring(ctx, func() (string, error) { return keyring.Get(KeyringService, relay) })
	if errors.Is(err, keyring.ErrNotFound) {
		return Token{}, fmt.Errorf("the keyring has none; store it with: askbox login %s", text.Quote(text.New(relay)))
	}
	if err != nil {
		return Token{}, err
	}
	return checkToken(value, s.password)
}

// withKeyring does something with the keyring. The library takes no context, so a keyring
// that never answers is left behind.
func withKeyring(ctx context.Context, do func() (string, error)) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, keyringTimeout)
	defer cancel()
	type reply struct {
		value string
		err   error
	}
	replies := make(chan reply, 1)
	go func() {
		value, err := do()
		replies <- reply{value, err}
	}()
	select {
	case <-ctx.Done():
		return "", errors.New("the keyring did not answer; unlock it, or see whether its service runs")
	case r := <-replies:
		if r.err != nil && !errors.Is(r.err, keyring.ErrNotFound) {
			r.err = errors.New("the keyring could not be asked; see whether its service runs and is unlocked")
		}
		return r.value, r.err
	}
}
