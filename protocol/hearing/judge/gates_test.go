package judge_test

import (
	"math"
	"slices"
	"testing"

	"moot/protocol/hearing/judge"
)

// Each flag is raised exactly on its bound and not next to it.
func TestMiscalibrated(t *testing.T) {
	// calm raises nothing, and what is changed in it is all that may.
	calm := func(change func(*judge.Measured)) judge.Measured {
		m := judge.Measured{Verdict: 0.9, A: 0.9, S: 0.2, WinnerFacts: 3, SourceTypes: 2}
		change(&m)
		return m
	}
	below := func(n float64) float64 { return math.Nextafter(n, 0) }
	for name, c := range map[string]struct {
		measured judge.Measured
		want     []judge.MiscalibrationFlag
	}{
		"nothing":                            {calm(func(*judge.Measured) {}), nil},
		"two facts":                          {calm(func(m *judge.Measured) { m.WinnerFacts = 2 }), []judge.MiscalibrationFlag{judge.FlagStarvation}},
		"two facts of a verdict at 0.70":     {calm(func(m *judge.Measured) { m.WinnerFacts, m.Verdict = 2, 0.70 }), []judge.MiscalibrationFlag{judge.FlagStarvation}},
		"two facts of one below":             {calm(func(m *judge.Measured) { m.WinnerFacts, m.Verdict = 2, below(0.70) }), nil},
		"no fact at all":                     {calm(func(m *judge.Measured) { m.WinnerFacts = 0 }), []judge.MiscalibrationFlag{judge.FlagStarvation}},
		"a conflict":                         {calm(func(m *judge.Measured) { m.Conflict = true }), []judge.MiscalibrationFlag{judge.FlagConflict}},
		"a conflict of a verdict at 0.70":    {calm(func(m *judge.Measured) { m.Conflict, m.Verdict = true, 0.70 }), []judge.MiscalibrationFlag{judge.FlagConflict}},
		"a conflict of one below":            {calm(func(m *judge.Measured) { m.Conflict, m.Verdict = true, below(0.70) }), nil},
		"three types":                        {calm(func(m *judge.Measured) { m.SourceTypes = 3 }), []judge.MiscalibrationFlag{judge.FlagComplexity}},
		"three types of one below":           {calm(func(m *judge.Measured) { m.SourceTypes, m.Verdict = 3, below(0.70) }), nil},
		"both at 0.60":                       {calm(func(m *judge.Measured) { m.A, m.S, m.Verdict = 0.60, 0.60, 0.60 }), []judge.MiscalibrationFlag{judge.FlagSpread}},
		"one below 0.60":                     {calm(func(m *judge.Measured) { m.A, m.S = 0.60, below(0.60) }), nil},
		"the other below 0.60":               {calm(func(m *judge.Measured) { m.A, m.S = below(0.60), 0.60 }), nil},
		"less than 0.15 apart":               {calm(func(m *judge.Measured) { m.A, m.S = 0.83, 0.68 }), []judge.MiscalibrationFlag{judge.FlagSpread}},
		"less than 0.15 apart the other way": {calm(func(m *judge.Measured) { m.A, m.S = 0.68, 0.83 }), []judge.MiscalibrationFlag{judge.FlagSpread}},
		// As doubles, 0.85 - 0.7 is a little more than 0.15.
		"a little more than 0.15 apart": {calm(func(m *judge.Measured) { m.A, m.S = 0.85, 0.70 }), nil},
		"more than 0.15 apart":          {calm(func(m *judge.Measured) { m.A, m.S = 0.90, 0.70 }), nil},
		"all of them": {
			judge.Measured{Verdict: 0.8, A: 0.8, S: 0.75, WinnerFacts: 1, Conflict: true, SourceTypes: 8},
			judge.MiscalibrationFlags(),
		},
	} {
		if got := judge.Miscalibrated(c.measured); !slices.Equal(got, c.want) {
			t.Errorf("%s raises %q, want %q", name, got, c.want)
		}
		if got, want := judge.Risk(c.want), float64(len(c.want))/4; got != want {
			t.Errorf("%s has the risk %v, want %v", name, got, want)
		}
	}
}

