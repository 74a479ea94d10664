package ledger

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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

// Clause is one condition on the result of a command: its exit code if Stream is "", else the content of a stream.
type Clause struct {
	Stream Stream
	// Code is the exit code, 0 to 255.
	Code int
	// demand is "has" or "lacks" for a literal text, or "matches" for a regular expression (RE2) in which ^ and $ match
	// at lines.
	demand, text string
	pattern      *regexp.Regexp
}

// String is the normal form of the clause.
func (c Clause) String() string {
	if c.Stream == "" {
		return "exit " + strconv.Itoa(c.Code)
	}
	return fmt.Sprintf("%s %s %s", c.Stream, c.demand, strconv.Quote(c.text))
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
	return found == (c.demand != "lacks")
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
		if m := c.pattern.FindIndex(s.bytes); m != nil {
			return s.stream, [2]int{m[0], m[1]}, true
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

// ParseExpectation reads clauses separated by ";", "," or "and": "exit 0", or a stream with a demand and a text in Go
// quotes or single quotes.
func ParseExpectation(text string) (Expectation, error) {
	e, why := parseExpectation(text)
	if why != "" {
		return nil, fmt.Errorf("the expectation %s cannot be read: %s; write exit 0, or stdout has \"text\" "+
			"(stdout, stderr or output; has, lacks or matches), several with ; between them", quoted(text), why)
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
	clause := regexp.MustCompile(`^(?i:exits?\s*(?:code|status|with)?\s*(\d+)|` +
		`(stdout|stderr|output)\s+(has|contains|lacks|matches)\s*('[^']+'|"(?:[^"\\]|\\.)+"|` + "`[^`]+`" + `))` +
		`\s*(?:(?:[;,.][;,.\s]*|\b)and\b\s*|[;,.][;,.\s]*|$)`)
	rest := strings.TrimSpace(text)
	for rest != "" {
		m := clause.FindStringSubmatch(rest)
		if m == nil {
			return nil, quoted(rest) + " is not a condition"
		}
		rest = rest[len(m[0]):]
		c, why := newClause(m[1], m[2], m[3], m[4])
		if why != "" {
			return nil, why
		}
		if e = append(e, c); len(e) > MaxClauses {
			return nil, fmt.Sprintf("it has over %d clauses", MaxClauses)
		}
	}
	if len(e) == 0 {
		return nil, "it is empty"
	}
	return e, ""
}

// newClause makes a clause of an exit code, or of a stream with a demand and a text in quotes.
func newClause(code, stream, demand, text string) (c Clause, why string) {
	if code != "" {
		c.Code, _ = strconv.Atoi(code)
		if c.Code > maxExitCode || len(code) > len("255") {
			return c, fmt.Sprintf("an exit code is a number from 0 to %d", maxExitCode)
		}
		return c, ""
	}
	c.Stream, c.demand = Stream(strings.ToLower(stream)), strings.ToLower(demand)
	if c.demand == "contains" {
		c.demand = "has"
	}
	var err error
	if c.text = strings.Trim(text, "'"); text[0] != '\'' {
		if c.text, err = strconv.Unquote(text); err != nil {
			return c, "the text " + text + " is not quoted as in Go"
		}
	}
	expression := "(?m)" + c.text
	if c.demand != "matches" {
		expression = regexp.QuoteMeta(c.text)
	}
	if c.pattern, err = regexp.Compile(expression); err != nil {
		return c, "its pattern is not a regular expression: " +
			strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	}
	return c, ""
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

// LookupExpectation holds the result that a search or lookup must show for its evidence to count.
type LookupExpectation struct {
	// Demand is "found" or "none", or "has" or "lacks" for a text in what was found.
	Demand, Text string
}

// String is the normal form, which ParseLookupExpectation reads back.
func (e LookupExpectation) String() string {
	if e.Text == "" {
		return e.Demand
	}
	return e.Demand + " " + strconv.Quote(e.Text)
}

// ParseLookupExpectation reads found, none, or has or lacks with a text in quotes. An empty text is found.
func ParseLookupExpectation(text string) (LookupExpectation, error) {
	const forms = "write found, none, has \"text\" or lacks \"text\""
	text = strings.TrimSpace(text)
	if len(text) > MaxExpectation || !utf8.ValidString(text) {
		return LookupExpectation{}, fmt.Errorf("the expectation cannot be read; %s", forms)
	}
	switch strings.ToLower(text) {
	case "", "found":
		return LookupExpectation{Demand: "found"}, nil
	case "none", "not found", "nothing":
		return LookupExpectation{Demand: "none"}, nil
	}
	word, quotation, _ := strings.Cut(text, " ")
	demand := strings.ToLower(word)
	if demand == "contains" {
		demand = "has"
	}
	c, why := Clause{}, "not a demand"
	if demand == "has" || demand == "lacks" {
		quotation = strings.TrimSpace(quotation)
		if why = "no quotes"; regexp.MustCompile(`^('[^']+'|"(?:[^"\\]|\\.)+"|` + "`[^`]+`" +
			`)$`).MatchString(quotation) {
			c, why = newClause("", string(Output), demand, quotation)
		}
	}
	if why != "" {
		return LookupExpectation{}, fmt.Errorf("the expectation %s cannot be read; %s", quoted(text), forms)
	}
	return LookupExpectation{Demand: demand, Text: c.text}, nil
}

// IsLookup reports whether a reference is a search, a list or a reading of files with an expectation that
// ParseLookupExpectation reads. A search that counts, "SEARCH /x/ in *.go = 0", expects nothing else.
func IsLookup(reference, expected string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(reference), " ")
	_, err := ParseLookupExpectation(expected)
	return err == nil && expected != "" && slices.Contains([]string{"SEARCH", "LIST", "READ"}, word)
}
