package ledger

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// commandMark and a space begin the reference of a command: "$ go vet ./...".
const commandMark = "$"

// MaxCommand is the maximum length of a command in bytes: the user must be able to read all of it before approving.
const MaxCommand = 500

// IsCommand reports whether a reference is a command, not a place in a file.
func IsCommand(reference string) bool {
	_, found := cutMark(strings.TrimSpace(reference))
	return found
}

// cutMark removes the mark from the front of a text.
func cutMark(text string) (rest string, found bool) {
	rest, found = strings.CutPrefix(text, commandMark)
	if found = found && strings.TrimLeft(rest, " \t") != rest || text == commandMark; found {
		return strings.TrimSpace(rest), true
	}
	return text, false
}

// Command is a program and its arguments. It runs without a shell.
type Command struct{ words []string }

// ParseCommand splits a command, with or without "$ ", into words like a shell, with quotes and backslashes. Everything
// that needs a shell is an error: pipes, redirections, several commands, variables, globs, assignments. So are
// an empty command, one over MaxCommand bytes, and one with a character that cannot be printed.
func ParseCommand(text string) (Command, error) {
	words, why := shellWords(text)
	if why != "" {
		return Command{}, commandError(text, why)
	}
	var c Command
	for _, w := range words {
		if w.wild != "" {
			return Command{}, commandError(text, w.wild)
		}
		c.words = append(c.words, w.text)
	}
	if c.words[0] == "" {
		return Command{}, commandError(text, "it names no program")
	}
	return c, nil
}

func commandError(text, why string) error {
	return fmt.Errorf("the command %s cannot be run: %s; write one program with its arguments, as in $ go test ./queue",
		quoted(text), why)
}

// Words returns the program and its arguments. The first word is not empty.
func (c Command) Words() []string { return slices.Clone(c.words) }

// String is the normal form, with single spaces, and quotes around words that need them. ParseCommand reads it back.
// Equal commands have equal strings.
func (c Command) String() string {
	quoted := make([]string, len(c.words))
	for i, word := range c.words {
		quoted[i] = quoteWord(word, i == 0)
	}
	return strings.Join(quoted, " ")
}

// Reference is the normal form as a reference: "$ go vet ./...".
func (c Command) Reference() string { return commandMark + " " + c.String() }

// quoteWord quotes a word for a shell if needed.
func quoteWord(word string, first bool) string {
	plain := word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./:@%+,-=", r)
	})
	if plain && !(first && (strings.Contains(word, "=") || syntax.IsKeyword(word))) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// shellWord is a word without its quotes. wild is the reason why it needs a shell, or ""; bare means that no part of it
// is quoted.
type shellWord struct {
	text, wild string
	bare       bool
}

// shellWords splits a text into words, or returns the reason why that needs a shell.
func shellWords(text string) (words []shellWord, why string) {
	text, _ = cutMark(strings.TrimSpace(text))
	switch {
	case len(text) > MaxCommand:
		return nil, fmt.Sprintf("it is over %d bytes long", MaxCommand)
	case !utf8.ValidString(text):
		return nil, "it is not UTF-8"
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return nil, "it has a character that cannot be printed"
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, "its quotes are not closed, or it needs a shell"
	}
	if len(file.Stmts) == 0 {
		return nil, "it is empty"
	}
	call, why := simpleCommand(file.Stmts)
	if why != "" {
		return nil, why
	}
	for _, word := range call.Args {
		one, why := literalWord(word)
		if why != "" {
			return nil, why
		}
		words = append(words, one)
	}
	return words, ""
}

