package tui

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/ledger"
	"moot/state"
	"moot/tui/pane"
)

// paneText is all that a pane of a session says, where it has room.
func paneText(m *Model, p pane.ID) string {
	return ansi.Strip(strings.Join(m.paneOf(p).View(240, 300), "\n"))
}

// What code cleared is nowhere shown as a challenge that waits for an answer or a
// judgment: those are the words of another format.
func TestAnObjectionIsToldAsItCameOut(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 240, 60)
	for _, topic := range []string{"P1", "P2", "P3", "P5"} {
		m.setTopic(topic)
		for _, p := range m.views {
			if p == pane.RecordID || p == pane.DebateID {
				// They show what happened, as it was then.
				continue
			}
			text := paneText(m, p)
			for _, wrong := range []string{" open", "REJECT ", "SKEPTICAL", "not judged", "agreement only", "not answered", "not resolved yet"} {
				if strings.Contains(text, wrong) {
					t.Errorf("%s of %s says %q:\n%s", p, topic, wrong, text)
				}
			}
		}
	}
}

// The challenges that stand come first, and the gravest of them.
func TestTheGravestObjectionsStandFirst(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 120, 40)
	var order []string
	for i := range m.challenges.N {
		order = append(order, m.challenges.KeyOf(i))
	}
	if got := strings.Join(order, " "); got != "C1 C6 C2 C3 C7 C4 C5" {
		t.Errorf("the objections stand as %s", got)
	}
	if got := m.challenges.Title(); got != "Challenges 2 stand" {
		t.Errorf("the pane is headed %q", got)
	}
}

// Evidence stands in the order of authority that the session is configured with;
// what is not verified counts as a model's word, and what is not checked comes
// last.
func TestEvidenceStandsByAuthority(t *testing.T) {
	r := &recorder{t: t}
	open := pressedOpened()
	open.Settings.Playbook.Config = json.RawMessage(`{"authority":["official-source"],"allow":{"BLOCKING":["official-source"]}}`)
	r.add(open, &state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Proposer, Text: "a = 1"},
		&state.FieldProposed{Point: "P1", Path: "a", Value: json.RawMessage("1"), Category: "Taste", Severity: "HIGH"})
	verified := func(id string, kind ledger.SourceKind, admitted bool) {
		r.add(&state.EvidenceOffered{ID: id, Point: "P1", Relation: ledger.Supports, Reference: id + ".md:1", By: state.Proposer},
			&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: kind, Confidence: 0.9, Reference: id + ".md:1", Admitted: admitted})
	}
	verified("E1", ledger.LiveAPI, true)
	verified("E2", ledger.LiveAPI, false)
	verified("E3", ledger.OfficialSource, true)
	r.add(&state.EvidenceOffered{ID: "E4", Point: "P1", Relation: ledger.Supports, Reference: "d.md:1", By: state.Proposer})
	m := screenOf(t, r, Options{NoColor: true}, 120, 40)
	var said []string
	for row := range strings.SplitSeq(strings.TrimRight(paneText(m, pane.LedgerID), " \n"), "\n") {
		row, _, _ = strings.Cut(strings.TrimLeft(row, " ▸"), "   ")
		said = append(said, row)
	}
	want := []string{
		"official-source  decides up to BLOCKING", "✓ E3  supports P1", "live-api  decides up to HIGH", "✓ E1  supports P1",
		"llm-inference  decides LOW only", "✓ E2  supports P1", "not checked yet  decides nothing until then", "○ E4  supports P1",
	}
	if got := strings.Join(said, "\n"); got != strings.Join(want, "\n") {
		t.Errorf("the ledger says\n%s\nand not\n%s", got, strings.Join(want, "\n"))
	}
}

// The transcript tells an outcome once, and again only where it came out
// otherwise.
func TestTheTranscriptTellsWhatCameOutAnew(t *testing.T) {
	r := pressed(t)
	told := pane.NewTranscript()
	told.Add(r.events)
	count := map[string]int{}
	for _, e := range told.Entries {
		if id, _, found := strings.Cut(e.Lead, " "); found && strings.Contains(e.Lead, " by R") {
			count[id]++
		}
	}
	for id, want := range map[string]int{"C1": 2, "C2": 1, "C3": 2, "C5": 2, "C7": 2} {
		if count[id] != want {
			t.Errorf("the outcome of %s is told %d times, not %d", id, count[id], want)
		}
	}
}

// A field's history tells its values, the first one as who raised it proposed it.
func TestAFieldTellsItsValues(t *testing.T) {
	m := screenOf(t, pressed(t), Options{NoColor: true}, 120, 40)
	m.setTopic("P1")
	text := paneText(m, pane.PointID)
	for _, want := range []string{"was 25 in round 1", "P1: rollout.percent = 25", "P1: revised: rollout.percent = 10"} {
		if !strings.Contains(text, want) {
			t.Errorf("the field does not say %q:\n%s", want, text)
		}
	}
}
