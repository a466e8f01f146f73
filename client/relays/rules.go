package relays

import (
	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"askbox/client/text"
)

// Rules reads what "always" would allow: one rule, or a list of them. What is
// neither cannot be shown word for word, and gives none: then it is not offered.
func Rules(raw jsontext.Value) (rules []text.Text) {
	var list []string
	switch raw.Kind() {
	case '"':
		var one string
		if json.Unmarshal(raw, &one) != nil {
			return nil
		}
		list = []string{one}
	case '[':
		if json.Unmarshal(raw, &list) != nil {
			return nil
		}
	}
	for _, rule := range list {
		if rule == "" {
			return nil
		}
		rules = append(rules, text.New(rule))
	}
	return rules
}
