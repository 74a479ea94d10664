package run

import (
	"context"
	"math"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// priced is a model with a price.
type priced struct{ protocol.Participant }

func (priced) Modelless() bool { return false }

func (priced) Estimate(tokens int) (float64, bool) { return float64(tokens) / 1e6, true }

// Before each round the session tells what it costs at least.
func TestForecast(t *testing.T) {
	log := &record{}
	seats := agreeable()
	for name, p := range seats {
		seats[name] = priced{p}
	}
	if err := New(options(t, log, protocoltest.Opened(consult.Name), seats)).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var told []protocol.Forecast
	round := 0
	for _, n := range log.notices {
		switch n := n.(type) {
		case protocol.Advanced:
			round = n.State.Round
		case protocol.Forecast:
			if told = append(told, n); n.Round != round {
				t.Errorf("the cost of round %d is told in round %d", n.Round, round)
			}
		}
	}
	if len(told) != 2 || told[0].Round != 1 || told[0].Calls != 2 || told[1].Calls != 1 {
		t.Fatalf("told %+v", told)
	}
	for _, f := range told {
		if f.Tokens == 0 || f.Unpriced > 0 || math.Abs(f.Cost-float64(f.Tokens)/1e6) > 1e-9 {
			t.Errorf("round %d: %+v", f.Round, f)
		}
	}
}

// greedy is a model that uses ten times its prompt and, unless it is unpriced, reports a cost of 2 cents.
type greedy struct {
	protocol.Participant

	unpriced bool
}

func (greedy) Modelless() bool { return false }

func (g greedy) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	reply, err := g.Participant.Reply(ctx, call, watch)
	reply.PromptTokens, reply.Unpriced = 10*promptTokens(&call.Prompt), g.unpriced
	if !g.unpriced {
		reply.Cost = 0.02
	}
	return reply, err
}

// After the first round, the forecast is based on what each participant used.
func TestForecastLearns(t *testing.T) {
	for _, unpriced := range []bool{false, true} {
		log, seats := &record{}, agreeable()
		for name, p := range seats {
			seats[name] = greedy{p, unpriced}
		}
		if err := New(options(t, log, protocoltest.Opened(consult.Name), seats)).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		var told []protocol.Forecast
		for _, n := range log.notices {
			if f, ok := n.(protocol.Forecast); ok {
				told = append(told, f)
			}
		}
		first, second := told[0], told[1]
		if first.Cost != 0 || first.Unpriced != first.Calls {
			t.Errorf("a price is known before the first reply: %+v", first)
		}
		if second.Tokens/second.Calls < 5*first.Tokens/first.Calls {
			t.Errorf("round 2 is estimated at %d tokens, round 1 at %d", second.Tokens, first.Tokens)
		}
		if want := 0.02 * float64(second.Calls); !unpriced && math.Abs(second.Cost-want) > 1e-9 || unpriced != (second.Unpriced > 0) {
			t.Errorf("unpriced %v: %+v", unpriced, second)
		}
	}
}

// EX6: the time of a process that was killed counts up to its last event, and
// the time until the session is resumed does not.
func TestTimeOfAKilledSession(t *testing.T) {
	start := time.Unix(0, 0)
	at := func(seconds int, p state.Payload) state.Event {
		return state.Event{At: start.Add(time.Duration(seconds) * time.Second), Data: p}
	}
	events := []state.Event{
		at(0, protocoltest.Opened(consult.Name)), at(2, &state.RoundStarted{Round: 1}), at(5, &state.PhaseChanged{Phase: state.Constructive}),
		at(100, &state.SessionResumed{}), at(103, &state.SessionPaused{Why: state.PauseUser}),
	}
	for i := range events {
		events[i].Seq = i + 1
	}
	s, err := state.Replay(events)
	if err != nil {
		t.Fatal(err)
	}
	if want := 8 * time.Second; s.Active != want {
		t.Fatalf("active for %v, want %v", s.Active, want)
	}
}

// charging is a model whose replies cost a cent.
type charging struct{ priced }

func (c charging) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	reply, err := c.priced.Reply(ctx, call, watch)
	reply.Cost = 0.01
	return reply, err
}

// EX6: parallel calls exceed a cap on tokens or cost by at most one call. With a higher cap the session continues
// with the seats that were not asked.
func TestCapsOfCallsSideBySide(t *testing.T) {
	for name, budget := range map[string]protocol.SetBudget{
		"tokens":    {MaxTokens: 1},
		"cost":      {MaxCost: 1e-9},
		"far":       {MaxTokens: 1e9},
		"both near": {MaxTokens: 1, MaxCost: 1e9},
	} {
		log, seats := &record{}, several(3)
		for seat, p := range seats {
			seats[seat] = charging{priced{p}}
		}
		o := panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(3), func(o *state.SessionOpened) {
			o.Settings.MaxTokens, o.Settings.MaxCost = budget.MaxTokens, budget.MaxCost
		}), seats)
		if err := New(o).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		asked := 0
		for _, e := range log.events {
			if p, ok := e.Data.(*state.PromptSent); ok && p.Stage == state.StagePropose {
				asked++
			}
		}
		want := 1
		if name == "far" {
			want = 3
		}
		if asked != want {
			t.Errorf("%s: %d were asked before the cap was known to be reached", name, asked)
		}
		if name == "far" {
			continue
		}
		o = again(t, o, log)
		if o.State.Paused != state.PauseBudget {
			t.Fatalf("%s: paused %q", name, o.State.Paused)
		}
		log.does(t, o.State, protocol.SetBudget{})
		if err := New(again(t, o, log)).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := again(t, o, log).State; !s.Closed || s.Points.Len() != 3 {
			t.Errorf("%s: closed=%v with %d points", name, s.Closed, s.Points.Len())
		}
	}
}
