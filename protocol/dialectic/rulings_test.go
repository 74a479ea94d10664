package dialectic

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// objected is a session with the objection C1.
func objected(t *testing.T, severity gates.Severity) *objecting {
	t.Helper()
	o := newObjecting(t)
	o.add(fileObjection("C1", severity)...)
	return o
}

func (o *objecting) outcome() objectionOutcome { return newOutcomes(o.s).Of(o.s.Challenge("C1")) }

// withdrawal takes the field out of the proposal.
func withdrawal(by state.Seat) state.Payload { return &FieldWithdrawn{Point: "P1", By: by} }

func concession() state.Payload { return &state.ChallengeConceded{Challenge: "C1", By: Proposer} }

// proposerReplies gives the proposer a turn.
func proposerReplies() []state.Payload {
	return []state.Payload{
		&state.PromptSent{Seat: Proposer, Stage: state.StageAnswer},
		&state.ReplyReceived{Seat: Proposer, Stage: state.StageAnswer, Valid: true},
	}
}

func TestWhenTheProposerGaveUp(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after []state.Payload
		want          bool
	}{
		"nothing since":        {nil, nil, false},
		"another value":        {nil, []state.Payload{&FieldRevised{Point: "P1", By: Proposer, Value: []byte("2"), Text: "a = 2"}}, true},
		"another value before": {[]state.Payload{&FieldRevised{Point: "P1", By: Proposer, Value: []byte("2"), Text: "a = 2"}}, nil, false},
		"withdrawn":            {nil, []state.Payload{withdrawal(Proposer)}, true},
		"withdrawn by you":     {nil, []state.Payload{withdrawal(state.User)}, false},
		"conceded":             {nil, []state.Payload{concession()}, true},
		"brought for it":       {nil, []state.Payload{&EvidenceSupplied{Evidence: "E1", Challenge: "C1"}}, false},
		"conceded before":      {[]state.Payload{concession()}, nil, false},
	} {
		o := objected(t, "HIGH")
		o.add(c.before...)
		o.add(supplyEvidence("E1", "C1", ledger.Refutes)[:2]...)
		o.add(c.after...)
		if got := (rules{}).GaveUp(o.s, o.s.Point("P1"), o.s.Item("E1"), Proposer); got != c.want {
			t.Errorf("%s: gave up is %v", name, got)
		}
	}
	o := newObjecting(t)
	o.add(&state.PointRaised{ID: "P2", By: Proposer, Text: "a remark"})
	o.add(supplyEvidence("E1", "", ledger.Refutes)[:2]...)
	if (rules{}).GaveUp(o.s, o.s.Point("P2"), o.s.Item("E1"), Proposer) {
		t.Error("a remark that is no field was given up")
	}
}

func TestAnotherValueIsAModification(t *testing.T) {
	t.Parallel()
	o := newObjecting(t)
	o.add(&state.PointRaised{ID: "P2", By: Proposer, Text: "a remark"})
	o.revised("2")
	if m := resolver.Measure(o.s, resolver.Rule(o.s)); m.Modification == nil || *m.Modification != 1 {
		t.Errorf("modification is %v, want 1", m.Modification)
	}
}

// The age of evidence counts from the last resolution.
func TestFromWhenEvidenceAges(t *testing.T) {
	t.Parallel()
	o := newObjecting(t)
	if got := lastResolved(o.s); !got.Equal(o.s.At) {
		t.Errorf("before any: %v", got)
	}
	at := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	o.add(&RoundResolved{Resolution: Recorded(o.s, at)})
	if got := lastResolved(o.s); !got.Equal(at) {
		t.Errorf("after one: %v", got)
	}
}

// A field that the user withdrew and opened again is proposed like any other.
func TestAReopenedFieldIsProposed(t *testing.T) {
	t.Parallel()
	o := newObjecting(t)
	o.add(withdrawal(state.User))
	if r := (rules{}).RuleOne(o.s, o.s.Point("P1")); r.Bucket != state.BucketDismissed || r.Tag != state.TagUser {
		t.Errorf("withdrawn: %+v", r)
	}
	o.add(&state.OverrideMade{What: state.OverrideReopen, Point: "P1"})
	if r := (rules{}).RuleOne(o.s, o.s.Point("P1")); r.Bucket != state.BucketOpen {
		t.Errorf("opened again: %+v", r)
	}
}

