package panel

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// Evidence comes before votes. If evidence that counts supports one side of an empirical conflict and none supports the
// other, the panelists on the other side are shown it and may contest it, cite evidence of their own or concede. Then
// it decides the conflict and counts against the other side's points. Until then the conflict is open and nobody
// votes on it.

// evidenced returns the side of a live conflict that evidence supports, with its items, and the other side, which has
// none. They are nil if both sides or neither have evidence, if the conflict is about value judgments, or if the
// session leaves all conflicts to others.
func (t *Table) evidenced(c *Conflict) (ahead, behind *Claim, items []*ledger.Evidence) {
	if c.Argued || strategy(t.s) == conflict.Escalate {
		return nil, nil, nil
	}
	sides := t.between[c.ID]
	for _, side := range sides {
		if slices.ContainsFunc(t.points(side), func(p *state.Point) bool { return !t.wholeBasis(p).Empirical() }) {
			return nil, nil, nil
		}
	}
	for i, side := range sides {
		mine, theirs := firm(t.grounds(side, sides[1-i])), firm(t.grounds(sides[1-i], side))
		if len(mine) > 0 && len(theirs) == 0 && !t.fallen(side) {
			return side, sides[1-i], mine
		}
	}
	return nil, nil, nil
}

// heard reports whether each panelist that made a claim had a turn after the item and the conflict were found, or the
// user accepted the item (RV2). Panelists that are missing get no turn; if all are missing, it is false.
func (t *Table) heard(c *Conflict, claim *Claim, item *ledger.Evidence) bool {
	if item.OfferedBy == string(state.User) || item.AcceptedBy(string(state.User)) {
		return true
	}
	makers := t.makers(claim)
	return len(makers) > 0 && !slices.ContainsFunc(makers, func(seat state.Seat) bool {
		return t.s.LastTurn(seat) < max(item.Seq, c.Found)
	})
}

// makers returns the panelists that can be asked about a claim of theirs, also if they gave it up.
func (t *Table) makers(claim *Claim) []state.Seat {
	return slices.DeleteFunc(slices.Clone(t.seats), func(seat state.Seat) bool {
		return t.s.Misses(seat) || !slices.ContainsFunc(claim.Points, func(id string) bool {
			return t.s.Point(id).IsAuthor(seat)
		})
	})
}

// refuted returns the item that decided a conflict against the side that lost it, or nil. A vote may have decided
// before the evidence came.
func (t *Table) refuted(c *Conflict) *ledger.Evidence {
	ahead, behind, items := t.evidenced(c)
	if t.winner(c) != ahead {
		return nil
	}
	for _, item := range items {
		if t.heard(c, behind, item) {
			return item
		}
	}
	return nil
}

