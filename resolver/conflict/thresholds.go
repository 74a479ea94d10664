package conflict

import (
	"fmt"
	"math"

	"moot/internal/enum"
)

// Thresholds classify the similarity of two outputs: below Contradiction they contradict each other, below
// Agreement they disagree, else there is no conflict. 0 ≤ Contradiction ≤ Agreement ≤ 1.
type Thresholds struct{ Contradiction, Agreement float64 }

// Check refuses thresholds that are out of range or out of order.
func (t Thresholds) Check() error {
	switch {
	case math.IsNaN(t.Contradiction) || t.Contradiction < 0 || t.Contradiction > 1:
		return fmt.Errorf("the contradiction threshold is %v: it must be from 0 to 1", t.Contradiction)
	case math.IsNaN(t.Agreement) || t.Agreement < 0 || t.Agreement > 1:
		return fmt.Errorf("the agreement threshold is %v: it must be from 0 to 1", t.Agreement)
	case t.Contradiction > t.Agreement:
		return fmt.Errorf("the contradiction threshold %v is above the agreement threshold %v", t.Contradiction,
			t.Agreement)
	}
	return nil
}

// Classify returns the type of the conflict between two outputs of a similarity, or false.
func (t Thresholds) Classify(similarity float64) (kind Type, conflict bool) {
	switch {
	case similarity < t.Contradiction:
		return Contradiction, true
	case similarity < t.Agreement:
		return Disagreement, true
	}
	return "", false
}

// Preset names thresholds.
type Preset string

// The presets: three degrees, and three domains.
const (
	Strict   Preset = "strict"
	Default  Preset = "default"
	Lenient  Preset = "lenient"
	Security Preset = "security"
	Code     Preset = "code"
	Creative Preset = "creative"
)

// Presets returns every Preset.
func Presets() []Preset { return []Preset{Strict, Default, Lenient, Security, Code, Creative} }

// String returns the word itself.
func (p Preset) String() string { return string(p) }

// UnmarshalText refuses an unknown word.
func (p *Preset) UnmarshalText(text []byte) error {
	return enum.Unmarshal("preset", text, Presets(), p)
}

// Thresholds returns those of the preset.
func (p Preset) Thresholds() Thresholds {
	switch p {
	case Strict, Security:
		return Thresholds{0.5, 0.9}
	case Lenient:
		return Thresholds{0.15, 0.7}
	case Creative:
		return Thresholds{0.15, 0.6}
	case Default, Code:
	}
	return Thresholds{0.3, 0.8}
}

// Type is how two outputs differ.
type Type string

// The types of conflicts.
const (
	Contradiction Type = "contradiction"
	Disagreement  Type = "disagreement"
)

// Types returns every Type.
func Types() []Type { return []Type{Contradiction, Disagreement} }

// String returns the word itself.
func (t Type) String() string { return string(t) }
