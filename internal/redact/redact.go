package redact

import (
	"bytes"
	_ "embed" // for rules.toml and names.toml
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

var (
	//go:embed rules.toml
	ruleFile []byte
	//go:embed names.toml
	nameFile []byte
)

// Redactor removes secrets from texts. It is safe for concurrent use.
type Redactor struct {
	rules []rule
	words *words
	// triggers holds the triggers by their first two bytes in lower case, so that one pass finds all. starts maps
	// such a pair to its index, or 0.
	triggers [][]trigger
	starts   [1 << 16]uint8
}

// trigger is a text that makes find look closer: the start of a rule's key, a part of a name, or another sign.
type trigger struct {
	text string
	rule int
	what sign
}

// sign is the kind of a trigger.
type sign uint8

const (
	signRule sign = iota
	signName
	signURL
	signArmor
	signPuTTY
	signScheme
	signMark
)

// rule is one row of rules.toml, which explains the fields.
type rule struct {
	Reason  string   `toml:"reason"`
	Starts  []string `toml:"starts"`
	Pattern string   `toml:"pattern"`
	Unless  string   `toml:"unless"`
	Mixed   bool     `toml:"mixed"`
	Inside  bool     `toml:"inside"`
	Line    bool     `toml:"line"`

	pattern, unless *regexp.Regexp
}

// Finding is a redacted passage.
type Finding struct {
	// Reason is the kind of the secret, such as "private key".
	Reason string
	// Line is its first line, from 1, and Last its last.
	Line, Last int
}

// New returns a Redactor with the built-in rules. It fails only if these are damaged.
func New() (*Redactor, error) {
	var file struct {
		Rule []rule `toml:"rule"`
	}
	if err := toml.NewDecoder(bytes.NewReader(ruleFile)).DisallowUnknownFields().Decode(&file); err != nil {
		return nil, fmt.Errorf("read the rules of redaction that moot is built with: %w", err)
	}
	r := &Redactor{rules: file.Rule, triggers: make([][]trigger, 1)}
	for i := range r.rules {
		row := &r.rules[i]
		for _, start := range row.Starts {
			r.trigger(trigger{text: start, rule: i})
		}
		var err error
		if row.pattern, err = regexp.Compile(`\A(?:` + row.Pattern + `)`); err != nil {
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
	if r.words, err = readWords(); err != nil {
		return nil, err
	}
	for _, part := range r.words.parts() {
		r.trigger(trigger{text: part, what: signName})
	}
	for text, what := range map[string]sign{
		"://": signURL, "@tcp(": signURL, "@unix(": signURL, "-----begin ": signArmor, "-----end ": signArmor,
		"---- begin ssh2": signArmor, "private-lines:": signPuTTY, "bearer ": signScheme, "basic ": signScheme,
		marked: signMark,
	} {
		r.trigger(trigger{text: strings.ToLower(text), what: what})
	}
	return r, nil
}

func (r *Redactor) trigger(t trigger) {
	at := &r.starts[int(lower[t.text[0]])<<8|int(lower[t.text[1]])]
	if *at == 0 {
		*at, r.triggers = uint8(len(r.triggers)), append(r.triggers, nil) //nolint:gosec // fewer than 256 pairs
	}
	r.triggers[*at] = append(r.triggers[*at], t)
}

// span is a passage of one line to redact.
type span struct {
	start, end int
	reason     string
	// more says that the secret started on an earlier line, which has the mark.
	more bool
	// sure is 0 for a known format, and higher for less informative reasons.
	sure int
}

// marked is the start of a mark; the reason and a bracket follow.
const marked = "[REDACTED: "

// Random is the reason for a word that was redacted only because it looks random, as the name of a build file may.
const Random = "high-entropy token"

// Mark returns the replacement of a passage.
func Mark(reason string) string { return marked + reason + "]" }

// Marked returns the findings in a text that was already redacted, in order.
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

// Text is Named for a text that is not in a file.
func (r *Redactor) Text(text string) (string, []Finding) { return r.Named("", text) }

// Named replaces each secret in the text of a file by its Mark, and returns the findings in order. The name says
// whether the text is source code, where a variable may be called password; if it is "", the text decides, and in a
// diff the name of each file. For a secret of several lines, the first line becomes the mark and the others become
// empty, so that line numbers and hunk lengths stay the same. A text without secrets, or one that was already
// redacted, is returned unchanged.
func (r *Redactor) Named(name, text string) (string, []Finding) {
	spans := r.find(name, text)
	if len(spans) == 0 {
		return text, nil
	}
	var out strings.Builder
	out.Grow(len(text))
	findings := make([]Finding, 0, len(spans))
	at, line := 0, 1
	for _, s := range spans {
		line += strings.Count(text[at:s.start], "\n")
		out.WriteString(text[at:s.start])
		at = s.end
		if s.more && len(findings) > 0 {
			findings[len(findings)-1].Last = line
			continue
		}
		findings = append(findings, Finding{Reason: s.reason, Line: line, Last: line})
		out.WriteString(Mark(s.reason))
	}
	out.WriteString(text[at:])
	return out.String(), findings
}

// Part returns a redacted part of a file. It searches the whole text, because some secrets have several lines.
func (r *Redactor) Part(name, text string, start, end int) string {
	var out strings.Builder
	wrote := false
	for _, s := range r.find(name, text) {
		if s.end <= start || s.start >= end {
			wrote = false
			continue
		}
		out.WriteString(text[start:max(start, s.start)])
		if !s.more || !wrote {
			out.WriteString(Mark(s.reason))
		}
		wrote, start = true, min(s.end, end)
	}
	return out.String() + text[start:end]
}

// finder looks for the secrets of one text.
type finder struct {
	r    *Redactor
	text string
	// sections are the parts of the text with their kinds.
	sections []section
	spans    []span
	// done is where the last examined name ended, and masked where the last mark or key block did.
	done, masked int
	// chunk is the part of the text whose kind was determined last.
	chunk     int
	chunkKind kind
	// noEnd is the position up to which no key block ends, and listed the one up to which manifests were read.
	noEnd, listed int
	// cut is where public key blocks end: nothing in them is too random.
	cut int
	// skip is where each rule may match next, so that a failed match of a long word is not retried inside it.
	skip []int
}

// find returns the passages of all rules, in order and without overlaps.
func (r *Redactor) find(name, text string) []span {
	f := &finder{
		r: r, text: text, skip: make([]int, len(r.rules)), sections: sections(r.words, name, text), cut: -1,
		chunk: -1,
	}
	run := 0
	for at := 0; at < len(text); at++ {
		c := lower[text[at]]
		if inToken[c] {
			run++
		} else {
			if run >= shortestRun {
				f.random(at-run, at)
			}
			run = 0
		}
		if at+1 == len(text) {
			break
		}
		pair := r.starts[int(c)<<8|int(lower[text[at+1]])]
		if pair == 0 {
			continue
		}
		triggers := r.triggers[pair]
		for i := range triggers {
			t := &triggers[i]
			switch {
			case t.what == signRule:
				if at >= f.masked && strings.HasPrefix(text[at:], t.text) {
					f.format(t.rule, at)
				}
			case at < f.masked || !hasFold(text[at:], t.text):
			case t.what == signName:
				f.named(at, len(t.text))
			case t.what == signURL:
				f.url(at)
			case t.what == signArmor:
				f.armor(at)
			case t.what == signPuTTY:
				f.putty(at)
			case t.what == signScheme:
				f.scheme(at, len(t.text))
			case t.what == signMark:
				if end := strings.IndexByte(text[at:min(len(text), at+maxTyped)], ']'); end > 0 &&
					!strings.Contains(text[at:at+end], "\n") {
					f.masked = at + end + 1
				}
			}
		}
	}
	if run >= shortestRun {
		f.random(len(text)-run, len(text))
	}
	return f.settled()
}

// settled sorts the passages and merges those that touch; the surest reason wins.
func (f *finder) settled() []span {
	slices.SortStableFunc(f.spans, func(a, b span) int { return a.start - b.start })
	kept := f.spans[:0]
	for _, s := range f.spans {
		if n := len(kept); n > 0 && s.start < kept[n-1].end {
			last := &kept[n-1]
			if s.sure < last.sure {
				last.reason, last.sure = s.reason, s.sure
			}
			last.end, last.more = max(last.end, s.end), last.more && s.more
			continue
		}
		kept = append(kept, s)
	}
	return kept
}

// add redacts a passage, line by line.
func (f *finder) add(start, end int, reason string, sure int) {
	more := false
	for start < end {
		stop := end
		if i := strings.IndexByte(f.text[start:end], '\n'); i >= 0 {
			stop = start + i
		}
		from, to := start, stop
		if more {
			from = min(stop, f.body(start))
		}
		for to > from && (f.text[to-1] == '\r' || f.text[to-1] == ' ' || f.text[to-1] == '\t') {
			to--
		}
		if to > from {
			f.spans = append(f.spans, span{start: from, end: to, reason: reason, more: more, sure: sure})
			more = true
		}
		start = stop + 1
	}
}

// body returns where the text of a line begins, after the sign of a diff and the indentation.
func (f *finder) body(at int) int {
	if at < len(f.text) && (f.text[at] == '+' || f.text[at] == '-' && !armorLine(f.text[at:])) {
		at++
	}
	for at < len(f.text) && (f.text[at] == ' ' || f.text[at] == '\t') {
		at++
	}
	return at
}

// armorLine reports whether a line begins or ends a key block, in which case leading dashes belong to it.
func armorLine(line string) bool {
	return strings.HasPrefix(line, "-----") && !strings.HasPrefix(line, "------")
}

// lineEnd returns the end of the line at a position. Very long lines are cut, so that a text of one line takes no
// longer than others.
func (f *finder) lineEnd(at int) int {
	limit := min(len(f.text), at+maxValue)
	if i := strings.IndexByte(f.text[at:limit], '\n'); i >= 0 {
		return at + i
	}
	return limit
}

// lineStart returns the start of the line at a position, or of the nearby part of a very long line.
func (f *finder) lineStart(at int) int {
	const farthest = 2000
	from := max(0, at-farthest)
	return from + strings.LastIndexByte(f.text[from:at], '\n') + 1
}

// format redacts a key of a known format.
func (f *finder) format(index, at int) {
	const longest, lineWindow = 16 << 10, 400
	row := &f.r.rules[index]
	if at < f.skip[index] || !row.Inside && at > 0 && !f.edge(at) {
		return
	}
	window := f.text[at:min(len(f.text), at+longest)]
	if row.Line {
		window = f.text[at:min(f.lineEnd(at), at+lineWindow)]
	}
	m := row.pattern.FindStringSubmatchIndex(window)
	if m == nil {
		end := at
		for end < len(f.text) && end < at+longest && inToken[lower[f.text[end]]] {
			end++
		}
		if end-at > shortestRun {
			f.skip[index] = end
		}
		if row.Line {
			f.skip[index] = max(f.skip[index], at+len(window)/2)
		}
		return
	}
	start, end := m[0], m[1]
	for i := 2; i+1 < len(m); i += 2 {
		if start, end = m[i], m[i+1]; start >= 0 {
			break
		}
	}
	f.skip[index] = at + m[1]
	if start < 0 || start == end {
		return
	}
	value := window[start:end]
	if row.Mixed && !mixed(value) || strings.Contains(value, marked) || f.r.words.isPlaceholder(value) ||
		sameByte(value) ||
		row.unless != nil && row.unless.MatchString(value) {
		return
	}
	f.add(at+start, at+end, row.Reason, 0)
}

// edge reports whether a key may start at a position: not inside a word, but after an escaped line ending or a
// percent-encoded character.
func (f *finder) edge(at int) bool {
	if !isAlnum(f.text[at-1]) {
		return true
	}
	return at > 1 && f.text[at-2] == '\\' && strings.IndexByte("nrt", f.text[at-1]) >= 0 ||
		at > 2 && f.text[at-3] == '%' && isHex(f.text[at-1]) && isHex(f.text[at-2])
}

// shortestRun and longestRun are the lengths of a word that can be a token because of its randomness. Images and
// other base64 data are longer.
const (
	shortestRun = 32
	longestRun  = 400
)

//nolint:gochecknoglobals // patterns
var (
	longName  = regexp.MustCompile(`(?i)^(?:[a-z0-9]+_){4,}[a-z0-9]+$`)
	notRandom = regexp.MustCompile(`(?i)(?:h1:|sha(?:1|256|384|512)[-:= ]|integrity|digest|checksum|https?://\S*$|` +
		`data:[a-z]+/|ssh-(?:rsa|ed25519|dss)|ecdsa-sha2|sk-ssh|base64,|nonce=|fingerprint)`)
	delimitersL = " \t\r\n\"'`=:(,[{>"
	delimitersR = " \t\r\n\"'`;:),]}<&\\|"
)

// random redacts a word that looks random. Digests are kept: hex has no mixed case, and checksums are labeled.
func (f *finder) random(start, end int) {
	if start < f.cut || end-start > longestRun || start < f.masked {
		return
	}
	text := f.text
	if start > 0 && strings.IndexByte(delimitersL, text[start-1]) < 0 {
		return
	}
	last := end
	for last < len(text) && last < end+2 && text[last] == '=' {
		last++
	}
	if last < len(text) && strings.IndexByte(delimitersR, text[last]) < 0 {
		return
	}
	const least = 4.5
	word := text[start:end]
	if !mixed(word) || entropy(word) < least || longName.MatchString(word) || humps(word) ||
		notRandom.MatchString(text[f.lineStart(start):start+len("sha512-")]) {
		return
	}
	f.add(start, last, Random, 2)
}

// humps reports whether a word is a long identifier, a path or an alphabet: upper-case letters, lower-case letters
// and digits are grouped, while in random base64 two of three neighbors differ in kind.
func humps(word string) bool {
	class := func(c byte) int {
		switch {
		case isLower(c):
			return 1
		case isUpper(c):
			return 2
		case isDigit(c):
			return 3
		}
		return 4
	}
	changes := 0
	for i := 1; i < len(word); i++ {
		if class(word[i]) != class(word[i-1]) {
			changes++
		}
	}
	return changes*5 < len(word)*2
}

//nolint:gochecknoglobals // tables
var (
	lower   = lowerTable()
	inToken = tokenTable()
)

func lowerTable() (table [256]byte) {
	for i := range table {
		c := byte(i)
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		table[i] = c
	}
	return table
}

// tokenTable returns which lower-case bytes can be part of a token.
func tokenTable() (table [256]bool) {
	for i := range table {
		c := byte(i)
		table[i] = 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '_' || c == '-'
	}
	return table
}

// hasFold reports whether a text starts with a lower-case prefix, ignoring case.
func hasFold(text, prefix string) bool {
	if len(text) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower[text[i]] != prefix[i] {
			return false
		}
	}
	return true
}

func isAlnum(c byte) bool {
	c = lower[c]
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}

func isHex(c byte) bool {
	c = lower[c]
	return 'a' <= c && c <= 'f' || '0' <= c && c <= '9'
}

// mixed reports whether a word has a digit and letters of both cases.
func mixed(word string) bool {
	return strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz") &&
		strings.ContainsAny(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// entropy returns the Shannon entropy of a word's bytes, in bits per byte.
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
