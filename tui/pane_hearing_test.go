package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// listedFacts are the ids of the facts that are listed.
func listedFacts(m *Model) string {
	p := m.hearing.Facts
	p.Fresh()
	var ids []string
	for i := range p.N {
		ids = append(ids, p.Fact(i).ID)
	}
	return strings.Join(ids, " ")
}

// The keys that sort, turn around, filter and search list other facts, and the
// selected one stays while it is listed.
func TestFactsOfAHearing(t *testing.T) {
	m := screenOf(t, heard(t), Options{NoColor: true}, 120, 40)
	typeKeys(m, "6")
	for _, step := range []struct{ keys, lists, selected string }{
		{"", "f05 f04 f06 f07 f01 f02 f08 f09 f10 f03", "fact f05"},
		{"down down", "f05 f04 f06 f07 f01 f02 f08 f09 f10 f03", "fact f06"},
		{">", "f01 f02 f03 f04 f05 f06 f07 f08 f09 f10", "fact f06"},
		{"i", "f10 f09 f08 f07 f06 f05 f04 f03 f02 f01", "fact f06"},
		{"b", "f10 f08 f04 f02 f01", "fact f01"},
		{"b", "f09 f07 f06 f05", "fact f05"},
		{"b", "", ""},
		{"b", "f03", "fact f03"},
		{"b <", "f05 f04 f06 f07 f01 f02 f08 f09 f10 f03", "fact f03"},
		{"/ b a c k u p", "f05 f06 f09 f10", "fact f10"},
		{"enter n", "f05 f06 f09 f10", "fact f05"},
		{"N", "f05 f06 f09 f10", "fact f10"},
		{"esc", "f05 f04 f06 f07 f01 f02 f08 f09 f10 f03", "fact f10"},
		{"/ a g a i n s t space P 2", "f05 f07", "fact f07"},
		{"esc / z z z", "", ""},
		{"esc", "f05 f04 f06 f07 f01 f02 f08 f09 f10 f03", "fact f07"},
	} {
		typeKeys(m, step.keys)
		m.View()
		if got := listedFacts(m); got != step.lists || m.hearing.Selected() != step.selected {
			t.Errorf("after %q it lists %q with %q, want %q with %q:\n%s", step.keys, got, m.hearing.Selected(), step.lists, step.selected, said(m))
		}
	}
}

// A fact may have the id of a claim: what is selected is the fact all the same, and
// no decision falls on the claim.
func TestAFactIsNoPoint(t *testing.T) {
	m := screenOf(t, foulHearing(t, 1), Options{NoColor: true}, 120, 40)
	typeKeys(m, "6")
	for range 60 {
		if p := m.target(); p != "" {
			t.Fatalf("%q is taken for the point %s", m.hearing.Selected(), p)
		}
		typeKeys(m, "down")
	}
	typeKeys(m, "enter")
	if r, reads := m.dialog().(*reader); !reads || !strings.HasPrefix(r.heading, "fact ") || r.point != "" {
		t.Errorf("enter opens %+v", m.dialog())
	}
}

// The fact is told in full with where it comes from and who cites it, and copied so.
func TestTheSelectedFactInFull(t *testing.T) {
	m := screenOf(t, heard(t), Options{NoColor: true}, 120, 40)
	typeKeys(m, "6")
	for _, want := range []string{
		"entity    dc-1", `value     "ad-backup-nightly"`, "time      2026-11-20T02:44:00Z", "source    syslog, collector-3, parser 1.4",
		"skeptic   for P4, round 1: The nightly backup", "oracle    against P2 in C1, round 1: A backup", "skeptic   in answer to C1, round 2",
	} {
		if screen := said(m); !strings.Contains(screen, want) {
			t.Errorf("it does not say %q:\n%s", want, screen)
		}
	}
	if text := m.hearing.Copied(); !strings.Contains(text, `f05 dc-1 scheduled_task "ad-backup-nightly"`) || !strings.Contains(text, "oracle against P2, round 1") {
		t.Errorf("copied: %q", text)
	}
}

