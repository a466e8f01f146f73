package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"askbox/client"
	"askbox/client/text"
)

// line is an entry as it stands in the file. Texts are as the relay sent them.
type line struct {
	Relay   string    `json:"relay"`
	Session string    `json:"session"`
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Waited  bool      `json:"waited,omitempty"`
	What    string    `json:"what"`
	Title   string    `json:"title,omitempty"`
	How     string    `json:"how"`
	By      string    `json:"by,omitempty"`
	ByMe    bool      `json:"byMe,omitempty"`
	ByType  string    `json:"byType,omitempty"`
	At      time.Time `json:"at"`
	Surface string    `json:"surface,omitempty"`
	answerLine
	With  []string `json:"with,omitempty"`
	After string   `json:"after,omitempty"`
	Note  string   `json:"note,omitempty"`
	Shown string   `json:"shown,omitempty"`
	Told  string   `json:"told,omitempty"`
	Same  string   `json:"same,omitempty"`
	// Seen says that askbox only looked on when it closed, or that the answer in Tried
	// did not close it. It is not set in lines from before that was written down.
	Seen  bool         `json:"seen,omitempty"`
	Tried *attemptLine `json:"tried,omitempty"`
}

type answerLine struct {
	Dismiss  bool     `json:"dismiss,omitempty"`
	Decision string   `json:"decision,omitempty"`
	Mode     string   `json:"mode,omitempty"`
	Message  string   `json:"message,omitempty"`
	Choices  []string `json:"choices,omitempty"`
	Texts    []string `json:"texts,omitempty"`
}

type attemptLine struct {
	answerLine
	End  string    `json:"end"`
	At   time.Time `json:"at"`
	Why  string    `json:"why,omitempty"`
	Said string    `json:"said,omitempty"`
}

var errNotEntry = errors.New("not an entry of the history")

func encode(e Entry) ([]byte, error) {
	l := line{Relay: e.Ref.Relay, Session: e.Ref.Session, ID: e.Ref.ID, Kind: e.Kind.Name(), Waited: e.Waited,
		What: e.What.Raw(), Title: e.Session.Raw(), How: e.How.String(), By: e.By.Raw(), ByMe: e.ByMe, ByType: e.ByType.Name(), At: e.At,
		Surface: e.Surface.Raw(), answerLine: lineOf(e.Answer), With: raws(e.With), After: e.After.Name(), Note: e.Note,
		Shown: e.Shown.Raw(), Told: e.Told.Raw(), Same: e.Same, Seen: !e.Here}
	if t := e.Tried; t != nil {
		l.Tried = &attemptLine{answerLine: lineOf(t.Answer), End: t.End.Name(), At: t.At, Why: t.Why, Said: t.Said.Raw()}
	}
	data, err := json.Marshal(l)
	if err != nil {
		return nil, fmt.Errorf("the entry cannot be written: %w", err)
	}
	return append(printable(data), '\n'), nil
}

func decode(data []byte) (Entry, error) {
	if len(data) == 0 || data[0] != '{' {
		return Entry{}, errNotEntry
	}
	var l line
	if err := json.Unmarshal(data, &l); err != nil {
		return Entry{}, err
	}
	if l.ID == "" || l.At.IsZero() {
		return Entry{}, errNotEntry
	}
	e := Entry{Ref: client.Ref{Relay: l.Relay, Session: l.Session, ID: l.ID}, Waited: l.Waited, What: text.New(l.What),
		Session: text.New(l.Title), By: text.New(l.By), ByMe: l.ByMe, At: l.At, Surface: text.New(l.Surface),
		Answer: l.answer(), With: texts(l.With), Note: text.New(l.Note).String(),
		Shown: text.New(l.Shown), Told: text.New(l.Told), Same: l.Same, Here: !l.Seen,
		Kind:   valued(l.Kind, client.Unknown, client.Paused, client.Kind.Name),
		How:    valued(l.How, client.StatusUnknown, client.Gone, client.Status.String),
		ByType: valued(l.ByType, client.ActorUnknown, client.ActorSystem, client.ActorType.Name),
		After:  valued(l.After, client.AfterUnknown, client.AfterStopped, client.After.Name)}
	if t := l.Tried; t != nil {
		e.Tried = &Attempt{Answer: t.answer(), End: valued(t.End, NotSent, NotKnown, End.Name), At: t.At,
			Why: text.New(t.Why).String(), Said: text.New(t.Said)}
	}
	return e, nil
}

