package panel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

func (*rules) Says(rule string) string {
	t := &Table{}
	return resolver.OrElse(t.panelRules().Says(rule), resolver.Base{}.Says(rule))
}

// Describe shows conflicts, and events of other points that say the same.
func (*rules) Describe(b *resolver.Basis, id string) string {
	t := b.Answers.(*Table)
	if c := b.State.Conflict(id); c != nil {
		return t.describeConflict(b, c)
	}
	words := b.Describe(id)
	if claim := t.claimOf(b); words == resolver.EventOfRecord && claim != nil {
		for _, p := range t.points(claim) {
			if other := (&resolver.Basis{State: b.State, Point: p}).Describe(id); other != resolver.EventOfRecord {
				return other
			}
		}
	}
	return words
}

// describeConflict is a conflict with its sides and its outcome.
func (t *Table) describeConflict(b *resolver.Basis, c *state.Conflict) string {
	words := fmt.Sprintf("the %s between %s and %s", c.Kind, t.sideWords(c.A), t.sideWords(c.B))
	if claim := t.claimOf(b); claim != nil && t.isLive(c) && slices.Contains(claim.Conflicts, c.ID) {
		words = fmt.Sprintf("the %s with %s", c.Kind, t.sideWords(t.opposite(c, claim).Points[0]))
	}
	ending := t.Ending(c)
	return words + ", " + resolver.Clip(ending.Words("you"))
}

// sideWords is the point by which a side of a conflict is known, with its text.
func (t *Table) sideWords(id string) string {
	if c := t.Claim(id); c != nil {
		id = c.Points[0]
	}
	if p := t.s.Point(id); p != nil {
		return id + " " + resolver.Quote(p.Text)
	}
	return id
}

// ConflictExplanation says how a conflict of a panel came out, and why.
type ConflictExplanation struct {
	// ID is K1, K2, …; Kind how the two sides differ.
	ID   string
	Kind state.ConflictKind
	// Sides are the points that the two are known by, with their texts and who
	// holds them. Texts quote seats as they wrote: who draws them escapes them.
	Sides [2]ConflictSide
	// Outcome is how it ended, in a sentence.
	Outcome string
	// Positions say who took which side, and how.
	Positions []state.Position
	// Grounds are the verified items on either side, in the order of Sides.
	Grounds [2][]resolver.Reading
	// Else says in sentences what would settle it otherwise, the nearest first.
	Else []string
}

// ConflictSide is one side of a conflict.
type ConflictSide struct {
	Point, Text string
	Holders     []state.Seat
	// Strength is the weight of the verified evidence for it, 0 and up.
	Strength int
}

// ExplainConflict explains the outcome of a conflict; ok is false for an unknown id.
func ExplainConflict(s state.State, id string) (e ConflictExplanation, ok bool) {
	c := s.Conflict(id)
	if c == nil {
		return e, false
	}
	t := newTable(&s)
	ending := t.Ending(c)
	e = ConflictExplanation{ID: c.ID, Kind: c.Kind, Outcome: resolver.Sentence(ending.Words("you"))}
	for i, point := range []string{c.A, c.B} {
		side := ConflictSide{Point: current(t.s, point)}
		if claim := t.Claim(point); claim != nil {
			side.Point, side.Holders = claim.Points[0], claim.Holders
		}
		side.Text = s.Point(side.Point).Text
		e.Sides[i] = side
	}
	if !t.isLive(c) {
		return e, true
	}
	sides := t.between[c.ID]
	for i := range sides {
		e.Sides[i].Strength, _ = t.strength(sides[i], sides[1-i])
		for _, item := range t.grounds(sides[i], sides[1-i]) {
			e.Grounds[i] = append(e.Grounds[i], resolver.Reading{ID: item.ID, What: resolver.EvidenceWords(item)})
		}
	}
	e.Positions = t.Positions(c)
	e.Else = t.settledElse(c)
	return e, true
}