// Drifts that were kept and rebuttals that were ignored have a sign and a word; a
// click goes to a part, selects a claim, and opens it.
func TestTheConfidencesOfAHearing(t *testing.T) {
	m := screenOf(t, heard(t), Options{NoColor: true}, 120, 40)
	typeKeys(m, "6")
	clickOn(t, m, "Confidence    Judge")
	for _, want := range []string{
		"↓ drift kept: architect on the question, round 3: 0.50 was stated without a fact, 0.70 counts",
		"= rebuttal ignored: architect on P2, round 3: f07 of C3 stayed unanswered",
		"● architect  P3  0.85, 0.85", "↓ drift kept, round 2 (0.40)", "= rebuttal ignored, round 3", "◆ skeptic    P4  0.80, 0.65",
	} {
		if screen := said(m); !strings.Contains(screen, want) {
			t.Errorf("it does not say %q:\n%s", want, screen)
		}
	}
	clickOn(t, m, "P4  0.80")
	if m.hearing.Selected() != "P4" || m.topic != "P4" {
		t.Fatalf("%s is selected, the topic is %s", m.hearing.Selected(), m.topic)
	}
	clickOn(t, m, "P4  0.80")
	if m.focus != pane.PointID || m.topic != "P4" {
		t.Errorf("the second click leads to %s about %s", m.focus, m.topic)
	}
}

// However the session came to a moment, forwards or back, each part says what it says
// to one who opens it there.
func TestTheHearingOfEachMoment(t *testing.T) {
	r := heard(t)
	l := theme.New(theme.Appearance{Mono: true})
	kept := pane.NewHearing(l)
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
		fresh := pane.NewHearing(l)
		for _, p := range []*pane.Hearing{kept, fresh} {
			p.SetState(now)
			p.Which = pane.HearingPart(i) % pane.HearingParts
			p.Choose("P1")
			p.Choose("P4")
			p.View(160, 40)
			p.Move(pane.MoveEnd, 160, 40)
		}
		if got, want := strings.Join(kept.View(160, 40), "\n"), strings.Join(fresh.View(160, 40), "\n"); got != want {
			t.Fatalf("after event %d the %s says\n%s\nnot\n%s", now.Seq, kept.Which, got, want)
		}
	}
}

// A packet of more facts than are put into order while drawing is ordered and
// searched outside; what was listed stays until that is done.
func TestALargePacketIsSearchedOutside(t *testing.T) {
	m := screenOf(t, largeHearing(t, 2*pane.QuickFacts), Options{NoColor: true}, 120, 40)
	_, cmd := m.Update(keyOf("6"))
	if !strings.Contains(said(m), "being put into order") || !strings.Contains(said(m), "f0 ") {
		t.Errorf("before it is put into order:\n%s", said(m))
	}
	finish(m, cmd)
	typeKeys(m, ">")
	if screen := said(m); !strings.Contains(screen, "10000 facts · by time ↑") || m.hearing.Facts.Fact(0).ID != "f9" {
		t.Errorf("by time it begins with %s:\n%s", m.hearing.Facts.Fact(0).ID, screen)
	}
	var left []tea.Cmd
	for _, key := range strings.Fields("/ h o s t - 9 6") {
		_, cmd := m.Update(keyOf(key))
		left = append(left, cmd)
	}
	if !strings.Contains(said(m), "searching") {
		t.Errorf("while it is searched:\n%s", said(m))
	}
	for _, cmd := range left {
		finish(m, cmd)
	}
	if p := m.hearing.Facts; p.N != 103 || p.Sought != "host-96" || !strings.Contains(said(m), "103 of 10000 facts · found") {
		t.Errorf("%d facts are found for %q:\n%s", p.N, p.Sought, said(m))
	}
}

// largeHearing is a hearing on so many facts, the later ones earlier within each ten,
// of which both sides cite some.
func largeHearing(t testing.TB, facts int) *recorder {
	t.Helper()
	minutes := make([]int, facts)
	for i := range minutes {
		minutes[i] = 9 - i%10
	}
	packet, _ := timedPacket(t, minutes)
	r := &recorder{t: t}
	r.add(heardOpened())
	r.add(state.PacketEvents(packet)...)
	r.add(&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Protocol, Text: "Was it a threat?"})
	for i := range 40 {
		id, seat := fmt.Sprint("P", i+2), []state.Seat{state.Architect, state.Skeptic}[i%2]
		r.add(
			&state.PointRaised{ID: id, By: seat, Text: "these hosts sent more than on other days", Facts: []string{fmt.Sprint("f", i*50), fmt.Sprint("f", facts-1-i)}},
			&state.ConfidenceReported{Seat: seat, Point: id, Stated: 0.8, Admitted: 0.8},
		)
	}
	r.add(&state.Argued{Seat: state.Architect, Stated: 0.9, Confidence: 0.9}, &state.Argued{Seat: state.Skeptic, Stated: 0.4, Confidence: 0.4})
	return r
}

