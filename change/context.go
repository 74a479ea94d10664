package change

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"moot/internal/plain"
)

const (
	// maxContext is how many unchanged lines a hunk may have so that the beginning of its function is shown.
	maxContext = 20
	// maxSearch is how far above a hunk its function may begin, and maxSymbol the length of its name in bytes.
	maxSearch, maxSymbol = 2000, 80
	// maxHeader is the length of a line that may begin a function, in bytes.
	maxHeader = 400
)

// hunkStart is the first line of a hunk: "@@ -4,2 +5 @@ func main() {".
var hunkStart = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)`)

// starts reads where a hunk starts before and after the change. git names the line before a side without lines, which
// does not matter where lines are counted.
func starts(line string) (was, now int, ok bool) {
	found := hunkStart.FindStringSubmatch(line)
	if found == nil {
		return 0, 0, false
	}
	was, _ = strconv.Atoi(found[1])
	now, _ = strconv.Atoi(found[3])
	return was, now, true
}

// withFunctions lets each hunk begin where its function does, if that is near, and names the function in the first line
// of the hunk. The content is the file after the change. Only the contents decide: no setting or attribute of the
// repository says what a function is.
func withFunctions(hunks string, content []byte) string {
	lines := bytes.Split(content, []byte("\n"))
	var out strings.Builder
	shownTo := 0 // the last line after the change that a hunk shows
	for hunks != "" {
		part := hunks
		if end := strings.Index(hunks, "\n@@ "); end >= 0 {
			part = hunks[:end+1]
		}
		hunks = hunks[len(part):]
		first, body, _ := strings.Cut(part, "\n")
		found := hunkStart.FindStringSubmatch(first)
		if found == nil {
			out.WriteString(part)
			continue
		}
		was, wasCount := number(found[1]), count(found[2])
		now, nowCount := number(found[3]), count(found[4])
		symbol := found[5]
		context, changedAt, at := 0, -1, now-1
		if nowCount == 0 {
			at = now
		}
		for line := range strings.Lines(body) {
			switch line[0] {
			case ' ':
				context++
				at++
			case '+':
				if changedAt < 0 {
					changedAt = at
				}
				at++
			case '-':
				if changedAt < 0 {
					changedAt = at
				}
			}
		}
		function, nested := enclosing(lines, changedAt)
		switch {
		case function >= 0:
			symbol = string(bytes.TrimSpace(lines[function]))
		case !nested:
			// git would name the function before.
			symbol = ""
		}
		if more := now - 1 - function; nowCount > 0 && wasCount > 0 && function >= 0 && more > 0 && function >= shownTo &&
			context+more <= maxContext {
			var above strings.Builder
			for _, line := range lines[function : now-1] {
				above.WriteString(" ")
				above.Write(line)
				above.WriteString("\n")
			}
			was, now, wasCount, nowCount = was-more, now-more, wasCount+more, nowCount+more
			body = above.String() + body
		}
		if nowCount > 0 {
			shownTo = now - 1 + nowCount
		}
		fmt.Fprintf(&out, "@@ -%d,%d +%d,%d @@", was, wasCount, now, nowCount)
		if symbol = clipped(symbol); symbol != "" {
			out.WriteString(" " + symbol)
		}
		out.WriteString("\n" + body)
	}
	return out.String()
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

func count(text string) int {
	if text == "" {
		return 1
	}
	return number(text)
}

// clipped returns the name of a function as one line.
func clipped(symbol string) string {
	symbol = strings.ToValidUTF8(symbol, "\uFFFD")
	if len(symbol) > maxSymbol {
		end := maxSymbol
		for !utf8.RuneStart(symbol[end]) {
			end--
		}
		symbol = symbol[:end]
	}
	return strings.TrimSpace(plain.Line(symbol))
}

// enclosing returns the line, from 0, on which the function or type around a line begins, or -1. It goes up by the
// indentation. nested says that the line is inside something, although that does not look like a function.
func enclosing(lines [][]byte, at int) (function int, nested bool) {
	if at >= len(lines) {
		at = len(lines) - 1
	}
	if at < 0 {
		return -1, false
	}
	if beginsFunction(lines[at]) {
		return at, true
	}
	own := at
	for own < len(lines)-1 && len(bytes.TrimSpace(lines[own])) == 0 {
		own++
	}
	for own > 0 && len(bytes.TrimSpace(lines[own])) == 0 {
		own--
	}
	indent := indentation(lines[own])
	if isClosing(lines[own]) {
		// The end of a block belongs to it.
		indent++
	}
	nested = indent > 0
	for i := min(at, own) - 1; i >= 0 && i >= at-maxSearch && indent > 0; i-- {
		line := bytes.TrimSpace(lines[i])
		depth := indentation(lines[i])
		if len(line) == 0 || depth >= indent || isComment(line) {
			continue
		}
		if beginsFunction(lines[i]) {
			return i, true
		}
		indent = depth
		if isClosing(line) || line[0] == '{' {
			// Its header is above, at the same depth: "func f(\n) error {" and "int f()\n{".
			indent = depth + 1
		}
	}
	return -1, nested
}

func indentation(line []byte) int {
	depth := 0
	for _, c := range line {
		switch c {
		case ' ':
			depth++
		case '\t':
			depth += 8
		default:
			return depth
		}
	}
	return depth
}

func isClosing(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && strings.IndexByte(")}]", line[0]) >= 0
}

func isComment(line []byte) bool {
	for _, start := range []string{"//", "/*", "* ", "*/", "#", "--", "@"} {
		if bytes.HasPrefix(line, []byte(start)) {
			return true
		}
	}
	return false
}

var (
	// keyword is a word that begins a function or a type, after any of the words that may stand before it.
	keyword = regexp.MustCompile(`^(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|` +
		`override|virtual|sealed|partial|open|inline|extern|unsafe|pub(?:\([^)]*\))?|const|suspend|data|synchronized|` +
		`native|local|declare|readonly|typedef|template\s*<[^>]*>|"C")\s+)*(?:func|function\*?|def|defp|defmodule|fn|` +
		`fun|sub|proc|class|interface|struct|enum|trait|impl|module|namespace|record|object|type|protocol|extension|` +
		`macro|mixin|union|procedure|contract|package|message|service|resource)\b`)
	// typed is a function with its type before its name, as in C and Java: "static int parse(const char *text".
	typed = regexp.MustCompile(`^[A-Za-z_~][\w\s<>,.\[\]*&:?~]*[\s*&]~?[\w:~]+\s*\([^;]*$`)
	// method is a method without a type, as in JavaScript: "render(props) {".
	method = regexp.MustCompile(`^(?:(?:async|static|get|set)\s+|\*|#)*[A-Za-z_$][\w$]*\s*\([^;]*\)\s*(?::[^;{]*)?\{$`)
	// arrow is a function in a variable: "const render = (props) => {".
	arrow = regexp.MustCompile(`^(?:export\s+)?(?:default\s+)?(?:const|let|var)\s+[\w$]+(?::[^=]*)?\s*=\s*` +
		`(?:async\s*)?(?:function\b|\([^;]*$|[\w$]+\s*=>)`)
	// control is a word that begins a statement and no function.
	control = regexp.MustCompile(`^(?:if|else|for|foreach|while|switch|case|default\s*:|try|catch|finally|do|return|with|` +
		`match|elif|elsif|except|select|defer|go|loop|unless|until|when|new|await|throw|yield|delete|using|lock|assert|` +
		`print|import|include|require|use|raise|rescue|begin|end|then|in|not|and|or)\b`)
)

// beginsFunction reports whether a line looks like the first one of a function or a type.
func beginsFunction(line []byte) bool {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || len(line) > maxHeader || isComment(line) || control.Match(line) {
		return false
	}
	return keyword.Match(line) || typed.Match(line) || method.Match(line) || arrow.Match(line)
}
