package resolver_test

import (
	"fmt"
	"strings"
	"testing"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// given changes a session with one point, P1, which the consultee raised and nobody has judged.
type given func(s *state.State, p *state.Point)

func point(change func(p *state.Point)) given {
	return func(_ *state.State, p *state.Point) { change(p) }
}

func over(s *state.State, _ *state.Point) { s.Exit = state.ExitUnresolved }

// said is the word of a seat. Each word is newer than those before it.
func said(seat state.Seat, class state.Class) given {
	return point(func(p *state.Point) {
		n := len(p.Classes) + 1
		p.Classes = append(p.Classes, state.Classification{Seat: seat, Class: class, Round: n, Reason: "so", Seq: 10 * n})
	})
}

// item is evidence that counts: the consultee offered it, and the orchestrator accepted it.
func item(relation ledger.Relation, change func(e *ledger.Evidence)) given {
	return func(s *state.State, p *state.Point) {
		e := &ledger.Evidence{
			ID: state.NextID('E', s.Evidence.Len()), Point: "P1", Relation: relation, Admitted: true, Verified: true,
			Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "a.go:1", OfferedBy: "consultee", Seq: 5,
			Accepted: []ledger.Acceptance{{Seat: "orchestrator"}},
		}
		if change != nil {
			change(e)
		}
		s.Evidence = s.Evidence.Append(e)
		p.Evidence = append(p.Evidence, e.ID)
	}
}

func contested(e *ledger.Evidence) {
	e.Contests = []ledger.Contest{{Seat: "orchestrator", Reason: "no"}}
}

func official(e *ledger.Evidence) { e.SourceKind = ledger.OfficialSource }

func word(e *ledger.Evidence) { e.Type = ledger.Claim }

// challenge is one of the orchestrator.
func challenge(kind state.Class, status state.ChallengeStatus, change func(c *state.Challenge)) given {
	return func(s *state.State, p *state.Point) {
		c := &state.Challenge{Status: status, Round: 1, Seq: 5}
		c.ID, c.Point, c.By, c.Kind, c.Objection = state.NextID('C', s.Challenges.Len()), "P1", "orchestrator", kind, "no"
		if status != state.StandsOpen {
			c.Defenses = []state.Defense{{By: "consultee", Round: 1, Text: "it does", Reason: "no", Seq: 6}}
		}
		if change != nil {
			change(c)
		}
		s.Challenges = s.Challenges.Append(c)
		p.Challenges = append(p.Challenges, c.ID)
	}
}

// asked is a request on the point.
func asked(kind state.RequestKind, change func(r *state.Request)) given {
	return func(s *state.State, p *state.Point) {
		p.Asked = append(p.Asked, s.Requests.Len())
		r := &state.Request{Requested: state.Requested{Point: "P1", Kind: kind}, Round: 1, Seq: 15}
		if change != nil {
			change(r)
		}
		s.Requests = s.Requests.Append(r)
	}
}

func passed(r *state.Request) { r.Passed = true }

// fact is a fact of the user.
func fact(predicate string, change func(f *ledger.Fact)) given {
	return func(s *state.State, _ *state.Point) {
		f := &ledger.Fact{
			ID: state.NextID('F', s.Facts.Len()), Tag: ledger.TagUser, Live: true, Text: "a fact",
			Predicates: ledger.ParsePredicates(predicate),
		}
		if change != nil {
			change(f)
		}
		s.Facts = s.Facts.Append(f)
	}
}

func revoked(f *ledger.Fact) { f.Live = false }

func violates(change func(v *state.Violation)) given {
	return point(func(p *state.Point) {
		v := state.Violation{Fact: "F1", By: "orchestrator"}
		if change != nil {
			change(&v)
		}
		p.Violates = append(p.Violates, v)
	})
}

func confirmed(v *state.Violation) { v.Confirmed = true }

func denied(v *state.Violation) { v.Denied = true }

// kind is set by the user, so that no text or word changes it.
func kind(k state.Kind) given { return point(func(p *state.Point) { p.UserKind = k }) }

func reopened(at int) given { return point(func(p *state.Point) { p.Reopened = at }) }

func scope(of state.Scope) given { return point(func(p *state.Point) { p.Scope = of }) }

func refused(_ *state.State, p *state.Point) { p.Refused = true }

func states(predicate string) given {
	return point(func(p *state.Point) { p.Stated = ledger.ParsePredicates(predicate) })
}

func conceded(_ *state.State, p *state.Point) {
	p.Concessions = append(p.Concessions, state.Concession{Seat: "consultee", Round: 1, Seq: 30})
}

func revised(_ *state.State, p *state.Point) { p.RevisedBy = "P2" }

func blocked(_ *state.State, p *state.Point) {
	p.Blocked = &state.Blocked{Measurement: "the latency", Seq: 20}
}

func deadlock(class state.Deadlock) given { return point(func(p *state.Point) { p.Deadlock = class }) }

// needs is a premise, P2, which nobody has judged.
func needs(change func(p *state.Point)) given {
	return func(s *state.State, p *state.Point) {
		premise := &state.Point{
			ID: state.NextID('P', s.Points.Len()), Text: "It is so", Authors: []state.Seat{state.Consultee}, Round: 1, Scope: state.InScope,
		}
		if change != nil {
			change(premise)
		}
		s.Points, p.Needs = s.Points.Append(premise), append(p.Needs, premise.ID)
	}
}

func dismissed(p *state.Point) {
	p.UserRuling = &state.UserRuling{Bucket: state.BucketDismissed, Seq: 3}
}

func approved(p *state.Point) { p.UserRuling = &state.UserRuling{Bucket: state.BucketAgreed, Seq: 3} }

func decided(p *state.Point) { p.UserKind = state.Decision }

func violating(p *state.Point) {
	p.Violates = []state.Violation{{Fact: "F1", By: state.Orchestrator, Confirmed: true}}
}

func givenUp(p *state.Point) { conceded(nil, p) }

func cites(items ...string) func(p *state.Point) { return func(p *state.Point) { p.Evidence = items } }

func needing(ids ...string) func(p *state.Point) { return func(p *state.Point) { p.Needs = ids } }

func all(changes ...func(p *state.Point)) func(p *state.Point) {
	return func(p *state.Point) {
		for _, change := range changes {
			change(p)
		}
	}
}

func alsoBy(seat state.Seat) given {
	return point(func(p *state.Point) { p.Authors = append(p.Authors, seat) })
}

// byRules says that built-in rules gave the last word.
func byRules(_ *state.State, p *state.Point) { p.Classes[len(p.Classes)-1].ByRules = true }

// inRound dates the last word.
func inRound(n int) given {
	return point(func(p *state.Point) { p.Classes[len(p.Classes)-1].Round = n })
}

// rulesJudge seats built-in rules as the orchestrator.
func rulesJudge(s *state.State, _ *state.Point) { s.Seats[0].Participant = "rules" }

func about(id string) func(c *state.Challenge) { return func(c *state.Challenge) { c.About = id } }

func for1(e *ledger.Evidence) { e.For = "C1" }

func at(seq int) func(e *ledger.Evidence) { return func(e *ledger.Evidence) { e.Seq = seq } }

func unverified(e *ledger.Evidence) { e.Verified = false }

func unaccepted(e *ledger.Evidence) { e.Accepted = nil }

func execution(e *ledger.Evidence) { e.Type = ledger.Execution }

func both(a, b func(e *ledger.Evidence)) func(e *ledger.Evidence) {
	return func(e *ledger.Evidence) { a(e); b(e) }
}

func answered(r *state.Request) { r.Answered = true }

func late(r *state.Request) { r.Answered, r.Seq = true, 25 }

func with(fact string) func(v *state.Violation) { return func(v *state.Violation) { v.Fact = fact } }

// session is one with a point in scope, P1 of the consultee.
func session(changes []given) (*state.State, *state.Point) {
	s := &state.State{
		Rules: claims{}, Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}},
	}
	p := &state.Point{ID: "P1", Text: "It holds", Authors: []state.Seat{state.Consultee}, Round: 1, Scope: state.InScope}
	s.Points = s.Points.Append(p)
	for _, change := range changes {
		change(s, p)
	}
	return s, p
}

