package ask

import "askbox/tui/theme"

// differs says that the relay tells of another content than the one that was shown
// when the ask was answered here, and where the two differ first.
func (f *footer) differs() {
	fl := f.m.item.Flight
	if fl == nil || fl.Differs == nil {
		return
	}
	here, there := f.m.item.Ask.Difference(fl.Differs)
	f.words(theme.Danger, "The relay says that something else was answered than what was shown. It tells of")
	f.named(theme.Plain, "", there)
	f.words(theme.Danger, "What was shown is")
	f.named(theme.Plain, "", here)
}
