package opencomputer

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"askbox/client"
	"askbox/client/relays"
)

func pageOf(next string, items ...string) string {
	return `{"sessions":[` + sessionOf("cs_1", items...) + `],"nextCursor":` + next + `}`
}

func TestPages(t *testing.T) {
	one, two, three := bash("1", "a"), bash("2", "b"), bash("3", "c")
	for name, test := range map[string]struct {
		pages   map[string]string
		want    []string
		partial string
	}{
		"an empty page in between": {map[string]string{"": pageOf(`"b"`, one, two), "b": `{"sessions":[],"nextCursor":"c"}`, "c": pageOf("null", three)},
			[]string{"1", "2", "3"}, ""},
		"an empty cursor":         {map[string]string{"": pageOf(`""`, one)}, []string{"1"}, ""},
		"a cursor of itself":      {map[string]string{"": pageOf(`"a"`, one), "a": pageOf(`"a"`, two)}, []string{"1", "2"}, "again and again"},
		"a circle":                {map[string]string{"": pageOf(`"a"`, one), "a": pageOf(`"b"`, two), "b": pageOf(`"a"`, three)}, []string{"1", "2", "3"}, "again and again"},
		"an item on two pages":    {map[string]string{"": pageOf(`"b"`, one, bash("3", "old")), "b": pageOf("null", three)}, []string{"1", "3"}, ""},
		"one that closed between": {map[string]string{"": pageOf(`"b"`, one), "b": pageOf("null", `{"id":"2","kind":"secret","status":"dismissed"}`)}, []string{"1"}, ""},
	} {
		both(t, func(a asked) said { return ok(test.pages[a.query.Get("cursor")]) }, func(t *testing.T, r *Relay, _ *script) {
			b := open(t, r)
			if d := cmp.Diff(test.want, ids(b)); d != "" {
				t.Errorf("%s: %s", name, d)
			}
			if !strings.Contains(b.Partial, test.partial) || (test.partial == "") != b.Complete || (test.partial == "") != (b.Partial == "") {
				t.Errorf("%s: complete %v, %q", name, b.Complete, b.Partial)
			}
			if strings.Contains(name, "two pages") && find(t, b, "3").What().Raw() != "c" {
				t.Errorf("the older text is kept: %v", find(t, b, "3").What())
			}
		})
	}
}

func TestEndlessPages(t *testing.T) {
	for name, size := range map[string]int{"many": 0, "large": 4 << 20} {
		n := 0
		reply := func(a asked) said {
			n++
			return ok(`{"sessions":[],"pad":"` + strings.Repeat("x", size) + `","nextCursor":"` + strconv.Itoa(n) + `"}`)
		}
		both(t, reply, func(t *testing.T, over *Relay, _ *script) {
			if over.rpc {
				return
			}
			n = 0
			b := open(t, over)
			if b.Complete || !strings.Contains(b.Partial, "may be incomplete") || n > maxPages || size > 0 && n > 20 {
				t.Errorf("%s: %d pages, %+v", name, n, b)
			}
		})
	}
}

// A relay that answers each page late is not waited for to its end.
func TestPagesWithoutEndInTime(t *testing.T) {
	n := 0
	both(t, func(asked) said { n++; return ok(pageOf(strconv.Quote(strconv.Itoa(n)), bash("1", "a"))) }, func(t *testing.T, r *Relay, _ *script) {
		n = 0
		got := 0
		end, err := r.walk(t.Context(), listing{
			call:   call{path: []string{"sessions"}, method: "sessions.list", query: map[string]string{}},
			within: time.Nanosecond, begin: func() { got = 0 },
			page: func(_ string, out result) (string, error) {
				items, next, err := relays.Page(out.raw, "sessions", nextCursor)
				got += len(items)
				return next, err
			},
		})
		if err != nil || n != 1 || got != 1 || !strings.Contains(end.partial, "in time") {
			t.Errorf("%d pages with %d items, %+v, %v", n, got, end, err)
		}
	})
}

func TestStaleCursor(t *testing.T) {
	for name, refusal := range map[string]said{
		"invalid_cursor": {status: 400, body: `{"error":{"code":"invalid_cursor","message":"start again"}}`},
		"another text":   {status: 400, body: `{"error":"invalid cursor"}`},
		"gone":           {status: 410, body: `{"error":"gone"}`},
	} {
		for _, heals := range []bool{true, false} {
			passes := 0
			both(t, func(a asked) said {
				switch {
				case a.query.Get("cursor") == "":
					passes++
					return ok(pageOf(`"b"`, bash(fmt.Sprint(passes), "ls")))
				case heals && passes == 2:
					return ok(pageOf("null", bash("3", "ls")))
				}
				return refusal
			}, func(t *testing.T, r *Relay, _ *script) {
				if r.rpc && name != "invalid_cursor" {
					return // over JSON-RPC only the code tells
				}
				passes = 0
				b, err := r.Open(context.Background())
				if passes != 2 {
					t.Errorf("%s: begun %d times", name, passes)
				}
				if heals && (err != nil || !b.Complete || cmp.Diff([]string{"2", "3"}, ids(b)) != "") {
					t.Errorf("%s: %v %v", name, ids(b), err)
				}
				if !heals && (err == nil || b.Complete || b.Partial == "" || cmp.Diff([]string{"2"}, ids(b)) != "") {
					t.Errorf("%s: %v %q %v", name, ids(b), b.Partial, err)
				}
			})
		}
	}
}

func TestALaterPageFails(t *testing.T) {
	both(t, func(a asked) said {
		if a.query.Get("cursor") != "" {
			return said{status: 500, body: `{"error":{"message":"\u001b[2Jboom"}}`}
		}
		return ok(pageOf(`"b"`, bash("1", "ls")))
	}, func(t *testing.T, r *Relay, _ *script) {
		b, err := r.Open(context.Background())
		if !is[*client.Failed](err) || b.Complete || b.Partial == "" || len(b.Asks) != 1 {
			t.Errorf("%+v %v", b, err)
		}
		if strings.Contains(err.Error(), "\x1b") {
			t.Errorf("a control character in %q", err)
		}
	})
}
