// Package ledger holds the facts of a session with their provenance, evidence on its three scales, packets of facts,
// and the hash chain that joins the lines of a session file. It is pure. Start at Fact, Evidence and Packet.
package ledger

import (
	"encoding/json"
	"math"
	"reflect"
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
	text = strings.TrimSpace(text)
	rest := strings.TrimLeftFunc(text, inWord)
	path := strings.TrimSuffix(text, rest)
	if !strings.ContainsFunc(path, unicode.IsLetter) || !endsWord(path) {
		return nil
	}
	rest = strings.TrimSpace(rest)
	spelled := strings.NewReplacer("!=", "≠", "<=", "≤", ">=", "≥")
	for _, op := range []string{"!=", "<=", ">=", "=", "≠", "<", "≤", ">", "≥", "in"} {
		typed, found := strings.CutPrefix(rest, op)
		if !found {
			continue
		}
		p := &Predicate{Path: path, Op: spelled.Replace(op)}
		if p.Value = operand(p.Op, strings.TrimSpace(typed)); p.Value == nil {
			return nil
		}
		return p
	}
	return nil
}

// inWord reports whether a rune may be in a path or a word.
func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.-", r)
}

// endsWord reports whether the end of a path or a word isn't punctuation, as in "a->b" or "retries = few.".
func endsWord(word string) bool {
	return !strings.HasSuffix(word, ".") && !strings.HasSuffix(word, "-")
}

// operand reads the value of a typed predicate, or returns nil.
func operand(op, typed string) json.RawMessage {
	switch op {
	case "=", "≠":
		return scalar(typed)
	case "in":
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
	var number float64
	if json.Unmarshal([]byte(typed), &number) != nil || typed == "null" {
		return nil
	}
	return json.RawMessage(typed)
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
	first, _ := utf8.DecodeRuneInString(typed)
	if !unicode.IsLetter(first) && first != '_' || strings.TrimLeftFunc(typed, inWord) != "" || !endsWord(typed) {
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
	if discrete, other, ok := discreteFirst(a, b); ok {
		return !slices.ContainsFunc(values(discrete), func(v any) bool { return holds(other, v) })
	}
	return disjoint(a, b)
}

// discreteFirst puts a predicate with finitely many values first.
func discreteFirst(a, b *Predicate) (_, _ *Predicate, ok bool) {
	switch {
	case a.Op == "=" || a.Op == "in":
		return a, b, len(values(a)) > 0
	case b.Op == "=" || b.Op == "in":
		return b, a, len(values(b)) > 0
	}
	return a, b, false
}

// values lists the values that a predicate with = or in allows.
func values(p *Predicate) []any {
	var v any
	if json.Unmarshal(p.Value, &v) != nil {
		return nil
	}
	if p.Op != "in" {
		return []any{v}
	}
	list, _ := v.([]any)
	return list
}

// holds reports whether the value satisfies the predicate. It is true for values that cannot be ordered.
func holds(p *Predicate, v any) bool {
	var want any
	if json.Unmarshal(p.Value, &want) != nil {
		return true
	}
	number, isNumber := v.(float64)
	limit, isLimit := want.(float64)
	ordered := isNumber && isLimit
	switch p.Op {
	case "=":
		return reflect.DeepEqual(v, want)
	case "≠":
		return !reflect.DeepEqual(v, want)
	case "in":
		allowed := values(p)
		return len(allowed) == 0 || slices.ContainsFunc(allowed, func(w any) bool { return reflect.DeepEqual(v, w) })
	case "<":
		return !ordered || number < limit
	case "≤":
		return !ordered || number <= limit
	case ">":
		return !ordered || number > limit
	case "≥":
		return !ordered || number >= limit
	}
	return true
}

// disjoint reports whether two ranges of numbers share no value.
func disjoint(a, b *Predicate) bool {
	lowA, highA, openA, okA := interval(a)
	lowB, highB, openB, okB := interval(b)
	if !okA || !okB {
		return false
	}
	low, high := math.Max(lowA, lowB), math.Min(highA, highB)
	return low > high || (low == high && (openA || openB))
}

// interval returns the range of a comparison, and whether its end is open.
func interval(p *Predicate) (low, high float64, open, ok bool) {
	var v float64
	if json.Unmarshal(p.Value, &v) != nil {
		return 0, 0, false, false
	}
	switch p.Op {
	case "<", "≤":
		return math.Inf(-1), v, p.Op == "<", true
	case ">", "≥":
		return v, math.Inf(1), p.Op == ">", true
	}
	return 0, 0, false, false
}

// Normalised prepares a text for comparison (RD2): lower case, no punctuation at the ends of words, single spaces.
func Normalised(text string) string {
	words := strings.Fields(strings.ToLower(text))
	kept := words[:0]
	for _, word := range words {
		if word = strings.TrimFunc(word, unicode.IsPunct); word != "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}
