package merge

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"golang.org/x/text/unicode/norm"
)

const (
	// nameWeight is the weight of a whole name from the code. Its parts also count as words, which have the weight 1.
	nameWeight = 1.5
	// gramWeight is the weight of gramLength characters in a row. They make inflected and compound words alike.
	gramWeight = 0.4
	gramLength = 4
	// longest is how many characters of a text count.
	longest = 2000
	// fewest is how many findings the weights of terms assume at least. Two findings alone do not show which terms are
	// rare.
	fewest = 30
	// commonest is the rarity of a term that all findings have.
	commonest = 0.5
)

var (
	// tokens finds text in backquotes, names (with dots and calls) and numbers.
	tokens = regexp.MustCompile("`[^`]+`|[\\p{L}_$@][\\p{L}\\p{M}\\p{N}_$]*(?:(?:\\.|::|->|\\?\\.)[\\p{L}_$][\\p{L}\\p{M}\\p{N}_$]*)*\\(?|\\p{N}+")
	// names finds the names in a token.
	names = regexp.MustCompile(`[\p{L}\p{M}\p{N}_$@]+`)
	// humps finds where a name in camel case has a new word: HTTPServer, readAll.
	humps = regexp.MustCompile(`(\p{Lu})(\p{Lu}\p{Ll})|([\p{Ll}\p{N}])(\p{Lu})`)
	// plainWord is a word that the English stemmer knows how to shorten.
	plainWord = regexp.MustCompile(`^[a-z]+$`)
)

// common are English words that say nothing about a finding.
const common = `a an the of to in on at by for from with without into and or but is are was were be been being it its
this that these those as if then than so such can could may might will would should must not no do does did done has
have had having when where which who whose what while there their they them he she we you also only any all some each
other more most very instead rather because since before after via per use uses used using cause causes causing caused
lead leads leading result results resulting make makes making allow allows code path`

// concepts has words that reviewers use for the same thing, one concept a line.
const concepts = `race concurrent concurrency concurrently parallel simultaneous simultaneously atomic atomically atomicity toctou racy synchronized synchronize lock locking mutex
null nil none undefined nullable npe nullpointerexception nullpointer
leak leaks leaking unclosed unreleased dispose revoke
typo misspelled misspelling spelling misspell
crash crashes panic panics throw throws raise raises exception exceptions error errors fail fails failing failure
wrong incorrect incorrectly wrongly invalid mistaken erroneous improper bug
missing lacks lack absent omitted omits omit
duplicate duplicated duplicates duplication twice redundant redundantly repeated
hardcode hardcoded hardcodes hardcoding literal
check checks checking guard guards validate validates validation validating verify verified
test tests testing spec specs coverage untested
override overrides overridden overwrite overwrites overwriting overwritten shadow shadows
mismatch inconsistent inconsistently inconsistency inconsistencies differ differs diverge
rename renamed naming name named
dead unreachable unused
casing uppercase lowercase
slow performance inefficient latency
remove removed delete deleted deletes deletion
param parameter parameters argument arguments arg args
method function func
misleading confusing confuse unclear
ignore ignores ignored ignoring swallow swallows swallowed silently silent
doc docs documentation comment comments javadoc docstring
async asynchronous asynchronously await awaited promise
log logs logging logged logger
negative minus`

// wordLikenesses compares the texts of all findings: 0 for texts that share nothing, 1 for equal ones.
func wordLikenesses(findings []*Finding) [][]float64 {
	type weighted struct {
		term   int
		weight float64
	}
	v := newVocabulary()
	numbers := map[string]int{}
	var frequency []float64
	texts := make([][]weighted, len(findings))
	for i, f := range findings {
		terms := v.terms(f.Text)
		// In a fixed order, sums are always rounded the same.
		for _, term := range slices.Sorted(maps.Keys(terms)) {
			number, known := numbers[term]
			if !known {
				number = len(frequency)
				numbers[term] = number
				frequency = append(frequency, 0)
			}
			frequency[number]++
			texts[i] = append(texts[i], weighted{number, terms[term]})
		}
	}
	total := float64(max(len(findings), fewest) + 1)
	for _, text := range texts {
		length := 0.0
		for k := range text {
			text[k].weight *= math.Log(total/frequency[text[k].term]) + commonest
			length += text[k].weight * text[k].weight
		}
		for k := range text {
			text[k].weight /= math.Sqrt(length)
		}
	}
	result := square(len(findings))
	dense := make([]float64, len(frequency))
	for i, text := range texts {
		for _, t := range text {
			dense[t.term] = t.weight
		}
		for j, other := range texts[:i] {
			for _, t := range other {
				result[i][j] += t.weight * dense[t.term]
			}
			result[j][i] = result[i][j]
		}
		for _, t := range text {
			dense[t.term] = 0
		}
		result[i][i] = 1
	}
	return result
}

