package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/renameio/v2/maybe"

	"askbox/client/text"
)

// NewRelay is a relay that is to be written into a configuration. What is empty is left out.
type NewRelay struct {
	Name, Type, URL     string
	TokenEnv, TokenFile string
	TokenCommand        []string
	Keyring             bool
	Me, Transport, User string
	Directories         []string
	Insecure            bool
}

// lines returns the relay as it stands in the file.
func (r *NewRelay) lines() string {
	var b strings.Builder
	b.WriteString("[[relay]]\n")
	set := func(key, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s = %s\n", key, value)
		}
	}
	one := func(key, value string) {
		if value != "" {
			set(key, quote(value))
		}
	}
	list := func(key string, values []string) {
		quoted := make([]string, len(values))
		for i, v := range values {
			quoted[i] = quote(v)
		}
		if len(values) > 0 {
			set(key, "["+strings.Join(quoted, ", ")+"]")
		}
	}
	yes := func(key string, value bool) {
		if value {
			set(key, "true")
		}
	}
	one("name", r.Name)
	one("type", r.Type)
	one("url", r.URL)
	one("token_env", r.TokenEnv)
	one("token_file", r.TokenFile)
	list("token_command", r.TokenCommand)
	yes("keyring", r.Keyring)
	one("me", r.Me)
	one("transport", r.Transport)
	one("user", r.User)
	list("directories", r.Directories)
	yes("insecure", r.Insecure)
	return b.String()
}

// quote returns a string of TOML: one of JSON without the short escapes that TOML lacks.
func quote(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString("\\" + string(r))
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// Add writes a relay at the end of a configuration, which is made where there is none, and
// keeps everything that stands in it. It returns *Error where the file or the relay is not right.
func Add(path string, r NewRelay) error {
	if err := Init(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return rewrite(path, func(_ *Config, data []byte) ([]byte, error) {
		if len(data) > 0 && !bytes.HasSuffix(data, []byte("\n")) {
			data = append(data, '\n')
		}
		return append(append(data, '\n'), r.lines()...), nil
	})
}

// Remove takes the relay with the name out of a configuration, from its [[relay]] to the last
// of its keys, and keeps all that stands around it.
func Remove(path, name string) error {
	return rewrite(path, func(cfg *Config, data []byte) ([]byte, error) {
		lines := strings.SplitAfter(string(data), "\n")
		for i, relay := range cfg.Relays {
			if relay.Name != name {
				continue
			}
			first := relay.Line - 1
			if first < 0 || !strings.HasPrefix(strings.TrimSpace(lines[first]), "[[") {
				return nil, errors.New(text.New(path).String() + ": line " + strconv.Itoa(relay.Line) +
					": the relay is not written as a table of its own; remove it by hand")
			}
			next := len(lines)
			if i+1 < len(cfg.Relays) {
				next = cfg.Relays[i+1].Line - 1
			}
			last := lastOf(lines[first:next]) + first
			return []byte(strings.Join(append(lines[:first:first], lines[last+1:]...), "")), nil
		}
		return nil, fmt.Errorf("there is no relay %s in %s", text.New(name).Quoted(40), text.New(path))
	})
}

// lastOf returns the number of the last line of a relay's table: what follows its last key
// and belongs to what comes next are blank lines, comments and other tables.
func lastOf(lines []string) int {
	last := 0
	for i, line := range lines[1:] {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			break
		}
		if line != "" && !strings.HasPrefix(line, "#") {
			last = i + 1
		}
	}
	return last
}

// rewrite changes the text of a configuration that is right, and leaves it as it is where it
// would not be right afterwards.
func rewrite(path string, change func(cfg *Config, data []byte) ([]byte, error)) error {
	path, err := filepath.EvalSymlinks(path)
	if err != nil {
		return &Missing{path}
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	cfg, err := readConfig(path)
	if err != nil {
		return err
	}
	data, _, err := readFile(path)
	if err != nil {
		return errors.New(text.New(path).String() + " cannot be read: " + reason(err))
	}
	changed, err := change(cfg, data)
	if err != nil {
		return err
	}
	if _, err := parse(path, changed, info.Mode().Perm()); err != nil {
		return err
	}
	if err := maybe.WriteFile(path, changed, info.Mode().Perm()); err != nil {
		return errors.New(text.New(path).String() + " cannot be written: " + reason(err))
	}
	return nil
}
