package tui

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/protocol/dialectic"
	"moot/protocol/protocoltest"
	"moot/state"
)

// situations are screens on which the bindings of a place hold.
func situations(t *testing.T) map[Place][]*Model {
	c := friendly(t)
	on := func() *stage { return &stage{t: t, cast: c, options: Options{NoColor: true}, width: 120, height: 40} }
	calling := on().session("", on().called()...)
	calling.auto = true
	reading := on().session("", ready(state.Consultee), on().prompts(false))
	session := []*Model{
		on().session(""), on().session("8 =P3"), on().session("4 =E1"), calling, on().session("2"), on().session("5"), on().session("6"),
		on().play(protocoltest.Proposal(t), ""), on().play(protocoltest.Panel(t), ""), on().play(protocoltest.Council(t), ""), on().play(protocoltest.Hearing(t), "6"),
	}
	speaking := on().play(protocoltest.Proposal(t), "", asksSeat(protocoltest.Proposal(t), dialectic.Proposer))
	speaking.armed = true
	filtered := on().home(on().house(), "/ c a c h e")
	filtered.home.StopTyping()
	ofBatch := batchOf(t, &crowd{snapshot: batchNow(someItems())}, Options{NoColor: true}, 120, 40)
	typeAtHome(ofBatch, "enter")
	seat := homeOf(t, &house{found: someFound()}, Options{NoColor: true}, 120, 40)
	typeAtHome(seat, "n")
	toParticipant(seat)
	places := map[Place][]*Model{
		OnHome: {on().home(on().house(), ""), filtered}, OnSession: session,
		OnBatch: {on().batch(batchNow(someItems()), "tab"), on().batch(batchNow(someItems()), "=delivery")}, OfBatch: {ofBatch},
		InReview: {on().play(reviewed(t), ""), on().play(reviewed(t), "v")},
		InReplay: {on().past(c.consult, 20, "")}, InSearch: {on().session("4 / w r i t e s enter")},
		InFinding: {on().play(reviewed(t), "enter")},
		InReader:  {on().session("8 =P3 w"), on().session("4 =E1 enter"), reading},
		InForm:    {on().session("F"), on().session("n"), speaking, seat}, InList: {on().session(":"), on().session("8 u")},
	}
	for _, p := range Places() {
		places[Everywhere] = append(places[Everywhere], places[p]...)
	}
	return places
}

// noted replaces the families of the model by ones that only record their actions. Disabled actions stay disabled.
func noted(m *Model) *[]Action {
	did := &[]Action{}
	for i := range m.families {
		m.families[i].do = func(_ *Model, a Action) tea.Cmd {
			*did = append(*did, a)
			return nil
		}
	}
	return did
}

// Each key of the table, as the terminal sends it, does what the table says on
// a screen of its place.
func TestEachKeyDoesWhatItSays(t *testing.T) {
	places := situations(t)
	for _, b := range Bindings() {
		at := slices.IndexFunc(places[b.Place], func(m *Model) bool { return b.holds(m.focus) && m.disabled(b.Action) == "" })
		if at < 0 {
			t.Errorf("%s can be done on no screen of the place %s", b.Action, b.Place)
			continue
		}
		m := places[b.Place][at]
		families := slices.Clone(m.families)
		did := noted(m)
		for _, key := range b.Keys {
			*did = nil
			m.Update(decoded(t, key))
			if !slices.Equal(*did, []Action{b.Action}) {
				t.Errorf("%q on a screen of the place %s does %q, not %s; it says %q", key, b.Place, *did, b.Action, m.flash)
			}
		}
		m.families = families
	}
}

// The palette lists every action with a key, except cursor keys and those that a dialog's frame names.
func TestEachCommandIsInThePalette(t *testing.T) {
	places := situations(t)
	for _, b := range Bindings() {
		if oneOf(b.Action, ActionClose, ActionSend, ActionChoose) || hidden(b.Action) || slices.Contains([]Place{InFinding, InReader, InForm, InList}, b.Place) {
			continue
		}
		found := slices.ContainsFunc(places[b.Place], func(m *Model) bool {
			return slices.ContainsFunc(withoutDialogs(m, m.commands), func(p pick) bool { return p.ID == string(b.Action) })
		})
		if !found {
			t.Errorf("%s of the place %s is not in the palette", b.Action, b.Place)
		}
	}
}

// What cannot be done now says why, in words.
func TestWhyNotIsASentence(t *testing.T) {
	places := situations(t)
	c := friendly(t)
	bare := screenOf(t, protocoltest.NewRecord(t), Options{}, 80, 24)
	ended := (&stage{t: t, cast: c, width: 40, height: 12}).session("", protocol.Ended{State: c.consult.State})
	screens := append(places[Everywhere], bare, ended, homeOf(t, &house{}, Options{}, 80, 24))
	said := map[string]Action{}
	for _, m := range screens {
		for _, f := range m.families {
			for _, a := range f.actions {
				if m.dialog() == nil || m.keyOf(a) != "" {
					said[m.disabled(a)] = a
				}
			}
		}
	}
	delete(said, "")
	if len(said) < 20 {
		t.Errorf("only %d reasons were seen", len(said))
	}
	for why, a := range said {
		if len(strings.Fields(why)) < 3 || strings.TrimSpace(why) != why || strings.HasSuffix(why, ".") || strings.ContainsAny(why, "%\n") || strings.Contains(why, "  ") {
			t.Errorf("%s is not done, for %q", a, why)
		}
	}
}
