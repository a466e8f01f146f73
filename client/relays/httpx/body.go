package httpx

import (
	"bytes"
	"hash/maphash"
	"io"
	"net/http"
	"sync"

	"askbox/client"
)

// Sum stands for the body of a reply: two bodies with the same sum are the same, byte for
// byte. It holds within this process; 0 is that of no body.
type Sum uint64

var seed = maphash.MakeSeed()

func sumOf(body []byte) Sum {
	if len(body) == 0 {
		return 0
	}
	return Sum(max(maphash.Bytes(seed, body), 1))
}

// buffers hold bodies while they are read. What was the body before is not copied out of
// one, so that the poll of a relay on which nothing happened leaves next to nothing for
// the collector.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// largestBuffer is the most bytes of a buffer that is used again.
const largestBuffer = 4 << 20

// take reads the body of a reply up to a limit, in bytes. The body of a good reply whose
// sum is that of before is left out.
func (r *Reply) take(response *http.Response, limit int64, before Sum) error {
	buffer := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	defer func() {
		if buffer.Cap() <= largestBuffer {
			buffers.Put(buffer)
		}
	}()
	if known := response.ContentLength; known > 0 && known <= limit {
		buffer.Grow(int(known) + bytes.MinRead)
	}
	_, err := buffer.ReadFrom(io.LimitReader(response.Body, limit+1))
	switch {
	case err != nil:
		return err
	case int64(buffer.Len()) > limit:
		return &client.TooLarge{Limit: limit}
	}
	r.Size, r.Sum = buffer.Len(), sumOf(buffer.Bytes())
	r.Same = before != 0 && r.Sum == before && r.good()
	if !r.Same {
		r.Body = bytes.Clone(buffer.Bytes())
	}
	return nil
}
