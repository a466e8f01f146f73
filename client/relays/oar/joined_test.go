package oar

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"askbox/client"
)

// TestNoTwoAnswersAreSentAsOne: whatever the labels, of all answers that are taken
// no two are sent as the same bytes (H16).
func TestNoTwoAnswersAreSentAsOne(t *testing.T) {
	r := newStand(t, nil).relay
	label := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"A", "B", ", ", ",", " ", "C"}), 0, 4).Draw(t, "pieces"), "")
	})
	taken, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(label, 1, 5).Draw(t, "labels")
		choices, _ := json.Marshal(labels)
		raw := card(fmt.Sprintf(`{"choices":%s,"context":{"source":%q,"multiSelect":%v},"allowFreeform":%v}`, choices,
			rapid.SampledFrom([]string{"AskUserQuestion", "onUserInputRequest"}).Draw(t, "source"),
			rapid.Bool().Draw(t, "several"), rapid.Bool().Draw(t, "own words")))
		ask := r.readCard([]byte(raw))
		w, err := decodeCard([]byte(raw))
		if err != nil {
			t.Fatal(err)
		}
		typed := append([]string{""}, rapid.SliceOfN(label, 1, 4).Draw(t, "typed")...)
		sent := map[string]string{}
		for chosen := range 1 << len(labels) {
			for _, words := range typed {
				one := client.QuestionAnswer{ID: "q1", Text: words, HasText: words != ""}
				for i, l := range labels {
					if chosen&(1<<i) != 0 {
						one.Choices = append(one.Choices, l)
					}
				}
				answer := client.Answer{Questions: []client.QuestionAnswer{one}}
				if client.Validate(ask, answer) != nil {
					refused++
					continue
				}
				said, err := w.said(answer)
				if err != nil {
					refused++
					continue
				}
				taken++
				slices.Sort(one.Choices)
				what := fmt.Sprintf("%q and %q", one.Choices, words)
				if before, ok := sent[said]; ok && before != what {
					t.Fatalf("of %q both %s and %s are sent as %q", labels, before, what, said)
				}
				sent[said] = what
			}
		}
	})
	if taken == 0 || refused == 0 {
		t.Errorf("%d answers were taken, %d refused", taken, refused)
	}
}

// TestSeveralByASwitch: cards that let several be chosen by a switch take several.
func TestSeveralByASwitch(t *testing.T) {
	s := newStand(t, cards(card(`{"choices":["a.go","b.go"],"context":{"source":"onUserInputRequest","allowMultiSelect":true}}`)))
	ask := s.only()
	s.takes(`{"status":"answered","answer":"a.go, b.go","choices":["a.go","b.go"]}`)
	if _, err := s.answer(ask, choose("b.go", "a.go")); err != nil || s.calls("POST ")[0].body != `{"answer":"a.go, b.go","sdk_session_id":"c4"}` {
		t.Errorf("sent %v: %v", s.calls("POST "), err)
	}
	if len(ask.Extra) > 0 {
		t.Errorf("beside what is known there is %v", ask.Extra)
	}
}
