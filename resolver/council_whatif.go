package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// councilChanges is changes of a claim of a council: what is missing for CV1 to CV4
// may come, a confidence may fall, evidence may come or fail, a challenge may go
// without an answer, and the user may decide.
func (w *whatIf) councilChanges() ([]Change, int) {
	if w.p.MergedInto != "" {
		return nil, 0
	}
	w.toValid()
	w.byCouncil()
	w.onChecks()
	if w.citable() {
		w.onRefutation()
	}
	w.onLoss()
	w.bySession()
	w.byUser()
	w.onKeyMark()
	return grouped(w.ways)
}

// councilLimit is limit, and what no move of a seat mends in these words.
func (w *whatIf) councilLimit() string {
	limit := w.limit()
	if w.s.Closed || !Held(w.p) || w.reachable() {
		return limit
	}
	var breaks []string
	for _, breach := range w.breaches() {
		if c := w.s.CouncilSettings().Constitution.Constraint(breach.Constraint); c.Check == state.CheckNoHarm || c.Check == state.CheckFeasible {
			breaks = append(breaks, breach.Constraint)
		}
	}
	if len(breaks) == 0 {
		return limit
	}
	return strings.TrimSpace(fmt.Sprintf("In these words it violates %s whatever comes: only another wording, or you, can change that. %s", listed(breaks), limit))
}

// reachable reports whether a way leads to Agreed that is not the user's.
func (w *whatIf) reachable() bool {
	return w.base.Bucket == state.BucketAgreed || slices.ContainsFunc(w.ways, func(way Way) bool {
		return way.Then.Bucket == state.BucketAgreed && way.Who != MovedByUser
	})
}

// examiner is the seat that first says what a point contradicts.
func (w *whatIf) examiner() state.Seat {
	if w.s.Settings.Format == state.FormatCouncil {
		return state.Critic
	}
	return state.Orchestrator
}

// toValid tries what is missing for CV1 to CV4, and nothing beside that: by a
// passage or by a command's output where evidence is missing, and by each seat
// whose confidence alone would do.
func (w *whatIf) toValid() {
	if !Held(w.p) || w.base.Bucket == state.BucketAgreed {
		return
	}
	for _, kind := range []ledger.Type{ledger.Textual, ledger.Execution} {
		m := &mending{supposed: w.suppose(), w: w}
		m.answers()
		cited := m.evidence(kind)
		if m.impossible {
			continue
		}
		for _, raise := range leastScores(&m.s, m.here()) {
			one := &mending{supposed: m.branch(), w: w, clauses: slices.Clip(m.clauses), had: slices.Clip(m.had)}
			one.scores(raise)
			// An author who is sure, or says why it is not, bears on CV4.
			one.limit()
			w.considerValid(one, cited)
		}
		if !cited {
			break
		}
	}
}

// considerValid keeps a course that makes the claim valid.
func (w *whatIf) considerValid(m *mending, cited bool) {
	if m.impossible || len(m.clauses) == 0 || m.ends().Bucket != state.BucketAgreed {
		return
	}
	who := MovedBySeats
	if cited {
		who = MovedByEvidence
	}
	w.consider(who, joinedBy(m.clauses), joinedBy(m.had), m.supposed)
}

// joinedBy joins clauses: "a, b and c".
func joinedBy(clauses []string) string {
	if n := len(clauses); n > 1 {
		return strings.Join(clauses[:n-1], ", ") + " and " + clauses[n-1]
	}
	return strings.Join(clauses, "")
}

// mending is a course that brings what a claim lacks, and the clauses that tell it.
type mending struct {
	*supposed

	w *whatIf
	// clauses read well after "if", had after "had".
	clauses, had []string
}

func (m *mending) says(clause, had string) {
	m.clauses, m.had = append(m.clauses, clause), append(m.had, had)
}

func (m *mending) validation() Validation { return Validate(&m.s, m.here()) }

