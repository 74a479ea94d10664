package tui

import (
	"slices"
	"testing"

	"moot/state"
)

// What a form of the hearing has no use for is not sent with it, whatever its field
// holds; an error about it is still said where the person sees it.
func TestAHearingIsAskedForWithWhatItsFormTakes(t *testing.T) {
	for form, want := range map[state.Form][3]string{
		state.FormAudit:     {"", "", ""},
		state.FormSingle:    {"", "", ""},
		state.FormMulti:     {"3", "", ""},
		state.FormAnchored:  {"3", "", ""},
		state.FormSelective: {"3", "either", "anchored"},
	} {
		f := newQuestionFields(&Candidates{})
		f.named("format").set(string(state.FormatHearing))
		f.named("form").set(string(form))
		values := f.values()
		if got := [3]string{values["hearing-rounds"], values["gate"], values["hearing-then"]}; got != want {
			t.Errorf("%s: rounds, gate and then are %q, want %q", form, got, want)
		}
		f.setError("framing", "it is not taken")
		if !slices.Contains(f.shown(), f.at) || f.focused().wrong != "it is not taken" {
			t.Errorf("%s: the error is at %q, %q", form, f.focused().name, f.focused().wrong)
		}
	}
}
