package ledger

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Predicate is a statement that code can compare with others: Op compares the value at Path with Value (AC5).
type Predicate struct {
	// Path names what the statement is about, as in "queue.max_retries".
	Path string `json:"path"`
	// Op is one of Operators.
	Op string `json:"op"`
	// Value is any JSON value; for "in" an array.
	Value json.RawMessage `json:"value"`
	// Unit is the unit of the numbers in Value as it was written, or "". Units are never converted.
	Unit string `json:"unit,omitempty"`
}

// Operators returns every Op of a Predicate.
func Operators() []string { return []string{"=", "≠", "<", "≤", ">", "≥", "in"} }

// String returns the predicate as a person types it: "timeout ≤ 30 s".
func (p *Predicate) String() string {
	text := p.Path + " " + p.Op + " " + string(p.Value)
	if p.Unit != "" {
		text += " " + p.Unit
	}
	return text
}

const (
	// maxStatement bounds the length in bytes of a text that is read as a predicate, maxClauses the clauses that are
	// read of one text.
	maxStatement = 400
	maxClauses   = 20
	// maxDigits and maxExponent bound the numbers, which are compared exactly.
	maxDigits, maxExponent = 60, 400
)

// identifier is one name or path, which may be in back-quotes.
const identifier = "^(?:`([\\pL\\p{Nd}_.-]*[\\pL\\p{Nd}_])`|([\\pL\\p{Nd}_.-]*[\\pL\\p{Nd}_]))"

var (
	inSymbols = regexp.MustCompile(identifier + `(?:\s*(!=|<=|>=|[=≠<≤>≥])|\s+(in))\s*(.+)$`)
	inWords   = regexp.MustCompile(identifier + `\s+(?i:(equals|is\s+not|isn['’]t|must\s+not\s+be|` +
		`(?:is|must\s+be)(?:\s+(?:at\s+most|at\s+least|under|over))?))\s+(\S.*)$`)
	quantity = regexp.MustCompile(`^\+?(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:[ \t]?(%|` +
		`[\pL°][\pL\p{M}]*(?:/\pL+)?(?: per \pL+)?))?$`)
	bareWord = regexp.MustCompile(`^[\pL_](?:[\pL\p{Nd}_.-]*[\pL\p{Nd}_])?$`)
)

// operators maps the words and the typed forms to operators.
var operators = map[string]string{ //nolint:gochecknoglobals // a table
	"!=": "≠", "<=": "≤", ">=": "≥", "is": "=", "must be": "=", "equals": "=", "is not": "≠", "isn't": "≠",
	"isn’t":       "≠",
	"must not be": "≠", "at most": "≤", "at least": "≥", "under": "<", "over": ">",
}

// ParsePredicates reads what a text states in a form that code can compare: the whole text, or else the clauses of it
// in back-quotes. A clause that the words around it deny or make a condition is not stated.
//
// The forms are PATH OP VALUE, such as "retries <= 2", and in plain words "X is V", "X equals V", "X is not V" and "X
// is (or must be) at most, at least, under or over V". X is one identifier or path. V is a number with or without a
// unit, true, false or a quoted text; with =, != and in also one word. Any other words state nothing that code can
// compare.
func ParsePredicates(text string) []Predicate {
	if p := ParsePredicate(text); p != nil {
		return []Predicate{*p}
	}
	if !strings.Contains(text, "`") {
		return nil
	}
	inside, outside := clauses(text)
	if hedged(outside) {
		return nil
	}
	var stated []Predicate
	for _, clause := range inside {
		if p := ParsePredicate(clause); p != nil {
			stated = append(stated, *p)
		}
	}
	return stated
}

// clauses splits a text into its spans in single back-quotes and what is outside of all back-quotes. Longer runs of
// back-quotes enclose code, which states nothing.
func clauses(text string) (inside []string, outside string) {
	var rest strings.Builder
	for len(inside) < maxClauses {
		before, after, opened := strings.Cut(text, "`")
		rest.WriteString(before + " ")
		if !opened {
			break
		}
		mark := "`" + after[:len(after)-len(strings.TrimLeft(after, "`"))]
		after = after[len(mark)-1:]
		end := closing(after, mark)
		if end < 0 {
			rest.WriteString(after)
			break
		}
		if mark == "`" {
			inside = append(inside, after[:end])
		}
		text = after[end+len(mark):]
	}
	return inside, rest.String()
}

// closing returns where a run of back-quotes of exactly the length of mark begins, or -1.
func closing(text, mark string) int {
	for at := 0; ; {
		i := strings.Index(text[at:], mark)
		if i < 0 {
			return -1
		}
		at += i
		run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
		if run == len(mark) {
			return at
		}
		at += run
	}
}

