package httpx

import (
	"bytes"
	"io"
	"net/http"
	"sync"

	"askbox/client"
)

// chunk is how much of a body is read at once while it is held against another.
const chunk = 16 << 10

var chunks = sync.Pool{New: func() any { return new([chunk]byte) }}

// body reads the body of a reply up to a limit, in bytes. One that is the same,
// byte for byte, as like is returned as like itself, together with true: the poll
// of a relay on which nothing happened then leaves nothing for the collector.
func body(response *http.Response, limit int64, like []byte) ([]byte, bool, error) {
	from := io.LimitReader(response.Body, limit+1)
	buffer := chunks.Get().(*[chunk]byte)
	defer chunks.Put(buffer)
	at := 0
	for {
		n, err := from.Read(buffer[:])
		if n > len(like)-at || !bytes.Equal(like[at:at+n], buffer[:n]) {
			return rest(from, limit, err, like[:at], buffer[:n])
		}
		at += n
		switch {
		case int64(at) > limit:
			return nil, false, &client.TooLarge{Limit: limit}
		case err == io.EOF && at == len(like) && at > 0:
			return like, true, nil
		case err == io.EOF:
			return bytes.Clone(like[:at]), false, nil
		case err != nil:
			return nil, false, err
		}
	}
}

// rest reads on where a body turned out to be another one, after the parts of it
// that were read. failed is what their last reading gave.
func rest(from io.Reader, limit int64, failed error, parts ...[]byte) ([]byte, bool, error) {
	if failed != nil {
		from = failing{failed}
	}
	readers := make([]io.Reader, 0, len(parts)+1)
	for _, part := range parts {
		readers = append(readers, bytes.NewReader(part))
	}
	all, err := io.ReadAll(io.MultiReader(append(readers, from)...))
	switch {
	case err != nil:
		return nil, false, err
	case int64(len(all)) > limit:
		return nil, false, &client.TooLarge{Limit: limit}
	}
	return all, false, nil
}

// failing is a reader that has come to its end, or failed.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
