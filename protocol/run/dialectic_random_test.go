package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// Whatever the seats reply and the user does, a session ends within its rounds
// or waits for the user; no model's word clears or upholds anything; and what is
// on the record recomputes to the same receipts.
func TestRandomProposals(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := randomProposal(t, rt, 300)
		if !d.s.Closed && d.s.Paused == state.PauseNone {
			rt.Fatalf("round %d: the session does not end", d.s.Round)
		}
		if d.s.Round > state.MaxRounds {
			rt.Fatalf("round %d", d.s.Round)
		}
		if d.s.Paused != state.PauseNone && (d.s.Settings.Attended ||
			d.s.Dialectic.Last().Decision != string(gates.Escalate)) {
			rt.Fatalf("it pauses: %s", d.s.PauseReason)
		}
		for _, r := range d.s.Dialectic.Resolved {
			checkResolution(rt, &r)
		}
		recomputes(rt, d)
	})
}

// randomProposal is a session in which seats and the user move at random, up to
// its end, or for so many turns.
func randomProposal(t *testing.T, rt *rapid.T, turns int) *desk {
	opened := pressed("Set a to 1, b to 2 or 3")
	opened.Settings.Attended = rapid.Bool().Draw(rt, "attended")
	opened.Settings.Playbook = playbook(fmt.Sprintf(`{"maxRounds":%d}`, rapid.IntRange(1, 9).Draw(rt, "rounds")))
	d := newDesk(t, opened)
	d.format, d.quiet = dialectic.Format{}, true
	d.run()
	for ; turns > 0 && !d.s.Closed && d.s.Paused == state.PauseNone; turns-- {
		if len(d.asks) > 0 {
			ask := d.asks[rapid.IntRange(0, len(d.asks)-1).Draw(rt, "seat")]
			d.reply(ask.Seat, randomReply(rt, d.s, ask))
		} else {
			answerAll(rt, d)
		}
		if rapid.IntRange(0, 9).Draw(rt, "user") == 0 && !d.s.Closed {
			randomUser(rt, d)
		}
		d.run()
		if rapid.IntRange(0, 3).Draw(rt, "look") == 0 {
			checkUserRulings(rt, &d.s)
			advancesAsAgreed(rt, d.s)
		}
	}
	return d
}

// recomputes checks the record: the fold of what was stored gives the same
// receipts, and nothing weak decided.
func recomputes(rt *rapid.T, d *desk) {
	var stored []state.Event
	decoder := state.NewDecoder(formats.Rules()...)
	for _, e := range d.replay {
		if _, closed := e.Data.(*state.SessionClosed); closed {
			break
		}
		data, err := json.Marshal(e.Data)
		if err != nil {
			rt.Fatal(err)
		}
		if e.Data, err = decoder.Decode(e.Data.Kind(), data); err != nil {
			rt.Fatal(err)
		}
		stored = append(stored, e)
	}
	again, err := resolver.Verify(stored)
	if err != nil {
		rt.Fatal(err)
	}
	if len(again.Dialectic.Resolved) != len(d.s.Dialectic.Resolved) {
		rt.Fatal("resolutions were lost")
	}
	for i, r := range again.Dialectic.Resolved {
		if r.Head != d.s.Dialectic.Resolved[i].Head {
			rt.Fatalf("resolution %d has another last receipt", i+1)
		}
		var result gates.Result
		if err := json.Unmarshal(r.Result, &result); err != nil {
			rt.Fatal(err)
		}
		for k, o := range result.Artifact.Resolutions {
			if item := again.Item(o.Decider); item != nil &&
				result.Artifact.Objections[k].Severity != gates.Low && !item.Counts() {
				rt.Fatalf("%s decides %s and was not verified", item.ID, o.Objection)
			}
		}
	}
}

func randomReply(rt *rapid.T, s state.State, ask protocol.Ask) string {
	if rapid.IntRange(0, 30).Draw(rt, "broken") == 0 {
		return "I have no idea."
	}
	var moves []protocol.Move
	for range rapid.IntRange(0, 4).Draw(rt, "moves") {
		kind := rapid.SampledFrom(ask.Moves).Draw(rt, "kind")
		moves = append(moves, randomMove(rt, s, kind))
	}
	text, err := protocol.EncodeMoves(moves)
	if err != nil {
		rt.Fatal(err)
	}
	return text
}

