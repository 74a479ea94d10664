package run

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/constitution"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/council"
	"moot/resolver"
	"moot/state"
)

// randomCouncil adds the council's part to a random session.
type randomCouncil struct {
	// given counts how often a violation was given back to its seat.
	given map[string]int
}

// more is how many more calls a council makes than a consultation: more seats are
// asked in a round, and once more for what they left out.
func (c *randomCouncil) more() int {
	if c == nil {
		return 0
	}
	return 400
}

// TestRandomCouncils makes random moves of the seats and the user. It checks invariants after every event,
// recomputes and replays the record at the end, and resumes from a random event.
func TestRandomCouncils(t *testing.T) {
	book, err := constitution.Default()
	if err != nil {
		t.Fatal(err)
	}
	book.Constraints = append(book.Constraints, state.Constraint{
		ID: "H1", Seat: state.Strategist, Text: "Say nothing of the cache.", Check: state.CheckNoHarm,
		Deny: []string{"cache is unsafe"},
	})
	rapid.Check(t, func(rt *rapid.T) {
		o := asksCouncil()
		o.Settings.Attended = rapid.Bool().Draw(rt, "attended")
		o.Settings.Workspace = rapid.SampledFrom([]string{"", "/work"}).Draw(rt, "workspace")
		o.Settings.Council.Rounds = rapid.IntRange(1, 4).Draw(rt, "rounds")
		o.Settings.Council.Parallel = rapid.Bool().Draw(rt, "parallel")
		o.Settings.Council.Decision = rapid.SampledFrom([]float64{0, 0.5, state.DefaultDecision}).Draw(rt, "decision")
		if rapid.Bool().Draw(rt, "bound") {
			o.Settings.Council.Constitution = book
		}
		if rapid.Bool().Draw(rt, "expert") {
			o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Expert, Participant: "script"})
		}
		r := &randomSession{
			t: rt, format: council.Format{}, ruler: resolver.NewRuler(), tags: map[string]ledger.Tag{},
			leave:   map[string]bool{},
			council: &randomCouncil{given: map[string]int{}},
		}
		r.append(o)
		if rapid.Bool().Draw(rt, "allow") {
			r.append(&state.CommandsAllowed{Patterns: []string{"go vet ..."}, By: state.User})
		}
		r.drive()
		r.councilEnd()
		r.recomputed()
	})
}

// councilEnd looks at how a session ended.
func (r *randomSession) councilEnd() {
	if r.s.Round > r.s.Settings.Council.Rounds {
		r.t.Fatalf("INV7: round %d of %d", r.s.Round, r.s.Settings.Council.Rounds)
	}
	if r.s.Exit == state.ExitConverged && r.s.Council.Consensus(r.s.Round) == nil {
		r.t.Fatal("consensus, and nobody tested it")
	}
}

// shown records the prompts, and that no violation is given back twice.
func (c *randomCouncil) shown(r *randomSession, asks []protocol.Ask) {
	for _, ask := range asks {
		for _, b := range protocol.DueOf(&r.s, ask).Mend {
			id := b.Constraint + " " + b.Point + " " + b.Challenge
			if c.given[id] > 0 && ask.Retry == "" {
				r.t.Fatalf("%s is given back to the %s a second time", id, ask.Seat)
			}
			c.given[id]++
		}
		if ask.Seat == state.Strategist && r.s.Round == r.s.Settings.Council.Rounds &&
			slices.Contains(ask.Moves, protocol.MoveRevise) {
			r.t.Fatalf("the last round, and what is worded anew in it nobody tests: %+v", ask)
		}
		prompt := r.format.Prompt(r.s, ask)
		r.append(&state.PromptSent{Seat: ask.Seat, Stage: ask.Stage, Text: prompt.Text, Omitted: []string{}})
	}
}

