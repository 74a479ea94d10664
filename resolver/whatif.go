package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
	"moot/state"
)

// The bounds of the search: how many changes it reports, how many ways one change names, and how many challenges and
// items it tries.
const (
	MostChanges = 8
	mostClauses = 3
	MostTried   = 6
)

// Change is another ruling that a point could get, and what would lead to it.
type Change struct {
	// With is the condition: "With an accepted answer to C2, or with your ruling: agree".
	With string
	// Then is the ruling that the first way gives.
	Then state.Ruling
	Who  Mover
	// Ways are all the ways that were found, the nearest first.
	Ways []Way
}

// Way is a series of possible events and the ruling that follows.
type Way struct {
	// With describes the events: "an accepted answer to C2".
	With string
	Who  Mover
	// Past is set if it can no longer happen.
	Past bool
	// Events follow the last event of the session. Texts and references in them are
	// placeholders.
	Events []state.Payload
	Then   state.Ruling
	group  string
}

// Mover names the cause of a change.
type Mover string

// The movers, the nearest first: the seats' next moves, new or failing evidence, the end of the
// session, the user.
const (
	MovedBySeats    Mover = "seats"
	MovedByEvidence Mover = "evidence"
	MovedBySession  Mover = "session"
	MovedByUser     Mover = "user"
)

// Movers returns every Mover, the nearest first.
func Movers() []Mover { return []Mover{MovedBySeats, MovedByEvidence, MovedBySession, MovedByUser} }

// Distance returns the rank of the mover in Movers: 0 for the seats.
func (m Mover) Distance() int { return slices.Index(Movers(), m) }

// Candidate is something that could happen next.
type Candidate struct {
	Who Mover
	// With is a noun phrase: "an accepted answer to C2".
	With string
	// Of the candidates of one group that lead to the same ruling, only the first is reported.
	Group string
	Do    func(*Scenario)
}

// Candidates collects what could happen next to a point.
type Candidates struct {
	State *state.State
	Point *state.Point
	Basis *Basis
	List  []Candidate
}

// Add adds a candidate.
func (l *Candidates) Add(who Mover, with string, do func(*Scenario)) {
	l.List = append(l.List, Candidate{Who: who, With: with, Do: do})
}

// add adds a candidate that consists of one event.
func (l *Candidates) add(who Mover, with string, event state.Payload) {
	l.Add(who, with, func(x *Scenario) { x.Add(event) })
}

// search finds what would move a point: it applies each candidate to a copy of the state, adds the
// events that code adds next, rules again, and keeps the candidates with a different ruling.
type search struct {
	state  *state.State
	p      *state.Point
	format Format
	// now is the recorded ruling. quiet is the ruling if nobody does anything, or nil if the session cannot
	// continue that way.
	now   state.Ruling
	quiet *state.Ruling
	ways  []Way
}

// newSearch returns a search for what would change a ruling.
func newSearch(s *state.State, p *state.Point, f Format, base *state.Ruling) *search {
	w := &search{state: s, p: p, format: f, now: *base}
	if x := w.scenario(Candidate{Who: MovedBySession}); !x.Impossible {
		w.quiet = new(w.ruling(x))
	}
	return w
}

// Running reports whether seats still move.
func Running(s *state.State) bool { return !s.Over() && !s.WasClosed() }

// changes returns what would move the point, the nearest first, the number of omitted changes, and
// a sentence about their limits.
func (w *search) changes() (list []Change, more int, limit string) {
	if w.p.MergedInto != "" {
		return nil, 0, "Whatever changes " + w.p.MergedInto + " changes this point too."
	}
	l := &Candidates{State: w.state, Point: w.p, Basis: w.format.Basis(w.state, w.p)}
	w.format.Candidates(l)
	for _, c := range l.List {
		w.consider(c, w.scenario(c))
	}
	list, more = grouped(w.ways)
	return list, more, w.limit()
}

// scenario applies a candidate to a copy of the state.
func (w *search) scenario(c Candidate) *Scenario {
	x := &Scenario{State: w.state, Point: w.p.ID}
	x.Past = c.Who != MovedByUser && !Running(w.state)
	if c.Do != nil {
		c.Do(x)
	}
	if !x.Impossible {
		w.format.Follow(x)
	}
	return x
}

// consider keeps a candidate that moves the point, unless the point moves anyway.
func (w *search) consider(c Candidate, x *Scenario) {
	if x.Impossible {
		return
	}
	then := w.ruling(x)
	if samePlace(&then, &w.now) || c.Who != MovedBySession && w.quiet != nil && samePlace(&then, w.quiet) {
		return
	}
	known := func(way Way) bool { return c.Group != "" && way.group == c.Group && samePlace(&way.Then, &then) }
	if !slices.ContainsFunc(w.ways, known) {
		w.ways = append(w.ways,
			Way{With: c.With, Who: c.Who, group: c.Group, Past: x.Past, Events: x.events, Then: then})
	}
}

