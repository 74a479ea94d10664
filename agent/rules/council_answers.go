package rules

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

const (
	// answers is how many passages are cited in one answer, and lookedThrough how
	// many are looked through for one.
	answers       = 2
	lookedThrough = 8
	// mostForms is how often a claim is worded anew, so that no session goes round.
	mostForms = 3
)

// answerCouncil answers each challenge that is due: it gives up what is refuted,
// narrows what claimed more than its source, brings what it finds, and else says
// that it found nothing.
func (t *turn) answerCouncil() error {
	// revised are the claims that have ended in this reply.
	revised := map[string]bool{}
	for _, id := range t.due.Answer {
		c := t.s.Challenge(id)
		if c == nil || revised[c.Point] {
			continue
		}
		p := t.s.Point(c.Point)
		if p == nil {
			continue
		}
		if !p.IsAuthor(t.ask.Seat) {
			if err := t.defendUsers(p, c); err != nil {
				return err
			}
			continue
		}
		if t.concedes(p, c) || t.narrowed(p, c) {
			revised[p.ID] = true
			continue
		}
		if err := t.defendClaim(p, c); err != nil {
			return err
		}
	}
	t.due.Requests = slices.DeleteFunc(t.due.Requests, func(r *state.Request) bool {
		p := t.s.Live(r.Point)
		return p == nil || revised[p.ID]
	})
	return t.requests()
}

// concedes gives a claim up that verified evidence refutes, where nothing but the
// document that it was taken from says it: a document is no evidence against what
// it describes.
func (t *turn) concedes(p *state.Point, c *state.Challenge) bool {
	now := t.stands(p, "")
	if now.refutation == nil {
		return false
	}
	sources := sourcesOf(t.supporting(p))
	if len(sources) > 1 {
		return false
	}
	reason := t.say(sayConcedeRefuted, "item", now.refutation.ID, "place", now.refutation.Reference)
	if len(sources) == 1 {
		reason = t.say(sayConcedeCounter, "item", now.refutation.ID, "place", now.refutation.Reference, "document", sources[0])
	}
	t.add(&protocol.Concede{Challenge: c.ID, Reason: reason})
	return true
}

// narrowed takes the narrower claim of a challenge, where what is verified carries
// it, in place of the claim.
func (t *turn) narrowed(p *state.Point, c *state.Challenge) bool {
	text := strings.TrimSpace(c.Narrower)
	if text == "" || !t.allows(protocol.MoveRevise) || len(t.forms(p)) >= mostForms || !t.narrows(p, text) || !t.vouched(p, c) {
		return false
	}
	confidence, _ := t.hopeOf(text)
	citations := t.carriedBy(p, c, text)
	places := make([]string, len(citations))
	for i := range citations {
		places[i] = citations[i].Reference
	}
	t.add(&protocol.Revise{
		Point: p.ID, Challenge: c.ID, Text: text, Label: protocol.LabelEvidence, Confidence: &confidence,
		Because: t.say(sayReviseNarrower, "challenge", c.ID), Limit: t.say(sayCouncilLimit, "place", strings.Join(places, " and ")), Citations: citations,
	})
	return true
}

// vouched reports whether what the challenge cites, if it cites anything, is
// verified, and whether a verified passage says the narrower claim.
func (t *turn) vouched(p *state.Point, c *state.Challenge) bool {
	cited, verified, says := false, false, false
	text := t.withoutLimit(t.claimed(plain.Line(c.Narrower)))
	for _, id := range p.Evidence {
		item := t.s.Item(id)
		if item == nil {
			continue
		}
		own := item.OfferedBy == string(c.By) && item.Seq > c.Seq
		cited, verified = cited || own, verified || own && item.Counts()
		says = says || item.Counts() && (t.states(item.Excerpt, text) || strings.Contains(plain.Line(item.Excerpt), strings.TrimRight(text, ".")))
	}
	return says && (verified || !cited)
}

// carriedBy are the citations of a narrower claim: those that support the claim,
// and what the challenge cites, as support where it says the narrower claim.
func (t *turn) carriedBy(p *state.Point, c *state.Challenge, text string) []protocol.Citation {
	var citations []protocol.Citation
	for _, id := range p.Evidence {
		item := t.s.Item(id)
		if item == nil || !item.Counts() || item.Run != nil {
			continue
		}
		relation := item.Relation
		switch {
		case relation == ledger.Supports:
		case item.OfferedBy != string(c.By) || item.Seq < c.Seq:
			continue
		case t.states(item.Excerpt, t.claimed(plain.Line(text))):
			relation = ledger.Supports
		default:
			relation = ledger.Neutral
		}
		citations = append(citations, protocol.Citation{Reference: item.Reference, Quote: item.Excerpt, Relation: relation})
	}
	return citations
}

