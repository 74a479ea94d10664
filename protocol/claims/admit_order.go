package claims

import (
	"fmt"
	"slices"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// The unit is the reply (ST0): the moves of a reply give one word on a point together. Their order does
// not matter, and where they differ the most critical one holds.

// defends reports whether the reply answers a challenge on the point.
func (a *Admitter) defends(p *state.Point) bool {
	return slices.ContainsFunc(a.referenced, func(id string) bool {
		return a.State.Challenge(id).Point == p.ID && !slices.Contains(a.givesWay, id)
	})
}

// unitBegan returns the number of the last event before the seat's current word on the point began. The word
// includes earlier replies of the round if no other seat spoke on the point since. A person may change its mind in
// each reply.
func (a *Admitter) unitBegan(p *state.Point) int {
	if a.State.ByPerson(a.Seat) {
		return a.Began
	}
	spoke := a.othersSpoke(p)
	for _, c := range p.Classes {
		if c.Seat == a.Seat && c.Round == a.State.Round && c.Seq > spoke {
			return min(a.Began, c.Seq-1)
		}
	}
	return a.Began
}

// othersSpoke returns the number of the last event in which another seat spoke on the point.
func (a *Admitter) othersSpoke(p *state.Point) int {
	last := 0
	hear := func(by state.Seat, seq int) {
		if by != a.Seat && by != state.Protocol {
			last = max(last, seq)
		}
	}
	for i := range p.Classes {
		hear(p.Classes[i].Seat, p.Classes[i].Seq)
	}
	for _, c := range p.Concessions {
		hear(c.Seat, c.Seq)
	}
	for _, id := range p.Challenges {
		c := a.State.Challenge(id)
		hear(resolver.JudgeOf(a.State, c), c.Seq)
		for i := range c.Defenses {
			hear(c.Defenses[i].By, c.Defenses[i].Seq)
		}
	}
	for _, id := range p.Evidence {
		item := a.State.Item(id)
		hear(state.Seat(item.OfferedBy), item.Seq)
		for _, k := range item.Contests {
			hear(state.Seat(k.Seat), k.Seq)
		}
		for _, k := range item.Accepted {
			hear(state.Seat(k.Seat), k.Seq)
		}
	}
	return last
}

// uncaused admits a reversal without a cause (ST1): the earlier position still applies, and the drift is recorded.
// Before CRYSTALLIZATION the flaw is not lost: it becomes a SKEPTICAL challenge, unless the seat said it before.
func (a *Admitter) uncaused(p *state.Point, m *move.Classify, said *state.Classification) error {
	if len(m.Citations) > 0 {
		return a.deferReversal(p, m, said)
	}
	if err := a.keepPosition(p, string(said.Class), string(m.Class), ""); err != nil {
		return err
	}
	if m.Class == state.Agree || a.State.Phase == state.Crystallization {
		return nil
	}
	doubt := *m
	doubt.Class = state.Skeptical
	if err := a.challenge(p, &doubt); err != nil {
		return err
	}
	a.Report(p.ID, m.Confidence, m.Because)
	return nil
}

// deferReversal admits a reversal whose only possible cause is a citation that comes along with it. Whether it is
// one shows when the citations are checked: settleReversals decides then.
func (a *Admitter) deferReversal(p *state.Point, m *move.Classify, said *state.Classification) error {
	offered, raised, relation := a.State.Evidence.Len(), "", ledger.Supports
	if m.Class != state.Agree {
		relation = ledger.Refutes
		raised = a.State.NextChallenge()
		if err := a.challenge(p, m); err != nil {
			return err
		}
		if raised == a.State.NextChallenge() {
			raised = ""
		}
	}
	a.OfferAll(p.ID, m.Citations, move.LabelNone, relation, raised)
	var rests []string
	for i := offered; i < a.State.Evidence.Len(); i++ {
		rests = append(rests, state.NextID('E', i))
	}
	a.Report(p.ID, m.Confidence, m.Because)
	if len(rests) == 0 {
		return a.keepPosition(p, string(said.Class), string(m.Class), raised)
	}
	return a.Add(&state.PointClassified{
		Point: p.ID, By: a.Seat, Class: m.Class, Reason: plain.FirstNonBlank(m.Flaw, m.Reason),
		Rests: rests, Challenge: raised,
	})
}

// settleReversals decides on the reversals whose citations were checked (ST1): one that is verified is the cause.
// If none is, the earlier position applies.
func settleReversals(d *protocol.Draft) error {
	for _, p := range LivePoints(d.State) {
		for _, r := range p.Deferred {
			said := p.VerdictBefore(r.By, r.Seq)
			if said == nil || p.Reopened > r.Seq {
				continue
			}
			a := &Admitter{Draft: d, Seat: r.By, Began: d.State.LastTurn(r.By)}
			verified := slices.IndexFunc(r.Rests, func(id string) bool { return d.State.Item(id).Proven() })
			switch {
			case verified >= 0:
				r.Rests, r.Challenge = nil, ""
				word := r.PointClassified
				d.Record(&word)
				if r.Class == state.Agree {
					a.takeBack(d.State.Point(p.ID))
					a.Agrees(p, r.Reason)
				}
				if err := RecordRevision(a.Draft, r.By, fmt.Sprintf("%s on %s from %s to %s: %s", r.By, p.ID, said.Class, r.Class,
					ReasonText(r.Reason))); err != nil {
					return err
				}
				if err := a.AcceptSupport(); err != nil {
					return err
				}
			case !slices.ContainsFunc(r.Rests, func(id string) bool { return !d.State.Item(id).Checked }):
				if err := a.keepPosition(p, string(said.Class), string(r.Class), r.Challenge); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
