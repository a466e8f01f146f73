package client

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"askbox/client/text"
)

// full returns an ask with one of everything, so that every field can be changed.
func full() *Ask {
	some := text.New("x")
	part := Part{Key: some, Path: some, Text: some, Args: []text.Text{some}, Note: "n"}
	return &Ask{
		Ref:     Ref{Relay: "r", Session: "s", ID: "i"},
		AskedBy: &Party{Session: "p", Title: some},
		Approval: &ApprovalAsk{Tool: some, Parts: []Part{part}, Always: []text.Text{some},
			Modes: []Mode{{ID: "m"}}, ApprovingWords: []string{"Allow"}},
		Questions: []QuestionAsk{{ID: "q", Options: []Option{{ID: "o"}}}},
		Secret:    &SecretAsk{Name: some},
		Fields:    []Part{part},
		Extra:     []Part{part},
		Closing:   &Closing{},
	}
}

// unbound are the fields that a decision does not depend on.
var unbound = []string{".Ref.Relay", ".AskedBy.Session", ".AskedBy.Title", ".Urgent", ".Session", ".Opened", ".Expires", ".ExpiredWords", ".Closing", ".Raw", ".Private"}

// TestDigestReadsEveryField changes every field of an ask, one at a time, those
// that are added later included.
func TestDigestReadsEveryField(t *testing.T) {
	before := full().Digest()
	seen := 0
	each(reflect.ValueOf(full()).Elem(), "", func(path string) {
		seen++
		a := full()
		change(t, reflect.ValueOf(a).Elem(), path)
		same := a.Digest() == before
		if slices.ContainsFunc(unbound, func(u string) bool {
			return path == u || len(path) > len(u) && path[:len(u)] == u && path[len(u)] == '.'
		}) {
			if !same {
				t.Errorf("the digest depends on %s", path)
			}
		} else if same {
			t.Errorf("the digest does not depend on %s", path)
		}
	})
	if seen < 90 {
		t.Errorf("only %d fields were looked at", seen)
	}
}

// each calls f with the path of every leaf of v.
func each(v reflect.Value, path string, f func(string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			each(v.Elem(), path, f)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[text.Text]() || v.Type() == reflect.TypeFor[time.Time]() {
			f(path)
			return
		}
		for i := range v.NumField() {
			each(v.Field(i), path+"."+v.Type().Field(i).Name, f)
		}
	case reflect.Slice, reflect.Array:
		if v.Len() > 0 {
			each(v.Index(0), path+".0", f)
		}
		if v.Kind() == reflect.Slice {
			f(path + ".more")
		}
	case reflect.Interface:
	default:
		f(path)
	}
}

// change alters the leaf at a path.
func change(t *testing.T, v reflect.Value, path string) {
	t.Helper()
	for path != "" {
		name := path[1:]
		if i := slices.Index([]byte(name), '.'); i >= 0 {
			name = name[:i]
		}
		path = path[1+len(name):]
		if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		switch name {
		case "0":
			v = v.Index(0)
		case "more":
			v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
			return
		default:
			v = v.FieldByName(name)
		}
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint8:
		v.SetUint(v.Uint() + 1)
	case reflect.String:
		v.SetString(v.String() + "!")
	case reflect.Struct:
		switch leaf := v.Addr().Interface().(type) {
		case *time.Time:
			*leaf = leaf.Add(time.Second)
		case *text.Text:
			*leaf = text.New(leaf.Raw() + "!")
		}
	default:
		t.Fatalf("no way to change a %s", v.Kind())
	}
}

// TestDigestIsUnambiguous moves bytes from one string to its neighbour.
func TestDigestIsUnambiguous(t *testing.T) {
	a := approval(func(a *Ask) { a.Approval.Tool, a.Approval.Parts[0].Text = text.New("ab"), text.New("c") })
	b := approval(func(a *Ask) { a.Approval.Tool, a.Approval.Parts[0].Text = text.New("a"), text.New("bc") })
	if a.Digest() == b.Digest() {
		t.Error("two contents have one digest")
	}
	one := approval(func(a *Ask) { a.Approval.Always = []text.Text{text.New("x"), text.New("y")} })
	two := approval(func(a *Ask) { a.Approval.Always = []text.Text{text.New("xy")} })
	if one.Digest() == two.Digest() {
		t.Error("two rules read as one")
	}
}

// TestDigestOfOffers: what another ask of the session changes in the effect of a
// denial makes no other ask of this one; what an approval does is part of it.
func TestDigestOfOffers(t *testing.T) {
	for act := range actions {
		before, after := full(), full()
		before.Offers, after.Offers = Offered(), Offered()
		after.Offers[act].Effect = "and something else"
		if same := before.Digest() == after.Digest(); same != refusing(act) {
			t.Errorf("action %d: the effect is left out: %v", act, same)
		}
		after.Offers[act] = Offer{Why: "no"}
		if before.Digest() == after.Digest() {
			t.Errorf("action %d: whether it is offered is left out", act)
		}
	}
}
