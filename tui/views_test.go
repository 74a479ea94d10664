package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/tui/pane"
)

// However points move, the selected one stays selected and in view.
func TestPointsKeepTheSelection(t *testing.T) {
	r := protocoltest.NewRecord(t)
	r.Add(protocoltest.ConsultOpened(), &state.RoundStarted{Round: 1})
	for i := range 80 {
		r.Add(&state.PointRaised{ID: fmt.Sprint("P", i+1), By: state.Consultee, Text: "a claim"})
	}
	m := screenOf(t, r, Options{NoColor: true}, 80, 24)
	typeKeys(m, "2 > =P6")
	if m.points.Chosen != "P6" {
		t.Fatalf("%s is selected", m.points.Chosen)
	}
	for i, what := range []state.OverrideKind{state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved, state.OverrideReopen} {
		for k := range 40 {
			tell(m, advanced(r, &state.OverrideMade{What: what, Point: fmt.Sprint("P", 2*k+1+i%2)}))
		}
		if content := ansi.Strip(m.View().Content); m.points.Chosen != "P6" || !strings.Contains(content, "▸P6 ") {
			t.Fatalf("after %s %s is selected:\n%s", what, m.points.Chosen, content)
		}
	}
	typeKeys(m, "> > > >")
	if m.points.Chosen != "P6" {
		t.Errorf("sorted anew, %s is selected", m.points.Chosen)
	}
}

// The Point view goes from point to point, and every other view with it.
func TestPointSelectsTheNextAndPrevious(t *testing.T) {
	m := screenOf(t, protocoltest.EveryBucket(t), Options{NoColor: true}, 80, 24)
	typeKeys(m, "3 right right left right")
	if m.topic != "P3" || m.points.Chosen != "P3" || m.buckets.Chosen != "P3" {
		t.Errorf("topic %s, points %s, buckets %s", m.topic, m.points.Chosen, m.buckets.Chosen)
	}
	typeKeys(m, "left left left left left")
	if m.topic != "P1" {
		t.Errorf("before the first comes %s", m.topic)
	}
}

// The cited reference is the clicked one, or else the first visible one.
func TestPointCites(t *testing.T) {
	r := protocoltest.EveryBucket(t)
	r.Add(&state.EvidenceOffered{ID: "E3", Point: "P1", Relation: ledger.Refutes, Reference: "queue/producer.go:7", By: state.Orchestrator},
		&state.EvidenceVerified{ID: "E3", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "queue/producer.go:7", Excerpt: "one\ntwo\nthree\n", Admitted: true})
	m := screenOf(t, r, Options{NoColor: true}, 100, 50)
	m.focusOn(pane.PointID)
	m.View()
	if got := m.cited(); got != "queue/consumer.go:88" {
		t.Errorf("seen first: %q", got)
	}
	rect := m.layout.Panes[pane.PointID]
	y := slices.IndexFunc(m.point.View(rect.W, rect.H), func(row string) bool { return strings.Contains(ansi.Strip(row), " two ") })
	if y < 0 {
		t.Fatalf("line 8 is not quoted:\n%s", ansi.Strip(m.View().Content))
	}
	m.Update(tea.MouseClickMsg{X: rect.X + 5, Y: rect.Y + y, Button: tea.MouseLeft})
	if got := m.cited(); got != "queue/producer.go:7" {
		t.Errorf("clicked: %q", got)
	}
	if view := ansi.Strip(strings.Join(m.point.View(rect.W, rect.H), "\n")); !strings.Contains(view, "\n▸ ") {
		t.Errorf("the clicked item is not marked:\n%s", view)
	}
}

// The record follows the end until one moves away from it, and again from there
// on; enter opens an event with its fields and what they name.
func TestRecord(t *testing.T) {
	r := protocoltest.Consultation(t)
	m := screenOf(t, r, Options{NoColor: true}, 80, 24)
	typeKeys(m, "7")
	note := func(text string) string {
		tell(m, advanced(r, &state.PointNoted{Point: "P1", Text: text}))
		return ansi.Strip(m.View().Content)
	}
	last := func() string { return fmt.Sprintf("#%d", r.State.Seq) }
	if content := note("first note"); !strings.Contains(content, "first note") || m.record.Selected() != last() {
		t.Fatalf("the end is not followed; %s is selected", m.record.Selected())
	}
	typeKeys(m, "up")
	before := m.record.Selected()
	for i := range 30 {
		note(fmt.Sprint("more ", i))
	}
	if m.record.Selected() != before || !strings.Contains(ansi.Strip(m.View().Content), "▸"+before+" ") {
		t.Fatalf("%s moved to %s", before, m.record.Selected())
	}
	typeKeys(m, "end")
	if content := note("last note"); !strings.Contains(content, "last note") || m.record.Selected() != last() {
		t.Fatal("the end is not followed again")
	}
	typeKeys(m, "enter")
	content := ansi.Strip(m.View().Content)
	for _, want := range []string{"Event " + last(), "point-noted", `"text": "last note"`} {
		if !strings.Contains(content, want) {
			t.Errorf("the event does not show %q:\n%s", want, content)
		}
	}
}

// An entry of the debate is selected by keys and by a click, visibly, and opens
// what it is about, or its event.
func TestDebateEntriesAreSelected(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 80, 24)
	typeKeys(m, "1 left left")
	content := ansi.Strip(m.View().Content)
	if m.debate.Selected() == "" || !strings.Contains(content, "\n▸") {
		t.Fatalf("%q is selected:\n%s", m.debate.Selected(), content)
	}
	for m.debate.Selected() != "C3" {
		typeKeys(m, "left")
	}
	typeKeys(m, "enter")
	if d, ok := m.dialog().(*reader); !ok || d.about != "C3" {
		t.Error("enter does not open the challenge")
	}
	typeKeys(m, "esc")
	for m.debate.Transcript.Entries[m.debate.At].Text != "phase: DEVELOPMENT" {
		typeKeys(m, "right")
	}
	typeKeys(m, "enter")
	if d, ok := m.dialog().(*reader); !ok || d.heading != "Event "+m.debate.Selected() {
		t.Error("enter does not open the event")
	}
}