// hearOtherSide shows the panelists on the other side of a conflict the evidence against their claim, once for each
// item. What they cite for it is put to the orchestrator before anything is decided.
func hearOtherSide(s *state.State) (protocol.Turn, bool) {
	t := NewTable(s)
	var asks []protocol.Ask
	for _, seat := range present(s) {
		asked := s.AskedOf(seat, state.StageAnswer)
		if asked.Failed > 1 || len(t.unheard(seat)) == 0 {
			continue
		}
		asks = append(asks, protocol.Ask{
			Seat: seat, Stage: state.StageAnswer, Moves: []move.Kind{
				move.KindContest, move.KindCite, move.KindConcede, move.KindDefend, move.KindAccept,
				move.KindFlag,
			},
			Retry: protocol.RetryOf(state.Asked{Failed: asked.Failed, Refusals: asked.Refusals}),
		})
	}
	asked := s.AskedOf(state.Orchestrator, state.StageAnswer)
	if len(asks) == 0 && asked.Failed < 2 && !s.Misses(state.Orchestrator) && len(t.unjudged()) > 0 {
		asks = append(asks, protocol.Ask{
			Seat: state.Orchestrator, Stage: state.StageAnswer,
			Moves: []move.Kind{move.KindAccept, move.KindContest, move.KindFlag},
			Retry: protocol.RetryOf(state.Asked{Failed: asked.Failed, Refusals: asked.Refusals}),
		})
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// unjudged returns the conflicts whose side without evidence has cited some that the orchestrator has not seen.
func (t *Table) unjudged() []*Conflict {
	weigh := claims.ToWeigh(t.s, state.Orchestrator)
	return lists.Filter(t.Conflicts, func(c *Conflict) bool {
		_, behind, _ := t.evidenced(c)
		return behind != nil && slices.ContainsFunc(weigh, func(item *ledger.Evidence) bool {
			return item.Relation == ledger.Supports && t.Claim(item.Point) == behind
		})
	})
}

// unheard returns the conflicts about which a seat must still be asked: evidence against its claim is new to it.
func (t *Table) unheard(seat state.Seat) []*Conflict {
	var found []*Conflict
	for _, c := range t.Conflicts {
		ahead, behind, items := t.evidenced(c)
		if ahead == nil || !slices.Contains(t.makers(behind), seat) {
			continue
		}
		// One item that the whole other side had its turn on is enough.
		if !slices.ContainsFunc(items, func(item *ledger.Evidence) bool { return t.heard(c, behind, item) }) &&
			t.s.LastTurn(seat) < max(items[0].Seq, c.Found) {
			found = append(found, c)
		}
	}
	return found
}

// isHearing reports whether a seat was shown evidence against its claim, and does not argue. Conflicts are argued from
// round 2 on.
func isHearing(s *state.State, ask protocol.Ask) bool {
	return ask.Stage == state.StageAnswer && s.Round <= 1
}

// hear admits a move of a panelist that was shown evidence against its claim. A defense counts by the evidence that it
// cites; words alone do not contest an item (RV2).
func hear(a *claims.Admitter, m move.Move) error {
	switch m := m.(type) {
	case *move.Flag:
		return nil
	case *move.Defend:
		c := a.State.Challenge(m.Challenge)
		switch {
		case strings.HasPrefix(m.Challenge, "E"):
			return a.Move(m)
		case c == nil:
			return protocol.Refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
		case !a.State.Point(c.Point).IsAuthor(a.Seat):
			return protocol.Refuse("not-author", "%s is not for %s to answer", c.ID, a.Seat)
		case len(m.Citations) == 0:
			return protocol.Refuse("words-only", "words do not change what the evidence shows: CONTEST it with a reason, or "+
				"CITE evidence for %s", c.Point)
		}
		a.OfferAll(c.Point, m.Citations, move.LabelNone, ledger.Supports, "")
		return nil
	case *move.Cite, *move.Contest, *move.Concede, *move.Accept:
		return a.Move(m)
	}
	return protocol.Refuse("unknown-move", "%s is not allowed in this turn", move.KindOf(m))
}

// listEvidenceAgainst lists the conflicts that evidence is about to decide against the seat.
func listEvidenceAgainst(b *claims.PromptBuilder) {
	inner := &strings.Builder{}
	t := NewTable(b.State)
	conflicts, labels := t.unheard(b.Ask.Seat), [2]string{"your claim:", "the other side:"}
	if b.Ask.Seat == state.Orchestrator {
		conflicts, labels = t.unjudged(), [2]string{"this side cited evidence that nobody judged:", "the other side:"}
	}
	for _, c := range conflicts {
		ahead, behind, _ := t.evidenced(c)
		fmt.Fprintf(inner, "%s:\n", c.ID)
		for i, side := range []*Claim{behind, ahead} {
			fmt.Fprintf(inner, "   %s\n", labels[i])
			for _, p := range t.points(side) {
				listPoint(inner, "   ", b.State, p)
			}
		}
	}
	b.Line("Conflicts that evidence is about to decide:")
	b.Fence("conflicts", inner.String())
}

// defended ends the challenges that a conflict raised against the side that evidence decided it for.
func (t *Table) defended(c *Conflict, r *Settlement) []state.Payload {
	if !r.Settled {
		return nil
	}
	// Where anything else settles a conflict, no side is ahead.
	ahead, _, _ := t.evidenced(c)
	var ended []state.Payload
	for _, id := range c.Challenges {
		k := t.s.Challenge(id)
		if t.stance[t.s.Live(k.Point).ID] != ahead || !resolver.Answerable(k) {
			continue
		}
		ended = append(ended,
			&state.ChallengeAnswered{Challenge: id, By: state.Protocol, Text: r.Reasoning},
			&state.ChallengeJudged{
				Challenge: id, By: state.Protocol, Judgment: state.Accepted,
				Reason: "evidence that counts supports " + ahead.Points[0],
			})
	}
	return ended
}