// answers has every challenge answered and accepted.
func (m *mending) answers() {
	standing := m.w.unaccepted()
	if len(standing) == 0 {
		return
	}
	m.supposed = m.w.allAccepted()
	judges := []string{}
	for _, c := range standing {
		if name := seatName(JudgeOf(m.w.s, c)); !slices.Contains(judges, name) {
			judges = append(judges, name)
		}
	}
	ids := listed(challengeIDs(standing))
	if len(standing) == 1 {
		m.says(fmt.Sprintf("%s accepts an answer to %s", judges[0], ids), "an answer to "+ids+" been accepted")
		return
	}
	m.says(fmt.Sprintf("%s %s answers to %s", listed(judges), many(len(judges), "accepts", "accept"), ids), "answers to "+ids+" been accepted")
}

// evidence brings what CV1 and the constitution lack; it reports whether anything
// was brought.
func (m *mending) evidence(kind ledger.Type) bool {
	lacks := func() bool {
		if m.impossible {
			return false
		}
		v := m.validation()
		return !v.Rules[0].Passed || slices.ContainsFunc(BreachesOf(&m.s, m.here()), func(b state.Breach) bool {
			check := m.s.CouncilSettings().Constitution.Constraint(b.Constraint).Check
			return check == state.CheckCites || check == state.CheckDiverse
		})
	}
	had := newBench(&m.s, m.here()).firmSupport() != nil
	brought := 0
	for ; lacks() && brought < keySources; brought++ {
		if seats := Defenders(m.here()); len(seats) > 0 {
			m.reporting(seats[0])
		}
		m.evidenceOf(kind, ledger.Supports, fmt.Sprintf("%s of source %d", referenceOf(kind), brought+1))
	}
	if lacks() {
		m.cannot()
	}
	if brought == 0 || m.impossible {
		return brought > 0
	}
	what := supportWords(kind)
	switch {
	case brought > 1:
		what += ", and one of a second source,"
	case m.here().Key && had:
		what += " of a second source"
	case had:
		what += " of a higher rank"
	}
	m.says(what+" supports it", what+" supported it")
	return true
}

// limit states what the claim does not cover, where CV4 or the constitution lacks
// that.
func (m *mending) limit() {
	if m.impossible || newBench(&m.s, m.here()).acknowledged() != "" {
		return
	}
	seats := Defenders(m.here())
	if len(seats) == 0 {
		m.cannot()
		return
	}
	m.reporting(seats[0])
	m.add(&state.ClaimLimited{Point: m.point, By: seats[0], Limit: "what it does not cover"})
	name := seatName(seats[0])
	m.says(name+" says what it does not cover", name+" said what it does not cover")
}

// scores has seats report other confidences. A single one may lie anywhere in the
// span that is told.
func (m *mending) scores(raise []state.Score) {
	for i := range raise {
		to := &raise[i]
		figure := twoPlaces(to.Admitted)
		if len(raise) == 1 {
			figure = spanWords(spanOf(&m.s, m.here(), to.Seat))
		}
		from := m.here().Score(to.Seat)
		m.report(to)
		name := seatName(to.Seat)
		switch {
		case from == nil:
			m.says(name+" reports "+figure, name+" reported "+figure)
		case from.Admitted < to.Admitted:
			m.says(fmt.Sprintf("the confidence of %s rises to %s, with a cause", name, figure), fmt.Sprintf("the confidence of %s risen to %s", name, figure))
		default:
			m.says(fmt.Sprintf("the confidence of %s falls to %s, with a cause", name, figure), fmt.Sprintf("the confidence of %s fallen to %s", name, figure))
		}
	}
}

// report has a seat report a confidence, when it is next asked. The cause names
// what was verified: without one an admitted confidence does not move (ST3).
func (x *supposed) report(score *state.Score) *supposed {
	if x.impossible {
		return x
	}
	x.reporting(score.Seat)
	cause := "a cause"
	for _, id := range x.here().Evidence {
		if item := x.s.Item(id); item != nil && item.Counts() {
			cause = id
		}
	}
	return x.add(&state.ConfidenceReported{Seat: score.Seat, Point: x.point, Stated: score.Admitted, Admitted: score.Admitted, Cause: cause})
}

