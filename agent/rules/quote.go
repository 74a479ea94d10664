package rules

import (
	"slices"
	"strings"
	"unicode"

	"moot/ledger"
	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// raise brings a passage as a point that quotes it, with the citation. The
// citation is direct only where the point is nothing but the whole quotation
// ("a.go:3 says: …"): then the passage is the very predicate (PH6). That a line defines
// a name, or bears on an option, is this package's reading; in doubt it is not
// direct.
//
// It reports whether the point is new: what this seat said already is not said
// again.
func (t *turn) raise(p *passage, plan *plan) bool {
	if t.s.Settings.Format == state.FormatPanel && plan.about == "" {
		raised, ok := t.claim(p, plan)
		if ok || len(t.moves) > 0 {
			// Code by itself says nothing that others could contradict.
			return raised
		}
	}
	key, name := saySays, t.defined(p.text)
	switch {
	case plan.about != "":
		key = plan.about
	case name != "":
		key = sayDefines
	}
	confidence, shown := ledger.ConfidenceInPlace, t.recite(p.text)
	whole := !strings.HasSuffix(shown, "…") || strings.HasSuffix(p.text, "…")
	text := t.say(key, "place", p.reference(), "quote", shown, "name", name, "subject", plain.Clip(plan.subject, recited))
	if t.saidAlready(text) {
		return false
	}
	t.add(&protocol.Raise{
		Text: text,
		// The quotation can be looked up, so it is evidence; it lifts nothing.
		Label: protocol.LabelEvidence, Confidence: &confidence, Option: plan.option,
		Citations: []protocol.Citation{{
			Reference: p.reference(), Quote: p.text, Relation: ledger.Supports, Direct: key == saySays && whole,
		}},
	})
	return true
}

// saidAlready reports whether the seat brought a point of this text.
func (t *turn) saidAlready(text string) bool {
	same := resolver.Normalised(text)
	for _, p := range t.s.Points.All() {
		if p.IsAuthor(t.ask.Seat) && resolver.Normalised(p.Text) == same {
			return true
		}
	}
	return slices.ContainsFunc(t.moves, func(m protocol.Move) bool {
		r, ok := m.(*protocol.Raise)
		return ok && resolver.Normalised(r.Text) == same
	})
}

// defined returns the name that one of the lines defines, or "".
func (l *lexicon) defined(text string) string {
	for line := range strings.Lines(text) {
		if name := l.definedBy(line); name != "" {
			return name
		}
	}
	return ""
}

func (l *lexicon) definedBy(line string) string {
	fields := strings.Fields(line)
	at := 0
	for at < len(fields) && l.before[fields[at]] && !l.keywords[fields[at]] {
		at++
	}
	if at >= len(fields) || !l.keywords[fields[at]] {
		return ""
	}
	rest := strings.Join(fields[at+1:], " ")
	if strings.HasPrefix(rest, "(") {
		// The receiver of a method.
		_, after, _ := strings.Cut(rest, ")")
		rest = strings.TrimSpace(after)
	}
	name, rest := leadingWord(rest)
	next, _ := leadingWord(rest)
	if name == "" || rest != "" && !strings.ContainsAny(rest[:1], "([{:=<;,") && !l.after[next] {
		// "class of errors" in prose defines nothing.
		return ""
	}
	return name
}

// leadingWord cuts the letters, digits and underscores that a text begins with.
func leadingWord(text string) (word, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if end < 0 {
		end = len(text)
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// nothing brings the finding that nothing was found: a point without a
// citation, so that the session says in the result what was looked for and what
// would settle it, instead of ending without a point.
func (t *turn) nothing(plan *plan, found *finding) {
	text := t.say(sayNothing, "where", t.where(found.files), "subject", t.sought(plan, found.terms))
	if t.saidAlready(text) {
		return
	}
	confidence := ledger.ConfidenceWord
	t.add(&protocol.Raise{
		Text:  text,
		Label: protocol.LabelInference, Confidence: &confidence, Option: plan.option,
	})
}

// sought names what was looked for.
func (t *turn) sought(plan *plan, terms []string) string {
	switch {
	case plan.subject != "":
		return `"` + plain.Clip(plan.subject, recited) + `"`
	case len(terms) == 0:
		return t.say(sayNothingSought)
	}
	return t.say(sayNothingWords, "words", plain.Clip(strings.Join(terms, ", "), recited))
}

func (t *turn) where(files int) string {
	key := sayWhereBoth
	switch given := len(t.source.documents) > 0; {
	case t.source.index == nil && given:
		key = sayWhereContext
	case t.source.index == nil:
		key = sayWhereNone
	case !given:
		key = sayWhereWorkspace
	}
	return t.say(key, "files", itoa(files))
}

// foundNothing reports whether the point is one that nothing brought.
func (t *turn) foundNothing(p *state.Point) bool {
	lead, _, _ := strings.Cut(t.sentences[sayNothing], "{")
	return len(p.Evidence) == 0 && strings.HasPrefix(p.Text, lead)
}