// valued returns the value that has a name, and the first one where none has.
func valued[V ~int](name string, first, last V, nameOf func(V) string) V {
	for v := first; v <= last; v++ {
		if nameOf(v) == name {
			return v
		}
	}
	return first
}

func lineOf(a Answer) answerLine {
	return answerLine{Dismiss: a.Dismiss, Decision: a.Decision.String(), Mode: a.Mode.Raw(), Message: a.Message.Raw(),
		Choices: raws(a.Choices), Texts: raws(a.Texts)}
}

func (l answerLine) answer() Answer {
	return Answer{Dismiss: l.Dismiss, Decision: valued(l.Decision, client.NoDecision, client.Deny, client.Decision.String),
		Mode: text.New(l.Mode), Message: text.New(l.Message), Choices: texts(l.Choices), Texts: texts(l.Texts)}
}

func raws(all []text.Text) (raw []string) {
	for _, t := range all {
		raw = append(raw, t.Raw())
	}
	return raw
}

func texts(raw []string) (all []text.Text) {
	for _, s := range raw {
		all = append(all, text.New(s))
	}
	return all
}

// printable escapes what JSON lets stand and a terminal would act on, so that
// the file can be looked at with cat. It reads back as the same text.
func printable(data []byte) []byte {
	if bytes.IndexFunc(data, hidden) < 0 {
		return data
	}
	out := make([]byte, 0, len(data)+len(data)/4)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		switch {
		case !hidden(r):
			out = append(out, data[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		data = data[n:]
	}
	return out
}

func hidden(r rune) bool { return !unicode.IsPrint(r) }

// cutLine stands where lines were left out for the size of the file: what is older is gone.
type cutLine struct {
	Cut time.Time `json:"cut"`
}

// cutAt returns the moment of a [cutLine], and zero for any other line.
func cutAt(data []byte) time.Time {
	var l cutLine
	if !bytes.HasPrefix(data, []byte(`{"cut":`)) || json.Unmarshal(data, &l) != nil {
		return time.Time{}
	}
	return l.Cut
}

// lines calls f with each line that has an end, and counts those that are too long. A last
// line without an end is being written, or was torn. read is how many bytes the others take.
func lines(r io.Reader, f func([]byte)) (read int64, tooLong int, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	var long []byte
	size := 0
	for {
		l, err := in.ReadSlice('\n')
		size += len(l)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if size <= mostLine {
				long = append(long, l...)
			}
			continue
		case errors.Is(err, io.EOF):
			return read, tooLong, nil
		case err != nil:
			return read, tooLong, err
		case size > mostLine:
			tooLong++
		case len(long) > 0:
			l = append(long, l...)
			fallthrough
		default:
			f(l[:len(l)-1])
		}
		read += int64(size)
		long, size = long[:0], 0
	}
}

// linesFrom calls f with the lines of a file from an offset on. What stands there first is
// no whole line where the one before has no end.
func linesFrom(file *os.File, from int64, f func([]byte)) (read int64, tooLong int, err error) {
	torn := false
	if from > 0 {
		var before [1]byte
		if _, err := file.ReadAt(before[:], from-1); err != nil {
			return 0, 0, err
		}
		torn = before[0] != '\n'
	}
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return 0, 0, err
	}
	return lines(file, func(l []byte) {
		if !torn {
			f(l)
		}
		torn = false
	})
}
