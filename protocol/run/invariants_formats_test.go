package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// randomProposal is the part of a dialectic session: no model's word clears or upholds anything,
// and a field that the user agreed to holds nothing.
type randomProposal struct{ randomConsultation }

func randomDialectic(t *rapid.T) (*state.SessionOpened, randomSeats) {
	o := protocoltest.Opened(dialectic.Name)
	o.Question = "Set a to 1, b to 2 or 3"
	o.Settings.Own = &dialectic.Settings{Playbook: protocoltest.Playbook(gates.Config{MaxRounds: rapid.IntRange(1, 9).Draw(t, "rounds")})}
	return o, randomProposal{}
}

func (randomProposal) agreed(*randomSession, *state.Point, *state.Ruling) {}

func (randomProposal) applied(r *randomSession, _ *state.State, p state.Payload) {
	if _, resolved := p.(*dialectic.RoundResolved); resolved {
		checkResolution(r)
	}
	if r.s.Seq%20 == 0 {
		checkUserRulings(r.T, r.s)
		advancesAsAgreed(r.T, r.s)
	}
}

func (randomProposal) ended(r *randomSession) {
	if r.s.Paused != state.PauseNone && (r.s.Settings.Attended ||
		dialectic.Of(r.s).Last().Decision != gates.Escalate) {
		r.Fatalf("it pauses: %s", r.s.PauseReason)
	}
}

func (randomProposal) move(r *randomSession, _ protocol.Ask, kind protocol.MoveKind) protocol.Move {
	path := rapid.SampledFrom([]string{"a", "b", "c", "P1", "P2", "P9"}).Draw(r.T, "path")
	challenge := r.challenge()
	value := json.RawMessage(rapid.SampledFrom([]string{"1", "2", "3", "17", `"x"`, "true"}).Draw(r.T, "value"))
	reference := rapid.SampledFrom([]string{"run/x:1", "a.go:1", "bad.go:1", "web/x:1", "model/x:1"}).Draw(r.T,
		"reference")
	relation := rapid.SampledFrom(append(ledger.Relations(), "")).Draw(r.T, "relation")
	quote := rapid.SampledFrom([]string{"1 and 2 and 3", "17", "x"}).Draw(r.T, "quote")
	citations := []protocol.Citation{{Reference: reference, Quote: quote, Relation: relation}}
	switch kind { //nolint:exhaustive // those of the format
	case dialectic.MovePropose:
		return &dialectic.Propose{
			Path: path, Value: value, Category: rapid.SampledFrom([]string{"Safety", "Taste"}).Draw(r.T, "category"),
			Severity: rapid.SampledFrom([]string{"", "LOW", "GRAVE"}).Draw(r.T, "severity"), Citations: citations,
		}
	case protocol.MoveRevise:
		return &protocol.Revise{
			Point: path, Text: "so", Value: value, Citations: citations,
			Derived: &protocol.Derivation{Op: "sum", Of: []string{"a", "b"}},
		}
	case protocol.MoveDefend:
		return &protocol.Defend{Challenge: challenge, Text: "no", Citations: citations}
	case protocol.MoveConcede:
		return &protocol.Concede{Challenge: challenge}
	case protocol.MoveWithdraw:
		return &protocol.Withdraw{Point: path}
	case dialectic.MoveObject:
		return &dialectic.Object{
			Point: path, Text: rapid.SampledFrom([]string{"wrong", "bad", "ugly"}).Draw(r.T, "text"),
			Request:  rapid.SampledFrom([]string{"", "a test"}).Draw(r.T, "request"),
			Category: "Safety", Severity: rapid.SampledFrom(gates.Severities()).Draw(r.T, "severity"),
			Predicate: "it holds", Citations: citations,
		}
	case dialectic.MoveRequest:
		return &dialectic.RequestEvidence{Challenge: challenge, Text: "a test"}
	case dialectic.MoveSupply:
		return &dialectic.SupplyEvidence{Challenge: challenge, Reference: reference, Quote: quote, Relation: relation}
	}
	return &dialectic.NoObjection{}
}

