//go:build unix

package relays_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	json "github.com/go-json-experiment/json"

	"askbox/client"
	"askbox/client/relays/oar"
	"askbox/client/relays/opencode"
	"askbox/client/relays/opencomputer"
	"askbox/client/relays/werft"
)

// benchAsks is how many asks the relay of a benchmark lists.
const benchAsks = 1000

// benchKind is a kind of relay as the benchmarks play it: its routes, each with the
// text around its items, and its items.
type benchKind struct {
	name string
	new  func(url string) (client.Relay, error)
	// list is the path of the listing; its body is before, the items, after.
	list, before, after string
	others              map[string]string // what the other paths reply
	items               map[string]string // by kind of ask, with %[1]d for a number
}

var benchKinds = []benchKind{
	{
		name: "opencomputer",
		new: func(url string) (client.Relay, error) {
			return opencomputer.New(opencomputer.Options{Name: "work", BaseURL: url, Token: "t"})
		},
		list: "/sessions", before: `{"sessions":[`, after: `],"nextCursor":null}`,
		others: map[string]string{"/me": `{"id":"usr_1","name":"Ada"}`},
		items: map[string]string{
			"approval": `{"id":"cs_%[1]d","title":"Fix the flaky build","url":"https://oc.example/s/%[1]d","createdBy":{"type":"user","id":"usr_1","name":"Ada"},"parentId":null,` +
				`"asks":[{"id":"ak_%[1]d","sessionId":"cs_%[1]d","kind":"approval","status":"open","openedAt":"2026-11-30T09:12:00Z","closedAt":null,"closedBy":null,"answer":null,` +
				`"approval":{"toolName":"Bash","input":{"command":"rm -rf build/%[1]d","description":"clean the build"},"alwaysAllows":"Bash(rm -rf build)"}}]}`,
			"question": `{"id":"cs_%[1]d","title":"Fix the flaky build","url":"https://oc.example/s/%[1]d","createdBy":{"type":"user","id":"usr_1","name":"Ada"},"parentId":null,` +
				`"asks":[{"id":"ak_%[1]d","sessionId":"cs_%[1]d","kind":"question","status":"open","openedAt":"2026-11-30T09:12:00Z",` +
				`"question":{"questions":[{"questionId":"q","header":"Database","question":"Postgres or SQLite for %[1]d?","options":[{"label":"Postgres","description":"a server"},{"label":"SQLite","description":"a file"}],"multiSelect":false}]}}]}`,
		},
	},
	{
		name: "oar",
		new: func(url string) (client.Relay, error) {
			return oar.New(oar.Options{Name: "home", BaseURL: url, Token: "t"})
		},
		list: "/api/relay-questions", before: `{"questions":[`, after: `]}`,
		others: map[string]string{
			"/api/relay-boards": `{"boards":[]}`, "/api/asks": `{"asks":[],"relays":[]}`, "/api/remote-relays": `{"relays":[]}`,
			"/api/relay/identity": `{"relayId":"r1","version":"1"}`,
			"/api/conversations":  `{"conversations":[{"id":"c1","title":"Fix the flaky build"}],"pageInfo":{"hasMore":false,"nextCursor":null}}`,
		},
		items: map[string]string{
			"approval": `{"id":"q%[1]d","conversationId":"c1","sdkSessionId":"s1","mode":"interactive","prompt":"Copilot wants to run:\nrm -rf build/%[1]d","choices":["Allow","Deny"],` +
				`"request":{"command":"rm -rf build/%[1]d"},"requestSchema":null,"context":{"source":"onPermissionRequest","rationale":"to clean"},"allowFreeform":true,"status":"pending","answer":null,` +
				`"structuredAnswer":null,"createdAt":"2026-11-30T09:12:00Z","answeredAt":null,"expiresAt":"2026-11-30T19:12:00Z"}`,
			"question": `{"id":"q%[1]d","conversationId":"c1","sdkSessionId":"s1","mode":"interactive","prompt":"Postgres or SQLite for %[1]d?","choices":["Postgres","SQLite"],` +
				`"request":null,"requestSchema":null,"context":{"source":"AskUserQuestion","header":"Database"},"allowFreeform":true,"status":"pending","answer":null,` +
				`"structuredAnswer":null,"createdAt":"2026-11-30T09:12:00Z","answeredAt":null,"expiresAt":"2026-11-30T19:12:00Z"}`,
		},
	},
	{
		name: "werft",
		new: func(url string) (client.Relay, error) {
			return werft.New(werft.Options{Name: "yard", BaseURL: url, Token: "t"})
		},
		list: "/v1/sessions/ses_1/requests", before: `{"requests":[`, after: `]}`,
		others: map[string]string{
			"/v1/me": `{"id":"usr_1","name":"Ada"}`,
			"/v1/sessions": `{"sessions":[{"session_id":"ses_1","title":"Fix the flaky build","created_by":{"type":"user","id":"usr_1","name":"Ada"},"parent_id":null,` +
				`"revision":3,"admission_state":"active","status":"needs_input","attention":null}],"next_cursor":null}`,
		},
		items: map[string]string{
			"approval": `{"request_id":"req_%[1]d","session_id":"ses_1","kind":"permission","tool":"Bash","input":{"command":"rm -rf build/%[1]d","description":"clean the build"},` +
				`"proposed_remember":"Bash(rm -rf build)","created_at":"2026-11-30T09:12:00Z","expires_at":"2196-11-30T09:42:00Z"}`,
			"question": `{"request_id":"req_%[1]d","session_id":"ses_1","kind":"question","questions":[{"question_id":"q","header":"Database","prompt":"Postgres or SQLite for %[1]d?",` +
				`"options":[{"option_id":"a","label":"Postgres","description":"a server"},{"option_id":"b","label":"SQLite","description":"a file"}],"multi_select":false}],` +
				`"created_at":"2026-11-30T09:12:00Z","expires_at":"2196-11-30T09:42:00Z"}`,
		},
	},
	{
		name: "opencode",
		new: func(url string) (client.Relay, error) {
			return opencode.New(opencode.Options{Name: "lab", BaseURL: url, Token: "p", Directories: []string{"/srv/app"}})
		},
		list: "/permission", before: `[`, after: `]`,
		others: benchOpencode("/question"),
		items: map[string]string{
			"approval": `{"id":"per_%[1]d","sessionID":"ses_1","permission":"bash","patterns":["rm -rf build/%[1]d"],"metadata":{"command":"rm -rf build/%[1]d","description":"clean the build"},"always":["rm *"]}`,
		},
	},
	{
		name: "opencode",
		new: func(url string) (client.Relay, error) {
			return opencode.New(opencode.Options{Name: "lab", BaseURL: url, Token: "p", Directories: []string{"/srv/app"}})
		},
		list: "/question", before: `[`, after: `]`,
		others: benchOpencode("/permission"),
		items: map[string]string{
			"question": `{"id":"que_%[1]d","sessionID":"ses_1","questions":[{"question":"Postgres or SQLite for %[1]d?","header":"Database","options":[{"label":"Postgres","description":"a server"},{"label":"SQLite","description":"a file"}],"multiple":false}]}`,
		},
	},
}

