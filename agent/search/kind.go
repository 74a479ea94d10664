package search

import (
	"bytes"
	"path"
	"strings"
)

// A lineKind is what a line is, as far as its look tells.
type lineKind uint8

const (
	kindBlank lineKind = iota
	kindCode
	kindDefinition // a function, type, class, table, key at the outermost level
	kindMember     // a field, an assigned name, a key: "name: value", "Name = 1", "name Type"
	kindComment
	kindProse
	kindHeading
	kindImport
)

// A language tells what comments look like, as far as lines are concerned.
type language struct {
	prose  bool
	hash   bool // "#" begins a comment
	dashes bool // "--" begins a comment
	data   bool // keys and values: YAML, TOML, JSON, …
}

func languageOf(name string) language {
	extension := strings.ToLower(path.Ext(name))
	switch extension {
	case ".py", ".sh", ".bash", ".zsh", ".rb", ".pl", ".r", ".ex", ".exs", ".nix", ".tf", ".ps1", ".fish", ".mk":
		return language{hash: true}
	case ".yaml", ".yml", ".toml", ".json", ".ini", ".cfg", ".conf", ".properties", ".env":
		return language{hash: true, data: true}
	case ".sql", ".lua", ".hs", ".elm":
		return language{dashes: true}
	case "":
		base := path.Base(name)
		return language{prose: isProse(name), hash: base == "Makefile" || base == "Dockerfile" || strings.HasPrefix(base, ".")}
	default:
		return language{prose: isProse(name)}
	}
}

// A lineNote is what the rank knows of one line without the question.
type lineNote struct {
	kind     lineKind
	indent   int // columns; for a heading its level
	from, to int // the name that the line defines, as offsets in the line; 0 and 0 if none
}

// note judges a line by its look. It errs on exotic code, and only weights
// hang on it.
func (l language) note(line []byte) lineNote {
	text := bytes.TrimLeft(line, " \t")
	if len(bytes.TrimSpace(text)) == 0 {
		return lineNote{kind: kindBlank}
	}
	note := lineNote{kind: kindCode, indent: len(line) - len(text)}
	switch {
	case l.prose:
		note.kind = kindProse
		if level := headingLevel(line); level > 0 {
			note.kind, note.indent, note.from, note.to = kindHeading, level, level, len(line)
		}
	case l.isComment(text):
		note.kind = kindComment
	case isImport(text):
		note.kind = kindImport
	default:
		note.kind, note.from, note.to = l.defines(text)
		if note.to > 0 {
			note.from += note.indent
			note.to += note.indent
		}
	}
	return note
}

func headingLevel(line []byte) int {
	level := 0
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level > 6 || level >= len(line) || line[level] != ' ' {
		return 0
	}
	return level
}

func (l language) isComment(text []byte) bool {
	switch {
	case bytes.HasPrefix(text, []byte("//")), bytes.HasPrefix(text, []byte("/*")), bytes.HasPrefix(text, []byte("<!--")),
		bytes.HasPrefix(text, []byte(`"""`)), bytes.HasPrefix(text, []byte("'''")):
		return true
	case bytes.HasPrefix(text, []byte("* ")), bytes.HasPrefix(text, []byte("*/")), len(text) == 1 && text[0] == '*':
		return true
	case l.hash && text[0] == '#', l.dashes && bytes.HasPrefix(text, []byte("--")):
		return true
	}
	return l.isSentence(text)
}

// isSentence finds the prose inside block comments and docstrings, which has
// no marker on its line: several lower-case words and no punctuation of code.
func (l language) isSentence(text []byte) bool {
	if l.data || bytes.ContainsAny(text, "{}[]=;<>|&\\") || bytes.Contains(text, []byte("(\"")) {
		return false
	}
	plain := 0
	for word := range bytes.FieldsSeq(text) {
		word = bytes.TrimRight(word, ".,:;")
		letters := len(word) > 1
		for _, c := range word {
			letters = letters && isLower(c)
		}
		if letters {
			plain++
		}
	}
	return plain >= 5
}

func isImport(text []byte) bool {
	for _, prefix := range []string{"import ", "from ", "#include", "use ", "using ", "require(", "require ", "package "} {
		if bytes.HasPrefix(text, []byte(prefix)) {
			return true
		}
	}
	return text[0] == '"' && text[len(text)-1] == '"' && !bytes.ContainsAny(text, " ") // in a Go import block
}