// settledElse says what would settle a conflict otherwise: the votes that are still
// to come, evidence that would turn the weight, and the user.
func (t *Table) settledElse(c *state.Conflict) []string {
	if t.s.Closed {
		return []string{"The session is closed and never rewritten; fork it to continue from an earlier event."}
	}
	var ways []string
	sides := t.between[c.ID]
	for _, side := range sides {
		if t.s.Over() || c.Argued {
			break
		}
		var list []resolver.Candidate
		if silent := t.unheard(c); len(silent) > 0 && t.s.Round == 1 && CountsVotes(t.s) {
			list = append(list, resolver.Candidate{
				With: "votes of " + resolver.SeatNames(silent) + " for " + side.Points[0],
				Do: func(x *resolver.Course) {
					for _, seat := range silent {
						x.Add(t.vote(c, side, seat)...)
					}
				},
			})
		}
		k := resolver.Proofs()[2]
		list = append(list, resolver.Candidate{With: k.Words + " for " + side.Points[0], Do: func(x *resolver.Course) {
			x.Evidence(&k, ledger.Supports, "a command")
		}})
		for _, way := range list {
			x := &resolver.Course{State: *t.s, Format: &rules{}, Point: side.Points[0], Past: true}
			way.Do(x)
			known := Settled(c) && c.Settlement.Winner == side.Points[0]
			if now := newTable(&x.State).Settle(c); !x.Impossible && now.Settled && now.Winner == side.Points[0] && !known {
				ways = append(ways, fmt.Sprintf("With %s: settled for %s by %s.", way.With, now.Winner, now.Method))
			}
		}
	}
	return append(ways, fmt.Sprintf("If you agree with %s, or with %s, the other side falls.", sides[0].Points[0],
		sides[1].Points[0]))
}

// vote returns the classifications of a seat that takes a side in a conflict: AGREE
// with it, and REJECT of the other if the seat had agreed with that.
func (t *Table) vote(c *state.Conflict, side *Claim, seat state.Seat) []state.Payload {
	votes := []state.Payload{&state.PointClassified{
		Point: side.Points[0], By: seat, Class: state.Agree,
		Reason: "a reason",
	}}
	if other := t.opposite(c, side); t.agrees(other, seat) {
		votes = append(votes, &state.PointClassified{
			Point: other.Points[0], By: seat, Class: state.Reject,
			Reason: "a reason",
		})
	}
	return votes
}

// Matrix is the contribution of each panelist of a session.
type Matrix struct {
	// Seats are the panelists in the order of their seats.
	Seats []PanelSeat `json:"seats"`
}

// PanelSeat is the contribution of a panelist.
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

// FirstAnswer is the answer of a panelist before it saw the others: the texts of its
// points of round 1 in their order, one on each line; "" if no answer came.
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

// PanelCounts are the figures of a panel.
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
	// ByVote and ByEvidence count the conflicts that the strategy settled, by its method;
	// ByTokens those that evidence_weight settled without verified evidence.
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

// Candidates lists what could be done about a point: votes while nobody argues.
func (*rules) Candidates(l *resolver.Candidates) {
	if l.Basis.Answers.(*Table).argued(l.Basis) {
		l.Debate()
	} else {
		votes(l)
		l.Losses()
		l.Checks(false)
		if !resolver.Running(l.State) {
			l.Evidence()
		}
	}
	l.EndOfSession()
	l.Questions()
	conflictAnswers(l)
	if !l.State.Closed {
		l.UserArguments()
		l.UserAnswers()
		conflictMarks(l)
		l.UserRulings()
	}
}

// Follow applies the strategy to every conflict that is not argued.
func (*rules) Follow(x *resolver.Course) {
	if x.State.Panel.Conflicts.Len() > 0 && (!x.State.Over() || x.Past) {
		t := newTable(&x.State)
		for _, c := range t.live {
			if now := t.Settle(c); !c.Argued && (c.Settlement == nil || !SameSettlement(c.Settlement, &now)) {
				x.Add(&state.ConflictSettled{ID: c.ID, Settlement: now})
			}
		}
	}
	x.RaiseRefutation()
}

