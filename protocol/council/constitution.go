package council

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"moot/resolver"
)

// wording returns the words of a text in lower case with a blank around each, so that a phrase of
// whole words is found as a substring, and a prefix of a word without the blank after it.
// Punctuation is removed, except for " . " at the end of a sentence or clause. Apostrophes and
// invisible characters do not split words.
func wording(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		// The same letter can be written in several ways, and some letters only look the same.
		text = norm.NFKC.String(text)
	}
	var out strings.Builder
	out.Grow(len(text) + 8)
	out.WriteByte(' ')
	inWord, ended := false, true
	for i, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out.WriteRune(r)
			inWord, ended = true, false
			continue
		case r == '\'' || r == '’' || r >= 0x80 && unicode.Is(unicode.Cf, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r):
			out.WriteRune(unicode.ToLower(r))
			inWord, ended = true, false
			continue
		case inWord:
			out.WriteByte(' ')
			inWord = false
		}
		if !inWord && !ended && endsClause(text[i:]) {
			out.WriteString(". ")
			ended = true
		}
	}
	if inWord {
		out.WriteByte(' ')
	}
	return out.String()
}

// endsClause reports whether a text begins with a mark that ends a sentence or a clause. The dot in
// a number or a file name does not.
func endsClause(text string) bool {
	switch text[0] {
	case '\n', ';', '?', '!':
		return true
	case '.', ':':
		return len(text) == 1 || text[1] == ' ' || text[1] == '\n'
	}
	return false
}

// wording returns the wording of the claim.
func (b *councilClaim) wording() string {
	if b.words == "" {
		b.words = wording(b.Point.Text)
	}
	return b.words
}

// denied returns the phrase of a deny list that a text contains, or "". A phrase is a series of
// whole words, in any case and with any marks between them; a word that ends in * matches all words
// with that prefix. Only words are compared, not their meaning.
func denied(words string, phrases []string) string {
	bare := func(text string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(text, " . ", " ")), " ")
	}
	words = " " + bare(words) + " "
	for _, phrase := range phrases {
		pattern := ""
		for word := range strings.FieldsSeq(norm.NFKC.String(phrase)) {
			stem, starred := strings.CutSuffix(word, "*")
			if stem = bare(wording(stem)); stem == "" {
				continue
			}
			pattern += " " + regexp.QuoteMeta(stem)
			if starred {
				pattern += "[^ ]*"
			}
		}
		if found, err := regexp.MatchString(pattern+" ", words); pattern != "" && err == nil && found {
			return phrase
		}
	}
	return ""
}

// SaysNothing reports whether a text that should contain something says that there is nothing:
// "none", "n/a", "-".
func SaysNothing(text string) bool {
	switch strings.Trim(wording(text), " .") {
	case "", "none", "none known", "n a", "na", "nil", "null", "nothing", "no", "no limit", "no limits",
		"no limitation", "no limitations",
		"no known limits", "no known limitations", "not applicable", "unlimited", "unknown", "not known", "tbd", "todo":
		return true
	}
	return false
}

// contains reports whether a wording contains one of the phrases, which are separated by bars. A
// phrase begins at the beginning of a word, and ends at the end of one unless it ends in a star.
func contains(words, phrases string) bool {
	for phrase := range strings.SplitSeq(phrases, "|") {
		whole := " " + phrase + " "
		if stem, open := strings.CutSuffix(phrase, "*"); open {
			whole = " " + stem
		}
		if strings.Contains(words, whole) {
			return true
		}
	}
	return false
}

// statesLimit reports whether a text says where it does not hold, or the only condition under which
// it does.
func statesLimit(words string) bool {
	if contains(words, "try except|except clause|except block|except branch") {
		return false
	}
	return contains(words, "except|unless|excluding|other than|apart from|aside from|exception of|"+
		"only if|only when|only where|only while|only for|only under|only as long|only on|only in|only within|"+
		"only tested|only measured|only checked|only covers|covers only|only applies|"+
		"as long as|so long as|provided that|assuming|insofar as|so far as|as far as|to the extent|"+
		"not cover|doesnt cover|dont cover|not covered|not apply|doesnt apply|dont apply|not include|but not for|"+
		"nothing about|no claim about|left open|leaves open|not measured|limited to|restricted to|confined to|"+
		"not necessarily|not always|in this workspace|in this repository|in this codebase|on this machine|"+
		"on this hardware|under this load|in this test|in these tests|in our tests|in our measurements|as of")
}