func (randomProposal) override(r *randomSession, other protocol.UserMove) protocol.UserMove {
	point := r.point()
	return rapid.SampledFrom([]protocol.UserMove{
		protocol.RecordFact{Text: "a <= 2"},
		dialectic.RaiseObjection{Point: point, Text: "no", Severity: gates.Medium},
		dialectic.RuleObjection{Challenge: "C1", Verdict: rapid.SampledFrom(gates.Rulings()).Draw(r.T, "ruling")},
		dialectic.RuleObjection{Challenge: "C1"},
		dialectic.WithdrawField{Point: point},
		other,
	}).Draw(r.T, "of the proposal")
}

// checkResolution checks one recorded resolution: cleared fields block nothing, and the decision matches the gates.
func checkResolution(r *randomSession) {
	resolved := dialectic.Of(r.s).Last()
	result := &resolved.Result
	failed, held := "", ""
	for _, g := range result.Artifact.Validation.Gates {
		if g.Pass {
			continue
		}
		failed += strings.Join(g.Reasons, "; ") + "; "
		if g.Gate != "G7" {
			// Evidence may still be owed for what is cleared by earlier evidence.
			held += strings.Join(g.Reasons, "; ") + "; "
		}
	}
	standing := dialectic.Blocking(result)
	for _, o := range result.Artifact.Resolutions {
		holds := slices.ContainsFunc(standing, func(s gates.Resolution) bool { return s.Objection == o.Objection })
		if !o.Outcome.Holds() && (holds || strings.Contains(held, o.Objection+" (")) {
			r.Fatalf("%s is %s and holds the proposal: %s", o.Objection, o.Outcome, failed)
		}
	}
	if len(result.Artifact.Proposal.Fields) == 0 && result.Decision != gates.Escalate {
		r.Fatalf("%s, and nothing is proposed", result.Decision)
	}
	if ready := failed == "" && len(standing) == 0 && len(result.Artifact.Proposal.Fields) > 0; ready != (result.Decision == gates.Advance) ||
		ready != result.Artifact.Validation.ReadyToAdvance {
		r.Fatalf("%s, and %q fails with %d objections standing", result.Decision, failed, len(standing))
	}
}

// checkUserRulings checks that fields have the values that the user set and that objections to current values end as the
// user ruled.
func checkUserRulings(rt *rapid.T, s *state.State) {
	result, rulings := dialectic.ResolveProposal(s, s.At), resolver.Rule(s)
	for _, ruling := range rulings {
		if p := s.Point(ruling.Point); p.UserRuling != nil &&
			(ruling.Bucket != p.UserRuling.Bucket || ruling.Rule != "R0") {
			rt.Fatalf("the user put %s among %s, and it is %+v", p.ID, p.UserRuling.Bucket, ruling)
		}
	}
	for _, o := range result.Artifact.Resolutions {
		c := s.Challenge(o.Objection)
		p := s.Point(c.Point)
		unchanged := dialectic.Proposed(p) && p.UserRuling == nil && dialectic.ObjectionOf(c).RuledSeq > max(dialectic.FieldOf(p).Seq, p.Reopened)
		if unchanged && dialectic.ObjectionOf(c).Verdict != "" && !strings.EqualFold(string(dialectic.ObjectionOf(c).Verdict), string(o.Outcome)) {
			rt.Fatalf("the user said %s of %s, and it is %s by %s", dialectic.ObjectionOf(c).Verdict, c.ID, o.Outcome, o.Rule)
		}
	}
}

// advancesAsAgreed has the user agree to every field: nothing holds the proposal
// then, whatever was objected and whatever gates said.
func advancesAsAgreed(rt *rapid.T, s *state.State) {
	if s.Closed || !dialectic.AnyProposed(s) {
		return
	}
	for _, p := range s.Points.All() {
		if !dialectic.Proposed(p) {
			continue
		}
		events, err := protocol.AdmitUser(s, protocol.RuleOn{Point: p.ID, What: state.OverrideAgree})
		if err != nil {
			rt.Fatal(err)
		}
		for _, e := range events {
			if s, err = state.Apply(s, state.Event{Seq: s.Seq + 1, At: s.At, Data: e}); err != nil {
				rt.Fatal(err)
			}
		}
	}
	if result := dialectic.ResolveProposal(s, s.At); result.Decision != gates.Advance {
		rt.Fatalf("the user agrees to every field, and it is %s: %+v", result.Decision, result.Artifact.Validation)
	}
}

// randomPanelists is the part of a panel: seats may be missing, the first pass is blind.
type randomPanelists struct{ randomConsultation }

