package ask

import (
	"path"
	"strings"
	"time"

	"github.com/alecthomas/chroma/v2"

	"askbox/client/text"
	"askbox/tui/theme"
)

// Highlighting is a help for the eye and nothing else: it is left out where it
// would cost more than this.
const (
	maxHighlight  = 64 << 10
	highlightTime = 25 * time.Millisecond
)

// tokens hands out the highlighted text piece by piece, in step with the lines
// of a diff. A zero one highlights nothing.
type tokens struct {
	segments []text.Segment
}

// take returns the next n bytes as segments; raw is what they must be, and plain
// the class of what has no colour of its own.
func (k *tokens) take(n int, raw string, plain int) []text.Segment {
	var out []text.Segment
	for n > 0 && len(k.segments) > 0 {
		s := k.segments[0]
		if len(s.Raw) > n {
			k.segments[0].Raw = s.Raw[n:]
			s.Raw = s.Raw[:n]
		} else {
			k.segments = k.segments[1:]
		}
		if s.Class == 0 {
			s.Class = plain
		}
		n -= len(s.Raw)
		raw = strings.TrimPrefix(raw, s.Raw)
		out = append(out, s)
	}
	if raw != "" {
		out = append(out, text.Segment{Raw: raw, Class: plain})
	}
	return out
}

// colour highlights the content of a file by its path. Where the lexer does not
// give back the very same text, nothing is highlighted.
func colour(file, content string) (k *tokens) {
	k = &tokens{}
	defer func() {
		// A lexer that fails must not cost the ask.
		if recover() != nil {
			k = &tokens{}
		}
	}()
	lexer := lexerFor(file)
	if lexer == nil || len(content) > maxHighlight {
		return k
	}
	it, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, content)
	if err != nil {
		return k
	}
	until, rest := time.Now().Add(highlightTime), content
	var out []text.Segment
	for n := 0; ; n++ {
		t := it()
		if t == chroma.EOF || n%64 == 0 && time.Now().After(until) {
			break
		}
		if !strings.HasPrefix(rest, t.Value) {
			return k
		}
		rest = rest[len(t.Value):]
		out = append(out, text.Segment{Raw: t.Value, Class: int(tokenRole(t.Type))})
	}
	if rest != "" {
		out = append(out, text.Segment{Raw: rest})
	}
	k.segments = out
	return k
}

func tokenRole(t chroma.TokenType) theme.Role {
	switch t.Category() {
	case chroma.Keyword:
		if t == chroma.KeywordType {
			return theme.SynType
		}
		return theme.SynKeyword
	case chroma.Comment:
		return theme.SynComment
	case chroma.Name:
		return theme.SynName
	}
	switch t.SubCategory() {
	case chroma.LiteralString:
		return theme.SynString
	case chroma.LiteralNumber:
		return theme.SynNumber
	}
	return theme.Plain
}

// What the rules of every language share.
const (
	strings2 = `"(?:\\.|[^"\\\n])*"?`
	strings1 = `'(?:\\.|[^'\\\n])*'?`
	number   = `\b(?:0[xX][0-9a-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b`
	word     = `[A-Za-z_][A-Za-z0-9_]*`
	other    = `\s+|.`
)

// language makes the rules of a group of languages that are alike enough for a
// diff. Chroma's own lexers are left out on purpose: merely importing them reads
// 270 definitions, 8 ms at every start of every command, and several of them
// backtrack badly on hostile text. These few rules cannot.
func language(comments []string, keywords, types string, extra ...chroma.Rule) chroma.Lexer {
	var r []chroma.Rule
	for _, c := range comments {
		r = append(r, chroma.Rule{Pattern: c, Type: chroma.CommentSingle})
	}
	r = append(r, extra...)
	r = append(r,
		chroma.Rule{Pattern: strings2, Type: chroma.LiteralStringDouble},
		chroma.Rule{Pattern: strings1, Type: chroma.LiteralStringSingle},
		chroma.Rule{Pattern: number, Type: chroma.LiteralNumber},
		chroma.Rule{Pattern: `\b(?:` + keywords + `)\b`, Type: chroma.Keyword})
	if types != "" {
		r = append(r, chroma.Rule{Pattern: `\b(?:` + types + `)\b`, Type: chroma.KeywordType})
	}
	r = append(r,
		chroma.Rule{Pattern: word + `(?=\()`, Type: chroma.NameFunction},
		chroma.Rule{Pattern: word, Type: chroma.Text},
		chroma.Rule{Pattern: other, Type: chroma.Text})
	return chroma.MustNewLexer(&chroma.Config{Name: "family", DotAll: false}, func() chroma.Rules {
		return chroma.Rules{"root": r}
	})
}