// claims is a format with the rulings of debates over claims.
type claims struct{}

func (claims) Name() state.Format       { return "claims" }
func (claims) Own() state.Own           { return state.Own{} }
func (claims) Rulings() resolver.Format { return resolver.Claims{} }

// A session that is not open yet has no format: nobody judges, and there is no round. No format is assumed.
func TestFormatOfAnUnopenedSession(t *testing.T) {
	t.Parallel()
	s, p := session(nil)
	s.Rules = nil
	if got := resolver.LastRound(s); got != 0 {
		t.Errorf("%d rounds", got)
	}
	if got := resolver.Evaluators(s, p); len(got) != 0 {
		t.Errorf("%v judge it", got)
	}
}

// Each row of the table of acceptance, with what keeps it from applying, and its place before the rows that would apply too.
func TestAcceptance(t *testing.T) {
	const supports, refutes = ledger.Supports, ledger.Refutes
	const orchestrator, consultee = state.Orchestrator, state.Consultee
	value, decision := kind(state.Value), kind(state.Decision)
	agreed := said(orchestrator, state.Agree)
	for _, c := range []struct {
		name  string
		given []given
		want  string
	}{
		{"AC2: out of scope", []given{scope(state.OutOfScope)}, "AC2 dismissed OUT-OF-SCOPE [P1]"},
		{"AC2: a refused reading", []given{scope(state.AnchorShift), refused}, "AC2 dismissed OUT-OF-SCOPE [P1]"},
		{"AC2: refused, and in scope after all", []given{refused}, "AC19 open []"},
		{"AC4: an open reading", []given{scope(state.AnchorShift)}, "AC4 unresolved pending-anchor-shift [P1]"},
		{
			"AC4 before AC5",
			[]given{scope(state.AnchorShift), fact("", nil), violates(confirmed)},
			"AC4 unresolved pending-anchor-shift [P1]",
		},

		{
			"AC5: a conflict that the user confirmed",
			[]given{fact("", nil), violates(confirmed)},
			"AC5 dismissed VIOLATES-CONSTRAINT [F1]",
		},
		{"AC5: the fact was revoked", []given{fact("", revoked), violates(confirmed)}, "AC19 open []"},
		{"AC5: a predicate", []given{fact("retries is 5", nil), states("retries is 3")}, "AC5 dismissed VIOLATES-CONSTRAINT [F1]"},
		{"AC5: a predicate that agrees", []given{fact("retries is 3", nil), states("retries is 3")}, "AC19 open []"},
		{"AC5: the predicate of a revoked fact", []given{fact("retries is 5", revoked), states("retries is 3")}, "AC19 open []"},
		{
			"AC5: a predicate that may conflict",
			[]given{fact("store.retries is 5", nil), states("client.retries is 3")},
			"AC19 open []",
		},
		{"AC5 before AC6: revised", []given{fact("", nil), violates(confirmed), revised}, "AC5 dismissed VIOLATES-CONSTRAINT [F1]"},
		{"AC5 before AC6", []given{fact("", nil), violates(confirmed), conceded}, "AC5 dismissed VIOLATES-CONSTRAINT [F1]"},

		{"AC6: revised", []given{revised, conceded}, "AC6 dismissed SUPERSEDED [P2]"},
		{"AC6: conceded", []given{
			conceded, challenge(state.Reject, state.StandsConceded, nil),
			challenge(state.Reject, state.StandsDefended, nil),
		}, "AC6 dismissed CONCEDED [C1 #30]"},
		{"AC6 before AC7", []given{conceded, challenge(state.Reject, state.StandsUndefended, nil)}, "AC6 dismissed CONCEDED [#30]"},
		{"AC7: undefended", []given{
			challenge(state.Skeptical, state.StandsDefended, nil),
			challenge(state.Skeptical, state.StandsUndefended, nil),
		}, "AC7 dismissed UNDEFENDED [C2]"},
		{
			"AC7 before AC8",
			[]given{item(refutes, nil), challenge(state.Reject, state.StandsUndefended, nil), over},
			"AC7 dismissed UNDEFENDED [C1]",
		},

		{
			"AC8: refuted, and the answer was rejected",
			[]given{item(refutes, nil), challenge(state.Skeptical, state.StandsUpheld, about("E1"))},
			"AC8 dismissed REJECTED [E1 C1]",
		},
		{
			"AC8: refuted by what was cited with the challenge",
			[]given{item(refutes, for1), challenge(state.Skeptical, state.StandsUpheld, nil)},
			"AC8 dismissed REJECTED [E1 C1]",
		},
		{
			"AC8: another challenge was upheld",
			[]given{item(refutes, nil), challenge(state.Skeptical, state.StandsUpheld, nil)},
			"AC14 unresolved disputed [C1]",
		},
		{
			"AC8: the challenge was answered",
			[]given{item(refutes, nil), challenge(state.Skeptical, state.StandsAnswered, about("E1"))},
			"AC19 open []",
		},
		{"AC8: refuted, and the session is over", []given{item(refutes, nil), over}, "AC8 dismissed REJECTED [E1]"},
		{"AC8: refuted above the support", []given{item(supports, nil), item(refutes, official), over}, "AC8 dismissed REJECTED [E2 E1]"},
		{
			"AC8: supported above the refutation",
			[]given{item(supports, official), item(refutes, nil), agreed, over},
			"AC16 agreed textual [E1 #10]",
		},
		{"AC8: only empirical points", []given{value, item(refutes, nil), agreed, over}, "AC15 agreed n/a [#10]"},
		{"AC8: a contested refutation", []given{item(refutes, contested), agreed, over}, "AC17 unresolved unverified [#10]"},
		{
			"AC8: a refutation that failed its check",
			[]given{item(refutes, unverified), agreed, over},
			"AC17 unresolved unverified [#10]",
		},
		{"AC8 before AC5b", []given{item(refutes, nil), fact("", nil), violates(nil), over}, "AC8 dismissed REJECTED [E1]"},

		{
			"AC5b: a conflict that a seat named",
			[]given{fact("", nil), violates(nil), agreed, item(supports, nil)},
			"AC5b unresolved pending-constraint [F1]",
		},
		{"AC5b: the user denied it", []given{fact("", nil), violates(denied)}, "AC19 open []"},
		{"AC5b: the fact was revoked", []given{fact("", revoked), violates(nil)}, "AC19 open []"},
		{"AC5b: a confirmed conflict whose fact was revoked, and an open one", []given{
			fact("", revoked), violates(confirmed),
			fact("", nil), violates(with("F2")),
		}, "AC5b unresolved pending-constraint [F2]"},
		{
			"AC5b before AC9",
			[]given{fact("", nil), violates(nil), item(supports, nil), item(refutes, nil)},
			"AC5b unresolved pending-constraint [F1]",
		},

		{"AC9: evidence of equal rank", []given{item(supports, nil), item(refutes, nil), agreed}, "AC9 unresolved disputed [E1 E2]"},
		{"AC9: support without a refutation", []given{item(supports, nil), agreed}, "AC16 agreed textual [E1 #10]"},
		{"AC9: a refutation without support", []given{item(refutes, nil), agreed}, "AC19 open []"},
		{
			"AC9: evidence decides empirical points only",
			[]given{value, item(supports, nil), item(refutes, nil), agreed},
			"AC15 agreed n/a [#10]",
		},
		{
			"AC9 before AC10",
			[]given{item(supports, nil), item(refutes, nil), challenge(state.Reject, state.StandsUpheld, nil)},
			"AC9 unresolved disputed [E1 E2]",
		},
		{
			"AC9: a decision that needs a point that the user dismissed",
			[]given{decision, needs(dismissed), agreed},
			"AC9 unresolved disputed [P2]",
		},
		{"AC9: a decision that needs a point that stands", []given{decision, needs(nil), agreed}, "AC15 agreed n/a [#10]"},
		{"AC9: it needs a decision that the user dismissed", []given{decision, needs(all(dismissed, decided)), agreed}, "AC9 unresolved disputed [P2]"},
		{"AC9: it needs a point that the user agreed on", []given{decision, needs(approved), agreed}, "AC15 agreed n/a [#10]"},
		{"AC9: it needs a decision that nothing speaks against", []given{decision, needs(decided), agreed}, "AC15 agreed n/a [#10]"},
		{"AC9: it needs a decision against a fact", []given{decision, fact("", nil), needs(all(decided, violating)), agreed}, "AC9 unresolved disputed [P2]"},
		{"AC9: it needs a decision against a fact that was given up", []given{decision, fact("", nil), needs(all(decided, violating, givenUp)), agreed}, "AC15 agreed n/a [#10]"},
		{"AC9: it needs a point that was given up", []given{decision, needs(givenUp), agreed}, "AC15 agreed n/a [#10]"},
		{"AC9: it needs a point that evidence refuted", []given{decision, item(refutes, nil), needs(cites("E1")), agreed, over}, "AC9 unresolved disputed [P2]"},
		{"AC9: two decisions need each other", []given{decision, needs(all(decided, needing("P1"))), agreed}, "AC15 agreed n/a [#10]"},
		{"AC9: a fact needs nothing", []given{needs(dismissed), agreed, item(supports, nil)}, "AC16 agreed textual [E1 #10]"},

		{"AC10: rejected without evidence", []given{challenge(state.Reject, state.StandsUpheld, nil)}, "AC10 dismissed REJECTED [C1]"},
		{
			"AC10: its evidence is contested",
			[]given{item(supports, contested), challenge(state.Reject, state.StandsUpheld, nil)},
			"AC10 dismissed REJECTED [C1]",
		},
		{
			"AC10: its evidence is uncontested",
			[]given{item(supports, nil), challenge(state.Reject, state.StandsUpheld, nil)},
			"AC14 unresolved disputed [C1]",
		},
		{"AC10: its evidence failed its check", []given{item(supports, unverified), challenge(state.Reject, state.StandsUpheld, nil)}, "AC10 dismissed REJECTED [C1]"},
		{"AC10: only a REJECT", []given{challenge(state.Skeptical, state.StandsUpheld, nil)}, "AC14 unresolved blocked [C1]"},
		{"AC10: a REJECT that was answered", []given{challenge(state.Reject, state.StandsDefended, nil)}, "AC19 open []"},
		{"AC11: a tradeoff", []given{value, challenge(state.Reject, state.StandsUpheld, nil)}, "AC11 unresolved tradeoff [C1]"},
		{"AC11: only a REJECT", []given{value, challenge(state.Skeptical, state.StandsUpheld, nil)}, "AC14 unresolved tradeoff [C1]"},
		{"AC11 before AC12", []given{
			value, challenge(state.Reject, state.StandsUpheld, nil), said(orchestrator, state.IllFormed),
			asked(state.RequestClarification, passed),
		}, "AC11 unresolved tradeoff [C1]"},

		{
			"AC12: no clarification came",
			[]given{said(orchestrator, state.IllFormed), asked(state.RequestClarification, passed)},
			"AC12 unresolved definitional [#15 #10]",
		},
		{
			"AC12: the clarification is awaited",
			[]given{said(orchestrator, state.IllFormed), asked(state.RequestClarification, nil)},
			"AC19 open []",
		},
		{"AC12: the seat took it back", []given{
			said(orchestrator, state.IllFormed), asked(state.RequestClarification, passed), agreed,
			item(supports, nil),
		}, "AC16 agreed textual [E1 #20]"},
		{"AC12: asked before the reopening", []given{
			asked(state.RequestClarification, passed), reopened(16),
			said(orchestrator, state.IllFormed), said(orchestrator, state.IllFormed),
		}, "AC19 open []"},
		{
			"AC12: no clarification was asked for",
			[]given{said(orchestrator, state.IllFormed), asked(state.RequestEvidence, passed)},
			"AC19 open []",
		},
		{"AC12: ill-formed again after the clarification", []given{
			said(orchestrator, state.IllFormed),
			asked(state.RequestClarification, answered), said(orchestrator, state.IllFormed),
		}, "AC12 unresolved definitional [#15 #20]"},
		{
			"AC12: clarified, and not judged since",
			[]given{said(orchestrator, state.IllFormed), asked(state.RequestClarification, answered)},
			"AC19 open []",
		},
		{"AC12: ill-formed twice before the clarification", []given{
			said(orchestrator, state.IllFormed),
			said(orchestrator, state.IllFormed), asked(state.RequestClarification, late),
		}, "AC19 open []"},
		{"AC12: another seat called it ill-formed first", []given{
			said("consultee-2", state.IllFormed), said("consultee-2", state.Agree),
			asked(state.RequestClarification, answered), said(orchestrator, state.IllFormed),
		}, "AC19 open []"},

		{
			"AC12: ill-formed again while the clarification is awaited",
			[]given{said(orchestrator, state.IllFormed), asked(state.RequestClarification, nil), said(orchestrator, state.IllFormed)},
			"AC19 open []",
		},
		{
			"AC12: doubted, and ill-formed once",
			[]given{said(orchestrator, state.Skeptical), asked(state.RequestClarification, answered), said(orchestrator, state.IllFormed)},
			"AC19 open []",
		},
		{
			"AC12: ill-formed before the reopening, and once since",
			[]given{
				said(orchestrator, state.IllFormed), reopened(12), asked(state.RequestClarification, answered),
				said(orchestrator, state.IllFormed),
			},
			"AC19 open []",
		},
		{
			"AC12: ill-formed twice in one round",
			[]given{
				said(orchestrator, state.IllFormed), asked(state.RequestClarification, answered),
				said(orchestrator, state.IllFormed), inRound(1),
			},
			"AC19 open []",
		},
		{"AC12 before AC13", []given{
			said(orchestrator, state.IllFormed), asked(state.RequestClarification, passed),
			challenge(state.Skeptical, state.StandsBlocked, nil), blocked,
		}, "AC12 unresolved definitional [#15 #10]"},
		{"AC13: nobody said which measurement", []given{challenge(state.Skeptical, state.StandsBlocked, nil)}, "AC19 open []"},
		{
			"AC13: a measurement is missing",
			[]given{challenge(state.Skeptical, state.StandsBlocked, nil), blocked},
			"AC13 unresolved blocked [C1 #20]",
		},
		{
			"AC13: evidence came since",
			[]given{challenge(state.Skeptical, state.StandsBlocked, nil), blocked, item(supports, at(25)), agreed},
			"AC16 agreed textual [E1 C1 #10]",
		},
		{
			"AC13: a refutation came since",
			[]given{challenge(state.Skeptical, state.StandsBlocked, nil), blocked, item(refutes, at(25))},
			"AC19 open []",
		},
		{
			"AC13: the evidence is older",
			[]given{challenge(state.Skeptical, state.StandsBlocked, nil), blocked, item(supports, nil), agreed},
			"AC13 unresolved blocked [C1 #20]",
		},
		{
			"AC13: another challenge",
			[]given{challenge(state.Skeptical, state.StandsDefended, nil), blocked, agreed, item(supports, nil)},
			"AC16 agreed textual [E1 C1 #10]",
		},
		{"AC13 before AC14", []given{
			challenge(state.Skeptical, state.StandsBlocked, nil), blocked,
			challenge(state.Skeptical, state.StandsUpheld, nil),
		}, "AC13 unresolved blocked [C1 #20]"},

		{"AC14: granted on a point of fact", []given{challenge(state.Reject, state.StandsGranted, nil)}, "AC14 unresolved disputed [C1]"},
		{
			"AC14: granted on a value judgment",
			[]given{value, challenge(state.Reject, state.StandsGranted, nil)},
			"AC14 unresolved tradeoff [C1]",
		},
		{"AC14: granted, and deadlocked by another challenge", []given{
			challenge(state.Reject, state.StandsGranted, nil),
			challenge(state.Skeptical, state.StandsDropped, nil), deadlock(state.DeadlockDefinitional),
		}, "AC14 unresolved definitional [C2]"},
		{
			"AC14: criteria",
			[]given{challenge(state.Skeptical, state.StandsOpen, nil), deadlock(state.DeadlockCriteria)},
			"AC14 unresolved tradeoff [C1]",
		},
		{"AC14: missing data", []given{
			challenge(state.Skeptical, state.StandsOpen, nil), deadlock(state.DeadlockMissingData),
			asked(state.RequestEvidence, passed),
		}, "AC14 unresolved blocked [C1]"},
		{
			"AC14: disputed",
			[]given{challenge(state.Skeptical, state.StandsOpen, nil), deadlock(state.DeadlockDisputed)},
			"AC14 unresolved disputed [C1]",
		},
		{
			"AC14: upheld with neutral evidence only",
			[]given{item(ledger.Neutral, nil), challenge(state.Skeptical, state.StandsUpheld, nil)},
			"AC14 unresolved blocked [C1]",
		},
		{"AC14: upheld with evidence that failed its check", []given{
			item(supports, unverified),
			challenge(state.Skeptical, state.StandsUpheld, nil),
		}, "AC14 unresolved blocked [C1]"},
		{"AC14: contested without a challenge", []given{deadlock(state.DeadlockDisputed)}, "AC14 unresolved disputed []"},
		{
			"AC14 before AC15",
			[]given{value, agreed, challenge(state.Skeptical, state.StandsDefended, nil), deadlock(state.DeadlockCriteria)},
			"AC14 unresolved tradeoff []",
		},

		{"AC15: another seat agrees", []given{value, agreed}, "AC15 agreed n/a [#10]"},
		{"AC15 before AC16", []given{value, agreed, item(supports, nil)}, "AC15 agreed n/a [#10]"},
		{"AC15: all seats hold it", []given{value, alsoBy(orchestrator)}, "AC15 agreed n/a []"},
		{"AC15: a seat of rules holds it too", []given{value, alsoBy(orchestrator), rulesJudge}, "AC19 open []"},
		{"AC15: rules reject what the seat agreed on", []given{value, agreed, said(orchestrator, state.Reject), byRules}, "AC19 open []"},
		{"AC15: rules agree on what the seat rejected", []given{value, said(orchestrator, state.Reject), agreed, byRules}, "AC19 open []"},
		{"AC15: nobody judged it", []given{value}, "AC19 open []"},
		{"AC15: its author agrees", []given{value, said(consultee, state.Agree)}, "AC19 open []"},
		{"AC15: only rules judged it", []given{value, agreed, byRules}, "AC19 open []"},
		{"AC15: the seat agreed before the reopening", []given{value, agreed, reopened(10)}, "AC19 open []"},
		{"AC15: an objection is open", []given{value, agreed, challenge(state.Skeptical, state.StandsOpen, nil)}, "AC19 open []"},
		{
			"AC15: the objection was answered",
			[]given{decision, agreed, challenge(state.Skeptical, state.StandsDefended, nil)},
			"AC15 agreed n/a [C1 #10]",
		},
		{"INV8: another seat rejects it", []given{value, agreed, said("consultee-2", state.Reject)}, "AC19 open []"},
		{"INV8: another seat doubts it", []given{value, said("consultee-2", state.Skeptical), agreed}, "AC19 open []"},
		{"INV8: another seat calls it ill-formed", []given{value, agreed, said("consultee-2", state.IllFormed)}, "AC19 open []"},
		{"INV8: a seat that rejected it agrees now", []given{value, said(orchestrator, state.Reject), agreed}, "AC15 agreed n/a [#20]"},
		{"INV8: rules reject it", []given{value, said("consultee-2", state.Reject), byRules, agreed}, "AC15 agreed n/a [#20]"},

		{"AC16: supported by somebody's word", []given{item(supports, word), agreed, over}, "AC17 unresolved unverified [#10]"},
		{"AC16: nobody accepted the support", []given{item(supports, unaccepted), agreed, over}, "AC17 unresolved unverified [#10]"},
		{"AC16: supported by a run", []given{item(supports, execution), item(supports, nil), agreed}, "AC16 agreed execution [E1 #10]"},
		{
			"AC16: an objection is open",
			[]given{item(supports, nil), agreed, challenge(state.Skeptical, state.StandsReminded, nil)},
			"AC19 open []",
		},
		{"AC16: another seat rejects it", []given{item(supports, nil), agreed, said("consultee-2", state.Reject)}, "AC19 open []"},

		{"AC17: evidence was not asked for", []given{agreed}, "AC19 open []"},
		{"AC17: evidence is awaited", []given{agreed, asked(state.RequestEvidence, nil)}, "AC19 open []"},
		{"AC17: evidence was asked for", []given{agreed, asked(state.RequestEvidence, passed)}, "AC17 unresolved unverified [#10 #15]"},
		{"AC17: only empirical points", []given{value, asked(state.RequestEvidence, passed), over}, "AC18 unresolved open [P1]"},
		{"AC17: only rules face a value judgment", []given{value, rulesJudge, asked(state.RequestEvidence, passed)}, "AC19 open []"},
		{
			"AC17: only rules face it, and a dropped challenge waits",
			[]given{rulesJudge, asked(state.RequestEvidence, passed), challenge(state.Skeptical, state.StandsDropped, nil)},
			"AC19 open []",
		},
		{
			"AC17b: an answer waits for rules, which judge nothing",
			[]given{rulesJudge, item(supports, unaccepted), challenge(state.Skeptical, state.StandsAnswered, nil), over},
			"AC17b unresolved found [E1]",
		},
		{"AC17b: the passage failed its check", []given{rulesJudge, item(supports, both(unaccepted, unverified))}, "AC19 open []"},
		{"AC17: only rules face it", []given{rulesJudge, asked(state.RequestEvidence, passed)}, "AC17 unresolved unverified [P1 #15]"},
		{"AC17: only rules face it, and a challenge waits", []given{
			rulesJudge, asked(state.RequestEvidence, passed),
			challenge(state.Skeptical, state.StandsOpen, nil),
		}, "AC19 open []"},
		{"AC17: a model that sat there before judged it", []given{
			rulesJudge, said(orchestrator, state.Skeptical),
			asked(state.RequestEvidence, passed),
		}, "AC19 open []"},
		{"AC17: a seat can judge it", []given{asked(state.RequestEvidence, passed)}, "AC19 open []"},

		{
			"AC17b: found, and only rules face it",
			[]given{rulesJudge, item(supports, unaccepted), asked(state.RequestEvidence, passed)},
			"AC17b unresolved found [E1]",
		},
		{"AC17b: a seat can judge it", []given{item(supports, unaccepted)}, "AC19 open []"},
		{"AC17b: a word is no passage", []given{rulesJudge, item(supports, both(unaccepted, word))}, "AC19 open []"},
		{
			"AC17b: a challenge waits",
			[]given{rulesJudge, item(supports, unaccepted), challenge(state.Skeptical, state.StandsOpen, nil)},
			"AC19 open []",
		},
		{"AC17b: a seat judged it", []given{rulesJudge, item(supports, unaccepted), said("consultee-2", state.Skeptical)}, "AC19 open []"},

		{"AC18: a challenge waits at the end", []given{over, challenge(state.Skeptical, state.StandsOpen, nil)}, "AC18 unresolved open [C1]"},
		{"AC18: the challenge before the doubt", []given{
			over, said(orchestrator, state.Skeptical),
			challenge(state.Skeptical, state.StandsOpen, nil),
		}, "AC18 unresolved open [C1]"},
		{"AC18: a doubt at the end", []given{over, said(orchestrator, state.Skeptical)}, "AC18 unresolved open [#10]"},
		{"AC18: nobody judged it", []given{over}, "AC18 unresolved open [P1]"},
		{"AC19: a doubt", []given{said(orchestrator, state.Skeptical)}, "AC19 open []"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, p := session(c.given)
			r := resolver.FormatOf(s).RuleOne(s, p)
			got := strings.Join(strings.Fields(fmt.Sprint(r.Rule, " ", r.Bucket, " ", r.Tag, " ", r.Status, " ", r.Reads)), " ")
			if got != c.want {
				t.Errorf("%s: %s | %s\nwant %s", got, r.Reason, r.Crux, c.want)
			}
		})
	}
}