func benchOpencode(empty string) map[string]string {
	return map[string]string{
		empty: `[]`, "/api/permission/request": `{"data":[]}`, "/api/question/request": `{"data":[]}`,
		"/session/status": `{"ses_1":{"type":"busy"}}`, "/session/ses_1": `{"id":"ses_1","directory":"/srv/app","title":"Fix the flaky build"}`,
		"/experimental/session": `[{"id":"ses_1","directory":"/srv/app","title":"Fix the flaky build","time":{"created":1764493920000,"updated":1764493920000}}]`,
	}
}

// BenchmarkOpen reads a relay of each kind that lists a thousand small asks: for the
// first time, again where nothing changed, and again where one ask is another.
func BenchmarkOpen(b *testing.B) {
	for _, k := range benchKinds {
		for kind, item := range k.items {
			items := make([]string, benchAsks)
			for i := range items {
				items[i] = fmt.Sprintf(item, i)
			}
			var body atomic.Value
			body.Store(k.before + strings.Join(items, ",") + k.after)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				text, known := k.others[r.URL.Path]
				switch {
				case r.URL.Path == k.list:
					text = body.Load().(string)
				case !known:
					w.WriteHeader(http.StatusNotFound)
					text = `{"error":{"code":"not_found"}}`
				}
				_, _ = w.Write([]byte(text))
			}))
			made := func() client.Relay {
				relay, err := k.new(server.URL)
				if err != nil {
					b.Fatal(err)
				}
				return relay
			}
			read := func(relay client.Relay) {
				batch, err := relay.Open(context.Background())
				if err != nil || len(batch.Asks) != benchAsks || !batch.Complete {
					b.Fatalf("%d asks, %+v, %v", len(batch.Asks), batch.Partial, err)
				}
			}
			b.Run(k.name+"/"+kind+"/first", func(b *testing.B) {
				perAsk(b, func(int) { read(made()) })
			})
			relay := made()
			read(relay)
			b.Run(k.name+"/"+kind+"/same", func(b *testing.B) {
				perAsk(b, func(int) { read(relay) })
			})
			b.Run(k.name+"/"+kind+"/changed", func(b *testing.B) {
				perAsk(b, func(n int) {
					items[0] = fmt.Sprintf(item, benchAsks+n)
					body.Store(k.before + strings.Join(items, ",") + k.after)
					read(relay)
				})
			})
			server.Close()
		}
	}
}