func (*rules) Spoken(x *resolver.Course, seat state.Seat, stage state.Stage) bool {
	return resolver.SpokenInDebate(x, seat, stage)
}

// votes tries what panelists could vote who were not heard on a conflict of the
// point.
func votes(l *resolver.Candidates) {
	t := l.Basis.Answers.(*Table)
	claim := t.Claim(l.Point.ID)
	for _, c := range t.about[claim] {
		if c.Argued || !CountsVotes(l.State) || resolver.Running(l.State) && l.State.Round != 1 {
			continue
		}
		other := t.opposite(c, claim)
		for _, seat := range t.unheard(c) {
			for _, side := range []*Claim{claim, other} {
				vote := resolver.Candidate{
					Who: resolver.MovedBySeats, Helps: side == claim,
					With: fmt.Sprintf("a vote of %s for %s (%s)", seat, side.Points[0], c.ID),
				}
				vote.Do = func(x *resolver.Course) { x.Add(t.vote(c, side, seat)...) }
				l.List = append(l.List, vote)
			}
		}
	}
}

// unheard are the panelists that hold neither side of a conflict and can still be
// asked about it; once the session is over, all that hold neither.
func (t *Table) unheard(c *state.Conflict) []state.Seat {
	sides := t.between[c.ID]
	return slices.DeleteFunc(slices.Clone(t.seats), func(seat state.Seat) bool {
		holds := slices.Contains(sides[0].Holders, seat) || slices.Contains(sides[1].Holders, seat)
		heard := t.s.AskedOf(seat, state.StageVote).Replies > 0 || t.agrees(sides[0], seat) || t.agrees(sides[1], seat)
		return holds || t.s.Panel.Misses(seat) || heard && resolver.Running(t.s)
	})
}

// conflictAnswers tries each answer to the questions about conflicts of the point.
func conflictAnswers(l *resolver.Candidates) {
	t := l.Basis.Answers.(*Table)
	for _, q := range l.State.Questions.All() {
		id, about := strings.CutPrefix(q.About, state.AboutConflict)
		c := l.State.Conflict(id)
		if q.Answered || !about || c == nil || !slices.Contains(t.about[t.Claim(l.Point.ID)], c) {
			continue
		}
		sides := t.between[c.ID]
		for _, option := range q.Options {
			if option != state.AnswerNeither && option != sides[0].Points[0] && option != sides[1].Points[0] {
				continue
			}
			l.Answer(q, option, func(x *resolver.Course) {
				for _, side := range sides {
					what := state.OverrideDismiss
					if option == side.Points[0] {
						what = state.OverrideAgree
					}
					for _, id := range side.Points {
						x.Add(&state.OverrideMade{What: what, Point: id, Reason: state.DecidedReason(c.ID)})
					}
				}
			})
		}
	}
}

// conflictMarks tries what the user may do about the conflicts of a panel's point:
// agree with the other side, or mark the pair differently.
func conflictMarks(l *resolver.Candidates) {
	t := l.Basis.Answers.(*Table)
	claim := t.Claim(l.Point.ID)
	conflicts := t.about[claim]
	for _, c := range conflicts[:min(len(conflicts), resolver.MostTried)] {
		other := t.opposite(c, claim).Points[0]
		l.Add(resolver.MovedByUser, fmt.Sprintf("your agreement with %s, the other side of %s", other, c.ID), func(x *resolver.Course) {
			x.Add(&state.OverrideMade{What: state.OverrideAgree, Point: other})
		})
		if !resolver.Running(l.State) {
			continue
		}
		a, b := current(l.State, c.A), current(l.State, c.B)
		for _, same := range []bool{false, true} {
			with := fmt.Sprintf("your mark that %s and %s are unrelated", a, b)
			if same {
				with = fmt.Sprintf("your mark that %s and %s say the same", a, b)
			}
			l.Add(resolver.MovedByUser, with, func(x *resolver.Course) {
				x.Add(&state.PointsPaired{A: a, B: b, Same: same, Alike: same, By: state.User},
					&state.ConflictDropped{ID: c.ID, By: state.User, Reason: "the user marked the pair again"})
			})
		}
	}
}