// Why a field was withdrawn names what was granted, or else what was open.
func TestTheWordsOfAWithdrawal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then []state.Payload
		want string
	}{
		"open":           {nil, "withdrawn after C1"},
		"conceded":       {[]state.Payload{concession()}, "granted, and withdrawn after C1"},
		"taken back":     {[]state.Payload{&state.Withdrawn{ID: "C1", By: PressureTester}}, "withdrawn"},
		"cleared by you": {[]state.Payload{&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingCleared}}, "withdrawn"},
	} {
		o := objected(t, "HIGH")
		o.add(c.then...)
		o.add(withdrawal(Proposer))
		if got, _ := withdrawnWords(o.s, o.s.Point("P1")); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	o := objected(t, "MEDIUM")
	o.add(supplyEvidence("E1", "C1", ledger.Supports)...)
	o.testerReplies()
	o.resolve()
	o.add(fileObjection("C2", "HIGH")...)
	o.add(withdrawal(Proposer))
	if got, _ := withdrawnWords(o.s, o.s.Point("P1")); got != "withdrawn after C2" {
		t.Errorf("C1 was cleared by evidence and C2 came later: %q", got)
	}
}

// A field rests on what it cites, once each: also on an id that does not exist, which G2 names, and on verified
// evidence that the proposer or the user brought for it. A ruling names only what is verified.
func TestWhatAFieldRestsOn(t *testing.T) {
	t.Parallel()
	o := newObjecting(t)
	o.add(supplyEvidence("E1", "C1", ledger.Supports)[:2]...)
	o.add(supplyEvidence("E2", "C1", ledger.Refutes)[:2]...)
	o.add(&state.EvidenceOffered{ID: "E3", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: Proposer},
		&state.EvidenceRefused{ID: "E3", Reason: "no such line"})
	o.add(&FieldRevised{Point: "P1", By: Proposer, Value: []byte("1"), Severity: "HIGH", Text: "a = 1", Cites: []string{"E1", "E3", "E9"}})
	if got := restsOn(o.s, o.s.Point("P1")); !slices.Equal(got, []string{"E1", "E3", "E9"}) {
		t.Errorf("it rests on %q", got)
	}
	o.add(&FieldRevised{Point: "P1", By: Proposer, Value: []byte("1"), Severity: "HIGH", Text: "a = 1", Grounded: true, Cites: []string{"E3"}})
	o.testerReplies()
	o.resolve()
	r := (rules{}).RuleOne(o.s, o.s.Point("P1"))
	if r.Reason != "no objection holds it, and it rests on E1" {
		t.Errorf("ruled %s: %s", r.Rule, r.Reason)
	}
}

// A gate fails for a field if a reason begins with its path. G5 and G7 are about objections and requests.
func TestTheGatesThatFailForAField(t *testing.T) {
	t.Parallel()
	result := func(gate string, pass bool, reason string) *gates.Result {
		r := &gates.Result{}
		r.Artifact.Proposal.Fields = []gates.Field{{Path: "other"}, {Path: "C1"}}
		r.Artifact.Validation.Gates = []gates.GateResult{{Gate: gate, Pass: pass, Reasons: []string{reason}}}
		return r
	}
	for _, c := range []struct {
		gate   string
		pass   bool
		reason string
		want   int
	}{
		{"G3", false, "C1: INVENTED(5)", 1},
		{"G4", false, "C1 cites nothing", 1},
		{"G1", false, "artifact.proposal.fields[1].severity is unknown", 1},
		{"G1", false, "artifact.proposal.fields[0].severity is unknown", 0},
		{"G3", false, "C11: INVENTED(5)", 0},
		{"G3", true, "C1: nothing to find", 0},
		{"G5", false, "C1 (HIGH) is upheld", 0},
		{"G7", false, "C1 is owed", 0},
	} {
		if got := failuresOf(result(c.gate, c.pass, c.reason), "C1"); len(got) != c.want {
			t.Errorf("%s pass=%v %q: %d failures, want %d", c.gate, c.pass, c.reason, len(got), c.want)
		}
	}
	for _, c := range []struct {
		gate   string
		pass   bool
		reason string
		want   bool
	}{
		{"G7", false, "request 1 about C1 (HIGH) is open", true},
		{"G7", false, "request 1 about C11 (HIGH) is open", false},
		{"G7", true, "request 1 about C1 (HIGH) was answered", false},
		{"G3", false, "the text about C1 (HIGH) is invented", false},
	} {
		if got := outstanding(result(c.gate, c.pass, c.reason), "C1"); (got != "") != c.want {
			t.Errorf("%s pass=%v %q: outstanding is %q", c.gate, c.pass, c.reason, got)
		}
	}
}

