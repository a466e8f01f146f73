package oar

import (
	"encoding/json"
	"strings"
	"testing"

	"askbox/client"
)

const schema = `{"type":"object","title":"Deploy","required":["env","count"],"properties":{
	"env":{"type":"string","title":"Environment","description":"where to","enum":["staging","prod"],"enumNames":["Staging","Production"],"default":"staging"},
	"count":{"type":"integer","minimum":1,"default":2},
	"ratio":{"type":"number"},
	"note":{"type":"string","maxLength":10},
	"force":{"type":"boolean","default":false},
	"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"default":["a","c"]},
	"level":{"type":"integer","enum":[1,2]},
	"size":{"type":"string","oneOf":[{"const":"s","title":"Small"},{"const":"l","title":"Large"}]}}}`

func formCard(schema string) string {
	return card(`{"prompt":"Fill this in","choices":[],"allowFreeform":false,"requestSchema":` + schema + `}`)
}

func TestFormFields(t *testing.T) {
	ask := newStand(t, cards(formCard(schema))).only()
	if ask.Kind != client.Question || !ask.Offer(client.ActAnswer).OK || len(ask.Questions) != 8 {
		t.Fatalf("got %v with %d fields, %+v", ask.Kind, len(ask.Questions), ask.Offer(client.ActAnswer))
	}
	tests := []struct {
		id, header, options, proposed string
		kind                          client.FieldType
		multi, optional               bool
		most                          int
	}{
		{"env", "Environment", "staging=Staging prod=Production", "staging", client.FieldChoice, false, false, 0},
		{"count", "count", "", "2", client.FieldInteger, false, false, 0},
		{"ratio", "ratio", "", "", client.FieldNumber, false, true, 0},
		{"note", "note", "", "", client.FieldText, false, true, 10},
		{"force", "force", "true=yes false=no", "false", client.FieldBool, false, true, 0},
		{"tags", "tags", "a=a b=b c=c", "a, c", client.FieldChoice, true, true, 0},
		{"level", "level", "1=1 2=2", "", client.FieldChoice, false, true, 0},
		{"size", "size", "s=Small l=Large", "", client.FieldChoice, false, true, 0},
	}
	for i, tt := range tests {
		q := ask.Questions[i]
		var options []string
		for _, o := range q.Options {
			options = append(options, o.ID+"="+o.Label.Raw())
		}
		if q.ID != tt.id || q.Header.Raw() != tt.header || strings.Join(options, " ") != tt.options || q.Default.Raw() != tt.proposed ||
			q.Type != tt.kind || q.Multi != tt.multi || q.Optional != tt.optional || q.MaxText != tt.most || q.OwnText {
			t.Errorf("%s: got %+v", tt.id, q)
		}
	}
	if first := ask.Questions[0].Text.Raw(); first != "Fill this in\nDeploy\n\nwhere to" {
		t.Errorf("it asks %q", first)
	}
	if !strings.Contains(ask.Questions[1].Detail.Raw(), "minimum: 1") {
		t.Errorf("the bound is not shown: %q", ask.Questions[1].Detail)
	}
}

func TestFormAnswer(t *testing.T) {
	s := newStand(t, cards(formCard(schema)))
	ask := s.only()
	answer := client.Answer{Questions: []client.QuestionAnswer{
		{ID: "env", Choices: []string{"prod"}}, {ID: "count", Text: "3", HasText: true}, {ID: "ratio", Text: "1.50", HasText: true},
		{ID: "note"}, {ID: "force", Choices: []string{"false"}}, {ID: "tags", Choices: []string{"c", "a"}},
		{ID: "level", Choices: []string{"2"}}, {ID: "size", Choices: []string{"l"}},
	}}
	object := `{"env":"prod","count":3,"ratio":1.5,"force":false,"tags":["a","c"],"level":2,"size":"l"}`
	s.replies["POST /api/relay-question/q1/"] = `{"ok":true,"question":` +
		card(`{"requestSchema":`+schema+`,"status":"answered","structuredAnswer":`+object+`}`) + `}`
	got, err := s.answer(ask, answer)
	if err != nil {
		t.Fatal(err)
	}
	var sent map[string]json.RawMessage
	must(s.calls("POST ")[0].body, &sent)
	if !sameJSON([]byte(sent["structuredAnswer"]), []byte(object)) || sent["answer"] != nil || string(sent["sdk_session_id"]) != `"c4"` {
		t.Errorf("sent %s", s.calls("POST ")[0].body)
	}
	if !strings.Contains(s.calls("POST ")[0].body, `"ratio":1.50`) {
		t.Error("the number did not arrive as it was typed")
	}
	if got.Closing.Given == nil || len(got.Closing.Given.Questions) != 8 || got.Closing.Given.Questions[2].Text != "1.50" {
		t.Errorf("given %+v", got.Closing.Given)
	}
	s.replies["POST /api/relay-question/q1/"] = strings.Replace(s.replies["POST /api/relay-question/q1/"], `"prod","count":3`, `"staging","count":3`, 1)
	if _, err := s.answer(ask, answer); !is[*client.Closed](err) {
		t.Errorf("another answer in the reply gave %v", err)
	}
}

