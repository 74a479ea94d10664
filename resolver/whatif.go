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
// names, how many challenges and evidence items it tries one by one, how many
// challenges it tries together, and how often it looks again for what is still
// in the way.
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

// Way is one supposed course of events, and the ruling that follows.
type Way struct {
	// With names what happens: "an accepted answer to C2".
	With string
	Who  Mover
	// Past says that it can no longer happen.
	Past bool
	// Events follow the last event of the session. Texts and references in them are
	// placeholders.
	Events []state.Payload
	Then   state.Ruling
	// Decision and Proposal are those of the format dialectic.
	Decision dialectic.Decision
	Proposal string
	sort     string
}

// Mover says who or what would bring a change about.
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

// candidate is one thing that somebody could do next.
type candidate struct {
	who Mover
	// with is a noun phrase: "an accepted answer to C2".
	with string
	// helps says that it may remove what keeps the point from being agreed: such
	// candidates are also tried together.
	helps bool
	// kind is the kind of evidence that it takes, if any. Of the candidates of one sort
	// that lead to the same place only the first is reported.
	kind, sort string
	// past says that it can no longer happen.
	past bool
	do   func(*course)
}

// search finds what would move a point, or with no point the decision on the
// proposal: it applies each candidate to a copy of the state, lets code do what it
// does next, rules again, and keeps what differs.
type search struct {
	s *state.State
	p *state.Point
	// now is where the point and the proposal are on the record, quiet where they get
	// if nobody does anything, if the session can continue that way.
	now   Way
	quiet *Way
	back  *recall
	ways  []Way
}

func newSearch(s *state.State, p *state.Point, base *state.Ruling) *search {
	w := &search{s: s, p: p, back: new(recall)}
	w.now.Then = *base
	if last := s.Dialectic.Last(); last != nil {
		w.now.Decision = dialectic.Decision(last.Decision)
	}
	if x := w.course(); !x.impossible {
		quiet := w.end(candidate{who: MovedBySession}, x)
		w.quiet = &quiet
	}
	return w
}

// running reports whether seats still move.
func running(s *state.State) bool { return !s.Over() && !s.Closed }

