package judge

import (
	"strings"

	"moot/internal/enum"
	"moot/state"
)

// The seats that argue a hearing.
const (
	// Architect argues that it holds.
	Architect state.Seat = "architect"
	// Skeptic argues that it does not.
	Skeptic state.Seat = "skeptic"
)

// Outcome is the result of a hearing.
type Outcome string

// The outcomes. They are shown with the domain's prefix: THREAT_CONFIRMED.
const (
	Confirmed    Outcome = "CONFIRMED"
	Dismissed    Outcome = "DISMISSED"
	Inconclusive Outcome = "INCONCLUSIVE"
)

// Outcomes returns every Outcome.
func Outcomes() []Outcome { return []Outcome{Confirmed, Dismissed, Inconclusive} }

// UnmarshalText refuses a word that is no Outcome. It removes a prefix that ends in an
// underscore.
func (o *Outcome) UnmarshalText(text []byte) error {
	word := string(text)
	return enum.Unmarshal("outcome", []byte(word[strings.LastIndexByte(word, '_')+1:]), Outcomes(), o)
}

// Version is which arithmetic decides.
type Version string

// The versions.
const (
	V1        Version = "v1"
	V1Facts   Version = "v1-facts"
	V2        Version = "v2"
	V2Bounded Version = "v2-bounded"
)

// Versions returns every Version.
func Versions() []Version { return []Version{V1, V1Facts, V2, V2Bounded} }

// UnmarshalText refuses unknown versions.
func (v *Version) UnmarshalText(text []byte) error {
	return enum.Unmarshal("version of the judge", text, Versions(), v)
}

// Gate decides whether a selective hearing continues.
type Gate string

// The gates.
const (
	// GateEscalation opens for a verdict in the middle.
	GateEscalation Gate = "escalation"
	// GateMiscalibration opens for a verdict that looks surer than its facts are.
	GateMiscalibration Gate = "miscalibration"
	GateEither         Gate = "either"
)

// Gates returns every Gate.
func Gates() []Gate { return []Gate{GateEscalation, GateMiscalibration, GateEither} }

// UnmarshalText refuses unknown gates. Hearings without a gate have "".
func (g *Gate) UnmarshalText(text []byte) error {
	return enum.Unmarshal("gate", text, append(Gates(), ""), g)
}