// hedges are words around a clause that deny it, make it a condition, or move it to another time. The first line is
// English; the others cover what negates in other languages.
var hedges = strings.Fields( //nolint:gochecknoglobals // a table
	`
	not no never cannot without neither nor wrong false untrue incorrect instead unless if whether when would
	could might was were previously formerly suppose assuming example nicht kein keine nie falsch wenn pas
	jamais faux si nunca falso não nao non mai se niet geen не нет если nie 不 没 不是 ない ません`)

func hedged(text string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && r != '’'
	}) {
		if strings.HasSuffix(word, "n't") || strings.HasSuffix(word, "n’t") || slices.Contains(hedges, word) {
			return true
		}
	}
	return strings.ContainsAny(text, "?？不没")
}

// pronouns cannot be the subject of a predicate in plain words: what they name is elsewhere.
var pronouns = strings.Fields( //nolint:gochecknoglobals // a table
	`it this that these those there he she they we what which who everything nothing something
	anything all none one either neither both each everyone nobody here`)

// ParsePredicate reads a whole text as one predicate. It returns nil if the text states nothing that code can compare.
func ParsePredicate(text string) *Predicate {
	text = strings.TrimSpace(text)
	if len(text) > maxStatement || !utf8.ValidString(text) || strings.ContainsAny(text, "\r\n") {
		return nil
	}
	if inner, ok := strings.CutPrefix(strings.TrimSuffix(text, "."), "`"); ok {
		if inner, ok = strings.CutSuffix(inner, "`"); ok && !strings.Contains(inner, "`") {
			text = strings.TrimSpace(inner)
		}
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, "."))
	if m := inSymbols.FindStringSubmatch(text); m != nil {
		return newPredicate(m[1]+m[2], m[3]+m[4], m[5], true)
	}
	m := inWords.FindStringSubmatch(text)
	if m == nil || slices.Contains(pronouns, strings.ToLower(m[2])) {
		return nil
	}
	verb := strings.ToLower(strings.Join(strings.Fields(m[3]), " "))
	for _, bound := range []string{"at most", "at least", "under", "over"} {
		if strings.HasSuffix(verb, " "+bound) {
			verb = bound
		}
	}
	return newPredicate(m[1]+m[2], verb, m[4], false)
}

// newPredicate reads the value of a predicate. It returns nil if the value is not of a kind that the operator compares.
func newPredicate(path, op, typed string, words bool) *Predicate {
	if !strings.ContainsFunc(path, unicode.IsLetter) {
		return nil
	}
	p := &Predicate{Path: path, Op: op}
	if mapped := operators[op]; mapped != "" {
		p.Op = mapped
	}
	switch p.Op {
	case "=", "≠":
		p.Value, p.Unit = scalar(typed, words)
	case "in":
		p.Value, p.Unit = scalars(typed)
	default:
		if value, unit := scalar(typed, false); value != nil && exact(value) != nil {
			p.Value, p.Unit = value, unit
		}
	}
	if p.Value == nil {
		return nil
	}
	return p
}

