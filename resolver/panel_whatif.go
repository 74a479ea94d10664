package resolver

import (
	"fmt"
	"slices"

	"moot/ledger"
	"moot/state"
)

// panelChanges is changes of a point of a panel: what is argued moves as in a
// consultation; else votes, the marks, evidence and the user move it. What bears
// on a conflict has it settled anew.
func (w *whatIf) panelChanges() ([]Change, int) {
	if w.p.MergedInto != "" {
		return nil, 0
	}
	argued := w.argued()
	if argued {
		w.bySeats()
	} else {
		w.byVotes()
	}
	if argued {
		w.byEvidence()
	} else {
		w.onChecks()
		w.onPanelEvidence()
		w.onLoss()
	}
	w.bySession()
	w.byConflicts()
	w.byUser()
	return grouped(w.ways)
}

// settle applies the strategy again to what it bears on, as the protocol does.
func (x *supposed) settle() *supposed {
	if x.impossible || x.s.Panel.Conflicts.Len() == 0 || x.s.Over() && !x.past {
		return x
	}
	t := newTable(&x.s)
	for _, c := range t.live {
		if c.Argued {
			continue
		}
		if now := t.Settle(c); c.Settlement == nil || !SameSettlement(c.Settlement, &now) {
			x.add(&state.ConflictSettled{ID: c.ID, Settlement: now})
		}
	}
	return x
}

// byVotes tries the sides that panelists may still take who were not heard on a
// conflict of the point: each by itself, and all together.
func (w *whatIf) byVotes() {
	t, claim := w.table, w.claim()
	for _, c := range t.about[claim] {
		if c.Argued || !CountsVotes(t.s) || w.running() && w.s.Round != 1 {
			continue
		}
		other := t.opposite(c, claim)
		silent := t.unheard(c)
		for _, side := range []struct {
			claim *Claim
			word  string
		}{{claim, w.p.ID}, {other, other.Points[0]}} {
			all := w.suppose()
			for _, seat := range silent {
				vote := t.vote(c, side.claim, seat)
				w.considerNew(MovedBySeats, fmt.Sprintf("%s votes for %s in %s", seat, side.word, c.ID), fmt.Sprintf("%s voted for %s in %s", seat, side.word, c.ID),
					w.suppose().add(vote...))
				all.add(vote...)
			}
			if len(silent) > 1 {
				w.considerNew(MovedBySeats, fmt.Sprintf("%s vote for %s in %s", seatNames(silent), side.word, c.ID), fmt.Sprintf("%s voted for %s in %s", seatNames(silent), side.word, c.ID), all)
			}
		}
	}
}

// onPanelEvidence tries what evidence would have done that nobody can bring any
// more.
func (w *whatIf) onPanelEvidence() {
	if w.running() {
		return
	}
	for _, kind := range []ledger.Type{ledger.Textual, ledger.Execution} {
		w.considerNew(MovedByEvidence, "", supportWords(kind)+" supported it", w.supposePast().evidence(kind, ledger.Supports))
		w.considerNew(MovedByEvidence, "", supportWords(kind)+" refuted it", w.supposePast().evidence(kind, ledger.Refutes))
	}
}

// vote is what a seat says that takes a side in a conflict: AGREE with it, and
// REJECT of the other where it had agreed with that.
func (t *Table) vote(c *state.Conflict, side *Claim, seat state.Seat) []state.Payload {
	votes := []state.Payload{&state.PointClassified{Point: side.Points[0], By: seat, Class: state.Agree, Reason: "a reason"}}
	if other := t.opposite(c, side); t.agrees(other, seat) {
		votes = append(votes, &state.PointClassified{Point: other.Points[0], By: seat, Class: state.Reject, Reason: "a reason"})
	}
	return votes
}

// unheard are the panelists that hold neither side of a conflict and were not
// asked about it yet; once the session is over, all that hold neither.
func (t *Table) unheard(c *state.Conflict) []state.Seat {
	var seats []state.Seat
	sides := t.between[c.ID]
	for _, seat := range t.seats {
		holds := slices.Contains(sides[0].Holders, seat) || slices.Contains(sides[1].Holders, seat)
		heard := t.s.AskedOf(seat, state.StageVote).Replies > 0 || t.agrees(sides[0], seat) || t.agrees(sides[1], seat)
		if !holds && !t.s.Panel.Misses(seat) && (!heard || t.s.Over() || t.s.Closed) {
			seats = append(seats, seat)
		}
	}
	return seats
}

// byConflicts tries what the user may do about the conflicts of the point: answer
// the question about one, mark the pair anew, agree with the other side.
func (w *whatIf) byConflicts() {
	if w.s.Closed {
		return
	}
	t, claim := w.table, w.claim()
	for i, c := range t.about[claim] {
		if i == mostTried {
			break
		}
		other := t.opposite(c, claim)
		w.onConflictQuestion(c)
		w.consider(MovedByUser, fmt.Sprintf("you agree with %s, the other side of %s", other.Points[0], c.ID), "",
			w.supposeUser().add(&state.OverrideMade{What: state.OverrideAgree, Point: other.Points[0]}))
		if !w.running() {
			continue
		}
		for _, mark := range []struct {
			pair state.PointsPaired
			word string
		}{
			{state.PointsPaired{}, "have nothing to do with each other"},
			{state.PointsPaired{Same: true, Alike: true}, "say the same"},
		} {
			mark.pair.A, mark.pair.B, mark.pair.By = t.here(c.A), t.here(c.B), state.User
			w.consider(MovedByUser, fmt.Sprintf("you mark that %s and %s %s", mark.pair.A, mark.pair.B, mark.word), "",
				w.supposeUser().add(&mark.pair, &state.ConflictDropped{ID: c.ID, By: state.User, Reason: "the user marked the pair anew"}).settle())
		}
	}
}

// here is the id of what a point is now.
func (t *Table) here(id string) string { return current(t.s, id) }

// onConflictQuestion tries each answer to the question about a conflict.
func (w *whatIf) onConflictQuestion(c *state.Conflict) {
	for _, q := range w.s.Questions.All() {
		if q.Answered || q.About != state.AboutConflict+c.ID {
			continue
		}
		sides := w.table.between[c.ID]
		for _, option := range q.Options {
			decides := option == state.AnswerNeither || option == sides[0].Points[0] || option == sides[1].Points[0]
			if !decides {
				continue
			}
			x := w.supposeUser().add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: option})
			for _, side := range sides {
				what := state.OverrideDismiss
				if option == side.Points[0] {
					what = state.OverrideAgree
				}
				for _, id := range side.Points {
					x.add(&state.OverrideMade{What: what, Point: id, Reason: state.DecidedReason(c.ID)})
				}
			}
			w.consider(MovedByUser, "you answer "+q.ID+" with "+quote(option), "", x)
		}
	}
}
