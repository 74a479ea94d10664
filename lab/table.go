package lab

import (
	"context"
	"fmt"
	"strings"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// Result is how one case came out.
type Result struct {
	// Case names it, Group is the kind of trap.
	Case, Group string
	// Rounds, Exit and Points are what came out; a point is "P1 unresolved
	// tradeoff".
	Rounds int
	Exit   state.Exit
	Points []string
	// Wrong says what should have come out instead, line by line; none is right.
	Wrong []string
}

// Score is what a battery came to.
type Score struct{ Results []Result }

// Right counts the results that came out as they should.
func (s *Score) Right() int {
	n := 0
	for i := range s.Results {
		if len(s.Results[i].Wrong) == 0 {
			n++
		}
	}
	return n
}

// Perfect reports whether there are results and all are right.
func (s *Score) Perfect() bool { return len(s.Results) > 0 && s.Right() == len(s.Results) }

// journal is a log that keeps nothing: the state holds all that is measured.
type journal struct{}

func (journal) Append([]state.Event) error { return nil }

// checker verifies every reference but those whose path begins with "bad".
type checker struct{}

// Check implements protocol.Researcher.
func (checker) Check(_ context.Context, reference, quote string) ledger.Finding {
	if strings.HasPrefix(reference, "bad") {
		return ledger.Finding{Reason: "the file does not hold the quote", Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord}
	}
	return ledger.Finding{
		Verified: true, Reason: "verbatim at the cited lines", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
		Confidence: ledger.ConfidenceInPlace, Reference: reference, Excerpt: quote, Digest: ledger.Digest([]byte(quote)),
	}
}

// table is who sits, and at what.
type table struct {
	settings state.Settings
	question string
	seats    map[state.Seat]protocol.Participant
	order    []state.Seat
	// parser is that of all cases of a battery.
	parser *protocol.Parser
}

// run plays a session to its end, without a person.
func (t *table) run(ctx context.Context) (state.State, error) {
	// The clock only counts, so that nothing depends on the machine.
	at := time.Unix(0, 0).UTC()
	now := func() time.Time {
		at = at.Add(time.Second)
		return at
	}
	opened := &state.SessionOpened{Version: state.Version, ID: "lab", Question: t.question, Settings: t.settings}
	for _, seat := range t.order {
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: t.seats[seat].Name(), NoModel: true})
	}
	s, err := state.Apply(state.State{}, state.Event{Seq: 1, At: now(), Data: opened})
	if err != nil {
		return s, fmt.Errorf("open the session: %w", err)
	}
	runner := protocol.NewRunner(protocol.Options{
		Format: protocol.Consult{}, State: s, Log: journal{}, Participants: t.seats,
		Researcher: checker{}, Parser: t.parser, Now: now,
	})
	err = runner.Run(ctx)
	return runner.State, err
}

// settings of a case that sets none.
func settings() state.Settings {
	return state.Settings{
		Format: state.FormatConsult, Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: "lab",
		Input: state.Input{Options: []string{}, Views: []state.View{}}, Context: []state.Document{}, Official: []string{},
	}
}

// outcome writes what became of the points that were not merged away.
func outcome(s *state.State) []string {
	var points []string
	rulings := resolver.Rule(*s)
	for i := range rulings {
		r := &rulings[i]
		if p := s.Point(r.Point); p.MergedInto != "" {
			continue
		}
		line := r.Point + " " + string(r.Bucket)
		for _, word := range []string{string(r.Tag), string(r.Status)} {
			if word != "" {
				line += " " + word
			}
		}
		points = append(points, line)
	}
	return points
}
