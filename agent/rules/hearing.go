package rules

import (
	"slices"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/state"
)

// maxProbes is how many challenges the oracle raises at most.
const maxProbes = 3

// hearingTurn is a turn in a hearing: it says what the rules of the domain find in the packet.
type hearingTurn struct {
	*turn
	found *domain.Case
}

// hear makes the moves of a seat of a hearing. What the rules find never changes, so that neither
// does a confidence.
func (t *turn) hear(d *domain.Domain) error {
	rules, err := domain.Of(d)
	if err != nil {
		return err
	}
	h := &hearingTurn{turn: t, found: rules.Find(&t.s.Packet)}
	switch t.ask.Stage { //nolint:exhaustive // a hearing has no others
	case hearing.StageArgue:
		h.argue()
	case hearing.StageProbe:
		h.contradict(hearing.ClaimsOf(h.s, hearing.MoreConfident(h.s), h.s.Round), maxProbes)
	case hearing.StageContest:
		h.audit()
	case hearing.StageExchange:
		claims := hearing.ClaimsOf(h.s, hearing.Opponent(h.ask.Seat), h.s.Round)
		claims = slices.DeleteFunc(claims, func(p *state.Point) bool {
			return p.Round >= h.s.Round // It is part of an argument that the seat has not seen.
		})
		h.contradict(claims, len(claims))
		h.answer()
	case state.StageAnswer:
		h.answer()
	case state.StageJudge:
		h.review()
	}
	return nil
}

// argue makes the claims of a side.
func (h *hearingTurn) argue() {
	claims := h.found.Claims(h.ask.Seat)
	for i := range claims {
		h.add(&hearing.Claim{Reading: claims[i].Text, Facts: claims[i].Facts, Confidence: &claims[i].Confidence})
	}
	if len(claims) == 0 {
		h.flag(protocol.FlagNothing, "no rule supports this side")
	}
	h.conclude()
}

func (h *hearingTurn) conclude() {
	overall := h.found.Confidence(h.ask.Seat)
	h.add(&hearing.Conclude{Confidence: &overall})
}

// restsOn are the facts of a claim; one without facts says that nothing was found in the packet.
func restsOn(p *state.Point) []string {
	if len(p.Facts) == 0 {
		return []string{domain.WholePacket}
	}
	return p.Facts
}

// contradict cites what speaks against claims of the other side, once for each.
func (h *hearingTurn) contradict(claims []*state.Point, most int) {
	for _, p := range claims {
		known := slices.ContainsFunc(p.Challenges, func(id string) bool { return h.s.Challenge(id).By == h.ask.Seat })
		facts, quote := h.found.Against(p.Authors[0], restsOn(p))
		if len(facts) == 0 || known || most == 0 {
			continue
		}
		most--
		h.add(&hearing.Contradict{Point: p.ID, Facts: facts, Reading: quote})
	}
}

// audit classifies each claim of the other side: rules accept it, contradict it, or do not name
// its facts.
func (h *hearingTurn) audit() {
	for _, p := range hearing.Unaudited(h.s, h.ask.Seat) {
		facts, quote := h.found.Against(p.Authors[0], restsOn(p))
		switch {
		case len(facts) > 0:
			h.add(&hearing.Contradict{Point: p.ID, Facts: facts, Reading: quote})
		case h.found.Reads(p.Facts):
			const reason = "the rules name these facts, and nothing in the packet contradicts them"
			h.add(&protocol.Classify{Point: p.ID, Class: state.Agree, Reason: reason})
		case len(p.Facts) == 0 && len(h.found.Findings) == 0:
			h.add(&protocol.Classify{Point: p.ID, Class: state.Agree, Reason: "no rule names a fact of the packet"})
		default:
			h.add(&protocol.Classify{Point: p.ID, Class: state.Skeptical, Flaw: "no rule names these facts"})
		}
	}
}

// answer answers contradictions and challenges with the facts of the claim.
func (h *hearingTurn) answer() {
	for _, id := range h.due.Answer {
		c := h.s.Challenge(id)
		p := h.s.Point(c.Point)
		if against, _ := h.found.Against(h.ask.Seat, restsOn(p)); p.IsAuthor(h.ask.Seat) && len(against) > 0 {
			h.add(&protocol.Concede{Point: p.ID, Reason: "the rules of the domain say the same: " + against[0]})
			continue
		}
		facts := p.Facts
		if len(facts) == 0 {
			facts = c.Facts
		}
		const text = "no rule of the domain connects these facts to the claim, so it stays unchanged"
		h.add(&hearing.Rebut{Challenge: id, Text: text, Facts: facts})
	}
	h.conclude()
}

// review withdraws contradictions that the rules do not share, and maintains the others.
func (h *hearingTurn) review() {
	for _, c := range hearing.Unreviewed(h.s, h.ask.Seat) {
		p := h.s.Point(c.Point)
		if facts, quote := h.found.Against(p.Authors[0], restsOn(p)); len(facts) > 0 {
			h.add(&protocol.Judge{Challenge: c.ID, Judgment: state.Rejected, Reason: quote})
			continue
		}
		h.add(&protocol.Judge{Challenge: c.ID, Judgment: state.Accepted, Reason: "no rule contradicts the claim"})
	}
}
