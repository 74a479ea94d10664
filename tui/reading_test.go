package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/ledger"
	"moot/state"
	"moot/tui/pane"
)

// ids are the points of the table in their order.
func ids(p *pane.Points) []string {
	var list []string
	for i := range p.N {
		list = append(list, p.KeyOf(i))
	}
	return list
}

// Each column sorts; what is the same in it stays in the order of the ids.
func TestPointsSort(t *testing.T) {
	m := screenOf(t, everyBucket(t), Options{NoColor: true}, 120, 40)
	for _, test := range []struct{ by, want string }{
		{"bucket ↑", "P1 P4 P3 P6 P5 P7 P2"},
		{"round ↓", "P7 P6 P1 P2 P3 P4 P5"},
		{"chall. ↓", "P2 P3 P5 P1 P4 P6 P7"},
		{"evid. ↓", "P1 P3 P2 P4 P5 P6 P7"},
		{"text ↑", "P6 P1 P2 P4 P7 P3 P5"},
		{"id ↑", "P1 P2 P3 P4 P5 P6 P7"},
	} {
		for m.points.Sorted() != test.by {
			m.points.SortBy(1)
		}
		if got := strings.Join(ids(m.points), " "); got != test.want {
			t.Errorf("by %s: got %s, want %s", test.by, got, test.want)
		}
	}
}

// However points move, the selected one stays selected and in view.
func TestPointsKeepTheSelection(t *testing.T) {
	r := &recorder{t: t, state: &state.State{}}
	r.add(opened(), &state.RoundStarted{Round: 1})
	for i := range 80 {
		r.add(&state.PointRaised{ID: fmt.Sprint("P", i+1), By: state.Consultee, Text: "a claim"})
	}
	m := screenOf(t, r, Options{NoColor: true}, 80, 24)
	typeKeys(m, "2 > down down down down down")
	if m.points.Chosen != "P6" {
		t.Fatalf("%s is selected", m.points.Chosen)
	}
	for i, what := range []state.OverrideKind{state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved, state.OverrideReopen} {
		for k := range 40 {
			tell(m, r.advanced(&state.OverrideMade{What: what, Point: fmt.Sprint("P", 2*k+1+i%2)}))
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
	m := screenOf(t, everyBucket(t), Options{NoColor: true}, 80, 24)
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
	r := everyBucket(t)
	r.add(&state.EvidenceOffered{ID: "E3", Point: "P1", Relation: ledger.Refutes, Reference: "queue/producer.go:7", By: state.Orchestrator},
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
	r := demo(t)
	m := screenOf(t, r, Options{NoColor: true}, 80, 24)
	typeKeys(m, "7")
	note := func(text string) string {
		tell(m, r.advanced(&state.PointNoted{Point: "P1", Text: text}))
		return ansi.Strip(m.View().Content)
	}
	last := func() string { return fmt.Sprintf("#%d", r.state.Seq) }
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
	m := screenOf(t, demo(t), Options{NoColor: true}, 80, 24)
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
			m := screenOf(t, demo(t), Options{NoColor: true}, 80, 14)
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
