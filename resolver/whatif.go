package resolver

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// The bounds of the search: how many changes it reports, how many ways one change
// names, how many challenges and items it tries one by one, how many candidates it
// tries together, and how often it looks for what is still in the way.
const (
	mostChanges  = 8
	mostClauses  = 3
	mostTried    = 6
	mostTogether = 24
	mostSteps    = 3
)

// Change is one other place in which a point would be, and what leads there.
type Change struct {
	// With is the condition: "With an accepted answer to C2, or with your ruling: agree".
	With string
	// Then is the ruling that the first way gives, Words its bucket in words.
	Then  state.Ruling
	Words string
	// Proposal says what becomes of the proposal, if that differs from now.
	Proposal string
	Who      Mover
	// Ways are all the ways that were found, the nearest first.
	Ways []Way
}

// Outcome is where a change leads: "Agreed, textual; the proposal advances".
func (c *Change) Outcome() string {
	return strings.Join(slices.DeleteFunc([]string{c.Words, c.Proposal}, func(s string) bool { return s == "" }), "; ")
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
	// Decision and Proposal are set in the format dialectic.
	Decision dialectic.Decision
	Proposal string
	group    string
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

func (m Mover) distance() int { return slices.Index(Movers(), m) }

// candidate is one thing that somebody could do next.
type candidate struct {
	who Mover
	// with is a noun phrase: "an accepted answer to C2".
	with string
	// helps is set if it may remove an obstacle to agreement: such candidates are
	// also tried together.
	helps bool
	// proof is the kind of evidence that it takes, if any. Of the candidates of one
	// group that lead to the same place only the first is reported.
	proof, group string
	// past is set if it can no longer happen.
	past bool
	do   func(*Course)
	// confidence replaces do for a seat that reports a confidence other than from:
	// the search tries the nearest values first, above and below.
	confidence func(x *Course, value float64)
	from       float64
}

// Candidates collects what seats, evidence and the user could do next about a point.
type Candidates struct {
	State  *state.State
	Point  *state.Point
	Basis  *Basis
	format Format
	list   []candidate
}

func (l *Candidates) add(who Mover, with string, do func(*Course)) {
	l.list = append(l.list, candidate{who: who, with: with, do: do})
}

func (l *Candidates) helps(who Mover, with string, do func(*Course)) {
	l.list = append(l.list, candidate{who: who, with: with, helps: true, do: do})
}

// search finds what would move a point, or, if there is no point, the decision on
// the proposal: it applies each candidate to a copy of the state, adds what code
// adds next, rules again, and keeps what differs.
type search struct {
	s      *state.State
	p      *state.Point
	format Format
	// candidates lists what could happen next in a state.
	candidates func(s *state.State, p *state.Point) []candidate
	// now is where the point and the proposal are on the record, quiet where they get
	// if nobody does anything, if the session can continue that way.
	now   Way
	quiet *Way
	ways  []Way
}

func newSearch(s *state.State, p *state.Point, f Format, base *state.Ruling) *search {
	w := &search{s: s, p: p, format: f}
	w.candidates = func(s *state.State, p *state.Point) []candidate {
		l := &Candidates{State: s, Point: p, Basis: f.Basis(s, p), format: f}
		f.Candidates(l)
		return l.list
	}
	w.now.Then = *base
	w.now.Decision = recordedDecision(s)
	if x := w.course(); !x.impossible {
		quiet := w.end(candidate{who: MovedBySession}, x)
		w.quiet = &quiet
	}
	return w
}

// recordedDecision is the last decision on a proposal, or "".
func recordedDecision(s *state.State) dialectic.Decision {
	if last := s.Dialectic.Last(); last != nil {
		return dialectic.Decision(last.Decision)
	}
	return ""
}

// running reports whether seats still move.
func running(s *state.State) bool { return !s.Over() && !s.Closed }

// changes returns what would move the point, the nearest first, how many changes
// were left out, and a sentence about what bounds them.
func (w *search) changes() (list []Change, more int, limit string) {
	if w.p != nil && w.p.MergedInto != "" {
		return nil, 0, "What changes " + w.p.MergedInto + " changes this point with it."
	}
	for _, c := range w.candidates(w.s, w.p) {
		w.try(c)
	}
	for _, byUser := range []bool{false, true} {
		if byUser && (w.p != nil || w.s.Closed) {
			continue
		}
		if plan, x := w.together(byUser); len(plan) > 1 {
			w.consider(joint(plan), x)
		}
	}
	list, more = grouped(w.ways)
	return list, more, w.limit()
}

// try applies a candidate. For a confidence it tries one value after another, in
// both directions, until one changes something.
func (w *search) try(c candidate) {
	if c.confidence == nil {
		w.consider(c, w.course(c))
		return
	}
	const steps = 100
	for _, step := range []int{1, -1} {
		found := len(w.ways)
		for i := int(math.Round(c.from*steps)) + step; i >= 0 && i <= steps && len(w.ways) == found; i += step {
			value := float64(i) / steps
			one := candidate{who: c.who, with: fmt.Sprintf(c.with, value), group: c.group}
			one.do = func(x *Course) { c.confidence(x, value) }
			w.consider(one, w.course(one))
		}
	}
}

// course applies candidates to a copy of the state.
func (w *search) course(list ...candidate) *Course {
	x := &Course{s: *w.s, format: w.format}
	if w.p != nil {
		x.point = w.p.ID
	}
	for _, c := range list {
		x.past = c.past || w.s.Closed || c.who != MovedByUser && !running(w.s)
		if c.do != nil {
			c.do(x)
		}
	}
	if !x.impossible {
		x.format.Follow(x)
	}
	return x
}

// consider keeps a possible course that moves the point or the proposal, unless
// that happens anyway.
func (w *search) consider(c candidate, x *Course) {
	if x.impossible {
		return
	}
	then := w.end(c, x)
	if w.same(&then, &w.now) || c.who != MovedBySession && w.quiet != nil && w.same(&then, w.quiet) {
		return
	}
	known := func(way Way) bool { return c.group != "" && way.group == c.group && w.same(&way, &then) }
	if !slices.ContainsFunc(w.ways, known) {
		w.ways = append(w.ways, then)
	}
}

// end is where a course leads.
func (w *search) end(c candidate, x *Course) Way {
	way := Way{With: c.with, Who: c.who, group: c.group, Past: x.past, Events: x.events}
	if w.p != nil {
		way.Then = w.format.RuleOne(&x.s, x.s.Point(w.p.ID))
	}
	known := w.now.Decision
	if known == "" && w.quiet != nil {
		known = w.quiet.Decision
	}
	way.Decision, way.Proposal = w.format.Decide(x, w.s, known)
	return way
}

// same reports whether two ways lead to the same place: the place of the point, and
// whether the proposal advances.
func (w *search) same(a, b *Way) bool {
	if w.p == nil {
		return a.Decision == b.Decision
	}
	return samePlace(&a.Then, &b.Then) && (a.Decision == dialectic.Advance) == (b.Decision == dialectic.Advance)
}

func samePlace(a, b *state.Ruling) bool {
	return a.Bucket == b.Bucket && a.Tag == b.Tag && a.Status == b.Status
}

// together returns the fewest candidates, by the user or else by the others, with
// which the point is agreed or the proposal advances. It looks again at what they
// lead to, since one obstacle may hide another.
func (w *search) together(byUser bool) ([]candidate, *Course) {
	if w.reached(w.course()) {
		return nil, nil
	}
	for _, k := range proofs() {
		x, plan := w.course(), []candidate(nil)
		for range mostSteps {
			next := slices.DeleteFunc(w.candidates(&x.s, x.here()), func(c candidate) bool {
				known := slices.ContainsFunc(plan, func(done candidate) bool { return done.with == c.with })
				return known || !c.helps || (c.who == MovedByUser) != byUser || c.proof != "" && c.proof != k.words
			})
			if len(next) == 0 || len(plan)+len(next) > mostTogether {
				break
			}
			plan = append(plan, next...)
			if x = w.course(plan...); w.reached(x) {
				return w.least(plan)
			}
		}
	}
	return nil, nil
}

// reached reports whether a course ends with agreement.
func (w *search) reached(x *Course) bool {
	if x.impossible {
		return false
	}
	way := w.end(candidate{}, x)
	if w.p == nil {
		return way.Decision == dialectic.Advance
	}
	return way.Then.Bucket == state.BucketAgreed
}

// least leaves out of a plan whatever it does not need.
func (w *search) least(plan []candidate) ([]candidate, *Course) {
	for i := len(plan) - 1; i >= 0; i-- {
		if shorter := slices.Delete(slices.Clone(plan), i, i+1); w.reached(w.course(shorter...)) {
			plan = shorter
		}
	}
	return plan, w.course(plan...)
}

// joint is a plan as one candidate.
func joint(plan []candidate) candidate {
	all := candidate{who: plan[0].who}
	var words []string
	for _, c := range plan {
		if c.who.distance() > all.who.distance() {
			all.who = c.who
		}
		words = append(words, c.with)
	}
	all.with = listed(words)
	return all
}

// grouped joins the ways that lead to the same place, the nearest first, and counts
// the places that were left out.
func grouped(ways []Way) (list []Change, more int) {
	// Among the ways of one mover, those come first that lead to agreement.
	nearness := func(way *Way) int {
		if way.Then.Bucket == state.BucketAgreed || way.Decision == dialectic.Advance {
			return 2 * way.Who.distance()
		}
		return 2*way.Who.distance() + 1
	}
	slices.SortStableFunc(ways, func(a, b Way) int { return nearness(&a) - nearness(&b) })
	for _, way := range ways {
		at := slices.IndexFunc(list, func(c Change) bool {
			return c.Ways[0].Past == way.Past && samePlace(&c.Then, &way.Then) && c.Proposal == way.Proposal
		})
		if at < 0 {
			words := ""
			if way.Then.Bucket != "" {
				words = Where(&way.Then)
			}
			list = append(list, Change{Then: way.Then, Words: words, Who: way.Who, Proposal: way.Proposal})
			at = len(list) - 1
		}
		list[at].Ways = append(list[at].Ways, way)
	}
	for i := range list {
		list[i].With = condition(list[i].Ways)
	}
	more = max(0, len(list)-mostChanges)
	return list[:len(list)-more], more
}

// condition names the first ways.
func condition(ways []Way) string {
	var words []string
	for _, way := range ways[:min(len(ways), mostClauses)] {
		words = append(words, "with "+way.With)
	}
	switch more := len(ways) - mostClauses; {
	case more == 1:
		words = append(words, "in one other way")
	case more > 1:
		words = append(words, fmt.Sprintf("in %d other ways", more))
	}
	return capital(strings.Join(words, ", or "))
}

// limit says what bounds the changes, or "".
func (w *search) limit() string {
	agreed := slices.ContainsFunc(w.ways, func(way Way) bool {
		return way.Then.Bucket == state.BucketAgreed && way.Who != MovedByUser
	})
	switch {
	case w.s.Closed:
		return "The session is closed and never rewritten; fork it to continue from an earlier event."
	case w.format.Bounded(w.s, w.p, agreed) != "":
		return w.format.Bounded(w.s, w.p, agreed)
	case w.s.Over():
		return "The rounds are over: only you can change it now."
	case !slices.ContainsFunc(w.ways, func(way Way) bool { return !way.Past && way.Who != MovedByUser }):
		return "Only you can change it now."
	}
	return ""
}

// Course is a copy of a session with events that did not happen. Seats move in it
// only when the format would ask them.
type Course struct {
	s      state.State
	format Format
	// point is the id of the point that it is about, "" for the proposal as a whole.
	point  string
	events []state.Payload
	// past is set if nobody is asked any more: then turns and rounds do not matter.
	past bool
	// impossible is set once an event cannot follow.
	impossible bool
}

// add applies events.
func (x *Course) add(payloads ...state.Payload) *Course {
	for _, p := range payloads {
		if x.impossible {
			break
		}
		next, err := state.Apply(x.s, state.Event{Seq: x.s.Seq + 1, At: x.s.At, Data: p})
		if err != nil {
			x.impossible = true
			break
		}
		x.s, x.events = next, append(x.events, p)
	}
	return x
}

// here is the point in the course, nil for a course about the proposal.
func (x *Course) here() *state.Point { return x.s.Point(x.point) }

// turn moves to the next round if the seat has had its turn of the stage in this
// one (PH3).
func (x *Course) turn(seat state.Seat, stage state.Stage) *Course {
	if !x.past && !x.impossible && x.format.Spoken(x, seat, stage) {
		x.nextRound()
	}
	return x
}

func (x *Course) nextRound() {
	if !x.format.Continues(x) || x.s.Over() || x.s.Round >= x.format.LastRound(&x.s) {
		x.impossible = true
	}
	x.add(&state.RoundStarted{Round: x.s.Round + 1})
}

// raiseRefutation raises the challenge that lets the author answer a new verified
// refutation (RD6).
func (x *Course) raiseRefutation() {
	p := x.here()
	if x.s.Over() || x.s.Round >= x.format.LastRound(&x.s) || !Debated(&x.s, p) {
		return
	}
	var against *ledger.Evidence
	for _, id := range p.Evidence {
		if e := x.s.Item(id); e.Seq == x.s.Seq && e.Counts() && e.Relation == ledger.Refutes {
			against = e
		}
	}
	if against == nil || slices.ContainsFunc(p.Challenges,
		func(id string) bool { return answerable(x.s.Challenge(id)) }) {
		return
	}
	x.add(&state.ChallengeRaised{
		ID: state.NextID('C', x.s.Challenges.Len()), Point: p.ID, By: state.Protocol, What: state.Skeptical,
		Objection: against.ID + " (" + against.Reference + ") refutes the point.",
		UpgradeIf: "verified evidence that ranks as high, or why " + against.ID + " does not bear on it",
	})
}