func randomPanel(t *rapid.T) (*state.SessionOpened, randomSeats) {
	o := protocoltest.Opened(panel.Name, protocoltest.Panelists(rapid.IntRange(2, 5).Draw(t, "panelists")))
	o.Settings.Workspace = rapid.SampledFrom([]string{"", "/work"}).Draw(t, "workspace")
	o.Settings.Own.(*panel.Settings).Strategy = string(rapid.SampledFrom(conflict.Strategies()).Draw(t, "strategy"))
	o.Settings.Own.(*panel.Settings).Then = rapid.SampledFrom([]string{"", panel.ThenConsult}).Draw(t, "then")
	return o, randomPanelists{}
}

// move marks the text of some claims with a word that only their seat uses.
func (randomPanelists) move(r *randomSession, ask protocol.Ask, kind protocol.MoveKind) protocol.Move {
	m := r.claimMove(kind)
	if raised, ok := m.(*protocol.Raise); ok && raised.Text != "" && rapid.Bool().Draw(r.T, "marked") {
		raised.Text += " " + mark(ask.Seat)
	}
	return m
}

// asked checks that prompts show nothing of another panelist in the first pass, and no names to a
// seat that compares or votes.
func (randomPanelists) asked(r *randomSession, asks []protocol.Ask) {
	for _, ask := range asks {
		if r.s.Misses(ask.Seat) {
			r.Fatalf("%s is asked to %s, and is missing", ask.Seat, ask.Stage)
		}
		prompt := protocol.Of(r.s).Prompt(r.s, ask)
		switch ask.Stage { //nolint:exhaustive // the others show all
		case state.StagePropose:
			for _, a := range r.s.Seats {
				if a.Seat != ask.Seat && strings.Contains(prompt.Text, mark(a.Seat)) {
					r.Fatalf("RD1b: %s is shown what %s said:\n%s", ask.Seat, a.Seat, prompt.Text)
				}
			}
		case panel.StageTriage, panel.StageVote:
			if strings.Contains(prompt.Text, string(panel.Panelist)) {
				r.Fatalf("%s is told who said what when it is to %s:\n%s", ask.Seat, ask.Stage, prompt.Text)
			}
		}
		r.append(prompt.Sent(ask)...)
	}
}

// mark is a word that only one seat uses.
func mark(seat state.Seat) string {
	return "mark" + strings.TrimPrefix(strings.TrimPrefix(string(seat), string(panel.Panelist)), "-") + "!"
}

func (randomPanelists) override(r *randomSession, other protocol.UserMove) protocol.UserMove {
	if rapid.IntRange(0, 6).Draw(r.T, "of the panel") == 0 {
		return protocol.AnswerQuestion{Question: r.id("Q", r.s.Questions.Len()), Answer: r.userAnswer()}
	}
	return other
}

// agreed looks at a point that is Agreed without the user's word: it has the
// evidence that its kind needs, and more than one author's word.
func (randomPanelists) agreed(r *randomSession, p *state.Point, ruling *state.Ruling) {
	t := panel.NewTable(r.s)
	claim := t.Claim(p.ID)
	if claim == nil {
		r.Fatalf("%s is Agreed and no claim: %+v", p.ID, ruling)
	}
	firm := slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := r.s.Item(id)
		return item.Proven() && item.Relation == ledger.Supports && item.Type != ledger.Claim
	})
	if !firm && resolver.KindOf(r.s, p) == state.Empirical {
		r.Fatalf("INV3: %s is empirical and Agreed without verified evidence: %+v", p.ID, ruling)
	}
	several := len(claim.Holders) > 1
	for _, id := range claim.Points {
		for _, c := range r.s.Point(id).Classes {
			several = several || !slices.Contains(claim.Holders, c.Seat)
		}
	}
	for _, c := range t.Conflicts {
		a, b := t.Sides(c)
		if a != claim && b != claim {
			continue
		}
		other := a
		if a == claim {
			other = b
		}
		// Who gave up the other side says so too; verified evidence speaks for itself.
		conceded := slices.ContainsFunc(other.Points,
			func(id string) bool { return len(r.s.Point(id).Concessions) > 0 })
		several = several || conceded || panel.Settled(c)
		if c.Kind == conflict.Contradiction && !t.Ended(c) && !panel.Settled(c) && !panel.Argued(r.s, p) {
			r.Fatalf("%s is Agreed while %s is neither settled nor ended: %+v", p.ID, c.ID, ruling)
		}
	}
	if !several {
		r.Fatalf("INV1: %s is Agreed on the word of %v alone: %+v", p.ID, claim.Holders, ruling)
	}
}

