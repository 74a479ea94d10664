package resolver

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"moot/state"
)

// KindOf returns the kind by which a point is ruled (KI). No kind is a way around the evidence gate: a point is
// empirical unless the user or the framing, its authors, the judging seats and its text all allow another kind.
func KindOf(s *state.State, p *state.Point) state.Kind {
	return KindBy(p, func() bool { return FormatOf(s).CalledValue(s, p) })
}

// KindBy is KindOf, where seconded reports whether a seat calls a related point a value judgment. In a panel a seat
// that holds the other side of a conflict, or says the same in other words, counts as one that judged.
func KindBy(p *state.Point, seconded func() bool) state.Kind {
	if p.UserKind != "" {
		return p.UserKind
	}
	kind, parts := proposedKind(p)
	switch {
	case kind == state.Empirical:
		return kind
	case slices.ContainsFunc(p.Calls, func(c state.KindCall) bool {
		return c.Kind == state.Empirical &&
			c.Check != ""
	}):
		return state.Empirical
	}
	// Whether every seat that judged the point calls it so.
	judged, all := 0, true
	for i := range p.Classes {
		c := &p.Classes[i]
		if latest := p.Latest(c.Seat); latest == c && !c.ByRules && !p.IsAuthor(c.Seat) {
			judged++
			all = all && p.Called(c.Seat) == kind
		}
	}
	seats := map[state.Seat]bool{}
	for _, part := range parts {
		seats[part.By] = true
	}
	for _, part := range parts {
		switch {
		case kind == state.Value:
			if Measurable(part.Text) {
				return state.Empirical
			}
		case !part.Framed && (kind == state.Position || !WordedAsDecision(part.Text)):
			return state.Empirical
		case kind == state.Position && p.Holder != "":
			// That NAME holds it is given, whatever it says.
		case (Describes(part.Text) || !part.Framed && explains(part.Text)) && !(judged > 0 && all):
			return state.Empirical
		}
	}
	if kind == state.Value && !(all && judged+len(seats) > 1) && !seconded() {
		return state.Empirical
	}
	return kind
}

// proposedKind returns the kind that all authors of a point who hold it propose, or empirical if they differ, with
// their proposals.
func proposedKind(p *state.Point) (state.Kind, []state.KindProposal) {
	held := slices.DeleteFunc(p.Proposals(), func(part state.KindProposal) bool {
		return !p.Holds(part.By)
	})
	if len(held) == 0 {
		held = p.Proposals()
	}
	kind := held[0].Kind
	if kind == "" || slices.ContainsFunc(held, func(part state.KindProposal) bool { return part.Kind != kind }) {
		kind = state.Empirical
	}
	return kind, held
}

// KindName returns the words for a kind.
func KindName(kind state.Kind) string {
	switch kind {
	case state.Value:
		return "value judgment"
	case state.Empirical:
		return "empirical point"
	case state.Decision, state.Position:
	}
	return string(kind)
}

func aKind(kind state.Kind) string {
	if kind == state.Empirical {
		return string(kind)
	}
	return "a " + KindName(kind)
}

// ProposedKind returns the kind that the authors of a point propose, before text and judges are looked at.
func ProposedKind(p *state.Point) state.Kind {
	kind, _ := proposedKind(p)
	return kind
}

// KeepsKind reports whether a new text of a point that is proposed as a kind stays of the same kind (KI).
func KeepsKind(p *state.Point, text string, proposed state.Kind) bool {
	possible := func(text string, kind state.Kind) state.Kind {
		switch {
		case kind == "", kind == state.Value && Measurable(text),
			kind == state.Decision && !p.Framed && !WordedAsDecision(text):
			return state.Empirical
		}
		return kind
	}
	return possible(p.Text, ProposedKind(p)) == possible(text, proposed)
}

//go:embed kinds.toml
var kindWords string

// language holds the words of one language that show the kind of a text. docs/consult.md describes them.
type language struct {
	Clause     []string `toml:"clause"`
	Normative  []string `toml:"normative"`
	Inverted   []string `toml:"inverted"`
	Imperative []string `toml:"imperative"`
	Noun       []string `toml:"noun_if_followed_by"`
	Statement  []string `toml:"statement"`
	Reporting  []string `toml:"reporting"`
	Common     []string `toml:"common"`
	Check      []string `toml:"check"`
}

// words are the lists of all languages; they never change.
var words = readWords() //nolint:gochecknoglobals // a table

func readWords() map[string]language {
	lists := map[string]language{}
	if err := toml.Unmarshal([]byte(kindWords), &lists); err != nil {
		// Unreachable: the file is part of the program, and a test reads it. Without words all is empirical.
		return nil
	}
	return lists
}