// vocabulary turns words into terms.
type vocabulary struct {
	ignored  map[string]bool
	concepts map[string]string
	// stems are the stems of the words so far.
	stems map[string]string
}

func newVocabulary() *vocabulary {
	v := &vocabulary{ignored: map[string]bool{}, concepts: map[string]string{}, stems: map[string]string{}}
	for _, word := range strings.Fields(common) {
		v.ignored[word] = true
	}
	for line := range strings.Lines(concepts) {
		words := strings.Fields(line)
		for _, word := range words {
			v.concepts[v.stem(word)] = words[0]
		}
	}
	return v
}

func (v *vocabulary) stem(word string) string {
	if !plainWord.MatchString(word) {
		return word
	}
	stem, known := v.stems[word]
	if !known {
		env := snowballstem.NewEnv(word)
		english.Stem(env)
		stem = env.Current()
		v.stems[word] = stem
	}
	return stem
}

// terms returns what a text says, with weights: the concepts and stems of its words, whole names, and characters in a
// row.
func (v *vocabulary) terms(text string) map[string]float64 {
	runes := []rune(norm.NFKC.String(strings.ToValidUTF8(text, " ")))
	spaced, pairs := withoutSpaces(runes[:min(len(runes), longest)])
	counts := map[string]float64{}
	for _, pair := range pairs {
		counts["word "+pair]++
	}
	add := func(word string) {
		if len(word) < 2 || v.ignored[word] {
			return
		}
		word = v.stem(word)
		if concept, found := v.concepts[word]; found {
			word = "concept " + concept
		}
		counts["word "+word]++
	}
	whole := map[string]bool{}
	for _, token := range tokens.FindAllString(spaced, -1) {
		quoted := strings.ContainsAny(token, "`.(:>")
		for _, name := range names.FindAllString(token, -1) {
			parts := strings.FieldsFunc(humps.ReplaceAllString(name, "$1$3 $2$4"), isNoWord)
			if quoted || len(parts) > 1 {
				whole["name "+strings.ToLower(strings.Join(parts, ""))] = true
			}
			for _, part := range parts {
				add(strings.ToLower(part))
			}
		}
	}
	grams := []rune(" " + strings.ToLower(strings.Join(strings.FieldsFunc(spaced, isNoWord), " ")) + " ")
	for i := 0; i+gramLength <= len(grams); i++ {
		counts["gram "+string(grams[i:i+gramLength])]++
	}
	for term, count := range counts {
		// The second mention of a word says less than the first.
		counts[term] = 1 + math.Log(count)
		if strings.HasPrefix(term, "gram ") {
			counts[term] *= gramWeight
		}
	}
	for name := range whole {
		counts[name] = nameWeight
	}
	return counts
}

func isNoWord(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }

// withoutSpaces takes the scripts out of a text that have no spaces between words. There, two characters in a row take
// the place of a word.
func withoutSpaces(text []rune) (rest string, pairs []string) {
	dense := func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}
	kept := make([]rune, len(text))
	for i, r := range text {
		kept[i] = r
		if !dense(r) {
			continue
		}
		kept[i] = ' '
		switch {
		case i+1 < len(text) && dense(text[i+1]):
			pairs = append(pairs, string(text[i:i+2]))
		case i == 0 || !dense(text[i-1]):
			pairs = append(pairs, string(r))
		}
	}
	return string(kept), pairs
}