// ended checks that no two sides of a contradiction are both Agreed,
// unless the user agreed to one of them.
func (randomPanelists) ended(r *randomSession) {
	t := panel.NewTable(r.s)
	rulings := resolver.Rule(r.s)
	agreed := func(c *panel.Claim) (id string, byUser bool) {
		for i, ruling := range rulings {
			if p := r.s.Points.At(i); slices.Contains(c.Points, p.ID) && ruling.Bucket == state.BucketAgreed {
				return p.ID, ruling.Tag == state.TagUser
			}
		}
		return "", false
	}
	for i, c := range t.Conflicts {
		a, b := t.Sides(c)
		p, byUser := agreed(a)
		q, also := agreed(b)
		if c.Kind == conflict.Contradiction && p != "" && q != "" && !byUser && !also {
			r.Fatalf("ST6: both sides of %s are Agreed: %s and %s", c.ID, p, q)
		}
		if i > 0 && t.Conflicts[i-1].Found > c.Found {
			r.Fatalf("%s is out of order", c.ID)
		}
	}
	for i, c := range panel.Of(r.s).Conflicts.All() {
		if want := fmt.Sprintf("K%d", i+1); c.ID != want {
			r.Fatalf("%s stands in the place of %s", c.ID, want)
		}
	}
}

// randomCouncilors is the part of a council.
type randomCouncilors struct {
	// given counts how often a violation was given back to its seat.
	given map[string]int
}

func randomCouncil(t *rapid.T) (*state.SessionOpened, randomSeats) {
	o := protocoltest.Opened(council.Name)
	o.Settings.Workspace = rapid.SampledFrom([]string{"", "/work"}).Draw(t, "workspace")
	set := o.Settings.Own.(*council.Settings)
	set.Rounds = rapid.IntRange(1, 4).Draw(t, "rounds")
	set.Parallel = rapid.Bool().Draw(t, "parallel")
	set.Decision = rapid.SampledFrom([]float64{0, 0.5, council.DefaultDecision}).Draw(t, "decision")
	if rapid.Bool().Draw(t, "bound") {
		book, err := constitution.Default()
		if err != nil {
			t.Fatal(err)
		}
		book.Constraints = append(book.Constraints, constitution.Constraint{
			ID: "H1", Seat: constitution.Strategist, Text: "Do not mention the cache.", Check: constitution.CheckNoHarm,
			Deny: []string{"cache is unsafe"},
		})
		set.Constitution = book
	}
	if rapid.Bool().Draw(t, "expert") {
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: constitution.Expert, Participant: "script"})
	}
	return o, &randomCouncilors{given: map[string]int{}}
}

func (*randomCouncilors) ended(r *randomSession) {
	if r.s.Round > r.s.Settings.Own.(*council.Settings).Rounds {
		r.Fatalf("INV7: round %d of %d", r.s.Round, r.s.Settings.Own.(*council.Settings).Rounds)
	}
	// A challenge or its answer may name a premise at any time, which then counts as not settled.
	for _, p := range r.s.Points.All() {
		late := p.Round > 1 && p.Round == r.s.Settings.Own.(*council.Settings).Rounds && p.Revises == ""
		if late && !r.s.Points.Any(func(q *state.Point) bool { return slices.Contains(q.Needs, p.ID) }) {
			r.Fatalf("%s was raised in the last round, and no claim needs it", p.ID)
		}
	}
	if r.s.Exit == state.ExitConverged && council.Of(r.s).Consensus(r.s.Round) == nil {
		r.Fatal("consensus, and nobody tested it")
	}
}

