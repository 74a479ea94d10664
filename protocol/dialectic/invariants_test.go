package dialectic_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
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
	random.Invariants(t, randomDialectic)
}

// TestSentences checks each sentence of the results of random sessions (SE2).
func TestSentences(t *testing.T) {
	t.Parallel()
	random.Sentences(t, randomDialectic)
}

// randomProposal is the part of a dialectic session: no model's word clears or upholds anything,
// and a field that the user agreed to holds nothing.
type randomProposal struct{ random.Consultation }

func randomDialectic(t *rapid.T) (*state.SessionOpened, random.Seats) {
	o := protocoltest.Opened(dialectic.Name)
	o.Question = "Set a to 1, b to 2 or 3"
	o.Settings.Own = &dialectic.Settings{Playbook: protocoltest.Playbook(gates.Config{MaxRounds: rapid.IntRange(1, 9).Draw(t, "rounds")})}
	return o, randomProposal{}
}

func (randomProposal) Agreed(*random.Session, *state.Point, *state.Ruling) {}

func (randomProposal) Applied(r *random.Session, _ *state.State, p state.Payload) {
	if _, resolved := p.(*dialectic.RoundResolved); resolved {
		checkResolution(r)
	}
	if r.State.Seq%20 == 0 {
		checkUserRulings(r.T, r.State)
		advancesAsAgreed(r.T, r.State)
	}
}

func (randomProposal) Ended(r *random.Session) {
	if r.State.Paused != state.PauseNone && (r.State.Settings.Attended ||
		dialectic.Of(r.State).Last().Decision != gates.Escalate) {
		r.Fatalf("it pauses: %s", r.State.PauseReason)
	}
}

func (randomProposal) Move(r *random.Session, _ protocol.Ask, kind move.Kind) move.Move {
	path := rapid.SampledFrom([]string{"a", "b", "c", "P1", "P2", "P9"}).Draw(r.T, "path")
	challenge := r.Challenge()
	value := json.RawMessage(rapid.SampledFrom([]string{"1", "2", "3", "17", `"x"`, "true"}).Draw(r.T, "value"))
	reference := rapid.SampledFrom([]string{"run/x:1", "a.go:1", "bad.go:1", "web/x:1", "model/x:1"}).Draw(r.T,
		"reference")
	relation := rapid.SampledFrom(append(ledger.Relations(), "")).Draw(r.T, "relation")
	quote := rapid.SampledFrom([]string{"1 and 2 and 3", "17", "x"}).Draw(r.T, "quote")
	citations := []move.Citation{{Reference: reference, Quote: quote, Relation: relation}}
	switch kind { //nolint:exhaustive // those of the format
	case dialectic.MovePropose:
		return &dialectic.Propose{
			Path: path, Value: value, Category: rapid.SampledFrom([]string{"Safety", "Taste"}).Draw(r.T, "category"),
			Severity: rapid.SampledFrom([]string{"", "LOW", "GRAVE"}).Draw(r.T, "severity"), Citations: citations,
		}
	case move.KindRevise:
		return &move.Revise{
			Point: path, Text: "so", Value: value, Citations: citations,
			Derived: &move.Derivation{Op: "sum", Of: []string{"a", "b"}},
		}
	case move.KindDefend:
		return &move.Defend{Challenge: challenge, Text: "no", Citations: citations}
	case move.KindConcede:
		return &move.Concede{Challenge: challenge}
	case move.KindWithdraw:
		return &move.Withdraw{Point: path}
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

func (randomProposal) Override(r *random.Session, other protocol.UserMove) protocol.UserMove {
	point := r.Point()
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
func checkResolution(r *random.Session) {
	resolved := dialectic.Of(r.State).Last()
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
		events, err := protocol.AdmitUser(s, claims.RuleOn{Point: p.ID, What: state.OverrideAgree})
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
