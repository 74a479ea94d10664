package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/plain"
	"moot/resolver/conflict"
	"moot/state"
)

// Matrix is how far the panelists of a session agree, each with each.
type Matrix struct {
	// Seats are the panelists in the order of their seats.
	Seats []PanelSeat `json:"seats"`
	// Pairs are all pairs of Seats in the order (0,1), (0,2), …, (1,2), …; also
	// those with a panelist that gave no answer.
	Pairs []Agreement `json:"pairs"`
	// Likeness is the mean of those of the compared pairs, 0 to 1; 0 where there
	// is none.
	Likeness float64 `json:"likeness"`
}

// PanelSeat is a panelist and what came of it.
type PanelSeat struct {
	Seat state.Seat `json:"seat"`
	// Answered says that its first answer came.
	Answered bool `json:"answered"`
	// Missing says why it gave none, "" where it did or may still.
	Missing string `json:"missing"`
	// Claims is how many claims of the panel it holds, Alone those of them that no
	// other panelist holds.
	Claims int `json:"claims"`
	Alone  int `json:"alone"`
}

// Agreement is how two panelists stand to each other.
type Agreement struct {
	A state.Seat `json:"a"`
	B state.Seat `json:"b"`
	// Shared is how many claims both hold.
	Shared int `json:"shared"`
	// Together is in how many conflicts both are on the same side, Apart in how
	// many they are on opposite ones. Where one of them takes no side, neither.
	Together int `json:"together"`
	Apart    int `json:"apart"`
	// Share is the agreement, 0 to 1: of what both say something about, the part
	// in which they say the same. That is the shared claims that are in no
	// conflict, and the conflicts in which both are on one side, over these and
	// the conflicts that set them apart. 0 where Touched is 0.
	Share float64 `json:"share"`
	// Touched is how many claims and conflicts Share is about.
	Touched int `json:"touched"`
	// Compared says that both answered. Then Likeness is how alike the words of
	// their whole first answers are, 0 to 1, and Class what the thresholds of the
	// session call that: contradiction, disagreement, or "" for alike.
	Compared bool          `json:"compared"`
	Likeness float64       `json:"likeness"`
	Class    conflict.Type `json:"class"`
}

// Pair returns how two panelists stand to each other, in either order; nil where
// one of them is no panelist, or both are the same.
func (m *Matrix) Pair(a, b state.Seat) *Agreement {
	for i := range m.Pairs {
		if p := &m.Pairs[i]; p.A == a && p.B == b || p.A == b && p.B == a {
			return p
		}
	}
	return nil
}

// Matrix compares each panelist with each: by what they hold now, and by the
// words of their first answers.
func (t *Table) Matrix() Matrix {
	seats := t.s.Panelists()
	m := Matrix{Seats: make([]PanelSeat, len(seats)), Pairs: []Agreement{}}
	answers := make([]conflict.Words, len(seats))
	for i, seat := range seats {
		text := t.FirstAnswer(seat)
		answers[i] = conflict.WordsOf(text)
		m.Seats[i] = PanelSeat{Seat: seat, Answered: text != ""}
		for _, missing := range t.s.Panel.Missing {
			if missing.Seat == seat && text == "" {
				m.Seats[i].Missing = missing.Reason
			}
		}
	}
	sides, held := t.sidesOf(seats), t.heldBy(seats)
	compared := 0
	for i := range seats {
		countClaims(&m.Seats[i], held[i])
		for j := i + 1; j < len(seats); j++ {
			a := Agreement{A: seats[i], B: seats[j]}
			t.agreement(&a, held[i], held[j], sides[i], sides[j])
			if a.Compared = m.Seats[i].Answered && m.Seats[j].Answered; a.Compared {
				a.Likeness = answers[i].Similarity(answers[j])
				a.Class, _ = t.thresholds().Classify(a.Likeness)
				m.Likeness += a.Likeness
				compared++
			}
			m.Pairs = append(m.Pairs, a)
		}
	}
	if compared > 0 {
		m.Likeness /= float64(compared)
	}
	return m
}

