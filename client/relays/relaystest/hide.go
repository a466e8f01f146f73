// Package relaystest holds a test that every adapter has to pass: no member of an
// item can hide.
package relaystest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"askbox/client"
	"askbox/client/text"
)

// marker is what is hidden in an item, under each of the names.
const marker = "h1dden-m4rker"

var names = []string{"env", "sudo", "cwd", "timeout", "Input", "a.b"}

// NothingHides reads an item as it is, which has to give an ask without anything
// extra, and then with one more member in each of its objects in turn. That member
// has to be shown each time, and to make it another ask.
func NothingHides(t *testing.T, item string, read func(item string) *client.Ask) {
	t.Helper()
	plain := read(item)
	if plain.Unreadable != "" {
		t.Fatalf("it could not be read: %s", plain.Unreadable)
	}
	for _, p := range plain.Extra {
		t.Errorf("as it is it has %s = %s beside what is known", p.Key, p.Text)
	}
	var tree any
	if err := json.Unmarshal([]byte(item), &tree); err != nil {
		t.Fatal(err)
	}
	n := 0
	visit(tree, "", func(path string, object map[string]any) {
		for _, name := range names {
			if _, taken := object[name]; taken {
				continue
			}
			for _, value := range []any{marker, map[string]any{"deep": []any{marker}}} {
				n++
				object[name] = value
				check(t, path+"."+name, encode(t, tree), plain, read)
				delete(object, name)
			}
		}
	})
	if n == 0 {
		t.Error("nothing was tried")
	}
}

func check(t *testing.T, path, item string, plain *client.Ask, read func(string) *client.Ask) {
	t.Helper()
	ask := read(item)
	if ask.Unreadable != "" {
		return // it is refused, and shown whole
	}
	if !slices.ContainsFunc(texts(ask), func(s string) bool { return strings.Contains(s, marker) }) {
		t.Errorf("what stands at %s is shown nowhere", path)
	}
	if ask.Digest() == plain.Digest() {
		t.Errorf("with something at %s it is the same ask", path)
	}
}

// visit calls f with every object of a tree.
func visit(tree any, path string, f func(string, map[string]any)) {
	switch node := tree.(type) {
	case map[string]any:
		f(path, node)
		for name, inner := range node {
			visit(inner, path+"."+name, f)
		}
	case []any:
		for i, inner := range node {
			visit(inner, fmt.Sprintf("%s[%d]", path, i), f)
		}
	}
}

func encode(t *testing.T, tree any) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(tree); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

// texts returns all that an ask shows of its item.
func texts(a *client.Ask) (all []string) {
	take := func(ts ...text.Text) {
		for _, t := range ts {
			all = append(all, t.Raw())
		}
	}
	parts := slices.Concat(a.Fields, a.Extra)
	if a.Approval != nil {
		parts = append(parts, a.Approval.Parts...)
	}
	for _, p := range parts {
		take(p.Key, p.Path, p.Text)
		take(p.Args...)
	}
	for _, q := range a.Questions {
		take(q.Header, q.Text, q.Detail)
		for _, o := range q.Options {
			take(o.Label, o.Description)
		}
	}
	return all
}
