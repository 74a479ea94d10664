package judge

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"moot/internal/lists"
	"moot/ledger"
)

// The bounds of the gates.
const (
	// escalateFrom and escalateTo bound the confidences that escalate, inclusively.
	escalateFrom, escalateTo = 0.35, 0.65
	// sure is the confidence from which the facts of a verdict are checked.
	sure = 0.70
	// fewFacts is the number of distinct facts that a sure winner needs.
	fewFacts = 3
	// manySources is the number of source types that makes a case complex.
	manySources = 3
	// bothHigh and narrow define two confidences that are high and close.
	bothHigh, narrow = 0.60, 0.15
)

// Escalates reports whether a verdict of this confidence escalates.
func Escalates(confidence float64) bool {
	return confidence >= escalateFrom && confidence <= escalateTo
}

// Flag is a reason to doubt that a verdict is as sure as it looks (miscalibration).
type Flag string

// The flags.
const (
	// FlagStarvation is a sure verdict whose winner cites fewer than three facts.
	FlagStarvation Flag = "evidence starvation"
	// FlagConflict is a sure verdict over facts of one entity that contradict.
	FlagConflict Flag = "evidence conflict"
	// FlagComplexity is a sure verdict over three or more source types.
	FlagComplexity Flag = "complexity mismatch"
	// FlagSpread is two confidences that are both high and close to each other.
	FlagSpread Flag = "narrow spread"
)

// Flags returns every Flag.
func Flags() []Flag { return []Flag{FlagStarvation, FlagConflict, FlagComplexity, FlagSpread} }

// Says tells in a clause what raised the flag.
func (f Flag) Says() string {
	switch f {
	case FlagStarvation:
		return "the verdict is at 0.7 or more, and its side cites fewer than 3 distinct facts"
	case FlagConflict:
		return "the verdict is at 0.7 or more, and facts of one entity contradict each other"
	case FlagComplexity:
		return "the verdict is at 0.7 or more over facts of 3 or more types of sources"
	case FlagSpread:
		return "both sides are at 0.6 or more, and no more than 0.15 apart"
	}
	return ""
}

// Measured is the input of the miscalibration gate.
type Measured struct {
	// Verdict is the confidence of the verdict; A and S belong to the sides.
	Verdict, A, S float64
	// WinnerFacts counts the distinct facts of the winner, or of both if nobody won.
	WinnerFacts int
	// Conflict means that one entity has both fields of a listed pair.
	Conflict bool
	// SourceTypes counts the source types in the packet.
	SourceTypes int
}

// Miscalibrated returns the flags that are raised. Any flag opens the gate.
func Miscalibrated(m Measured) []Flag {
	raised := map[Flag]bool{
		FlagStarvation: m.Verdict >= sure && m.WinnerFacts < fewFacts,
		FlagConflict:   m.Verdict >= sure && m.Conflict,
		FlagComplexity: m.Verdict >= sure && m.SourceTypes >= manySources,
		FlagSpread:     m.A >= bothHigh && m.S >= bothHigh && math.Abs(m.A-m.S) <= narrow,
	}
	return lists.Filter(Flags(), func(f Flag) bool { return raised[f] })
}

// Risk is the share of flags that are raised, 0 to 1.
func Risk(flags []Flag) float64 { return float64(len(flags)) / float64(len(Flags())) }

// GateOpens reports whether a gate sends a hearing to the next stage, given a verdict's confidence and flags.
func GateOpens(gate Gate, confidence float64, flags []Flag) bool {
	switch gate {
	case GateEscalation:
		return Escalates(confidence)
	case GateMiscalibration:
		return len(flags) > 0
	case GateEither:
		return Escalates(confidence) || len(flags) > 0
	}
	return false
}

// SourceTypes counts the source types of a packet.
func SourceTypes(p *ledger.Packet) int {
	seen := map[ledger.SourceType]bool{}
	for i := range p.Len() {
		seen[p.At(i).SourceType] = true
	}
	return len(seen)
}

// Conflicts reports whether one entity of a packet has both fields of a listed pair. Names with the same words
// are equal: "login success", login_success and LoginSuccess.
func Conflicts(p *ledger.Packet, pairs [][2]string) bool {
	if len(pairs) == 0 {
		return false
	}
	opposites := map[string][]string{}
	for _, pair := range pairs {
		if a, b := wordsOf(pair[0]), wordsOf(pair[1]); a != b {
			opposites[a], opposites[b] = append(opposites[a], b), append(opposites[b], a)
		}
	}
	type has struct{ entity, field string }
	seen := map[has]bool{}
	// Many facts share few field names.
	named := map[string]string{}
	for i := range p.Len() {
		f := p.At(i)
		field, known := named[f.Field]
		if !known {
			field = wordsOf(f.Field)
			named[f.Field] = field
		}
		if slices.ContainsFunc(opposites[field], func(other string) bool { return seen[has{f.Entity, other}] }) {
			return true
		}
		if len(opposites[field]) > 0 {
			seen[has{f.Entity, field}] = true
		}
	}
	return false
}

// wordsOf returns the words of a field name in lower case, separated by spaces. A word ends before anything but
// a letter or digit, and before a capital after a small letter.
func wordsOf(field string) string {
	var words strings.Builder
	var before rune
	for _, r := range field {
		apart := !unicode.IsLetter(r) && !unicode.IsDigit(r)
		if (apart || unicode.IsUpper(r) && unicode.IsLower(before)) && before != ' ' && words.Len() > 0 {
			words.WriteByte(' ')
			before = ' '
		}
		if !apart {
			words.WriteRune(unicode.ToLower(r))
			before = r
		}
	}
	return strings.TrimSuffix(words.String(), " ")
}
