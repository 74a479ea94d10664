package endpoint

import (
	"fmt"

	"moot/enum"
)

// Settings are how a model is asked, where it takes such things. What a server
// refuses is left out and remembered.
type Settings struct {
	// Temperature is the sampling temperature, 0 to 2; nil leaves it to the
	// endpoint. Models that reason are never given one.
	Temperature *float64
	// MaxTokens caps a reply, in tokens, with what is thought before it; 0 leaves
	// it to the endpoint.
	MaxTokens int
	// Effort is how long the model may think; "" leaves it to the endpoint.
	Effort Effort
}

// Effort is how long a model thinks before it answers.
type Effort string

// The efforts, from the least. Few models take all of them.
const (
	EffortNone    Effort = "none"
	EffortMinimal Effort = "minimal"
	EffortLow     Effort = "low"
	EffortMedium  Effort = "medium"
	EffortHigh    Effort = "high"
	EffortXHigh   Effort = "xhigh"
	EffortMax     Effort = "max"
)

// Efforts returns every Effort, the least first.
func Efforts() []Effort {
	return []Effort{EffortNone, EffortMinimal, EffortLow, EffortMedium, EffortHigh, EffortXHigh, EffortMax}
}

// String returns the word itself.
func (e Effort) String() string { return string(e) }

// UnmarshalText refuses a word that is no Effort.
func (e *Effort) UnmarshalText(text []byte) error {
	return enum.Unmarshal("reasoning effort", text, Efforts(), e)
}

// highestTemperature is the highest that any endpoint takes.
const highestTemperature = 2

// Check says what of the settings no endpoint takes.
func (s Settings) Check() error {
	if s.Effort != "" {
		if _, err := enum.Parse("reasoning effort", string(s.Effort), Efforts()); err != nil {
			return err
		}
	}
	// Written so that NaN is refused.
	if s.Temperature != nil && !(*s.Temperature >= 0 && *s.Temperature <= highestTemperature) {
		return fmt.Errorf("a temperature of %v is out of range: it is 0 to %d", *s.Temperature, highestTemperature)
	}
	if s.MaxTokens < 0 {
		return fmt.Errorf("a reply of %d tokens is none: give a number above 0", s.MaxTokens)
	}
	return nil
}

// Over returns the settings with those of below where none is set.
func (s Settings) Over(below Settings) Settings {
	if s.Temperature == nil {
		s.Temperature = below.Temperature
	}
	if s.MaxTokens == 0 {
		s.MaxTokens = below.MaxTokens
	}
	if s.Effort == "" {
		s.Effort = below.Effort
	}
	return s
}
