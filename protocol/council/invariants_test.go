package council_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/protocol/protocoltest/random"
	"moot/resolver"
	"moot/state"
)

// TestInvariants lets seats and the user move at random. It checks INV1 to INV8 after every event, and recomputes and
// replays the record at the end. There are more sessions with -rapid.checks=10000.
func TestInvariants(t *testing.T) {
	t.Parallel()
	random.Invariants(t, randomCouncil)
}

// TestSentences checks each sentence of the results of random sessions (SE2).
func TestSentences(t *testing.T) {
	t.Parallel()
	random.Sentences(t, randomCouncil)
}

// randomCouncilors is the part of a council.
type randomCouncilors struct {
	// given counts how often a violation was given back to its seat.
	given map[string]int
}

func randomCouncil(t *rapid.T) (*state.SessionOpened, random.Seats) {
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

func (*randomCouncilors) Ended(r *random.Session) {
	if r.State.Round > r.State.Settings.Own.(*council.Settings).Rounds {
		r.Fatalf("INV7: round %d of %d", r.State.Round, r.State.Settings.Own.(*council.Settings).Rounds)
	}
	// A challenge or its answer may name a premise at any time, which then counts as not settled.
	for _, p := range r.State.Points.All() {
		late := p.Round > 1 && p.Round == r.State.Settings.Own.(*council.Settings).Rounds && p.Revises == ""
		if late && !r.State.Points.Any(func(q *state.Point) bool { return slices.Contains(q.Needs, p.ID) }) {
			r.Fatalf("%s was raised in the last round, and no claim needs it", p.ID)
		}
	}
	if r.State.Exit == state.ExitConverged && council.Of(r.State).Consensus(r.State.Round) == nil {
		r.Fatal("consensus, and nobody tested it")
	}
}

// Asked records the prompts, and that no violation is given back twice.
func (c *randomCouncilors) Asked(r *random.Session, asks []protocol.Ask) {
	for _, ask := range asks {
		var due []council.Breach
		if ask.Stage == council.StageFix {
			due = council.Unfixed(r.State, ask.Seat)
		}
		for _, b := range due {
			id := b.Constraint + " " + b.Point + " " + b.Challenge
			if c.given[id] > 0 && ask.Retry == "" {
				r.Fatalf("%s is given back to the %s a second time", id, ask.Seat)
			}
			c.given[id]++
		}
		if ask.Seat == constitution.Strategist && r.State.Round == r.State.Settings.Own.(*council.Settings).Rounds &&
			slices.Contains(ask.Moves, move.KindRevise) {
			r.Fatalf("the last round, and what is worded anew in it nobody tests: %+v", ask)
		}
		prompt := protocol.Of(r.State).Prompt(r.State, ask)
		r.Append(prompt.Sent(ask)...)
	}
}

// Applied checks that an admitted confidence moves with a cause only (ST3), a
// violation is recorded once, and a seat only marks a claim as key.
func (*randomCouncilors) Applied(r *random.Session, before *state.State, p state.Payload) {
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

// Agreed checks a claim that is Agreed without a user override: CV1 to CV4 hold, it has the evidence its
// kind requires, its strategist and critic reported, and no challenge is open.
func (*randomCouncilors) Agreed(r *random.Session, p *state.Point, ruling *state.Ruling) {
	v := council.Validate(r.State, p)
	if !v.Valid() || v.Passed() != 4 || len(v.Required()) > 0 {
		r.Fatalf("CV1 to CV4: %s is Agreed and not valid: %+v", p.ID, v)
	}
	firm := slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := r.State.Item(id)
		return item.Proven() && item.Relation == ledger.Supports && item.Type != ledger.Claim
	})
	if !firm && resolver.KindOf(r.State, p) == state.Empirical {
		r.Fatalf("INV3: %s is empirical and Agreed without verified evidence: %+v", p.ID, ruling)
	}
	for _, seat := range []state.Seat{constitution.Strategist, constitution.Critic} {
		if p.Score(seat) == nil {
			r.Fatalf("INV1: %s is Agreed, and the %s said nothing of it", p.ID, seat)
		}
	}
	for _, id := range p.Challenges {
		if c := r.State.Challenge(id); !c.Settled() || c.Status == state.StandsUndefended {
			r.Fatalf("INV4: %s is Agreed while %s is %s", p.ID, id, c.Status)
		}
	}
}

func (*randomCouncilors) Move(r *random.Session, _ protocol.Ask, kind move.Kind) move.Move {
	switch kind { //nolint:exhaustive // the others are a consultation's
	case council.MoveSynthesize:
		return &council.Synthesize{
			Text: r.Text(), Agreement: rapid.Bool().Draw(r.T, "agreement"),
			Open: []string{r.Point()},
		}
	case move.KindRaise:
		return &council.Raise{
			Raise: *r.ClaimMove(kind).(*move.Raise),
			Key:   rapid.Bool().Draw(r.T, "key"), Limit: r.Text(), Because: cause(r),
		}
	case move.KindClarify:
		return &move.Clarify{
			Point: r.Point(),
			Term:  rapid.SampledFrom([]string{"", "limit", "evidence", "safe"}).Draw(r.T, "term"), Text: r.Text(),
		}
	case move.KindScore:
		return &move.Score{
			Point: r.Point(), Confidence: rapid.Float64Range(0.4, 1).Draw(r.T, "score"),
			Cause: cause(r),
		}
	case move.KindRevise:
		revised := r.ClaimMove(kind).(*move.Revise)
		revised.Confidence, revised.Because = r.Confidence(), cause(r)
		return revised
	}
	return r.ClaimMove(kind)
}

func cause(r *random.Session) string {
	return rapid.SampledFrom([]string{"", "on reflection", "because E1", "E2 shows it", "F1"}).Draw(r.T, "cause")
}

func (*randomCouncilors) Override(_ *random.Session, other protocol.UserMove) protocol.UserMove {
	return other
}