// ruling returns the ruling on the point after a scenario.
func (w *search) ruling(x *Scenario) state.Ruling { return w.format.RuleOne(x.State, x.CurrentPoint()) }

// samePlace reports whether two rulings have the same bucket, tag and status.
func samePlace(a, b *state.Ruling) bool {
	return a.Bucket == b.Bucket && a.Tag == b.Tag && a.Status == b.Status
}

// grouped joins the ways that lead to the same ruling, the nearest first, and counts the omitted
// ones.
func grouped(ways []Way) (list []Change, more int) {
	// Among the ways of one mover, those come first that lead to agreement.
	nearness := func(way *Way) int {
		if way.Then.Bucket == state.BucketAgreed {
			return 2 * way.Who.Distance()
		}
		return 2*way.Who.Distance() + 1
	}
	slices.SortStableFunc(ways, func(a, b Way) int { return nearness(&a) - nearness(&b) })
	for _, way := range ways {
		at := slices.IndexFunc(list, func(c Change) bool {
			return c.Ways[0].Past == way.Past && samePlace(&c.Then, &way.Then)
		})
		if at < 0 {
			list = append(list, Change{Then: way.Then, Who: way.Who})
			at = len(list) - 1
		}
		list[at].Ways = append(list[at].Ways, way)
	}
	for i := range list {
		list[i].With = condition(list[i].Ways)
	}
	more = max(0, len(list)-MostChanges)
	return list[:len(list)-more], more
}

// condition describes the first ways.
func condition(ways []Way) string {
	words := lists.Map(ways[:min(len(ways), mostClauses)], func(way Way) string { return "with " + way.With })
	switch more := len(ways) - mostClauses; {
	case more == 1:
		words = append(words, "in one other way")
	case more > 1:
		words = append(words, fmt.Sprintf("in %d other ways", more))
	}
	return Capital(strings.Join(words, ", or "))
}

// limit describes the limits of the changes, or returns "".
func (w *search) limit() string {
	switch {
	case w.state.WasClosed() && slices.ContainsFunc(w.ways, func(way Way) bool { return !way.Past }):
		return "The session is closed: only you can still change it. Fork it to let the seats continue from an " +
			"earlier event."
	case w.state.WasClosed():
		return "The session is closed and never rewritten; fork it to continue from an earlier event."
	case w.state.Over():
		return "The rounds are over: only you can change it now."
	case !slices.ContainsFunc(w.ways, func(way Way) bool { return !way.Past && way.Who != MovedByUser }):
		return "Only you can change it now."
	}
	return ""
}

// Scenario is a copy of a session with events that did not happen. It does not check whether the round leaves time
// for them.
type Scenario struct {
	State *state.State
	// Point is the id of the point.
	Point  string
	events []state.Payload
	// Past is set if no seat is asked anymore.
	Past bool
	// Impossible is set once an event cannot be applied.
	Impossible bool
}

// Add applies events.
func (x *Scenario) Add(payloads ...state.Payload) {
	if x.Impossible {
		return
	}
	open := *x.State
	open.Closed, open.Decided = false, 0 // to find what would have changed it, look at the time before the end
	next, _, err := state.Extend(&open, open.At, payloads...)
	if err != nil {
		x.Impossible = true
		return
	}
	x.State, x.events = next, append(x.events, payloads...)
}

// CurrentPoint returns the point in the scenario.
func (x *Scenario) CurrentPoint() *state.Point { return x.State.Point(x.Point) }

// RaiseRefutation raises the challenge that lets the author answer the newest refutation (RD6). It
// returns the id of the challenge, or "" if it cannot be raised.
func (x *Scenario) RaiseRefutation() string {
	p := x.CurrentPoint()
	if x.Impossible || x.State.Over() || x.State.Round >= LastRound(x.State) || !Debated(x.State, p) {
		return ""
	}
	at := slices.IndexFunc(p.Evidence, func(id string) bool { return Unanswered(x.State, p, x.State.Item(id)) })
	if at < 0 {
		return ""
	}
	against := x.State.Item(p.Evidence[at])
	id := state.NextID('C', x.State.Challenges.Len())
	x.Add(RefutationChallenge(id, against))
	return id
}

// Unanswered reports whether an item refutes the point and no challenge has ever rested on it
// (RD6).
func Unanswered(s *state.State, p *state.Point, item *ledger.Evidence) bool {
	return item.Proven() && item.Relation == ledger.Refutes && item.Contested() == nil &&
		!slices.ContainsFunc(p.Challenges, func(id string) bool { return restsOn(s.Challenge(id), item) })
}

// RefutationChallenge returns the challenge that code raises for a verified refutation, so that the
// author can answer (RD6).
func RefutationChallenge(id string, item *ledger.Evidence) *state.ChallengeRaised {
	return &state.ChallengeRaised{
		ID: id, Point: item.Point, By: state.Protocol, Kind: state.Skeptical, About: item.ID,
		Objection: item.ID + " (" + item.Reference + ") refutes the point.",
		UpgradeIf: "evidence that ranks as high, or why " + item.ID + " does not bear on it",
	}
}
