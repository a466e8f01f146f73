package ask

import (
	"errors"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
)

// faultOf finds the field of an error by the words of the wire: "message",
// "answers[1].text", or the id of a question, which is what forms call theirs.
func faultOf(err error, questions []client.QuestionAsk) fault {
	f := fault{question: -1}
	var invalid *client.InvalidAnswer
	if !errors.As(err, &invalid) {
		f.words = "Nothing was sent: " + end(err)
		return f
	}
	place := ""
	switch field := invalid.Field; {
	case field == "message":
		f.message, place = true, "Message: "
	case strings.HasPrefix(field, "answers["):
		rest := strings.TrimPrefix(field, "answers[")
		if i, err := strconv.Atoi(rest[:max(strings.IndexByte(rest, ']'), 0)]); err == nil && i < len(questions) {
			f.question = i
		}
	default:
		for i, q := range questions {
			if field != "" && q.ID == field {
				f.question = i
			}
		}
		if f.question < 0 && field != "" && field != "decision" && field != "answers" {
			place = text.New(field).String() + ": "
		}
	}
	if f.question >= 0 && len(questions) > 1 {
		place = "Question " + strconv.Itoa(f.question+1) + ": "
	}
	f.words = "Nothing was sent. " + place + strings.TrimSuffix(invalid.Reason, ".") + "."
	if !invalid.Said.Empty() {
		f.words += " The relay says " + invalid.Said.Quoted(200)
	}
	return f
}

// end is an error's text as the end of a sentence.
func end(err error) string {
	if err == nil {
		return "the reason is not known."
	}
	return strings.TrimSuffix(err.Error(), ".") + "."
}
