package protocol

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/dialectic"
)

// ofProposal reports whether a move is one that only a proposal knows: elsewhere
// its word is a plain one.
func ofProposal(kind MoveKind) bool {
	switch kind { //nolint:exhaustive // those of a consultation
	case MovePropose, MoveObject, MoveRequest, MoveSupply, MoveWithdraw, MoveNoObjection:
		return true
	}
	return false
}

// pressed makes the moves of a proposal:
//
//	PROPOSE rollout.percent = 10 | category: Safety | severity: HIGH | why: … | docs/a.md:1 "quote"
//	REVISE P1 = 5 | why: … | docs/a.md:1 "quote"
//	OBJECT P1 [no-rollback]: what is wrong | request: … | docs/a.md:1 "quote"
//	OBJECT P1: what is wrong | category: Safety | severity: HIGH | predicate: …
//	REQUEST C1: which evidence
//	SUPPLY C1 supports docs/a.md:1 "quote"
func (r *reader) pressed(h *head, b body) {
	switch h.kind { //nolint:exhaustive // those of a consultation
	case MoveNoObjection:
		r.move(&NoObjection{Reason: plainReason(b.text)})
	case MovePropose:
		r.propose(b)
	default:
		for _, id := range h.ids {
			r.pressedOn(h.kind, id, b)
		}
	}
}

// pressedOn makes a move that names its target.
func (r *reader) pressedOn(kind MoveKind, id string, b body) {
	switch kind { //nolint:exhaustive // those of a consultation
	case MoveWithdraw:
		r.move(&Withdraw{Point: id, Reason: plainReason(b.trimLead().text)})
	case MoveRequest:
		r.move(&RequestMove{Challenge: id, Text: plainReason(b.text)})
	case MoveRevise:
		r.reviseField(id, b)
	case MoveObject:
		r.object(id, b)
	case MoveSupply:
		r.supply(id, b)
	}
}

// parted is the body of a move of a proposal: what it begins with, its parts by
// their names, and its citations.
type parted struct {
	lead      body
	parts     map[string]string
	citations []Citation
}

// partNames are the parts that a move of a proposal may have.
func partNames() []string {
	return []string{"category", "severity", "why", "because", "predicate", "request", "grounded", "derived", "cites"}
}

// part cuts a body at bars and line ends.
func (r *reader) part(b body) parted {
	p := parted{parts: map[string]string{}}
	for i := 0; b.mask != "" || i == 0; i++ {
		end := strings.IndexAny(b.mask, "|\n")
		if end < 0 {
			end = len(b.mask)
		}
		one := b.cut(0, end).trim(" \t\r")
		b = b.cut(min(end+1, len(b.mask)), len(b.mask))
		label, _, labelled := strings.Cut(one.mask, ":")
		if name := strings.ToLower(strings.TrimSpace(label)); labelled && slices.Contains(partNames(), name) {
			p.parts[name] = strings.TrimSpace(one.text[len(label)+1:])
			continue
		}
		found, tail := r.cited(one)
		p.citations = append(p.citations, found...)
		if i == 0 {
			p.lead = one.cut(0, tail).trim(" \t\r,;(")
		}
	}
	return p
}

func (p *parted) why() string { return first(p.parts["why"], p.parts["because"]) }

func (p *parted) cites() []string { return listOf(p.parts["cites"]) }

// derived reads "sum of E1, a.b".
func (p *parted) derived() *Derivation {
	op, of, found := strings.Cut(p.parts["derived"], " of ")
	if !found {
		return nil
	}
	return &Derivation{Op: strings.TrimSpace(op), Of: listOf(of)}
}

func listOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", ", r) })
}

func (r *reader) propose(b body) {
	p := r.part(b)
	path, value, found := cutValue(p.lead)
	if !found {
		r.reject("missing-field", "PROPOSE names no value, as in PROPOSE rollout.percent = 10 | category: Safety")
		return
	}
	m := &Propose{
		Path: path, Value: ValueOf(value), Text: p.why(), Category: p.parts["category"], Severity: strings.ToUpper(p.parts["severity"]),
		Derived: p.derived(), Cites: p.cites(), Citations: p.citations,
	}
	switch strings.ToLower(p.parts["grounded"]) {
	case "no", "false":
		grounded := false
		m.Grounded = &grounded
	}
	r.move(m)
}

// cutValue parts "path = value".
func cutValue(b body) (path, value string, found bool) {
	at := strings.IndexByte(b.mask, '=')
	if at < 0 {
		return "", "", false
	}
	path, value = strings.Trim(b.text[:at], " \t*_`:"), strings.TrimSpace(b.text[at+1:])
	return path, value, value != ""
}

func (r *reader) reviseField(id string, b body) {
	p := r.part(b)
	_, value, found := cutValue(p.lead)
	if !found {
		r.reject("missing-field", "REVISE "+id+" names no value, as in REVISE "+id+" = 10 | why: …")
		return
	}
	r.move(&Revise{Point: id, Value: ValueOf(value), Text: p.why(), Derived: p.derived(), Cites: p.cites(), Citations: p.citations})
}

func (r *reader) object(id string, b body) {
	p := r.part(b)
	flag := ""
	if lead := p.lead.trim(" \t:"); strings.HasPrefix(lead.mask, "[") {
		if end := strings.IndexByte(lead.mask, ']'); end > 0 {
			flag, p.lead = strings.TrimSpace(lead.text[1:end]), lead.cut(end+1, len(lead.text))
		}
	}
	r.move(&Object{
		Point: id, Flag: flag, Text: plainReason(p.lead.text), Category: p.parts["category"],
		Severity:  dialectic.Severity(closedWord(p.parts["severity"], wordsOf(dialectic.Severities()))),
		Predicate: p.parts["predicate"], Request: p.parts["request"], Cites: p.cites(), Citations: p.citations,
	})
}

func wordsOf[T ~string](list []T) []string {
	var words []string
	for _, one := range list {
		words = append(words, string(one))
	}
	return words
}

// supply reads what bears on an objection or a field: citations, or items on
// record by their ids.
func (r *reader) supply(id string, b body) {
	b = b.trimLead()
	m := Supply{}
	if id[0] == 'C' {
		m.Challenge = id
	} else {
		m.Point = id
	}
	if f := r.relation.FindStringIndex(b.mask); f != nil {
		m.Relation = ledger.Relation(strings.ToLower(b.mask[f[0]:f[1]]))
		b = b.cut(f[1], len(b.text)).trimLead()
	}
	citations := r.citations(b)
	for _, c := range citations {
		one := m
		one.Reference, one.Quote = c.Reference, c.Quote
		r.move(&one)
	}
	if len(citations) > 0 {
		return
	}
	c := &cursor{line: b.mask}
	if m.Cites = c.ids(); len(m.Cites) == 0 {
		r.reject("missing-field", "SUPPLY "+id+": a reference with its quote is missing, as in SUPPLY "+id+` path:12 "quote", or $ go test ./... => exit 0`)
		return
	}
	r.move(&m)
}
