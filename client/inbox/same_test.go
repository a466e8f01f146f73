package inbox

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"askbox/client"
	"askbox/client/text"
)

// TestSameReadsEveryField changes every field of an ask, one at a time.
func TestSameReadsEveryField(t *testing.T) {
	some := text.New("x")
	full := func() *client.Ask {
		part := client.Part{Key: some, Args: []text.Text{some}}
		return &client.Ask{AskedBy: &client.Party{}, Secret: &client.SecretAsk{}, Fields: []client.Part{{Args: []text.Text{some}}}, Raw: []byte("{}"),
			Approval:  &client.ApprovalAsk{Parts: []client.Part{part}, Always: []text.Text{some}, Modes: []client.Mode{{}}, ApprovingWords: []string{""}},
			Questions: []client.QuestionAsk{{Options: []client.Option{{}}}}, Private: []string{"x"},
			Closing: &client.Closing{Answer: []text.Text{some}, Given: &client.Answer{}}}
	}
	if !same(full(), full()) {
		t.Fatal("two readings of one ask differ")
	}
	n := leaves(reflect.ValueOf(full()), nil)
	if n < 90 {
		t.Errorf("only %d fields were looked at", n)
	}
	for i := range n {
		changed := full()
		var name string
		at := i
		leaves(reflect.ValueOf(changed), func(v reflect.Value, path string) {
			if at--; at == -1 {
				name = path
				alter(v)
			}
		})
		if same(full(), changed) || same(changed, full()) {
			t.Errorf("a change of %s is not seen", name)
		}
	}
}

// leaves calls f with everything in v that holds no more, and counts it.
func leaves(v reflect.Value, f func(reflect.Value, string)) (n int) {
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch {
		case v.Kind() == reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem(), path)
			}
			return
		case v.Kind() == reflect.Struct && v.Type() != reflect.TypeFor[time.Time]() && v.Type() != reflect.TypeFor[text.Text]():
			for i := range v.NumField() {
				walk(v.Field(i), path+"."+v.Type().Field(i).Name)
			}
			return
		case (v.Kind() == reflect.Slice || v.Kind() == reflect.Array) && v.Len() > 0:
			walk(v.Index(0), path+"[0]")
			if v.Kind() == reflect.Array {
				return
			}
		}
		n++
		if f != nil {
			f(v, path)
		}
	}
	walk(v, "")
	return n
}

func alter(v reflect.Value) {
	switch leaf := v.Addr().Interface().(type) {
	case *time.Time:
		*leaf = leaf.Add(time.Second)
		return
	case *text.Text:
		*leaf = text.New(leaf.Raw() + "!")
		return
	case *any:
		*leaf = []string{"y"}
		return
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
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(v.Type().Elem())))
	default:
		panic(v.Kind())
	}
}

// BenchmarkFold is a poll that brings nothing new, in the very asks of the one before
// (unread) or in asks that were read anew (unchanged), one new ask, or all at once.
func BenchmarkFold(b *testing.B) {
	for _, n := range []int{10, 1_000, 10_000} {
		read := func(more int) (asks []*client.Ask) {
			for i := range n + more {
				asks = append(asks, ask(i))
			}
			return asks
		}
		full, _ := fold(listing{}, news{relay: "work", asks: read(0), complete: true, began: 1, ended: 2})
		for name, n := range map[string]struct {
			from listing
			asks []*client.Ask
		}{"unread": {full, full.source}, "unchanged": {full, read(0)}, "one-new": {full, read(1)}, "first": {listing{}, read(0)}} {
			b.Run(fmt.Sprintf("%s/%d", name, len(full.flat())), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					fold(n.from, news{relay: "work", asks: n.asks, complete: true, began: 3, ended: 4})
				}
			})
		}
	}
}
