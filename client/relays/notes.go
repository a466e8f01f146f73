package relays

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2/maybe"

	"askbox/client/state"
)

// The bounds of what is noted.
const (
	notesLast  = 30 * 24 * time.Hour
	mostNotes  = 500
	notesBytes = 1 << 20
	notesLock  = 2 * time.Second
)

// Notes are what is kept of the sessions of one relay across runs, because no list of the
// relay tells it: which were paused from here, and in which this token may answer nothing.
// All relays and all askboxes share one file of them; where it cannot be had, they last as
// long as the program. Notes are safe for concurrent use.
type Notes struct {
	path         string // empty: there is no file
	relay, token string // digests of what the notes are about
	lock         *flock.Flock

	mu   sync.Mutex
	read os.FileInfo // the file as it was read last
	all  []Note
}

// Note is one thing that is kept of a session.
type Note struct {
	Session string    `json:"session"`         // raw id
	Title   string    `json:"title,omitempty"` // raw
	What    string    `json:"what"`            // the adapter's word for it
	At      time.Time `json:"at"`
	// Relay and Token are digests: no address and no token is written. Token is empty in
	// a note that holds whoever asks.
	Relay string `json:"relay"`
	Token string `json:"token,omitempty"`
}

// Notes returns the notes on the sessions of the relay.
func (o Options) Notes() *Notes {
	n := &Notes{relay: digest("relay", o.Name, o.BaseURL), token: digest("token", o.BaseURL, o.Token)}
	if o.State != "" {
		n.path = filepath.Join(o.State, "sessions.json")
		n.lock = flock.New(filepath.Join(o.State, "sessions.lock"), flock.SetPermissions(0o600))
	}
	return n
}

// digest stands for some words, short enough to be no help to who would guess them.
func digest(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// List returns what is noted of the relay's sessions, the oldest first. What was noted of
// another token is not in it.
func (n *Notes) List() []Note {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.load()
	var out []Note
	for _, note := range n.all {
		if note.Relay == n.relay && (note.Token == "" || note.Token == n.token) && time.Since(note.At) < notesLast {
			out = append(out, note)
		}
	}
	return out
}

// Add notes something of a session, at this moment. ofToken says that it holds for this
// token alone.
func (n *Notes) Add(note Note, ofToken bool) {
	note.Relay, note.At = n.relay, time.Now().Round(0)
	if ofToken {
		note.Token = n.token
	}
	n.change(note.Session, note.What, &note)
}

// Remove drops what is noted of a session under a word.
func (n *Notes) Remove(session, what string) { n.change(session, what, nil) }

// change replaces one note. That the file cannot be written is no error: then the notes
// are those of this run.
func (n *Notes) change(session, what string, note *Note) {
	n.mu.Lock()
	defer n.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), notesLock)
	defer cancel()
	locked := false
	if n.path != "" && state.Folder(filepath.Dir(n.path)) == nil && state.Check(n.path) == nil && state.Check(n.lock.Path()) == nil {
		if locked, _ = n.lock.TryLockContext(ctx, 10*time.Millisecond); locked {
			defer func() { _ = n.lock.Unlock() }()
		}
	}
	n.load()
	n.all = slices.DeleteFunc(slices.Clone(n.all), func(old Note) bool {
		return old.Relay == n.relay && old.Session == session && old.What == what || time.Since(old.At) >= notesLast
	})
	if note != nil {
		n.all = append(n.all, *note)
	}
	n.all = n.all[max(0, len(n.all)-mostNotes):]
	data, err := json.Marshal(n.all)
	if locked && err == nil && maybe.WriteFile(n.path, data, 0o600) == nil {
		n.read, _ = os.Lstat(n.path)
	}
}

// load reads the file where it is another one than was read last.
func (n *Notes) load() {
	info, err := os.Lstat(n.path)
	if err != nil || n.read != nil && os.SameFile(n.read, info) && n.read.ModTime().Equal(info.ModTime()) && n.read.Size() == info.Size() {
		return
	}
	file, err := state.Open(n.path, os.O_RDONLY)
	if err != nil {
		return
	}
	defer file.Close()
	var all []Note
	if json.NewDecoder(io.LimitReader(file, notesBytes)).Decode(&all) == nil {
		n.read, n.all = info, all
	}
}
