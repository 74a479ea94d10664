package hearing_test

import (
	"slices"
	"testing"

	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// HR1, HR2 and HR3: the moves on a claim decide how it ends in an audit, and a side's confidence is
// at most that of its best supported claim.
func TestTheAuditRulesOnEachClaim(t *testing.T) {
	contradict := func(id, point string, by state.Seat) *state.ChallengeRaised {
		return &state.ChallengeRaised{ID: id, Point: point, By: by, Kind: state.Skeptical, Objection: "facts", Facts: []string{"f5"}}
	}
	accept := func(point string, by state.Seat, class state.Class) *state.PointClassified {
		return &state.PointClassified{Point: point, By: by, Class: class, Reason: "a backup runs every night"}
	}
	answer := &state.ChallengeAnswered{Challenge: "C1", By: judge.Architect, Text: "another hour", Facts: []string{"f3"}}
	for name, c := range map[string]struct {
		said    []state.Payload
		rule    string
		bucket  state.Bucket
		why     string
		verdict string
	}{
		"accepted": {
			[]state.Payload{accept("P2", judge.Skeptic, state.Agree)},
			"HR1", state.BucketAgreed,
			"SUPPORTED: the skeptic accepted it", "v2.3",
		},
		"not bearing": {
			[]state.Payload{accept("P2", judge.Skeptic, state.Skeptical)},
			"HR2", state.BucketUnresolved,
			"CONTESTED: the skeptic calls it true but not bearing on the question: a backup runs every night", "else",
		},
		"silence": {nil, "HR2", state.BucketUnresolved, "CONTESTED: the skeptic said nothing about it, also when asked again", "else"},
		"unanswered": {
			[]state.Payload{contradict("C1", "P2", judge.Skeptic)},
			"HR3", state.BucketDismissed,
			"UNSUPPORTED: C1 contradicts it by f5, and nobody answered", "else",
		},
		"accepted, but contradicted": {
			[]state.Payload{accept("P2", judge.Skeptic, state.Agree), contradict("C1", "P2", state.User)},
			"HR3",
			state.BucketDismissed, "UNSUPPORTED: C1 contradicts it by f5, and nobody answered", "else",
		},
		"withdrawn": {[]state.Payload{
			contradict("C1", "P2", judge.Skeptic), answer, &state.ChallengeJudged{Challenge: "C1", By: judge.Skeptic, Judgment: state.Accepted},
		}, "HR1", state.BucketAgreed, "SUPPORTED: the skeptic withdrew C1", "v2.3"},
		"maintained": {[]state.Payload{
			contradict("C1", "P2", judge.Skeptic), answer, &state.ChallengeJudged{Challenge: "C1", By: judge.Skeptic, Judgment: state.Rejected},
		}, "HR2", state.BucketUnresolved, "CONTESTED: the skeptic maintains C1", "else"},
		"given up": {[]state.Payload{&state.PointConceded{Point: "P2", By: judge.Architect}}, "AC6", state.BucketDismissed, "", "else"},
	} {
		h := hearingOf(t, hearing.FormAudit, judge.V2).
			claims("P2", judge.Architect, 0.8, "f1").claims("P3", judge.Skeptic, 0.6, "f4").concludes(0.9, 0.6).
			add(&state.RoundStarted{Round: 2}).add(c.said...).concludes(0.9, 0.6)
		if open := h.ruling("P2"); c.rule != "AC6" && (open.Bucket != state.BucketOpen || open.Rule != "AC19") {
			t.Errorf("%s: while the session runs: %+v", name, open)
		}
		got := h.ends().ruling("P2")
		if got.Rule != c.rule || got.Bucket != c.bucket || c.why != "" && got.Reason != c.why {
			t.Errorf("%s: %+v", name, got)
		}
		// P3 is not supported, so that the skeptic counts as 0; the architect as 0.8 at most.
		v, _ := hearing.VerdictOf(h.State)
		if v.Rule != c.verdict || v.Skeptic.Confidence != 0 || c.verdict == "v2.3" && v.Architect.Confidence != 0.8 {
			t.Errorf("%s: the verdict is %s", name, v.Sentence())
		}
		if (hearing.Format{}).Rulings().Says(got.Rule) == "" {
			t.Errorf("%s has no words", got.Rule)
		}
	}
}

// An exchange does not end while a contradiction of the last round, or a challenge of the oracle,
// is unanswered.
func TestAnExchangeDoesNotEndBeforeAnAnswer(t *testing.T) {
	h := hearingOf(t, hearing.FormMulti, judge.V2).
		claims("P2", judge.Architect, 0.9, "f1").claims("P3", judge.Skeptic, 0.5, "f4").concludes(0.9, 0.5).
		add(&state.RoundStarted{Round: 2}).
		add(&state.ChallengeRaised{ID: "C1", Point: "P2", By: judge.Skeptic, Kind: state.Skeptical, Objection: "a backup", Facts: []string{"f4"}}).
		concludes(0.9, 0.5)
	if exit, reason := hearing.EndOf(h.State); exit != state.ExitNone {
		t.Errorf("it ends while C1 waits: %s", reason)
	}
	h.add(&state.RoundStarted{Round: 3}).concludes(0.9, 0.5)
	if exit, _ := hearing.EndOf(h.State); exit != state.ExitCap {
		t.Errorf("round 3 is the last: %s", exit)
	}
}

// The rows before the one that decided are listed with what they lacked.
func TestRowsBeforeTheOneThatHolds(t *testing.T) {
	h := argued(t, judge.V2, 0.5, 0.9).ends()
	ruling, _ := resolver.RuleOne(h.State, "P1")
	sections := view.FormatOf(h.State).Why(h.State, &ruling)
	// The first row names the version and what it judges.
	rows := sections[0].Items
	if len(rows) != 3 || rows[1].ID != "v2.1" || rows[1].Mark != "does not hold" || rows[2].Mark != "holds" {
		t.Errorf("%+v", sections)
	}
}

// Each flag has a text.
func TestFlagsAreReported(t *testing.T) {
	for _, f := range judge.Flags() {
		if f.Says() == "" {
			t.Errorf("%q has no text", f)
		}
	}
	h := hearingOf(t, hearing.FormSelective, judge.V2).claims("P2", judge.Architect, 0.9, "f1").concludes(0.9, 0.2)
	v, _ := hearing.VerdictOf(h.State)
	if got := hearing.FlagsOf(h.State, &v); !slices.Contains(got, judge.FlagStarvation) || !slices.Contains(got, judge.FlagConflict) {
		t.Errorf("%v", got)
	}
}
