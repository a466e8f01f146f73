// Package ask shows one ask in full and takes its answer: who asks, exactly what is asked,
// how much of it a person has had on the screen, and the keys with what they do. It sends
// nothing itself and knows no relay.
//
//   - What is shown: content.go writes the document of an ask (approval.go, question.go),
//     package page lays it out and scrolls it, and view.go puts it between the head
//     (head.go) and the keys (footer.go, offers.go, outcome.go).
//   - What was read: shown.go says what a frame holds and has its rows counted once the
//     terminal has drawn it; memory.go keeps what a person knows of every ask, so that a
//     change is noticed.
//   - What a key does: the table in keys.go; decide.go answers an approval, choose.go and
//     finish.go a question, typing.go takes keys in a text field.
//   - What is sent: one [Wish], which says for which content it is meant.
//   - What was begun: draft.go keeps it, carry.go takes texts along when the ask changes.
//
// Text fields are of package textfield, because the text area of bubbles changes what is
// typed.
package ask