// The record leaves out words that could not be read again.
func TestUnknownWordsAreNotRecorded(t *testing.T) {
	t.Parallel()
	for op, kept := range map[string]bool{"sum": true, "product": false} {
		o := newObjecting(t)
		o.add(&FieldRevised{
			Point: "P1", By: Proposer, Value: []byte("1"), Severity: "HIGH", Text: "a = 1",
			Derived: &move.Derivation{Op: op, Of: []string{"a"}},
		})
		if field := Recorded(o.s, time.Time{}).Artifact.Proposal.Fields[0]; (field.Derived != nil) != kept {
			t.Errorf("%s: recorded is %+v", op, field.Derived)
		}
	}
}

// The gates read the live facts of the user, and what was objected to fields.
func TestWhatTheGatesRead(t *testing.T) {
	t.Parallel()
	o := newObjecting(t)
	limit := func(id string, tag ledger.Tag, supersedes, text, value string) state.Payload {
		seat := state.User
		if tag != ledger.TagUser {
			seat = Proposer
		}
		return &state.FactRecorded{
			ID: id, Tag: tag, Seat: seat, Supersedes: supersedes, Text: text,
			Predicate: &ledger.Predicate{Path: "a", Op: "≤", Value: []byte(value)},
		}
	}
	o.add(limit("F1", ledger.TagUser, "", "a is at most 5", "5"), limit("F2", ledger.TagUser, "F1", "a is at most 7", "7"),
		limit("F3", ledger.TagUnverified, "", "a is at most 9", "9"))
	o.add(&state.PointRaised{ID: "P2", By: Proposer, Text: "a remark"},
		&state.ChallengeRaised{ID: "C1", Point: "P2", By: PressureTester, Kind: state.Reject, Objection: "why?"},
		&ObjectionFiled{Challenge: "C1", Category: "Factual", Severity: "HIGH", Predicate: "it holds"},
		&state.ChallengeRaised{ID: "C2", Point: "P1", By: state.User, Kind: state.Reject, Objection: "why?"},
		&state.EvidenceOffered{ID: "E1", Point: "P2", Relation: ledger.Supports, Reference: "a.go:1", By: Proposer},
		&state.EvidenceOffered{ID: "E2", Point: "P1", Relation: ledger.Neutral, Reference: "a.go:1", By: Proposer})
	in := input(o.s, time.Time{})
	if len(in.Facts) != 1 || in.Facts[0].ID != "F2" {
		t.Errorf("the facts are %+v", in.Facts)
	}
	if !strings.Contains(in.Directive, "at most 7") || strings.Contains(in.Directive, "at most 5") || strings.Contains(in.Directive, "at most 9") {
		t.Errorf("the directive is %q", in.Directive)
	}
	if len(in.Artifact.Objections) != 0 {
		t.Errorf("no objection is about a field: %+v", in.Artifact.Objections)
	}
	if len(in.Evidence) != 0 {
		t.Errorf("no evidence is for or against a field: %+v", in.Evidence)
	}
	for _, id := range []string{"C1", "C2"} {
		if got := newOutcomes(o.s).Of(o.s.Challenge(id)); got != (objectionOutcome{}) {
			t.Errorf("%s is no objection to a field: %+v", id, got)
		}
	}
}

// An id that an objection names and that does not exist is left in it: G2 names it.
func TestAnObjectionMayNameWhatDoesNotExist(t *testing.T) {
	t.Parallel()
	o := newObjecting(t)
	o.add(
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: PressureTester, Kind: state.Reject, Objection: "why?"},
		&ObjectionFiled{Challenge: "C1", Category: "Factual", Severity: "HIGH", Predicate: "it holds", Cites: []string{"E9"}},
	)
	if got := input(o.s, time.Time{}).Artifact.Objections[0].Evidence; !slices.Equal(got, []string{"E9"}) {
		t.Errorf("it names %q", got)
	}
}