// Each row of the judge stands there with its comparisons in numbers, and the first
// that holds decides, also of two rows with the same name.
func TestTheSumsOfTheJudge(t *testing.T) {
	m := screenOf(t, heard(t), Options{NoColor: true}, 120, 60)
	typeKeys(m, "6 c c")
	for _, want := range []string{
		"✓ THREAT_CONFIRMED  confidence 0.7, by v2.3", "architect    confidence 0.7, 5 facts", "supported by f04, f01, f02, f08, f10",
		"✗ architect 0.7 is not > 0.85", "✓ |0.7 − 0.5| = 0.19999999999999996 > 0.15", "✓ architect 0.7 > skeptic 0.5",
		"▸ v2.3  THREAT_CONFIRMED where", "✗ v2.3  THREAT_DISMISSED where", "✗ else  THREAT_INCONCLUSIVE where no row holds",
		"v1          ? THREAT_INCONCLUSIVE, confidence 0.6, by else", "≠ differs", "! complexity mismatch", "risk 0.25",
		"round 1     ✓ THREAT_CONFIRMED, confidence 0.9, by v2.1",
	} {
		if screen := said(m); !strings.Contains(screen, want) {
			t.Errorf("it does not say %q:\n%s", want, screen)
		}
	}
	if n := strings.Count(said(m), "decides │"); n != 2 {
		// One row, and the title of the section.
		t.Errorf("%d rows decide:\n%s", n-1, said(m))
	}
	if text := m.hearing.Copied(); !strings.Contains(text, "▸ v2.3") || !strings.Contains(text, "The rounds before") {
		t.Errorf("copied: %q", text)
	}
	typeKeys(m, "w")
	if r, reads := m.dialog().(*reader); !reads || r.point != "P1" {
		t.Errorf("why opens %+v", m.dialog())
	}
}

// What a gate found in its round stands there, not what it would find now.
func TestTheGateOfAHearing(t *testing.T) {
	m := screenOf(t, heardByGate(t), Options{NoColor: true}, 120, 60)
	typeKeys(m, "6 c c")
	for _, want := range []string{"The gate “either” opened, and the hearing went on by the form anchored", "escalation: confidence 0.9 ", "! complexity mismatch", "risk 0.25"} {
		if screen := said(m); !strings.Contains(screen, want) {
			t.Errorf("it does not say %q:\n%s", want, screen)
		}
	}
}

// The user's word on the question stands above the judge's.
func TestTheUserOverrulesTheJudge(t *testing.T) {
	h := beingHeard(t)
	h.does(protocol.RuleOn{Point: "P1", What: state.OverrideAgree})
	m := screenOf(t, h.recorder, Options{NoColor: true}, 120, 60)
	typeKeys(m, "6 c c")
	if screen := said(m); !strings.Contains(screen, "◆ You ruled the question Agreed: that stands.") || !strings.Contains(screen, "which is not the last word") {
		t.Errorf("it says\n%s", screen)
	}
}

// timedPacket returns a packet of facts at the minutes.
func timedPacket(t testing.TB, minutes []int) (*ledger.Packet, []time.Time) {
	t.Helper()
	packet, err := ledger.NewPacket("timed", demoTime, demoTime.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	moments := make([]time.Time, len(minutes))
	for i, minute := range minutes {
		moments[i] = demoTime.Add(time.Duration(minute) * time.Minute)
		if err := packet.Add(ledger.PacketFact{
			ID: fmt.Sprint("f", i), Entity: fmt.Sprint("host-", i%97), EntityType: ledger.EntityNode, Field: "bytes_out",
			Value: ledger.Value(fmt.Sprint(i * 31)), At: moments[i], SourceType: ledger.SourceNetflow, SourceID: "collector",
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	return packet, moments
}

// Rules in a hearing are described in words of a hearing.
func TestRulesOfAHearingAreDescribed(t *testing.T) {
	s := beingHeard(t).state
	s.Seats = []state.SeatAssignment{{Seat: state.Architect, Participant: "rules", NoModel: true}, {Seat: state.Skeptic, Participant: "rules", NoModel: true}}
	if said := pane.Modelless(&s, ""); !strings.Contains(said, "held against the facts") {
		t.Errorf("of rules it says %q", said)
	}
}
