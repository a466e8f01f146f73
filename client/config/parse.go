package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"askbox/client"
	"askbox/client/text"
)

// file is the shape of the file. Pointers tell what was left out from what was
// set to nothing.
type file struct {
	Poll   *string        `toml:"poll"`
	Undo   *string        `toml:"undo"`
	Filter *string        `toml:"filter"`
	Notify *string        `toml:"notify"`
	Theme  *string        `toml:"theme"`
	Mouse  *bool          `toml:"mouse"`
	Title  *bool          `toml:"title"`
	Keys   map[string]any `toml:"keys"`
	Colors map[string]any `toml:"colors"`
	Relay  []relayFile    `toml:"relay"`
}

type relayFile struct {
	Name         *string   `toml:"name"`
	Type         *string   `toml:"type"`
	URL          *string   `toml:"url"`
	Token        *string   `toml:"token"`
	TokenEnv     *string   `toml:"token_env"`
	TokenFile    *string   `toml:"token_file"`
	TokenCommand *[]string `toml:"token_command"`
	Keyring      *bool     `toml:"keyring"`
	Me           *string   `toml:"me"`
	Transport    *string   `toml:"transport"`
	User         *string   `toml:"user"`
	Directories  *[]string `toml:"directories"`
	Insecure     *bool     `toml:"insecure"`
}

// wants says, for each key, what its value has to be.
var wants = map[string]string{
	"poll":                "a duration in quotes, such as \"2s\"",
	"undo":                "a duration in quotes, such as \"3s\"",
	"filter":              "\"all\", \"mine\" or \"agents\"",
	"notify":              "\"off\", \"urgent\", \"now\" or \"all\"",
	"theme":               "\"auto\", \"dark\", \"light\", \"plain\" or \"ascii\"",
	"mouse":               "true or false, without quotes",
	"title":               "true or false, without quotes",
	"keys":                "a table with lines such as allow = \"ctrl+y\" or up = [\"up\", \"k\"]",
	"colors":              "a table with lines such as accent = \"bold #5fd7d7\" or dim = \"246\"",
	"relay":               "a table: begin it with a line that says [[relay]]",
	"relay.name":          "a text in quotes",
	"relay.type":          "\"opencomputer\", \"oar\", \"werft\" or \"opencode\"",
	"relay.url":           "a link in quotes, such as \"https://oc.example/api\"",
	"relay.token":         "a text in quotes",
	"relay.token_env":     "the name of an environment variable, in quotes",
	"relay.token_file":    "a path in quotes",
	"relay.token_command": "a list of texts, such as [\"pass\", \"show\", \"work\"]",
	"relay.keyring":       "true, without quotes",
	"relay.me":            "a text in quotes",
	"relay.transport":     "\"http\" or \"jsonrpc\"",
	"relay.user":          "a text in quotes",
	"relay.directories":   "a list of absolute paths, such as [\"/srv/app\"]",
	"relay.insecure":      "true or false, without quotes",
}

// checker gathers the problems of one file.
type checker struct {
	path     string
	dir      string
	mode     fs.FileMode
	lines    positions
	problems []Problem
	notes    []string
}

func (c *checker) fail(key string, relay int, format string, args ...any) {
	shown := key
	if relay >= 0 {
		shown = "relay." + key
		if key == "" {
			shown = "relay"
		}
	}
	c.problems = append(c.problems, Problem{
		File: c.path, Line: c.lines.of(key, relay), Key: shown, Text: fmt.Sprintf(format, args...),
	})
}

// parse checks the text of a configuration.
func parse(path string, data []byte, mode fs.FileMode) (*Config, error) {
	c := &checker{path: path, dir: filepath.Dir(path), mode: mode}
	raw := decode(c, data)
	if len(c.problems) == 0 {
		c.spelling(data)
	}
	if len(c.problems) > 0 {
		return nil, &Error{c.problems}
	}
	c.lines = locate(data)
	cfg := &Config{Path: path, Poll: DefaultPoll, Undo: DefaultUndo, Notify: "now", Theme: "auto"}
	c.settings(cfg, raw)
	c.relays(cfg, raw.Relay)
	if len(c.problems) > 0 {
		return nil, &Error{c.problems}
	}
	cfg.Notes = c.notes
	return cfg, nil
}

