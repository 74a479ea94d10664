package domain

import (
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"moot/config"
	"moot/enum"
	"moot/state"
)

// keys are those of the file, of a rule and of a condition.
func keys() []string {
	return []string{
		"prefix", "question", "margin", "statements", "opposites", "concepts", "words", "activities", "rule",
		"terms", "company", "ties", "sums",
		"id", "name", "role", "technique", "weight", "cancel", "whole", "reads", "when",
		"fields", "sources", "and", "without", "at_least", "at_most", "is", "kinds", "course",
	}
}

// kindOf says what the value of a key is; the key comes with the tables around it.
func kindOf(key []string) string {
	if len(key) > 1 {
		switch key[0] {
		case "terms", "company":
			return "a list of whole numbers, hundredths for " + strings.Join(enum.Words(state.Readings()), ", ")
		case "ties":
			return "a number, without quotes"
		case "sums":
			return "a list of two numbers, for CONFIRMED and for DISMISSED"
		}
	}
	switch last := key[len(key)-1]; last {
	case "margin", "weight", "at_least", "at_most":
		return "a number, without quotes"
	case "is", "whole", "reads":
		return "true or false, without quotes"
	case "prefix", "question", "id", "name", "role", "technique":
		return "a text in quotes"
	case "terms", "company", "sums", "ties":
		return "a table of weights: put them below [" + last + "]"
	case "concepts", "words", "activities":
		if len(key) == 1 {
			return "a table of names, each with a list of texts: put them below [" + last + "]"
		}
	case "rule":
		return "a list: begin each with [[rule]]"
	case "when":
		return "a list: begin each with [[rule.when]]"
	case "opposites":
		return `a list of pairs, such as [["allow", "deny"]]`
	}
	return `a list of texts, such as ["first", "second"]`
}

func (r *reader) unknownKey(wrong *toml.DecodeError) {
	key := wrong.Key()
	line, _ := wrong.Position()
	if len(key) == 0 {
		return
	}
	last := key[len(key)-1]
	if slices.Contains(keys(), last) {
		r.at(line, "the key %s does not belong here", last)
		return
	}
	r.at(line, "unknown key %s%s", config.Named(last), config.Meant(enum.Nearest(last, keys())))
}
