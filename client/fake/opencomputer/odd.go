package opencomputer

import (
	"fmt"

	"askbox/client/fake"
)

// The functions here make items for [Server.Raw] that a relay should never send.
// Their ids have to be told apart by the caller.

// DoubledKeys is an approval whose command stands in it twice: parsers differ in
// which one they take.
func DoubledKeys(id, first, second string) string {
	return fmt.Sprintf(`{"id":%q,"kind":"approval","status":"open","openedAt":"2026-11-30T09:12:00Z",`+
		`"approval":{"toolName":"Bash","input":{"command":%s,"command":%s}}}`, id, fake.Marshal(first), fake.Marshal(second))
}

// UnknownKind is an open ask of a kind that nobody knows.
func UnknownKind(id, kind string) string {
	return fmt.Sprintf(`{"id":%q,"kind":%s,"status":"open","openedAt":"2026-11-30T09:12:00Z",`+
		`"payment":{"amount":"100.00","to":"someone"}}`, id, fake.Marshal(kind))
}

// UnknownStatus is an approval with a status that nobody knows.
func UnknownStatus(id, status string) string {
	return fmt.Sprintf(`{"id":%q,"kind":"approval","status":%s,"openedAt":"2026-11-30T09:12:00Z",`+
		`"approval":{"toolName":"Bash","input":{"command":"ls"}}}`, id, fake.Marshal(status))
}

// OddTime is an approval with an openedAt that is the given JSON: null, a number,
// a time without a zone, or missing where it is empty.
func OddTime(id, openedAt string) string {
	member := ""
	if openedAt != "" {
		member = `"openedAt":` + openedAt + `,`
	}
	return fmt.Sprintf(`{"id":%q,"kind":"approval","status":"open",%s`+
		`"approval":{"toolName":"Bash","input":{"command":"pwd"}}}`, id, member)
}

// BadItem is an ask whose members have other types than they should.
func BadItem(id string) string {
	return fmt.Sprintf(`{"id":%q,"kind":["approval"],"status":"open","openedAt":{},"approval":"ls"}`, id)
}
