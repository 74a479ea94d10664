package conflict

import (
	"fmt"
	"math"

	"moot/enum"
)

// Thresholds say from the similarity of two outputs what there is between them:
// below Contradiction a contradiction, below Agreement a disagreement, else
// nothing. 0 ≤ Contradiction ≤ Agreement ≤ 1.
type Thresholds struct{ Contradiction, Agreement float64 }

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

// UnmarshalText refuses a word that is no Preset.
func (p *Preset) UnmarshalText(text []byte) error {
	return enum.Unmarshal("preset", text, Presets(), p)
}

// Thresholds are those that the preset stands for.
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

// Check refuses thresholds that are out of range or out of order.
func (t Thresholds) Check() error {
	for _, v := range []struct {
		name  string
		value float64
	}{{"contradiction", t.Contradiction}, {"agreement", t.Agreement}} {
		if math.IsNaN(v.value) || v.value < 0 || v.value > 1 {
			return fmt.Errorf("the %s threshold is %v: it must be from 0 to 1", v.name, v.value)
		}
	}
	if t.Contradiction > t.Agreement {
		return fmt.Errorf("the contradiction threshold %v is above the agreement threshold %v: below the first two outputs contradict each other, below the second they disagree", t.Contradiction, t.Agreement)
	}
	return nil
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

// Classify says what there is between two outputs of the similarity; conflict is
// false where there is nothing.
func (t Thresholds) Classify(similarity float64) (kind Type, conflict bool) {
	switch {
	case similarity < t.Contradiction:
		return Contradiction, true
	case similarity < t.Agreement:
		return Disagreement, true
	}
	return "", false
}
