//go:build unix

package terminal

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// arrival is when the output had grown to a length.
type arrival struct {
	length int
	at     time.Time
}

// Arrived waits until the output is longer than after bytes, and returns when the
// first byte behind them came, before the emulator did anything with it.
func (t *Terminal) Arrived(after int, limit time.Duration) (time.Time, error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		t.mu.Lock()
		changed := t.changed
		for _, a := range t.arrivals {
			if a.length > after {
				t.mu.Unlock()
				return a.at, nil
			}
		}
		t.mu.Unlock()
		select {
		case <-changed:
		case <-t.exited:
			return time.Time{}, fmt.Errorf("the program ended: %v", t.err)
		case <-timer.C:
			return time.Time{}, fmt.Errorf("nothing was written within %v", limit)
		}
	}
}

// Busy returns the processor time that the program has used, in steps of 10 ms.
func (t *Terminal) Busy() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.Process()))
	if err != nil {
		return 0, err
	}
	// The name in brackets may hold anything; the numbers follow it.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	const user, system, hertz = 11, 12, 100
	var ticks int
	for _, i := range []int{user, system} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / hertz, nil
}

// Memory returns the bytes that the program holds in memory.
func (t *Terminal) Memory() (int, error) {
	kib, err := t.status("VmRSS:")
	return kib << 10, err
}

// Threads returns how many threads the program has.
func (t *Terminal) Threads() (int, error) { return t.status("Threads:") }

// Descriptors returns how many files and connections the program has open.
func (t *Terminal) Descriptors() (int, error) {
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", t.Process()))
	return len(open), err
}

// status returns a number that the system tells of the program.
func (t *Terminal) status(key string) (int, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.Process()))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(status), key)
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, fmt.Errorf("the system does not tell %s of %d", key, t.Process())
	}
	return strconv.Atoi(fields[0])
}
