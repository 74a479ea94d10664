package resolver

import (
	"slices"
	"strings"
	"time"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// prospect looks for what would move the proposal of a session: it lets events
// happen to a copy of the state, has the round resolved and asks the rules.
type prospect struct {
	s *state.State
	// result is what stands of the proposal, as of the last resolution.
	result dialectic.Result
	// standing are the objections that keep it from advancing.
	standing map[string]bool
	back     *recall
	// objected is where the objections stand, once it was asked for.
	objected *Objected
	// decision is the last one on the record, "" where none is.
	decision dialectic.Decision
	// named has clauses name the field, which is else "it".
	named bool
	// asked are the questions about the proposal that wait for the user.
	asked []string
}

func newProspect(s *state.State) *prospect { return prospectOf(s, new(recall)) }

// after is the prospect from the end of a course.
func (w *prospect) after(c *course) *prospect { return prospectOf(&c.s, w.back) }

func prospectOf(s *state.State, back *recall) *prospect {
	w := &prospect{s: s, back: back, asked: Escalations(s), standing: map[string]bool{}}
	if last := s.Dialectic.Last(); last != nil {
		w.decision = dialectic.Decision(last.Decision)
	}
	w.result = back.resolve(s, w.asOf())
	for _, r := range Standing(&w.result) {
		w.standing[r.Objection] = true
	}
	return w
}

// bench is where a field is looked at; all share what is known of objections.
func (w *prospect) bench(p *state.Point) *bench {
	b := newBench(w.s, p)
	b.objected = w.objected
	if b.objected == nil {
		w.objected = b.toldOf()
	}
	return b
}

// Escalations are the ids of the questions about the proposal that wait for the
// user: no round begins before all are answered.
func Escalations(s *state.State) []string {
	var asked []string
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered {
			asked = append(asked, q.ID)
		}
	}
	return asked
}

// asOf is the moment from which the age of evidence counts: that of the last
// resolution, as for the rulings.
func (w *prospect) asOf() time.Time {
	if last := w.s.Dialectic.Last(); last != nil {
		return last.AsOf
	}
	return w.s.At
}

// name is how a clause names a field.
func (w *prospect) name(p *state.Point) string {
	if w.named {
		return p.ID
	}
	return "it"
}

// running reports whether seats still move.
func (w *prospect) running() bool { return !w.s.Over() && !w.s.Closed }

// seats begins a course of what the seats do, user one of the user's, past one
// that is no longer possible.
func (w *prospect) seats(p *state.Point) *course {
	return &course{supposed: &supposed{s: *w.s, point: p.ID, past: !w.running()}, back: w.back}
}

func (w *prospect) user(p *state.Point) *course {
	return &course{supposed: &supposed{s: *w.s, point: p.ID, past: w.s.Closed}, back: w.back}
}

func (w *prospect) past(p *state.Point) *course {
	return &course{supposed: &supposed{s: *w.s, point: p.ID, past: true}, back: w.back}
}

// fieldProspect looks for what would move one field.
type fieldProspect struct {
	*prospect
	p    *state.Point
	base state.Ruling
	// next is where the field stands once the round is resolved and nothing else
	// came, nextDecision the decision then.
	next         state.Ruling
	nextDecision dialectic.Decision
	ways         []Way
}

func newFieldProspect(w *prospect, p *state.Point, base *state.Ruling) *fieldProspect {
	f := &fieldProspect{prospect: w, p: p, base: *base, next: *base, nextDecision: w.decision}
	if c := w.seats(p).resolve(); w.running() && !c.impossible {
		f.next, f.nextDecision = c.ruling(), c.decision()
	}
	return f
}

// changes returns what would move the field, by where it would go, the nearest
// first, and how many were left out.
func (f *fieldProspect) changes() ([]Change, int) {
	f.bySeats()
	f.byEvidence()
	f.bySession()
	if !f.s.Closed {
		f.byUser()
	}
	return grouped(f.ways)
}

// consider keeps a course that is possible and moves the field, or the proposal
// on or back. The clause reads well after "if", the other one after "had".
func (f *fieldProspect) consider(who Mover, clause, had string, c *course) {
	way, possible := f.way(who, clause, had, c)
	if !possible || sameEnd(&way.Then, &f.base) && sameEnd(&way.Then, &f.next) && !f.advances(way) {
		return
	}
	if who != MovedBySession && sameEnd(&way.Then, &f.next) && !f.advances(way) {
		// It comes to that without it.
		return
	}
	f.ways = append(f.ways, *way)
}

