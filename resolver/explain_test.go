package resolver_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

var update = flag.Bool("update", false, "write the golden files anew")

// debate is a session about P1 whose events a test writes itself.
type debate struct{ *protocoltest.Desk }

func (s debate) add(payloads ...state.Payload) debate {
	s.T.Helper()
	s.Append(payloads...)
	return s
}

// raised is a session with P1 of the consultee, in scope, in round 1.
func raised(t testing.TB) debate { return raisedAs(t, "") }

// raisedAs is raised, with the kind that its author gives P1.
func raisedAs(t testing.TB, kind state.Kind) debate {
	t.Helper()
	return debate{&protocoltest.Desk{T: t, State: &state.State{}, Quiet: true}}.add(
		&state.SessionOpened{
			Rules:   formats.ByName(consult.Name),
			Version: state.Version, ID: "s", Question: "Should the queue move to streams?",
			Settings: state.Settings{Format: consult.Name, Mode: state.ModeStandard, Attended: true},
			Seats:    []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Consultee}},
		},
		&state.RoundStarted{Round: 1}, &state.PhaseChanged{Phase: state.Constructive},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "Alpha holds", Kind: kind},
		&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.InScope},
	)
}

func (s debate) classified(class state.Class, value bool) debate {
	if value {
		s = s.add(&state.KindCalled{Point: "P1", By: state.Orchestrator, Kind: state.Value})
	}
	return s.add(&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: class, Reason: "the load is not known"})
}

func (s debate) challenged(id string, kind state.Class) debate {
	c := &state.ChallengeRaised{ID: id, Point: "P1", By: state.Orchestrator, Kind: kind, Objection: "the load is not known", UpgradeIf: "a measurement"}
	return s.classified(kind, false).add(c)
}

func (s debate) answered(id string) debate {
	return s.add(&state.ChallengeAnswered{Challenge: id, By: state.Consultee, Text: "it is low"})
}

func (s debate) judged(id string, judgment state.Judgment, reopens bool) debate {
	s.add(&state.ChallengeJudged{Challenge: id, By: state.Orchestrator, Judgment: judgment, Reason: "a guess is no number", Reopens: reopens})
	if judgment == state.Accepted {
		s.classified(state.Agree, false)
	}
	return s
}

// proved brings verified textual evidence.
func (s debate) proved(relation ledger.Relation) debate {
	id := state.NextID('E', s.State.Evidence.Len())
	return s.add(
		&state.EvidenceOffered{ID: id, Point: "P1", Relation: relation, Reference: "a/a.go:1", Quote: "alpha", By: state.Consultee},
		&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "a/a.go:1", Excerpt: "alpha", Admitted: true},
		&state.EvidenceAccepted{ID: id, By: state.Orchestrator},
	)
}

func (s debate) fact(text string) debate {
	return s.add(&state.FactRecorded{ID: state.NextID('F', s.State.Facts.Len()), Tag: ledger.TagUser, Seat: state.User, Text: text})
}

func (s debate) seated(seat state.Seat, participant string) debate {
	return s.add(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: seat, Participant: participant, NoModel: true}, By: state.User})
}

func (s debate) round(n int) debate { return s.add(&state.RoundStarted{Round: n}) }

// closed ends the session.
func (s debate) closed() debate {
	s.add(&state.ExitReached{Exit: state.ExitConverged, Reason: "no challenge waits"})
	return s.add(&state.SessionClosed{Exit: state.ExitConverged, Digest: resolver.Digest(resolver.Rule(s.State))})
}