func TestGateOpens(t *testing.T) {
	flag := []judge.MiscalibrationFlag{judge.FlagSpread}
	for _, c := range []struct {
		gate       judge.Gate
		confidence float64
		flags      []judge.MiscalibrationFlag
		want       bool
	}{
		{judge.GateEscalation, 0.5, nil, true},
		{judge.GateEscalation, 0.9, flag, false},
		{judge.GateMiscalibration, 0.5, nil, false},
		{judge.GateMiscalibration, 0.9, flag, true},
		{judge.GateEither, 0.5, nil, true},
		{judge.GateEither, 0.9, flag, true},
		{judge.GateEither, 0.9, nil, false},
		{"", 0.5, flag, false},
	} {
		if got := judge.GateOpens(c.gate, c.confidence, c.flags); got != c.want {
			t.Errorf("gate %q at %v with %q opens: %t", c.gate, c.confidence, c.flags, got)
		}
	}
}

// The reasons stand in their order: the last round, then no new fact, then confidences
// that settled.
func TestWhenAnExchangeEnds(t *testing.T) {
	moving := func(change func(*judge.Exchange)) judge.Exchange {
		e := judge.Exchange{Round: 2, Last: 5, NewFacts: 1, A: 0.8, BeforeA: 0.5, S: 0.4, BeforeS: 0.7}
		change(&e)
		return e
	}
	for name, c := range map[string]struct {
		exchange judge.Exchange
		want     judge.Stop
	}{
		"all moves":                          {moving(func(*judge.Exchange) {}), judge.StopNot},
		"the last round":                     {moving(func(e *judge.Exchange) { e.Round = 5 }), judge.StopLast},
		"a round too many":                   {moving(func(e *judge.Exchange) { e.Round = 6 }), judge.StopLast},
		"the last round is named first":      {moving(func(e *judge.Exchange) { e.Round, e.NewFacts, e.A, e.S = 5, 0, 0.5, 0.7 }), judge.StopLast},
		"one round is all":                   {judge.Exchange{Round: 1, Last: 1}, judge.StopLast},
		"round 1 goes on whatever was cited": {moving(func(e *judge.Exchange) { e.Round, e.NewFacts = 1, 0 }), judge.StopNot},
		"no new fact":                        {moving(func(e *judge.Exchange) { e.NewFacts = 0 }), judge.StopNoFact},
		"no new fact is named before":        {moving(func(e *judge.Exchange) { e.NewFacts, e.A, e.S = 0, 0.5, 0.7 }), judge.StopNoFact},
		"a challenge is open":                {moving(func(e *judge.Exchange) { e.NewFacts, e.Unanswered = 0, true }), judge.StopNot},
		"a challenge also holds up what settled": {
			moving(func(e *judge.Exchange) { e.NewFacts, e.Unanswered, e.A, e.S = 0, true, 0.5, 0.7 }), judge.StopNot,
		},
		"both are where they were": {moving(func(e *judge.Exchange) { e.A, e.S = 0.5, 0.7 }), judge.StopSettled},
		"both moved less":          {moving(func(e *judge.Exchange) { e.A, e.S = 0.5+0.0999, 0.7-0.0999 }), judge.StopSettled},
		"the architect moved":      {moving(func(e *judge.Exchange) { e.BeforeA, e.A, e.S = 0, 0.1, 0.7 }), judge.StopNot},
		"the skeptic moved":        {moving(func(e *judge.Exchange) { e.BeforeS, e.S, e.A = 0.1, 0, 0.5 }), judge.StopNot},
	} {
		if got := c.exchange.Ends(); got != c.want {
			t.Errorf("%s: it ends by %q, want %q", name, got, c.want)
		}
	}
}
