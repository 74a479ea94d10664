package rules

import (
	"regexp"
	"strings"
	"unicode"

	"moot/ledger"
)

// figure is a number in a text with the word behind it, which may be its unit, and
// both as they are said.
type figure struct{ number, unit, said string }

// figures are the numbers of a text, those in words too, without marks that group
// their digits.
func (l *lexicon) figures(text string) []figure {
	var found []figure
	words := strings.Fields(l.claimed(text))
	for i, word := range words {
		word = strings.ToLower(strings.TrimFunc(word, isMark))
		number, unit := cutNumber(word)
		said := strings.TrimFunc(words[i], isMark)
		if n, isWord := l.numbers[word]; isWord {
			number, unit = n, ""
		}
		if number == "" {
			continue
		}
		if unit == "" && i+1 < len(words) {
			unit = strings.ToLower(strings.TrimFunc(words[i+1], unicode.IsPunct))
			said += " " + strings.TrimFunc(words[i+1], unicode.IsPunct)
		}
		found = append(found, figure{number, singular(unit), said})
	}
	return found
}

// isMark reports whether a rune is a mark of a sentence around a number.
func isMark(r rune) bool { return unicode.IsPunct(r) && r != '%' }

// cutNumber cuts the number that a word begins with from what follows it; "" where
// it begins with none, or is no number at all, as a date or a version.
func cutNumber(word string) (number, unit string) {
	end := 0
	for end < len(word) && (word[end] >= '0' && word[end] <= '9' || end > 0 && (word[end] == '.' || word[end] == ',' || word[end] == '_')) {
		end++
	}
	number, unit = strings.NewReplacer(",", "", "_", "").Replace(word[:end]), word[end:]
	if strings.Count(number, ".") > 1 || strings.ContainsFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) && r != '%' }) {
		return "", ""
	}
	return strings.TrimRight(number, "."), unit
}

// has reports whether one of the figures has the number.
func has(figures []figure, number string) bool {
	for _, f := range figures {
		if f.number == number {
			return true
		}
	}
	return false
}

// otherFigure returns a figure of a statement that says another number for the
// same thing as a claim does, and the claim's: all else that the two say is nearly
// the same.
func (l *lexicon) otherFigure(statement, claim string) (other, own figure, ok bool) {
	said, claimed := l.figures(statement), l.figures(claim)
	if len(said) == 0 || len(claimed) == 0 || !l.states(numberless(l, statement), numberless(l, claim)) {
		return figure{}, figure{}, false
	}
	for _, own := range claimed {
		if has(said, own.number) {
			continue
		}
		for _, other := range said {
			if other.unit == own.unit && !has(claimed, other.number) {
				return other, own, true
			}
		}
	}
	return figure{}, figure{}, false
}

// numberless is a text without its numbers.
func numberless(l *lexicon, text string) string {
	var kept []string
	for word := range strings.FieldsSeq(l.claimed(text)) {
		bare := strings.ToLower(strings.TrimFunc(word, unicode.IsPunct))
		if number, _ := cutNumber(bare); number == "" && l.numbers[bare] == "" {
			kept = append(kept, word)
		}
	}
	return strings.Join(kept, " ")
}

// councilPatterns are what the seats of a council look for in lines.
type councilPatterns struct{ setting, day *regexp.Regexp }

func newCouncilPatterns() councilPatterns {
	return councilPatterns{regexp.MustCompile(settingPattern), regexp.MustCompile(dayPattern)}
}

// dayPattern is a date, or a year.
const dayPattern = `\b(?:19|20)\d\d(?:-\d\d(?:-\d\d)?)?\b`

// settingPattern is a line that gives a name a number.
const settingPattern = `^[\s/#*-]*(?:(?:const|var|let|export)\s+)?["']?([A-Za-z][A-Za-z0-9_.-]{2,60})["']?\s*(?::=|=|:)\s*["']?(\d[\d_,]*(?:\.\d+)?)`

// otherSetting returns the number that a line sets what a claim names to, where
// the claim says another: each word of the name is a word of the claim.
func (t *turn) otherSetting(line, claim string) (other, own figure, ok bool) {
	found := t.patterns.setting.FindStringSubmatch(line)
	if found == nil {
		return figure{}, figure{}, false
	}
	names, said, claimed := t.sequence(found[1]), t.wordsOf(claim), t.figures(claim)
	if len(names) < 2 || len(claimed) != 1 {
		return figure{}, figure{}, false
	}
	for _, name := range names {
		if !said[name] {
			return figure{}, figure{}, false
		}
	}
	number, _ := cutNumber(found[2])
	if number == "" || number == claimed[0].number {
		return figure{}, figure{}, false
	}
	return figure{number: number}, claimed[0], true
}

// saysMethod reports whether a text says how something was measured, or when.
func (t *turn) saysMethod(text string) bool {
	return t.holds(text, t.methods) != "" || t.patterns.day.MatchString(text)
}

// statesMeasured reports whether a statement states the
// number of a claim on the same thing with its method.
func (t *turn) statesMeasured(statement, claim string) bool {
	figures := t.figures(claim)
	const shared = 2
	return len(figures) > 0 && has(t.figures(statement), measured(figures).number) && t.saysMethod(statement) &&
		t.wordsOf(statement).shared(t.wordsOf(numberless(t.lexicon, claim))) >= shared
}

// methodBeside reports whether an item, or the text of its file around it, says how
// something was measured, or when.
func (t *turn) methodBeside(item *ledger.Evidence) bool {
	const before, after = 12, 4
	if item.Run != nil || t.saysMethod(item.Excerpt) {
		return true
	}
	file, span := splitReference(item.Reference)
	if file == "" || !isText(file) {
		return false
	}
	text, ok := t.readOwn(file, maxDocument)
	if !ok {
		return false
	}
	lines := strings.Split(string(text), "\n")
	from := max(span[0]-1-before, 0)
	if from >= len(lines) {
		return false
	}
	return t.saysMethod(strings.Join(lines[from:min(max(span[1], span[0])+after, len(lines))], "\n"))
}
