package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
	"moot/tui/theme"
)

// Views returns the panes of a session in the order of their number keys: seven main views, those beside them, and the
// metrics, whose key is 0. The sixth is the view of what only the format has.
func Views(format protocol.Format) []pane.ID {
	own := pane.ConfidenceID
	if format != nil {
		name := format.Settings().View
		for p := pane.ConfidenceID; p <= pane.HearingID; p++ {
			if strings.EqualFold(p.String(), name) {
				own = p
			}
		}
	}
	return []pane.ID{
		pane.DebateID, pane.PointsID, pane.PointID, pane.LedgerID, pane.GraphID, own, pane.RecordID,
		pane.BucketsID, pane.ChallengesID, pane.MetricsID,
	}
}

// number returns the position of a pane among the views, from 1, or 0 if the session has no such view.
func (s *session) number(p pane.ID) int { return slices.Index(s.views, p) + 1 }

// key is the number key of a view: that of the tenth is 0.
func (s *session) key(p pane.ID) string { return strconv.Itoa(s.number(p) % 10) }

// own is the pane, or the session's own view where it has no such pane: a session
// may tell its format after a view was chosen.
func (s *session) own(p pane.ID) pane.ID {
	if s.number(p) > 0 {
		return p
	}
	return s.views[5]
}

// viewOf is the pane that an action shows, if it shows one.
func viewOf(a Action) (pane.ID, bool) {
	for _, p := range pane.IDs() {
		if showsPane(p) == a {
			return p, true
		}
	}
	return 0, false
}

// holds reports whether a binding holds for the pane with the keys, in a session
// of the format that is on the screen.
func (m *Model) holds(b *Binding) bool {
	if !b.holds(m.focus) {
		return false
	}
	p, view := viewOf(b.Action)
	return !view || m.number(p) > 0
}

// together reports whether one session can have both keys. It has only one of the views that belong to formats.
func together(a, b *Binding) bool {
	belongs := func(a Action) bool {
		p, view := viewOf(a)
		return view && p >= pane.ConfidenceID && p <= pane.HearingID
	}
	return !belongs(a.Action) || !belongs(b.Action)
}

// paneOf returns the pane's struct.
func (m *Model) paneOf(p pane.ID) pane.Pane {
	switch p {
	case pane.DebateID:
		return m.debate
	case pane.PointsID:
		return m.points
	case pane.PointID:
		return m.point
	case pane.LedgerID:
		return m.ledger
	case pane.GraphID:
		return m.graph
	case pane.ConfidenceID:
		return m.confidence
	case pane.DecisionID:
		return m.decision
	case pane.MatrixID:
		return m.matrix
	case pane.CouncilID:
		return m.council
	case pane.HearingID:
		return m.hearing
	case pane.RecordID:
		return m.record
	case pane.MetricsID:
		return m.metrics
	case pane.BucketsID:
		return m.buckets
	case pane.ChallengesID:
		return m.challenges
	case pane.HomeID:
		return m.home
	case pane.NumIDs:
	}
	return m.debate
}

// eachPane calls f with every pane.
func (m *Model) eachPane(f func(pane.ID, pane.Pane)) {
	for p := range pane.NumIDs {
		f(p, m.paneOf(p))
	}
}

// viewFamily decides what is looked at.
func viewFamily() family {
	actions := []Action{ActionNextPane, ActionPrevPane, ActionBack, ActionZoom, ActionSort, ActionSortBefore, ActionReverse, ActionOnly, ActionChart, ActionPart, ActionWhose}
	for _, p := range pane.IDs() {
		actions = append(actions, showsPane(p))
	}
	return family{
		title:   "What is looked at",
		actions: actions,
		why: func(m *Model, a Action) string {
			switch {
			case m.atHome:
				return "open a session first"
			case m.focus == pane.HearingID && oneOf(a, ActionSort, ActionSortBefore, ActionReverse, ActionWhose) && m.hearing.Which != pane.HearingFacts:
				return "only the facts are listed so; " + m.keyOf(ActionPart) + " goes to them"
			case a == ActionZoom && m.layout.Kind != Wide:
				return "each view has all the room already"
			}
			if p, view := viewOf(a); view && m.number(p) == 0 {
				return "sessions of this format have no such view"
			}
			return ""
		},
		do: (*Model).actView,
	}
}

// showsPane is the action that goes to a pane.
func showsPane(p pane.ID) Action {
	return []Action{
		ActionDebate, ActionPoints, ActionPoint, ActionLedger, ActionGraph, ActionConfidence, ActionDecision, ActionMatrix, ActionCouncil, ActionHearing, ActionRecord,
		ActionMetrics, ActionBuckets, ActionChallenges, ActionFilter,
	}[p]
}

