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
		want     []judge.Flag
	}{
		"nothing":                            {calm(func(*judge.Measured) {}), nil},
		"two facts":                          {calm(func(m *judge.Measured) { m.WinnerFacts = 2 }), []judge.Flag{judge.FlagStarvation}},
		"two facts of a verdict at 0.70":     {calm(func(m *judge.Measured) { m.WinnerFacts, m.Verdict = 2, 0.70 }), []judge.Flag{judge.FlagStarvation}},
		"two facts of one below":             {calm(func(m *judge.Measured) { m.WinnerFacts, m.Verdict = 2, below(0.70) }), nil},
		"no fact at all":                     {calm(func(m *judge.Measured) { m.WinnerFacts = 0 }), []judge.Flag{judge.FlagStarvation}},
		"a conflict":                         {calm(func(m *judge.Measured) { m.Conflict = true }), []judge.Flag{judge.FlagConflict}},
		"a conflict of a verdict at 0.70":    {calm(func(m *judge.Measured) { m.Conflict, m.Verdict = true, 0.70 }), []judge.Flag{judge.FlagConflict}},
		"a conflict of one below":            {calm(func(m *judge.Measured) { m.Conflict, m.Verdict = true, below(0.70) }), nil},
		"three types":                        {calm(func(m *judge.Measured) { m.SourceTypes = 3 }), []judge.Flag{judge.FlagComplexity}},
		"three types of one below":           {calm(func(m *judge.Measured) { m.SourceTypes, m.Verdict = 3, below(0.70) }), nil},
		"both at 0.60":                       {calm(func(m *judge.Measured) { m.A, m.S, m.Verdict = 0.60, 0.60, 0.60 }), []judge.Flag{judge.FlagSpread}},
		"one below 0.60":                     {calm(func(m *judge.Measured) { m.A, m.S = 0.60, below(0.60) }), nil},
		"the other below 0.60":               {calm(func(m *judge.Measured) { m.A, m.S = below(0.60), 0.60 }), nil},
		"less than 0.15 apart":               {calm(func(m *judge.Measured) { m.A, m.S = 0.83, 0.68 }), []judge.Flag{judge.FlagSpread}},
		"less than 0.15 apart the other way": {calm(func(m *judge.Measured) { m.A, m.S = 0.68, 0.83 }), []judge.Flag{judge.FlagSpread}},
		// As doubles, 0.85 - 0.7 is a little more than 0.15.
		"a little more than 0.15 apart": {calm(func(m *judge.Measured) { m.A, m.S = 0.85, 0.70 }), nil},
		"more than 0.15 apart":          {calm(func(m *judge.Measured) { m.A, m.S = 0.90, 0.70 }), nil},
		"all of them": {
			judge.Measured{Verdict: 0.8, A: 0.8, S: 0.75, WinnerFacts: 1, Conflict: true, SourceTypes: 8},
			judge.Flags(),
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
	flag := []judge.Flag{judge.FlagSpread}
	for _, c := range []struct {
		gate       judge.Gate
		confidence float64
		flags      []judge.Flag
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