// advances reports whether the proposal advances by a way and would not without
// it, or the other way round.
func (f *fieldProspect) advances(way *Way) bool {
	return (way.Decision == dialectic.Advance) != (f.nextDecision == dialectic.Advance)
}

// way ends a course with the resolution of its round.
func (w *prospect) way(who Mover, clause, had string, c *course) (*Way, bool) {
	if c.resolve().impossible || clause == "" && !c.past || had == "" && c.past {
		return nil, false
	}
	way := &Way{If: clause, Who: who, Events: c.events, Then: c.ruling(), Decision: c.decision(), Past: c.past, far: c.far}
	if c.past {
		way.If = had
	}
	way.Proposal = w.proposalWords(way, c)
	return way, true
}

// proposalWords says what becomes of the proposal, where that is another thing
// than what the record says now.
func (w *prospect) proposalWords(way *Way, c *course) string {
	known := w.decision
	if known == "" && way.Who != MovedBySession {
		// Nothing was decided yet: what is said is what else than the quiet course
		// would come of it.
		known = w.result.Decision
	}
	switch gone := !AnyProposed(&c.s) && AnyProposed(w.s); {
	case gone && way.Past:
		return "nothing of the proposal would have been left"
	case gone:
		return "nothing of the proposal is left"
	case way.Decision == known:
		return ""
	}
	return decided(way.Decision, way.Past)
}

// decided is what a decision means for the proposal, in a clause.
func decided(d dialectic.Decision, past bool) string {
	switch {
	case d == dialectic.Advance && past:
		return "the proposal would have advanced"
	case d == dialectic.Advance:
		return "the proposal advances"
	case d == dialectic.Hold && past:
		return "the proposal would have been held"
	case d == dialectic.Hold:
		return "the proposal is held for another round"
	case d == dialectic.Escalate && past:
		return "the proposal would have been put to you"
	case d == dialectic.Escalate:
		return "the proposal is put to you"
	}
	return ""
}

// objections are the first objections to a field.
func (w *prospect) objections(p *state.Point) []*state.Challenge {
	var list []*state.Challenge
	for _, id := range p.Challenges {
		if c := w.s.Challenge(id); c != nil && c.Typed != nil && len(list) < mostTried {
			list = append(list, c)
		}
	}
	return list
}

// ruledOn reports whether the user's word stands on an objection.
func (w *prospect) ruledOn(c *state.Challenge) bool {
	r := resolutionOf(&w.result, c.ID)
	return r != nil && r.Rule == "R0"
}

// bySeats tries what seats may do with the field.
func (f *fieldProspect) bySeats() {
	p := f.p
	if p.Field.Withdrawn && p.Field.WithdrawnBy != state.User && p.UserRuling == nil {
		f.consider(MovedBySeats, "the proposer proposes it again", "the proposer proposed it again", f.seats(p).revise(nil, "", nil))
		return
	}
	if !Proposed(p) {
		return
	}
	cited, rewritten := false, false
	for _, r := range f.mends(p) {
		// Of one sort the first that helps is enough to know.
		done := &cited
		if r.who == MovedBySeats {
			done = &rewritten
		}
		if before := len(f.ways); !*done {
			f.consider(r.who, r.clause, r.had, r.do(f.seats(p)))
			*done = len(f.ways) > before && f.ways[before].Then.Bucket == state.BucketAgreed
		}
	}
	for _, o := range f.objections(p) {
		if o.Status != state.StandsConceded {
			f.consider(MovedBySeats, "the proposer concedes "+o.ID, "the proposer conceded "+o.ID,
				f.seats(p).answering().then(&state.ChallengeConceded{Challenge: o.ID, By: state.Proposer, Reason: "granted"}))
		}
	}
	if p.UserRuling == nil {
		f.consider(MovedBySeats, "the proposer withdraws it", "the proposer withdrawn it",
			f.seats(p).answering().then(&state.FieldWithdrawn{Point: p.ID, By: state.Proposer, Reason: "withdrawn"}))
	}
	if len(p.Challenges) < mostTried && f.s.Challenges.Len() < mostObjected {
		f.consider(MovedBySeats, "the pressure-tester raises a HIGH objection that nothing settles",
			"the pressure-tester raised a HIGH objection that nothing settled", f.seats(p).examining().object(state.PressureTester))
	}
}

