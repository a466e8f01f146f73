package httpx

import (
	"fmt"

	"askbox/client/text"
)

// Contain runs a part of an adapter that has a goroutine to itself. The inbox
// catches the panics of an adapter in its own goroutines only, and one elsewhere
// would end the process and leave the terminal as it is.
func Contain(run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("askbox could not handle this relay's reply: %s", text.New(fmt.Sprint(p)).Fit(200))
		}
	}()
	return run()
}