// scalars reads a list of scalars in brackets, or returns nil. Their units are the same.
func scalars(typed string) (value json.RawMessage, unit string) {
	inner, opened := strings.CutPrefix(typed, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed {
		return nil, ""
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(typed), &list) != nil {
		for word := range strings.SplitSeq(inner, ",") {
			list = append(list, json.RawMessage(strings.TrimSpace(word)))
		}
	}
	for i := range list {
		element, its := scalar(string(list[i]), true)
		if element == nil || i > 0 && its != unit {
			return nil, ""
		}
		list[i], unit = element, its
	}
	if len(list) == 0 {
		return nil, ""
	}
	// Valid values always have a JSON.
	value, _ = json.Marshal(list)
	return value, unit
}

// scalar reads a number with its unit, true, false, a quoted text or, with words, a word that starts with a letter. It
// returns nil for anything else.
func scalar(typed string, words bool) (value json.RawMessage, unit string) {
	if inner, ok := strings.CutPrefix(typed, "`"); ok {
		if inner, ok = strings.CutSuffix(inner, "`"); !ok || inner == "" || strings.Contains(inner, "`") {
			return nil, ""
		}
		if value, unit = scalar(inner, false); value != nil {
			return value, unit
		}
		return text(inner), ""
	}
	if m := quantity.FindStringSubmatch(typed); m != nil {
		if value = json.RawMessage(m[1]); !json.Valid(value) || exact(value) == nil {
			return nil, ""
		}
		return value, m[2]
	}
	switch typed {
	case "true", "false":
		return json.RawMessage(typed), ""
	}
	var quoted string
	if strings.HasPrefix(typed, `"`) && json.Unmarshal([]byte(typed), &quoted) == nil {
		return json.RawMessage(typed), ""
	}
	for _, marks := range [][2]string{{"'", "'"}, {"“", "”"}, {"‘", "’"}} {
		inner, opened := strings.CutPrefix(typed, marks[0])
		inner, closed := strings.CutSuffix(inner, marks[1])
		if opened && closed && inner != "" && !strings.Contains(inner, marks[1]) {
			return text(inner), ""
		}
	}
	if words && bareWord.MatchString(typed) && typed != "null" {
		return text(typed), ""
	}
	return nil, ""
}

// text returns a text as JSON. A text always has one.
func text(s string) json.RawMessage {
	value, _ := json.Marshal(s)
	return value
}

// exact returns a JSON number as it was written, without rounding, or nil for other values and for numbers that are too
// long to compare.
func exact(value json.RawMessage) *big.Rat {
	written := string(value)
	if written == "" || len(written) > maxDigits || written[0] != '-' && (written[0] < '0' || written[0] > '9') {
		return nil
	}
	if at := strings.IndexAny(written, "eE"); at >= 0 {
		if e, err := strconv.Atoi(written[at+1:]); err != nil || e > maxExponent || e < -maxExponent {
			return nil
		}
	}
	number, ok := new(big.Rat).SetString(written)
	if !ok {
		return nil
	}
	return number
}

// Conflict says whether two statements can hold at once.
type Conflict int

// The values of Conflict. A possible conflict is one for a person to decide: only the last elements of the paths are
// equal, the units differ, or the values are of different kinds.
const (
	NoConflict Conflict = iota
	PossibleConflict
	CertainConflict
)

// ConflictWith reports whether no value satisfies both predicates (AC5, AC5b).
func (p *Predicate) ConflictWith(q *Predicate) Conflict {
	if p == nil || q == nil || p.Path == "" || !strings.EqualFold(p.name(), q.name()) {
		return NoConflict
	}
	found := p.excludes(q)
	if found == CertainConflict && p.Path != q.Path {
		return PossibleConflict
	}
	return found
}

// Conflicts returns the firmest conflict between two lists of predicates, and the pair that has it.
func Conflicts(a, b []Predicate) (found Conflict, one, other *Predicate) {
	for i := range a {
		for j := range b {
			if c := a[i].ConflictWith(&b[j]); c > found {
				found, one, other = c, &a[i], &b[j]
			}
		}
	}
	return found, one, other
}

// name returns the last element of the path.
func (p *Predicate) name() string { return p.Path[strings.LastIndexByte(p.Path, '.')+1:] }

// Abbreviates reports whether q is the same statement with a longer path: "retries = 3" and "queue.retries = 3".
func (p *Predicate) Abbreviates(q *Predicate) bool {
	equal, _ := same(p.Value, q.Value)
	return strings.HasSuffix(q.Path, "."+p.Path) && p.Op == q.Op && p.Unit == q.Unit && equal
}

// excludes compares two predicates on one value.
func (p *Predicate) excludes(q *Predicate) Conflict {
	if p.Unit != q.Unit {
		// No unit is converted: whether both can hold depends on what the units are.
		if p.bound() != 0 && p.bound() == q.bound() || p.Op == "≠" && q.bound() != 0 || q.Op == "≠" && p.bound() != 0 ||
			p.Op == "≠" && q.Op == "≠" {
			return NoConflict
		}
		return PossibleConflict
	}
	for _, pair := range [][2]*Predicate{{p, q}, {q, p}} {
		values := pair[0].values()
		if len(values) == 0 {
			continue
		}
		found := CertainConflict
		for _, v := range values {
			holds, known := pair[1].holds(v)
			switch {
			case holds:
				return NoConflict
			case !known:
				found = PossibleConflict
			}
		}
		return found
	}
	for _, pair := range [][2]*Predicate{{p, q}, {q, p}} {
		upper, lower := pair[0], pair[1]
		most, least := exact(upper.Value), exact(lower.Value)
		if upper.bound() >= 0 || lower.bound() <= 0 || most == nil || least == nil {
			continue
		}
		if c := least.Cmp(most); c > 0 || c == 0 && (upper.Op == "<" || lower.Op == ">") {
			return CertainConflict
		}
	}
	return NoConflict
}

// bound is -1 for an upper limit, 1 for a lower one, and 0 for other operators.
func (p *Predicate) bound() int {
	switch p.Op {
	case "<", "≤":
		return -1
	case ">", "≥":
		return 1
	}
	return 0
}

// values lists the values that a predicate with = or in allows.
func (p *Predicate) values() []json.RawMessage {
	switch p.Op {
	case "=":
		return []json.RawMessage{p.Value}
	case "in":
		var list []json.RawMessage
		if json.Unmarshal(p.Value, &list) == nil {
			return list
		}
	}
	return nil
}

// holds reports whether a value satisfies the predicate, and whether the two can be compared: numbers with numbers,
// texts that do not only differ in case with texts, true with false.
func (p *Predicate) holds(value json.RawMessage) (holds, known bool) {
	switch p.Op {
	case "=":
		return same(value, p.Value)
	case "≠":
		equal, known := same(value, p.Value)
		return known && !equal, known
	case "in":
		unknown := false
		for _, allowed := range p.values() {
			equal, known := same(value, allowed)
			if equal {
				return true, true
			}
			unknown = unknown || !known
		}
		return false, !unknown && len(p.values()) > 0
	}
	number, limit := exact(value), exact(p.Value)
	if number == nil || limit == nil {
		return false, false
	}
	switch c := number.Cmp(limit); p.Op {
	case "<":
		return c < 0, true
	case "≤":
		return c <= 0, true
	case ">":
		return c > 0, true
	case "≥":
		return c >= 0, true
	}
	return false, false
}

// same reports whether two JSON values are equal, and whether they can be compared.
func same(a, b json.RawMessage) (equal, known bool) {
	if x, y := exact(a), exact(b); x != nil && y != nil {
		return x.Cmp(y) == 0, true
	}
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return false, false
	}
	switch x := x.(type) {
	case string:
		if y, ok := y.(string); ok {
			return x == y, x == y || !strings.EqualFold(x, y)
		}
	case bool:
		if y, ok := y.(bool); ok {
			return x == y, true
		}
	}
	return false, false
}

