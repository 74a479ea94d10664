package report_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/protocol/hearing"
	"moot/report"
	"moot/state"
)

func heardIn(t *testing.T, name string) hearing.Outcome {
	t.Helper()
	s, rulings := tried(t, name)
	outcome, ok := report.Export(&s, rulings, "", nil).Outcome.(hearing.Outcome)
	if !ok {
		t.Fatalf("the outcome of %s is no hearing's", name)
	}
	return outcome
}

func TestHearingExports(t *testing.T) {
	for _, name := range []string{"anchored", "audit", "stopped"} {
		s, rulings := tried(t, name)
		golden(t, filepath.Join("testdata", "hearing", name+".json"), exported(t, &s, rulings))
	}
}

// The outcome names the verdict with its prefix, what decided, and the verdict after
// each round.
func TestOutcomeOfAHearing(t *testing.T) {
	got := heardIn(t, "anchored")
	if got.Verdict != "THREAT_"+string(got.Result) || got.Rule == "" || got.Reason == "" || len(got.Supporting) == 0 || got.Confidence == 0 {
		t.Errorf("the verdict: %+v", got)
	}
	if len(got.Trace) != 3 || got.Trace[2].Result != got.Result || got.Trace[0].Rule != "v2.1" {
		t.Errorf("the trace: %+v", got.Trace)
	}
	if got.Packet.Facts != 7 || got.Packet.ID != "night-shift" || len(got.Versions) != len(state.JudgeVersions()) {
		t.Errorf("packet %+v, versions %+v", got.Packet, got.Versions)
	}
	if len(got.Violations) != 1 || len(got.Changes) != 1 || got.Changes[0].Fact != "f04" || len(got.Ignored) != 1 || got.Ignored[0].Seat != state.Skeptic {
		t.Errorf("violations %+v, changes %+v, ignored %+v", got.Violations, got.Changes, got.Ignored)
	}
	if len(got.Flags) != 2 || got.Risk != 0.5 {
		t.Errorf("flags %v, risk %v", got.Flags, got.Risk)
	}
}

// Each claim of an audit says how it ended, and why.
func TestClaimsOfAHearing(t *testing.T) {
	got := heardIn(t, "audit")
	if got.Confidence != 0.9 || got.Rule != "v2.1" || got.Course != state.FormAudit {
		t.Errorf("%+v", got)
	}
	for _, c := range got.Claims {
		want := map[string]state.Support{"P2": state.Supported, "P3": state.Disputed, "P4": state.Unsupported}
		if c.Support != want[c.Point] {
			t.Errorf("%+v", c)
		}
	}
	at := slices.IndexFunc(got.Claims, func(c hearing.ExportedClaim) bool { return c.Point == "P4" })
	if c := got.Claims[at]; !strings.Contains(c.Why, "nobody answered") || c.Confidence != 0.4 || c.Bucket != state.BucketDismissed {
		t.Errorf("%+v", c)
	}
}

// A gate says what it found; without one it says nothing.
func TestGateOfAHearing(t *testing.T) {
	opened, shut := heardIn(t, "opened").Gate, heardIn(t, "shut").Gate
	if !opened.Spoken || !opened.Opens || opened.Then != state.FormMulti || shut.Opens || !shut.Spoken {
		t.Errorf("%+v, %+v", opened, shut)
	}
	if none := heardIn(t, "audit").Gate; none.Gate != "" || none.Spoken {
		t.Errorf("%+v", none)
	}
}

// Before both sides argued there is no verdict, and all else is there.
func TestOutcomeWithoutAVerdict(t *testing.T) {
	got := heardIn(t, "waiting")
	if got.Verdict != "" || got.Result != "" || got.Rule != "" || len(got.Trace) != 0 || len(got.Versions) != 0 || got.Sides[1].Argued {
		t.Errorf("%+v", got)
	}
	if !got.Sides[0].Argued || got.Sides[0].Confidence != 0.9 {
		t.Errorf("%+v", got.Sides)
	}
}