// Expect derives conflicts and their settlements again.
func (*rules) Expect(s *state.State, recorded state.Payload) (state.Payload, error) {
	switch e := recorded.(type) {
	case *state.ConflictFound:
		if !slices.Contains(Contradictory(s), Apart{A: e.A, B: e.B, Kind: e.What, By: e.By}) {
			return nil, fmt.Errorf("the %s %s between %s and %s, marked by %s, does not follow from the marks", e.What,
				e.ID, e.A, e.B, e.By)
		}
		return recorded, expectChallenges(s, e.ID, e.Challenges, e.A, e.B)
	case *state.ConflictSettled:
		c := s.Conflict(e.ID)
		if c == nil {
			return nil, fmt.Errorf("%s is settled, and there is no such conflict", e.ID)
		}
		return &state.ConflictSettled{ID: e.ID, Settlement: newTable(s).Settle(c)}, nil
	case *state.ConflictArgued:
		c := s.Conflict(e.ID)
		switch {
		case c == nil || c.Argued || Settled(c) || c.Dropped || !Arguable(s, c):
			return nil, fmt.Errorf("%s cannot be argued: it is unknown, argued, settled or dropped, or has no two sides",
				e.ID)
		case e.By != state.User &&
			(e.By != state.Protocol || s.Settings.Panel == nil || s.Settings.Panel.Then != state.ThenConsult):
			return nil, fmt.Errorf("%s is argued by %s, and the session was not opened so", e.ID, e.By)
		}
		return recorded, expectChallenges(s, c.ID, e.Challenges, s.Current(c.A).ID, s.Current(c.B).ID)
	}
	return resolver.Base{}.Expect(s, recorded)
}

// expectChallenges checks that challenges by code mark a conflict between two points.
func expectChallenges(s *state.State, id string, challenges []string, a, b string) error {
	for _, challenge := range challenges {
		c := s.Challenge(challenge)
		if c == nil || c.By != state.Protocol || c.Point != a && c.Point != b {
			return fmt.Errorf("%s is named for %s, and is no challenge by code to %s or %s", challenge, id, a, b)
		}
	}
	return nil
}

// Why implements view.Format.
func (document) Why(*resolver.Explanation) []view.Section { return nil }

// Explain shows how a conflict came out: its sides, who took which, the evidence on either,
// and what would settle it otherwise.
func (document) Explain(s *state.State, name string) (d view.Document, ok bool) {
	e, ok := ExplainConflict(*s, strings.ToUpper(name))
	if !ok {
		return d, false
	}
	d = view.Document{Title: e.ID, Question: "a " + string(e.Kind), Heading: "OUTCOME", Verdict: []string{e.Outcome}}
	sides := view.Section{Title: "SIDES", Uncounted: true}
	for i := range e.Sides {
		side := &e.Sides[i]
		it := view.Item{ID: side.Point, Text: side.Text, Role: view.RolePoint}
		if len(side.Holders) > 0 {
			it.Note("said by", view.Seats(side.Holders))
		}
		for _, r := range e.Grounds[i] {
			it.Note(r.ID, r.What)
		}
		if side.Strength > 0 {
			it.Note("verified evidence weighs", strconv.Itoa(side.Strength))
		}
		sides.Items = append(sides.Items, it)
	}
	positions := view.Section{Title: "POSITIONS", Uncounted: true}
	for _, p := range e.Positions {
		how := "by its own answer"
		if !p.Answered {
			how = "when it was asked"
		}
		positions.Lines = append(positions.Lines, fmt.Sprintf("%s for %s, %s", p.Seat, p.Point, how))
	}
	d.Add(sides, positions, view.Section{Title: "WHAT WOULD SETTLE IT OTHERWISE", Uncounted: true, Lines: e.Else})
	return d, true
}
