package lab

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/agent/script"
	"moot/config"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/reply"
	"moot/protocol/run"
	"moot/resolver"
	"moot/state"
)

// consensusCase is the head of a file in testdata/consensus; the replies of the seats follow it.
type consensusCase struct {
	Name         string        `toml:"name"`
	Group        string        `toml:"group"`
	Consultees   int           `toml:"consultees"`
	Mode         state.Mode    `toml:"mode"`
	Framing      state.Framing `toml:"framing"`
	Position     string        `toml:"position"`
	Design       string        `toml:"design"`
	HighStakes   bool          `toml:"high_stakes"`
	Exit         state.Exit    `toml:"exit"`
	Points       []string      `toml:"points"`
	Inconclusive bool          `toml:"inconclusive"`
}

type unkept struct{}

func (unkept) Append([]state.Event) error { return nil }

// checker verifies every reference except those whose path begins with "bad".
type checker struct{}

func (checker) Check(_ context.Context, reference, quote string) ledger.Finding {
	if strings.HasPrefix(reference, "bad") {
		return ledger.Finding{
			Reason: "the file does not contain the quote", Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
		}
	}
	return ledger.Finding{
		Verified: true, Reason: "verbatim at the cited lines", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
		Confidence: ledger.ConfidenceInPlace, Reference: reference, Excerpt: quote, Digest: ledger.Digest([]byte(quote)),
	}
}

// Seats that only seem to agree, by thanks, by quoted concessions or by repeating themselves, end
// in the bucket that their moves have earned.
func TestFalseConsensus(t *testing.T) {
	names, err := filepath.Glob("testdata/consensus/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			head, replies, _ := bytes.Cut(text, []byte("\n---"))
			var c consensusCase
			if err := config.Strict(head, &c); err != nil {
				t.Fatal(err)
			}
			s := c.run(t, parser, append([]byte("---"), replies...))
			if s.Exit != c.Exit || s.Inconclusive != c.Inconclusive {
				t.Errorf("the exit is %s (%s), inconclusive %t", s.Exit, s.ExitReason, s.Inconclusive)
			}
			if got := outcome(s); !slices.Equal(got, c.Points) {
				t.Errorf("the points are %q, want %q", got, c.Points)
			}
		})
	}
}

func (c *consensusCase) run(t *testing.T, parser *reply.Parser, text []byte) *state.State {
	t.Helper()
	replies, err := script.Read(bytes.NewReader(text), c.Name)
	if err != nil {
		t.Fatal(err)
	}
	opened := &state.SessionOpened{Rules: formats.ByName(consult.Name), Version: state.Version, ID: "lab", Question: "Which form should the queue have?", Settings: state.Settings{
		Format: consult.Name, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "lab", HighStakes: c.HighStakes,
		Input:   state.Input{Options: []string{}, Views: []state.View{}, Position: c.Position, Design: c.Design},
		Context: []state.Document{}, Official: []string{},
	}}
	if c.Mode != "" {
		opened.Settings.Mode = c.Mode
	}
	if c.Framing != "" {
		opened.Settings.Framing = c.Framing
	}
	order := []state.Seat{state.Orchestrator, state.Consultee}
	for n := 2; n <= c.Consultees; n++ {
		order = append(order, state.Seat(fmt.Sprintf("%s-%d", state.Consultee, n)))
	}
	seats := map[state.Seat]protocol.Participant{}
	for _, seat := range order {
		seats[seat] = replies
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: replies.Name(), NoModel: true})
	}
	at := time.Unix(0, 0).UTC()
	now := func() time.Time {
		at = at.Add(time.Second)
		return at
	}
	s, err := state.Apply(&state.State{}, state.Event{Seq: 1, At: now(), Data: opened})
	if err != nil {
		t.Fatal(err)
	}
	runner := run.New(run.Options{
		State: s, Log: unkept{}, Participants: seats, Researcher: checker{}, Parser: parser, Now: now,
	})
	if err := runner.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return runner.State
}

// outcome writes what became of the points that were not merged away.
func outcome(s *state.State) []string {
	points := []string{}
	for _, r := range resolver.Rule(s) {
		if s.Point(r.Point).MergedInto == "" {
			words := []string{r.Point, string(r.Bucket), string(r.Tag), string(r.Status)}
			points = append(points, strings.Join(strings.Fields(strings.Join(words, " ")), " "))
		}
	}
	return points
}
