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

//go:embed vocabulary/skip.txt
var skipText string

// A vocabulary is what the package knows of English and of repositories, read
// from the files in vocabulary/.
type vocabulary struct {
	stop     map[string]bool     // words that ask nothing
	weak     map[string]bool     // words that need not be found
	synonyms map[string][]string // stem of a word: the other words of its groups
	skip     map[string]bool     // base names that are skipped; folders end in a slash
}

func readVocabulary() *vocabulary {
	v := &vocabulary{
		stop:     wordSet(stopText),
		weak:     wordSet(weakText),
		synonyms: map[string][]string{},
		skip:     wordSet(skipText),
	}
	for _, group := range dataLines(synonymText) {
		for i, word := range group {
			key := stemOf(word)
			others := slices.Delete(slices.Clone(group), i, i+1)
			v.synonyms[key] = append(v.synonyms[key], others...)
		}
	}
	return v
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
