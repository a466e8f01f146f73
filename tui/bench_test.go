package tui

import (
	"fmt"
	"testing"
	"time"

	"askbox/client/inbox"
	"askbox/tui/theme"
)

// benchWorld is a model at 120x40 whose clock stands still.
func benchWorld(b *testing.B, asks int) (model, *fakeBox) {
	box := newFakeBox()
	box.snapshot = &inbox.Snapshot{Number: 1, Groups: []*inbox.Group{many("work", asks)}}
	m := bare(b, box, theme.Dark(), func() moment { return at(0) }).resize(120, 40)
	return m, box
}

// A frame costs what its rows cost, however many asks there are.
func BenchmarkFrame(b *testing.B) {
	for _, asks := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprint(asks), func(b *testing.B) {
			m, _ := benchWorld(b, asks)
			for b.Loop() {
				_ = m.View()
			}
		})
	}
}

// A key that moves the cursor, and the frame after it.
func BenchmarkMove(b *testing.B) {
	for _, asks := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprint(asks), func(b *testing.B) {
			m, _ := benchWorld(b, asks)
			down, up := keyNamed("j"), keyNamed("k")
			for i := 0; b.Loop(); i++ {
				key := down
				if i%2 == 1 {
					key = up
				}
				next, _ := m.Update(key)
				m = next.(model)
				_ = m.View()
			}
		})
	}
}

// A snapshot in which one ask is new, and the frame after it.
func BenchmarkSnapshot(b *testing.B) {
	for _, asks := range []int{10, 1_000, 10_000} {
		b.Run(fmt.Sprint(asks), func(b *testing.B) {
			m, box := benchWorld(b, asks)
			old := box.snapshot.Groups[0]
			more := append([]*inbox.Item{approval("work", "new", "ls", -time.Minute)}, old.Items...)
			for i := 0; b.Loop(); i++ {
				items := old.Items
				if i%2 == 0 {
					items = more
				}
				s := &inbox.Snapshot{Number: uint64(i + 2), Groups: []*inbox.Group{group("work", uint64(i+2), items...)}}
				m = m.take(s)
				_ = m.View()
			}
		})
	}
}
