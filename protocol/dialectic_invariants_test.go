package protocol_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/protocol"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// TestInvariantsOfProposals looks at what holds at any moment of any session
// about a proposal.
func TestInvariantsOfProposals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := randomMoment(t, rt)
		if !bytes.Equal(resolvedBytes(rt, &s), resolvedBytes(rt, &s)) {
			rt.Fatal("one state, two results")
		}
		if rounds := resolver.Configured(&s).MaxRounds; s.Round > rounds {
			rt.Fatalf("round %d of %d", s.Round, rounds)
		}
		for _, r := range s.Dialectic.Resolved {
			recordedWell(rt, &r)
		}
		userWins(rt, &s)
		advancesAsAgreed(rt, s)
	})
}

func resolvedBytes(rt *rapid.T, s *state.State) []byte {
	data, err := json.Marshal(resolver.ResolveProposal(s, s.At))
	if err != nil {
		rt.Fatal(err)
	}
	return data
}

// recordedWell looks at one resolution on the record: its receipts replay to its
// head, what is cleared holds nothing, and the decision is what the gates say.
func recordedWell(rt *rapid.T, r *state.Resolution) {
	var result dialectic.Result
	if err := json.Unmarshal(r.Result, &result); err != nil {
		rt.Fatal(err)
	}
	if _, err := dialectic.Replay(result.Receipts); err != nil {
		rt.Fatal(err)
	}
	if result.Receipts[len(result.Receipts)-1].Hash != r.Head || string(result.Decision) != r.Decision {
		rt.Fatalf("the head or the decision of round %d is not that of its result", r.Round)
	}
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
	standing := resolver.Standing(&result)
	for _, o := range result.Artifact.Resolutions {
		holds := slices.ContainsFunc(standing, func(s dialectic.Resolution) bool { return s.Objection == o.Objection })
		if !o.Outcome.Holds() && (holds || strings.Contains(held, o.Objection+" (")) {
			rt.Fatalf("%s is %s and holds the proposal: %s", o.Objection, o.Outcome, failed)
		}
	}
	if ready := failed == "" && len(standing) == 0; ready != (result.Decision == dialectic.Advance) ||
		ready != result.Artifact.Validation.ReadyToAdvance {
		rt.Fatalf("%s, and %q fails with %d objections standing", result.Decision, failed, len(standing))
	}
}

// userWins looks at what the user ruled on: a field is where the user put it, and
// an objection to a value that stands came out as the user said.
func userWins(rt *rapid.T, s *state.State) {
	result, rulings := resolver.ResolveProposal(s, s.At), resolver.Rule(*s)
	measured(rt, s, rulings)
	for _, ruling := range rulings {
		if p := s.Point(ruling.Point); p.UserRuling != nil &&
			(ruling.Bucket != p.UserRuling.Bucket || ruling.Rule != "R0") {
			rt.Fatalf("the user put %s among %s, and it is %+v", p.ID, p.UserRuling.Bucket, ruling)
		}
	}
	for _, o := range result.Artifact.Resolutions {
		c := s.Challenge(o.Objection)
		p := s.Point(c.Point)
		unchanged := resolver.Proposed(p) && p.UserRuling == nil && c.Typed.RuledSeq > max(p.Field.Seq, p.Reopened)
		if unchanged && c.Typed.Verdict != "" && !strings.EqualFold(c.Typed.Verdict, string(o.Outcome)) {
			rt.Fatalf("the user said %s of %s, and it is %s by %s", c.Typed.Verdict, c.ID, o.Outcome, o.Rule)
		}
	}
}

// advancesAsAgreed has the user agree to every field: nothing holds the proposal
// then, whatever was objected and whatever gates said.
func advancesAsAgreed(rt *rapid.T, s state.State) {
	if s.Closed || !resolver.AnyProposed(&s) {
		return
	}
	for _, p := range s.Points.All() {
		if !resolver.Proposed(p) {
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
	if result := resolver.ResolveProposal(&s, s.At); result.Decision != dialectic.Advance {
		rt.Fatalf("the user agrees to every field, and it is %s: %+v", result.Decision, result.Artifact.Validation)
	}
}