// Test looks in a text for the value of the predicate's last element, as in "retries: 3" or
// `"retries" = 3`, and reports whether it satisfies the predicate. Found is false if the text
// does not give a value that can be compared, or gives several that disagree.
func (p *Predicate) Test(text string) (holds, found bool) {
	_, holds, found = p.find(text)
	return holds, found
}

// Against returns what a text says against the predicate: the value that it assigns to the last element, or the
// statement of a line of it. It returns "" if the text says nothing against it.
func (p *Predicate) Against(text string) string {
	if !strings.Contains(lowered(text), lowered(p.name())) {
		return ""
	}
	if says, holds, found := p.find(text); found {
		if holds {
			return ""
		}
		return says
	}
	for line := range strings.Lines(text) {
		for _, stated := range ParsePredicates(line) {
			if strings.EqualFold(stated.name(), p.name()) && stated.excludes(p) == CertainConflict {
				return strings.TrimPrefix(strings.TrimPrefix(stated.String(), stated.Path+" "), "= ")
			}
		}
	}
	return ""
}

// assignment is a value that is assigned: what follows the name.
var assignment = regexp.MustCompile("^[\"'`]*[ \t]*(?::=|[:=])" +
	"[ \t]*(?:(\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`)|([^=\\s][^\n]*))")

// find returns the value that a text assigns to the last element of the path, as written.
func (p *Predicate) find(text string) (says string, holds, found bool) {
	name, low := lowered(p.name()), lowered(text)
	for at := 0; name != ""; {
		i := strings.Index(low[at:], name)
		if i < 0 {
			break
		}
		from := at + i
		at = from + len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:from])
		if from > 0 && (InName(before) && before != '.') {
			continue
		}
		m := assignment.FindStringSubmatch(text[at:])
		if m == nil {
			continue
		}
		written := m[1] + operand(m[2])
		value, unit := scalar(written, true)
		if m[1] != "" {
			value = textOf(m[1])
		}
		h, known := p.holds(value)
		if value == nil || unit != p.Unit || !known || found && h != holds {
			return "", false, false
		}
		says, holds, found = written, h, true
	}
	return says, holds, found
}

// textOf returns a text in quotation marks as JSON.
func textOf(quoted string) json.RawMessage { return text(quoted[1 : len(quoted)-1]) }

// operand returns what is assigned, without what follows it on the line: a comment, the next element, a closing
// bracket, the end of the sentence. A longer expression stays whole, so that it is read as none of its parts.
func operand(line string) string {
	for i := range line {
		switch rest := line[i:]; {
		case strings.ContainsRune(",;)]}`\"'", rune(rest[0])),
			strings.HasPrefix(rest, " //"), strings.HasPrefix(rest, " #"), strings.HasPrefix(rest, " --"),
			strings.HasPrefix(rest, " /*"), strings.HasPrefix(rest, "\t//"), strings.HasPrefix(rest, "\t#"),
			strings.HasPrefix(rest, ". "):
			return strings.TrimSpace(line[:i])
		}
	}
	return strings.TrimSuffix(strings.TrimSpace(line), ".")
}

// lowered lowers the case of ASCII letters, so that places in the text stay the same.
func lowered(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r >= 'A' && r <= 'Z' }) {
		return text
	}
	low := []byte(text)
	for i, c := range low {
		if c >= 'A' && c <= 'Z' {
			low[i] = c + 'a' - 'A'
		}
	}
	return string(low)
}
