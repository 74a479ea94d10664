package ledger

import "strings"

// CommandPattern says which commands may run without being asked for: exact
// words, with * for any one word and ... at its end for all that follow.
type CommandPattern struct {
	words []patternWord
	// rest says that any words may follow, none included.
	rest bool
}

// patternWord is one word of a pattern; any says that it stands for every word.
type patternWord struct {
	text string
	any  bool
}

// ParseCommandPattern reads a pattern. Its words are parsed like those of a command; quote a * or ... to take it
// literally. The error is a *CommandError.
func ParseCommandPattern(text string) (CommandPattern, error) {
	var p CommandPattern
	words, why := shellWords(text)
	if why != "" {
		return p, newCommandError(text, why)
	}
	for i, w := range words {
		switch {
		case w.bare && w.text == "...":
			if i != len(words)-1 {
				return CommandPattern{},
					newCommandError(text, "... stands at the end of a pattern, for all words that follow")
			}
			p.rest = true
		case w.bare && w.text == "*":
			p.words = append(p.words, patternWord{any: true})
		case w.wild != "":
			return CommandPattern{}, newCommandError(text,
				"in a pattern * stands for one whole word; quote what is none")
		default:
			p.words = append(p.words, patternWord{text: w.text})
		}
	}
	return p, nil
}

// Matches reports whether the pattern allows the command.
func (p CommandPattern) Matches(c Command) bool {
	if len(c.words) < len(p.words) || len(c.words) > len(p.words) && !p.rest {
		return false
	}
	for i, w := range p.words {
		if !w.any && w.text != c.words[i] {
			return false
		}
	}
	return true
}

// String is the normal form; ParseCommandPattern reads it back.
func (p CommandPattern) String() string {
	var words []string
	for i, w := range p.words {
		switch {
		case w.any:
			words = append(words, "*")
		case w.text == "...":
			words = append(words, "'...'")
		default:
			words = append(words, quoteWord(w.text, i == 0))
		}
	}
	if p.rest {
		words = append(words, "...")
	}
	return strings.Join(words, " ")
}