// A request whose check has not run is read as evidence that is not verified, and no objection lists it.
func TestACheckThatHasNotRun(t *testing.T) {
	t.Parallel()
	o := objected(t, "HIGH")
	o.asks("C1", "q", state.Wanted{Query: "password", Expect: "found", Clears: state.ResultMet})
	in := input(o.s, time.Time{})
	if len(in.Evidence) != 1 || in.Evidence[0].Verified || len(in.Artifact.Objections[0].Evidence) != 0 {
		t.Errorf("evidence %+v, listed %q", in.Evidence, in.Artifact.Objections[0].Evidence)
	}
	o.ran("E1", false)
	if in = input(o.s, time.Time{}); !slices.Equal(in.Artifact.Objections[0].Evidence, []string{"E1"}) {
		t.Errorf("it ran, and is listed as %q", in.Artifact.Objections[0].Evidence)
	}
	o.revised("2")
	o.asks("C1", "q", state.Wanted{Query: "password", Expect: "found", Clears: state.ResultMet})
	o.ran("E2", false)
	if in = input(o.s, time.Time{}); !slices.Equal(in.Artifact.Objections[0].Evidence, []string{"E2"}) {
		t.Errorf("it ran again, and is listed as %q", in.Artifact.Objections[0].Evidence)
	}
}

// Evidence for an objection leaves it unresolved at best while the proposer had no turn, or contests it.
func TestEvidenceThatWaitsForTheProposer(t *testing.T) {
	t.Parallel()
	refuting := func(o *objecting) { o.add(supplyEvidence("E1", "C1", ledger.Refutes)...) }
	heard := func(o *objecting) { o.add(proposerReplies()...) }
	for name, c := range map[string]struct {
		then []func(*objecting)
		want bool
	}{
		"nothing":   {nil, false},
		"unheard":   {[]func(*objecting){refuting}, true},
		"heard":     {[]func(*objecting){refuting, heard}, false},
		"contested": {[]func(*objecting){refuting, heard, func(o *objecting) { o.add(&state.EvidenceContested{ID: "E1", By: Proposer, Reason: "beside it"}) }}, true},
		"for the field, contested": {[]func(*objecting){
			func(o *objecting) { o.add(supplyEvidence("E1", "C1", ledger.Supports)...) },
			func(o *objecting) { o.add(&state.EvidenceContested{ID: "E1", By: PressureTester, Reason: "beside it"}) },
		}, false},
		"of another objection": {[]func(*objecting){func(o *objecting) {
			o.add(fileObjection("C2", "HIGH")...)
			o.add(supplyEvidence("E1", "C2", ledger.Refutes)...)
		}}, false},
		"not admitted": {[]func(*objecting){func(o *objecting) {
			o.add(&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Refutes, Reference: "a.go:1", By: PressureTester},
				&EvidenceSupplied{Evidence: "E1", Challenge: "C1"},
				&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9})
		}}, false},
		"superseded": {[]func(*objecting){func(o *objecting) {
			w := state.Wanted{Query: "password", Expect: "found", Clears: state.ResultMet}
			o.asks("C1", "q", w)
			o.ran("E1", true)
			o.revised("2")
			o.asks("C1", "q", w)
			o.ran("E2", false)
		}}, false},
	} {
		o := objected(t, "HIGH")
		for _, then := range c.then {
			then(o)
		}
		if got := input(o.s, time.Time{}).Artifact.Objections[0].Unheard; got != c.want {
			t.Errorf("%s: unheard is %v", name, got)
		}
	}
}

// The other side has a turn to contest an item before it counts.
func TestWhoMustHaveHadATurn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		then func(*objecting)
		want bool
	}{
		"the proposer's, new": {func(o *objecting) { o.add(supplyEvidence("E1", "C1", ledger.Supports)...) }, false},
		"the proposer's, seen": {func(o *objecting) {
			o.add(supplyEvidence("E1", "C1", ledger.Supports)...)
			o.testerReplies()
		}, true},
		"not verified": {func(o *objecting) {
			o.add(&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: Proposer})
		}, true},
		"the pressure-tester's own": {func(o *objecting) {
			o.add(&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: PressureTester})
			o.ran("E1", false)
		}, true},
		"what it asked for": {func(o *objecting) {
			o.asks("C1", "q", state.Wanted{Query: "password", Expect: "found", Clears: state.ResultMet})
			o.ran("E1", false)
		}, false},
	} {
		o := objected(t, "HIGH")
		c.then(o)
		if got := hadTurn(o.s, o.s.Item("E1")); got != c.want {
			t.Errorf("%s: had its turn is %v", name, got)
		}
	}
}

