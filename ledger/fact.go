// Package ledger holds the facts of a session with their provenance, evidence on its three scales, packets of facts,
// and the hash chain that joins the lines of a session file. It is pure. Start at Fact, Evidence and Packet.
package ledger

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tag is the provenance of a fact (LE2).
type Tag string

// The tags. An unverified fact is shown with its seat's name, as in
// "consultee-unverified".
const (
	// TagUser is a statement of the user, which is authoritative.
	TagUser Tag = "user"
	// TagVerified was checked; the fact carries the reference.
	TagVerified Tag = "verified"
	// TagUnverified is a seat's hypothesis.
	TagUnverified Tag = "unverified"
	// TagRevision records that a position changed, or that a change was refused.
	TagRevision Tag = "revision"
)

// Tags returns every Tag.
func Tags() []Tag { return []Tag{TagUser, TagVerified, TagUnverified, TagRevision} }

// Predicate is a constraint that code can check: Op compares the value at Path with Value (AC5).
type Predicate struct {
	// Path names what is constrained, as in "queue.max_retries".
	Path string `json:"path"`
	// Op is one of Operators.
	Op string `json:"op"`
	// Value is any JSON value; for "in" an array.
	Value json.RawMessage `json:"value"`
}

// Operators returns every Op of a Predicate.
func Operators() []string { return []string{"=", "≠", "<", "≤", ">", "≥", "in"} }

// ParsePredicate reads a text of the form PATH OP VALUE, such as "retries <= 2". It returns nil for any other text. OP
// may be typed in ASCII. VALUE is a number, true, false, a quoted text or a word; "in" takes a list of these in
// brackets, and an order takes a number.
func ParsePredicate(text string) *Predicate {
	form := regexp.MustCompile(`^([\pL\p{Nd}_.-]*[\pL\p{Nd}_])(?:\s*(!=|<=|>=|[=≠<≤>≥])|\s+(in))\s*(.+)$`)
	m := form.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || !strings.ContainsFunc(m[1], unicode.IsLetter) {
		return nil
	}
	p := &Predicate{Path: m[1], Op: strings.NewReplacer("!=", "≠", "<=", "≤", ">=", "≥").Replace(m[2] + m[3])}
	switch p.Op {
	case "=", "≠":
		p.Value = scalar(m[4])
	case "in":
		p.Value = scalars(m[4])
	default:
		var number *float64
		if json.Unmarshal([]byte(m[4]), &number) == nil && number != nil {
			p.Value = json.RawMessage(m[4])
		}
	}
	if p.Value == nil {
		return nil
	}
	return p
}

