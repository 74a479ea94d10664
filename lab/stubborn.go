package lab

import (
	"context"
	"fmt"
	"strings"

	"moot/enum"
	"moot/protocol"
	"moot/state"
)

// manner is how a stubborn seat behaves, whatever it is told.
type manner string

// The manners.
const (
	// insists never yields: it objects, and defends with new words each time.
	insists manner = "insists"
	// repeats never yields either, and says the same words each time.
	repeats manner = "repeats"
	// renews accepts each defense and raises the next objection.
	renews manner = "renews"
	// revises never defends: it gives its point a new form each time.
	revises manner = "revises"
	// yields agrees to everything and concedes everything.
	yields manner = "yields"
	// silent makes no move, but for the points that it must propose.
	silent manner = "silent"
)

func manners() []manner { return []manner{insists, repeats, renews, revises, yields, silent} }

// String returns the word itself.
func (m manner) String() string { return string(m) }

// UnmarshalText refuses a word that is no manner.
func (m *manner) UnmarshalText(text []byte) error {
	return enum.Unmarshal("manner", text, manners(), m)
}

// stubborn is a seat that keeps to its manner.
type stubborn struct {
	manner manner
	class  state.Class
	value  bool
	// cited says that it cites lines for its points.
	cited bool
	turns int
}

var _ protocol.Participant = (*stubborn)(nil)

// Name implements protocol.Participant.
func (s *stubborn) Name() string { return "lab:" + string(s.manner) }

// Modelless implements protocol.Participant.
func (*stubborn) Modelless() bool { return true }

// Reply implements protocol.Participant.
func (s *stubborn) Reply(_ context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	s.turns++
	var moves []protocol.Move
	for _, m := range s.moves(&call) {
		for _, allowed := range call.Ask.Moves {
			if m.Kind() == allowed {
				moves = append(moves, m)
			}
		}
	}
	text, err := protocol.EncodeMoves(moves)
	return protocol.Reply{Text: text, Attempts: 1}, err
}

func (s *stubborn) moves(call *protocol.Call) []protocol.Move {
	due := protocol.DueOf(&call.State, call.Ask)
	switch call.Ask.Stage {
	case state.StagePropose:
		return []protocol.Move{s.proposal()}
	case state.StageEvaluate, state.StageJudge:
		return s.judge(call, due)
	case state.StageAnswer, state.StageRemind:
		return s.answer(call, due)
	case state.StageMap, state.StageCoverage, state.StageStress, state.StageArbiter, state.StageTriage, state.StageVote,
		state.StageCritique, state.StageAttack, state.StageRebut, state.StageAdvise, state.StageMend, state.StageSynthesize,
		state.StageArgue, state.StageProbe, state.StageExchange, state.StageContest:
	}
	return nil
}

func (s *stubborn) proposal() protocol.Move {
	if s.value {
		return &protocol.Raise{Text: "Plain code matters more than fast code here", ValueJudgment: true}
	}
	p := &protocol.Raise{Text: "The queue keeps the order of its messages"}
	if s.cited {
		p.Citations = []protocol.Citation{{Reference: "queue/order.go:12", Quote: "// messages keep their order"}}
	}
	return p
}

// words are new each turn, or the same for ever.
func (s *stubborn) words(same string) string {
	if s.manner == repeats {
		return same
	}
	fresh := []string{
		"alpha bravo charlie", "delta echo foxtrot", "golf hotel india", "juliet kilo lima", "mike november oscar",
		"papa quebec romeo", "sierra tango uniform", "victor whiskey xray", "yankee zulu amber", "birch cedar dogwood",
	}
	return same + ", in view of " + fresh[s.turns%len(fresh)]
}

// judge classifies what is new to the seat and judges what was answered.
func (s *stubborn) judge(call *protocol.Call, due protocol.Due) []protocol.Move {
	if s.manner == silent {
		return nil
	}
	var moves []protocol.Move
	for _, id := range due.Triage {
		moves = append(moves, &protocol.Triage{Point: id, Scope: state.InScope})
	}
	for _, id := range due.Classify {
		moves = append(moves, s.classify(id))
	}
	for _, id := range due.Judge {
		j := &protocol.Judge{Challenge: id, Judgment: state.Rejected, Reason: s.words("The order is not shown")}
		if s.manner == yields || s.manner == renews {
			j.Judgment, j.Reason = state.Accepted, "that settles it"
			if c := call.State.Challenge(id); c.Kind == state.Reject {
				j.Lift = state.Agree
			}
		}
		moves = append(moves, j)
		if c := call.State.Challenge(id); s.manner == renews && c != nil {
			moves = append(moves, s.objection(c.Point))
		}
	}
	return moves
}

func (s *stubborn) classify(point string) protocol.Move {
	if s.manner == yields {
		return &protocol.Classify{Point: point, Class: state.Agree, Reason: "it is as good as said", ValueJudgment: s.value}
	}
	c := s.objection(point)
	return &protocol.Classify{
		Point: c.Point, Class: c.Class, Flaw: c.Flaw, UpgradeIf: c.UpgradeIf, FlawKind: c.FlawKind,
		Grounds: c.Grounds, WhyNotSkeptical: c.WhyNotSkeptical, ValueJudgment: s.value,
	}
}

