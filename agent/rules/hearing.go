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

// maxProbes is the maximum number of challenges by the oracle.
const maxProbes = 3

// hearingTurn is a turn in a hearing. It reports what the rules of the domain find in the packet.
type hearingTurn struct {
	*turn
	found *domain.Case
}

// rulesOf reads the rules of a domain.
func (r *Rules) rulesOf(d *domain.Domain) (*domain.Rules, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.parsed != nil && r.text == d.Name+"\n"+d.Rules {
		return r.parsed, nil
	}
	parsed, err := domain.Of(d)
	if err == nil {
		r.parsed, r.text = parsed, d.Name+"\n"+d.Rules
	}
	return parsed, err
}

// hear makes the moves of a seat in a hearing.
func (r *Rules) hear(t *turn, d *domain.Domain) error {
	rules, err := r.rulesOf(d)
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
			return p.Round >= h.s.Round // part of an argument that the seat has not seen
		})
		h.contradict(claims, len(claims))
		h.answer()
	case state.StageAnswer:
		h.answer()
	case state.StageJudge:
		for _, c := range hearing.Unreviewed(h.s, h.ask.Seat) {
			p := h.s.Point(c.Point)
			if facts, quote := h.found.Against(p.Authors[0], restsOn(p)); len(facts) > 0 {
				h.add(&move.Judge{Challenge: c.ID, Judgment: state.Rejected, Reason: quote})
				continue
			}
			h.add(&move.Judge{Challenge: c.ID, Judgment: state.Accepted, Reason: "no rule contradicts the claim"})
		}
	}
	return nil
}

// argue makes the claims of a side. If rules do not fill the other side, the skeptic only states what the rules know
// about the facts that the other side cites.
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

// listed returns the facts that fit into a move.
func listed(facts []string) []string { return facts[:min(len(facts), move.MaxItems)] }

// checks reports whether the other side is not filled by rules, so that its claims are checked.
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

// restsOn returns the facts of a claim. A claim without facts says that the packet has nothing.
func restsOn(p *state.Point) []string {
	if len(p.Facts) == 0 {
		return []string{domain.WholePacket}
	}
	return p.Facts
}

// contradict cites facts against claims of the other side, once per claim.
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

// audit accepts or contradicts the claims of the other side. It skips claims whose facts no rule mentions.
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

// answer defends claims against contradictions and challenges with their facts.
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
