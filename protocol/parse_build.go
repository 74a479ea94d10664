package protocol

import (
	"regexp"
	"slices"
	"strings"

	"moot/enum"
	"moot/state"
)

// keyword makes the moves of a passage that began with one.
func (r *reader) keyword(p *passage) {
	h := p.head
	b := newBody(r, p.from, p.to).trimLead()
	if r.alone(h, b) {
		return
	}
	if ofProposal(h.kind) || h.kind == MoveRevise && r.allows(MovePropose) {
		r.pressed(h, newBody(r, p.from, p.to))
		return
	}
	if h.kind == MoveScore {
		// What leads from the ids to the body may be the sign of the number.
		from := p.from
		for from > 0 && strings.IndexByte("-. \t", r.mask[from-1]) >= 0 {
			from--
		}
		b = newBody(r, from, p.to).trimLeadOfNumber()
	}
	r.consulted(h, b)
}

// consulted makes the moves of a consultation.
func (r *reader) consulted(h *head, b body) {
	switch h.kind { //nolint:exhaustive // those of a proposal were made above, those of a hearing are read otherwise
	case MoveRaise:
		r.raise(b, h.word != "")
	case MoveTriage:
		r.triage(h.ids, b)
	case MoveMerge:
		r.merge(h.ids, b)
	case MoveClassify, MoveChallenge:
		r.verdict(h, b)
	case MoveDefend:
		r.defend(h.ids, b)
	case MoveConcede:
		for _, id := range h.ids {
			r.move(newConcede(id, plainReason(b.text)))
		}
	case MoveJudge:
		r.judge(h.ids, h.word, b)
	case MoveRevise:
		r.revise(h.ids, b)
	case MoveCite:
		r.cite(h.ids, b)
	case MoveContest:
		for _, id := range h.ids {
			r.move(&Contest{Evidence: id, Reason: plainReason(b.text)})
		}
	case MoveBlocked:
		r.blocked(h.ids, b)
	case MoveClarify:
		r.clarify(h.ids, h.word, b)
	case MoveScore:
		r.score(h.ids, b)
	case MoveSteelman:
		r.steelman(h.ids, b)
	case MoveFlag:
		r.flag(h, b)
	case MoveSynthesize:
		r.synthesize(b)
	}
}

// targeted reports whether the move has the ids that it needs. "AGREE:" on a
// line of its own has none: it is for the ids in the lines after it.
func (h *head) targeted() bool {
	return len(h.ids) > 0 || h.kind == MoveFlag || h.kind == MoveRaise || h.kind == MoveBlocked || h.kind == MoveNoObjection || h.kind == MovePropose || h.kind == MoveSynthesize
}

// alone deals with a keyword that has no ids though it needs some: "REJECT:
// none" says nothing, anything else names no target.
func (r *reader) alone(h *head, b body) bool {
	if h.targeted() {
		return false
	}
	if r.none.MatchString(b.mask) {
		r.silent = true
	} else {
		r.reject("missing-field", h.name+" names no id, as in "+h.name+" "+h.keyword.ids[:1]+"1: …")
	}
	return true
}

// raise brings a point: its text without label, confidence and the citations
// at its end, which have fields of their own.
func (r *reader) raise(b body, value bool) {
	if r.none.MatchString(b.mask) && b.text == strings.Trim(b.mask, "\x00") {
		r.silent = true
		return
	}
	m := &Raise{}
	b, m.Label = r.labelled(b)
	m.Citations = r.citations(b)
	if r.inCouncil() {
		b = r.councilParts(b, m)
	}
	b, share := r.confidence(b)
	if share != nil {
		m.Confidence = share
	}
	b, marked := r.valued(b)
	m.ValueJudgment = value || marked
	_, tail := r.cited(b)
	if claim := b.cut(0, tail).trim(" \t\r\n,;:(–—-*_|"); claim.text != "" {
		b = claim
	}
	m.Text = strings.Join(strings.Fields(strings.ReplaceAll(b.text, "**", "")), " ")
	r.move(m)
}

// triage reads "TRIAGE P1 out-of-scope: why", and "TRIAGE P1 P5: opposed" for how
// two points are to each other.
func (r *reader) triage(ids []string, b body) {
	if how := r.paired.FindString(b.mask); len(ids) == 2 && how != "" {
		r.move(triageOf(ids[0], ids[1], closedWord(how, pairWords())))
		return
	}
	word, rest := r.leadWord(b, r.scope)
	lead, parts := r.split(rest)
	m := Triage{Scope: state.Scope(closedWord(word, enum.Words(state.Scopes()))), Reason: plainReason(lead.text), Theme: parts["theme"].text}
	for _, id := range ids {
		one := m
		one.Point = id
		r.move(&one)
	}
}

// The words for how two points are to each other, in the telegraphic form.
const (
	pairOpposed = "opposed"
	pairSubject = "same-subject"
	pairAlike   = "alike"
)

func pairWords() []string { return []string{pairOpposed, pairSubject, pairAlike} }

