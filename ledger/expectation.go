package ledger

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/internal/enum"
	"moot/internal/lists"
)

// Bounds of an expectation: its text in bytes, and its clauses.
const (
	MaxExpectation = 500
	MaxClauses     = 8
)

// maxExitCode is the largest exit code.
const maxExitCode = 255

// Stream is the output that a clause of an expectation reads.
type Stream string

// The streams. Output is either of the other two.
const (
	Stdout Stream = "stdout"
	Stderr Stream = "stderr"
	Output Stream = "output"
)

// UnmarshalText refuses an unknown word.
func (s *Stream) UnmarshalText(text []byte) error {
	return enum.Unmarshal("stream", text, []Stream{Stdout, Stderr, Output}, s)
}

// Demand is the test of a clause on a stream.
type Demand string

// The demands: a literal is present, a literal is absent, a regular expression (RE2) matches; ^ and $ match at lines.
const (
	Has     Demand = "has"
	Lacks   Demand = "lacks"
	Matches Demand = "matches"
)

// UnmarshalText refuses an unknown word.
func (d *Demand) UnmarshalText(text []byte) error {
	return enum.Unmarshal("demand", text, []Demand{Has, Lacks, Matches}, d)
}

// Clause is one condition on the result of a command: its exit code if Stream is "", else the content of a stream.
type Clause struct {
	Stream Stream
	// Code is the exit code, 0 to 255.
	Code   int
	Demand Demand
	// Text is the literal or the regular expression.
	Text    string
	pattern *regexp.Regexp
}

// String is the normal form of the clause.
func (c Clause) String() string {
	if c.Stream == "" {
		return "exit " + strconv.Itoa(c.Code)
	}
	return fmt.Sprintf("%s %s %s", c.Stream, c.Demand, strconv.Quote(c.Text))
}

// Ended is the complete result of a command.
type Ended struct {
	Code           int
	Stdout, Stderr []byte
}

// Met reports whether the result meets the clause.
func (c Clause) Met(e Ended) bool {
	if c.Stream == "" {
		return e.Code == c.Code
	}
	_, _, found := c.Locate(e)
	return found == (c.Demand != Lacks)
}

// Locate returns the first match of the clause: the stream and the byte range.
func (c Clause) Locate(e Ended) (where Stream, at [2]int, found bool) {
	for _, s := range []struct {
		stream Stream
		bytes  []byte
	}{{Stdout, e.Stdout}, {Stderr, e.Stderr}} {
		if c.Stream != s.stream && c.Stream != Output {
			continue
		}
		if c.pattern != nil {
			if m := c.pattern.FindIndex(s.bytes); m != nil {
				return s.stream, [2]int{m[0], m[1]}, true
			}
			continue
		}
		if i := bytes.Index(s.bytes, []byte(c.Text)); i >= 0 {
			return s.stream, [2]int{i, i + len(c.Text)}, true
		}
	}
	return "", at, false
}

// Expectation lists the clauses that a command must meet for its evidence to count, at least one.
type Expectation []Clause

// String is the normal form: "exit 0; stdout has \"ok\"". ParseExpectation reads
// it back.
func (e Expectation) String() string {
	clauses := lists.Map(e, func(c Clause) string { return c.String() })
	return strings.Join(clauses, "; ")
}

// Unmet returns the clauses that a command did not meet.
func (e Expectation) Unmet(ended Ended) Expectation {
	return lists.Filter(e, func(c Clause) bool { return !c.Met(ended) })
}

// ExpectationError reports why a text is not an expectation.
type ExpectationError struct {
	// Text is the input, cut to 200 bytes.
	Text string
	// Why is one clause.
	Why string
}

func (e *ExpectationError) Error() string {
	return fmt.Sprintf("the expectation %q cannot be read: %s; write exit 0, or stdout has \"text\" "+
		"(stdout, stderr or output; has, lacks or matches), several with ; between them", e.Text, e.Why)
}

// ParseExpectation reads clauses separated by ";", "," or "and": "exit 0", or a stream with a demand and a text in Go
// quotes or single quotes. Everything else is an *ExpectationError.
func ParseExpectation(text string) (Expectation, error) {
	e, why := parseExpectation(text)
	if why != "" {
		return nil, &ExpectationError{Text: newCommandError(text, "").Text, Why: why}
	}
	return e, nil
}

