package resolver

import (
	"cmp"
	"fmt"
	"slices"

	"moot/state"
)

// The bounds of an explanation: how many changes it shows, how many ways a
// change names, how many challenges and evidence items are tried one by one,
// and up to how many challenges all are tried at once: a seat raises at most 7
// on a point.
const (
	mostChanges  = 8
	mostClauses  = 3
	mostTried    = 6
	mostTogether = 24
)

// whatIf looks for what would move a point: it lets events happen to a copy of
// the state and asks the rules.
type whatIf struct {
	*bench
	base state.Ruling
	ways []Way
	// settled is the course of acceptAll, once it was asked for.
	settled *supposed
}

// running reports whether seats still move; else what they could have done is
// told as what would have been.
func (w *whatIf) running() bool { return !w.s.Over() && !w.s.Closed }

// changes returns what would move the point, by where it would go, the nearest
// first, and how many were left out.
func (w *whatIf) changes() ([]Change, int) {
	if w.p.MergedInto != "" {
		return nil, 0
	}
	if w.table != nil {
		return w.panelChanges()
	}
	w.bySeats()
	w.byEvidence()
	w.bySession()
	w.byUser()
	return grouped(w.ways)
}

// grouped puts together the ways that lead to the same place, the nearest first,
// and counts the places that were left out.
func grouped(ways []Way) ([]Change, int) {
	slices.SortStableFunc(ways, func(a, b Way) int { return cmp.Compare(a.distance(), b.distance()) })
	var list []Change
	for i := range ways {
		way := &ways[i]
		at := slices.IndexFunc(list, func(c Change) bool {
			return c.Ways[0].Past == way.Past && sameEnd(&c.Then, &way.Then) && c.Proposal == way.Proposal
		})
		if at < 0 {
			list = append(list, Change{Then: way.Then, Words: Where(&way.Then), Who: way.Who, Proposal: way.Proposal})
			at = len(list) - 1
		}
		list[at].Ways = append(list[at].Ways, *way)
	}
	for i := range list {
		list[i].If = condition(list[i].Ways)
	}
	more := max(0, len(list)-mostChanges)
	return list[:len(list)-more], more
}

// sameEnd reports whether two rulings put a point into the same place.
func sameEnd(a, b *state.Ruling) bool {
	return a.Bucket == b.Bucket && a.Tag == b.Tag && a.Status == b.Status
}

// condition joins the first ways into one clause.
func condition(ways []Way) string {
	word := "if "
	if ways[0].Past {
		word = "had "
	}
	var clauses []string
	for _, way := range ways[:min(len(ways), mostClauses)] {
		clauses = append(clauses, word+way.If)
	}
	switch more := len(ways) - mostClauses; {
	case more == 1:
		clauses = append(clauses, "in one other way")
	case more > 1:
		clauses = append(clauses, fmt.Sprintf("in %d other ways", more))
	}
	text := capital(clauses[0])
	for _, c := range clauses[1:] {
		text += ", or " + c
	}
	return text
}

// limit says in a sentence what bounds the changes, or returns "".
func (w *whatIf) limit() string {
	switch {
	case w.p.MergedInto != "":
		return "What changes " + w.p.MergedInto + " changes this point with it."
	case w.s.Closed:
		return "The session is closed and is never rewritten; a fork goes on from an earlier event."
	case slices.ContainsFunc(w.ways, func(way Way) bool { return !way.Past && way.Who != MovedByUser }):
		return ""
	case w.s.Over():
		return "The debate is over: nothing but you can change it now."
	}
	return "Nothing but you can change it now."
}

// consider keeps a course of events that is possible and moves the point. The
// clause reads well after "if", the other one after "had".
func (w *whatIf) consider(who Mover, clause, had string, x *supposed) {
	if x.impossible {
		return
	}
	x.settle()
	then := x.ends()
	if sameEnd(then, &w.base) {
		return
	}
	way := Way{If: clause, Who: who, Events: x.events, Then: *then, Past: x.past, far: x.far}
	if x.past {
		way.If = had
	}
	w.ways = append(w.ways, way)
}

