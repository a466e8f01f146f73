package httpx

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"askbox/client"
)

// reader takes JSON apart into pieces of the bytes that it is. It lets pass what
// only costs the item that it stands in: a doubled key, invalid Unicode.
type reader struct {
	raw  []byte
	from bytes.Buffer
	d    jsontext.Decoder
	// names holds the names of members as they were met before: the items of a relay
	// all have the same.
	names map[string]string
}

// manyNames bounds the names that are held, longestName the bytes of one.
const (
	manyNames   = 512
	longestName = 40
)

var readers = sync.Pool{New: func() any { return &reader{names: map[string]string{}} }}

// read begins to read. The caller calls done in the end, in any case.
func read(raw []byte) *reader {
	r := readers.Get().(*reader)
	r.raw, r.from = raw, *bytes.NewBuffer(raw)
	r.d.Reset(&r.from, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return r
}

func (r *reader) done() {
	r.raw, r.from = nil, bytes.Buffer{}
	r.d.Reset(&r.from)
	readers.Put(r)
}

// object reads an object. A list under key is left to inner.
func (r *reader) object(key string, inner func() error) (o Object, err error) {
	if err := r.open('{'); err != nil {
		return o, err
	}
	for r.d.PeekKind() != '}' {
		name, err := r.name()
		if err != nil {
			return Object{}, err
		}
		m := Member{Name: name}
		if inner != nil && m.Name == key && r.d.PeekKind() == '[' {
			m.Value, err = r.across(inner)
		} else {
			m.Value, err = r.next()
		}
		if err != nil {
			return Object{}, err
		}
		if o.Members == nil {
			o.Members = make([]Member, 0, 8)
		}
		o.Members = append(o.Members, m)
	}
	return o, r.close()
}

func (r *reader) name() (string, error) {
	raw, err := r.d.ReadValue()
	switch {
	case err != nil:
		return "", broken(err)
	case raw.Kind() != '"':
		return "", errBroken
	}
	if known, ok := r.names[string(raw)]; ok {
		return known, nil
	}
	name, _ := String(raw)
	if len(raw) <= longestName && len(r.names) < manyNames {
		r.names[string(raw)] = name
	}
	return name, nil
}

func (r *reader) list() (items []jsontext.Value, err error) {
	if err := r.open('['); err != nil {
		return nil, err
	}
	items = []jsontext.Value{}
	for r.d.PeekKind() != ']' {
		item, err := r.next()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, r.close()
}

func (r *reader) open(kind jsontext.Kind) error {
	token, err := r.d.ReadToken()
	switch {
	case err != nil:
		return broken(err)
	case token.Kind() != kind:
		return errOtherForm
	}
	return nil
}

func (r *reader) close() error {
	if _, err := r.d.ReadToken(); err != nil {
		return broken(err)
	}
	return nil
}

// next reads one value and returns it as a part of the bytes, which stay as they
// are while the reader goes on.
func (r *reader) next() (jsontext.Value, error) {
	value, err := r.d.ReadValue()
	if err != nil {
		return nil, broken(err)
	}
	to := r.d.InputOffset()
	return r.raw[to-int64(len(value)) : to : to], nil
}

// across returns what inner reads, which begins behind a colon and blanks.
func (r *reader) across(inner func() error) (jsontext.Value, error) {
	from := r.d.InputOffset()
	err := inner()
	to := r.d.InputOffset()
	begin := from + int64(bytes.IndexByte(r.raw[from:to], '['))
	return r.raw[begin:to:to], err
}

// end makes sure that nothing follows.
func (r *reader) end(err error) error {
	if err != nil {
		return err
	}
	if _, err := r.d.ReadToken(); err != io.EOF {
		return errMore
	}
	return nil
}

var (
	errOtherForm = &client.NotRelay{What: "JSON of another form"}
	errMore      = &client.NotRelay{What: "JSON with something behind it"}
	errCutOff    = &client.NotRelay{What: "JSON that breaks off"}
	errBroken    = &client.NotRelay{What: "broken JSON"}
)

func broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errCutOff
	}
	return errBroken
}