// StatesRange reports whether a text gives a range: "10-20 ms", "10 to 20 ms", "between 3 and 5",
// "± 2", or a bound such as "at most 20 ms". Years, versions, line numbers and changes from one
// number to another are not ranges.
func StatesRange(text string) bool {
	text = strings.NewReplacer("–", "-", "—", "-", "−", "-", "+/-", "±").Replace(strings.ToLower(text))
	tokens := strings.Fields(text)
	at := func(i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		return strings.TrimLeft(strings.TrimRight(tokens[i], ".,;:!?)]}\"'`*_"), "([{\"'`*_")
	}
	changed := contains(wording(text),
		"rais*|rose|fell|grew|dropp*|cut|reduc*|increas*|decreas*|went|lower*|chang*|improv*|upgrad*")
	for i := range tokens {
		before, here := at(i-1), at(i)
		_, deviation, deviates := strings.Cut(here, "±")
		switch from, to, dashed := strings.Cut(here, "-"); {
		case deviates && (isNumber(deviation) || isNumber(at(i+1))):
			return true
		case slices.Contains([]string{"line", "lines", "version", "go"}, before), before == "from" && changed:
		case dashed && !isNumber(here) && ascends(from, to), at(i+1) == "-" && ascends(here, at(i+2)):
			return true
		case (at(i+1) == "to" || at(i+1) == "or") && ascends(here, at(i+2)):
			return true
		case resolver.IsUnit(at(i+1)) && at(i+2) == "to" && ascends(here+at(i+1), at(i+3)):
			return true
		case before == "between" && (at(i+1) == "and" && ascends(here, at(i+2)) ||
			at(i+2) == "and" && ascends(here, at(i+3))):
			return true
		case isNumber(strings.TrimLeft(here, "<>=≤≥")) &&
			(strings.ContainsAny(here[:1], "<>≤") || strings.HasPrefix(here, "≥")),
			isNumber(here) && contains(" "+at(i-2)+" "+before+" ",
				"at most|at least|up to|less than|more than|fewer than|within|under|"+
					"below|above|longer than|faster than|slower than|<|>|≤|≥"):
			return true
		}
	}
	return false
}

// isNumber reports whether a word is a number, perhaps with a unit or a currency.
func isNumber(word string) bool { _, ok := numberOf(word); return ok }

func numberOf(word string) (float64, bool) {
	word = strings.TrimLeft(word, "$€£~≈")
	digits := strings.TrimRightFunc(word, func(r rune) bool { return unicode.IsLetter(r) || r == '%' || r == '°' })
	value, err := strconv.ParseFloat(strings.ReplaceAll(digits, ",", ""), 64)
	return value, err == nil && !slices.Contains([]string{"st", "nd", "rd", "th"}, word[len(digits):])
}

// ascends reports whether two words are the ends of a range.
func ascends(from, to string) bool {
	const firstYear, lastYear = 1900, 2100
	low, isLow := numberOf(from)
	high, isHigh := numberOf(to)
	years := low >= firstYear && high <= lastYear && len(from) == 4 && len(to) == 4
	return isLow && isHigh && !years && (low < high || strings.ContainsFunc(from, unicode.IsLetter))
}