// defines finds the name that a line of code defines.
func (l language) defines(text []byte) (kind lineKind, from, to int) {
	position, keyword := 0, false
	for range 8 { // CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS name
		width := identifier(text[position:])
		if width == 0 {
			break
		}
		word, after := l.keyword(text[position:position+width]), position+width
		definer := isDefiner(word) && !(keyword && l.isNamedLikeKeyword(text[after:]))
		switch {
		case definer || isModifier(word):
			keyword = keyword || definer
			position = skipReceiver(text, after)
		case keyword:
			return kindDefinition, position, after
		case !isStatement(word) && isMember(text[after:]):
			return kindMember, position, after
		default:
			return kindCode, 0, 0
		}
	}
	return kindCode, 0, 0
}

// keyword returns the word as a keyword is written: in lower case, but in SQL
// in any. "Index" in Go is a name.
func (l language) keyword(word []byte) string {
	if l.dashes {
		word = bytes.ToLower(word)
	}
	return string(word)
}

// isNamedLikeKeyword says by what follows a keyword behind another one that it
// is a name after all: "type index struct", but not "const enum Color".
func (l language) isNamedLikeKeyword(after []byte) bool {
	after = bytes.TrimLeft(after, " ")
	next := identifier(after)
	return next == 0 || isDefiner(l.keyword(after[:next]))
}

// identifier returns the length of the identifier that text begins with.
func identifier(text []byte) int {
	n := 0
	for n < len(text) && (isLetter(text[n]) || isDigit(text[n]) || text[n] == '_' || n > 0 && text[n] == '-' ||
		n == 0 && (text[n] == '#' || text[n] == '"' || text[n] == '.')) {
		n++
	}
	return n
}

// skipReceiver jumps over blanks and what stands in parentheses before a name:
// Go's receivers, Rust's pub(crate).
func skipReceiver(text []byte, position int) int {
	for position < len(text) && text[position] == ' ' {
		position++
	}
	if position < len(text) && text[position] == '(' {
		if end := bytes.IndexByte(text[position:], ')'); end > 0 {
			position += end + 1
		}
		for position < len(text) && text[position] == ' ' {
			position++
		}
	}
	return position
}

func isDefiner(word string) bool {
	switch word {
	case "func", "fn", "def", "class", "type", "struct", "interface", "enum", "trait", "impl", "const", "var", "let",
		"function", "module", "namespace", "table", "index", "view", "trigger", "procedure", "#define",
		"message", "service", "rpc", "record", "macro", "macro_rules", "union", "typedef", "val", "fun", "object":
		return true
	default:
		return false
	}
}

func isModifier(word string) bool {
	switch word {
	case "export", "default", "pub", "public", "private", "protected", "internal", "static", "abstract", "async", "final",
		"readonly", "unsafe", "extern", "inline", "override", "sealed", "create", "unique", "if", "not", "exists", "or",
		"replace", "declare", "data", "open", "suspend", "virtual", "constexpr", "concurrently", "alter":
		return true
	default:
		return false
	}
}

// isStatement says that a line that begins with word defines nothing.
func isStatement(word string) bool {
	switch word {
	case "return", "if", "for", "go", "defer", "case", "else", "switch", "select", "throw", "await", "break", "goto",
		"yield", "raise", "assert", "with", "while", "in", "not", "echo", "try", "catch", "except", "finally", "elif",
		"continue", "insert", "update", "delete", "where", "and", "or", "join", "order", "group", "when", "end", "do":
		return true
	default:
		return false
	}
}

// isMember says by what follows a name at the start of a line whether the line
// gives it a value or a type.
func isMember(after []byte) bool {
	after = bytes.TrimLeft(bytes.TrimPrefix(after, []byte("?")), " \t\"")
	if len(after) == 0 {
		return false
	}
	switch c := after[0]; c {
	case ':', '=':
		return len(after) < 2 || after[1] != '='
	case '*', '[':
		return len(after) > 1 && (isLetter(after[1]) || after[1] == ']')
	default:
		return isLetter(c)
	}
}
