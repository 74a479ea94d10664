package conflict

import (
	"slices"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// Negates reports whether a word turns a statement into its opposite. Contractions are compared with their
// apostrophe removed.
func Negates(word string) bool {
	switch word {
	case "not", "no", "never", "none", "nothing", "without", "cannot", "neither", "nor",
		"isnt", "arent", "doesnt", "dont", "didnt", "wont", "wouldnt", "shouldnt", "cant", "couldnt",
		"wasnt", "werent", "hasnt", "havent", "hadnt", "mustnt", "neednt":
		return true
	}
	return false
}

// Singular drops the s of a plural or of a verb's third person, so that "holds" and "does not hold" share a word.
func Singular(word string) string {
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return word[:len(word)-1]
	}
	return word
}

// BareWord returns a lower-case word without the punctuation around it and without apostrophes.
func BareWord(word string) string {
	word = strings.TrimFunc(word, unicode.IsPunct)
	return strings.ReplaceAll(strings.ReplaceAll(word, "'", ""), "’", "")
}

// negated reports whether two values differ in nothing but a negation: in one text of one of them, or in several
// texts of the same place.
func negated(a, b jsontext.Value) bool {
	one, other := texts(a), texts(b)
	if len(one) != len(other) || slices.Equal(one, other) {
		return false
	}
	differs := false
	for i := range one {
		if one[i] == other[i] {
			continue
		}
		isText := strings.HasPrefix(one[i], `"`) && strings.HasPrefix(other[i], `"`)
		if !isText || !negatedText(one[i][1:], other[i][1:]) {
			return false
		}
		differs = true
	}
	return differs
}

// texts returns the tokens of a value in the order of its canonical form, where equal values have equal tokens. A
// text begins with a quotation mark and is decoded.
func texts(value jsontext.Value) []string {
	value = value.Clone()
	if value.Canonicalize() != nil {
		return nil
	}
	var tokens []string
	decoder := jsontext.NewDecoder(strings.NewReader(string(value)))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return tokens
		}
		text := token.String()
		if token.Kind() == jsontext.KindString {
			text = `"` + text
		}
		tokens = append(tokens, text)
	}
}

// negatedText reports whether two texts have the same words in the same order, apart from negations, and one of the
// two has none.
func negatedText(a, b string) bool {
	one, mine := withoutNegations(a)
	other, theirs := withoutNegations(b)
	return (mine == 0) != (theirs == 0) && slices.Equal(one, other)
}

// withoutNegations returns the words of a text without its negations, and how many those are. Words of other languages
// are data; Chinese and Japanese negate within a run of characters.
func withoutNegations(text string) (words []string, negations int) {
	const (
		foreign = " nicht kein keine keinen keinem keiner nie niemals ne pas jamais aucun aucune nunca jamás ningún " +
			"ninguna " +
			"non não nenhum nenhuma niet geen nooit inte ingen aldrig ikke не нет никогда nie değil "
		signs = "不没沒未无無非"
	)
	// The negation of "n'est" is a part of its word.
	text = strings.NewReplacer(" n'", " ne ", " n’", " ne ").Replace(" " + strings.ToLower(text))
	for word := range strings.FieldsSeq(text) {
		word = BareWord(word)
		switch bare := strings.Map(func(r rune) rune {
			if strings.ContainsRune(signs, r) {
				return -1
			}
			return r
		}, word); {
		case bare != word:
			negations++
			word = bare
		case !Negates(word) && !strings.Contains(foreign, " "+word+" "):
		default:
			negations++
			// "isn't" holds its verb, "cannot" and "won't" another form of it.
			forms := map[string]string{"cannot": "can", "cant": "can", "wont": "will"}
			verb, contracted := strings.CutSuffix(word, "nt")
			if form := forms[word]; form != "" {
				verb, contracted = form, true
			}
			if word = ""; contracted {
				word = verb
			}
		}
		switch word {
		case "", "do", "does", "did":
			// The auxiliary verb of a negation has no meaning of its own: "does not hold" and "holds".
		default:
			words = append(words, Singular(word))
		}
	}
	return words, negations
}
