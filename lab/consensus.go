package lab

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"moot/agent/script"
	"moot/config"
	"moot/protocol"
	"moot/state"
)

//go:embed cases
var files embed.FS

// consensusCase is the head of a file in cases/consensus; the replies follow
// it, in the form of package agent/script.
type consensusCase struct {
	Name  string `toml:"name"`
	Group string `toml:"group"`
	// Consultees is how many sit at the table, 0 for one.
	Consultees int           `toml:"consultees"`
	Mode       state.Mode    `toml:"mode"`
	Framing    state.Framing `toml:"framing"`
	Position   string        `toml:"position"`
	Design     string        `toml:"design"`
	HighStakes bool          `toml:"high_stakes"`

	// Exit is what must end it, Points what must become of each point.
	Exit         state.Exit `toml:"exit"`
	Points       []string   `toml:"points"`
	Inconclusive bool       `toml:"inconclusive"`

	replies []byte
}

// FalseConsensus runs the battery of cases in which seats seem to agree. The
// error says that the battery itself is unsound.
func FalseConsensus(ctx context.Context) (Score, error) {
	cases, err := consensusCases()
	if err != nil {
		return Score{}, err
	}
	parser, err := protocol.NewParser()
	if err != nil {
		return Score{}, err
	}
	var score Score
	for i := range cases {
		result, err := cases[i].run(ctx, parser)
		if err != nil {
			return score, fmt.Errorf("case %s: %w", cases[i].Name, err)
		}
		score.Results = append(score.Results, result)
	}
	return score, nil
}

func consensusCases() ([]consensusCase, error) {
	const folder = "cases/consensus"
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("list the cases: %w", err)
	}
	var cases []consensusCase
	for _, entry := range entries {
		text, err := files.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the case %s: %w", entry.Name(), err)
		}
		head, replies, found := bytes.Cut(text, []byte("\n---"))
		if !found {
			return nil, fmt.Errorf("the case %s has no replies: they begin with a line ---", entry.Name())
		}
		var c consensusCase
		if err := config.Strict(head, &c); err != nil {
			return nil, fmt.Errorf("read the head of the case %s: %w", entry.Name(), err)
		}
		c.replies = append([]byte("---"), replies...)
		cases = append(cases, c)
	}
	return cases, nil
}

func (c *consensusCase) run(ctx context.Context, parser *protocol.Parser) (Result, error) {
	t := &table{parser: parser, settings: settings(), question: "Which form should the queue have?", seats: map[state.Seat]protocol.Participant{}}
	t.settings.HighStakes, t.settings.Input.Position, t.settings.Input.Design = c.HighStakes, c.Position, c.Design
	if c.Mode != "" {
		t.settings.Mode = c.Mode
	}
	if c.Framing != "" {
		t.settings.Framing = c.Framing
	}
	replies, err := script.Read(bytes.NewReader(c.replies), c.Name)
	if err != nil {
		return Result{}, err
	}
	t.order = []state.Seat{state.Orchestrator, state.Consultee}
	for n := 2; n <= c.Consultees; n++ {
		t.order = append(t.order, state.Seat(fmt.Sprintf("%s-%d", state.Consultee, n)))
	}
	for _, seat := range t.order {
		t.seats[seat] = replies
	}
	s, err := t.run(ctx)
	if err != nil {
		return Result{}, err
	}
	result := Result{Case: c.Name, Group: c.Group, Rounds: s.Round, Exit: s.Exit, Points: outcome(&s)}
	if s.Exit != c.Exit {
		result.Wrong = append(result.Wrong, fmt.Sprintf("the exit is %s, not %s (%s)", s.Exit, c.Exit, s.ExitReason))
	}
	if !slices.Equal(result.Points, c.Points) {
		result.Wrong = append(result.Wrong, fmt.Sprintf("it should be %s", strings.Join(c.Points, ", ")))
	}
	if s.Inconclusive != c.Inconclusive {
		result.Wrong = append(result.Wrong, fmt.Sprintf("inconclusive is %t", s.Inconclusive))
	}
	return result, nil
}
