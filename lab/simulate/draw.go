package simulate

import (
	"math/rand/v2"

	"moot/lab/measure"
	"moot/resolver/hearing"
	"moot/state"
)

// course is how the seats go on after the first round.
type course int

const (
	// falling is how they do by themselves.
	falling course = iota
	// told is an architect that was told to hold its claims.
	told
	// held is falling under the rule of conviction: a confidence counts as lower only
	// where a new fact stands against the seat.
	held
	courses
)

// step is what is drawn of a later round.
type step struct {
	fall, skeptic                      float64
	architectCites, skepticCites       bool
	architectRebutted, skepticRebutted bool
}

// drawn is a case and all that its hearings need; every mode hears the same.
type drawn struct {
	kind                         *Kind
	one                          measure.Case
	architect, told, skeptic     float64
	architectFacts, skepticFacts int
	sources                      int
	conflict                     bool
	steps                        [state.MaxRounds]step
}

// names are ids of facts. A seat cites the first of its list, and more as it goes on.
type names struct{ architect, skeptic, against []string }

func newNames() names {
	list := func(prefix string) []string {
		all := make([]string, 0, mostFacts+state.MaxRounds)
		for len(all) < cap(all) {
			all = append(all, state.NextID(prefix[0], len(all)))
		}
		return all
	}
	return names{architect: list("A"), skeptic: list("S"), against: []string{"X1"}}
}

// draw draws a case, and all its later rounds at once: what a mode makes of them does
// not change what is drawn next.
func (d *Dynamics) draw(chance *rand.Rand, rounds int, into *drawn) {
	k := d.pick(chance.Float64() * d.total)
	into.kind = k
	into.one = measure.Case{Tier: k.Tier, Expected: k.Expected}
	into.architect, into.told, into.skeptic = within(chance, k.Architect), within(chance, k.Told), within(chance, k.Skeptic)
	into.architectFacts, into.skepticFacts, into.sources = among(chance, k.ArchitectFacts), among(chance, k.SkepticFacts), among(chance, k.Sources)
	into.conflict = chance.Float64() < k.Conflict
	for i := 1; i < rounds; i++ {
		into.steps[i] = step{
			fall: k.Fall + k.FallNoise*chance.NormFloat64(), skeptic: k.SkepticNoise * chance.NormFloat64(),
			architectCites: chance.Float64() < k.NewFacts, skepticCites: chance.Float64() < k.NewFacts,
			architectRebutted: chance.Float64() < k.ArchitectRebutted, skepticRebutted: chance.Float64() < k.SkepticRebutted,
		}
	}
}

// pick returns the kind at a place among the shares.
func (d *Dynamics) pick(at float64) *Kind {
	for i := range d.Kinds {
		if at -= d.Kinds[i].Share; at < 0 {
			return &d.Kinds[i]
		}
	}
	return &d.Kinds[len(d.Kinds)-1]
}

func within(chance *rand.Rand, r [2]float64) float64 { return r[0] + chance.Float64()*(r[1]-r[0]) }

func among(chance *rand.Rand, r [2]int) int { return r[0] + chance.IntN(r[1]-r[0]+1) }

// exchange makes the rounds of a hearing: the first is that of the form single, and it
// goes on until the program's own rules end it.
func (d *drawn) exchange(c course, most int, n *names, rounds []measure.Round) []measure.Round {
	factsA, factsS := d.architectFacts, d.skepticFacts
	now := measure.Round{
		Architect: measure.Turn{Confidence: d.architect, Facts: n.architect[:factsA]},
		Skeptic:   measure.Turn{Confidence: d.skeptic, Facts: n.skeptic[:factsS]},
	}
	rounds = append(rounds[:0], now)
	for round := 2; round <= most; round++ {
		before, s := now, &d.steps[round-1]
		cited := 0
		if s.architectCites {
			factsA, cited = factsA+1, cited+1
		}
		if s.skepticCites {
			factsS, cited = factsS+1, cited+1
		}
		stated := max(0, min(1, before.Architect.Confidence-s.fall))
		if c == told {
			stated = d.told
		}
		now.Architect = turn(before.Architect.Confidence, stated, c == held, n.architect[:factsA], n.rebutting(s.architectRebutted))
		stated = max(d.kind.Skeptic[0], min(d.kind.Skeptic[1], before.Skeptic.Confidence+s.skeptic))
		now.Skeptic = turn(before.Skeptic.Confidence, stated, c == held, n.skeptic[:factsS], n.rebutting(s.skepticRebutted))
		rounds = append(rounds, now)
		ends := hearing.Exchange{
			Round: round, Last: most, NewFacts: cited,
			A: now.Architect.Confidence, S: now.Skeptic.Confidence, BeforeA: before.Architect.Confidence, BeforeS: before.Skeptic.Confidence,
		}.Ends()
		if ends != hearing.StopNot {
			break
		}
	}
	return rounds
}

// turn is what counts of what a seat stated.
func turn(before, stated float64, conviction bool, facts, rebutted []string) measure.Turn {
	t := measure.Turn{Confidence: stated, Facts: facts, Rebutted: rebutted}
	if conviction && stated < before && len(rebutted) == 0 {
		t.Confidence, t.HeldBack = before, before-stated
	}
	return t
}

// rebutting is the fact that stands against a seat, where one does.
func (n *names) rebutting(does bool) []string {
	if does {
		return n.against
	}
	return nil
}