// asked records the prompts, and that no violation is given back twice.
func (c *randomCouncilors) asked(r *randomSession, asks []protocol.Ask) {
	for _, ask := range asks {
		var due []council.Breach
		if ask.Stage == council.StageFix {
			due = council.Unfixed(r.s, ask.Seat)
		}
		for _, b := range due {
			id := b.Constraint + " " + b.Point + " " + b.Challenge
			if c.given[id] > 0 && ask.Retry == "" {
				r.Fatalf("%s is given back to the %s a second time", id, ask.Seat)
			}
			c.given[id]++
		}
		if ask.Seat == constitution.Strategist && r.s.Round == r.s.Settings.Own.(*council.Settings).Rounds &&
			slices.Contains(ask.Moves, protocol.MoveRevise) {
			r.Fatalf("the last round, and what is worded anew in it nobody tests: %+v", ask)
		}
		prompt := protocol.Of(r.s).Prompt(r.s, ask)
		r.append(prompt.Sent(ask)...)
	}
}

// applied checks that an admitted confidence moves with a cause only (ST3), a
// violation is recorded once, and a seat only marks a claim as key.
func (*randomCouncilors) applied(r *randomSession, before *state.State, p state.Payload) {
	switch p := p.(type) {
	case *state.ConfidenceReported:
		score := before.Point(p.Point).Score(p.Seat)
		if score != nil && score.Admitted != p.Admitted && !strings.ContainsAny(p.Cause, "EFC") {
			r.Fatalf("ST3: %s moves its confidence in %s from %v to %v because of %q", p.Seat, p.Point,
				score.Admitted, p.Admitted, p.Cause)
		}
	case *council.ConstitutionViolated:
		if council.Of(before).Breached(p.Constraint, p.Point, p.Challenge) {
			r.Fatalf("CV3: %s is violated by %s %s twice", p.Constraint, p.Point, p.Challenge)
		}
	}
}

// agreed checks a claim that is Agreed without a user override: CV1 to CV4 hold, it has the evidence its
// kind requires, its strategist and critic reported, and no challenge is open.
func (*randomCouncilors) agreed(r *randomSession, p *state.Point, ruling *state.Ruling) {
	v := council.Validate(r.s, p)
	if !v.Valid() || v.Passed() != 4 || len(v.Required()) > 0 {
		r.Fatalf("CV1 to CV4: %s is Agreed and not valid: %+v", p.ID, v)
	}
	firm := slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := r.s.Item(id)
		return item.Proven() && item.Relation == ledger.Supports && item.Type != ledger.Claim
	})
	if !firm && resolver.KindOf(r.s, p) == state.Empirical {
		r.Fatalf("INV3: %s is empirical and Agreed without verified evidence: %+v", p.ID, ruling)
	}
	for _, seat := range []state.Seat{constitution.Strategist, constitution.Critic} {
		if p.Score(seat) == nil {
			r.Fatalf("INV1: %s is Agreed, and the %s said nothing of it", p.ID, seat)
		}
	}
	for _, id := range p.Challenges {
		if c := r.s.Challenge(id); !c.Settled() || c.Status == state.StandsUndefended {
			r.Fatalf("INV4: %s is Agreed while %s is %s", p.ID, id, c.Status)
		}
	}
}

func (*randomCouncilors) move(r *randomSession, _ protocol.Ask, kind protocol.MoveKind) protocol.Move {
	switch kind { //nolint:exhaustive // the others are a consultation's
	case council.MoveSynthesize:
		return &council.Synthesize{
			Text: r.text(), Agreement: rapid.Bool().Draw(r.T, "agreement"),
			Open: []string{r.point()},
		}
	case protocol.MoveRaise:
		raised := r.claimMove(kind).(*protocol.Raise)
		raised.Key, raised.Limit, raised.Because = rapid.Bool().Draw(r.T, "key"), r.text(), r.cause()
		return raised
	case protocol.MoveClarify:
		return &protocol.Clarify{
			Point: r.point(),
			Term:  rapid.SampledFrom([]string{"", "limit", "evidence", "safe"}).Draw(r.T, "term"), Text: r.text(),
		}
	case protocol.MoveScore:
		return &protocol.Score{
			Point: r.point(), Confidence: rapid.Float64Range(0.4, 1).Draw(r.T, "score"),
			Cause: r.cause(),
		}
	case protocol.MoveRevise:
		revised := r.claimMove(kind).(*protocol.Revise)
		revised.Confidence, revised.Because = r.confidence(), r.cause()
		return revised
	}
	return r.claimMove(kind)
}

func (r *randomSession) cause() string {
	return rapid.SampledFrom([]string{"", "on reflection", "because E1", "E2 shows it", "F1"}).Draw(r.T, "cause")
}