// An agreed point that one seat alone judged says so if the stress test was due and nobody did it (RD9).
func TestAPointThatOneSeatJudgedWithoutAStressTest(t *testing.T) {
	const one, two = state.Orchestrator, state.Seat("consultee-2")
	due := func(s *state.State, _ *state.Point) { s.StressAsked = 1 }
	agreed := said(one, state.Agree)
	for _, c := range []struct {
		name  string
		given []given
		want  bool
	}{
		{"one seat judged it", []given{due, agreed}, true},
		{"twice", []given{due, agreed, agreed}, true},
		{"two seats judged it", []given{due, agreed, said(two, state.Agree)}, false},
		{"built-in rules as well", []given{due, agreed, said(two, state.Agree), byRules}, true},
		{"one took its word back", []given{due, agreed, said(two, state.Agree), withdrawn}, true},
		{"its author as well, before it was one", []given{due, agreed, said(state.Consultee, state.Agree)}, true},
		{"all seats hold it", []given{due, alsoBy(one), agreed}, false},
		{"no stress test was due", []given{agreed}, false},
		{"it was done", []given{due, agreed, func(s *state.State, _ *state.Point) { s.Stress = 1 }}, false},
	} {
		s, p := session(append([]given{kind(state.Value)}, c.given...))
		r := resolver.FormatOf(s).RuleOne(s, p)
		if got := strings.Contains(r.Reason, "only the orchestrator judged it, and the stress test was not done"); got != c.want || r.Rule != "AC15" {
			t.Errorf("%s: %s: %s", c.name, r.Rule, r.Reason)
		}
	}
}