// changes returns what would move the point, the nearest first, how many changes
// were left out, and a sentence about what bounds them.
func (w *search) changes() (list []Change, more int, limit string) {
	if w.p != nil && w.p.MergedInto != "" {
		return nil, 0, "What changes " + w.p.MergedInto + " changes this point with it."
	}
	w.byConfidence()
	for _, c := range candidates(w.s, w.p, w.back) {
		w.consider(c, w.course(c))
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

// byConfidence finds the nearest higher and lower confidence of each seat that
// moves the point.
func (w *search) byConfidence() {
	var seats []state.Seat
	switch w.s.Settings.Format {
	case state.FormatCouncil:
		seats = seatedInCouncil(w.s)
	case state.FormatHearing:
		seats = []state.Seat{state.Architect, state.Skeptic}
	case state.FormatConsult, state.FormatDialectic, state.FormatPanel:
	}
	const steps = 100
	for _, seat := range seats {
		from := confidenceOf(w.s, w.p, seat)
		for _, step := range []int{1, -1} {
			found := len(w.ways)
			for i := int(math.Round(from*steps)) + step; i >= 0 && i <= steps && len(w.ways) == found; i += step {
				c := confident(seat, float64(i)/steps)
				w.consider(c, w.course(c))
			}
		}
	}
}

// course applies candidates to a copy of the state.
func (w *search) course(list ...candidate) *course {
	x := &course{s: *w.s, back: w.back}
	if w.p != nil {
		x.point = w.p.ID
	}
	for _, c := range list {
		x.past = c.past || w.s.Closed || c.who != MovedByUser && !running(w.s)
		if c.do != nil {
			c.do(x)
		}
	}
	x.follow()
	return x
}

// consider keeps a possible course that moves the point or the proposal, unless it
// comes to that anyway.
func (w *search) consider(c candidate, x *course) {
	if x.impossible {
		return
	}
	then := w.end(c, x)
	if w.same(&then, &w.now) || c.who != MovedBySession && w.quiet != nil && w.same(&then, w.quiet) {
		return
	}
	known := func(way Way) bool { return c.sort != "" && way.sort == c.sort && w.same(&way, &then) }
	if !slices.ContainsFunc(w.ways, known) {
		w.ways = append(w.ways, then)
	}
}

// end is where a course leads.
func (w *search) end(c candidate, x *course) Way {
	way := Way{With: c.with, Who: c.who, sort: c.sort, Past: x.past, Events: x.events, Decision: x.decision()}
	if w.p != nil {
		way.Then = systemOf(x.s.Settings.Format).ruleOne(&x.s, x.s.Point(w.p.ID))
	}
	known := w.now.Decision
	if known == "" && w.quiet != nil {
		known = w.quiet.Decision
	}
	switch {
	case w.s.Settings.Format != state.FormatDialectic:
	case !AnyProposed(&x.s) && AnyProposed(w.s):
		way.Proposal = "nothing of the proposal is left"
	case way.Decision != known:
		way.Proposal = decided(way.Decision)
	}
	return way
}

// decided is what a decision means for the proposal.
func decided(d dialectic.Decision) string {
	switch d {
	case dialectic.Advance:
		return "the proposal advances"
	case dialectic.Hold:
		return "the proposal is held for another round"
	case dialectic.Escalate:
		return "the proposal is put to you"
	}
	return ""
}

// same reports whether two ways lead to the same place: of a point also if the
// proposal advances by one of them only.
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
func (w *search) together(byUser bool) ([]candidate, *course) {
	if w.reached(w.course()) {
		return nil, nil
	}
	for _, k := range proofs() {
		x, plan := w.course(), []candidate(nil)
		for range mostSteps {
			next := candidates(&x.s, x.here(), w.back)
			next = slices.DeleteFunc(next, func(c candidate) bool {
				known := slices.ContainsFunc(plan, func(done candidate) bool { return done.with == c.with })
				return known || !c.helps || (c.who == MovedByUser) != byUser || c.kind != "" && c.kind != k.words
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

// reached reports whether a course leads to where together wants to get.
func (w *search) reached(x *course) bool {
	way := w.end(candidate{}, x)
	if w.p == nil {
		return !x.impossible && way.Decision == dialectic.Advance
	}
	return !x.impossible && way.Then.Bucket == state.BucketAgreed
}

// least leaves out of a plan whatever it does not need.
func (w *search) least(plan []candidate) ([]candidate, *course) {
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
		if slices.Index(Movers(), c.who) > slices.Index(Movers(), all.who) {
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
	// Of one mover the ways come first by which the point is agreed.
	nearness := func(way *Way) int {
		if way.Then.Bucket == state.BucketAgreed || way.Decision == dialectic.Advance {
			return 2 * slices.Index(Movers(), way.Who)
		}
		return 2*slices.Index(Movers(), way.Who) + 1
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
	asked := Escalations(w.s)
	agreed := func(way Way) bool { return way.Then.Bucket == state.BucketAgreed && way.Who != MovedByUser }
	switch {
	case forbidden(w.s, w.p) != nil && !slices.ContainsFunc(w.ways, agreed):
		return "As worded it violates " + listed(forbidden(w.s, w.p)) +
			": only another wording, or you, can change that."
	case w.s.Closed:
		return "The session is closed and never rewritten; fork it to continue from an earlier event."
	case w.s.Over():
		return "The rounds are over: only you can change it now."
	case len(asked) > 0:
		return "The seats continue once you answer " + listed(asked) + "."
	case !slices.ContainsFunc(w.ways, func(way Way) bool { return !way.Past && way.Who != MovedByUser }):
		return "Only you can change it now."
	}
	return ""
}

// forbidden are the constraints of a council's constitution that the words of a claim
// violate, whatever else comes.
func forbidden(s *state.State, p *state.Point) []string {
	if s.Settings.Format != state.FormatCouncil || !Held(p) || s.Closed {
		return nil
	}
	var ids []string
	for _, breach := range BreachesOf(s, p) {
		check := s.CouncilSettings().Constitution.Constraint(breach.Constraint).Check
		if check == state.CheckNoHarm || check == state.CheckFeasible {
			ids = append(ids, breach.Constraint)
		}
	}
	return ids
}

// course is a course of events that did not happen. Seats move in it only when the
// format would ask them.
type course struct {
	s      state.State
	point  string
	events []state.Payload
	back   *recall
	// past says that nobody is asked any more: turns and rounds do not matter.
	past bool
	// impossible is set once an event cannot follow.
	impossible bool
}

// add lets events happen.
func (x *course) add(payloads ...state.Payload) *course {
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

// here is the point as the course has it, nil for a course about the proposal.
func (x *course) here() *state.Point { return x.s.Point(x.point) }

// follow does what code does next in the session's format.
func (x *course) follow() {
	if x.impossible {
		return
	}
	switch x.s.Settings.Format {
	case state.FormatConsult, state.FormatCouncil:
		x.hear()
	case state.FormatPanel:
		x.settle()
		x.hear()
	case state.FormatDialectic:
		switch {
		case x.s.Over():
		case !AnyProposed(&x.s):
			x.add(&state.ExitReached{Exit: state.ExitDecided, Reason: "no field of the proposal is left"})
		case !Resolved(&x.s):
			recorded, _, err := x.back.recorded(&x.s, x.s.At)
			if err != nil {
				x.impossible = true
				return
			}
			x.add(&state.RoundResolved{Resolution: recorded})
		}
	case state.FormatHearing:
		if !x.s.Over() {
			x.add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"})
		}
	}
}

// hear raises the challenge that lets the author answer a new verified refutation
// (RD6).
func (x *course) hear() {
	p := x.here()
	if x.s.Over() || x.s.Round >= LastRound(&x.s) || !Debated(&x.s, p) {
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

// settle applies the panel's strategy to every conflict that is not argued.
func (x *course) settle() {
	if x.s.Panel.Conflicts.Len() == 0 || x.s.Over() && !x.past {
		return
	}
	t := newTable(&x.s)
	for _, c := range t.live {
		if now := t.Settle(c); !c.Argued && (c.Settlement == nil || !SameSettlement(c.Settlement, &now)) {
			x.add(&state.ConflictSettled{ID: c.ID, Settlement: now})
		}
	}
}

// turn moves to the next round if the seat has had its turn of the stage in this
// one (PH3).
func (x *course) turn(seat state.Seat, stage state.Stage) *course {
	if !x.past && !x.impossible && x.spoken(seat, stage) {
		x.nextRound()
	}
	return x
}

func (x *course) nextRound() {
	if x.s.Settings.Format == state.FormatDialectic {
		x.follow()
		last := x.s.Dialectic.Last()
		x.impossible = x.impossible || last == nil || last.Decision != string(dialectic.Hold) ||
			len(Escalations(&x.s)) > 0
	}
	if x.s.Over() || x.s.Round >= LastRound(&x.s) {
		x.impossible = true
	}
	x.add(&state.RoundStarted{Round: x.s.Round + 1})
}

// spoken reports whether a seat has had its turn of a stage in this round.
func (x *course) spoken(seat state.Seat, stage state.Stage) bool {
	replies := func(seat state.Seat, stage state.Stage) int { return x.s.AskedOf(seat, stage).Replies }
	covered := x.s.Coverage > 0 && x.s.Coverage == x.s.Round
	answers := stage == state.StageAnswer
	switch x.s.Settings.Format {
	case state.FormatConsult, state.FormatPanel:
		if answers {
			return replies(seat, stage) > 0 || x.s.Round < 2 || covered
		}
		// A seat that left something out is asked once more.
		return replies(seat, stage) > 1 || covered
	case state.FormatCouncil:
		if replies(state.Moderator, state.StageSynthesize) > 0 {
			return true
		}
		return replies(seat, stage) > 0 && !answers || answers && replies(seat, state.StageRebut) > 0
	case state.FormatDialectic:
		proposed := x.s.Round < 2 || replies(state.Proposer, state.StagePropose) > 0
		switch {
		case stage == state.StagePropose:
			return proposed
		case answers:
			return proposed && (replies(seat, stage) > 0 || !Challenged(&x.s, x.s.Round))
		}
		return replies(seat, stage) > 0
	case state.FormatHearing:
	}
	return false
}

// judging is the stage at which a seat says what it thinks of points.
func (x *course) judging() state.Stage {
	if x.s.Settings.Format == state.FormatCouncil {
		return state.StageJudge
	}
	if x.s.Round <= 1 {
		return state.StageEvaluate
	}
	return state.StageJudge
}

// decision is what becomes of the proposal; "" if nothing of it is left, or nothing
// was resolved.
func (x *course) decision() dialectic.Decision {
	last := x.s.Dialectic.Last()
	switch {
	case last == nil, !AnyProposed(&x.s):
		return ""
	case x.past && x.s.Over():
		return x.back.resolve(&x.s, last.AsOf).Decision
	}
	return dialectic.Decision(last.Decision)
}
