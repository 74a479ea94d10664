package protocol

import (
	"strings"

	"moot/enum"
	"moot/ledger"
	"moot/state"
)

func (r *reader) revise(ids []string, b body) {
	m := Revise{}
	b, m.Label = r.labelled(b)
	b, m.Confidence = r.confidence(b)
	b, m.ValueJudgment = r.valued(b)
	if f := r.answersTo.FindStringSubmatchIndex(b.mask); f != nil {
		m.Challenge = strings.ToUpper(b.mask[f[2]:f[3]])
		b = b.drop(f[0], f[1])
	}
	m.Citations = r.citations(b)
	lead, parts := r.split(b)
	_, tail := r.cited(lead)
	m.Text, m.Because = lead.cut(0, tail).trim(" \t\r\n,;:(|").text, parts["because"].text
	m.Limit = r.limitOf(parts)
	for _, id := range ids {
		one := m
		one.Point = id
		r.move(&one)
	}
}

func (r *reader) cite(ids []string, b body) {
	m := Cite{}
	if f := r.relation.FindStringIndex(b.mask); f != nil {
		m.Relation = ledger.Relation(strings.ToLower(b.mask[f[0]:f[1]]))
		b = b.cut(f[1], len(b.text)).trimLead()
	}
	b, m.Label = r.labelled(b)
	if found := r.citations(b); len(found) > 0 {
		m.Reference, m.Quote, m.Direct = found[0].Reference, found[0].Quote, found[0].Direct
	}
	for _, id := range ids {
		if m.Reference == "" {
			r.reject("missing-field", "CITE "+id+": a reference with its quote is missing, as in CITE P1 supports path:12 \"quote\", or $ go vet ./... => exit 0")
			continue
		}
		one := m
		one.Point = id
		r.move(&one)
	}
}

// blocked passes on what it finds: what a missing part costs is for the rules
// to say (CH7).
func (r *reader) blocked(ids []string, b body) {
	lead, parts := r.split(b)
	m := Blocked{
		Measurement: firstText(parts["measurement"].text, plainReason(lead.text)), Threshold: parts["threshold"].text,
		Below: parts["below"].text, Above: parts["above"].text,
	}
	if len(ids) == 0 {
		r.move(&m)
	}
	for _, id := range ids {
		one := m
		if id[0] == 'C' {
			one.Challenge = id
		} else {
			one.Point = id
		}
		r.move(&one)
	}
}

// clarify reads "CLARIFY P1: text" and "DEFINE P1 term: text".
func (r *reader) clarify(ids []string, term string, b body) {
	m := Clarify{Text: b.text}
	if term == limitTerm {
		m.Term = term
	} else if at := strings.IndexByte(b.mask, ':'); term != "" && at > 0 {
		m.Term = strings.Trim(b.text[:at], " \t*_\"“”`")
		m.Text = b.cut(at, len(b.text)).trimLead().text
	}
	for _, id := range ids {
		one := m
		one.Point = id
		r.move(&one)
	}
}

func (r *reader) score(ids []string, b body) {
	f := r.amount.FindStringIndex(b.mask)
	var share *float64
	if f != nil {
		share = parseShare(b.mask[f[0]:f[1]])
	}
	for _, id := range ids {
		if f != nil && (share == nil || goesOn(b.mask[f[1]:])) {
			r.reject("out-of-range", "SCORE "+id+": confidence is a number from 0 to 1, as in SCORE "+id+" 0.7 because E3")
			continue
		}
		if share == nil {
			r.reject("missing-field", "SCORE "+id+": confidence is missing, as in SCORE "+id+" 0.7 because E3")
			continue
		}
		r.move(&Score{Point: id, Confidence: *share, Cause: strings.Trim(plainReason(b.text[f[1]:]), " ().")})
	}
}

// goesOn reports whether a number goes on in a way that is not read, so that its
// beginning alone would say another: "0,7", "7/10", "0.7.1", "0x1".
func goesOn(rest string) bool {
	if rest == "" {
		return false
	}
	if strings.IndexByte(",/.:-", rest[0]) >= 0 {
		return len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9'
	}
	return rest[0] == '_' || rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z'
}

func (r *reader) steelman(ids []string, b body) {
	word, rest := r.leadWord(b, r.grade)
	lead, parts := r.split(rest)
	if grade := parts["grade"].text; grade != "" {
		word = strings.Trim(grade, " .")
		lead, _ = r.split(b)
	}
	m := Steelman{
		Objection: firstText(plainReason(lead.text), parts["objection"].text),
		Grade:     state.StressGrade(closedWord(word, enum.Words(state.StressGrades()))),
	}
	for _, id := range ids {
		one := m
		one.Point = id
		r.move(&one)
	}
}

func (r *reader) flag(h *head, b body) {
	kind := h.word
	if kind == "" {
		kind, b = r.leadWord(b, r.flagged)
		kind = closedWord(kind, enum.Words(FlagKinds()))
		c := &cursor{line: b.mask}
		h.ids = c.ids()
		b = b.cut(c.at, len(b.text)).trimLead()
	}
	if b.text == "" && kind != string(FlagTrivial) && kind != string(FlagOffTopic) && kind != string(FlagNothing) && kind != string(FlagKey) ||
		b.text != "" && len(h.ids) == 0 && r.none.MatchString(b.mask) && strings.IndexByte(b.mask, masked) < 0 {
		r.silent = true
		return
	}
	m := &FlagMove{Flag: FlagKind(kind), Text: plainReason(b.text)}
	for _, id := range h.ids {
		switch id[0] {
		case 'P':
			m.Point = firstText(m.Point, id)
		case 'F':
			m.Fact = firstText(m.Fact, id)
		}
	}
	r.move(m)
}