var (
	braces = language([]string{`//[^\n]*`, `/\*[\s\S]*?(?:\*/|\z)`},
		"as|async|await|break|case|catch|class|const|continue|default|defer|do|else|enum|export|extends|extern|final|finally|fn|for|foreach|func|function|go|goto|if|impl|import|in|instanceof|interface|let|loop|map|match|mod|mut|namespace|new|null|nil|override|package|private|protected|pub|public|range|return|select|self|static|struct|super|switch|template|this|throw|throws|trait|true|false|try|type|typedef|typeof|union|unsafe|use|using|val|var|virtual|void|where|while|with|yield",
		"any|bool|boolean|byte|char|complex128|double|error|f32|f64|float|float32|float64|i8|i16|i32|i64|int|int8|int16|int32|int64|isize|long|number|object|rune|short|str|string|u8|u16|u32|u64|uint|uint8|uint16|uint32|uint64|unsigned|usize",
		chroma.Rule{Pattern: "`[^`]*(?:`|\\z)", Type: chroma.LiteralStringBacktick})
	hashes = language([]string{`#[^\n]*`},
		"and|as|assert|async|await|begin|break|case|class|continue|def|del|do|done|elif|else|elsif|end|ensure|esac|except|export|false|False|fi|finally|for|from|function|global|if|import|in|is|lambda|local|module|nil|None|nonlocal|not|or|pass|raise|readonly|require|rescue|return|self|set|source|then|true|True|try|unless|unset|until|when|while|with|yield",
		"", chroma.Rule{Pattern: `"""[\s\S]*?(?:"""|\z)`, Type: chroma.LiteralStringDoc},
		chroma.Rule{Pattern: `\$\{?[A-Za-z_0-9]+\}?`, Type: chroma.NameVariable})
	dashes = language([]string{`--[^\n]*`, `/\*[\s\S]*?(?:\*/|\z)`},
		"(?i:add|all|alter|and|as|asc|begin|between|by|case|commit|constraint|create|delete|desc|distinct|drop|else|end|exists|foreign|from|group|having|if|in|index|inner|insert|into|is|join|key|left|like|limit|local|not|null|on|or|order|outer|primary|references|return|right|rollback|select|set|table|then|union|unique|update|values|view|when|where|with|function|do|while|for|nil|true|false)",
		"(?i:bigint|boolean|bytea|char|date|decimal|integer|int|json|jsonb|numeric|serial|text|timestamp|uuid|varchar)")
	markup = language([]string{`<!--[\s\S]*?(?:-->|\z)`}, "true|false|null", "",
		chroma.Rule{Pattern: `</?[A-Za-z][A-Za-z0-9:-]*`, Type: chroma.NameTag},
		chroma.Rule{Pattern: `/?>`, Type: chroma.NameTag})
)

var families = map[string]chroma.Lexer{
	".go": braces, ".js": braces, ".jsx": braces, ".mjs": braces, ".cjs": braces, ".ts": braces, ".tsx": braces,
	".c": braces, ".h": braces, ".cc": braces, ".cpp": braces, ".hpp": braces, ".cs": braces, ".java": braces,
	".kt": braces, ".swift": braces, ".rs": braces, ".php": braces, ".scala": braces, ".dart": braces, ".zig": braces,
	".css": braces, ".scss": braces, ".proto": braces, ".json": braces, ".jsonc": braces, ".mod": braces,
	".py": hashes, ".rb": hashes, ".sh": hashes, ".bash": hashes, ".zsh": hashes, ".yaml": hashes, ".yml": hashes,
	".toml": hashes, ".ini": hashes, ".cfg": hashes, ".conf": hashes, ".pl": hashes, ".r": hashes, ".ex": hashes,
	".exs": hashes, ".nix": hashes, ".tf": hashes, ".env": hashes, ".mk": hashes, "makefile": hashes,
	"dockerfile": hashes, ".sql": dashes, ".lua": dashes, ".hs": dashes,
	".html": markup, ".htm": markup, ".xml": markup, ".svg": markup, ".vue": markup, ".svelte": markup,
}

// lexerFor returns nil where the kind of file is not known.
func lexerFor(file string) chroma.Lexer {
	base := strings.ToLower(path.Base(file))
	if l := families[path.Ext(base)]; l != nil {
		return l
	}
	return families[base]
}