// mostObjected is up to how many objections of a session one more is supposed.
const mostObjected = 100

// byEvidence tries what evidence does: what may come, what waits for its check,
// and what the ruling rests on.
func (f *fieldProspect) byEvidence() {
	if Proposed(f.p) {
		f.onChecks()
		for _, o := range f.objections(f.p) {
			f.onObjection(o)
		}
		if composite, ok := f.together(f.p); ok {
			f.consider(composite.who, composite.clause, composite.had, composite.do(f.seats(f.p)))
		}
	}
	for _, id := range f.base.Reads {
		if item := f.s.Item(id); item != nil && item.Counts() {
			f.consider(MovedByEvidence, "", id+" not been verified", f.past(f.p).then(&state.EvidenceRefused{ID: id, Reason: "it does not stand there"}))
		}
	}
}

// onObjection tries evidence for and against the proposal on an objection.
func (f *fieldProspect) onObjection(o *state.Challenge) {
	if o.Status == state.StandsConceded || f.ruledOn(o) {
		return
	}
	before := len(f.ways)
	for _, k := range proofs() {
		if len(f.ways) == before {
			f.consider(MovedByEvidence, k.words+" answers "+o.ID, k.words+" answered "+o.ID,
				f.seats(f.p).answering().evidence(state.Proposer, &k, ledger.Supports, o.ID))
		}
	}
	before = len(f.ways)
	for _, k := range proofs() {
		if len(f.ways) == before {
			f.consider(MovedByEvidence, k.words+" confirms "+o.ID, k.words+" confirmed "+o.ID,
				f.seats(f.p).examining().evidence(state.PressureTester, &k, ledger.Refutes, o.ID))
		}
	}
}

// onChecks tries that items prove right that wait for their check.
func (f *fieldProspect) onChecks() {
	tried := 0
	for _, id := range f.p.Evidence {
		item := f.s.Item(id)
		if item == nil || item.Checked || tried == mostTried {
			continue
		}
		tried++
		k, proves := &proofs()[0], " proves right when it is checked"
		if item.Approval != ledger.ApprovalNone {
			k, proves = &proofs()[2], " is approved and what it expects comes"
		}
		f.consider(MovedByEvidence, id+proves, id+" proved right when it was checked", f.seats(f.p).then(&state.EvidenceVerified{
			ID: id, Type: k.kind, SourceKind: k.source, Confidence: k.confidence,
			Reference: item.Reference, Excerpt: item.Excerpt, Admitted: true, Reason: "in place",
		}))
	}
}

// bySession tries that nothing comes, and the end of the session.
func (f *fieldProspect) bySession() {
	if !f.running() {
		return
	}
	as := f.seats(f.p)
	if !Resolved(f.s) {
		f.considerQuiet("nothing else comes in this round", as)
	} else {
		f.considerQuiet("nothing new comes in the next round", as.nextRound())
	}
	f.consider(MovedBySession, "the session ends now", "",
		f.user(f.p).then(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"}))
}

// considerQuiet keeps a course in which nothing happens where the ruling or the
// decision is another one then.
func (f *fieldProspect) considerQuiet(clause string, c *course) {
	way, possible := f.way(MovedBySession, clause, "", c)
	if possible && (!sameEnd(&way.Then, &f.base) || way.Decision != f.decision) {
		f.ways = append(f.ways, *way)
	}
}

// limit says in a sentence what bounds the changes, or returns "".
func (w *prospect) limit(ways []Way) string {
	switch {
	case w.s.Closed:
		return "The session is closed and is never rewritten; a fork goes on from an earlier event."
	case w.s.Over():
		return "The rounds are over: nothing but you can change it now."
	case len(w.asked) > 0:
		return "The seats go on once you have answered " + listed(w.asked) + "."
	case slices.ContainsFunc(ways, func(way Way) bool { return !way.Past && way.Who != MovedByUser }):
		return ""
	}
	return "Nothing but you can change it now."
}

// joined are clauses as one.
func joined(clauses []string) string { return strings.Join(clauses, " and ") }