func (s *stubborn) objection(point string) *protocol.Challenge {
	c := &protocol.Challenge{Point: point, Class: s.class, Flaw: s.words("The order is not shown"), UpgradeIf: "a line that shows it"}
	if s.class == state.Reject {
		c.FlawKind, c.Grounds, c.WhyNotSkeptical = state.Empirical, "two readers take turns", "the order is plainly lost"
		if s.value {
			c.FlawKind = state.Value
		}
	}
	return c
}

// answer defends or gives up what is open.
func (s *stubborn) answer(call *protocol.Call, due protocol.Due) []protocol.Move {
	var moves []protocol.Move
	for _, id := range due.Answer {
		switch s.manner {
		case insists, renews, repeats:
			moves = append(moves, &protocol.Defend{Challenge: id, Text: s.words("It is kept by the one reader")})
		case revises:
			point := call.State.Challenge(id).Point
			moves = append(moves, &protocol.Revise{
				Point: point, Challenge: id, Text: s.words("The queue keeps the order of its messages"), Because: "the objection holds in part",
			})
		case yields:
			moves = append(moves, &protocol.Concede{Challenge: id, Reason: "as you say"})
		case silent:
		}
	}
	return moves
}

// stubbornCase is a line of cases/stubborn.txt.
type stubbornCase struct {
	framing                 state.Framing
	orchestrator, consultee manner
	value                   bool
	class                   state.Class
	cited                   bool
	exit                    state.Exit
	// end is what must become of the last point.
	end string
}

// Stubbornness runs the battery of seats that never come to an end by
// themselves. The error says that the battery itself is unsound.
func Stubbornness(ctx context.Context) (Score, error) {
	cases, err := stubbornCases()
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
			return score, fmt.Errorf("case %q: %w", result.Case, err)
		}
		score.Results = append(score.Results, result)
	}
	return score, nil
}

// stubbornCases reads the table; the file says what its columns are.
func stubbornCases() ([]stubbornCase, error) {
	text, err := files.ReadFile("cases/stubborn.txt")
	if err != nil {
		return nil, fmt.Errorf("read the cases of stubbornness: %w", err)
	}
	var cases []stubbornCase
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		c, err := readStubborn(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("line %d of the cases of stubbornness: %w", number, err)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func readStubborn(fields []string) (stubbornCase, error) {
	const columns = 8
	var c stubbornCase
	if len(fields) < columns {
		return c, fmt.Errorf("%d columns, not %d", len(fields), columns)
	}
	for i, into := range []interface{ UnmarshalText([]byte) error }{&c.framing, &c.orchestrator, &c.consultee, nil, &c.class, nil, &c.exit} {
		if into == nil {
			continue
		}
		if err := into.UnmarshalText([]byte(fields[i])); err != nil {
			return c, err
		}
	}
	c.value, c.cited = fields[3] == "value", fields[5] == "cited"
	c.end = strings.Join(fields[columns-1:], " ")
	return c, nil
}

// name is the case in words.
func (c *stubbornCase) name() string {
	kind, cited := "empirical", "bare"
	if c.value {
		kind = "value"
	}
	if c.cited {
		cited = "cited"
	}
	return fmt.Sprintf("%-8s %-8s %-8s %-9s %-9s %-5s", c.framing, c.orchestrator, c.consultee, kind, c.class, cited)
}

func (c *stubbornCase) run(ctx context.Context, parser *protocol.Parser) (Result, error) {
	result := Result{Case: c.name(), Group: fmt.Sprintf("orchestrator %s", c.orchestrator)}
	seat := func(m manner) *stubborn {
		return &stubborn{manner: m, class: c.class, value: c.value, cited: c.cited}
	}
	t := &table{
		parser: parser, settings: settings(), question: "Does the queue keep the order of its messages?",
		order: []state.Seat{state.Orchestrator, state.Consultee},
		seats: map[state.Seat]protocol.Participant{state.Orchestrator: seat(c.orchestrator), state.Consultee: seat(c.consultee)},
	}
	t.settings.Framing = c.framing
	t.settings.Input.Design = "The queue keeps the order of its messages"
	t.settings.Input.Position = "The queue loses the order of its messages"
	s, err := t.run(ctx)
	if err != nil {
		return result, err
	}
	result.Rounds, result.Exit, result.Points = s.Round, s.Exit, outcome(&s)
	end := ""
	if len(result.Points) > 0 {
		_, end, _ = strings.Cut(result.Points[len(result.Points)-1], " ")
	}
	if s.Exit != c.exit || end != c.end {
		result.Wrong = append(result.Wrong, fmt.Sprintf("it should be %s, the last point %s", c.exit, c.end))
	}
	if s.Round > state.MaxRounds || !s.Closed {
		result.Wrong = append(result.Wrong, fmt.Sprintf("it did not end within %d rounds", state.MaxRounds))
	}
	return result, nil
}