// scalars reads a list of scalars in brackets, or returns nil.
func scalars(typed string) json.RawMessage {
	inner, opened := strings.CutPrefix(typed, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !opened || !closed {
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(typed), &list) != nil {
		for word := range strings.SplitSeq(inner, ",") {
			list = append(list, json.RawMessage(strings.TrimSpace(word)))
		}
	}
	for i := range list {
		if list[i] = scalar(string(list[i])); list[i] == nil {
			return nil
		}
	}
	if len(list) == 0 {
		return nil
	}
	// Valid values always have a JSON.
	value, _ := json.Marshal(list)
	return value
}

// scalar reads a number, true, false, a quoted text or a word that starts with a letter, or returns nil.
func scalar(typed string) json.RawMessage {
	var value any
	if utf8.ValidString(typed) && json.Unmarshal([]byte(typed), &value) == nil {
		switch value.(type) {
		case float64, bool, string:
			return json.RawMessage(typed)
		}
		return nil
	}
	if !regexp.MustCompile(`^[\pL_](?:[\pL\p{Nd}_.-]*[\pL\p{Nd}_])?$`).MatchString(typed) {
		return nil
	}
	// A word always has a JSON.
	word, _ := json.Marshal(typed)
	return word
}

// Fact is a ledger entry F1, F2, …; entries are only ever added (LE1).
type Fact struct {
	ID  string `json:"id"`
	Tag Tag    `json:"tag"`
	// Seat is the author; it completes the tag of an unverified fact.
	Seat string `json:"seat"`
	// Text is verbatim (LE6).
	Text string `json:"text"`
	// Reference is the source of a verified fact.
	Reference string `json:"reference"`
	// Supersedes is the fact that this one takes out of the live set, or "".
	Supersedes string `json:"supersedes"`
	Round      int    `json:"round"`
	// Seq is the place of the event that recorded it.
	Seq int `json:"-"`
	// Live is false once another fact supersedes this one.
	Live bool `json:"live"`
	// Evaluated is set once an unverified fact was verified, dismissed or
	// listed at synthesis (LE5).
	Evaluated bool `json:"evaluated"`
	// Predicate is the form that code can check, or nil.
	Predicate *Predicate `json:"predicate"`
}

// Label is the tag as shown: "user", "verified: path:3", "consultee-unverified",
// "revision".
func (f *Fact) Label() string {
	switch f.Tag {
	case TagVerified:
		if f.Reference == "" {
			return "verified"
		}
		return "verified: " + f.Reference
	case TagUnverified:
		return f.Seat + "-unverified"
	case TagUser, TagRevision:
		return string(f.Tag)
	}
	return string(f.Tag)
}

// MaySupersede reports whether a fact of tag newer may take one of tag older
// out of the live set (LE3): only a user fact supersedes a user fact, and an
// unverified fact supersedes neither user nor verified ones.
func MaySupersede(newer, older Tag) bool {
	switch older {
	case TagUser:
		return newer == TagUser
	case TagVerified:
		return newer == TagUser || newer == TagVerified
	case TagUnverified, TagRevision:
		return true
	}
	return false
}

// Incompatible reports whether no value of the same path can satisfy both
// predicates (AC5). Values that cannot be compared are not incompatible.
func Incompatible(a, b *Predicate) bool {
	if a == nil || b == nil || a.Path == "" || a.Path != b.Path {
		return false
	}
	for _, pair := range [][2]*Predicate{{a, b}, {b, a}} {
		if values := pair[0].values(); len(values) > 0 {
			return !slices.ContainsFunc(values, func(v any) bool {
				holds, known := pair[1].holds(v)
				return holds || !known
			})
		}
	}
	for _, pair := range [][2]*Predicate{{a, b}, {b, a}} {
		var most, least float64
		upper, lower := pair[0], pair[1]
		if (upper.Op == "<" || upper.Op == "≤") && (lower.Op == ">" || lower.Op == "≥") &&
			json.Unmarshal(upper.Value, &most) == nil && json.Unmarshal(lower.Value, &least) == nil {
			return least > most || least == most && (upper.Op == "<" || lower.Op == ">")
		}
	}
	return false
}

// values lists the values that a predicate with = or in allows.
func (p *Predicate) values() []any {
	var one any
	var list []any
	switch {
	case p.Op == "=" && json.Unmarshal(p.Value, &one) == nil:
		return []any{one}
	case p.Op == "in" && json.Unmarshal(p.Value, &list) == nil:
		return list
	}
	return nil
}

// holds reports whether a value satisfies the predicate, and whether it can be compared.
func (p *Predicate) holds(value any) (holds, known bool) {
	var want any
	if json.Unmarshal(p.Value, &want) != nil {
		return false, false
	}
	switch p.Op {
	case "=":
		return reflect.DeepEqual(value, want), true
	case "≠":
		return !reflect.DeepEqual(value, want), true
	case "in":
		allowed := p.values()
		return slices.ContainsFunc(allowed, func(w any) bool { return reflect.DeepEqual(value, w) }), len(allowed) > 0
	}
	number, isNumber := value.(float64)
	limit, isLimit := want.(float64)
	if !isNumber || !isLimit {
		return false, false
	}
	switch p.Op {
	case "<":
		return number < limit, true
	case "≤":
		return number <= limit, true
	case ">":
		return number > limit, true
	case "≥":
		return number >= limit, true
	}
	return false, false
}

// Test looks in a text for the value of the predicate's last element, as in "retries: 3" or
// `"retries" = 3`, and reports whether it satisfies the predicate. Found is false if the text
// does not give a value, or gives several that disagree.
func (p *Predicate) Test(text string) (holds, found bool) {
	name := p.Path[strings.LastIndexByte(p.Path, '.')+1:]
	assigned, err := regexp.Compile(`(?i)(?:^|[^\pL\p{Nd}_-])` + regexp.QuoteMeta(name) +
		"[\"'`]*[ \t]*(?::=|[:=])[ \t]*" + "(?:\"([^\"]*)\"|'([^']*)'|`([^`]*)`|([\\pL\\p{Nd}_.-]*[\\pL\\p{Nd}_-]))")
	if name == "" || err != nil {
		return false, false
	}
	for _, m := range assigned.FindAllStringSubmatch(text, -1) {
		var value any = m[1] + m[2] + m[3]
		if word := m[4]; word != "" && json.Unmarshal([]byte(word), &value) != nil {
			value = word
		}
		h, known := p.holds(value)
		if !known || p.Op != "in" && !p.sameKind(value) || found && h != holds {
			return false, false
		}
		holds, found = h, true
	}
	return holds, found
}

// sameKind reports whether a value is of the kind of the predicate's: a number, a text, true or false.
func (p *Predicate) sameKind(value any) bool {
	var want any
	return json.Unmarshal(p.Value, &want) == nil && reflect.TypeOf(value) == reflect.TypeOf(want)
}

// InName reports whether a rune belongs to a name or a plain value: retries, max_size, v1.2.
func InName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r)
}

// Normalized prepares a text for comparison (RD2): lower case, no punctuation at the ends of words, single spaces.
func Normalized(text string) string {
	words := strings.Fields(strings.ToLower(text))
	kept := words[:0]
	for _, word := range words {
		if word = strings.TrimFunc(word, unicode.IsPunct); word != "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}
