package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/report"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// argued is a critique with a challenge of every ending, a refused citation, a question asked twice, and a session
// that an older version called converged.
func argued(t *testing.T) (*state.State, []state.Ruling) {
	t.Helper()
	challenge := func(id, point string, class state.Class) state.Payload {
		return &state.ChallengeRaised{ID: id, Point: point, By: state.Consultee, Kind: class, Objection: "flaw of " + id}
	}
	answered := func(id string) state.Payload {
		return &state.ChallengeAnswered{Challenge: id, By: state.Orchestrator, Text: "answer to " + id}
	}
	judged := func(id string, j state.Judgment) state.Payload {
		return &state.ChallengeJudged{Challenge: id, By: state.Consultee, Judgment: j, Reason: "because"}
	}
	question := func(id string) state.Payload {
		return &state.QuestionSurfaced{ID: id, Point: "P4", What: state.QuestionBlocked, Text: "How many?", Options: []string{}}
	}
	payloads := []state.Payload{
		&state.SessionOpened{
			Rules: formats.ByName(consult.Name), Version: state.Version, ID: "argued", Question: "Is the design sound?",
			Settings: state.Settings{Format: consult.Name, Framing: state.FramingCritique, Mode: state.ModeStandard},
			Seats: []state.SeatAssignment{
				{Seat: state.Orchestrator, Participant: "openai:a"}, {Seat: state.Consultee, Participant: "openai:b"},
			},
		},
		&state.RoundStarted{Round: 1},
	}
	for _, id := range []string{"P1", "P2", "P3", "P4", "P5"} {
		payloads = append(payloads, &state.PointRaised{ID: id, By: state.Orchestrator, Text: "statement " + id},
			&state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope})
	}
	return replay(t, append(payloads,
		challenge("C1", "P1", state.Skeptical), answered("C1"), judged("C1", state.Accepted),
		&state.PointClassified{Point: "P5", By: state.Consultee, Class: state.Agree, Reason: "likely"},
		challenge("C2", "P2", state.Reject), challenge("C3", "P2", state.Skeptical),
		challenge("C4", "P4", state.Reject), answered("C4"), judged("C4", state.Rejected),
		challenge("C5", "P3", state.Skeptical),
		challenge("C6", "P1", state.Skeptical), answered("C6"),
		challenge("C7", "P1", state.Skeptical),
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "store.go:14", Quote: "it syncs", By: state.Orchestrator},
		&state.EvidenceRefused{ID: "E1", Reason: "the quote does not stand there", Nearest: "it never syncs"},
		&state.RoundStarted{Round: 2},
		&state.ChallengeUndefended{Challenge: "C2"},
		&state.PointRaised{ID: "P6", By: state.Orchestrator, Text: "statement P6", Revises: "P3"},
		&state.PointRevised{Point: "P3", By: state.Orchestrator, New: "P6"},
		question("Q1"), question("Q2"),
		&state.ExitReached{Exit: state.ExitConverged, Reason: "no challenge waits"},
	))
}

// A challenge has one status, in the result, on the map and in the JSON.
func TestChallengesEndOnce(t *testing.T) {
	s, rulings := argued(t)
	var out report.Session
	if err := json.Unmarshal(exported(t, s, rulings), &out); err != nil {
		t.Fatal(err)
	}
	m := view.FormatOf(s).Map(s)
	text := report.Text(document(s, rulings), 0)
	for i, want := range []struct {
		json state.ChallengeStatus
		mark string
	}{
		{state.StandsDefended, "defended"},
		{state.StandsUndefended, "undefended"},
		{state.StandsEnded, "ended with P2"},
		{state.StandsUpheld, "upheld"},
		{state.StandsEnded, "ended, revised"},
		{state.StandsOpen, "open, its answer is not judged"},
		{state.StandsOpen, "open"},
	} {
		c := s.Challenges.At(i)
		if got := out.State.Challenges[i].Status; got != want.json {
			t.Errorf("%s is %q in the JSON, not %q", c.ID, got, want.json)
		}
		if got := m.Challenge(s, rulings, c).Outcome; got != want.mark {
			t.Errorf("%s is %q on the map, not %q", c.ID, got, want.mark)
		}
		if line := c.ID + "  [" + resolver.Capital(want.mark) + "] "; !strings.Contains(text, line) {
			t.Errorf("the result has no %q", line)
		}
	}
}

// A critique begins with the challenges, shows what a refused citation really says, and asks once.
func TestResultOfACritique(t *testing.T) {
	s, rulings := argued(t)
	text := report.Text(document(s, rulings), 0)
	at := 0
	for _, part := range []string{
		"\nOPEN FOR YOU (1)\n", "Q2  [Blocked] How many?", "\nCHALLENGES (7)\n", "answer to C1", "accepted: because", "\nDISMISSED (3)\n",
		"\nUNRESOLVED (", "\nREFUSED CITATIONS (1)\n", "store.go:14", "| it syncs", "the quote does not stand there",
		"| it never syncs", "\nTHIS SESSION\n", ", unresolved: no challenge waits\n",
	} {
		next := strings.Index(text[at:], part)
		if next < 0 {
			t.Fatalf("%q is missing after byte %d of\n%s", part, at, text)
		}
		at += next
	}
	for _, c := range view.Baseline(s, rulings) {
		if agreed := c.Point == "P5"; (c.Before == state.BucketAgreed) != agreed {
			t.Errorf("%s counts as %s by round 1", c.Point, c.Before)
		}
	}
}

// A comment for a pull request has the warnings, such as findings that were not taken.
func TestCommentHasTheWarnings(t *testing.T) {
	s, rulings := argued(t)
	s.Warnings = append(s.Warnings, "consultee: 5 findings were not taken")
	if text := report.Comment(s, rulings); !strings.Contains(text, "- consultee: 5 findings were not taken\n") {
		t.Error(text)
	}
}
