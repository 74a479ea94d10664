package hearing

import (
	"slices"
	"strings"
	"unicode"

	"moot/ledger"
	"moot/state"
)

// SourceTypes counts the types of sources of a packet.
func SourceTypes(p *ledger.Packet) int {
	if p == nil {
		return 0
	}
	seen := map[ledger.SourceType]bool{}
	for i := range p.Len() {
		seen[p.At(i).SourceType] = true
	}
	return len(seen)
}

// Conflicts reports whether one entity of a packet has both fields of a listed pair.
// Names are the same whose words are: "login success", login_success and LoginSuccess.
func Conflicts(p *ledger.Packet, pairs []state.Opposites) bool {
	if p == nil || len(pairs) == 0 {
		return false
	}
	opposites := map[string][]string{}
	for _, pair := range pairs {
		if a, b := wordsOf(pair.A), wordsOf(pair.B); a != b {
			opposites[a], opposites[b] = append(opposites[a], b), append(opposites[b], a)
		}
	}
	type has struct{ entity, field string }
	seen := map[has]bool{}
	// Few fields are named in many facts.
	named := map[string]string{}
	for i := range p.Len() {
		f := p.At(i)
		field, known := named[f.Field]
		if !known {
			field = wordsOf(f.Field)
			named[f.Field] = field
		}
		if slices.ContainsFunc(opposites[field], func(other string) bool { return seen[has{f.Entity, other}] }) {
			return true
		}
		if len(opposites[field]) > 0 {
			seen[has{f.Entity, field}] = true
		}
	}
	return false
}

// wordsOf is the name of a field as its words, in small letters with a blank between:
// whatever is no letter and no digit parts them, and a capital behind a small letter.
func wordsOf(field string) string {
	var words strings.Builder
	var before rune
	for _, r := range field {
		apart := !unicode.IsLetter(r) && !unicode.IsDigit(r)
		if (apart || unicode.IsUpper(r) && unicode.IsLower(before)) && before != ' ' && words.Len() > 0 {
			words.WriteByte(' ')
			before = ' '
		}
		if !apart {
			words.WriteRune(unicode.ToLower(r))
			before = r
		}
	}
	return strings.TrimSuffix(words.String(), " ")
}
