package cli

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/state"
	"moot/view"
)

// The progress of a hearing: claims with facts and confidences, what was dropped, how both sides conclude, and the
// verdict of each round.
func TestAHearingIsToldInLines(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC)
	packet, err := ledger.NewPacket("night", begin, begin.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		err := packet.Add(ledger.PacketFact{
			ID: fmt.Sprint("f", i+1), Entity: "dc-1", EntityType: ledger.EntityNode, Field: "bytes_out", Value: "7", At: begin,
			SourceType: ledger.SourceNetflow, SourceID: "collector",
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	digest, err := packet.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	var now state.State
	var said []string
	p := &progress{transcript: view.NewTranscript(state.State{}), line: func(format string, args ...any) {
		said = append(said, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
	}}
	tell := func(payloads ...state.Payload) {
		t.Helper()
		p.advanced(after(t, &now, payloads...))
	}
	tell(&state.SessionOpened{Rules: formats.ByName(state.FormatHearing),
		Version: state.Version, ID: "s", Question: "Is it a threat?",
		Settings: state.Settings{Format: state.FormatHearing, Hearing: &state.HearingSettings{
			Form: state.FormSelective, Judge: state.JudgeV1, Rounds: 3, Gate: state.GateEither, Then: state.FormAnchored,
		}},
		Seats: []state.SeatAssignment{{Seat: state.Architect}, {Seat: state.Skeptic}},
	})
	tell(state.PacketEvents(packet)...)
	tell(&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Protocol, Text: "Is it a threat?"})
	tell(
		&state.ReplyReceived{Seat: state.Architect, Stage: state.StageArgue, Valid: true, Refused: []state.Refusal{{Move: 2, Code: "outside-packet", Text: "told below"}, {Move: 3, Code: "empty", Text: "no reading"}}},
		&state.PointRaised{ID: "P2", By: state.Architect, Text: "much\nleft", Facts: []string{"f1", "f2"}},
		&state.ConfidenceReported{Seat: state.Architect, Point: "P2", Stated: 0.9, Admitted: 0.9},
		&state.SchemaViolated{Seat: state.Architect, Move: "CLAIM", Text: "it was\nsold", Facts: []string{"f9"}},
		&state.Argued{Seat: state.Architect, Stated: 0.9, Confidence: 0.9},
		&state.Argued{Seat: state.Skeptic, Stated: 0.3, Confidence: 0.3, WouldChange: "a log"},
	)
	tell(&state.Ruled{Round: 1, Rulings: []state.Ruling{{Point: "P1", Bucket: state.BucketOpen, Reason: "under deliberation; so far CONFIRMED by v1.1: architect 0.9 ≥ 0.7"}, {Point: "P2", Bucket: state.BucketOpen}}})
	tell(&state.Ruled{Round: 1, Rulings: []state.Ruling{}})
	tell(&state.Gated{Gating: state.Gating{Gate: state.GateEither, Confidence: 0.9, Flags: []string{"evidence starvation"}, Risk: 0.25, Opens: true}})
	tell(
		&state.RoundStarted{Round: 2},
		&state.ChallengeRaised{ID: "C1", Point: "P2", By: state.Skeptic, What: state.Skeptical, Objection: "every night", Facts: []string{"f3"}},
		&state.ConfidenceChanged{Seat: state.Architect, Point: "P2", From: 0.9, To: 0.6, Fact: "f3"},
		&state.DriftDetected{Seat: state.Architect, Point: "P2", From: "0.6", To: "0.2", Kept: true},
		&state.DriftDetected{Seat: state.Architect, Point: "P1", From: "0.9", To: "0.2", Kept: true},
		&state.ChallengeAnswered{Challenge: "C1", By: state.Architect, Text: "not so much", Facts: []string{"f1"}},
		&state.RebuttalIgnored{Seat: state.Architect, Challenge: "C1", Fact: "f3"},
		&state.ExitReached{Exit: state.ExitCap, Reason: "round 3 is the last"},
	)
	tell(&state.Ruled{Round: 2, Rulings: []state.Ruling{{Point: "P1", Bucket: state.BucketAgreed, Reason: "CONFIRMED by v1.1"}, {Point: "P2", Bucket: state.BucketAgreed}}})
	want := []string{
		"packet night: 3 facts, " + digest,
		"round 1",
		"not taken architect's move 3 (empty): no reading",
		"claim P2 by architect: much left [f1, f2], confidence 0.9",
		"dropped CLAIM of the architect: cites f9, which is not in the packet: it was sold",
		"concludes architect: 0.9 that it holds",
		"concludes skeptic: 0.3 that it does not hold; would change its mind: a log",
		"verdict round 1: so far CONFIRMED by v1.1: architect 0.9 ≥ 0.7",
		"verdict round 1: so far CONFIRMED by v1.1: architect 0.9 ≥ 0.7",
		"gate either opens, and anchored follows: verdict at 0.9, risk 0.25 [evidence starvation]",
		"round 2",
		"challenge C1 against P2 by skeptic: every night [f3]",
		"confidence P2 of the architect: from 0.9 to 0.6, because of f3",
		"kept P2 of the architect: at 0.6: no fact was cited (it said 0.2)",
		"kept overall confidence of the architect: it said 0.2, and may fall by no more than its claims did",
		"answer C1 by architect: not so much [f1]",
		"ignored C1 by the architect: f3 was not answered, and no confidence was lowered for it",
		"exit cap: round 3 is the last",
		"verdict round 2: CONFIRMED by v1.1",
		"ruled 2 agreed",
	}
	if !slices.Equal(said, want) {
		t.Errorf("it says:\n%s\nand not:\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
}