// plainWords returns the words of a text in lower case, without marks. Quotes and back-quotes hide nothing.
func plainWords(text string) []string {
	text = strings.NewReplacer("\u2019", "'", "`", " ", "*", "", "_", " ").Replace(strings.ToLower(text))
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '\''
	})
}

// WordedAsDecision reports whether a text says what shall be done, by its words: should, shall, let us, or an
// imperative first word that no statement begins with. Must and will also describe, so they are not enough.
func WordedAsDecision(text string) bool {
	said := plainWords(text)
	for _, lang := range words {
		for i, word := range said {
			// "Should the disk fail, nothing is lost" and "Should we use streams?" decide nothing.
			inverted := i == 0 && slices.Contains(lang.Inverted, word)
			if slices.Contains(lang.Normative, word) && !inverted ||
				i+1 < len(said) && slices.Contains(lang.Normative, word+" "+said[i+1]) {
				return true
			}
		}
		if len(said) > 1 && slices.Contains(lang.Imperative, said[0]) && !slices.Contains(lang.Noun, said[1]) {
			return true
		}
	}
	return false
}

// Describes reports whether a text says how something is, or may do so in a language that the lists do not know.
func Describes(text string) bool {
	said := plainWords(text)
	known := WordedAsDecision(text)
	for i, word := range said {
		if strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) {
			return true
		}
		for _, lang := range words {
			opens := i == 0 || said[i-1] == "us" || said[i-1] == "be" || slices.Contains(lang.Normative, said[i-1])
			if slices.Contains(lang.Statement, word) || slices.Contains(lang.Reporting, word) &&
				(opens || i+1 < len(said) && said[i+1] == "that") {
				return true
			}
			known = known || slices.Contains(lang.Common, word)
		}
	}
	// A few words without a verb ("One writer", "Retention: 7 days") name something.
	const phrase = 4
	return !known && len(said) > phrase || strings.ContainsFunc(text,
		func(r rune) bool { return unicode.Is(unicode.Cf, r) })
}

// explains reports whether a decision has a further clause that is not worded as a decision: its reason, or
// another statement.
func explains(text string) bool {
	text = strings.NewReplacer(". ", "\n", "; ", "\n", ": ", "\n", "! ", "\n", "? ", "\n", " - ", "\n", "\u2013", "\n",
		"\u2014", "\n", "(", "\n", ")", " ").Replace(text)
	for clause := range strings.Lines(text) {
		said := plainWords(clause)
		first := 0
		for i, word := range said {
			for _, lang := range words {
				if slices.Contains(lang.Clause, word) && i > first {
					if !WordedAsDecision(strings.Join(said[first:i], " ")) {
						return true
					}
					first = i + 1
				}
			}
		}
		if first < len(said) && !WordedAsDecision(strings.Join(said[first:], " ")) {
			return true
		}
	}
	return false
}

// NamesCheck reports whether a text says what would check a point: a file, a command, a measurement.
func NamesCheck(text string) bool {
	if Measurable(text) {
		return true
	}
	return slices.ContainsFunc(plainWords(text), func(word string) bool {
		for _, lang := range words {
			if slices.Contains(lang.Check, word) {
				return true
			}
		}
		return false
	})
}

// Measurable reports whether a text contains something that can be looked up or measured: a number
// with a unit, a path, or an identifier.
func Measurable(text string) bool {
	text = strings.ReplaceAll(text, "and/or", "or")
	// A file has a name or an extension of at least two letters: "main.c" is one, "e.g" is not.
	names := regexp.MustCompile("`|_|::|[a-z][A-Z]|\\w\\(\\)|\\S/|/\\S|" +
		`\w[A-Za-z]\.[A-Za-z]\w{0,3}\b|[A-Za-z]\.[A-Za-z]\w{1,3}\b`)
	if names.MatchString(text) {
		return true
	}
	const marks = `.,;:!?"'()[]{}`
	words := strings.Fields(text)
	for i, word := range words {
		word = strings.Trim(word, marks)
		unit := strings.TrimLeft(word, "0123456789.,")
		followed := i+1 < len(words) && IsUnit(strings.Trim(words[i+1], marks))
		if isNumber := unit != word; isNumber && (unit != "" || followed) {
			return true
		}
	}
	return false
}

// IsUnit reports whether a word is a unit of measurement.
func IsUnit(word string) bool {
	switch strings.ToLower(word) {
	case "%", "percent", "ms", "s", "seconds", "second", "minutes", "minute", "hours", "hour", "days", "day",
		"weeks", "months", "years", "b", "bytes", "kb", "kib", "mb", "mib", "gb", "gib", "tb", "qps", "rps",
		"requests", "users", "rows", "lines", "files", "eur", "usd", "dollars", "hz", "mhz", "ghz", "cores",
		"times", "retries", "calls", "queries", "connections", "nodes", "servers", "engineers", "people":
		return true
	}
	return false
}
