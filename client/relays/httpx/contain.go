package httpx

import (
	"fmt"
	"sync"

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

// Together runs parts of an adapter side by side and returns when all have ended.
// A panic of one goes on in the caller's goroutine, where the inbox catches it: a
// part that failed must not look like one that found nothing.
func Together(parts ...func()) {
	failed := make([]error, len(parts))
	var all sync.WaitGroup
	for i, part := range parts {
		all.Go(func() {
			failed[i] = Contain(func() error { part(); return nil })
		})
	}
	all.Wait()
	for _, err := range failed {
		if err != nil {
			panic(err)
		}
	}
}
