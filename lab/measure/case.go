package measure

import (
	"fmt"
	"slices"

	"moot/internal/enum"
	"moot/state"
)

// Tier is how hard a case is, and in which way.
type Tier string

// The tiers.
const (
	ClearThreat  Tier = "CLEAR_THREAT"
	ClearBenign  Tier = "CLEAR_BENIGN"
	Ambiguous    Tier = "AMBIGUOUS"
	MixedSignals Tier = "MIXED_SIGNALS"
)

// Tiers returns every Tier.
func Tiers() []Tier { return []Tier{ClearThreat, ClearBenign, Ambiguous, MixedSignals} }

// String returns the word itself.
func (t Tier) String() string { return string(t) }

// UnmarshalText refuses a word that is no Tier.
func (t *Tier) UnmarshalText(text []byte) error { return enum.Unmarshal("tier", text, Tiers(), t) }

// Half is the part of a corpus that a case belongs to.
type Half string

// The halves. A corpus that is not split, and what is drawn, has none.
const (
	NoHalf      Half = ""
	Development Half = "development"
	Test        Half = "test"
)

// Halves returns every Half, NoHalf first.
func Halves() []Half { return []Half{NoHalf, Development, Test} }

// String returns the word itself.
func (h Half) String() string { return string(h) }

// UnmarshalText refuses a word that is no Half.
func (h *Half) UnmarshalText(text []byte) error { return enum.Unmarshal("half", text, Halves(), h) }

// Case is a question with a known answer.
type Case struct {
	// ID names it within its corpus.
	ID string `json:"id"`
	// Name says what it is about, or "".
	Name     string        `json:"name,omitempty"`
	Tier     Tier          `json:"tier"`
	Expected state.Outcome `json:"expected"`
	Half     Half          `json:"half,omitempty"`
}

// check says which word of the case is none, or "".
func (c *Case) check() string {
	if slices.Contains(Tiers(), c.Tier) && slices.Contains(state.Outcomes(), c.Expected) && slices.Contains(Halves(), c.Half) {
		return ""
	}
	return fmt.Sprintf("its tier %q, its expected outcome %q or its half %q is none", c.Tier, c.Expected, c.Half)
}
