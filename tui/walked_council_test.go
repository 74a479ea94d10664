package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// What a person in a seat of a council is shown to type is read as the move that it
// stands for.
func TestTheHintsOfACouncilAreRead(t *testing.T) {
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	moves := []protocol.MoveKind{
		protocol.MoveClassify, protocol.MoveDefend, protocol.MoveConcede, protocol.MoveJudge, protocol.MoveRevise,
		protocol.MoveCite, protocol.MoveScore, protocol.MoveClarify, protocol.MoveMerge, protocol.MoveSynthesize, protocol.MoveFlag,
	}
	ask := protocol.Ask{Seat: state.Strategist, Stage: state.StageAnswer, Moves: moves}
	hints := stageHints(ask)
	for i, kind := range moves {
		for one := range strings.SplitSeq(hints[i], "   ") {
			parsed, failure := parser.Parse(one, ask)
			if failure != nil || len(parsed.Moves) != 1 || len(parsed.Refused) != 0 || parsed.Moves[0].Kind() != kind {
				t.Errorf("%q is read as %+v %v", one, parsed, failure)
			}
		}
	}
	propose := protocol.Ask{Seat: state.Strategist, Stage: state.StagePropose, Moves: []protocol.MoveKind{protocol.MoveRaise}}
	parsed, failure := parser.Parse(strings.ReplaceAll(stageHints(propose)[0], "path:line", "a.md:1"), propose)
	if failure != nil || len(parsed.Moves) != 1 {
		t.Fatalf("a claim is read as %+v %v", parsed, failure)
	}
	if m, is := parsed.Moves[0].(*protocol.Raise); !is || m.Text != "claim" || m.Limit == "" || m.Because == "" || m.Confidence == nil || len(m.Citations) != 1 {
		t.Errorf("a claim is read as %+v", parsed.Moves[0])
	}
	test := protocol.Ask{Seat: state.Adversary, Stage: state.StageAttack, Moves: []protocol.MoveKind{protocol.MoveClassify, protocol.MoveChallenge, protocol.MoveScore}}
	if got := stageHints(test); slices.Contains(got, string(protocol.MoveChallenge)) || len(got) != 2 {
		t.Errorf("who classifies is shown %q", got)
	}
	alone := protocol.Ask{Seat: state.Critic, Stage: state.StageMend, Moves: []protocol.MoveKind{protocol.MoveChallenge}}
	for one := range strings.SplitSeq(stageHints(alone)[0], "   ") {
		if parsed, failure := parser.Parse(one, alone); failure != nil || len(parsed.Moves) != 1 || parsed.Moves[0].Kind() != protocol.MoveChallenge {
			t.Errorf("%q is read as %+v %v", one, parsed, failure)
		}
	}
}

// A contradiction of the moderator is told in the header also where there is little
// room, whole.
func TestTheNarrowHeaderTellsOfAContradiction(t *testing.T) {
	r := councilled(t)
	at := slices.IndexFunc(r.events, func(e state.Event) bool { return e.Data.Kind() == "consensus-tested" })
	s, err := state.Replay(r.events[:at+1])
	if err != nil {
		t.Fatal(err)
	}
	m := screenOf(t, &recorder{t: t, state: s, events: r.events[:at+1]}, Options{NoColor: true}, 40, 12)
	if row := strings.Split(screenText(m), "\n")[1]; !strings.Contains(row, "unsettled ! contradicted") || strings.Contains(row, "…") {
		t.Errorf("the header says %q", row)
	}
}

// The claim that is selected stays in sight when the screen gets smaller.
func TestASmallerScreenKeepsTheSelectionInSight(t *testing.T) {
	for _, view := range []string{"2", "6"} {
		m := screenOf(t, councilledOver(t), Options{NoColor: true}, 120, 40)
		typeKeys(m, view+" end")
		m.View()
		for _, size := range [][2]int{{80, 24}, {40, 12}} {
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			if screen := screenText(m); !strings.Contains(screen, m.look.Glyphs.Pointer+"P9 ") {
				t.Errorf("in view %s at %v P9 is not to be seen:\n%s", view, size, screen)
			}
		}
	}
}