// plainPage is a page of OpenComputer as a client would read it that does nothing else.
type plainPage struct {
	Sessions []struct {
		ID, Title, URL string
		CreatedBy      struct{ Type, ID, Name string }
		Asks           []struct {
			ID, SessionID, Kind, Status string
			OpenedAt                    time.Time
			Approval                    struct {
				ToolName     string
				Input        map[string]string
				AlwaysAllows string
			}
			Question struct {
				Questions []struct {
					QuestionID, Header, Question string
					Options                      []struct{ Label, Description string }
					MultiSelect                  bool
				}
			}
		}
	}
	NextCursor *string
}

// BenchmarkPlain is what BenchmarkOpen is measured against: a client that fetches the
// page of OpenComputer and decodes it into types, and makes no asks of it.
func BenchmarkPlain(b *testing.B) {
	for kind, item := range benchKinds[0].items {
		items := make([]string, benchAsks)
		for i := range items {
			items[i] = fmt.Sprintf(item, i)
		}
		body := []byte(benchKinds[0].before + strings.Join(items, ",") + benchKinds[0].after)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }))
		b.Run(kind, func(b *testing.B) {
			perAsk(b, func(int) {
				reply, err := http.Get(server.URL)
				if err != nil {
					b.Fatal(err)
				}
				defer reply.Body.Close()
				raw, err := io.ReadAll(reply.Body)
				var page plainPage
				if err == nil {
					err = json.Unmarshal(raw, &page, json.MatchCaseInsensitiveNames(true))
				}
				if err != nil || len(page.Sessions) != benchAsks {
					b.Fatal(err)
				}
			})
		})
		server.Close()
	}
}

// perAsk runs a benchmark and reports its figures for one of the asks: the time of the
// processor, because that of the wall depends on what else runs, and allocations. The
// server that replies is in both.
func perAsk(b *testing.B, run func(n int)) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpu(b)
	n := 0
	for b.Loop() {
		run(n)
		n++
	}
	used := cpu(b) - start
	runtime.ReadMemStats(&after)
	asks := float64(n * benchAsks)
	b.ReportMetric(float64(used.Microseconds())/asks, "cpu-µs/ask")
	b.ReportMetric(float64(after.Mallocs-before.Mallocs)/asks, "allocs/ask")
	b.ReportMetric(0, "ns/op")
}

// cpu is the time of the processor that this process has used.
func cpu(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