// TestFormRefused: the relay's messages stand at their fields, and nothing of
// them is control (F06).
func TestFormRefused(t *testing.T) {
	s := newStand(t, cards(formCard(schema)))
	ask := s.only()
	s.reply("POST /api/relay-question/q1/answer", `{"error":"Invalid structured answer","fields":[{"name":"env","message":"\u001b[2Jok"},{"name":"count","message":"too many"}]}`, 400)
	_, err := s.answer(ask, client.Answer{Questions: []client.QuestionAnswer{{ID: "env", Choices: []string{"prod"}}, {ID: "count", Text: "3", HasText: true},
		{ID: "ratio"}, {ID: "note"}, {ID: "force"}, {ID: "tags"}, {ID: "level"}, {ID: "size"}}})
	var wrong *client.InvalidAnswer
	if !as(err, &wrong) || wrong.Field != "env" || !strings.Contains(err.Error(), "⟨ESC⟩[2Jok") || wrong.Said.Raw() != "\x1b[2Jok\ncount: too many" {
		t.Errorf("got %#v", err)
	}
	if strings.ContainsRune(err.Error(), 0x1b) {
		t.Error("a control character came through")
	}
}

// TestFormsThatAreNotKnown are shown and not answered.
func TestFormsThatAreNotKnown(t *testing.T) {
	tests := map[string]string{
		"a nested object":                 `{"properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`,
		"a free array":                    `{"properties":{"a":{"type":"array","items":{"type":"string"}}}}`,
		"no type":                         `{"properties":{"a":{}}}`,
		"a reference":                     `{"properties":{"a":{"type":"string","$ref":"#/x"}}}`,
		"a field that is a word":          `{"properties":{"a":"string"}}`,
		"doubled choices":                 `{"properties":{"a":{"enum":["1",1]}}}`,
		"conditions":                      `{"properties":{"a":{"type":"string"}},"allOf":[{}]}`,
		"an odd list of what is required": `{"properties":{"a":{"type":"string"}},"required":"a"}`,
		"no object":                       `["a"]`,
		"properties that are a list":      `{"properties":["a"]}`,
		"only a reference":                `{"$ref":"#/x"}`,
		"no choices":                      `{"properties":{"a":{"type":"string","enum":[]}}}`,
	}
	for name, schema := range tests {
		t.Run(name, func(t *testing.T) {
			ask := newStand(t, cards(formCard(schema))).only()
			offer := ask.Offer(client.ActAnswer)
			if offer.OK || offer.Why == "" || !ask.Offer(client.ActDismiss).OK {
				t.Errorf("got %+v", ask.Offers)
			}
			if !strings.HasPrefix(ask.What().Raw(), "Fill this in") {
				t.Errorf("it shows %q", ask.What())
			}
		})
	}
	for _, none := range []string{`null`, `{}`, `{"type":"object","properties":{}}`} {
		ask := newStand(t, cards(card(`{"requestSchema":`+none+`}`))).only()
		if len(ask.Questions) != 1 || !ask.Offer(client.ActAnswer).OK || !ask.Questions[0].OwnText {
			t.Errorf("%s: got %+v", none, ask.Questions)
		}
	}
}
