package tui

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// long is a session of more events than are folded at once.
func long(t testing.TB) *protocoltest.Record {
	r := protocoltest.Consultation(t)
	for i := range 8 * markEvery {
		r.Add(&state.FactRecorded{ID: fmt.Sprint("F", i+5), Tag: ledger.TagUser, Seat: state.User, Text: fmt.Sprint("fact ", i)})
		if i%300 == 0 {
			r.Add(&state.PointRaised{ID: fmt.Sprint("P", 7+i/300), By: state.Consultee, Text: "a claim"})
		}
		if i == 600 {
			r.Add(&state.RoundStarted{Round: 5})
		}
	}
	return r
}

// After any steps, the screen shows the state that its events fold to.
func TestReplayShowsEachPrefix(t *testing.T) {
	skipShort(t)
	records := []*protocoltest.Record{protocoltest.Consultation(t), long(t)}
	rapid.Check(t, func(t *rapid.T) {
		r := records[rapid.IntRange(0, len(records)-1).Draw(t, "record")]
		m := screenOf(records[0].T, r, Options{NoColor: true}, 100, 30)
		typeKeys(m, "r")
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "jump") {
				m.seek(rapid.IntRange(-3, len(r.Events)+3).Draw(t, "at"))
			} else {
				key := rapid.SampledFrom([]string{"left", "right", "[", "]", "home", "end"}).Draw(t, "key")
				typeKeys(m, key)
			}
			at := m.replay.at
			want, err := state.Replay(r.Events[:at])
			if err != nil {
				t.Fatal(err)
			}
			rulings := resolver.Rule(want)
			if !reflect.DeepEqual(m.state, want) || len(m.rulings) != len(rulings) || len(rulings) > 0 && !reflect.DeepEqual(m.rulings, rulings) {
				t.Fatalf("event %d shows another state", at)
			}
			if n := len(m.replay.marks); n > len(r.Events)/markEvery+1 {
				t.Fatalf("%d states are kept of %d events", n, len(r.Events))
			}
			m.flash, m.dirty = "", true
			if !strings.Contains(ansi.Strip(m.View().Content), fmt.Sprintf("event %d of %d", at, len(r.Events))) {
				t.Fatalf("the status does not say event %d", at)
			}
		}
		typeKeys(m, "r")
		if m.replaying() || m.state.Seq != len(r.Events) {
			t.Fatal("the present is not back")
		}
	})
}

// Keys go by events and by rounds, and not beyond the ends.
func TestReplaySteps(t *testing.T) {
	r := protocoltest.Consultation(t)
	var rounds []int
	for _, e := range r.Events {
		if _, starts := e.Data.(*state.RoundStarted); starts {
			rounds = append(rounds, e.Seq)
		}
	}
	last := len(r.Events)
	m := screenOf(t, r, Options{NoColor: true}, 100, 30)
	for _, step := range []struct {
		keys string
		at   int
	}{
		{"r", last},
		{"right", last},
		{"left", last - 1},
		{"home", 1},
		{"left", 1},
		{"]", rounds[0]},
		{"]", rounds[1]},
		{"right", rounds[1] + 1},
		{"[", rounds[1]},
		{"[", rounds[0]},
		{"[", 1},
		{"] ] ] ]", rounds[3]},
		{"]", last},
		{"[", rounds[2]},
	} {
		if typeKeys(m, step.keys); m.replay.at != step.at || m.state.Seq != step.at {
			t.Fatalf("%s: event %d, state of event %d, not %d", step.keys, m.replay.at, m.state.Seq, step.at)
		}
	}
}

// During a replay the session continues, its news is kept, and the user can't decide anything.
func TestReplayOverRunningSession(t *testing.T) {
	r := protocoltest.Consultation(t)
	m := screenOf(t, r, Options{NoColor: true}, 120, 36)
	tell(m, ready(state.Consultee))
	typeKeys(m, "r home ]")
	at := m.state.Seq
	tell(m, advanced(r, &state.PointRaised{ID: "P7", By: state.Consultee, Text: "a new claim"},
		&state.QuestionSurfaced{ID: "Q2", Point: "P7", What: state.QuestionTradeoff, Text: "Which?", Options: []string{"a", "b"}}))
	content := ansi.Strip(m.View().Content)
	if m.state.Seq != at || strings.Contains(content, "a new claim") || strings.Contains(content, "asked") || len(m.dialogs) > 0 {
		t.Errorf("the present shows:\n%s", content)
	}
	if want := fmt.Sprintf("event %d of %d: an earlier moment; r goes back", at, len(r.Events)); !strings.Contains(content, want) {
		t.Errorf("it does not say %q:\n%s", want, content)
	}
	for _, a := range []Action{ActionNext, ActionAuto, ActionAgree, ActionDismiss, ActionReopen, ActionFact, ActionOverride, ActionAnswer, ActionPreview} {
		if m.disabled(a) == "" {
			t.Errorf("%s can be done in the past", a)
		}
	}
	if orders := ordered(m, "space A F u"); orders != nil {
		t.Errorf("the session was ordered %v", orders)
	}
	typeKeys(m, "r")
	if content := ansi.Strip(m.View().Content); m.state.Seq != len(r.Events) || !strings.Contains(content, "a new claim") || !strings.Contains(content, "2 asked") {
		t.Errorf("the present is not back:\n%s", content)
	}
}
