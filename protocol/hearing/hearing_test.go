package hearing_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/hearing"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// hall is a hearing whose events a test writes itself.
type hall struct{ *protocoltest.Desk }

// hearingOf opens a hearing on a packet of six facts: a directory was dumped, and a
// backup ran.
func hearingOf(t *testing.T, form hearing.Form, version judge.Version) *hall {
	t.Helper()
	h := &hall{&protocoltest.Desk{T: t, State: &state.State{}, Quiet: true}}
	from := time.Date(2026, 3, 10, 22, 0, 0, 0, time.UTC)
	packet, err := ledger.NewPacket("pk", from, from.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i, fact := range []struct{ entity, field, value string }{
		{"dc", "new_process", `"ntdsutil.exe ifm create full"`},
		{"dc", "esent_event", `"new database ntds.dit"`},
		{"dc", "logon", `"svc-router"`},
		{"dc", "backup_job", `"nightly, success"`},
		{"sw", "change_ticket", `"replace switch"`},
		{"dc", "uptime_days", `41`},
	} {
		if err := packet.Add(ledger.PacketFact{
			ID: "f" + string(rune('1'+i)), Entity: fact.entity, EntityType: "node", Field: fact.field, Value: ledger.Value(fact.value),
			At: from.Add(time.Duration(i) * time.Minute), SourceType: ledger.SourceSyslog, SourceID: "wec",
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	h.add(&state.SessionOpened{
		Rules:   hearing.Format{},
		Version: state.Version, ID: "h", Question: "Is it a threat?",
		Seats: []state.SeatAssignment{{Seat: judge.Architect, Participant: "a"}, {Seat: judge.Skeptic, Participant: "s"}},
		Settings: state.Settings{Format: hearing.Name, Nonce: "n", Own: &hearing.Settings{
			Form: form, Judge: version, Rounds: 3, Gate: judge.GateEither, Then: hearing.FormAnchored, Domain: smallDomain(),
		}},
	})
	h.add(state.PacketEvents(packet)...)
	h.add(
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Protocol, Text: "Is it a threat?"},
		&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope},
	)
	return h
}

// smallDomain has one pattern and one explanation.
func smallDomain() domain.Domain {
	return domain.Domain{
		Name: "small", Prefix: "THREAT",
		Opposites: [][2]string{{"logon", "uptime_days"}},
	}
}

func (h *hall) add(payloads ...state.Payload) *hall {
	h.T.Helper()
	h.Append(payloads...)
	return h
}

// claims has a side read facts, with a confidence.
func (h *hall) claims(id string, by state.Seat, confidence float64, facts ...string) *hall {
	h.T.Helper()
	return h.add(
		&state.PointRaised{ID: id, By: by, Text: "reads " + strings.Join(facts, ", "), Facts: facts},
		&state.ConfidenceReported{Seat: by, Point: id, Stated: confidence, Admitted: confidence},
	)
}

// concludes has both sides say how sure they are.
func (h *hall) concludes(architect, skeptic float64) *hall {
	h.T.Helper()
	return h.add(
		&hearing.Argued{Seat: judge.Architect, Stated: architect, Confidence: architect},
		&hearing.Argued{Seat: judge.Skeptic, Stated: skeptic, Confidence: skeptic},
	)
}

func (h *hall) ends() *hall {
	h.T.Helper()
	return h.add(&state.ExitReached{Exit: state.ExitDecided, Reason: "each side argued once"})
}

// ruled is a ruling as a test reads it.
type ruled struct {
	Bucket state.Bucket
	Tag    state.Tag
	Rule   string
	Reason string
	Reads  []string
}

func (h *hall) ruling(point string) ruled {
	h.T.Helper()
	r, ok := resolver.RuleOne(h.State, point)
	if !ok {
		h.T.Fatalf("there is no %s", point)
	}
	return ruled{r.Bucket, r.Tag, r.Rule, r.Reason, r.Reads}
}

// argued is a hearing in which both sides made a claim.
func argued(t *testing.T, version judge.Version, architect, skeptic float64) *hall {
	t.Helper()
	return hearingOf(t, hearing.FormSingle, version).
		claims("P2", judge.Architect, architect, "f1", "f2").claims("P3", judge.Skeptic, skeptic, "f4").
		concludes(architect, skeptic)
}

// The user overrules the judge (AC1), and conceding a claim loses it (AC6).
func TestUserAndConcessionComeFirst(t *testing.T) {
	h := argued(t, judge.V2, 0.9, 0.5).
		add(&state.PointConceded{Point: "P3", By: judge.Skeptic}).ends().
		add(&state.OverrideMade{What: state.OverrideDismiss, Point: "P1", Reason: "I know it"})
	if got := h.ruling("P1"); got.Bucket != state.BucketDismissed || got.Rule != "AC1" || got.Tag != state.TagUser {
		t.Errorf("the user's ruling: %+v", got)
	}
	if got := h.ruling("P3"); got.Bucket != state.BucketDismissed || got.Rule != "AC6" || got.Tag != state.TagConceded {
		t.Errorf("what was given up: %+v", got)
	}
	if v, err := hearing.VerdictOf(h.State); err != nil || v.Outcome != judge.Confirmed {
		t.Errorf("what the judge says stays on record: %+v", v.Verdict)
	}
}

// What the user dismissed counts no more, and the rounds before keep what they were.
func TestADismissedClaimCountsNoMore(t *testing.T) {
	h := hearingOf(t, hearing.FormMulti, judge.V1Facts).
		claims("P2", judge.Architect, 0.7, "f1", "f2").claims("P3", judge.Architect, 0.7, "f3").claims("P4", judge.Skeptic, 0.6, "f4").
		concludes(0.7, 0.6).add(&state.RoundStarted{Round: 2}).concludes(0.7, 0.6).ends()
	if got := h.ruling("P1"); got.Rule != "v1-facts.3" {
		t.Fatalf("%+v", got)
	}
	h.add(&state.OverrideMade{What: state.OverrideDismiss, Point: "P3"})
	if got := h.ruling("P1"); got.Rule != judge.Else {
		t.Errorf("with a claim less: %+v", got)
	}
	rounds := hearing.Rounds(h.State)
	if len(rounds) != 2 || rounds[0].Rule != "v1-facts.3" || rounds[1].Rule != judge.Else {
		t.Errorf("the rounds: %+v", rounds)
	}
}

// The rounds say what came, what was cited for the first time, and what the judge
// said after each.
func TestRoundsOfAHearing(t *testing.T) {
	h := hearingOf(t, hearing.FormMulti, judge.V2).
		claims("P2", judge.Architect, 0.9, "f1", "f2").claims("P3", judge.Skeptic, 0.5, "f4").concludes(0.9, 0.5).
		add(&state.RoundStarted{Round: 2}).
		add(&state.ChallengeRaised{ID: "C1", Point: "P2", By: judge.Skeptic, Kind: state.Skeptical, Objection: "the backup", Facts: []string{"f4", "f6"}}).
		concludes(0.6, 0.8).
		add(&state.RoundStarted{Round: 3}).
		add(&state.ChallengeAnswered{Challenge: "C1", By: judge.Architect, Text: "another hour", Facts: []string{"f3"}}).
		add(&state.PointConceded{Point: "P3", By: judge.Skeptic}).
		add(&hearing.Argued{Seat: judge.Architect, Stated: 0.7, Confidence: 0.7})
	var got []string
	for _, r := range hearing.Rounds(h.State) {
		got = append(got, fmt.Sprintf("%v %v %s %v", r.Architect, r.Skeptic, r.Rule, r.New))
	}
	want := []string{"0.9 0.5 v2.1 [f1 f2 f4]", "0.6 0.8 v2.3 [f6]", "0.7 0.8 else [f3]"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// In an anchored hearing only a fact that is tied to the facts of a claim lowers the confidence in it.
func TestAnchorHoldsAgainstUntiedFacts(t *testing.T) {
	for fact, want := range map[string]bool{"f4": true, "f5": false} { // f4 is of the same host, f5 of another one
		for _, form := range []hearing.Form{hearing.FormAnchored, hearing.FormMulti} {
			h := hearingOf(t, form, judge.V2)
			h.claims("P2", judge.Architect, 0.9, "f1").concludes(0.9, 0.5)
			h.add(&state.ChallengeRaised{
				ID: "C1", Point: "P2", By: judge.Skeptic, Kind: state.Skeptical, Objection: "no", Facts: []string{fact},
			})
			got := len(hearing.Releasing(h.State, h.State.Challenge("C1"), 1)) > 0
			if got != (want || form == hearing.FormMulti) {
				t.Errorf("%s, form %s: it lowers the confidence: %v", fact, form, got)
			}
		}
	}
}

// A verdict that turns in a round without a new fact was moved by argument alone.
func TestMovedByArgumentAlone(t *testing.T) {
	for name, c := range map[string]struct {
		fact      string
		by        state.Seat
		architect float64
		alone     bool
	}{
		"no new fact":           {"", "", 0.3, true},
		"a new fact":            {"f4", judge.Skeptic, 0.3, false},
		"a fact cited before":   {"f1", judge.Skeptic, 0.3, true},
		"the verdict is as was": {"", "", 0.95, false},
	} {
		h := hearingOf(t, hearing.FormMulti, judge.V2)
		h.claims("P2", judge.Architect, 0.9, "f1").claims("P3", judge.Skeptic, 0.5, "f2").concludes(0.9, 0.5)
		h.add(&state.RoundStarted{Round: 2})
		if c.fact != "" {
			h.add(&state.ChallengeRaised{
				ID: "C1", Point: "P2", By: c.by, Kind: state.Skeptical, Objection: "no", Facts: []string{c.fact},
			})
		}
		h.concludes(c.architect, 0.5)
		rounds := hearing.Rounds(h.State)
		if len(rounds) != 2 || rounds[0].ByArgument || rounds[1].ByArgument != c.alone {
			t.Errorf("%s: %+v", name, rounds)
		}
	}
}

// A verdict that turns in a round in which neither side said anything was not moved by an argument: an audit counts
// silence about a claim as CONTESTED.
func TestMovedBySilence(t *testing.T) {
	for name, c := range map[string]struct {
		say      state.Payload
		argument bool
	}{
		"silence": {nil, false},
		"a word": {&state.PointClassified{
			Point: "P3", By: judge.Architect, Class: state.Agree, Reason: "so it is",
		}, true},
		"a contradiction": {&state.ChallengeRaised{
			ID: "C1", Point: "P2", By: judge.Skeptic, Kind: state.Skeptical, Objection: "no", Facts: []string{"f1"},
		}, true},
		"a withdrawal":       {&state.PointConceded{Point: "P2", By: judge.Architect, Reason: "it is not"}, true},
		"a ruling of yours":  {&state.OverrideMade{What: state.OverrideDismiss, Point: "P2", Reason: "no"}, true},
		"the other claim":    {&state.PointRaised{ID: "P4", By: judge.Architect, Text: "once more", Facts: []string{"f1"}}, true},
		"another confidence": {&hearing.Argued{Seat: judge.Architect, Stated: 0.9, Confidence: 0.9}, true},
	} {
		h := hearingOf(t, hearing.FormAudit, judge.V2)
		h.claims("P2", judge.Architect, 0.9, "f1").claims("P3", judge.Skeptic, 0.3, "f2").concludes(0.9, 0.3)
		h.add(&state.RoundStarted{Round: 2})
		if c.say != nil {
			h.add(c.say)
		}
		rounds := hearing.Rounds(h.State)
		if len(rounds) != 2 || rounds[1].ByArgument != c.argument || rounds[1].BySilence == c.argument {
			t.Errorf("%s: %+v", name, rounds)
		}
		warned := strings.Join((hearing.Format{}).View().Warnings(h.State), "\n")
		if strings.Contains(warned, "moved by silence") == c.argument || strings.Contains(warned, "argument alone") != c.argument {
			t.Errorf("%s: %s", name, warned)
		}
	}
}

// The answer of a hearing is a sentence with the first words of the claims that nothing contradicts, and those that are disputed.
func TestHearingAnswerIsASentence(t *testing.T) {
	contradict := func(h *hall, round int) *hall {
		for n := 2; n <= round; n++ {
			h.add(&state.RoundStarted{Round: n})
		}
		return h.add(&state.ChallengeRaised{
			ID: "C1", Point: "P4", By: judge.Skeptic, Kind: state.Skeptical, Objection: "no", Facts: []string{"f4"},
		})
	}
	for name, c := range map[string]struct {
		form               hearing.Form
		architect, skeptic float64
		want               string
	}{
		"yes":       {hearing.FormMulti, 0.9, 0.5, "Yes, a threat: P2 (reads f1) and P3 (reads f2) stand, P4 (reads f3) is disputed"},
		"no":        {hearing.FormMulti, 0.3, 0.9, "No, not a threat: P5 (reads f5) stands"},
		"undecided": {hearing.FormMulti, 0.5, 0.5, "Undecided whether it is a threat: the architect's P2 (reads f1) and P3 (reads f2) stand, P4 (reads f3) is disputed; the skeptic's P5 (reads f5) stands"},
		"single":    {hearing.FormSingle, 0.9, 0.5, "Yes, a threat: P2 (reads f1), P3 (reads f2) and P4 (reads f3) stand, unseen by the other side"},
	} {
		h := hearingOf(t, c.form, judge.V2)
		h.claims("P2", judge.Architect, 0.9, "f1").claims("P3", judge.Architect, 0.8, "f2").claims("P4", judge.Architect, 0.7, "f3")
		h.claims("P5", judge.Skeptic, 0.5, "f5")
		if c.form != hearing.FormSingle {
			contradict(h, 2)
		}
		h.concludes(c.architect, c.skeptic).ends()
		if got := (hearing.Format{}).View().Decision(h.State); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	h := hearingOf(t, hearing.FormAudit, judge.V2)
	h.claims("P2", judge.Architect, 0.9, "f1").claims("P3", judge.Skeptic, 0.3, "f2").concludes(0.9, 0.3)
	h.add(&state.RoundStarted{Round: 2})
	h.add(&state.PointClassified{Point: "P2", By: judge.Skeptic, Class: state.Agree, Reason: "so it is"}).concludes(0.9, 0.3).ends()
	if got := (hearing.Format{}).View().Decision(h.State); got != "Yes, a threat: P2 (reads f1) stands" {
		t.Errorf("an audit: %s", got)
	}
	h = hearingOf(t, hearing.FormSingle, judge.V2)
	h.claims("P2", judge.Architect, 0.9, "f1").claims("P3", judge.Architect, 0.9, "f2").concludes(0.9, 0.3)
	h.add(&state.OverrideMade{What: state.OverrideAgree, Point: "P2", Reason: "I saw it"}).ends()
	if got := (hearing.Format{}).View().Decision(h.State); !strings.HasPrefix(got, "Yes, a threat: P2 (reads f1) and P3 (reads f2) stand") {
		t.Errorf("with a ruling of the user: %s", got)
	}
	h = hearingOf(t, hearing.FormSingle, judge.V2)
	h.claims("P2", judge.Architect, 0.9, "f1").concludes(0.9, 0.1).ends()
	if got := (hearing.Format{}).View().Decision(h.State); !strings.HasSuffix(got, "; nobody argued against it") {
		t.Errorf("a silent skeptic: %s", got)
	}
}
