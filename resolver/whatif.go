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

// Change is one other place in which a point would be, and what leads there.
type Change struct {
	// With is the condition: "With an accepted answer to C2, or with your ruling: agree".
	With string
	// Then is the ruling that the first way gives.
	Then state.Ruling
	Who  Mover
	// Ways are all the ways that were found, the nearest first.
	Ways []Way
}

// Way is a series of events that could happen, and the ruling that follows.
type Way struct {
	// With names what happens: "an accepted answer to C2".
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

// The movers, the nearest first: the seats' next moves, evidence that comes
// or fails, the end of the session, the user.
const (
	MovedBySeats    Mover = "seats"
	MovedByEvidence Mover = "evidence"
	MovedBySession  Mover = "session"
	MovedByUser     Mover = "user"
)

// Movers returns every Mover, the nearest first.
func Movers() []Mover { return []Mover{MovedBySeats, MovedByEvidence, MovedBySession, MovedByUser} }

// Distance returns how far away the mover is: 0 for the seats, more for the user.
func (m Mover) Distance() int { return slices.Index(Movers(), m) }

// Candidate is one thing that somebody could do next.
type Candidate struct {
	Who Mover
	// With is a noun phrase: "an accepted answer to C2".
	With string
	// Of the candidates of one group that lead to the same place only the first is reported.
	Group string
	Do    func(*Course)
}

// Candidates collects what seats, evidence and the user could do next about a point.
type Candidates struct {
	State *state.State
	Point *state.Point
	Basis *Basis
	List  []Candidate
}

// Add adds something that could happen.
func (l *Candidates) Add(who Mover, with string, do func(*Course)) {
	l.List = append(l.List, Candidate{Who: who, With: with, Do: do})
}

// add adds one event that could follow.
func (l *Candidates) add(who Mover, with string, event state.Payload) {
	l.Add(who, with, func(x *Course) { x.Add(event) })
}

// search finds what would move a point: it applies each candidate to a copy of the
// state, adds what code adds next, rules again, and keeps what differs.
type search struct {
	state  *state.State
	p      *state.Point
	format Format
	// now is the ruling on the record, quiet the one that the point gets if nobody does anything; it is nil if the
	// session cannot continue that way.
	now   state.Ruling
	quiet *state.Ruling
	ways  []Way
}

// newSearch returns a search for what would change a ruling.
func newSearch(s *state.State, p *state.Point, f Format, base *state.Ruling) *search {
	w := &search{state: s, p: p, format: f, now: *base}
	if x := w.course(Candidate{Who: MovedBySession}); !x.Impossible {
		w.quiet = new(w.ruling(x))
	}
	return w
}

// Running reports whether seats still move.
func Running(s *state.State) bool { return !s.Over() && !s.Closed }

// changes returns what would move the point, the nearest first, how many changes
// were left out, and a sentence about what bounds them.
func (w *search) changes() (list []Change, more int, limit string) {
	if w.p.MergedInto != "" {
		return nil, 0, "What changes " + w.p.MergedInto + " changes this point with it."
	}
	l := &Candidates{State: w.state, Point: w.p, Basis: w.format.Basis(w.state, w.p)}
	w.format.Candidates(l)
	for _, c := range l.List {
		w.consider(c, w.course(c))
	}
	list, more = grouped(w.ways)
	return list, more, w.limit()
}

// course applies a candidate to a copy of the state.
func (w *search) course(c Candidate) *Course {
	x := &Course{State: w.state, Point: w.p.ID}
	x.Past = w.state.Closed || c.Who != MovedByUser && !Running(w.state)
	if c.Do != nil {
		c.Do(x)
	}
	if !x.Impossible {
		w.format.Follow(x)
	}
	return x
}

// consider keeps a possible course that moves the point, unless that happens anyway.
func (w *search) consider(c Candidate, x *Course) {
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

// ruling is the ruling on the point at the end of a course.
func (w *search) ruling(x *Course) state.Ruling { return w.format.RuleOne(x.State, x.Here()) }

// samePlace reports whether two rulings put a point into the same place.
func samePlace(a, b *state.Ruling) bool {
	return a.Bucket == b.Bucket && a.Tag == b.Tag && a.Status == b.Status
}

// grouped joins the ways that lead to the same place, the nearest first, and counts
// the places that were left out.
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

// condition names the first ways.
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

// limit says what bounds the changes, or "".
func (w *search) limit() string {
	switch {
	case w.state.Closed:
		return "The session is closed and never rewritten; fork it to continue from an earlier event."
	case w.state.Over():
		return "The rounds are over: only you can change it now."
	case !slices.ContainsFunc(w.ways, func(way Way) bool { return !way.Past && way.Who != MovedByUser }):
		return "Only you can change it now."
	}
	return ""
}

// Course is a copy of a session with events that did not happen. It does not ask whether the round leaves time for
// them.
type Course struct {
	State *state.State
	// Point is the id of the point that it is about.
	Point  string
	events []state.Payload
	// Past is set if nobody is asked any more.
	Past bool
	// Impossible is set once an event cannot follow.
	Impossible bool
}

// Add applies events.
func (x *Course) Add(payloads ...state.Payload) {
	if x.Impossible {
		return
	}
	open := *x.State
	open.Closed = false // what would have changed it is a question about the time before the end
	next, _, err := state.Extend(&open, open.At, payloads...)
	if err != nil {
		x.Impossible = true
		return
	}
	x.State, x.events = next, append(x.events, payloads...)
}

// Here is the point in the course.
func (x *Course) Here() *state.Point { return x.State.Point(x.Point) }

// RaiseRefutation raises the challenge that lets the author answer the newest refutation (RD6).
// It returns the id of the challenge, "" if none can be raised.
func (x *Course) RaiseRefutation() string {
	p := x.Here()
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

// RefutationChallenge is the challenge that code raises for a verified refutation, so that the
// author can answer (RD6).
func RefutationChallenge(id string, item *ledger.Evidence) *state.ChallengeRaised {
	return &state.ChallengeRaised{
		ID: id, Point: item.Point, By: state.Protocol, Kind: state.Skeptical, About: item.ID,
		Objection: item.ID + " (" + item.Reference + ") refutes the point.",
		UpgradeIf: "evidence that ranks as high, or why " + item.ID + " does not bear on it",
	}
}
