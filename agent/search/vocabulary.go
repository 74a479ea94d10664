package search

import (
	_ "embed" // the word lists
	"slices"
	"strings"
)

//go:embed vocabulary/stop.txt
var stopText string

//go:embed vocabulary/weak.txt
var weakText string

//go:embed vocabulary/synonyms.txt
var synonymText string

//go:embed vocabulary/inflections.txt
var inflectionText string

//go:embed vocabulary/cues.txt
var cueText string

//go:embed vocabulary/skip.txt
var skipText string

// A vocabulary is what the package knows of English and of repositories, read
// from the files in vocabulary/.
type vocabulary struct {
	stop        map[string]bool     // words that ask nothing
	weak        map[string]bool     // words that need not be found
	synonyms    map[string][]string // stem of a word: the other words of its groups
	inflections map[string][]string // stem of a word: its irregular forms
	cues        []cue               // in the file's order
	skip        map[string]bool     // base names that are skipped; folders end in a slash
}

// A cue is a way of asking, and the words that answers to it are likely to hold.
type cue struct {
	asked string
	words []string
}

func readVocabulary() *vocabulary {
	v := &vocabulary{
		stop:        wordSet(stopText),
		weak:        wordSet(weakText),
		synonyms:    wordGroups(synonymText),
		inflections: wordGroups(inflectionText),
		skip:        wordSet(skipText),
	}
	for _, fields := range dataLines(cueText) {
		asked, words, _ := strings.Cut(strings.Join(fields, " "), " | ")
		v.cues = append(v.cues, cue{asked, strings.Fields(words)})
	}
	return v
}

// wordGroups maps the stem of each word to the other words of its lines.
func wordGroups(text string) map[string][]string {
	groups := map[string][]string{}
	for _, group := range dataLines(text) {
		for i, word := range group {
			key := stemOf(word)
			groups[key] = append(groups[key], slices.Delete(slices.Clone(group), i, i+1)...)
		}
	}
	return groups
}

// dataLines returns the fields of every line that is not empty or a comment.
func dataLines(text string) [][]string {
	var lines [][]string
	for line := range strings.Lines(text) {
		if fields := strings.Fields(line); len(fields) > 0 && !strings.HasPrefix(line, "#") {
			lines = append(lines, fields)
		}
	}
	return lines
}

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, line := range dataLines(text) {
		for _, word := range line {
			set[word] = true
		}
	}
	return set
}

func stemOf(word string) string { return string(stem([]byte(word))) }
func rootOf(word string) string { return string(root(stem([]byte(word)))) }