// decode fills the file's shape. The library's longer texts quote the document,
// which may hold a token, and are never used.
func decode(c *checker, data []byte) file {
	var raw file
	decoder := toml.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&raw)
	var unknown *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch {
	case err == nil:
	case errors.As(err, &unknown):
		for i := range unknown.Errors {
			line, _ := unknown.Errors[i].Position()
			key := strings.Join(unknown.Errors[i].Key(), ".")
			c.problems = append(c.problems, Problem{c.path, line, key, "askbox does not know this key; " + nearest(key)})
		}
	case errors.As(err, &wrong):
		line, _ := wrong.Position()
		key := strings.Join(wrong.Key(), ".")
		c.problems = append(c.problems, Problem{c.path, line, key, decodeReason(key, wrong)})
	default:
		c.problems = append(c.problems, Problem{File: c.path, Text: "it is not TOML that askbox can read"})
	}
	return raw
}

// decodeReason says what a key wants, where the key is one of ours and its value
// has another type, and else what the parser stumbled over.
func decodeReason(key string, err *toml.DecodeError) string {
	message := strings.TrimPrefix(err.Error(), "toml: ")
	if want, ok := wants[key]; ok && strings.Contains(message, "cannot") {
		return "it has to be " + want
	}
	return "this is not TOML: " + text.New(message).Fit(120)
}

// nearest names the known key that a wrong one is most like, or all of them.
func nearest(key string) string {
	prefix, name := "", key
	if i := strings.LastIndex(key, "."); i >= 0 {
		prefix, name = key[:i+1], key[i+1:]
	}
	best, distance := "", 3
	for known := range wants {
		d := editDistance(key, known)
		if d < len(name) && (d < distance || d == distance && best != "" && known < best) {
			best, distance = known, d
		}
	}
	switch {
	case best != "":
		return "did you mean " + best[len(prefixOf(best)):] + "?"
	case prefix == "" && wants["relay."+name] != "":
		return "it belongs below a [[relay]] line"
	case prefix == "relay." && wants[name] != "":
		return "it belongs above the first [[relay]] line"
	}
	return "remove it, or see askbox config init for the keys there are"
}

func prefixOf(key string) string { return key[:strings.LastIndex(key, ".")+1] }

// editDistance counts the letters to add, drop or change to make a of b.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func (c *checker) settings(cfg *Config, raw file) {
	cfg.Poll = c.duration("poll", raw.Poll, cfg.Poll, MinPoll, MaxPoll)
	cfg.Undo = c.duration("undo", raw.Undo, cfg.Undo, 0, MaxUndo)
	cfg.Filter = map[string]client.Filter{"all": client.All, "mine": client.Mine, "agents": client.Agents}[c.oneOf("filter", -1, raw.Filter, "all", "mine", "agents")]
	cfg.Notify = c.oneOf("notify", -1, raw.Notify, "now", "off", "urgent", "all")
	cfg.Theme = c.oneOf("theme", -1, raw.Theme, "auto", "dark", "light", "plain", "ascii")
	cfg.Mouse = raw.Mouse != nil && *raw.Mouse
	cfg.Title = raw.Title == nil || *raw.Title
	cfg.Keys, cfg.Colors = c.table("keys", raw.Keys), c.table("colors", raw.Colors)
}

func (c *checker) duration(key string, value *string, without, least, most time.Duration) time.Duration {
	if value == nil {
		return without
	}
	d, err := time.ParseDuration(*value)
	switch {
	case err != nil:
		c.fail(key, -1, "it has to be %s", wants[key])
	case d < least || d > most:
		c.fail(key, -1, "it has to be from %s to %s", short(least), short(most))
	}
	return d
}

// short writes a duration without the zero units that the standard form has.
func short(d time.Duration) string {
	if d >= time.Minute && d%time.Minute == 0 {
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return d.String()
}

// oneOf returns the value, or the first of the words where there is none.
func (c *checker) oneOf(key string, relay int, value *string, words ...string) string {
	if value == nil {
		return words[0]
	}
	for _, word := range words {
		if *value == word {
			return word
		}
	}
	want := wants[key]
	if relay >= 0 {
		want = wants["relay."+key]
	}
	c.fail(key, relay, "it has to be %s", want)
	return words[0]
}
