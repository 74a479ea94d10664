package figure

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// heard is a hearing in its third round: the architect lowers one claim by a fact,
// another without one, and lets a fact pass.
func heard(t testing.TB, question string) *recorder {
	t.Helper()
	begin := time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)
	packet, err := ledger.NewPacket("night", begin, begin.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		if err := packet.Add(ledger.PacketFact{
			ID: fmt.Sprint("f", i+1), Entity: "dc-1", EntityType: ledger.EntityNode, Field: "command_line", Value: ledger.TextValue("ntdsutil"),
			At: begin, SourceType: ledger.SourceSyslog, SourceID: "collector",
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	r := &recorder{t: t, state: &state.State{}}
	settings := &hearing.Settings{Form: hearing.FormAnchored, Judge: judge.V2, Rounds: 3}
	r.add(&state.SessionOpened{
		Rules:   formats.ByName(hearing.Name),
		Version: state.Version, ID: "h7d3", Question: question, Settings: state.Settings{Format: hearing.Name, Own: settings},
		Seats: []state.SeatAssignment{{Seat: judge.Architect, Participant: "openai:gpt"}, {Seat: judge.Skeptic, Participant: "rules"}},
	})
	r.add(state.PacketEvents(packet)...)
	r.add(
		&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Protocol, Text: question},
		&state.PointRaised{ID: "P2", By: judge.Architect, Text: "the directory was copied", Facts: []string{"f1", "f2", "f3", "f4", "f5", "f6", "f7"}},
		&state.PointRaised{ID: "P3", By: judge.Architect, Text: "a command was hidden", Facts: []string{"f2"}},
		&state.PointRaised{ID: "P4", By: judge.Skeptic, Text: "a backup ran", Facts: []string{"f3"}},
	)
	r.sure(judge.Architect, "P2", 0.9, 0.9)
	r.sure(judge.Architect, "P3", 0.85, 0.85)
	r.sure(judge.Skeptic, "P4", 0.8, 0.8)
	r.add(
		&hearing.Argued{Seat: judge.Architect, Stated: 0.9, Confidence: 0.9}, &hearing.Argued{Seat: judge.Skeptic, Stated: 0.45, Confidence: 0.45},
		&state.RoundStarted{Round: 2},
		&state.ChallengeRaised{ID: "C1", Point: "P2", By: judge.Skeptic, Kind: state.Skeptical, Objection: "within the window", Facts: []string{"f4"}},
		&state.ChallengeRaised{ID: "C2", Point: "P4", By: judge.Architect, Kind: state.Skeptical, Objection: "the account failed to log in", Facts: []string{"f5"}},
	)
	r.sure(judge.Architect, "P2", 0.6, 0.6)
	r.sure(judge.Architect, "P3", 0.4, 0.85)
	r.add(
		&hearing.Argued{Seat: judge.Architect, Stated: 0.7, Confidence: 0.7}, &hearing.Argued{Seat: judge.Skeptic, Stated: 0.65, Confidence: 0.65},
		&state.RoundStarted{Round: 3}, &state.ChallengeAnswered{Challenge: "C2", By: judge.Skeptic, Text: "its password was new", Facts: []string{"f6"}},
		&hearing.Argued{Seat: judge.Architect, Stated: 0.5, Confidence: 0.7}, &hearing.Argued{Seat: judge.Skeptic, Stated: 0.5, Confidence: 0.5},
		&hearing.RebuttalIgnored{Seat: judge.Architect, Challenge: "C1", Fact: "f4"},
	)
	return r
}

// The map says what a claim rests on, what is cited against it, and whether that was
// answered; many facts are counted.
func TestTheMapOfAHearing(t *testing.T) {
	r := heard(t, "Was it a threat?")
	w := &writer{
		Ruler: Ruler{Method: ansi.GraphemeWidth}, s: r.state, rulings: resolver.Rule(r.state),
		shown: view.FormatOf(r.state).Map(r.state),
	}
	if got := strings.Join(w.point(r.state.Point("P2")).also, "; "); got != "rests on f1, f2, f3, f4, f5, f6 and 1 more" {
		t.Errorf("P2 says %q", got)
	}
	for id, want := range map[string]string{
		"C1": "C1 contradiction · ! ignored by the architect; cites f4", "C2": "C2 contradiction · ✓ answered; cites f5; C2.1 answer; cites f6",
	} {
		b := w.challenge(r.state.Challenge(id))
		said := []string{text([]Row{b.title}), strings.Join(b.also, "; ")}
		for _, answer := range b.children {
			said = append(said, text([]Row{answer.title}), strings.Join(answer.also, "; "))
		}
		if got := strings.Join(said, "; "); got != want {
			t.Errorf("%s says %q, want %q", id, got, want)
		}
	}
}
