package tui

import "testing"

func TestBackgroundFromEnviron(t *testing.T) {
	for env, want := range map[string][2]bool{
		"COLORFGBG=15;0": {true, true}, "COLORFGBG=0;15": {false, true}, "COLORFGBG=0;default;15": {false, true},
		"COLORFGBG=12;8": {true, true}, "COLORFGBG=0;7": {false, true}, "COLORFGBG=": {false, false}, "COLORFGBG=1;x": {false, false}, "OTHER=1": {false, false},
	} {
		if dark, ok := fromEnviron([]string{"A=b", env}); dark != want[0] || ok != want[1] {
			t.Errorf("%s: dark %v, known %v", env, dark, ok)
		}
	}
}

func TestBackgroundFromReply(t *testing.T) {
	for reply, want := range map[string][2]bool{
		"\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?61;4;6c": {true, true},
		"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?1c":        {false, true},
		"\x1b]11;rgb:f/f/e\x07":                         {false, true},
		"\x1b]11;rgb:00/00/00\x07":                      {true, true},
		"\x1b[?61;4;6c":                                 {false, false}, "": {false, false}, "\x1b]11;rgb:zz/0/0\x07": {false, false},
		"\x1b]11;rgb:1/2": {false, false}, "\x1b]11;rgb:12345/0/0\x07": {false, false},
	} {
		if dark, ok := fromReply(reply); dark != want[0] || ok != want[1] {
			t.Errorf("%q: dark %v, known %v", reply, dark, ok)
		}
	}
	if answered([]byte("\x1b]11;rgb:1c1c/1c1c/1c1c\x1b\\")) || !answered([]byte("x\x1b[?61;4c")) {
		t.Error("the end of the replies is not seen where it is")
	}
}
