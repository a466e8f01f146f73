package oar

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"askbox/client"
)

// flood is a relay whose list of answered cards has no end.
func flood(t *testing.T, write func(w io.Writer)) *Relay {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Query().Get("status") == "answered":
			write(w)
		case r.URL.Path == "/api/relay-questions":
			_, _ = io.WriteString(w, `{"questions":[`+card(`{}`)+`]}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	r, err := New(Options{Name: "home", BaseURL: server.URL, Token: canary})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// TestHistoryFlood: 300 MB of answered cards are capped, said to be partial, and
// cost the open cards nothing (F10).
func TestHistoryFlood(t *testing.T) {
	begun, goOn := make(chan struct{}), make(chan struct{})
	r := flood(t, func(w io.Writer) {
		_, _ = io.WriteString(w, `{"questions":[`+card(`{"status":"answered","answer":"Postgres","answeredAt":"2026-11-30T09:10:00.000Z"}`))
		w.(http.Flusher).Flush()
		close(begun)
		<-goOn
		one := `,` + card(`{"status":"answered","prompt":"`+strings.Repeat("x", 5000)+`","answeredAt":"2026-11-20T09:10:00.000Z"}`)
		for range 60000 {
			if _, err := io.WriteString(w, one); err != nil {
				return
			}
		}
	})
	type result struct {
		batch client.Batch
		err   error
	}
	done := make(chan result)
	go func() {
		batch, err := r.Closed(context.Background(), now.Add(-24*time.Hour))
		done <- result{batch, err}
	}()
	<-begun
	if batch, err := r.Open(context.Background()); err != nil || len(batch.Asks) != 1 {
		t.Errorf("while the other list arrives: %+v, %v", batch, err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	close(goOn)
	got := <-done
	runtime.GC()
	runtime.ReadMemStats(&after)
	if got.err != nil || got.batch.Complete || got.batch.Partial == "" || len(got.batch.Asks) != 1 {
		t.Errorf("got %d asks, %q, %v", len(got.batch.Asks), got.batch.Partial, got.err)
	}
	if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 16<<20 {
		t.Errorf("%d MiB are held", held>>20)
	}
}

func TestHistoryThatIsNone(t *testing.T) {
	for _, body := range []string{``, `[]`, `{"questions":{}}`, `{"other":[]}`, `{"questions":[{]}`} {
		r := flood(t, func(w io.Writer) { _, _ = io.WriteString(w, body) })
		if batch, err := r.Closed(context.Background(), now); err == nil {
			t.Errorf("%q gave %+v", body, batch)
		}
	}
	one := card(`{"status":"answered","answer":"x","answeredAt":"2026-11-30T09:00:00Z"}`)
	many := make([]string, 2*closedKept+100)
	for i := range many {
		many[i] = strings.NewReplacer(`"q1"`, fmt.Sprintf(`"q%d"`, i), `09:00:00Z`, fmt.Sprintf(`09:00:%02d.%03dZ`, i%60, i%1000)).Replace(one)
	}
	r := flood(t, func(w io.Writer) { _, _ = io.WriteString(w, `{"questions":[`+strings.Join(many, ",")+`]}`) })
	batch, err := r.Closed(context.Background(), now.Add(-24*time.Hour))
	if err != nil || len(batch.Asks) != closedKept {
		t.Errorf("%d are kept, %v", len(batch.Asks), err)
	}
	for i := 1; i < len(batch.Asks); i++ {
		if batch.Asks[i].Closing.At.After(batch.Asks[i-1].Closing.At) {
			t.Fatal("they are not newest first")
		}
	}
}