// look looks at one event: an admitted confidence moves with a cause only (ST3), a
// violation is recorded once, and a seat only marks a claim as key.
func (*randomCouncil) look(r *randomSession, before *state.State, p state.Payload) {
	switch p := p.(type) {
	case *state.ConfidenceReported:
		score := before.Point(p.Point).Score(p.Seat)
		if score != nil && score.Admitted != p.Admitted && !strings.ContainsAny(p.Cause, "EFC") {
			r.t.Fatalf("ST3: %s moves its confidence in %s from %v to %v because of %q", p.Seat, p.Point,
				score.Admitted, p.Admitted, p.Cause)
		}
	case *state.ConstitutionViolated:
		if before.Council.Breached(p.Constraint, p.Point, p.Challenge) {
			r.t.Fatalf("CV3: %s is violated by %s %s twice", p.Constraint, p.Point, p.Challenge)
		}
	case *state.ClaimMarkedKey:
		if !p.Key && p.By != state.User {
			r.t.Fatalf("%s takes back that %s is key", p.By, p.Point)
		}
	case *state.PointRaised:
		if before.Settings.Council.Rounds == before.Round && before.Round > 1 {
			r.t.Fatalf("%s raises %s in the last round", p.By, p.ID)
		}
	}
}

// checkCouncilAgreed checks a claim that is Agreed without a user override: CV1 to CV4 hold, it has the evidence its
// kind requires, its strategist and critic reported, and no challenge is open.
func (r *randomSession) checkCouncilAgreed(p *state.Point, ruling *state.Ruling) {
	v := council.Validate(&r.s, p)
	if !v.Valid() || v.Passed() != 4 || len(v.Required()) > 0 {
		r.t.Fatalf("CV1 to CV4: %s is Agreed and not valid: %+v", p.ID, v)
	}
	firm := slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := r.s.Item(id)
		return item.Counts() && item.Relation == ledger.Supports && item.Type != ledger.Claim
	})
	if !firm && !resolver.IsValue(&r.s, p) {
		r.t.Fatalf("INV3: %s is empirical and Agreed without verified evidence: %+v", p.ID, ruling)
	}
	for _, seat := range []state.Seat{state.Strategist, state.Critic} {
		if p.Score(seat) == nil {
			r.t.Fatalf("INV1: %s is Agreed, and the %s said nothing of it", p.ID, seat)
		}
	}
	for _, id := range p.Challenges {
		if c := r.s.Challenge(id); !c.Settled() || c.Status == state.StandsUndefended {
			r.t.Fatalf("INV4: %s is Agreed while %s is %s", p.ID, id, c.Status)
		}
	}
}

// councilMove draws a move of the kind.
func (r *randomSession) councilMove(kind protocol.MoveKind) protocol.Move {
	switch kind { //nolint:exhaustive // the others are a consultation's
	case protocol.MoveSynthesize:
		return &protocol.Synthesize{
			Text: r.text(), Agreement: rapid.Bool().Draw(r.t, "agreement"),
			Open: []string{r.point()},
		}
	case protocol.MoveRaise:
		raised := r.move(kind).(*protocol.Raise)
		raised.Key, raised.Limit, raised.Because = rapid.Bool().Draw(r.t, "key"), r.text(), r.cause()
		return raised
	case protocol.MoveClarify:
		return &protocol.Clarify{
			Point: r.point(),
			Term:  rapid.SampledFrom([]string{"", "limit", "evidence", "safe"}).Draw(r.t, "term"), Text: r.text(),
		}
	case protocol.MoveScore:
		return &protocol.Score{
			Point: r.point(), Confidence: rapid.Float64Range(0.4, 1).Draw(r.t, "score"),
			Cause: r.cause(),
		}
	case protocol.MoveRevise:
		revised := r.move(kind).(*protocol.Revise)
		revised.Confidence, revised.Because = r.confidence(), r.cause()
		return revised
	}
	return r.move(kind)
}

func (r *randomSession) cause() string {
	return rapid.SampledFrom([]string{"", "on reflection", "because E1", "E2 shows it", "F1"}).Draw(r.t, "cause")
}

// councilUser draws a move of the user's in a council, or leaves the drawn one.
func (r *randomSession) councilUser(other protocol.UserMove) protocol.UserMove {
	if rapid.IntRange(0, 4).Draw(r.t, "of the council") == 0 {
		return protocol.MarkKey{Point: r.point(), Key: rapid.Bool().Draw(r.t, "key")}
	}
	return other
}
