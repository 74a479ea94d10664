package tui

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"moot/state"
	"moot/tui/form"
	"moot/tui/pane"
)

// What a form of the hearing has no use for is not sent with it, whatever its field
// holds; an error about it is still said where the person sees it.
func TestAHearingIsAskedForWithWhatItsFormTakes(t *testing.T) {
	for hearing, want := range map[state.Form][3]string{
		state.FormAudit:     {"", "", ""},
		state.FormSingle:    {"", "", ""},
		state.FormMulti:     {"3", "", ""},
		state.FormAnchored:  {"3", "", ""},
		state.FormSelective: {"3", "either", "multi"},
	} {
		f := form.New("", questionFields(nil, state.FormatHearing))
		f.Set("form", string(hearing))
		v := f.Values()
		if got := [3]string{v["rounds"], v["gate"], v["then"]}; got != want {
			t.Errorf("%s: rounds, gate and then are %q, want %q", hearing, got, want)
		}
	}
}

// The form offers no fact beside the packet, and says what rules do at a hearing; at the
// other tables they are what they were.
func TestTheFormOfAHearingSaysWhatIsSo(t *testing.T) {
	rules := func(format state.Format, key string) string {
		for _, f := range questionFields(nil, format) {
			for _, c := range f.Choices {
				if f.Key == key && c.Value == "rules" {
					return c.Help
				}
			}
		}
		return ""
	}
	for _, seat := range []string{"architect", "skeptic", "oracle"} {
		if help := rules(state.FormatHearing, seat); !strings.Contains(help, "the rules of the domain") {
			t.Errorf("the %s may be %q", seat, help)
		}
	}
	if help := rules(state.FormatConsult, "consultee"); !strings.Contains(help, "searches and checks") {
		t.Errorf("the consultee may be %q", help)
	}
	if f := form.New("", questionFields(nil, state.FormatHearing)); slices.Contains(slices.Collect(maps.Keys(f.Values())), "fact") {
		t.Error("a hearing asks for facts beside its packet")
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
