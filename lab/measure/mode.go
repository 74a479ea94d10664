package measure

import (
	"slices"
	"strings"

	"moot/state"
)

// Mode is one way of hearing cases: the form, the judge, and who sits. Modes are
// compared with ==.
type Mode struct {
	Form state.Form `json:"form"`
	// Gate and Then are those of the form selective, else "".
	Gate state.Gate `json:"gate,omitempty"`
	Then state.Form `json:"then,omitempty"`
	// Judge is the version that decides.
	Judge state.JudgeVersion `json:"judge"`
	// Seats says who sits, as in "rules/rules": the architect, then the skeptic, and
	// an oracle where there is one.
	Seats string `json:"seats"`
}

// String is the mode in one line: "selective escalation>multi, v2, rules/rules".
func (m Mode) String() string {
	parts := []string{m.FormName(), string(m.Judge)}
	if m.Seats != "" {
		parts = append(parts, m.Seats)
	}
	return strings.Join(parts, ", ")
}

// FormName is the form with the gate and what follows it.
func (m Mode) FormName() string {
	if m.Form != state.FormSelective {
		return string(m.Form)
	}
	return string(m.Form) + " " + string(m.Gate) + ">" + string(m.Then)
}

// Reference is the mode that flips of this one are counted against: the form single
// before the same judge with the same seats.
func (m Mode) Reference() Mode {
	return Mode{Form: state.FormSingle, Judge: m.Judge, Seats: m.Seats}
}

// check says what a mode lacks, or "".
func (m Mode) check() string {
	switch {
	case !slices.Contains(state.Forms(), m.Form):
		return "it names no form"
	case !slices.Contains(state.JudgeVersions(), m.Judge):
		return "it names no judge"
	case m.Form == state.FormSelective && (m.Gate == "" || m.Then == ""):
		return "it names no gate, or not what follows"
	}
	return ""
}

// Distinct are the words without repetitions, in their order: what is named twice is
// heard once.
func Distinct[T comparable](words []T) []T {
	var once []T
	for _, w := range words {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	return once
}
