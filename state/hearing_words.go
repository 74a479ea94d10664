package state

import (
	"errors"
	"strings"

	"moot/internal/enum"
)

// The seats of a hearing.
const (
	// Architect argues that it holds.
	Architect Seat = "architect"
	// Skeptic argues that it does not.
	Skeptic Seat = "skeptic"
	// Oracle brings, once, the strongest argument against the side that is more
	// confident.
	Oracle Seat = "oracle"
)

// HearingSeats returns the seats of a hearing in the order in which they are read.
func HearingSeats() []Seat { return []Seat{Architect, Skeptic, Oracle} }

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

// String returns the word itself.
func (o Outcome) String() string { return string(o) }

// UnmarshalText refuses a word that is no Outcome; a prefix that ends in an
// underscore is taken off.
func (o *Outcome) UnmarshalText(text []byte) error {
	word := string(text)
	return enum.Unmarshal("outcome", []byte(word[strings.LastIndexByte(word, '_')+1:]), Outcomes(), o)
}

// Form is how the turns of a hearing go.
type Form string

// The forms.
const (
	// FormSingle has each side speak once, unseen by the other.
	FormSingle Form = "single"
	// FormMulti continues with exchanges.
	FormMulti Form = "multi"
	// FormAnchored holds confidences to what was shown.
	FormAnchored Form = "anchored"
	// FormAudit argues and rules each claim alone.
	FormAudit Form = "audit"
	// FormSelective continues only if a gate opens.
	FormSelective Form = "selective"
)

// Forms returns every Form.
func Forms() []Form { return []Form{FormSingle, FormMulti, FormAnchored, FormAudit, FormSelective} }

// String returns the word itself.
func (f Form) String() string { return string(f) }

// UnmarshalText refuses a word that is neither a Form nor "".
func (f *Form) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*f = ""
		return nil
	}
	return enum.Unmarshal("form", text, Forms(), f)
}

// JudgeVersion is which arithmetic decides.
type JudgeVersion string

// The versions.
const (
	JudgeV1        JudgeVersion = "v1"
	JudgeV1Facts   JudgeVersion = "v1-facts"
	JudgeV2        JudgeVersion = "v2"
	JudgeV2Bounded JudgeVersion = "v2-bounded"
)

// JudgeVersions returns every JudgeVersion.
func JudgeVersions() []JudgeVersion {
	return []JudgeVersion{JudgeV1, JudgeV1Facts, JudgeV2, JudgeV2Bounded}
}

// String returns the word itself.
func (v JudgeVersion) String() string { return string(v) }

// UnmarshalText refuses a word that is no JudgeVersion.
func (v *JudgeVersion) UnmarshalText(text []byte) error {
	if string(text) == "claims" {
		return errors.New("the judge claims was removed: use v2, or --form audit, which rules on each claim")
	}
	return enum.Unmarshal("version of the judge", text, JudgeVersions(), v)
}

// Gate decides whether a selective hearing continues.
type Gate string

// The gates.
const (
	// GateEscalation sends on what lies in the middle.
	GateEscalation Gate = "escalation"
	// GateMiscalibration sends on what looks surer than its facts are.
	GateMiscalibration Gate = "miscalibration"
	GateEither         Gate = "either"
)

// Gates returns every Gate.
func Gates() []Gate { return []Gate{GateEscalation, GateMiscalibration, GateEither} }

// String returns the word itself.
func (g Gate) String() string { return string(g) }

// UnmarshalText refuses a word that is neither a Gate nor "".
func (g *Gate) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*g = ""
		return nil
	}
	return enum.Unmarshal("gate", text, Gates(), g)
}

// Support is how a claim of an audit ends.
type Support string

// The rulings on claims.
const (
	Supported   Support = "SUPPORTED"
	Disputed    Support = "CONTESTED"
	Unsupported Support = "UNSUPPORTED"
)

// Supports returns every Support, the strongest first.
func Supports() []Support { return []Support{Supported, Disputed, Unsupported} }

// String returns the word itself.
func (s Support) String() string { return string(s) }

// UnmarshalText refuses an unknown word.
func (s *Support) UnmarshalText(text []byte) error {
	return enum.Unmarshal("support", text, Supports(), s)
}
