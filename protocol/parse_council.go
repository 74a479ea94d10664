package protocol

import (
	"regexp"
	"slices"
	"strings"

	"moot/state"
)

// councilForm is what the telegraphic form has for a council alone. Elsewhere its
// words are plain ones.
type councilForm struct {
	// labels name the parts of a move, key marks a claim on which much rests, sure
	// is a confidence with its reason.
	labels, key, sure, claims *regexp.Regexp
}

func newCouncilForm() councilForm {
	return councilForm{
		labels: labelPattern(slices.Concat(labelWords(), []string{"narrower claim", "narrower", "limits", "limit", "agreement", "open", "key"})),
		key:    regexp.MustCompile(`(?i)[\[(]\s*key(?:[ -]claim)?\s*[\])]`),
		sure:   regexp.MustCompile(`(?i)[(\[|,;]?\s*\bconfidence\s*[:=]?\s*([01](?:\.\d+)?|\.\d+|\d{1,3}\s?%)[ \t]*,?[ \t]*\bbecause[ \t]+([^)|\]\n]+)[)\]]?`),
		claims: regexp.MustCompile(`\b[Pp]\d{1,6}\b`),
	}
}

// inCouncil reports whether the asked seat is one of a council.
func (r *reader) inCouncil() bool { return slices.Contains(state.CouncilSeats(), r.ask.Seat) }

// ofCouncil reports whether a keyword is one that only a council knows.
func (h *head) ofCouncil() bool {
	return h.kind == MoveSynthesize || h.kind == MoveClarify && h.word == limitTerm || h.kind == MoveFlag && h.word == string(FlagKey) && h.needs
}

// split is that of the form, with the parts that a council has besides.
func (r *reader) split(b body) (lead body, parts map[string]body) {
	if r.inCouncil() {
		return splitAt(r.council.labels, b)
	}
	return r.textForm.split(b)
}

// councilParts takes out of a claim of a council what is said beside its text: "[key]",
// "confidence 0.8 because …", "| because: …", "| limit: …".
func (r *reader) councilParts(b body, m *Raise) body {
	if f := r.council.key.FindStringIndex(b.mask); f != nil {
		b, m.Key = b.drop(f[0], f[1]), true
	}
	if f := r.council.sure.FindStringSubmatchIndex(b.mask); f != nil {
		m.Confidence = parseShare(b.mask[f[2]:f[3]])
		m.Because = strings.TrimSpace(b.text[f[4]:f[5]])
		b = b.drop(f[0], f[1])
	}
	lead, parts := r.split(b)
	m.Because = firstText(m.Because, r.uncited(parts["because"]))
	m.Limit = r.limitOf(parts)
	if word := strings.ToLower(parts["key"].text); strings.HasPrefix(word, "yes") || strings.HasPrefix(word, "true") {
		m.Key = true
	}
	if lead.text == "" {
		return b
	}
	return lead
}

// limitOf is the part that says what a claim does not cover.
func (r *reader) limitOf(parts map[string]body) string {
	return r.uncited(firstBody(parts["limit"], parts["limits"]))
}

// narrowerOf is the part that gives the claim that would stand.
func (r *reader) narrowerOf(parts map[string]body) string {
	return r.uncited(firstBody(parts["narrower"], parts["narrower claim"]))
}

func firstBody(bodies ...body) body {
	for _, b := range bodies {
		if b.text != "" {
			return b
		}
	}
	return body{}
}

// uncited is the text of a part without the citations at its end.
func (r *reader) uncited(b body) string {
	_, tail := r.cited(b)
	return b.cut(0, tail).trim(" \t\r\n,;:(|").text
}

// synthesize reads "SYNTHESIZE: text | agreement: yes | open: P2, P3", also with its
// parts on lines of their own.
func (r *reader) synthesize(b body) {
	lead, parts := r.split(b)
	m := &Synthesize{Text: strings.TrimSpace(lead.text)}
	c := &cursor{line: strings.TrimLeft(parts["agreement"].mask, " \t*_")}
	word := closedWord(c.word(), []string{"yes", "true", "full", "reached", "complete"})
	m.Agreement = slices.Contains([]string{"yes", "true", "full", "reached", "complete"}, word)
	for _, id := range r.council.claims.FindAllString(parts["open"].mask, maxItems) {
		if id = strings.ToUpper(id); !slices.Contains(m.Open, id) {
			m.Open = append(m.Open, id)
		}
	}
	r.move(m)
}

// labelPattern finds the named parts of a move.
func labelPattern(names []string) *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:^|[|;\n(]|[.!?]\s)[ \t]*(?:[-*•][ \t]+)?[*_]{0,2}(?:(upgrade(?:[ -]if)?)\b[*_]{0,2}[ \t]*:?|(` +
		strings.Join(names, "|") + `)[*_]{0,2}[ \t]*:)[*_ \t]*`)
}
