// Package ask shows one ask in full and takes its answer: who asks, exactly what is asked,
// how much of it a person has had on the screen, and the keys with what they do. It sends
// nothing itself and knows no relay.
//
//   - What is shown: document.go makes sections of an ask (approval.go, question.go,
//     compare.go), layout.go lays them out as rows of a width, sheet.go scrolls them, and
//     paint.go draws them with the head above (head.go) and the keys below (footer.go,
//     actions.go, outcome.go).
//   - What was read: shown.go says what a frame holds and counts its rows once the terminal
//     has drawn it; spans.go keeps them; memory.go keeps what a person knows of every ask, so
//     that a change is noticed.
//   - What a key does: the table in keys.go; decide.go answers an approval, choose.go and
//     finish.go a question, typing.go takes keys in a text field.
//   - What is sent: one [Wish], which says for which content it is meant.
//   - What was begun: draft.go keeps it, carry.go takes texts along when the ask changes.
//
// Text fields are of package textfield, because the text area of bubbles changes what is
// typed; the pane scrolls by itself, because the viewport of bubbles does not tell which rows
// the terminal has drawn, and an allow depends on that.
package ask
