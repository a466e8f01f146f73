package relays

import (
	"slices"
	"testing"

	"askbox/client"
)

func TestExtra(t *testing.T) {
	var e Extra
	e.Rest("approval", []byte(`{"env":{"LD_PRELOAD":"./x.so"},"sudo":false,"cwd":"/srv","queueId":"q-1","ownerId":{"run":"rm"},`+
		`"nothing":null,"a.b":1,"":2,"two\nlines":3,"\u0065nd":"\u0072m"}`), "queueId", "ownerId")
	e.Unread("", []byte(`{"approval":{"a":1},"question":null,"empty":"","none":[ ],"bare":{},"secret":{"name":"K"},"id":"x"}`), "question", "secret", "empty", "none", "bare")
	e.Rest("", nil)
	var got []string
	for _, p := range e {
		if p.Kind != client.PartField {
			t.Errorf("%s is a part of another kind", p.Key)
		}
		got = append(got, p.Key.Raw()+" = "+p.Text.Raw())
	}
	want := []string{`approval.env = {"LD_PRELOAD": "./x.so"}`, `approval.sudo = false`, `approval.cwd = "/srv"`,
		`approval.ownerId = {"run": "rm"}`, `approval.nothing = null`, `approval["a.b"] = 1`, `approval[""] = 2`,
		`approval["two\nlines"] = 3`, `approval.end = "rm"`, `secret = {"name": "K"}`}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
