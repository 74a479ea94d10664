package tui

import (
	"slices"
	"strings"
	"testing"

	"moot/state"
	"moot/tui/pane"
)

// What a form of the hearing has no use for is not sent with it, whatever its field
// holds; an error about it is still said where the person sees it.
func TestAHearingIsAskedForWithWhatItsFormTakes(t *testing.T) {
	for form, want := range map[state.Form][3]string{
		state.FormAudit:     {"", "", ""},
		state.FormSingle:    {"", "", ""},
		state.FormMulti:     {"3", "", ""},
		state.FormAnchored:  {"3", "", ""},
		state.FormSelective: {"3", "either", "multi"},
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

// The form offers no fact beside the packet, and says what rules do at a hearing; at the
// other tables they are what they were.
func TestTheFormOfAHearingSaysWhatIsSo(t *testing.T) {
	f := newQuestionFields(&Candidates{})
	f.named("fact").set("it was me")
	for _, c := range []struct {
		format state.Format
		fact   string
	}{{state.FormatHearing, ""}, {state.FormatConsult, "it was me"}} {
		f.named("format").set(string(c.format))
		if got := f.values()["fact"]; got != c.fact {
			t.Errorf("%s: the fact %q is sent, want %q", c.format, got, c.fact)
		}
	}
	helpOf := func(name string) string {
		options := f.named(name).options
		return options[slices.IndexFunc(options, func(c choice) bool { return c.value == "rules" })].help
	}
	for _, seat := range []string{"architect", "skeptic", "oracle"} {
		if help := helpOf(seat); !strings.Contains(help, "the rules of the domain") {
			t.Errorf("the %s may be %q", seat, help)
		}
	}
	if help := helpOf("consultee"); !strings.Contains(help, "searches and checks") {
		t.Errorf("the consultee may be %q", help)
	}
}

// Rules in a hearing are described in words of a hearing.
func TestAHearingIsToldInItsOwnWords(t *testing.T) {
	s := beingHeard(t).state
	s.Seats = []state.SeatAssignment{{Seat: state.Architect, Participant: "rules", NoModel: true}, {Seat: state.Skeptic, Participant: "rules", NoModel: true}}
	if said := pane.Modelless(&s, ""); !strings.Contains(said, "held against the facts") {
		t.Errorf("of rules it says %q", said)
	}
}