func randomMove(rt *rapid.T, s state.State, kind protocol.MoveKind) protocol.Move {
	path := rapid.SampledFrom([]string{"a", "b", "c", "P1", "P2", "P9"}).Draw(rt, "path")
	challenge := fmt.Sprintf("C%d", rapid.IntRange(1, max(1, s.Challenges.Len()+1)).Draw(rt, "challenge"))
	value := json.RawMessage(rapid.SampledFrom([]string{"1", "2", "3", "17", `"x"`, "true"}).Draw(rt, "value"))
	reference := rapid.SampledFrom([]string{"run/x:1", "a.go:1", "bad.go:1", "web/x:1", "model/x:1"}).Draw(rt,
		"reference")
	relation := rapid.SampledFrom(append(ledger.Relations(), "")).Draw(rt, "relation")
	quote := rapid.SampledFrom([]string{"1 and 2 and 3", "17", "x"}).Draw(rt, "quote")
	citations := []protocol.Citation{{Reference: reference, Quote: quote, Relation: relation}}
	switch kind { //nolint:exhaustive // those of the format
	case protocol.MovePropose:
		return &protocol.Propose{
			Path: path, Value: value, Category: rapid.SampledFrom([]string{"Safety", "Taste"}).Draw(rt, "category"),
			Severity: rapid.SampledFrom([]string{"", "LOW", "GRAVE"}).Draw(rt, "severity"), Citations: citations,
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
	case protocol.MoveObject:
		return &protocol.Object{
			Point: path, Text: rapid.SampledFrom([]string{"wrong", "bad", "ugly"}).Draw(rt, "text"),
			Request:  rapid.SampledFrom([]string{"", "a test"}).Draw(rt, "request"),
			Category: "Safety", Severity: rapid.SampledFrom(gates.Severities()).Draw(rt, "severity"),
			Predicate: "it holds", Citations: citations,
		}
	case protocol.MoveRequest:
		return &protocol.RequestMove{Challenge: challenge, Text: "a test"}
	case protocol.MoveSupply:
		return &protocol.Supply{Challenge: challenge, Reference: reference, Quote: quote, Relation: relation}
	}
	return &protocol.NoObjection{}
}

// answerAll answers what waits for the user.
func answerAll(rt *rapid.T, d *desk) {
	for _, q := range d.s.Questions.All() {
		if q.Answered {
			continue
		}
		answer := rapid.SampledFrom(append(slices.Clone(q.Options), "I do not know")).Draw(rt, "answer")
		events, err := protocol.AdmitUser(d.s, protocol.AnswerQuestion{Question: q.ID, Answer: answer})
		if err != nil {
			// It was withdrawn or accepted meanwhile: the question is taken back.
			if events, err = protocol.AdmitUser(d.s, protocol.AnswerQuestion{
				Question: q.ID,
				Answer:   "so be it",
			}); err != nil {
				rt.Fatal(err)
			}
		}
		d.append(events...)
	}
}

func randomUser(rt *rapid.T, d *desk) {
	point := fmt.Sprintf("P%d", rapid.IntRange(1, 3).Draw(rt, "point"))
	moves := []protocol.UserMove{
		protocol.RecordFact{Text: "a is at most 2", Predicate: &state.Predicate{
			Path: "a", Op: "≤",
			Value: []byte("2"),
		}},
		protocol.SupplyEvidence{Point: point, Text: "1 2 3", Relation: ledger.Refutes},
		protocol.ChallengePoint{Point: point, Objection: "no", Class: state.Reject},
		protocol.AnswerChallenge{Challenge: "C1", Text: "yes"},
		protocol.RaiseObjection{Point: point, Text: "no", Severity: gates.Medium},
		protocol.RuleObjection{Challenge: "C1", Verdict: rapid.SampledFrom(gates.Rulings()).Draw(rt, "ruling")},
		protocol.RuleObjection{Challenge: "C1"},
		protocol.WithdrawField{Point: point},
	}
	for _, what := range []state.OverrideKind{
		state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved,
		state.OverrideReopen,
	} {
		moves = append(moves, protocol.RuleOn{Point: point, What: what})
	}
	if events, err := protocol.AdmitUser(d.s, rapid.SampledFrom(moves).Draw(rt, "move")); err == nil {
		d.append(events...)
	}
}

// checkResolution checks one recorded resolution: its receipts replay to its head, cleared fields block nothing, and
// the decision matches the gates.
func checkResolution(rt *rapid.T, r *state.Resolution) {
	var result gates.Result
	if err := json.Unmarshal(r.Result, &result); err != nil {
		rt.Fatal(err)
	}
	if _, err := gates.Replay(result.Receipts); err != nil {
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
	standing := dialectic.Blocking(&result)
	for _, o := range result.Artifact.Resolutions {
		holds := slices.ContainsFunc(standing, func(s gates.Resolution) bool { return s.Objection == o.Objection })
		if !o.Outcome.Holds() && (holds || strings.Contains(held, o.Objection+" (")) {
			rt.Fatalf("%s is %s and holds the proposal: %s", o.Objection, o.Outcome, failed)
		}
	}
	if ready := failed == "" && len(standing) == 0; ready != (result.Decision == gates.Advance) ||
		ready != result.Artifact.Validation.ReadyToAdvance {
		rt.Fatalf("%s, and %q fails with %d objections standing", result.Decision, failed, len(standing))
	}
}

// checkUserRulings checks that fields have the values that the user set and that objections to current values end as the
// user ruled.
func checkUserRulings(rt *rapid.T, s *state.State) {
	result, rulings := dialectic.ResolveProposal(s, s.At), resolver.Rule(*s)
	checkMetrics(rt, s, rulings)
	for _, ruling := range rulings {
		if p := s.Point(ruling.Point); p.UserRuling != nil &&
			(ruling.Bucket != p.UserRuling.Bucket || ruling.Rule != "R0") {
			rt.Fatalf("the user put %s among %s, and it is %+v", p.ID, p.UserRuling.Bucket, ruling)
		}
	}
	for _, o := range result.Artifact.Resolutions {
		c := s.Challenge(o.Objection)
		p := s.Point(c.Point)
		unchanged := dialectic.Proposed(p) && p.UserRuling == nil && c.Typed.RuledSeq > max(p.Field.Seq, p.Reopened)
		if unchanged && c.Typed.Verdict != "" && !strings.EqualFold(c.Typed.Verdict, string(o.Outcome)) {
			rt.Fatalf("the user said %s of %s, and it is %s by %s", c.Typed.Verdict, c.ID, o.Outcome, o.Rule)
		}
	}
}

// advancesAsAgreed has the user agree to every field: nothing holds the proposal
// then, whatever was objected and whatever gates said.
func advancesAsAgreed(rt *rapid.T, s state.State) {
	if s.Closed || !dialectic.AnyProposed(&s) {
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
	if result := dialectic.ResolveProposal(&s, s.At); result.Decision != gates.Advance {
		rt.Fatalf("the user agrees to every field, and it is %s: %+v", result.Decision, result.Artifact.Validation)
	}
}