func (m *Model) actView(a Action) tea.Cmd {
	switch {
	case m.focus == pane.HearingID && m.actHearing(a):
	case a == ActionNextPane:
		return m.focusBy(1)
	case a == ActionPrevPane:
		return m.focusBy(-1)
	case a == ActionBack:
		return m.focusOn(m.before)
	case a == ActionZoom:
		m.zoom = !m.zoom
		return m.focusOn(m.main)
	case a == ActionSort:
		m.points.SortBy(1)
	case a == ActionSortBefore:
		m.points.SortBy(-1)
	case a == ActionReverse:
		m.points.TurnAround()
	case a == ActionOnly:
		m.graph.ToggleOnly()
	case a == ActionChart:
		m.confidence.ToggleAll()
	default:
		if p, view := viewOf(a); view {
			return m.focusOn(p)
		}
	}
	return nil
}

// focusOn gives the keys to a pane; a main view takes its place.
func (m *Model) focusOn(p pane.ID) tea.Cmd {
	if p == pane.HomeID || m.atHome {
		return nil
	}
	beside := p == pane.LedgerID && m.layout.Kind == Wide && !m.layout.Panes[p].Empty() && m.focus != p
	if p.Main() && p != m.main && !beside {
		m.before, m.main = m.main, p
	}
	m.zoom = m.zoom && p.Main()
	if p != m.focus {
		m.search.end()
	}
	m.focus = p
	m.rearrange()
	return nil
}

// focusBy gives the keys to the next pane: of those that are shown, or of all
// where one is shown at a time.
func (m *Model) focusBy(by int) tea.Cmd {
	panes := m.layout.Shown()
	if m.layout.Kind != Wide {
		panes = m.views
	}
	at := slices.Index(panes, m.focus)
	return m.focusOn(panes[(at+by+len(panes))%len(panes)])
}

// moveFamily scrolls and selects.
func moveFamily() family {
	return family{
		title:   "Moving",
		actions: []Action{ActionUp, ActionDown, ActionLeft, ActionRight, ActionPageUp, ActionPageDown, ActionHome, ActionEnd},
		why: func(m *Model, a Action) string {
			if r, ok := m.dialog().(*reader); ok && a == ActionPageDown && r.atEnd() {
				return "this is the end"
			}
			return ""
		},
		do: func(m *Model, a Action) tea.Cmd {
			if d := m.dialog(); d != nil {
				d.scroll(a, m.height)
				return nil
			}
			m.moveIn(m.focus, a)
			m.followSelection()
			return nil
		},
	}
}

// moveIn scrolls a pane, or moves its selection.
func (m *Model) moveIn(p pane.ID, a Action) {
	if r := m.layout.Panes[p]; !r.Empty() {
		m.paneOf(p).Move(pane.Motion(a), r.W, r.H)
	}
}

// followSelection turns the views of one point to what is selected now.
func (m *Model) followSelection() {
	if m.atHome {
		return
	}
	if p := m.pointOf(m.paneOf(m.focus).Selected()); p != "" && p != m.topic {
		m.setTopic(p)
	}
}

// actHearing carries out an action of the view of a hearing. It reports whether
// it was one.
func (m *Model) actHearing(a Action) bool {
	switch a { //nolint:exhaustive // the others are not for this view
	case ActionPart:
		m.hearing.NextPart()
	case ActionWhose:
		m.hearing.Facts.NextWhose()
	case ActionSort, ActionSortBefore:
		m.hearing.Facts.SortBy()
	case ActionReverse:
		m.hearing.Facts.TurnAround()
	default:
		return false
	}
	return true
}

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

// slowPane is a pane with work that may take too long for Update and View.
type slowPane interface {
	// Background returns the work to do for a pane of this size, or nil if there
	// is none or it is running already. The work runs on another goroutine; the
	// function that it returns applies its result to the pane.
	Background(width, height int) (work func() (apply func()))
}

// background runs the slow work of the panes that are on the screen.
func (m *Model) background() tea.Cmd {
	facts := m.hearing.Facts
	query := ""
	if m.focus == pane.HearingID && m.hearing.Which == pane.HearingFacts && m.search.on() {
		query = m.search.query()
	}
	facts.Seek(query)
	var commands []tea.Cmd
	for _, id := range m.layout.Shown() {
		p, slow := m.paneOf(id).(slowPane)
		if !slow {
			continue
		}
		work := p.Background(m.layout.Panes[id].W, m.layout.Panes[id].H)
		if work == nil {
			continue
		}
		commands = append(commands, m.outside(func() answer {
			apply := work()
			return func(m *Model) tea.Cmd {
				apply()
				if id == pane.HearingID {
					m.search.missed = m.search.on() && facts.Query != "" && facts.Query == facts.Sought && facts.N == 0
				}
				return m.background()
			}
		}))
	}
	return tea.Batch(commands...)
}
