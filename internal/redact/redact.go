package redact

import (
	"bytes"
	_ "embed" // The rules are a file of their own.
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

//go:embed rules.toml
var ruleFile []byte

// Redactor takes secrets out of texts. It may be used from several goroutines.
type Redactor struct {
	rules        []rule
	placeholders *regexp.Regexp
	// needs holds the words of all rules by their first two bytes, so that one pass finds all of them. starts has the
	// place of such a pair in it, or 0.
	needs  [][]need
	starts [1 << 16]uint8
}

// need is a word of a rule, in lower case.
type need struct {
	word string
	rule int
}

// rule is one row of rules.toml, which explains the fields.
type rule struct {
	Reason  string   `toml:"reason"`
	Pattern string   `toml:"pattern"`
	Entropy float64  `toml:"entropy"`
	Mixed   bool     `toml:"mixed"`
	Digit   bool     `toml:"digit"`
	Whole   bool     `toml:"whole"`
	Run     bool     `toml:"run"`
	Needs   []string `toml:"needs"`
	Then    string   `toml:"then"`
	Unless  string   `toml:"unless"`

	pattern, unless *regexp.Regexp
}

// Finding is one passage that was taken out.
type Finding struct {
	// Reason is the kind of the secret, such as "private key".
	Reason string
	// Line is where it began, from 1, and Last where it ended.
	Line, Last int
}

// New returns a Redactor with the built-in rules. The error says that the rules
// built into the program are damaged.
func New() (*Redactor, error) {
	var file struct {
		Placeholder string `toml:"placeholder"`
		Rule        []rule `toml:"rule"`
	}
	if err := toml.NewDecoder(bytes.NewReader(ruleFile)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, fmt.Errorf("read the rules of redaction that moot is built with: %w", err)
	}
	r := &Redactor{rules: file.Rule, needs: make([][]need, 1)}
	for i := range r.rules {
		row := &r.rules[i]
		for _, word := range row.Needs {
			word = strings.ToLower(word)
			at := &r.starts[int(word[0])<<8|int(word[1])]
			if *at == 0 {
				*at, r.needs = uint8(len(r.needs)), append(r.needs, nil) //nolint:gosec // there are fewer rules
			}
			r.needs[*at] = append(r.needs[*at], need{word, i})
		}
		var err error
		if row.pattern, err = regexp.Compile(row.Pattern); err != nil {
			return nil, fmt.Errorf("the rule of redaction for a %s: %w", row.Reason, err)
		}
		if row.Unless == "" {
			continue
		}
		if row.unless, err = regexp.Compile(row.Unless); err != nil {
			return nil, fmt.Errorf("the exception of redaction for a %s: %w", row.Reason, err)
		}
	}
	var err error
	if r.placeholders, err = regexp.Compile(file.Placeholder); err != nil {
		return nil, fmt.Errorf("the placeholders of redaction: %w", err)
	}
	return r, nil
}

// span is a passage to be taken out.
type span struct {
	start, end int
	reason     string
}

// marked begins a mark; its reason and a bracket follow.
const marked = "[REDACTED: "

// Mark replaces a passage.
func Mark(reason string) string { return marked + reason + "]" }

// Marked returns what was taken out of a text that was redacted, in order.
func Marked(text string) []Finding {
	var findings []Finding
	n := 0
	for line := range strings.Lines(text) {
		n++
		for _, rest := range strings.Split(line, marked)[1:] {
			if reason, _, ok := strings.Cut(rest, "]"); ok {
				findings = append(findings, Finding{Reason: reason, Line: n, Last: n})
			}
		}
	}
	return findings
}

// Text returns the text with each secret replaced by its Mark, and what was
// taken out, in order. Text without secrets is returned as it is, and so is a
// text that was redacted before.
func (r *Redactor) Text(text string) (string, []Finding) {
	spans := r.find(text)
	if len(spans) == 0 {
		return text, nil
	}
	var out strings.Builder
	findings := make([]Finding, 0, len(spans))
	at, line := 0, 1
	for _, s := range spans {
		line += strings.Count(text[at:s.start], "\n")
		began := line
		line += strings.Count(text[s.start:s.end], "\n")
		findings = append(findings, Finding{Reason: s.reason, Line: began, Last: line})
		out.WriteString(text[at:s.start])
		out.WriteString(Mark(s.reason))
		at = s.end
	}
	out.WriteString(text[at:])
	return out.String(), findings
}

// Part returns the bytes from start to end of a text without secrets. They are sought in the whole
// text, since some have several lines.
func (r *Redactor) Part(text string, start, end int) string {
	var out strings.Builder
	for _, s := range r.find(text) {
		if s.end > start && s.start < end {
			out.WriteString(text[start:max(start, s.start)])
			out.WriteString(Mark(s.reason))
			start = min(s.end, end)
		}
	}
	return out.String() + text[start:end]
}

// find returns the passages of all rules, in order and apart. Earlier rules
// name a passage better, so theirs wins where two meet.
func (r *Redactor) find(text string) []span {
	var found []span
	for i, parts := range r.parts(text) {
		for _, part := range parts {
			found = r.match(&r.rules[i], text, part.start, part.end, found)
		}
	}
	slices.SortFunc(found, func(a, b span) int { return a.start - b.start })
	return found
}

// parts returns the parts of a text that each rule may match: the lines with one of its words or a
// long run, or the whole text.
func (r *Redactor) parts(text string) [][]span {
	parts := make([][]span, len(r.rules))
	add := func(rule, at int) {
		row, known := &r.rules[rule], parts[rule]
		if len(known) > 0 && at < known[len(known)-1].end {
			return
		}
		line := span{start: lineStart(text, at), end: len(text)}
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			line.end = at + i
		}
		switch {
		case row.Whole:
			parts[rule] = []span{{end: len(text)}}
		case row.Then == "" || strings.ContainsAny(text[at:line.end], row.Then):
			parts[rule] = append(known, line)
		}
	}
	lower, run := lowered(text), 0
	for at, c := range lower {
		if inToken(c) {
			run++
		} else {
			run = 0
		}
		if run == runLength {
			for i := range r.rules {
				if r.rules[i].Run {
					add(i, at)
				}
			}
		}
		if at+1 == len(lower) {
			break
		}
		for _, n := range r.needs[r.starts[int(c)<<8|int(lower[at+1])]] {
			if bytes.HasPrefix(lower[at:], []byte(n.word)) {
				add(n.rule, at)
			}
		}
	}
	return parts
}

