package rules

import (
	"slices"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/protocol/move"
	"moot/state"
)

// maxProbes is how many challenges the oracle raises at most.
const maxProbes = 3

// hearingTurn is a turn in a hearing: it says what the rules of the domain find in the packet.
type hearingTurn struct {
	*turn
	found *domain.Case
}

// hear makes the moves of a seat of a hearing.
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

// argue makes the claims of a side. The skeptic of a side that is not filled by rules says only what
// the rules know about the facts that this side cites.
func (h *hearingTurn) argue() {
	var claims []domain.Claim
	switch {
	case len(h.found.Findings) == 0 && h.checks():
		claims = []domain.Claim{h.found.Unknown()}
	case h.ask.Seat == judge.Skeptic && h.checks():
		if about := h.found.About(slices.Concat(h.cited()...)); len(about.Findings) > 0 {
			claims = about.Claims(h.ask.Seat)
		}
	default:
		claims = h.found.Claims(h.ask.Seat)
	}
	for i := range claims {
		text, facts := claims[i].Text, listed(claims[i].Facts)
		if more := len(claims[i].Facts) - len(facts); more > 0 {
			text += "; shown by " + plain.Counted(more, "more fact")
		}
		h.add(&hearing.Claim{Reading: text, Facts: facts, Confidence: &claims[i].Confidence})
	}
	if len(claims) == 0 {
		h.flag(move.FlagNothing, "the rules have nothing to say for this side")
	}
	h.conclude()
}

// listed returns as many facts as a move may list.
func listed(facts []string) []string { return facts[:min(len(facts), move.MaxItems)] }

// checks reports whether the seat checks the claims of a side that is not filled by rules.
func (h *hearingTurn) checks() bool { return !hearing.ByRules(h.s, hearing.Opponent(h.ask.Seat)) }

// cited returns the facts of each claim of the other side.
func (h *hearingTurn) cited() [][]string {
	claims := hearing.ClaimsOf(h.s, hearing.Opponent(h.ask.Seat), h.s.Round)
	return lists.Map(claims, func(p *state.Point) []string { return p.Facts })
}

func (h *hearingTurn) conclude() {
	overall := h.found.Confidence(h.ask.Seat)
	if h.checks() {
		overall = h.found.Check(h.ask.Seat, h.cited())
	}
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
		h.add(&hearing.Contradict{Point: p.ID, Facts: listed(facts), Reading: quote})
	}
}

// audit accepts or contradicts the claims of the other side. It says nothing about those whose facts
// no rule names.
func (h *hearingTurn) audit() {
	unnamed := false
	for _, p := range hearing.Unaudited(h.s, h.ask.Seat) {
		facts, quote := h.found.Against(p.Authors[0], restsOn(p))
		switch {
		case len(facts) > 0:
			h.add(&hearing.Contradict{Point: p.ID, Facts: listed(facts), Reading: quote})
		case h.found.Reads(p.Facts):
			const reason = "the rules name these facts, and nothing in the packet contradicts them"
			h.add(&move.Classify{Point: p.ID, Class: state.Agree, Reason: reason})
		default:
			unnamed = true
		}
	}
	if unnamed {
		h.flag(move.FlagNothing, "no rule names the facts of the other claims")
	}
}

// answer answers contradictions and challenges with the facts of the claim.
func (h *hearingTurn) answer() {
	for _, id := range h.due.Answer {
		c := h.s.Challenge(id)
		p := h.s.Point(c.Point)
		if against, _ := h.found.Against(h.ask.Seat, restsOn(p)); p.IsAuthor(h.ask.Seat) && len(against) > 0 {
			h.add(&move.Concede{Point: p.ID, Reason: "the rules of the domain say the same: " + against[0]})
			continue
		}
		facts := p.Facts
		if len(facts) == 0 {
			facts = c.Facts
		}
		const text = "no rule of the domain connects these facts to the claim, so it stays unchanged"
		h.add(&hearing.Rebut{Challenge: id, Text: text, Facts: listed(facts)})
	}
	h.conclude()
}

// review withdraws contradictions that the rules do not share, and maintains the others.
func (h *hearingTurn) review() {
	for _, c := range hearing.Unreviewed(h.s, h.ask.Seat) {
		p := h.s.Point(c.Point)
		if facts, quote := h.found.Against(p.Authors[0], restsOn(p)); len(facts) > 0 {
			h.add(&move.Judge{Challenge: c.ID, Judgment: state.Rejected, Reason: quote})
			continue
		}
		h.add(&move.Judge{Challenge: c.ID, Judgment: state.Accepted, Reason: "no rule contradicts the claim"})
	}
}