// fired are small sessions by the rule that fires on their P1, and what else
// is special to them.
func fired(t testing.TB) map[string]debate {
	start := func() debate { return raised(t) }
	valued := func() debate { return raisedAs(t, state.Value) }
	shifted := func() debate {
		return start().add(&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.AnchorShift, Reason: "it asks whether to queue at all"},
			&state.QuestionSurfaced{ID: "Q1", Point: "P1", What: state.QuestionAnchorShift, Text: "Do you consent?", Options: []string{"consent", "refuse"}})
	}
	rejected := func() debate {
		return start().challenged("C1", state.Reject).round(2).answered("C1").judged("C1", state.Rejected, false)
	}
	blocked := &state.PointBlocked{Point: "P1", Blocked: state.Blocked{
		By: state.Consultee, Measurement: "writes a second", Threshold: "1000", Below: "agree", Above: "reject",
	}}
	return map[string]debate{
		"RD2": start().add(&state.PointRaised{ID: "P2", By: state.Consultee, Text: "Alpha  holds"},
			&state.PointsMerged{Into: "P2", From: []string{"P1"}, By: state.Protocol}),
		"AC1 agreed":     start().add(&state.OverrideMade{What: state.OverrideAgree, Point: "P1", Reason: "I measured it"}),
		"AC1 unresolved": start().add(&state.OverrideMade{What: state.OverrideUnresolved, Point: "P1"}),
		"AC2":            start().add(&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.OutOfScope, Reason: "it is about the other queue"}),
		"AC2 refused":    shifted().add(&state.QuestionAnswered{ID: "Q1", By: state.User, Answer: "refuse"}, &state.AnchorShiftConsented{Point: "P1"}),
		"AC3 late": start().round(2).round(3).add(&state.PhaseChanged{Phase: state.Development},
			&state.PointRaised{ID: "P2", By: state.Consultee, Text: "Beta holds", Late: state.TagRaisedLate},
			&state.PointsMerged{Into: "P2", From: []string{"P1"}, By: state.Orchestrator}),
		"AC3 limit": start().add(&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.OverLimit}),
		"AC4":       shifted(),
		"AC5": start().fact("no alpha").add(&state.ViolationNamed{Point: "P1", Fact: "F1", By: state.Orchestrator},
			&state.ViolationNamed{Point: "P1", Fact: "F1", By: state.User, Confirmed: true}),
		"AC6 conceded": start().challenged("C1", state.Skeptical).round(2).add(&state.ChallengeConceded{Challenge: "C1", By: state.Consultee, Reason: "true"}),
		"AC6 revised": start().add(&state.PointRaised{ID: "P2", By: state.Consultee, Text: "Alpha holds below 1000", Revises: "P1"},
			&state.PointRevised{Point: "P1", New: "P2", By: state.Consultee}),
		"AC7":        start().challenged("C1", state.Reject).round(2).add(&state.ChallengeUndefended{Challenge: "C1"}),
		"AC7 closed": start().challenged("C1", state.Reject).round(2).add(&state.ChallengeUndefended{Challenge: "C1"}).closed(),
		"AC5b":       start().fact("no alpha").add(&state.ViolationNamed{Point: "P1", Fact: "F1", By: state.Orchestrator, Words: "Alpha"}),
		"AC8": start().proved(ledger.Refutes).add(resolver.RefutationChallenge("C1", &ledger.Evidence{ID: "E1", Point: "P1", Reference: "a/a.go:1"})).
			round(2).answered("C1").judged("C1", state.Rejected, true).round(3).answered("C1").judged("C1", state.Rejected, false),
		"AC8 closed":  start().classified(state.Agree, false).proved(ledger.Refutes).closed(),
		"AC9":         start().classified(state.Agree, false).proved(ledger.Supports).proved(ledger.Refutes),
		"AC10":        rejected(),
		"AC10 closed": rejected().round(3).closed(),
		"AC11": rejected().add(&state.OverrideMade{What: state.OverrideKindSet, Point: "P1", Set: state.Value},
			&state.QuestionSurfaced{ID: "Q1", Point: "P1", What: state.QuestionTradeoff, Text: "Which?", Options: []string{"Alpha holds", "the load is not known"}}),
		"AC12": start().classified(state.IllFormed, false).add(
			&state.Requested{Point: "P1", Kind: state.RequestClarification, Of: []state.Seat{state.Consultee}, By: state.Orchestrator, Text: "which alpha?"}).round(2).add(
			&state.RequestSettled{Point: "P1", What: state.RequestClarification, By: state.Protocol}),
		"AC13": start().challenged("C1", state.Skeptical).round(2).add(
			&state.ChallengeAnswered{Challenge: "C1", By: state.Consultee, Text: "BLOCKED", Blocked: true}, blocked,
			&state.ChallengeJudged{Challenge: "C1", By: state.Orchestrator, Judgment: state.Accepted, Reason: "so it is"},
			&state.QuestionSurfaced{ID: "Q1", Point: "P1", What: state.QuestionBlocked, Text: "How many?", Options: []string{}}),
		"AC14": start().challenged("C1", state.Skeptical).round(2).answered("C1").judged("C1", state.Rejected, true).round(3).answered("C1").judged("C1", state.Rejected, false),
		"AC14 deadlock": start().challenged("C1", state.Skeptical).round(2).round(3).add(
			&state.PointDeadlocked{Point: "P1", Class: state.DeadlockMissingData, Crux: "a measurement"}),
		"AC15":             valued().classified(state.Agree, true),
		"AC16":             start().proved(ledger.Supports).classified(state.Agree, false),
		"AC14 disputed":    rejected().proved(ledger.Supports),
		"AC16 closed":      start().proved(ledger.Supports).classified(state.Agree, false).closed(),
		"AC17":             start().classified(state.Agree, false).add(&state.Requested{Point: "P1", Kind: state.RequestEvidence, Of: []state.Seat{state.Consultee}, By: state.Protocol, Text: "which?"}).round(2).add(&state.RequestSettled{Point: "P1", What: state.RequestEvidence, By: state.Protocol}),
		"AC17 closed":      start().classified(state.Agree, false).closed(),
		"AC19 by rules":    valued().seated(state.Orchestrator, state.BuiltInRules).classified(state.Agree, true),
		"AC17 rules":       start().seated(state.Orchestrator, state.BuiltInRules).classified(state.Agree, false).closed(),
		"AC17b":            start().seated(state.Orchestrator, state.BuiltInRules).proved(ledger.Supports).classified(state.Agree, false),
		"AC17b offered":    start().seated(state.Consultee, state.BuiltInRules).proved(ledger.Supports),
		"AC18":             start().challenged("C1", state.Skeptical).add(&state.ExitReached{Exit: state.ExitCap, Reason: "round 8 is the last"}),
		"AC18 closed":      start().challenged("C1", state.Skeptical).challenged("C2", state.Reject).closed(),
		"AC19 unjudged":    start(),
		"AC19 challenged":  start().challenged("C1", state.Skeptical),
		"AC19 reminded":    start().challenged("C1", state.Skeptical).round(2).add(&state.ChallengeDropped{Challenge: "C1"}, &state.ChallengeReminded{Challenge: "C1"}),
		"AC19 two":         start().challenged("C1", state.Reject).challenged("C2", state.Skeptical),
		"AC19 answered":    start().proved(ledger.Supports).challenged("C1", state.Reject).round(2).answered("C1"),
		"AC19 ungrounded":  start().classified(state.Agree, false),
		"AC19 last chance": start().challenged("C1", state.Skeptical).round(2).answered("C1").judged("C1", state.Rejected, true),
		"AC19 untriaged":   start().add(&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.Untriaged}),
		"AC19 ill-formed": start().classified(state.IllFormed, false).add(
			&state.Requested{Point: "P1", Kind: state.RequestClarification, Of: []state.Seat{state.Consultee}, By: state.Orchestrator, Text: "which alpha?"}),
	}
}

