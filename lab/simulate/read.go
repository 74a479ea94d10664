package simulate

import (
	"fmt"

	"moot/config"
	"moot/enum"
	"moot/lab/measure"
	"moot/state"
)

// MaxBytes is the largest file of dynamics that is read.
const MaxBytes = 1 << 18

// mostKinds bounds the kinds of cases, mostFacts the facts that a seat cites first,
// mostSources the types of sources, mostShare a weight.
const mostKinds, mostFacts, mostSources, mostShare = 100, 40, 8, 1_000_000

// form is a file as it is written.
type form struct {
	Name  string     `toml:"name"`
	Cases []kindForm `toml:"case"`
}

// kindForm is a Kind as it is written.
type kindForm struct {
	Tier              string    `toml:"tier"`
	Expected          string    `toml:"expected"`
	Share             float64   `toml:"share"`
	Architect         []float64 `toml:"architect"`
	Fall              float64   `toml:"fall"`
	FallNoise         float64   `toml:"fall_noise"`
	Told              []float64 `toml:"told"`
	Skeptic           []float64 `toml:"skeptic"`
	SkepticNoise      float64   `toml:"skeptic_noise"`
	ArchitectFacts    []int     `toml:"architect_facts"`
	SkepticFacts      []int     `toml:"skeptic_facts"`
	NewFacts          float64   `toml:"new_facts"`
	ArchitectRebutted float64   `toml:"architect_rebutted"`
	SkepticRebutted   float64   `toml:"skeptic_rebutted"`
	Sources           []int     `toml:"sources"`
	Conflict          float64   `toml:"conflict"`
}

// Read reads a file of dynamics; name is what errors call it. The error is of type
// config.Problems and holds all that is wrong, each with its line.
func Read(name string, data []byte) (Dynamics, error) {
	r := &reader{Reader: config.Reader{Name: name}}
	var written form
	var d Dynamics
	if r.Decode(data, config.Kind{Name: "file of dynamics", MaxBytes: MaxBytes}, &written) {
		d = r.dynamics(&written)
	}
	if err := r.Err(); err != nil {
		return Dynamics{}, err
	}
	return d, nil
}

// reader turns a form into dynamics.
type reader struct{ config.Reader }

// dynamics reads every kind.
func (r *reader) dynamics(written *form) Dynamics {
	d := Dynamics{Name: written.Name}
	switch {
	case len(written.Cases) == 0:
		r.Tell("", "there is no [[case]]: at least one kind of cases is drawn")
	case len(written.Cases) > mostKinds:
		r.Tell(fmt.Sprintf("case[%d]", mostKinds), "more than %d kinds of cases", mostKinds)
		return d
	}
	if d.Name == "" {
		r.Tell("", "it has no name")
	}
	for i := range written.Cases {
		at := fmt.Sprintf("case[%d]", i)
		k := r.kind(&written.Cases[i], at)
		for _, key := range config.Keys(kindForm{}) {
			if !r.Given(at + "." + key) {
				r.Tell(at, "the case has no %s", key)
			}
		}
		d.total += k.Share
		d.Kinds = append(d.Kinds, k)
	}
	return d
}

// kind reads one.
func (r *reader) kind(w *kindForm, at string) Kind {
	k := Kind{
		Tier: word(r, at, "tier", w.Tier, measure.Tiers()), Expected: word(r, at, "expected", w.Expected, state.Outcomes()),
		Share:     w.Share,
		Architect: r.span(at, "architect", w.Architect), Told: r.span(at, "told", w.Told), Skeptic: r.span(at, "skeptic", w.Skeptic),
		Fall: w.Fall, FallNoise: r.share(at, "fall_noise", w.FallNoise), SkepticNoise: r.share(at, "skeptic_noise", w.SkepticNoise),
		ArchitectFacts: r.count(at, "architect_facts", w.ArchitectFacts, mostFacts), SkepticFacts: r.count(at, "skeptic_facts", w.SkepticFacts, mostFacts),
		NewFacts:          r.share(at, "new_facts", w.NewFacts),
		ArchitectRebutted: r.share(at, "architect_rebutted", w.ArchitectRebutted), SkepticRebutted: r.share(at, "skeptic_rebutted", w.SkepticRebutted),
		Sources: r.count(at, "sources", w.Sources, mostSources), Conflict: r.share(at, "conflict", w.Conflict),
	}
	if r.Given(at+".share") && !(k.Share > 0 && k.Share <= mostShare) {
		r.Tell(at+".share", "share is a weight above 0, and %d at most; %v is none", mostShare, k.Share)
	}
	if !(k.Fall >= -1 && k.Fall <= 1) {
		r.Tell(at+".fall", "fall is %v, which is not from -1 to 1", k.Fall)
	}
	return k
}

// word reads a word of a closed list.
func word[T ~string](r *reader, at, key, given string, known []T) T {
	path := at + "." + key
	if !r.Given(path) {
		return ""
	}
	found, err := enum.Parse(key, given, known)
	if err != nil {
		r.Tell(path, "%v", err)
	}
	return found
}

// share reads a number from 0 to 1.
func (r *reader) share(at, key string, value float64) float64 {
	if !(value >= 0 && value <= 1) {
		r.Tell(at+"."+key, "%s is %v, which is not from 0 to 1", key, value)
	}
	return value
}

// span reads a range of confidences.
func (r *reader) span(at, key string, ends []float64) [2]float64 {
	path := at + "." + key
	if !r.Given(path) {
		return [2]float64{}
	}
	if len(ends) != 2 || !(ends[0] >= 0 && ends[1] <= 1 && ends[0] <= ends[1]) {
		r.Tell(path, "%s is %v: a range of confidences from 0 to 1 is wanted, as in [0.6, 0.9]", key, ends)
		return [2]float64{}
	}
	return [2]float64{ends[0], ends[1]}
}

// count reads a range of numbers.
func (r *reader) count(at, key string, ends []int, most int) [2]int {
	path := at + "." + key
	if !r.Given(path) {
		return [2]int{}
	}
	if len(ends) != 2 || ends[0] < 0 || ends[1] > most || ends[0] > ends[1] {
		r.Tell(path, "%s is %v: a range from 0 to %d is wanted, as in [2, 5]", key, ends, most)
		return [2]int{}
	}
	return [2]int{ends[0], ends[1]}
}
