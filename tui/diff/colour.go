package diff

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"askbox/client/text"
	"askbox/tui/theme"
)

// maxColoured is how many bytes of a file are coloured, its first ones: colour is a help for
// the eye, and not worth more than some milliseconds.
const maxColoured = 32 << 10

// language is a group of languages that are alike enough for a diff, by the expressions for
// what they have of their own and by their words.
type language struct {
	comments, quotes, names string
	operators, word         string // never and word where they are empty
	keywords, types         string
	anyCase                 bool // of keywords and types

	once    sync.Once
	pattern *regexp.Regexp // has a group for each of the roles, in their order
	words   map[string]theme.Role
}

var roles = [...]theme.Role{1: theme.SynComment, 2: theme.SynString, 3: theme.SynName, 4: theme.SynNumber, 5: theme.SynOperator}

// The expressions that all languages share. Such expressions take a time in proportion to
// the text, whatever the text is.
const (
	quotes = `"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?`
	number = `\b(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b`
	word   = `[A-Za-z_][A-Za-z0-9_]*`
	never  = `[^\x00-\x{10FFFF}]`
)

var (
	braces = &language{comments: `//[^\n]*|/\*.*?(?:\*/|\z)`, quotes: "`[^`]*(?:`|\\z)", names: never,
		keywords: "as async await break case catch class const continue default defer do else enum export extends extern final finally fn for foreach func function go goto if impl import in instanceof interface let loop map match mod mut namespace new null nil override package private protected pub public range return select self static struct super switch template this throw throws trait true false try type typedef typeof union unsafe use using val var virtual void where while with yield",
		types:    "any bool boolean byte char complex128 double error f32 f64 float float32 float64 i8 i16 i32 i64 int int8 int16 int32 int64 isize long number object rune short str string u8 u16 u32 u64 uint uint8 uint16 uint32 uint64 unsigned usize"}
	hashes = &language{comments: `#[^\n]*`, quotes: `""".*?(?:"""|\z)`, names: `\$\{?[A-Za-z_0-9]+\}?`,
		keywords: "and as assert async await begin break case class continue def del do done elif else elsif end ensure esac except export false False fi finally for from function global if import in is lambda local module nil None nonlocal not or pass raise readonly require rescue return self set source then true True try unless unset until when while with yield"}
	dashes = &language{comments: `--[^\n]*|/\*.*?(?:\*/|\z)`, quotes: never, names: never, anyCase: true,
		keywords: "add all alter and as asc begin between by case commit constraint create delete desc distinct do drop else end exists false for foreign from function group having if in index inner insert into is join key left like limit local nil not null on or order outer primary references return right rollback select set table then true union unique update values view when where while with",
		types:    "bigint boolean bytea char date decimal integer int json jsonb numeric serial text timestamp uuid varchar"}
	// A shell's quotes are taken by its own rules, and an escaped character is no quote: no
	// word that runs may look like a part of a text.
	shell = &language{comments: never, quotes: `\$'(?:\\.|[^'\\])*'?|'[^']*'?|"(?:\\.|[^"\\])*"?`,
		names: `\$(?:\{[^}\n]*\}?|\w+|[@*#?$!-])`, operators: `[|&;<>()]+`, word: `\\.|[\w./:=@%+,~-]+`,
		keywords: "case do done elif else esac exec export fi for function if in local return select set sudo then until while"}
	markup = &language{comments: `<!--.*?(?:-->|\z)`, quotes: never, names: `</?[A-Za-z][A-Za-z0-9:-]*|/?>`,
		keywords: "true false null"}
)

// compile prepares a language. Most asks show no diff, and no start waits for this.
func (l *language) compile() {
	own, number := l.quotes, number
	if l == shell {
		number = never // is no more than any other word there
	} else {
		own += `|` + quotes
	}
	l.pattern = regexp.MustCompile(`(?s)(` + l.comments + `)|(` + own + `)|(` + l.names + `)|(` + number + `)|(` +
		cmp.Or(l.operators, never) + `)|(` + cmp.Or(l.word, word) + `)`)
	l.words = map[string]theme.Role{}
	for role, words := range map[theme.Role]string{theme.SynKeyword: l.keywords, theme.SynType: l.types} {
		for w := range strings.FieldsSeq(words) {
			l.words[w] = role
		}
	}
}

// languages are the languages by the ends of their files' names, or by the whole name.
var languages = map[*language]string{
	braces: ".go .js .jsx .mjs .cjs .ts .tsx .c .h .cc .cpp .hpp .cs .java .kt .swift .rs .php .scala .dart .zig .css .scss .proto .json .jsonc .mod",
	hashes: ".py .rb .sh .bash .zsh .yaml .yml .toml .ini .cfg .conf .pl .r .ex .exs .nix .tf .env .mk makefile dockerfile",
	dashes: ".sql .lua .hs",
	markup: ".html .htm .xml .svg .vue .svelte",
}

// languageOf returns nil where the kind of file is not known.
func languageOf(file string) *language {
	base := strings.ToLower(path.Base(file))
	for l, names := range languages {
		if ends := strings.Fields(names); slices.Contains(ends, base) || slices.Contains(ends, path.Ext(base)) {
			return l
		}
	}
	return nil
}

// colour cuts a content into segments whose classes are roles. Together they are the
// content, byte for byte.
func (l *language) colour(content string) *tokens {
	k := &tokens{}
	end := min(len(content), maxColoured)
	for end > 0 && end < len(content) && !utf8.RuneStart(content[end]) {
		end--
	}
	from := 0
	add := func(to int, role theme.Role) {
		if to > from {
			k.segments = append(k.segments, text.Segment{Raw: content[from:to], Class: int(role)})
			from = to
		}
	}
	l.once.Do(l.compile)
	for _, m := range l.pattern.FindAllStringSubmatchIndex(content[:end], -1) {
		if role := l.role(content, m); role != theme.Plain {
			add(m[0], theme.Plain)
			add(m[1], role)
		}
	}
	add(len(content), theme.Plain)
	return k
}

// role is the role of what a pattern has found.
func (l *language) role(content string, found []int) theme.Role {
	word := content[found[0]:found[1]]
	for group := 1; group < len(roles); group++ {
		switch {
		case found[2*group] < 0:
		case l == shell && word[0] == '"' && (strings.Contains(word, "$(") || strings.Contains(word, "`")):
			return theme.Plain // what stands in these runs
		default:
			return roles[group]
		}
	}
	if l.anyCase {
		word = strings.ToLower(word)
	}
	role, ok := l.words[word]
	if !ok && strings.HasPrefix(content[found[1]:], "(") {
		return theme.SynName // of a function
	}
	return role
}

// tokens hands out coloured text piece by piece, in step with the lines of a change.
type tokens struct{ segments []text.Segment }

// take returns what comes next, which is raw, as segments.
func (k *tokens) take(raw string) []text.Segment {
	out := make([]text.Segment, 0, 1)
	for raw != "" && len(k.segments) > 0 {
		s := &k.segments[0]
		n := min(len(s.Raw), len(raw))
		out = append(out, text.Segment{Raw: raw[:n], Class: s.Class})
		raw, s.Raw = raw[n:], s.Raw[n:]
		if s.Raw == "" {
			k.segments = k.segments[1:]
		}
	}
	return append(out, text.Segment{Raw: raw})
}