// defendClaim brings what was found that answers a challenge, or says that nothing
// was.
func (t *turn) defendClaim(p *state.Point, c *state.Challenge) error {
	objection := clause(plain.Clip(c.Objection, recited))
	method := t.asksMethod(c)
	citations, files, err := t.answering(p, method)
	if err != nil {
		return err
	}
	m := &protocol.Defend{Challenge: c.ID, Citations: citations}
	now := t.stands(p, "")
	held := firstItem(now.support, now.beside)
	switch {
	case len(citations) > 0 && method:
		m.Text = t.say(sayDefendMethod, "objection", objection, "place", citations[0].Reference)
	case len(citations) > 0:
		m.Text = t.say(sayDefendSource, "objection", objection, "place", citations[0].Reference)
	case held != nil && c.Last() != nil:
		m.Text = t.say(sayDefendAgain, "challenge", c.ID, "objection", clause(plain.Clip(c.Last().Reason, recited)), "item", held.ID, "place", held.Reference)
	case held != nil:
		m.Text = t.say(sayDefendNothing, "objection", objection, "where", t.where(files), "item", held.ID, "place", held.Reference)
	default:
		m.Text = t.say(sayDefendBare, "objection", objection, "where", t.where(files))
	}
	t.add(m)
	return nil
}

// asksMethod reports whether a challenge asks how a number was measured.
func (t *turn) asksMethod(c *state.Challenge) bool {
	_, lead, _ := strings.Cut(t.sentences[sayFlawNumber], "{number}")
	return strings.Contains(c.Objection, strings.TrimSpace(lead)) || t.holds(c.UpgradeIf, t.methods) != ""
}

// answering are passages of other sources that say what a claim says, or, where a
// method is asked for, that state its number with one.
func (t *turn) answering(p *state.Point, method bool) (citations []protocol.Citation, files int, err error) {
	claim := t.bareClaim(p)
	found, err := t.find(claim, lookedThrough)
	if err != nil {
		return nil, 0, err
	}
	sources := sourcesOf(t.supporting(p))
	for i := range found.passages {
		one := &found.passages[i]
		for _, s := range t.sayings(one) {
			part := one.narrowed(&s)
			if len(citations) == answers || len([]rune(s.text)) > quoted || t.citedOn(p, &part) || !t.inWorkspace(part.path) {
				continue
			}
			says := !slices.Contains(sources, part.path) && t.states(s.text, t.withoutLimit(claim))
			if method {
				says = t.statesMeasured(s.text, claim)
			}
			if !says {
				continue
			}
			citations = append(citations, protocol.Citation{Reference: part.reference(), Quote: verbatim(part.text, s.text), Relation: ledger.Supports})
			t.cites[p.ID+" "+part.reference()] = true
		}
	}
	return citations, found.files, nil
}

// judgeAnswers judges the answers to the seat's challenges (CH5): one holds where
// verified evidence came with it that bears on the claim. Words alone never do.
func (t *turn) judgeAnswers() {
	for _, id := range t.due.Judge {
		c := t.s.Challenge(id)
		if c == nil || c.Last() == nil {
			continue
		}
		p := t.s.Point(c.Point)
		if p == nil {
			continue
		}
		m := t.judgment(p, c)
		t.add(m)
		if m.Judgment == state.Accepted && t.settles(p, c) {
			t.assess(p, false)
		}
	}
}

// settles reports whether no other challenge of the seat on the claim is open once
// this one is accepted.
func (t *turn) settles(p *state.Point, c *state.Challenge) bool {
	return !slices.ContainsFunc(p.Challenges, func(id string) bool {
		other := t.s.Challenge(id)
		return other != nil && other.ID != c.ID && other.By == t.ask.Seat && !other.Settled()
	})
}

// judgment is what the seat makes of the last answer to a challenge.
func (t *turn) judgment(p *state.Point, c *state.Challenge) *protocol.Judge {
	m := &protocol.Judge{Challenge: c.ID, Judgment: state.Rejected}
	now := t.stands(p, "")
	var came *ledger.Evidence
	for _, item := range t.supporting(p) {
		answer := item.Seq > c.Seq && item.OfferedBy == string(c.Last().By)
		bears := t.bears(p.Text, item.Excerpt+" "+item.Expect)
		if (answer || names(c.Last().Text, item.ID) && item.Seq > c.Seq) && bears && (came == nil || ledger.CompareRank(item, came) < 0) {
			came = item
		}
	}
	switch {
	case now.refutation != nil:
		m.Reason = t.say(sayRejectRefuted, "item", now.refutation.ID, "place", now.refutation.Reference)
	case came == nil:
		m.Reason = t.say(sayJudgeOld)
	case t.asksMethod(c) && !t.methodBeside(came):
		m.Reason = t.say(sayJudgeMethod)
	case resolver.Contradicted(t.s, p.ID) != nil:
		m.Reason = t.say(sayJudgeOld)
	default:
		m.Judgment, m.Lift = state.Accepted, lift(c)
		m.Reason = t.say(sayJudgeNew, "item", came.ID, "place", came.Reference, "quote", clause(excerpt(came)))
	}
	return m
}