func TestDeadlock(t *testing.T) {
	const orchestrator = state.Orchestrator
	open, noEvidence := challenge(state.Skeptical, state.StandsOpen, nil), asked(state.RequestEvidence, passed)
	term := func(d state.Definition) given { return point(func(p *state.Point) { p.Terms = append(p.Terms, d) }) }
	answers := func(last state.Defense) given {
		return challenge(state.Skeptical, state.StandsUpheld, func(c *state.Challenge) {
			c.Defenses = append(c.Defenses, state.Defense{By: "consultee", Round: 2, Text: "it is written down there", Seq: 7}, last)
		})
	}
	for _, c := range []struct {
		name  string
		given []given
		want  state.Deadlock
	}{
		{"nothing is known", []given{open}, state.DeadlockDisputed},
		{"no challenge is left", nil, state.DeadlockDisputed},
		{"evidence did not come", []given{open, noEvidence}, state.DeadlockMissingData},
		{"evidence came", []given{open, asked(state.RequestEvidence, answered)}, state.DeadlockDisputed},
		{"a value judgment", []given{kind(state.Value), open, noEvidence}, state.DeadlockCriteria},
		{"a term", []given{open, term(state.Definition{Term: "it", Seq: 5}), noEvidence}, state.DeadlockDefinitional},
		{"what the point means as a whole", []given{open, term(state.Definition{Means: "so", Seq: 5})}, state.DeadlockDisputed},
		{"a term before the reopening", []given{open, term(state.Definition{Term: "it", Seq: 5}), reopened(5)}, state.DeadlockDisputed},
		{"ill-formed", []given{open, said(orchestrator, state.IllFormed)}, state.DeadlockDefinitional},
		{"doubted", []given{open, said(orchestrator, state.Skeptical)}, state.DeadlockDisputed},
		{"ill-formed by rules", []given{open, said(orchestrator, state.IllFormed), byRules}, state.DeadlockDisputed},
		{"ill-formed before the reopening", []given{open, said(orchestrator, state.IllFormed), reopened(10)}, state.DeadlockDisputed},
		{
			"an answer again",
			[]given{answers(state.Defense{By: "consultee", Round: 3, Text: "it is written down there", Seq: 8})},
			state.DeadlockMissingData,
		},
		{
			"answers before the reopening",
			[]given{challenge(state.Skeptical, state.StandsDropped, func(c *state.Challenge) { c.Since = 6 })},
			state.DeadlockDisputed,
		},
		{
			"another answer",
			[]given{answers(state.Defense{By: "consultee", Round: 3, Text: "no test failed", Seq: 8})},
			state.DeadlockDisputed,
		},
		{
			"the answer of another seat",
			[]given{answers(state.Defense{By: "user", Round: 3, Text: "it is written down there", Seq: 8})},
			state.DeadlockDisputed,
		},
		{
			"an answer twice in a round",
			[]given{answers(state.Defense{By: "consultee", Round: 2, Text: "it is written down there", Seq: 8})},
			state.DeadlockDisputed,
		},
		{
			"an answer that is judged again with the terms",
			[]given{answers(state.Defense{By: "consultee", Round: 3, Text: "it is written down there", Again: true, Seq: 8})},
			state.DeadlockDisputed,
		},
	} {
		s, p := session(c.given)
		if got := resolver.NewBasis(s, p, resolver.KindOf(s, p)).Deadlock(); got != c.want {
			t.Errorf("%s: %s, not %s", c.name, got, c.want)
		}
	}
}

