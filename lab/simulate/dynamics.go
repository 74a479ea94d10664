package simulate

import (
	_ "embed"
	"fmt"
	"strings"

	"moot/lab/measure"
	"moot/plain"
	"moot/state"
)

//go:embed dynamics.toml
var builtIn string

// Kind is a kind of cases, and how the seats behave in them. Ranges are drawn from
// evenly, both ends included.
type Kind struct {
	Tier     measure.Tier
	Expected state.Outcome
	// Share is the weight of the kind among all kinds, above 0.
	Share float64
	// Architect is where its confidence starts, Fall by how much it falls in each
	// later round (mean and standard deviation), Told where it is instead when it is
	// told to hold its claims.
	Architect [2]float64
	Fall      float64
	FallNoise float64
	Told      [2]float64
	// Skeptic is where its confidence starts and stays, SkepticNoise how far it moves
	// in a round (standard deviation).
	Skeptic      [2]float64
	SkepticNoise float64
	// ArchitectFacts and SkepticFacts are cited in the first round; NewFacts is the
	// chance of one more in each later round.
	ArchitectFacts [2]int
	SkepticFacts   [2]int
	NewFacts       float64
	// ArchitectRebutted and SkepticRebutted are the chances that a new fact stands
	// against the seat in a later round.
	ArchitectRebutted float64
	SkepticRebutted   float64
	// Sources is how many types of sources the facts have, Conflict the chance that
	// two facts contradict.
	Sources  [2]int
	Conflict float64
}

// Dynamics is how seats behave, by kind of case.
type Dynamics struct {
	// Name is that of the file's author.
	Name  string
	Kinds []Kind
	// total is the sum of the shares.
	total float64
}

// Published returns the dynamics that are built in: they follow what was published of
// hearings between language models, where it says something.
func Published() (Dynamics, error) { return Read("dynamics.toml", []byte(builtIn)) }

// BuiltIn is the text of the file that Published reads.
func BuiltIn() string { return builtIn }

// Stated says the dynamics in words, a line for each kind.
func (d *Dynamics) Stated() []string {
	lines := []string{fmt.Sprintf("dynamics %q: nobody argued; every confidence, fact and rebuttal was drawn", plain.Line(d.Name))}
	for i := range d.Kinds {
		k := &d.Kinds[i]
		line := &strings.Builder{}
		fmt.Fprintf(line, "%s, expected %s, %.1f %% of the cases: ", k.Tier, k.Expected, 100*k.Share/d.total)
		fmt.Fprintf(line, "architect starts at %s and falls %.2f ± %.2f a round, told to hold %s; ", span(k.Architect), k.Fall, k.FallNoise, span(k.Told))
		fmt.Fprintf(line, "skeptic %s, moves ± %.2f; ", span(k.Skeptic), k.SkepticNoise)
		fmt.Fprintf(line, "facts %d-%d and %d-%d, one more in %.0f %% of turns; ", k.ArchitectFacts[0], k.ArchitectFacts[1], k.SkepticFacts[0], k.SkepticFacts[1], 100*k.NewFacts)
		fmt.Fprintf(line, "rebutted in %.0f %% and %.0f %% of turns; ", 100*k.ArchitectRebutted, 100*k.SkepticRebutted)
		fmt.Fprintf(line, "%d-%d types of sources, facts in conflict in %.0f %%", k.Sources[0], k.Sources[1], 100*k.Conflict)
		lines = append(lines, line.String())
	}
	return lines
}

// span is a range in words.
func span(r [2]float64) string { return fmt.Sprintf("%.2f-%.2f", r[0], r[1]) }
