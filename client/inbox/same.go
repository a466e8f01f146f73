package inbox

import (
	"bytes"
	"reflect"
	"slices"

	"askbox/client"
	"askbox/client/text"
)

// same reports whether two readings of one ask are alike in everything, so that
// a poll which brought nothing new costs no digest, no copy and no snapshot. It
// does not trust Raw alone: what may be done with an ask can change while the
// relay's item stays as it was.
func same(a, b *client.Ask) bool {
	return a == b || a != nil && b != nil && a.Ref == b.Ref && bytes.Equal(a.Raw, b.Raw) &&
		a.Paired == b.Paired && a.Kind == b.Kind && a.KindName == b.KindName &&
		a.Status == b.Status && a.StatusName == b.StatusName &&
		a.Waits == b.Waits && a.Urgent == b.Urgent && a.Session == b.Session &&
		sameAt(a.AskedBy, b.AskedBy) && a.Opened.Equal(b.Opened) && a.Expires.Equal(b.Expires) && a.ExpiredWords == b.ExpiredWords && a.Mode == b.Mode &&
		sameAt(a.Offers, b.Offers) && sameApproval(a.Approval, b.Approval) &&
		slices.EqualFunc(a.Questions, b.Questions, sameQuestion) && sameAt(a.Secret, b.Secret) &&
		slices.EqualFunc(a.Fields, b.Fields, samePart) && slices.EqualFunc(a.Extra, b.Extra, samePart) &&
		a.Unreadable == b.Unreadable &&
		sameClosing(a.Closing, b.Closing) && samePrivate(a.Private, b.Private)
}

func sameAt[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func sameApproval(a, b *client.ApprovalAsk) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Tool == b.Tool && a.Brief == b.Brief && slices.EqualFunc(a.Parts, b.Parts, samePart) && a.Excerpt == b.Excerpt &&
		slices.Equal(a.Always, b.Always) && a.AlwaysScope == b.AlwaysScope &&
		slices.Equal(a.Modes, b.Modes) && slices.Equal(a.ApprovingWords, b.ApprovingWords)
}

func sameQuestion(a, b client.QuestionAsk) bool {
	return a.ID == b.ID && a.Header == b.Header && a.Text == b.Text && a.Type == b.Type &&
		slices.Equal(a.Options, b.Options) && a.Multi == b.Multi && a.OwnText == b.OwnText &&
		a.TextWithChoices == b.TextWithChoices && a.Joined == b.Joined && a.Optional == b.Optional &&
		a.Recommended == b.Recommended && a.RecommendedText == b.RecommendedText &&
		a.Detail == b.Detail && a.Default == b.Default && a.MaxText == b.MaxText
}

func samePart(a, b client.Part) bool {
	return a.Kind == b.Kind && a.Key == b.Key && a.Path == b.Path && a.Text == b.Text &&
		a.Piece == b.Piece && a.Note == b.Note && slices.Equal(a.Args, b.Args)
}

func sameClosing(a, b *client.Closing) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.By == b.By && a.At.Equal(b.At) && a.Surface == b.Surface && a.Note == b.Note && a.Untold == b.Untold && a.Ran == b.Ran &&
		a.Decision == b.Decision && a.After == b.After && slices.EqualFunc(a.Answer, b.Answer, text.Text.Equal) && reflect.DeepEqual(a.Given, b.Given)
}

// samePrivate compares what only the adapter understands. It is small and mostly
// absent, so that the cost of looking into it does not count.
func samePrivate(a, b any) bool {
	return a == nil && b == nil || reflect.DeepEqual(a, b)
}

// identical reports whether two slices are one and the same piece of memory, and
// not empty. What is in them need not be looked at then, however long they are.
func identical[T any](a, b []T) bool {
	return len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
}