// A search goes from match to match in each view, each in view when it is found,
// and around at the end.
func TestSearchWrapsAround(t *testing.T) {
	for _, test := range []struct {
		pane  pane.ID
		query string
		least int
	}{
		{pane.DebateID, "crash", 3},
		{pane.PointsID, "P", 5},
		{pane.PointID, "consumer", 3},
		{pane.LedgerID, "queue", 2},
		{pane.RecordID, "C1", 2},
		{pane.BucketsID, "agreed", 2},
		{pane.ChallengesID, "SKEPTICAL", 2},
	} {
		t.Run(test.pane.String(), func(t *testing.T) {
			m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 80, 14)
			m.focusOn(test.pane)
			typeKeys(m, "/")
			for _, c := range test.query {
				typeKeys(m, string(c))
			}
			typeKeys(m, "enter")
			seen := map[string]bool{}
			for range 40 {
				rect := m.layout.Panes[test.pane]
				rows := m.paneOf(test.pane).View(rect.W, rect.H)
				at := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(ansi.Strip(row), "▸") })
				if at < 0 {
					t.Fatalf("nothing is marked:\n%s", ansi.Strip(strings.Join(rows, "\n")))
				}
				seen[ansi.Strip(rows[at])] = true
				typeKeys(m, "n")
			}
			if len(seen) < test.least {
				t.Errorf("%d places: %v", len(seen), seen)
			}
		})
	}
}

// The map opens at the point that is looked at, and moves to what bears on it.
func TestGraphSelects(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 120, 40)
	typeKeys(m, "8 =P2 5")
	m.View()
	if m.graph.Selected() != "P2" {
		t.Fatalf("%s is selected, and P2 was in Buckets", m.graph.Selected())
	}
	typeKeys(m, "=C1")
	if m.graph.Selected() != "C1" || m.topic != "P2" {
		t.Errorf("%s is selected, the topic is %s", m.graph.Selected(), m.topic)
	}
	typeKeys(m, "enter")
	if d, ok := m.dialog().(*reader); !ok || d.heading != "C1" {
		t.Error("enter does not open the challenge")
	}
}

// A click selects a box, the wheel scrolls, a search finds what a box says.
func TestGraphWithTheMouseAndSearch(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 100, 20)
	typeKeys(m, "5")
	top := func() string {
		m.View()
		r := m.layout.Panes[pane.GraphID]
		return ansi.Strip(m.graph.View(r.W, r.H)[0])
	}
	before, r := top(), m.layout.Panes[pane.GraphID]
	m.Update(tea.MouseWheelMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseWheelDown})
	if top() == before {
		t.Error("the wheel does not scroll")
	}
	m.Update(tea.MouseWheelMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseWheelUp})
	y := slices.IndexFunc(m.graph.View(r.W, r.H), func(row string) bool { return strings.Contains(ansi.Strip(row), "E1 ") })
	m.Update(tea.MouseClickMsg{X: r.X + 10, Y: r.Y + y + 1, Button: tea.MouseLeft})
	if m.graph.Selected() != "E1" {
		t.Errorf("%s is selected", m.graph.Selected())
	}
	typeKeys(m, "/ d o u b l e s enter")
	if m.graph.Selected() != "P5" {
		t.Errorf("the search ends at %s", m.graph.Selected())
	}
}

// What a model thinks is shown as such, in a few rows, until it speaks.
func TestThoughtsAreShownAsSuch(t *testing.T) {
	now := protocoltest.RecordTime()
	m := screenOf(t, protocoltest.PanelConvened(t).Record, Options{Now: func() time.Time { return now }}, 120, 36)
	m.ended = false
	tell(m, panelCalls()[:1]...)
	now = now.Add(2 * time.Second)
	tell(m, protocol.Reported{Seat: panel.Panelist, Text: "429, again in 1 s (2/5)"})
	tell(m, protocol.Thinking{Seat: panel.Panelist, Text: strings.Repeat("an early doubt ", 200) + "\x1b[31m\n"},
		protocol.Thinking{Seat: panel.Panelist, Text: "perhaps the lists"})
	got := screenText(m)
	if !strings.Contains(got, "    thinks  ") || !strings.Contains(got, "perhaps the lists") || strings.Contains(got, "429") {
		t.Errorf("the thought is not shown:\n%s", got)
	}
	if n := strings.Count(got, "an early doubt an early doubt"); n == 0 || n > pane.ThoughtRows*10 {
		t.Errorf("%d pieces of the thought are shown:\n%s", n, got)
	}
	rows := 0
	for line := range strings.SplitSeq(got, "\n") {
		if strings.Contains(line, "an early doubt") || strings.Contains(line, "perhaps the lists") {
			rows++
		}
	}
	if rows > pane.ThoughtRows {
		t.Errorf("the thought takes %d rows", rows)
	}
	drawn := m.View().Content
	if i := strings.Index(drawn, "perhaps the lists"); !strings.Contains(drawn[max(0, i-200):i], m.look.Thought.On) {
		t.Error("the thought looks like a reply")
	}
	tell(m, protocol.Streamed{Seat: panel.Panelist, Text: "1. Streams lose nothing"})
	if got := screenText(m); strings.Contains(got, "thinks") || !strings.Contains(got, "Streams lose nothing") {
		t.Errorf("the reply does not take the place of the thought:\n%s", got)
	}
}
