package tui

import (
	"strings"
	"testing"

	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// openCouncil is a council before anything was said.
func openCouncil(t testing.TB) *recorder {
	t.Helper()
	r := &recorder{t: t}
	open := opened(
		state.SeatAssignment{Seat: state.Strategist, Participant: "openai:gpt-5.2"}, state.SeatAssignment{Seat: state.Critic, Participant: "claude"},
		state.SeatAssignment{Seat: state.Adversary, Participant: "ollama:qwen3"}, state.SeatAssignment{Seat: state.Moderator, Participant: "rules", NoModel: true},
	)
	open.Settings.Format, open.Rules = state.FormatCouncil, formats.ByName(state.FormatCouncil)
	open.Settings.Council = &state.CouncilSettings{Rounds: state.DefaultCouncilRounds, Weights: state.DefaultWeights(), Decision: state.DefaultDecision}
	r.add(open)
	return r
}

// The rules' word stands above the table, and what the moderator said otherwise; a
// seat that reported nothing is a dash, each of CV1, CV2, CV3 and CV4 a mark with a
// word, and the selected claim says what it still needs.
func TestTheCouncilIsShown(t *testing.T) {
	m := screenOf(t, councilled(t), Options{NoColor: true}, 120, 44)
	typeKeys(m, "6 home")
	for _, step := range []struct {
		keys string
		says []string
	}{
		{"", []string{"Round 2 of 3", "No consensus in round 1", "The moderator reports agreement, but the rules find none"}},
	} {
		typeKeys(m, step.keys)
		for _, want := range step.says {
			if screen := said(m); !strings.Contains(screen, want) {
				t.Errorf("after %q it does not say %q:\n%s", step.keys, want, screen)
			}
		}
	}
	row := ""
	for line := range strings.SplitSeq(said(m), "\n") {
		if strings.Contains(line, " P9  Every job") {
			row = line
		}
	}
	if !strings.Contains(row, "0.70    –") || !strings.Contains(row, "✓ Agreed") {
		t.Errorf("the row says %q", row)
	}
}

// A claim opens as its receipt. A search goes to the claim that has the words, and one
// that was reworded is found as what it is now.
func TestTheClaimOfACouncil(t *testing.T) {
	m := screenOf(t, councilled(t), Options{NoColor: true}, 120, 44)
	m.setTopic("P2")
	typeKeys(m, "6")
	if m.council.Selected() != "P8" {
		t.Errorf("%s is selected for P2", m.council.Selected())
	}
	typeKeys(m, "home / t h r o u g h p u t enter esc")
	if m.council.Selected() != "P4" || m.topic != "P4" {
		t.Errorf("the search goes to %s, the topic is %s", m.council.Selected(), m.topic)
	}
	clickOn(t, m, "P6  ")
	if m.council.Selected() != "P6" || m.topic != "P6" {
		t.Fatalf("a click selects %s, the topic is %s", m.council.Selected(), m.topic)
	}
	clickOn(t, m, "P6  ")
	if screen := said(m); m.dialog() == nil || !strings.Contains(screen, "Validation") || !strings.Contains(screen, "CV3") {
		t.Errorf("a second click shows\n%s", screen)
	}
}

// However the session came to a moment, forwards or back, the view says what it
// says to one who opens it there.
func TestTheCouncilOfEachMoment(t *testing.T) {
	r := councilled(t)
	l := theme.New(theme.Appearance{Mono: true})
	kept, ruler := pane.NewCouncil(l), resolver.NewRuler()
	var moments []state.State
	var s state.State
	for _, e := range r.events {
		next, err := state.Apply(s, e)
		if err != nil {
			t.Fatal(err)
		}
		s = next
		moments = append(moments, s)
	}
	for i := range 2 * len(moments) {
		now := moments[min(i, 2*len(moments)-1-i)]
		fresh := pane.NewCouncil(l)
		for _, p := range []*pane.Council{kept, fresh} {
			p.SetState(now, ruler(now))
			p.Edge(true, 160, 40)
		}
		if got, want := strings.Join(kept.View(160, 40), "\n"), strings.Join(fresh.View(160, 40), "\n"); got != want {
			t.Fatalf("after event %d it says\n%s\nnot\n%s", now.Seq, got, want)
		}
	}
}