func (*randomCouncilors) override(_ *randomSession, other protocol.UserMove) protocol.UserMove {
	return other
}

// randomSides is the part of a hearing: everything rests on the packet, and no side sees what the
// other says in the same round.
type randomSides struct{}

func randomHearing(t *rapid.T) (*state.SessionOpened, randomSeats) {
	o := protocoltest.Opened(hearing.Name)
	h := o.Settings.Own.(*hearing.Settings)
	h.Form = rapid.SampledFrom(hearing.Forms()).Draw(t, "form")
	h.Judge = rapid.SampledFrom(judge.Versions()).Draw(t, "judge")
	h.Rounds = rapid.IntRange(2, 5).Draw(t, "rounds")
	if h.Form == hearing.FormSelective {
		h.Gate = rapid.SampledFrom(judge.Gates()).Draw(t, "gate")
		h.Then = rapid.SampledFrom([]hearing.Form{hearing.FormMulti, hearing.FormAnchored, hearing.FormAudit}).Draw(t, "then")
	}
	if h.Form != hearing.FormSingle && rapid.Bool().Draw(t, "oracle") {
		h.Oracle = true
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: hearing.Oracle, Participant: "script"})
	}
	return o, randomSides{}
}

// agreed checks nothing: the judge decides, by arithmetic.
func (randomSides) agreed(*randomSession, *state.Point, *state.Ruling) {}

// ended looks at how a session ended: within the rounds of its form. That it ended by
// its rules the record tells, which is recomputed.
func (h randomSides) ended(r *randomSession) {
	if last := resolver.LastRound(r.s); r.s.Round > last {
		r.Fatalf("INV7: round %d of %d", r.s.Round, last)
	}
	oracle := 0
	for _, c := range r.s.Challenges.All() {
		if c.By == hearing.Oracle {
			oracle++
		}
	}
	if oracle > 3 {
		r.Fatalf("the oracle brings %d challenges", oracle)
	}
}

// saidIn marks what a seat says in a round, and meets is the mark of answers.
func saidIn(seat state.Seat, round int) string {
	return fmt.Sprintf("said by the %s in %d", seat, round)
}

func meetsIn(seat state.Seat, round int) string {
	return fmt.Sprintf("met by the %s in %d", seat, round)
}

// shown looks at each prompt: in it is nothing that the other side said in the round;
// where claims are contested and answered in one, no answer of the other side.
func (h randomSides) asked(r *randomSession, asks []protocol.Ask) {
	for _, ask := range asks {
		prompt := protocol.Of(r.s).Prompt(r.s, ask)
		if len(prompt.Text)+len(prompt.System) > protocol.DefaultPromptBudget*4 {
			r.Fatalf("a prompt of %d bytes", len(prompt.Text))
		}
		other := hearing.Opponent(ask.Seat)
		if ask.Stage == state.StageJudge {
			// It judges the answers of the round.
			other = ""
		}
		if other != "" && ask.Stage != state.StageAnswer && strings.Contains(prompt.Text, saidIn(other, r.s.Round)) || strings.Contains(prompt.Text, meetsIn(other, r.s.Round)) {
			r.Fatalf("asked to %s in round %d the %s is shown what the other side says there:\n%s", ask.Stage, r.s.Round, ask.Seat, prompt.Text)
		}
		if again := protocol.Of(r.s).Prompt(r.s, ask); again.Text != prompt.Text {
			r.Fatal("asked twice, the prompt differs")
		}
		r.append(prompt.Sent(ask)...)
	}
}

// look checks one event: it refers only to facts of the packet, and in an anchored hearing confidence falls only
// for a cause.
func (h randomSides) applied(r *randomSession, before *state.State, p state.Payload) {
	switch p := p.(type) {
	case *state.PointRaised:
		h.known(r, p.ID, p.Facts)
	case *state.ChallengeRaised:
		h.known(r, p.ID, p.Facts)
	case *state.ChallengeAnswered:
		h.known(r, p.Challenge, p.Facts)
	case *state.ConfidenceReported:
		score := before.Point(p.Point).Score(p.Seat)
		if score != nil && p.Admitted < score.Admitted && hearing.CurrentForm(before) == hearing.FormAnchored {
			h.caused(r, before, p)
		}
	case *hearing.Argued:
		last := hearing.Of(before).Argument(p.Seat, before.Round-1)
		if last == nil || hearing.CurrentForm(before) != hearing.FormAnchored || p.Confidence >= last.Confidence {
			return
		}
		fell := before.Points.Any(func(claim *state.Point) bool {
			return claim.IsAuthor(p.Seat) && slices.ContainsFunc(hearing.ChangesOf(before, claim), func(c hearing.Change) bool {
				return c.Round == before.Round && c.To < c.From
			})
		})
		if question := before.Point("P1"); !fell && len(question.Challenges) == 0 {
			r.Fatalf("the %s falls from %v to %v, and no claim of its did", p.Seat, last.Confidence, p.Confidence)
		}
	}
}

