package widths

import (
	"os"
	"testing"
)

func TestDecide(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, false},
		{map[string]string{"RUNEWIDTH_EASTASIAN": "1"}, true},
		{map[string]string{"RUNEWIDTH_EASTASIAN": "TRUE"}, true},
		{map[string]string{"RUNEWIDTH_EASTASIAN": "0", "LANG": "ja_JP.UTF-8"}, false},
		{map[string]string{"RUNEWIDTH_EASTASIAN": "no", "LANG": "ja_JP.UTF-8"}, false},
		{map[string]string{"LANG": "ja_JP.UTF-8"}, true},
		{map[string]string{"LANG": "ko"}, true},
		{map[string]string{"LC_ALL": "C.UTF-8", "LANG": "ja_JP.UTF-8"}, false},
		{map[string]string{"LC_CTYPE": "zh_TW.Big5", "LANG": "en_US.UTF-8"}, true},
		{map[string]string{"LANG": "zh_CN.UTF-8@cjk_narrow"}, false},
		{map[string]string{"LANG": "en_US.UTF-8"}, false},
	} {
		if got := decide(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: wide is %t", c.env, got)
		}
	}
}

// The programs that this one starts see what the person has set, or nothing.
func TestRestore(t *testing.T) {
	if value, set := os.LookupEnv(variable); !set || value != "0" && value != "1" {
		t.Errorf("libraries read %q", value)
	}
	Restore()
	if value, set := os.LookupEnv(variable); value != before || set != wasSet {
		t.Errorf("programs read %q, and it was %q", value, before)
	}
}