// byCouncil tries what the seats may do beside mending the claim: leave a challenge
// without an answer, give the claim up, and where it stands, doubt it.
func (w *whatIf) byCouncil() {
	if w.running() && !Debated(w.s, w.p) {
		return
	}
	for i, c := range w.challenges {
		if i < mostTried && answerable(c) {
			w.consider(MovedBySeats, c.ID+" is not answered, not even after the reminder", c.ID+" been left without an answer to the end", w.suppose().silence(c.ID))
		}
	}
	w.onConcession()
	if w.base.Bucket != state.BucketAgreed {
		return
	}
	for _, fall := range unsettlingScores(w.s, w.p) {
		name, figure := seatName(fall.Seat), twoPlaces(fall.Admitted)
		w.consider(MovedBySeats, fmt.Sprintf("the confidence of %s falls to %s or below, with a cause", name, figure), fmt.Sprintf("the confidence of %s fallen to %s or below", name, figure), w.suppose().report(&fall))
	}
	for _, seat := range Evaluators(w.s, w.p) {
		if _, seated := w.s.Assignment(seat); !seated {
			continue
		}
		name := seatName(seat)
		w.consider(MovedBySeats, name+" challenges it and accepts no answer", name+" challenged it and accepted no answer", w.suppose().challenge(seat))
	}
}

// challenge has a seat raise a challenge that nobody has answered yet.
func (x *supposed) challenge(seat state.Seat) *supposed {
	if x.impossible {
		return x
	}
	x.reporting(seat)
	return x.add(&state.ChallengeRaised{
		ID: state.NextID('C', x.s.Challenges.Len()), Point: x.point, By: seat, What: state.Skeptical,
		Objection: "a flaw of the method", UpgradeIf: "the flaw is removed",
	})
}

// onKeyMark tries that the user marks the claim as key, or takes the mark away.
func (w *whatIf) onKeyMark() {
	if w.s.Closed || w.p.UserRuling != nil {
		return
	}
	clause := "you mark it as a key claim"
	if w.p.Key {
		clause = "you take the mark of a key claim from it"
	}
	w.consider(MovedByUser, clause, "", w.supposeUser().add(&state.ClaimMarkedKey{Point: w.p.ID, By: state.User, Key: !w.p.Key}))
}

// councilWindow goes on to the next round where the seat had its turn at the stage
// in this one: the strategist answers twice in a round, and who challenged judges
// the answers at its end.
func (x *supposed) councilWindow(seat state.Seat, stage state.Stage) {
	had := x.s.AskedOf(state.Moderator, state.StageSynthesize).Replies > 0
	if stage == state.StageAnswer {
		had = had || x.s.AskedOf(seat, state.StageRebut).Replies > 0
	} else {
		had = had || x.s.AskedOf(seat, state.StageJudge).Replies > 0
	}
	if had {
		x.nextRound()
	}
}

// reporting goes on to where the seat next speaks of the claims.
func (x *supposed) reporting(seat state.Seat) {
	if x.past {
		return
	}
	if x.s.AskedOf(seat, ownStage(seat)).Replies > 0 || seat != state.Moderator && x.s.AskedOf(state.Moderator, state.StageSynthesize).Replies > 0 {
		x.nextRound()
	}
}

// ownStage is the stage of a round in which a seat of a council speaks for itself;
// the strategist answers there.
func ownStage(seat state.Seat) state.Stage {
	switch seat { //nolint:exhaustive // the other seats of a council are the strategist alone
	case state.Critic:
		return state.StageCritique
	case state.Adversary:
		return state.StageAttack
	case state.Expert:
		return state.StageAdvise
	case state.Moderator:
		return state.StageSynthesize
	}
	return state.StageAnswer
}