func TestCruxOfADispute(t *testing.T) {
	const terms, measurement = `the consultee means by "it": so`, "the latency: 5 ms"
	const answer = `an answer to C1 ("no") that the orchestrator accepts`
	meant := point(func(p *state.Point) {
		p.Terms = []state.Definition{{Seat: "consultee", Term: "it", Means: "so", Seq: 5}}
	})
	missing := point(func(p *state.Point) { p.Blocked = &state.Blocked{Measurement: "the latency", Threshold: "5 ms"} })
	open := challenge(state.Skeptical, state.StandsOpen, nil)
	for _, c := range []struct {
		name  string
		class state.Deadlock
		given []given
		want  string
	}{
		{"terms", state.DeadlockDefinitional, []given{open, meant, missing}, terms},
		{"terms that nobody gave", state.DeadlockDefinitional, []given{open, missing}, answer},
		{"terms that settle nothing", state.DeadlockDisputed, []given{open, meant}, answer},
		{"a measurement", state.DeadlockMissingData, []given{open, missing}, measurement + "; " + answer},
		{
			"contested evidence", state.DeadlockDisputed,
			[]given{open, item(ledger.Supports, contested)},
			"whether E1 bears on it (orchestrator: no); " + answer,
		},
		{
			"contested evidence that failed its check", state.DeadlockDisputed,
			[]given{open, item(ledger.Supports, both(contested, unverified))},
			answer,
		},
		{"evidence that nobody contests", state.DeadlockDisputed, []given{open, item(ledger.Supports, nil)}, answer},
		{
			"what the challenger asks for", state.DeadlockDisputed,
			[]given{challenge(state.Skeptical, state.StandsOpen, func(c *state.Challenge) { c.UpgradeIf = "a test" })},
			"a test",
		},
		{"no challenge", state.DeadlockDisputed, []given{missing}, measurement},
	} {
		s, p := session(c.given)
		if got := resolver.NewBasis(s, p, state.Empirical).Crux(c.class, s.Challenge("C1")); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}

func TestEvidenceTag(t *testing.T) {
	for kind, want := range map[ledger.Type]state.Tag{
		ledger.Execution: state.TagExecution, ledger.Textual: state.TagTextual, ledger.Claim: state.TagNotApplicable,
	} {
		if got := resolver.EvidenceTag(&ledger.Evidence{Type: kind}); got != want {
			t.Errorf("%s: %s, not %s", kind, got, want)
		}
	}
	if got := resolver.EvidenceTag(nil); got != state.TagNotApplicable {
		t.Errorf("without evidence: %s", got)
	}
}

func TestGaveTerms(t *testing.T) {
	p := &state.Point{Terms: []state.Definition{{Seat: "consultee", Means: "so", Seq: 5}}}
	for _, c := range []struct {
		name string
		kind state.RequestKind
		seq  int
		seat state.Seat
		want bool
	}{
		{"since the request", state.RequestTerms, 4, "consultee", true},
		{"before the request", state.RequestTerms, 5, "consultee", false},
		{"another seat", state.RequestTerms, 4, "orchestrator", false},
		{"evidence was asked for", state.RequestEvidence, 4, "consultee", false},
	} {
		r := &state.Request{Requested: state.Requested{Kind: c.kind}, Seq: c.seq}
		if got := resolver.Gave(p, r, c.seat); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// upheld stands for other answers that uphold every point.
type upheld struct{}

func (upheld) Upheld(*resolver.Basis) (reads []string, holds, applies bool) {
	return []string{"P9"}, true, true
}

func (upheld) Accord(*resolver.Basis) string { return "two of two answers hold it" }

func (upheld) Crux(_ *resolver.Basis, c *state.Challenge) string { return "which side of " + c.ID }

func TestAcceptanceBetweenAnswers(t *testing.T) {
	recorded := point(func(p *state.Point) { p.Deadlock, p.DeadlockCrux = state.DeadlockCriteria, "as recorded" })
	for _, c := range []struct {
		name                       string
		given                      []given
		rule, sentence, resolvedBy string
	}{
		{
			"AC14: what the answers differ in",
			[]given{challenge(state.Skeptical, state.StandsUpheld, nil)},
			"AC14", "the last answer to C1 was rejected (no verified evidence is on the table)", "which side of C1",
		},
		{
			"AC14: a crux on the record",
			[]given{challenge(state.Skeptical, state.StandsUpheld, nil), recorded},
			"AC14", "the last answer to C1 was rejected (a matter of criteria)", "as recorded",
		},
		{
			"AC14: contested without a challenge",
			[]given{deadlock(state.DeadlockDisputed)},
			"AC14", "it has stood contested for three rounds or more (no evidence settles it)", "",
		},
		{
			"AC15: a value judgment",
			[]given{kind(state.Value)},
			"AC15", "a value judgment: two of two answers hold it; agreement is no proof", "",
		},
		{
			"AC16: with evidence",
			[]given{item(ledger.Supports, nil)},
			"AC16", "two of two answers hold it, and E1 is at a.go:1 (the orchestrator accepted it)", "",
		},
		{
			"AC17 before AC17b",
			[]given{rulesJudge, item(ledger.Supports, unaccepted), asked(state.RequestEvidence, passed)},
			"AC17", "two of two answers hold it; no evidence for it counts; evidence was asked for in round 1",
			"evidence that anyone can check: a file and line, or a command and its output",
		},
		{
			"AC17: a word",
			[]given{item(ledger.Supports, word), over},
			"AC17", "two of two answers hold it; what counts for it is only somebody's word",
			"evidence that anyone can check: a file and line, or a command and its output",
		},
	} {
		s, p := session(c.given)
		b := resolver.NewBasis(s, p, resolver.KindOf(s, p))
		b.Answers = upheld{}
		r, _ := resolver.Acceptance().Rule(b)
		if r.Rule != c.rule || r.Reason != c.sentence || r.Crux != c.resolvedBy {
			t.Errorf("%s: %s: %s | %s", c.name, r.Rule, r.Reason, r.Crux)
		}
	}
}