// group returns the first group that matched.
func group(m []int) (start, end int) {
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i], m[i+1]
		}
	}
	return -1, -1
}

// match adds what a rule takes out of a part of the text.
func (r *Redactor) match(row *rule, text string, from, to int, found []span) []span {
	part := text[from:to]
	for _, m := range row.pattern.FindAllStringSubmatchIndex(part, -1) {
		start, end := m[0], m[1]
		if len(m) > 2 {
			start, end = group(m)
		}
		s := span{from + start, from + end, row.Reason}
		if start < 0 || start == end || overlaps(found, s) ||
			!r.secret(row, part[start:end], part[lineStart(part, m[0]):m[1]]) {
			continue
		}
		found = append(found, s)
	}
	return found
}

// runLength is how many characters of a token follow each other in a line that a rule with run matches.
const runLength = 32

// inToken reports whether a byte of a text in lower case may be part of a token.
func inToken(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '_' || c == '-'
}

// lowered is a text with its ASCII letters in lower case, of the same length.
func lowered(text string) []byte {
	b := []byte(text)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return b
}

// secret tells a secret from what only looks like one: a placeholder, a word,
// an exception of the rule.
func (r *Redactor) secret(row *rule, value, context string) bool {
	switch {
	case strings.Contains(value, "[REDACTED:"), r.placeholders.MatchString(value):
		return false
	case row.Mixed && !mixed(value),
		row.Digit && (!strings.ContainsAny(value, "0123456789") || strings.Trim(value, "0123456789.") == ""):
		return false
	case row.unless != nil && row.unless.MatchString(context):
		return false
	}
	return row.Entropy == 0 || entropy(value) >= row.Entropy
}

func lineStart(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

func overlaps(found []span, s span) bool {
	return slices.ContainsFunc(found, func(f span) bool { return s.start < f.end && f.start < s.end })
}

// mixed reports whether a word holds a digit, and letters of both cases.
func mixed(word string) bool {
	return strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz") &&
		strings.ContainsAny(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// entropy is the Shannon entropy of a word's bytes, in bits per byte.
func entropy(word string) float64 {
	var counts [256]int
	for i := range len(word) {
		counts[word[i]]++
	}
	sum := 0.0
	for _, n := range &counts {
		if n > 0 {
			share := float64(n) / float64(len(word))
			sum -= share * math.Log2(share)
		}
	}
	return sum
}
