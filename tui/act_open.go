package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/state"
	"moot/tui/theme"
)

// details are those of what is shown.
func (m *Model) details() details { return details{&m.state, m.rulings, m.telling} }

// openWhy shows why a point is where it is, and what would change it.
func (m *Model) openWhy(id string) {
	m.push(&reader{
		titled: func() string { return m.whyTitle(id) }, point: id, about: id,
		blocks: func(l *theme.Look) []block { return m.details().receiptBlocks(l, id, m.overrides()) },
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
	if m.focus != PaneDecision {
		return false
	}
	o := m.decision.open(id, why)
	if o == nil {
		return false
	}
	m.push(&reader{
		heading: o.heading, about: id, point: m.pointOf(o.subject),
		blocks: func(l *theme.Look) []block { return o.blocks(l, m.details()) },
	})
	return true
}

// openPacketFact opens the fact that is selected in the view of a hearing. It
// reports whether one was.
func (m *Model) openPacketFact(id string) bool {
	if m.focus != PaneHearing || m.hearing.which != hearingFacts || m.hearing.facts.selected() != id {
		return false
	}
	p := m.hearing.facts
	fact := p.chosen
	m.push(&reader{
		heading: id, about: id, copies: p.copied,
		blocks: func(l *theme.Look) []block {
			if p.packet == nil || p.packet.Place(fact) < 0 {
				// An earlier moment is shown, before the packet was frozen.
				return []block{{indent: 2, body: l.Faint.Span(p.empty())}}
			}
			return p.factBlocks(l, p.packet.Place(fact))[1:]
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