// known fails where something rests on what the packet does not hold.
func (h randomSides) known(r *randomSession, id string, facts []string) {
	for _, fact := range facts {
		if _, there := r.s.Packet.Fact(fact); !there {
			r.Fatalf("%s cites %q, which is not in the packet", id, fact)
		}
	}
}

// caused fails where a fall has no cause: a fact that another seat cited against the
// claim in an earlier round, and that nobody answered before this one.
func (h randomSides) caused(r *randomSession, before *state.State, e *state.ConfidenceReported) {
	cited := false
	for _, c := range before.Challenges.All() {
		if c.Point != e.Point || !slices.Contains(c.Facts, e.Cause) {
			continue
		}
		cited = cited || c.By != e.Seat && c.Round < before.Round
		for _, d := range c.Defenses {
			if d.By == e.Seat && d.Round < before.Round && d.Seq > c.Since {
				r.Fatalf("the %s lowers %s by %q, which it answered in round %d", e.Seat, e.Point, e.Cause, d.Round)
			}
		}
	}
	if !cited {
		r.Fatalf("the %s lowers %s by %q, which nobody cited against it", e.Seat, e.Point, e.Cause)
	}
}

// facts draws ids, mostly of the packet.
func (h randomSides) facts(r *randomSession) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", " f1 ", "f10", "F1"}), 0, 3).Draw(r.T, "facts")
}

// move draws a move of a seat, whose texts say whose they are.
func (h randomSides) move(r *randomSession, ask protocol.Ask, kind protocol.MoveKind) protocol.Move {
	said := r.text() + " " + saidIn(ask.Seat, r.s.Round)
	switch kind { //nolint:exhaustive // those of a hearing
	case hearing.MoveClaim:
		return &hearing.Claim{Reading: said, Facts: h.facts(r), Confidence: r.confidence()}
	case hearing.MoveContradict:
		return &hearing.Contradict{Point: r.point(), Facts: h.facts(r), Reading: said}
	case protocol.MoveAnswer:
		return &hearing.Rebut{Challenge: r.challenge(), Facts: h.facts(r), Text: meetsIn(ask.Seat, r.s.Round)}
	case protocol.MoveScore:
		return &protocol.Score{Point: r.point(), Confidence: *r.confidence(), Cause: strings.Join(h.facts(r), " ")}
	case protocol.MoveConcede:
		return &protocol.Concede{Point: r.point(), Reason: said}
	case hearing.MoveConclude:
		return &hearing.Conclude{Confidence: r.confidence(), WouldChange: rapid.SampledFrom([]string{"", "nothing", "a ticket"}).Draw(r.T, "would change")}
	}
	return &protocol.FlagMove{Flag: rapid.SampledFrom(protocol.FlagKinds()).Draw(r.T, "flag kind"), Text: said}
}

// user draws what the user does in a hearing, or leaves the drawn move.
func (h randomSides) override(r *randomSession, other protocol.UserMove) protocol.UserMove {
	switch rapid.IntRange(0, 9).Draw(r.T, "of the hearing") {
	case 0, 1:
		return protocol.ChallengePoint{Point: r.point(), Objection: fmt.Sprintf("[%s] so it is", strings.Join(h.facts(r), ", "))}
	case 2:
		return protocol.AnswerChallenge{Challenge: r.challenge(), Text: fmt.Sprintf("[%s] so it is", strings.Join(h.facts(r), ", "))}
	case 3:
		if rapid.IntRange(0, 4).Draw(r.T, "ends") == 0 {
			return protocol.EndSession{}
		}
	}
	return other
}
