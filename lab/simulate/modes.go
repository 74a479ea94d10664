package simulate

import (
	"fmt"
	"slices"

	"moot/lab/measure"
	"moot/resolver/hearing"
	"moot/state"
)

// The seats of simulated hearings, as modes name them.
const (
	// Drawn are seats that do what the dynamics say.
	Drawn = "drawn"
	// ToldToHold are the same with an architect that was told to hold its claims.
	ToldToHold = "told to hold"
)

// mode is a way of hearing what was drawn.
type mode struct {
	measure.Mode
	// course is how the seats go on after the first round, where they do.
	course course
}

// modesOf makes the modes of the options: by judge, and for each the forms in their
// order.
func modesOf(o *Options) ([]mode, error) {
	var modes []mode
	for _, judge := range o.Judges {
		if judge == state.JudgeClaims {
			return nil, fmt.Errorf("the judge %s rules on what facts say of each claim, and to draw that would be to draw the verdict; name %s, %s, %s or %s", judge, state.JudgeV1, state.JudgeV1Facts, state.JudgeV2, state.JudgeV2Bounded)
		}
		for _, form := range o.Forms {
			drawnMode := mode{Mode: measure.Mode{Form: form, Judge: judge, Seats: Drawn}}
			switch form {
			case state.FormSingle, state.FormMulti:
				modes = append(modes, drawnMode)
			case state.FormAnchored:
				// Two things are called so: what a prompt asks for, and what code enforces.
				byPrompt := drawnMode
				byPrompt.Seats, byPrompt.course = ToldToHold, told
				drawnMode.course = held
				modes = append(modes, byPrompt, drawnMode)
			case state.FormSelective:
				modes = append(modes, selective(o, drawnMode)...)
			case state.FormAudit:
				return nil, fmt.Errorf("the form %s is not simulated: its verdict follows from what facts say of each claim, and to draw that would be to draw the verdict; moot lab run measures it", form)
			}
		}
	}
	return modes, nil
}

// selective makes a mode for each gate and what may follow it.
func selective(o *Options, base mode) []mode {
	var modes []mode
	for _, gate := range o.Gates {
		for _, then := range []state.Form{state.FormMulti, state.FormAnchored} {
			m := base
			m.Gate, m.Then = gate, then
			if then == state.FormAnchored {
				m.course = held
			}
			modes = append(modes, m)
		}
	}
	return modes
}

// bench hears one drawn case in every mode. It is used by one goroutine.
type bench struct {
	dynamics *Dynamics
	modes    []mode
	rounds   int
	names    names
	drawn    drawn
	// exchanges are the rounds of the present case, by course.
	exchanges [courses][]measure.Round
	// bys are the judges, each with its verdicts on the present case.
	bys     []by
	tallies []*measure.Tally
}

// by is a judge with its verdicts: of the form single, and of each course.
type by struct {
	version state.JudgeVersion
	first   measure.Result
	flags   []hearing.MiscalibrationFlag
	last    [courses]measure.Result
}

func newBench(o *Options, modes []mode) *bench {
	b := &bench{dynamics: &o.Dynamics, modes: modes, rounds: o.Rounds, names: newNames()}
	for _, version := range o.Judges {
		b.bys = append(b.bys, by{version: version})
	}
	for _, m := range modes {
		b.tallies = append(b.tallies, measure.NewTally(measure.Simulated, m.Mode, measure.NoHalf, false))
	}
	return b
}

// hear hears the case that was drawn last in every mode.
func (b *bench) hear() error {
	for c := range courses {
		b.exchanges[c] = b.drawn.exchange(c, b.rounds, &b.names, b.exchanges[c])
	}
	for i := range b.bys {
		if err := b.decide(&b.bys[i]); err != nil {
			return err
		}
	}
	for i := range b.modes {
		m := &b.modes[i]
		of := &b.bys[slices.IndexFunc(b.bys, func(one by) bool { return one.version == m.Judge })]
		switch {
		case m.Form == state.FormSingle:
			b.tallies[i].Add(b.drawn.one, &of.first, nil)
		case m.Form != state.FormSelective:
			b.tallies[i].Add(b.drawn.one, &of.last[m.course], &of.first)
		case hearing.GateOpens(m.Gate, of.first.Confidence, of.flags):
			sentOn := of.last[m.course]
			sentOn.Opened = true
			b.tallies[i].Add(b.drawn.one, &sentOn, &of.first)
		default:
			b.tallies[i].Add(b.drawn.one, &of.first, &of.first)
		}
	}
	return nil
}

// decide makes a judge's verdicts on the present case.
func (b *bench) decide(of *by) error {
	verdict, err := judge(of.version, b.exchanges[falling][:1], &of.first)
	if err != nil {
		return err
	}
	first := &b.exchanges[falling][0]
	of.flags = hearing.Miscalibrated(hearing.Measured{
		Verdict: verdict.Confidence, A: first.Architect.Confidence, S: first.Skeptic.Confidence,
		WinnerFacts: len(verdict.Supporting), Conflict: b.drawn.conflict, SourceTypes: b.drawn.sources,
	})
	for c := range courses {
		if _, err := judge(of.version, b.exchanges[c], &of.last[c]); err != nil {
			return err
		}
	}
	return nil
}

// judge decides by the last round.
func judge(version state.JudgeVersion, rounds []measure.Round, into *measure.Result) (hearing.Verdict, error) {
	last := &rounds[len(rounds)-1]
	verdict, err := hearing.Judge(
		version,
		hearing.Side{Confidence: last.Architect.Confidence, Facts: last.Architect.Facts},
		hearing.Side{Confidence: last.Skeptic.Confidence, Facts: last.Skeptic.Facts},
	)
	if err != nil {
		return verdict, fmt.Errorf("judge what was drawn: %w", err)
	}
	into.Repeat, into.Outcome, into.Confidence, into.Rule, into.Rounds = 1, verdict.Outcome, verdict.Confidence, verdict.Rule, rounds
	return verdict, nil
}
