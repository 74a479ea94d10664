package hearing

import (
	"math"

	"moot/state"
)

// The bounds of the gates.
const (
	// escalateFrom and escalateTo are the band in which a verdict escalates, both
	// included.
	escalateFrom, escalateTo = 0.35, 0.65
	// sure is the confidence of a verdict from which its facts are looked at.
	sure = 0.70
	// fewFacts is under which number of distinct facts a sure winner starves.
	fewFacts = 3
	// manySources is from which number of types of sources a case is complex.
	manySources = 3
	// bothHigh and narrow are when two sides are high and close.
	bothHigh, narrow = 0.60, 0.15
	// flagKinds is how many flags there are.
	flagKinds = 4
)

// Escalates reports whether a verdict of this confidence is looked at again.
func Escalates(confidence float64) bool {
	return confidence >= escalateFrom && confidence <= escalateTo
}

// MiscalibrationFlag is a reason to doubt that a verdict is as sure as it looks.
type MiscalibrationFlag string

// The flags.
const (
	// FlagStarvation is a sure verdict whose winner cites fewer than three facts.
	FlagStarvation MiscalibrationFlag = "evidence starvation"
	// FlagConflict is a sure verdict over facts of one entity that contradict.
	FlagConflict MiscalibrationFlag = "evidence conflict"
	// FlagComplexity is a sure verdict over three or more types of sources.
	FlagComplexity MiscalibrationFlag = "complexity mismatch"
	// FlagSpread is two sides that are both high, and close to each other.
	FlagSpread MiscalibrationFlag = "narrow spread"
)

// MiscalibrationFlags returns every MiscalibrationFlag.
func MiscalibrationFlags() []MiscalibrationFlag {
	return []MiscalibrationFlag{FlagStarvation, FlagConflict, FlagComplexity, FlagSpread}
}

// Measured is what the gate of miscalibration reads.
type Measured struct {
	// Verdict is the confidence of the verdict, A and S those of the sides.
	Verdict, A, S float64
	// WinnerFacts counts the distinct facts of the winner; of both where nobody won.
	WinnerFacts int
	// Conflict says that one entity has both fields of a listed pair.
	Conflict bool
	// SourceTypes counts the types of sources in the packet.
	SourceTypes int
}

// Miscalibrated returns the flags that are raised. Any of them sends a hearing on.
func Miscalibrated(m Measured) []MiscalibrationFlag {
	var flags []MiscalibrationFlag
	for _, f := range []struct {
		flag   MiscalibrationFlag
		raised bool
	}{
		{FlagStarvation, m.Verdict >= sure && m.WinnerFacts < fewFacts},
		{FlagConflict, m.Verdict >= sure && m.Conflict},
		{FlagComplexity, m.Verdict >= sure && m.SourceTypes >= manySources},
		{FlagSpread, m.A >= bothHigh && m.S >= bothHigh && math.Abs(m.A-m.S) <= narrow},
	} {
		if f.raised {
			flags = append(flags, f.flag)
		}
	}
	return flags
}

// Risk is the share of flags that are raised, 0 to 1.
func Risk(flags []MiscalibrationFlag) float64 { return float64(len(flags)) / flagKinds }

// GateOpens reports whether a gate sends a hearing on, by a verdict's confidence and
// the flags that it raises.
func GateOpens(gate state.Gate, confidence float64, flags []MiscalibrationFlag) bool {
	switch gate {
	case state.GateEscalation:
		return Escalates(confidence)
	case state.GateMiscalibration:
		return len(flags) > 0
	case state.GateEither:
		return Escalates(confidence) || len(flags) > 0
	}
	return false
}
