package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// Matrix is what each panelist of a session brought.
type Matrix struct {
	// Seats are the panelists in the order of their seats.
	Seats []PanelSeat `json:"seats"`
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

// Matrix counts what each panelist holds.
func (t *Table) Matrix() Matrix {
	seats := t.s.Panelists()
	m := Matrix{Seats: make([]PanelSeat, len(seats))}
	for i, seat := range seats {
		text := t.FirstAnswer(seat)
		m.Seats[i] = PanelSeat{Seat: seat, Answered: text != ""}
		for _, missing := range t.s.Panel.Missing {
			if missing.Seat == seat && text == "" {
				m.Seats[i].Missing = missing.Reason
			}
		}
	}
	for i, held := range t.heldBy(seats) {
		countClaims(&m.Seats[i], held)
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