// NamesMethod reports whether a challenge is about how the claim is known: a method, a sample, an
// assumption, a confounder, or evidence that does not support it.
func NamesMethod(text string) bool {
	return contains(wording(text),
		"method*|measur*|benchmark*|experiment*|test|tests|tested|testing|untested|baseline*|metric|metrics|"+
			"control group*|control* for|calculat*|computed|estimated from|how it was|how was|reproduc*|replicat*|margin "+
			"of error|"+
			"statistic*|averag*|median|warm run*|cold run*|"+
			"sample*|sampling|subset*|population*|representative*|generali*|extrapolat*|one run|single run*|single "+
			"case*|one case|"+
			"data set*|dataset*|the data is|the data are|the data cover*|data point*|no data|data "+
			"from|cherry*|survivorship|anecdot*|"+
			"assum*|presuppos*|premise*|taken for granted|takes for granted|rests on|relies on|holds only if|only "+
			"if|precondition*|"+
			"confound*|correlat*|causation|causal*|other cause*|another cause*|other explanation*|another explanation*|"+
			"alternative explanation*|explained by|could also|may also be|might also be|coincidence*|side effect*|bias*|"+
			"selection effect*|regression to|"+
			"evidence|citation*|cited|the quote|quoted|does not show|doesnt show|shows only|only shows|does not follow|"+
			"does not prove|proves only|does not establish|single source*|one source|primary source*|the source")
}

// recommends reports whether a claim recommends that something is done. A claim about how things
// are, such as "callers must hold the lock", does not.
func recommends(words string) bool {
	if contains(words, "we recommend|i recommend|is recommended|recommend that we|we propose|i propose|we suggest|i "+
		"suggest|we advise|"+
		"let us|it would be best to|it is best to|should be done|action is needed|we should|we must|we ought to|we "+
		"need to|"+
		"we have to|you should|you must|you need to|team should|team must|team needs to|teams should|teams must|"+
		"company should|project should|maintainers should") {
		return true
	}
	verbs := "adopt|migrate|replace|switch|move|use|introduce|add|remove|drop|keep|deploy|ship|split|merge|rewrite|refactor|stop|" +
		"buy|hire|raise|lower|cut|enable|disable|upgrade|downgrade|write|encrypt|rotate|roll " +
		"out|avoid|prefer|choose|extend|" +
		"reduce|increase|automate|separate|delete|go to|limit|test|monitor"
	for verb := range strings.SplitSeq(verbs, "|") {
		if contains(
			words,
			"should "+verb+"|must "+verb+"|ought to "+verb+"|needs to "+verb+"|need to "+verb+"|should not "+
				verb+"|"+
				"should be "+verb+"d|should be "+verb+"ed|has to be "+verb+"|must be "+verb+"d",
		) {
			return true
		}
		for sentence := range strings.SplitSeq(words, " . ") {
			rest, commands := strings.CutPrefix(strings.TrimLeft(sentence, " ")+" ", verb+" ")
			// A name as the subject, as in "Add returns the sum", is not a command.
			object, _, _ := strings.Cut(rest, " ")
			verbOnly := contains(" "+verb+" ",
				"adopt|migrate|replace|introduce|rotate|deploy|rewrite|refactor|enable|disable|encrypt|automate")
			if commands && (verbOnly || contains(" "+object+" ", "the|a|an|all|each|every|this|that|our|its|it")) {
				return true
			}
		}
	}
	return false
}

// explainsHow reports whether a proposal says how it is carried out: by what means, in which steps,
// or behind what.
func explainsHow(words string) bool {
	return contains(words, "via|using|by means of|by hand|by a|by an|by way of|with the help of|through a|through "+
		"an|through the|"+
		"step|steps|in stages|in phases|in batches|in two|in three|stage by stage|phase|gradually|incrementally|one "+
		"at a time|"+
		"at a time|behind a|behind the|feature flag*|toggle*|canary|dual write*|double write*|roll out|rolled "+
		"out|rollout|"+
		"schedule|scheduled|script|scripts|command|commands|pipeline*|starting with|begin with|followed by|and "+
		"then|after that|"+
		"once that|runbook|playbook|pull request*|by adding|by writing|by moving|by replacing|by running|by copying|"+
		"after taking|before removing|with a script") || contains(words, "first") && contains(words, "then|second|next")
}
