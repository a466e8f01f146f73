package client

import "strings"

// The words for an answer that a relay would get as the line of another one.
const (
	readsAsSeveral = "the relay gets what is chosen as one line, and this line reads as another choice too, " +
		"because what is offered holds the very characters that part one from the next; choose otherwise"
	readsAsChosen = "the relay gets one line, and these words read as one of the choices; choose it instead, or say it in other words"
)

// validateJoined refuses an answer whose line reads as another answer, where the
// relay takes everything on one line ([QuestionAsk.Joined]).
func validateJoined(i int, q *QuestionAsk, a QuestionAnswer) error {
	switch {
	case q.Joined == "":
		return nil
	case a.HasText && q.beginsAsChoice(a.Text):
		return invalid(field(i, "text"), readsAsChosen)
	case !q.Multi:
		return nil
	}
	chosen, typed := q.readings(q.Line(a))
	if chosen > 1 || a.HasText && (chosen > 0 || typed > 1) {
		return invalid(field(i, "choices"), readsAsSeveral+orOwn(q))
	}
	return nil
}

// Line is what a relay gets that takes everything on one line: what is chosen, in
// the order offered, and then what is typed.
func (q *QuestionAsk) Line(a QuestionAnswer) string {
	var all []string
	for _, id := range q.ids() {
		for _, chosen := range a.Choices {
			if chosen == id {
				all = append(all, id)
				break
			}
		}
	}
	if a.HasText {
		all = append(all, a.Text)
	}
	return strings.Join(all, q.Joined)
}

// ids returns the ids of the options, each once.
func (q *QuestionAsk) ids() []string {
	var all []string
	seen := map[string]bool{}
	for _, o := range q.Options {
		if !seen[o.ID] {
			seen[o.ID] = true
			all = append(all, o.ID)
		}
	}
	return all
}

// beginsAsChoice reports whether typed words could be read as a choice, alone or,
// where several may be chosen, before others.
func (q *QuestionAsk) beginsAsChoice(typed string) bool {
	for _, id := range q.ids() {
		if typed == id || q.Multi && strings.HasPrefix(typed, id+q.Joined) {
			return true
		}
	}
	return false
}

// readings counts the ways in which a line can be taken apart into choices alone, in
// any order, and those with typed words behind them; it stops at two. What could be
// a choice is never taken for typed words.
func (q *QuestionAsk) readings(line string) (chosen, typed uint8) {
	ids := q.ids()
	ways := make([]uint8, len(line)+1) // to come to each place; 2 is two or more
	ways[0] = 1
	for at := range ways {
		if ways[at] == 0 {
			continue
		}
		found := false
		for _, id := range ids {
			rest, ok := strings.CutPrefix(line[at:], id)
			switch {
			case ok && rest == "":
				found, chosen = true, min(chosen+ways[at], 2)
			case ok && strings.HasPrefix(rest, q.Joined):
				found = true
				next := &ways[at+len(id)+len(q.Joined)]
				*next = min(*next+ways[at], 2)
			}
		}
		if !found {
			typed = min(typed+ways[at], 2)
		}
	}
	return chosen, typed
}

func orOwn(q *QuestionAsk) string {
	if q.Typed() {
		return ", or say it in your own words"
	}
	return ""
}
