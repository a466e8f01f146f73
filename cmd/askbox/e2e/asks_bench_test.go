//go:build unix

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"askbox/client/fake/opencomputer"
)

// BenchmarkAsks starts askbox on five relays: first-ms is from the first frame to
// the first ask on the screen, all-ms to the count of all of them, plain-ms how long
// a client takes that fetches and parses the same pages and does nothing else. MiB is
// what askbox holds a few seconds later.
func BenchmarkAsks(b *testing.B) {
	for _, asks := range []int{1000, 10000} {
		b.Run(fmt.Sprintf("asks=%d", asks), func(b *testing.B) {
			w := manyRelays(b, 5, asks/5)
			askbox(b)
			var first, all, plain []time.Duration
			var memory uint64
			for b.Loop() {
				var wait sync.WaitGroup
				began := time.Now()
				for _, name := range w.names {
					wait.Go(func() { fetchAll(b, w.relays[name]) })
				}
				wait.Wait()
				plain = append(plain, time.Since(began))
				term := launch(b, w.command())
				frame := until(b, term, "askbox")
				first = append(first, until(b, term, "make target").Sub(frame))
				all = append(all, until(b, term, fmt.Sprintf("All %d", asks)).Sub(frame))
				if err := term.Quiet(4*time.Second, limit); err != nil {
					b.Fatal(err)
				}
				memory = max(memory, uint64(must(term.Memory())(b)))
				term.Kill()
			}
			for name, took := range map[string][]time.Duration{"first-ms": first, "all-ms": all, "plain-ms": plain} {
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, name)
			}
			b.ReportMetric(float64(memory)/(1<<20), "MiB")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// fetchAll reads every page of the waiting sessions.
func fetchAll(b *testing.B, relay *opencomputer.Server) {
	var page struct {
		Sessions   []map[string]any `json:"sessions"`
		NextCursor string           `json:"nextCursor"`
	}
	for cursor := ""; ; cursor = page.NextCursor {
		query := url.Values{"status": {"waiting"}, "limit": {"100"}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		req, err := http.NewRequest("GET", relay.URL()+"/sessions?"+query.Encode(), nil)
		if err != nil {
			b.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer "+relay.Token())
		reply, err := http.DefaultClient.Do(req)
		if err != nil {
			b.Error(err)
			return
		}
		page.Sessions, page.NextCursor = nil, ""
		err = json.NewDecoder(reply.Body).Decode(&page)
		reply.Body.Close()
		if err != nil || len(page.Sessions) == 0 {
			b.Errorf("%s: %d, %v", req.URL, reply.StatusCode, err)
			return
		}
		if page.NextCursor == "" {
			return
		}
	}
}