// The crux is a verified item that somebody contests.
func TestTheContestedItemIsTheCrux(t *testing.T) {
	t.Parallel()
	o := objected(t, "HIGH")
	o.add(&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: Proposer},
		&state.EvidenceContested{ID: "E1", By: PressureTester, Reason: "beside it"})
	d := &review{s: o.s}
	if got := d.contested([]string{"E9", "E1"}); got != "" {
		t.Errorf("one does not exist and one is not verified: %q", got)
	}
	o.ran("E1", false)
	d = &review{s: o.s}
	if got := d.contested([]string{"E9", "E1"}); got != "whether E1 bears on it (pressure-tester: beside it)" {
		t.Errorf("the crux is %q", got)
	}
}

// A field that the user agreed with needs no derivation and no known severity, and clears its objections.
func TestAFieldThatTheUserAgreedWith(t *testing.T) {
	t.Parallel()
	for severity, want := range map[string]gates.Severity{"LOW": "LOW", "DIRE": "HIGH"} {
		o := objected(t, "HIGH")
		o.add(&FieldRevised{
			Point: "P1", By: Proposer, Value: []byte("1"), Severity: severity, Text: "a = 1",
			Derived: &move.Derivation{Op: "sum", Of: []string{"a"}},
		}, &state.OverrideMade{What: state.OverrideAgree, Point: "P1"})
		f := gateField(o.s, o.s.Point("P1"))
		if f.Derived != nil || f.Severity != want {
			t.Errorf("%s: derived %v, severity %s", severity, f.Derived, f.Severity)
		}
		if got := gateObjection(o.s.Challenge("C1"), o.s.Point("P1")).Ruling; got != gates.RulingCleared {
			t.Errorf("the objection is ruled %q", got)
		}
	}
	o := objected(t, "HIGH")
	o.add(&state.OverrideMade{What: state.OverrideUnresolved, Point: "P1"})
	if got := gateObjection(o.s.Challenge("C1"), o.s.Point("P1")).Ruling; got != gates.RulingNone {
		t.Errorf("left open, the objection is ruled %q", got)
	}
	o = objected(t, "HIGH")
	o.add(&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingUpheld}, &state.OverrideMade{What: state.OverrideDismiss, Point: "P1"},
		&state.OverrideMade{What: state.OverrideReopen, Point: "P1"})
	if got := gateObjection(o.s.Challenge("C1"), o.s.Point("P1")).Ruling; got != gates.RulingNone {
		t.Errorf("opened again, the objection is ruled %q", got)
	}
}

// At the end only what makes a difference changes a resolution; before that, whatever touches the proposal.
func TestWhenAResolutionChanged(t *testing.T) {
	t.Parallel()
	o := objected(t, "HIGH")
	o.resolve()
	if Of(o.s).Last().changed(o.s) {
		t.Error("nothing came since")
	}
	remark := &state.PointRaised{ID: "P2", By: Proposer, Text: "a remark"}
	o.add(remark)
	if !Of(o.s).Last().changed(o.s) {
		t.Error("a point came since")
	}
	o = objected(t, "HIGH")
	o.resolve()
	o.add(&state.ExitReached{Exit: state.ExitUser}, remark)
	if Of(o.s).Last().changed(o.s) {
		t.Error("at the end, a remark makes no difference")
	}
	o.add(&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingCleared})
	if !Of(o.s).Last().changed(o.s) {
		t.Error("at the end, the user's ruling makes a difference")
	}
}