// triageOf compares two points in one of these words.
func triageOf(a, b, how string) *Triage {
	return &Triage{Point: a, Other: b, SameSubject: true, Opposed: how == pairOpposed, Alike: how == pairAlike}
}

// leadWord takes the words at the beginning that match, else the first word,
// so that a wrong one is refused by name.
func (r *reader) leadWord(b body, pattern *regexp.Regexp) (string, body) {
	if f := pattern.FindStringIndex(b.mask); f != nil {
		return b.mask[f[0]:f[1]], b.cut(f[1], len(b.text)).trimLead()
	}
	c := &cursor{line: b.mask}
	word := c.word()
	return word, b.cut(c.at, len(b.text)).trimLead()
}

func (r *reader) merge(from []string, b body) {
	c := &cursor{line: b.mask}
	m := &Merge{From: from}
	if strings.EqualFold(c.word(), "into") {
		if ids := c.ids(); len(ids) == 1 {
			m.Into = ids[0]
		}
	}
	r.move(m)
}

// verdict reads AGREE, SKEPTICAL, REJECT and ILL-FORMED, and CHALLENGE with one
// of them. REJECT of a challenge is a judgment on its defense.
func (r *reader) verdict(h *head, b body) {
	if h.ids[0][0] == 'C' {
		r.judge(h.ids, string(state.Rejected), b)
		return
	}
	class, b := r.class(h, b)
	m := r.classify(class, b)
	attack := h.kind == MoveChallenge || !r.allows(MoveClassify) && r.allows(MoveChallenge) && m.Flaw != ""
	for _, id := range h.ids {
		if attack {
			r.move(&Challenge{
				Point: id, Class: class, Flaw: m.Flaw, UpgradeIf: m.UpgradeIf, FlawKind: m.FlawKind,
				Grounds: m.Grounds, WhyNotSkeptical: m.WhyNotSkeptical, Narrower: m.Narrower, Citations: m.Citations,
			})
			continue
		}
		one := m
		one.Point = id
		r.move(&one)
	}
}

// class is that of the keyword, else the first word of the body. A challenge
// without a class is SKEPTICAL, the weaker one (RD3).
func (r *reader) class(h *head, b body) (state.Class, body) {
	if h.word != "" {
		return state.Class(h.word), b
	}
	c := &cursor{line: b.mask}
	word := c.word()
	if strings.EqualFold(word, "as") {
		c.skip(" \t:")
		word = c.word()
	}
	if _, k, ok := r.lookup(c, word); ok && k.kind == MoveClassify && k.word != "" {
		return state.Class(k.word), b.cut(c.at, len(b.text)).trimLead()
	}
	if h.kind == MoveChallenge {
		return state.Skeptical, b
	}
	return state.Class(word), b
}

// classify reads the parts of a verdict.
func (r *reader) classify(class state.Class, b body) Classify {
	m := Classify{Class: class, Citations: r.citations(b)}
	b, m.Confidence = r.confidence(b)
	lead, parts := r.split(b)
	if class == state.Skeptical || class == state.Reject {
		m.Flaw = firstText(plainReason(lead.text), parts["flaw"].text)
		m.Reason = parts["reason"].text
	} else {
		m.Reason = firstText(plainReason(lead.text), parts["reason"].text)
	}
	m.UpgradeIf = parts["upgrade if"].text
	m.Grounds = firstText(parts["grounds"].text, parts["evidence"].text, parts["reasoning"].text)
	m.WhyNotSkeptical = parts["why not skeptical"].text
	m.Because = parts["because"].text
	m.Narrower = r.narrowerOf(parts)
	if kind := firstText(parts["kind"].text, parts["flaw kind"].text); kind != "" {
		m.FlawKind = state.Kind(closedWord(strings.Trim(kind, " ."), enum.Words(state.Kinds())))
	}
	return m
}

// firstText returns the first text that is not empty.
func firstText(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// defend answers challenges. An answer that concedes its challenge is no
// defense of it (CH1).
func (r *reader) defend(ids []string, b body) {
	at := r.conceded.FindStringIndex(b.mask)
	all := at != nil && !r.unsure(b.mask[at[1]:])
	own := r.concessions(b, ids)
	citations := r.citations(b)
	for _, id := range ids {
		if all || slices.Contains(own, id) {
			r.move(newConcede(id, b.text))
			continue
		}
		r.move(&Defend{Challenge: id, Text: b.text, Citations: citations})
	}
}

func (r *reader) judge(ids []string, word string, b body) {
	judgment := state.Judgment(word)
	if word == "" {
		word, rest := r.leadWord(b, r.judged)
		judgment, b = state.Judgment(closedWord(word, enum.Words(state.Judgments()))), rest
	}
	lead, parts := r.split(b)
	m := Judge{Judgment: judgment, Reason: firstText(plainReason(lead.text), parts["reason"].text), UpgradeIf: parts["upgrade if"].text}
	if lift := parts["lift"].text; lift != "" {
		m.Lift = state.Class(closedWord(strings.Trim(lift, " ."), enum.Words(state.Classes())))
	}
	for _, id := range ids {
		one := m
		one.Challenge = id
		r.move(&one)
	}
}
