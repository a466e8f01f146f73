package ask

import (
	"errors"
	"strconv"
	"strings"

	"askbox/client"
	"askbox/client/text"
)

// fault is why an answer was not taken; the zero one is none.
type fault struct {
	question int       // at whose field it stands, plus one; 0: at none
	words    string    // the program's
	said     text.Text // the relay's
}

// faultOf finds the field of an error by the words of the wire: "message",
// "answers[1].text", or the id of a question, which is what forms call theirs.
func faultOf(err error, questions []client.QuestionAsk) fault {
	words, said := apart(err)
	f := fault{words: "Nothing was sent: " + strings.TrimSuffix(words, ".") + ".", said: said}
	var invalid *client.InvalidAnswer
	if !errors.As(err, &invalid) {
		return f
	}
	field := invalid.Field
	if rest, ok := strings.CutPrefix(field, "answers["); ok {
		if i, err := strconv.Atoi(rest[:max(strings.IndexByte(rest, ']'), 0)]); err == nil && i < len(questions) {
			f.question = i + 1
		}
	}
	for i := range questions {
		if field != "" && questions[i].ID == field {
			f.question = i + 1
		}
	}
	at := ""
	switch {
	case field == "message":
		at = "Message: "
	case f.question > 0 && len(questions) > 1:
		at = "Question " + strconv.Itoa(f.question) + ": "
	}
	f.words = "Nothing was sent. " + at + strings.TrimSuffix(invalid.Reason, ".") + "."
	return f
}

// apart tells the program's words of an error from the relay's.
func apart(err error) (words string, said text.Text) {
	if err == nil {
		return "the reason is not known", said
	}
	return client.Apart(err)
}