// What the result of an objection is called, from what the record holds.
func TestTheOutcomeOfAnObjection(t *testing.T) {
	t.Parallel()
	supplied := func(relation ledger.Relation, then ...state.Payload) []state.Payload {
		return append(supplyEvidence("E1", "C1", relation), then...)
	}
	accepted := &state.EvidenceAccepted{ID: "E1", By: PressureTester}
	for name, c := range map[string]struct {
		severity gates.Severity
		then     []state.Payload
		// since holds the events after the round was resolved; again adds another resolution.
		since        []state.Payload
		again        bool
		want, reason string
	}{
		"nothing speaks to it":   {"HIGH", nil, nil, false, "unresolved", "no evidence"},
		"accepted":               {"HIGH", supplied(ledger.Supports, accepted), nil, false, "cleared by E1", "supports the proposal"},
		"by silence":             {"MEDIUM", supplied(ledger.Supports), nil, false, "cleared by E1, uncontested", "supports the proposal"},
		"refuted":                {"MEDIUM", supplied(ledger.Refutes, proposerReplies()...), nil, false, "upheld by E1", "contradicts"},
		"conceded":               {"HIGH", []state.Payload{concession()}, nil, false, "upheld as conceded", "is still a field"},
		"granted":                {"HIGH", []state.Payload{concession(), withdrawal(Proposer)}, nil, false, "granted, and withdrawn after C1", "granted, and withdrawn after C1"},
		"granted since":          {"HIGH", nil, []state.Payload{concession(), withdrawal(Proposer)}, false, "granted, and withdrawn after C1", "not a field"},
		"conceded, dismissed":    {"HIGH", []state.Payload{concession()}, []state.Payload{&state.OverrideMade{What: state.OverrideDismiss, Point: "P1"}}, true, "moot", "withdrawn after C1"},
		"conceded, not granted":  {"HIGH", []state.Payload{concession(), withdrawal(state.User)}, nil, false, "moot", "withdrawn after C1"},
		"withdrawn":              {"HIGH", []state.Payload{withdrawal(Proposer)}, nil, false, "moot", "not a field"},
		"taken back":             {"HIGH", []state.Payload{&state.Withdrawn{ID: "C1", By: PressureTester}}, nil, false, "withdrawn by the pressure-tester", "withdrew it"},
		"taken back since":       {"HIGH", nil, []state.Payload{&state.Withdrawn{ID: "C1", By: PressureTester}}, false, "withdrawn by the pressure-tester", "withdrew it"},
		"taken back, but upheld": {"HIGH", []state.Payload{&state.Withdrawn{ID: "C1", By: PressureTester}}, []state.Payload{&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingUpheld}}, false, "upheld by you", "the user upheld it"},
		"cleared by you":         {"HIGH", []state.Payload{&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingCleared}}, nil, false, "cleared by you", "the user cleared it"},
		"upheld by you":          {"HIGH", nil, []state.Payload{&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingUpheld}}, true, "upheld by you", "the user upheld it"},
		"upheld, LOW":            {"LOW", nil, []state.Payload{&ObjectionRuled{Challenge: "C1", Verdict: gates.RulingUpheld}}, false, "upheld, holds nothing", "the user upheld it"},
		"agreed, opened again": {
			"HIGH",
			[]state.Payload{&state.OverrideMade{What: state.OverrideAgree, Point: "P1"}},
			[]state.Payload{&state.OverrideMade{What: state.OverrideReopen, Point: "P1"}},
			false, "not resolved yet", "",
		},
	} {
		o := objected(t, c.severity)
		o.add(c.then...)
		o.testerReplies()
		o.resolve()
		o.add(c.since...)
		if c.again {
			o.resolve()
		}
		got := o.outcome()
		if words := got.Words("you"); words != c.want || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %q (%s), want %q (%s)", name, words, got.Reason, c.want, c.reason)
		}
		holds := strings.HasPrefix(c.want, "unresolved") || strings.HasPrefix(c.want, "upheld") && c.severity != gates.Low
		if settled := got.Settled(); settled != (!holds && c.want != "not resolved yet") {
			t.Errorf("%s: settled is %v", name, settled)
		}
		granted := slices.ContainsFunc(Of(o.s).Last().Artifact.Objections, func(g gates.Objection) bool {
			return outcomesIn(&Of(o.s).Last().Result)[g.ID].Granted
		})
		if name == "granted" != granted && !strings.HasPrefix(name, "conceded, ") {
			t.Errorf("%s: the resolution says granted: %v", name, granted)
		}
	}
	o := objected(t, "MEDIUM")
	o.add(&state.RoundStarted{Round: 2}, &state.RoundStarted{Round: 3}, &ObjectionRuled{Challenge: "C1", Verdict: gates.RulingUpheld})
	o.resolve()
	if got := o.words("C1"); got != "only warns" {
		t.Errorf("upheld by you in the last round, MEDIUM: %q", got)
	}
}
