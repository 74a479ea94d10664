package tui

import (
	"fmt"
	"slices"
	"strconv"

	"moot/state"
	"moot/state/store"
	"moot/tui/pane"
)

// formatScreen is what the screens of one format have and those of others have not,
// beside how they tell of what stands: that is its telling.
type formatScreen struct {
	// own is the view in the place of the sixth key.
	own pane.ID
	// listed says how far a session of the list has come that did not end.
	listed func(s *store.Summary) string
	// ended says in the list how one ended, nil where the exit alone does.
	ended func(s *store.Summary) string
	// proposes says that points are the fields of a proposal: moves are written with
	// forms, facts can bind a value, and the source of an item decides what it may
	// settle.
	proposes bool
}

// formatScreenOf is the table of the formats. One that is not known has the screens
// of a consultation.
func formatScreenOf(format state.Format) formatScreen {
	switch format {
	case state.FormatDialectic:
		return formatScreen{
			own: pane.DecisionID, listed: listedProposal, proposes: true,
		}
	case state.FormatPanel:
		return formatScreen{own: pane.MatrixID, listed: listedPanel}
	case state.FormatCouncil:
		return formatScreen{
			own: pane.CouncilID, listed: listedCouncil, ended: endedCouncil,
		}
	case state.FormatHearing:
		return formatScreen{
			own: pane.HearingID, listed: listedHearing, ended: endedHearing,
		}
	case state.FormatConsult:
	}
	return formatScreen{own: pane.ConfidenceID, listed: listedPhase}
}

// Views returns the panes of a session of the format in the order of their number
// keys: seven main views, those that stand beside them, and the metrics, whose key
// is 0. A format that is not known has those of a consultation.
func Views(format state.Format) []pane.ID {
	return []pane.ID{
		pane.DebateID, pane.PointsID, pane.PointID, pane.LedgerID, pane.GraphID, formatScreenOf(format).own, pane.RecordID, pane.BucketsID, pane.ChallengesID,
		pane.MetricsID,
	}
}

// format is what the screens of the session's format have.
func (s *sitting) format() formatScreen { return formatScreenOf(s.state.Settings.Format) }

// views are the panes of the session on the screen.
func (s *sitting) views() []pane.ID { return Views(s.state.Settings.Format) }

// number is the place of a pane among the views, from 1; 0 where the session has no
// such view.
func (s *sitting) number(p pane.ID) int { return slices.Index(s.views(), p) + 1 }

// key is the number key of a view: that of the tenth is 0.
func (s *sitting) key(p pane.ID) string { return strconv.Itoa(s.number(p) % 10) }

// own is the pane, or the session's own view where it has no such pane: a session
// may tell its format after a view was chosen.
func (s *sitting) own(p pane.ID) pane.ID {
	if s.number(p) > 0 {
		return p
	}
	return s.views()[5]
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

// together reports whether one session can have both keys: not where each shows
// a view of another format.
func together(a, b *Binding) bool {
	first, one := viewOf(a.Action)
	second, other := viewOf(b.Action)
	if !one || !other {
		return true
	}
	for _, format := range state.Formats() {
		if views := Views(format); slices.Contains(views, first) && slices.Contains(views, second) {
			return true
		}
	}
	return false
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

// listedHearing is the form of a hearing, and the round that it has come to.
func listedHearing(s *store.Summary) string {
	if s.Rounds == 0 {
		return fmt.Sprintf("%s, round %d", s.Form, s.Round)
	}
	return fmt.Sprintf("%s, round %d/%d", s.Form, s.Round, s.Rounds)
}

// endedHearing is the verdict of a hearing that ended.
func endedHearing(s *store.Summary) string { return s.Verdict }

// listedCouncil is the round that a council has come to, of how many.
func listedCouncil(s *store.Summary) string {
	if s.Rounds == 0 {
		return fmt.Sprintf("round %d", s.Round)
	}
	return fmt.Sprintf("round %d/%d", s.Round, s.Rounds)
}

// endedCouncil says whether a council that ended came to consensus; "" where it
// ended otherwise.
func endedCouncil(s *store.Summary) string {
	switch s.Exit { //nolint:exhaustive // the others say themselves how it ended
	case state.ExitConverged:
		return "consensus"
	case state.ExitCap:
		return "no consensus"
	}
	return ""
}