// considerNew keeps a longer course only where no shorter one leads there.
func (w *whatIf) considerNew(who Mover, clause, had string, x *supposed) {
	if x.impossible {
		return
	}
	x.settle()
	then := x.ends()
	for i := range w.ways {
		if sameEnd(&w.ways[i].Then, then) {
			return
		}
	}
	w.consider(who, clause, had, x)
}

// supposed is a course of events that did not happen.
type supposed struct {
	s      state.State
	point  string
	events []state.Payload
	// past says that the course is told as what would have been: windows and
	// rounds are not looked at then.
	past bool
	// far is as in Way.
	far bool
	// impossible is set once an event cannot follow.
	impossible bool
}

// suppose begins a course of the seats' events after the last one.
func (w *whatIf) suppose() *supposed {
	return &supposed{s: *w.s, point: w.p.ID, past: !w.running()}
}

// supposeUser begins a course of what the user may do, at any time before the
// session is closed.
func (w *whatIf) supposeUser() *supposed {
	return &supposed{s: *w.s, point: w.p.ID, past: w.s.Closed}
}

// supposePast begins a course that is no longer possible.
func (w *whatIf) supposePast() *supposed {
	return &supposed{s: *w.s, point: w.p.ID, past: true}
}

// branch is the course so far, to go on from in another way.
func (x *supposed) branch() *supposed {
	other := *x
	other.events = slices.Clip(x.events)
	return &other
}

// add lets events happen.
func (x *supposed) add(payloads ...state.Payload) *supposed {
	for _, p := range payloads {
		if x.impossible {
			return x
		}
		next, err := state.Apply(x.s, state.Event{Seq: x.s.Seq + 1, At: x.s.At, Data: p})
		if err != nil {
			return x.cannot()
		}
		x.s, x.events = next, append(x.events, p)
	}
	return x
}

func (x *supposed) cannot() *supposed {
	x.impossible = true
	return x
}

// ends is the ruling that the course leads to.
func (x *supposed) ends() *state.Ruling {
	r := systemOf(x.s.Settings.Format).ruleOne(&x.s, x.here())
	return &r
}

// here is the point as the course has it.
func (x *supposed) here() *state.Point { return x.s.Point(x.point) }

// window goes on to the next round where the seat has had its window of the
// stage in this one (PH3).
func (x *supposed) window(seat state.Seat, stage state.Stage) {
	if x.past {
		return
	}
	if x.s.Settings.Format == state.FormatCouncil {
		x.councilWindow(seat, stage)
		return
	}
	replies := x.s.AskedOf(seat, stage).Replies
	had := replies > 0
	switch stage {
	case state.StageAnswer:
		had = had || x.s.Round < 2 || x.s.Coverage == x.s.Round
	case state.StageEvaluate, state.StageJudge:
		// A seat that left something out is asked once more.
		had = replies > 1 || x.s.Coverage > 0 && x.s.Coverage == x.s.Round
	case state.StageMap, state.StagePropose, state.StageRemind, state.StageCoverage, state.StageStress, state.StageArbiter,
		state.StageTriage, state.StageVote,
		state.StageCritique, state.StageAttack, state.StageRebut, state.StageAdvise, state.StageMend, state.StageSynthesize,
		state.StageArgue, state.StageProbe, state.StageExchange, state.StageContest:
	}
	if had {
		x.nextRound()
	}
}

func (x *supposed) nextRound() *supposed {
	if x.past {
		return x
	}
	if x.s.Round >= LastRound(&x.s) {
		return x.cannot()
	}
	return x.add(&state.RoundStarted{Round: x.s.Round + 1})
}

// evaluation is the stage in which points are judged in the present round.
func (x *supposed) evaluation() state.Stage {
	if x.s.Round <= 1 {
		return state.StageEvaluate
	}
	return state.StageJudge
}