// Every rule has a session in which it fires, and each reads as its golden
// file says: what AC1 to AC19 decided, why, and what would change it.
func TestExplainGolden(t *testing.T) {
	seen := map[string]bool{}
	for name, s := range fired(t) {
		rule, _, _ := strings.Cut(name, " ")
		seen[rule] = true
		e := protocoltest.Explain(t, s.State, "P1")
		if name == "AC3 late" {
			e = protocoltest.Explain(t, s.State, "P2")
		}
		if e.Rule != rule {
			t.Errorf("%s: %s fired (%s)", name, e.Rule, e.Ruling.Reason)
		}
		protocoltest.Golden(t, *update, strings.ReplaceAll(name, " ", "-"), protocoltest.Explained(&e))
	}
	for _, rule := range acceptanceRules() {
		if !seen[rule] {
			t.Errorf("no session shows %s", rule)
		}
	}
}

func acceptanceRules() []string {
	var names []string
	for i := 1; i <= 19; i++ {
		names = append(names, fmt.Sprint("AC", i))
	}
	return names
}

// Every rule has its sentence.
func TestEveryRuleHasItsSentence(t *testing.T) {
	said := map[string]string{}
	unique := func(what, words string) {
		if !strings.HasSuffix(words, ".") {
			t.Errorf("%s has no sentence: %q", what, words)
		}
		if other := said[words]; other != "" {
			t.Errorf("%s and %s read the same: %s", what, other, words)
		}
		said[words] = what
	}
	for _, rule := range append(acceptanceRules(), "RD2") {
		unique(rule, ruleSays(rule))
	}
	if ruleSays("AC20") != "" {
		t.Error("a sentence without a rule")
	}
}

// ruleSays states a rule of any format.
func ruleSays(rule string) string {
	for _, f := range formats.All() {
		if says := f.Rulings().Says(rule); says != "" {
			return says
		}
	}
	return ""
}
