package ledger

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// commandMark begins the reference of a command, with a blank behind it: "$ go
// vet ./...".
const commandMark = "$"

// MaxCommand bounds the text of a command, in bytes: the user must be able to
// read all of what is to be approved.
const MaxCommand = 500

// IsCommand reports whether a reference is a command to run, and no place in a
// file.
func IsCommand(reference string) bool {
	_, found := cutMark(strings.TrimSpace(reference))
	return found
}

// cutMark takes the mark off the front of a text.
func cutMark(text string) (rest string, found bool) {
	rest, found = strings.CutPrefix(text, commandMark)
	if found = found && strings.TrimLeft(rest, " \t") != rest || text == commandMark; found {
		return strings.TrimSpace(rest), true
	}
	return text, false
}

// Command is a program and its arguments. It runs without a shell.
type Command struct{ words []string }

// CommandError says why a text is no command that runs without a shell.
type CommandError struct {
	// Text is the input, cut to 200 bytes.
	Text string
	// Why is one clause.
	Why string
}

// Error names the text, the reason and what would do.
func (e *CommandError) Error() string {
	return fmt.Sprintf("the command %q cannot be run: %s; write one program with its arguments, as in $ go test ./...",
		e.Text, e.Why)
}

// ParseCommand reads a command, with or without "$ " before it, as a shell parts
// it into words, with its quotes and backslashes. What only a shell could do is
// a *CommandError: pipes, redirections, several commands, variables, patterns of
// file names, assignments. So are an empty command, one over MaxCommand bytes,
// and one with a character that is not printed.
func ParseCommand(text string) (Command, error) {
	words, why := shellWords(text)
	if why != "" {
		return Command{}, newCommandError(text, why)
	}
	var c Command
	for _, w := range words {
		if w.wild != "" {
			return Command{}, newCommandError(text, w.wild)
		}
		c.words = append(c.words, w.text)
	}
	if c.words[0] == "" {
		return Command{}, newCommandError(text, "it names no program")
	}
	return c, nil
}

func newCommandError(text, why string) *CommandError {
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "")
	}
	return &CommandError{Text: text, Why: why}
}

// Words returns the program and its arguments: at least one word, the first not
// empty.
func (c Command) Words() []string { return slices.Clone(c.words) }

// String is the normal form, with single blanks, and quotes where a word needs
// them. ParseCommand reads it back. Two commands are the same where theirs are.
func (c Command) String() string {
	quoted := make([]string, len(c.words))
	for i, word := range c.words {
		quoted[i] = quoteWord(word, i == 0)
	}
	return strings.Join(quoted, " ")
}

// Reference is the normal form as a reference: "$ go vet ./...".
func (c Command) Reference() string { return commandMark + " " + c.String() }

// quoteWord writes a word so that a shell reads it as it is.
func quoteWord(word string, first bool) string {
	plain := word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_./:@%+,-=", r)
	})
	if plain && !(first && (strings.Contains(word, "=") || syntax.IsKeyword(word))) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// shellWord is a word with its quotes taken off. Wild says why it needs a shell,
// "" where it does not; bare that no part of it is quoted.
type shellWord struct {
	text, wild string
	bare       bool
}

// shellWords parts a text into words, or says in a clause why that needs a shell.
func shellWords(text string) (words []shellWord, why string) {
	text, _ = cutMark(strings.TrimSpace(text))
	switch {
	case len(text) > MaxCommand:
		return nil, fmt.Sprintf("it is over %d bytes long", MaxCommand)
	case !utf8.ValidString(text):
		return nil, "it is not UTF-8"
	case strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }):
		return nil, "it holds a character that is not printed"
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, "its quotes do not fit, or it needs a shell"
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

// simpleCommand returns the one command of a text, or says what else there is.
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
	return nil, "it is a construct of a shell"
}

// literalWord takes the quotes off a word, or says why only a shell could.
func literalWord(word *syntax.Word) (one shellWord, why string) {
	text := &strings.Builder{}
	one.bare = true
	for i, part := range word.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if one.wild == "" {
				one.wild = wildcard(part.Value, i == 0)
			}
			one.bare = one.bare && !strings.Contains(part.Value, `\`)
			text.WriteString(unescape(part.Value, ""))
		case *syntax.SglQuoted:
			one.bare = false
			text.WriteString(part.Value)
		case *syntax.DblQuoted:
			one.bare = false
			for _, inner := range part.Parts {
				lit, isLit := inner.(*syntax.Lit)
				if !isLit {
					return one, expansion(inner)
				}
				text.WriteString(unescape(lit.Value, "$`\"\\"))
			}
		default:
			return one, expansion(part)
		}
	}
	one.text = text.String()
	return one, ""
}

// expansion says what a part of a word would have a shell do.
func expansion(part syntax.WordPart) string {
	switch part.(type) {
	case *syntax.ParamExp:
		return "it uses a variable ($), which needs a shell"
	case *syntax.CmdSubst:
		return "it uses the output of another command, which needs a shell"
	}
	return "it has a part that only a shell can work out"
}

// wildcard says why the unquoted part of a word needs a shell, or "".
func wildcard(text string, first bool) string {
	if first && strings.HasPrefix(text, "~") {
		return "it uses ~, which needs a shell"
	}
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		case strings.ContainsRune("*?[", r):
			return fmt.Sprintf("it has a pattern of file names (%c), which needs a shell; quote what is none", r)
		}
	}
	if listsInBraces(text) {
		return "it has a list in braces, which needs a shell; quote what is none"
	}
	return ""
}

// listsInBraces reports whether a shell would read a part of the text as a list in
// braces: {a,b} or {1..9}.
func listsInBraces(text string) bool {
	for _, opened := range strings.Split(text, "{")[1:] {
		inside, _, closed := strings.Cut(opened, "}")
		if closed && (strings.Contains(inside, ",") || strings.Contains(inside, "..")) {
			return true
		}
	}
	return false
}

// unescape takes off the backslashes that a shell takes off: before any
// character, or before those in only.
func unescape(text, only string) string {
	out := &strings.Builder{}
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (only == "" || strings.IndexByte(only, text[i+1]) >= 0) {
			i++
		}
		out.WriteByte(text[i])
	}
	return out.String()
}
