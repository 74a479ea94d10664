package playbook

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// shortest is the length of a word, in bytes, from which on looking for it first
// saves more than it costs.
const shortest = 2

// wordsOf returns lower-case words one of which stands in every text that the
// expression matches, once that is lower-case too; none where there are no such
// words. Looking for words is many times quicker than matching.
func wordsOf(expression *regexp.Regexp) []string {
	parsed, err := syntax.Parse(expression.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	words := needed(parsed)
	slices.Sort(words)
	return slices.Compact(words)
}

// needed is wordsOf for a part of an expression.
func needed(part *syntax.Regexp) []string {
	switch part.Op {
	case syntax.OpLiteral:
		if word := strings.ToLower(string(part.Rune)); len(word) >= shortest {
			return []string{word}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(part.Sub[0])
	case syntax.OpRepeat:
		if part.Min > 0 {
			return needed(part.Sub[0])
		}
	case syntax.OpConcat:
		// Any of them will do: the one whose shortest word is the longest.
		var best []string
		for _, sub := range part.Sub {
			if words := needed(sub); least(words) > least(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range part.Sub {
			words := needed(sub)
			if words == nil {
				return nil
			}
			all = append(all, words...)
		}
		return all
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpCharClass, syntax.OpAnyCharNotNL, syntax.OpAnyChar,
		syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary,
		syntax.OpNoWordBoundary, syntax.OpStar, syntax.OpQuest:
	}
	return nil
}

// least is the length of the shortest word.
func least(words []string) int {
	shortest := 0
	for i, word := range words {
		if i == 0 || len(word) < shortest {
			shortest = len(word)
		}
	}
	return shortest
}