func parseExpectation(text string) (e Expectation, why string) {
	switch {
	case len(text) > MaxExpectation:
		return nil, fmt.Sprintf("it is over %d bytes long", MaxExpectation)
	case !utf8.ValidString(text):
		return nil, "it is not UTF-8"
	}
	rest := strings.TrimSpace(text)
	for rest != "" {
		var c Clause
		if c, rest, why = cutClause(rest); why != "" {
			return nil, why
		}
		if e = append(e, c); len(e) > MaxClauses {
			return nil, fmt.Sprintf("it has over %d clauses", MaxClauses)
		}
		if rest, why = cutSeparator(rest); why != "" {
			return nil, why
		}
	}
	if len(e) == 0 {
		return nil, "it is empty"
	}
	return e, ""
}

// cutSeparator removes the separator after a clause; one at the end is allowed.
func cutSeparator(text string) (rest, why string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return "", ""
	}
	if rest = strings.TrimLeft(text, ";,. "); rest != text {
		word, after := cutWord(rest)
		if word == "and" {
			rest = after
		}
		return rest, ""
	}
	word, after := cutWord(text)
	if word != "and" {
		return "", fmt.Sprintf("%q follows a clause; separate clauses with ;", firstWord(text))
	}
	return after, ""
}

func firstWord(text string) string { return newCommandError(strings.Fields(text + " .")[0], "").Text }

// cutWord removes a word of letters from the front and returns it in lower case.
func cutWord(text string) (word, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(text)
	}
	return strings.ToLower(text[:end]), strings.TrimSpace(text[end:])
}

func cutClause(text string) (c Clause, rest, why string) {
	word, rest := cutWord(text)
	switch word {
	case "exit", "exits":
		if next, after := cutWord(rest); next == "code" || next == "status" || next == "with" {
			rest = after
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(rest)
		}
		code, err := strconv.Atoi(rest[:end])
		if err != nil || code > maxExitCode {
			return c, "", fmt.Sprintf("an exit code is a number from 0 to %d", maxExitCode)
		}
		return Clause{Code: code}, rest[end:], ""
	}
	if err := c.Stream.UnmarshalText([]byte(word)); err != nil {
		return c, "", fmt.Sprintf("%q is neither exit nor stdout, stderr or output", firstWord(text))
	}
	word, rest = cutWord(rest)
	if word == "contains" {
		word = string(Has)
	}
	if err := c.Demand.UnmarshalText([]byte(word)); err != nil {
		return c, "", fmt.Sprintf("%s must be followed by has, lacks or matches", c.Stream)
	}
	c.Text, rest, why = cutQuoted(rest)
	if why != "" || c.Demand != Matches {
		return c, rest, why
	}
	pattern, err := regexp.Compile("(?m)" + c.Text)
	if err != nil {
		return c, "", "its pattern is not a regular expression: " +
			strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	}
	c.pattern = pattern
	return c, rest, ""
}

// cutQuoted removes a quoted text from the front.
func cutQuoted(text string) (quoted, rest, why string) {
	const missing = "the text to look for must be in quotes"
	if after, single := strings.CutPrefix(text, "'"); single {
		quoted, rest, closed := strings.Cut(after, "'")
		if !closed || quoted == "" {
			return "", "", missing
		}
		return quoted, rest, ""
	}
	prefix, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", "", missing
	}
	quoted, err = strconv.Unquote(prefix)
	if err != nil || quoted == "" {
		return "", "", missing
	}
	return quoted, text[len(prefix):], ""
}

// CutProposal splits "go vet ./... => exit 0" into a command and its expectation, at the last arrow that a valid
// expectation follows.
func CutProposal(text string) (command, expectation string, found bool) {
	for end := len(text); ; {
		at := strings.LastIndex(text[:end], "=>")
		if at < 0 {
			return text, "", false
		}
		expectation = strings.TrimSpace(text[at+len("=>"):])
		if _, err := ParseExpectation(expectation); err == nil {
			return strings.TrimSpace(text[:at]), expectation, true
		}
		end = at
	}
}