// simpleCommand returns the only command of a text, or the reason why it isn't one simple command.
func simpleCommand(list []*syntax.Stmt) (call *syntax.CallExpr, why string) {
	one := list[0]
	call, isCall := one.Cmd.(*syntax.CallExpr)
	switch {
	case len(list) > 1 || one.Semicolon.IsValid() && !one.Background:
		return nil, "it is several commands (;), which needs a shell"
	case one.Background:
		return nil, "it runs in the background (&), which needs a shell"
	case len(one.Redirs) > 0:
		return nil, "it redirects (< or >), which needs a shell"
	case one.Negated:
		return nil, "it negates (!), which needs a shell"
	case isCall && len(call.Assigns) > 0:
		return nil, "it sets a variable, which needs a shell"
	case isCall:
		return call, ""
	}
	if binary, isBinary := one.Cmd.(*syntax.BinaryCmd); isBinary {
		return nil, fmt.Sprintf("it joins commands (%s), which needs a shell", binary.Op)
	}
	return nil, "it is shell syntax"
}

// literalWord removes the quotes of a word, or returns the reason why only a shell can.
func literalWord(word *syntax.Word) (one shellWord, why string) {
	const needsShell = "it has a variable, or another part that only a shell can expand"
	escaped := regexp.MustCompile(`\\.`)
	one.bare = true
	for i, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			plain := escaped.ReplaceAllString(part.Value, "")
			one.bare = one.bare && plain == part.Value
			if at := strings.IndexAny(plain, "*?["); at >= 0 {
				one.wild = "it has a pattern of file names (" + plain[at:at+1] +
					"), which needs a shell; quote it to keep it"
			}
			if i == 0 && strings.HasPrefix(part.Value, "~") {
				one.wild = "it uses ~, which needs a shell"
			}
		case *syntax.SglQuoted:
			one.bare = false
		case *syntax.DblQuoted:
			one.bare = false
			for _, inner := range part.Parts {
				if _, isLit := inner.(*syntax.Lit); !isLit {
					return one, needsShell
				}
			}
		default:
			return one, needsShell
		}
	}
	// Without a Config of its own, a call shares one, with its buffers, with calls of other goroutines.
	fields, err := expand.Fields(&expand.Config{}, word)
	if err != nil || len(fields) != 1 {
		return one, needsShell
	}
	one.text = fields[0]
	return one, ""
}

// CommandPattern matches commands that may run without approval: exact words, with * for any single word and ... at
// the end for all further words.
type CommandPattern struct {
	words []shellWord
	// rest allows any number of further words.
	rest bool
}

// isAny reports whether the word of a pattern matches every word.
func (w shellWord) isAny() bool { return w.bare && w.text == "*" }

// ParseCommandPattern reads a pattern. Its words are parsed like those of a command; quote a * or ... to take it
// literally.
func ParseCommandPattern(text string) (CommandPattern, error) {
	words, why := shellWords(text)
	if why != "" {
		return CommandPattern{}, commandError(text, why)
	}
	p := CommandPattern{words: words}
	if last := words[len(words)-1]; last.bare && last.text == "..." {
		p.words, p.rest = words[:len(words)-1], true
	}
	for _, w := range p.words {
		switch {
		case w.bare && w.text == "...":
			return CommandPattern{}, commandError(text,
				"... must be at the end of a pattern, for all words that follow")
		case w.wild != "" && !w.isAny():
			return CommandPattern{}, commandError(text,
				"in a pattern * stands for one whole word; quote it to take it literally")
		}
	}
	return p, nil
}

// Matches reports whether the pattern allows the command. The mark of another kind of evidence, such as TOOL, must be
// written out: neither * nor ... stands for it, since such a pattern was meant for programs.
func (p CommandPattern) Matches(c Command) bool {
	if kindMark.MatchString(c.words[0]) && (len(p.words) == 0 || p.words[0].isAny()) {
		return false
	}
	if len(c.words) < len(p.words) || len(c.words) > len(p.words) && !p.rest {
		return false
	}
	for i, w := range p.words {
		if !w.isAny() && w.text != c.words[i] {
			return false
		}
	}
	return true
}

// String is the normal form; ParseCommandPattern reads it back.
func (p CommandPattern) String() string {
	var words []string
	for i, w := range p.words {
		switch {
		case w.isAny():
			words = append(words, "*")
		case w.text == "...":
			words = append(words, "'...'")
		default:
			words = append(words, quoteWord(w.text, i == 0))
		}
	}
	if p.rest {
		words = append(words, "...")
	}
	return strings.Join(words, " ")
}