// FirstAnswer is what a panelist said before it saw anything of the others: the
// texts of its points of round 1 in their order, each on a line of its own; ""
// where no answer came.
func (t *Table) FirstAnswer(seat state.Seat) string {
	var texts []string
	for _, p := range t.s.Points.All() {
		if p.Round == 1 && p.Revises == "" && len(p.Authors) > 0 && p.Authors[0] == seat {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// thresholds are those of the session, by which whole answers are compared.
func (t *Table) thresholds() conflict.Thresholds {
	if settings := t.s.Settings.Panel; settings != nil {
		return conflict.Thresholds{Contradiction: settings.Contradiction, Agreement: settings.Agreement}
	}
	return conflict.Default.Thresholds()
}

// heldBy are the counted claims that each seat holds, in order.
func (t *Table) heldBy(seats []state.Seat) [][]*Claim {
	held := make([][]*Claim, len(seats))
	for _, c := range t.claims {
		if !t.counted(c) {
			continue
		}
		for i, seat := range seats {
			if slices.Contains(c.Holders, seat) {
				held[i] = append(held[i], c)
			}
		}
	}
	return held
}

// countClaims counts what a panelist holds.
func countClaims(seat *PanelSeat, held []*Claim) {
	seat.Claims = len(held)
	for _, c := range held {
		if len(c.Holders) == 1 {
			seat.Alone++
		}
	}
}

// counted reports whether a claim belongs to the question and somebody holds it.
func (t *Table) counted(c *Claim) bool {
	return len(c.Holders) > 0 && slices.ContainsFunc(c.Points, func(id string) bool { return placed(t.s.Point(id)) })
}

// sidesOf are the points that each seat stands for, by conflict.
func (t *Table) sidesOf(seats []state.Seat) []map[string]string {
	sides := make([]map[string]string, len(seats))
	for i := range sides {
		sides[i] = map[string]string{}
	}
	for _, c := range t.live {
		for _, p := range t.Positions(c) {
			if i := slices.Index(seats, p.Seat); i >= 0 {
				sides[i][c.ID] = p.Point
			}
		}
	}
	return sides
}

// agreement compares what two panelists hold, and the sides that they take.
func (t *Table) agreement(a *Agreement, held, others []*Claim, mine, theirs map[string]string) {
	same := 0
	for _, c := range held {
		if slices.Contains(others, c) {
			a.Shared++
			if len(c.Conflicts) == 0 {
				same++
			}
		}
	}
	for _, c := range t.live {
		switch here, there := mine[c.ID], theirs[c.ID]; {
		case here == "" || there == "":
		case here == there:
			a.Together++
		default:
			a.Apart++
		}
	}
	same += a.Together
	a.Touched = same + a.Apart
	if a.Touched > 0 {
		a.Share = float64(same) / float64(a.Touched)
	}
}

// PanelCounts are what a panel came to, in numbers.
type PanelCounts struct {
	// Panelists is how many sit in the panel, Answered how many of them gave an
	// answer, Missing how many are taken for missing.
	Panelists int `json:"panelists"`
	Answered  int `json:"answered"`
	Missing   int `json:"missing"`
	// Claims are those that belong to the question and that a panelist holds: all
	// who answered hold ByAll of them (where two did at least), several but not
	// all BySeveral, one alone ByOne.
	Claims    int `json:"claims"`
	ByAll     int `json:"by_all"`
	BySeveral int `json:"by_several"`
	ByOne     int `json:"by_one"`
	// Contradictions and Disagreements are the conflicts that stand, by kind.
	Contradictions int `json:"contradictions"`
	Disagreements  int `json:"disagreements"`
	// ByVote and ByEvidence are the conflicts that the strategy settled, by what
	// it went by; ByTokens those that evidence_weight settled where nothing was
	// verified.
	ByVote     int `json:"by_vote"`
	ByEvidence int `json:"by_evidence"`
	ByTokens   int `json:"by_tokens"`
	// ArguedOut were argued until a side was given up or lost, ByUser ended by what
	// the user said. Left are those that nothing ended.
	ArguedOut int `json:"argued_out"`
	ByUser    int `json:"by_user"`
	Left      int `json:"left"`

	// early says that the answers are not compared yet.
	early bool
}

// Conflicts is how many conflicts stand between the answers.
func (n *PanelCounts) Conflicts() int { return n.Contradictions + n.Disagreements }

// Counts counts what the panel came to so far.
func (t *Table) Counts() PanelCounts {
	seats := t.s.Panelists()
	n := PanelCounts{Panelists: len(seats), early: !Compared(t.s)}
	for _, seat := range seats {
		switch {
		case t.FirstAnswer(seat) != "":
			n.Answered++
		case t.s.Panel.Misses(seat):
			n.Missing++
		}
	}
	for _, c := range t.claims {
		if !t.counted(c) {
			continue
		}
		n.Claims++
		switch held := len(c.Holders); {
		case held == 1:
			n.ByOne++
		case held == n.Answered:
			n.ByAll++
		default:
			n.BySeveral++
		}
	}
	for _, c := range t.live {
		switch c.Kind {
		case state.Contradiction:
			n.Contradictions++
		case state.Disagreement:
			n.Disagreements++
		}
		e := t.Ending(c)
		*n.end(&e)++
	}
	return n
}

// end is the count of the way in which a conflict came to its end.
func (n *PanelCounts) end(e *Ending) *int {
	switch e.By {
	case EndedByVote:
		return &n.ByVote
	case EndedByWeight:
		if e.Measure == MeasureTokens {
			return &n.ByTokens
		}
		return &n.ByEvidence
	case EndedByDebate:
		return &n.ArguedOut
	case EndedByUser:
		return &n.ByUser
	case EndedByNothing:
	}
	return &n.Left
}

// Words say what became of the conflicts: "3 conflicts: 2 settled by vote, 1 left
// to you". User is how the user is called: "you", "the user".
func (n *PanelCounts) Words(user string) string {
	var parts []string
	for _, part := range []struct {
		n    int
		word string
	}{
		{n.ByVote, "settled by vote"},
		{n.ByEvidence, "settled by evidence"},
		{n.ByTokens, "settled by tokens"},
		{n.ArguedOut, "argued out"},
		{n.ByUser, "decided by " + user},
		{n.Left, "left to " + user},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.word))
		}
	}
	switch {
	case len(parts) == 0 && n.early:
		return "the answers are not compared yet"
	case len(parts) == 0:
		return "no two answers conflict"
	}
	return plain.Counted(n.Conflicts(), "conflict") + ": " + strings.Join(parts, ", ")
}
