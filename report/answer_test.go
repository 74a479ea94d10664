package report_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/report"
	"moot/state"
	"moot/view"
)

// answered is a session with an agreed claim and an open one, and an answer that claims more than they do.
func answered(t *testing.T, then ...state.Payload) (*state.State, []state.Ruling) {
	t.Helper()
	return replay(t, append([]state.Payload{
		&state.SessionOpened{
			Rules: formats.ByName(consult.Name), Version: state.Version, ID: "s", Question: "Is it safe?",
			Settings: state.Settings{Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeMinimal},
			Seats: []state.SeatAssignment{
				{Seat: state.Orchestrator, Participant: "openai:a"}, {Seat: state.Consultee, Participant: "openai:b"},
			},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Consultee, Text: "The plan says that NASA audited it"},
		&state.PointRaised{ID: "P2", By: state.Consultee, Text: "It is fast"},
		&state.PointTriaged{Point: "P1", By: state.Orchestrator, Scope: state.InScope},
		&state.PointTriaged{Point: "P2", By: state.Orchestrator, Scope: state.InScope},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "plan.md:3", Quote: "audited by NASA", By: state.Consultee},
		&state.EvidenceVerified{
			ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
			Reference: "plan.md:3", Excerpt: "audited by NASA", Digest: "sha256:0", Admitted: true, Reason: "verbatim at the cited lines",
		},
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Agree, Reason: "E1 says so"},
		&state.EvidenceAccepted{ID: "E1", By: state.Orchestrator},
		&state.ExitReached{Exit: state.ExitCap, Reason: "round 8 is the last"},
		&state.AnswerGiven{By: state.Orchestrator, LeftOut: []state.LeftOut{}, Sentences: []state.Sentence{
			{ID: "S1", Text: "The design has been audited by NASA.", Points: []string{"P1"}, Denies: []string{}},
			{ID: "S2", Text: "It is fast.", Points: []string{"P1", "P2"}, Denies: []string{}},
		}},
	}, then...))
}

// Every form shows the marks next to the points, and next to the sentence only what happened to it: no seat saw it, a seat
// did not object, a seat objected, or a reply could not be used.
func TestTheMarksOfAnAnswerStandAtItsPoints(t *testing.T) {
	reply := func(refused ...state.Refusal) *state.ReplyReceived {
		return &state.ReplyReceived{Seat: state.Consultee, Stage: state.StageConclude, Text: "{}", Valid: true, Refused: refused}
	}
	contest := &state.AnswerContested{Sentence: "S1", By: state.Consultee, Reason: "the plan says so, and nobody else"}
	const quiet, unseen, unused = "the consultee did not object", "no other seat saw this sentence", "a part of the reply of the consultee could not be used"
	for _, c := range []struct {
		name      string
		then      []state.Payload
		has, not  []string
		basis, in string
	}{
		{"unseen", nil, []string{unseen}, []string{quiet, unused}, "cited", `"unseen":true`},
		{"seen", []state.Payload{reply()}, []string{quiet}, []string{unseen, unused}, "cited", `"unopposed":["consultee"]`},
		{"contested", []state.Payload{reply(), contest}, []string{quiet, contest.Reason}, []string{unseen, unused}, "disputed", `"contested":[{`},
		{
			"not understood",
			[]state.Payload{reply(state.Refusal{Move: 1, Code: "missing-field", Text: "CONTEST: reason is missing"})},
			[]string{unused},
			[]string{quiet, unseen},
			"cited", `"unread":["consultee"]`,
		},
		{
			"unusable",
			[]state.Payload{&state.ReplyReceived{Seat: state.Consultee, Stage: state.StageConclude, Text: "hm", Refused: []state.Refusal{}}},
			[]string{unseen},
			[]string{quiet, unused},
			"cited", `"unseen":true`,
		},
	} {
		s, rulings := answered(t, c.then...)
		d := view.Session(s, rulings)
		for form, got := range map[string]string{
			"text": report.Text(&d, 0), "Markdown": report.Markdown(&d), "comment": report.Comment(s, rulings),
		} {
			for _, want := range append(c.has, "✓ P1 cited, ? P2 open") {
				if !strings.Contains(got, want) {
					t.Errorf("%s, %s: there is no %q in\n%s", c.name, form, want, got)
				}
			}
			for _, wrong := range append(c.not, "[verified]", "[cited]", "verified*") {
				if strings.Contains(got, wrong) {
					t.Errorf("%s, %s: %q in\n%s", c.name, form, wrong, got)
				}
			}
		}
		exported, err := json.Marshal(report.Export(s, rulings, "", nil).Outcome)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"points":["P1"],"basis":"` + c.basis + `","marks":[{"point":"P1","basis":"cited"}]`, `"basis":"open"`, c.in} {
			if !strings.Contains(string(exported), want) {
				t.Errorf("%s: there is no %s in %s", c.name, want, exported)
			}
		}
	}
}

// An answer that code composes is put to no seat, and says so instead of nothing about objections.
func TestAComposedAnswerSaysThatNoSeatSawIt(t *testing.T) {
	s, rulings := answered(t, &state.AnswerGiven{By: state.Protocol, LeftOut: []state.LeftOut{}, Sentences: []state.Sentence{
		{ID: "S1", Text: "Still open: P2.", Points: []string{"P2"}, Denies: []string{}},
	}})
	d := view.Session(s, rulings)
	answer, _, _ := strings.Cut(report.Text(&d, 0), "OPEN FOR YOU")
	if !strings.Contains(answer, "rests on: ? P2 open") || strings.Contains(answer, "did not object") ||
		!strings.Contains(answer, "objections: no seat was asked: code composed it") {
		t.Error(answer)
	}
}

// What is open for the user are unanswered questions, and in a session that is over the unresolved claims that no question
// is about. Only a session with none of these says so.
func TestWhatIsOpenForTheUser(t *testing.T) {
	ids := func(then ...state.Payload) string {
		s, rulings := answered(t, then...)
		var ids []string
		open := view.Session(s, rulings).Open
		for _, it := range open.Items {
			ids = append(ids, it.ID)
		}
		return strings.Join(append(ids, open.Lines...), " ")
	}
	question := &state.QuestionSurfaced{ID: "Q1", Point: "P2", What: state.QuestionTradeoff, Text: "Which?", Options: []string{}}
	agreed := &state.OverrideMade{What: state.OverrideAgree, Point: "P2"}
	for _, c := range []struct {
		then []state.Payload
		want string
	}{
		{nil, "P2"},
		{[]state.Payload{question}, "Q1"},
		{[]state.Payload{question, &state.QuestionAnswered{ID: "Q1", By: state.User, Answer: "neither"}}, "P2"},
		{[]state.Payload{agreed}, "Nothing: no question is unanswered, and no claim is unresolved."},
	} {
		if got := ids(c.then...); got != c.want {
			t.Errorf("%T: %q is open, not %q", c.then, got, c.want)
		}
	}
}
