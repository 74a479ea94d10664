package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// details are those of what is shown.
func (m *Model) details() pane.Details {
	return pane.Details{State: &m.state, Rulings: m.rulings, Told: m.telling}
}

// openWhy shows why a point is where it is, and what would change it.
func (m *Model) openWhy(id string) {
	m.push(&reader{
		titled: func() string { return m.whyTitle(id) }, point: id, about: id,
		blocks: func(l *theme.Look) []pane.Block { return m.details().ReceiptBlocks(l, id, m.overrides()) },
	})
}

// whyTitle asks for what the receipt says: "Why P3 is dismissed".
func (m *Model) whyTitle(id string) string {
	i := slices.IndexFunc(m.rulings, func(r state.Ruling) bool { return r.Point == id })
	if i < 0 {
		return "Why " + id
	}
	_, _, name := m.look.Bucket(m.rulings[i].Bucket)
	return "Why " + id + " is " + strings.ToLower(name)
}

// openDecided opens what is selected in the view of the decision: a receipt, a
// gate, the decision or an earlier round; for why also an objection, whose
// receipt says it. It reports whether it was one of those.
func (m *Model) openDecided(id string, why bool) bool {
	if m.focus != pane.DecisionID {
		return false
	}
	o := m.decision.Open(id, why)
	if o == nil {
		return false
	}
	m.push(&reader{
		heading: o.Heading, about: id, point: m.pointOf(o.Subject),
		blocks: func(l *theme.Look) []pane.Block { return o.Blocks(l, m.details()) },
	})
	return true
}

// openPacketFact opens the fact that is selected in the view of a hearing. It
// reports whether one was.
func (m *Model) openPacketFact(id string) bool {
	if m.focus != pane.HearingID || m.hearing.Which != pane.HearingFacts || m.hearing.Facts.Selected() != id {
		return false
	}
	p := m.hearing.Facts
	fact := p.Chosen
	m.push(&reader{
		heading: id, about: id, copies: p.Copied,
		blocks: func(l *theme.Look) []pane.Block {
			if p.Packet == nil || p.Packet.Place(fact) < 0 {
				// An earlier moment is shown, before the packet was frozen.
				return []pane.Block{{Indent: 2, Body: l.Faint.Span(p.Empty())}}
			}
			return p.FactBlocks(l, p.Packet.Place(fact))[1:]
		},
	})
	return true
}

// overrides says by which keys the person decides, here and once the receipt is
// closed, or "" where nothing can be decided now.
func (m *Model) overrides() string {
	if m.ended || m.replaying() {
		return ""
	}
	return fmt.Sprintf("%s agrees, %s dismisses, %s reopens. Once this is closed %s decides more, %s records a fact.",
		m.keyIn(InReader, ActionAgree), m.keyIn(InReader, ActionDismiss), m.keyIn(InReader, ActionReopen),
		m.keyIn(OnSession, ActionOverride), m.keyIn(OnSession, ActionFact))
}

// keyIn is the key of an action in a place, or its name where it has none.
func (m *Model) keyIn(place Place, a Action) string {
	for i := range m.keys.table {
		if b := &m.keys.table[i]; b.Place == place && b.Action == a {
			return b.Shown
		}
	}
	return string(a)
}
