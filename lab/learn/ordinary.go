package learn

import (
	"strings"

	"moot/ledger"
)

// ordinary are the words that files use as words: in the name of a field, or in small
// letters between blanks in a text. What only names a machine, an account, a person or a
// company is none, so that no weight names one.
type ordinary map[string]map[int]bool

// leastParts is how many files use a word that is learnt.
const leastParts = 2

// add takes the words of a fact of a part.
func (o ordinary) add(f *ledger.PacketFact, part int) {
	use := func(word string) {
		if o[word] == nil {
			o[word] = map[int]bool{}
		}
		o[word][part] = true
	}
	for _, word := range fieldWords(f.Field) {
		use(word)
	}
	between := func(r rune) bool { return strings.ContainsRune(" \t\n,;()[]{}\"'!?", r) }
	for piece := range strings.FieldsFuncSeq(string(f.Value), between) {
		if word := strings.Trim(piece, ".:"); word != "" && strings.Trim(word, letters+"0123456789") == "" {
			use(word)
		}
	}
}

const letters = "abcdefghijklmnopqrstuvwxyz"

// fieldWords are the words of a name, in small letters, taken apart at capitals.
func fieldWords(name string) []string {
	var apart strings.Builder
	before := rune(0)
	for _, r := range name {
		capital := r >= 'A' && r <= 'Z'
		if capital && before >= 'a' && before <= 'z' {
			apart.WriteByte(' ')
		}
		before = r
		apart.WriteRune(r)
	}
	isMark := func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }
	return strings.FieldsFunc(strings.ToLower(strings.Map(func(r rune) rune {
		if isMark(r) {
			return ' '
		}
		return r
	}, apart.String())), func(r rune) bool { return r == ' ' })
}

// holds reports whether all words of a term are ordinary.
func (o ordinary) holds(term string) bool {
	kind, rest, prefixed := strings.Cut(term, ":")
	switch {
	case !prefixed:
		rest = term
	case kind != "field" && kind != "said" && kind != "entity" && kind != "speaker" && kind != "from":
		return true
	}
	for word := range strings.FieldsSeq(rest) {
		if stem, is := strings.CutSuffix(word, "*"); is {
			if !o.begins(stem) {
				return false
			}
			continue
		}
		// Names of letters and digits are all one term, and numbers name nothing.
		if word != "mix" && strings.ContainsAny(word, letters) && len(o[word]) < leastParts {
			return false
		}
	}
	return true
}

// begins reports whether an ordinary word begins so.
func (o ordinary) begins(stem string) bool {
	for word, parts := range o {
		if len(parts) >= leastParts && strings.HasPrefix(word, stem) {
			return true
		}
	}
	return false
}
