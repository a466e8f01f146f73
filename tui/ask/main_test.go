package ask

import (
	"os"
	"testing"
	"time"
)

// TestMain puts the clock of the tests into one zone, because times of day
// stand on the screen.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	os.Exit(m.Run())
}
