package panel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
)

// document describes a panel.
type document struct{ view.Claims }

// Outcome is the outcome of a panel in the exported JSON: who answered, where the answers
// conflict, and how each conflict ended.
type Outcome struct {
	view.Concluded
	Settings
	// Answered are the panelists whose first answer arrived, Missing the seats that gave
	// none; that can include the orchestrator.
	Answered []state.Seat       `json:"answered"`
	Missing  []state.SeatMissed `json:"missing"`
	// Said are how many panelists said what, as the answer begins.
	Said []string `json:"said"`
	// Conflicts are all that were found, including dropped ones.
	Conflicts []ConflictResult `json:"conflicts"`
	// Review sums up the results of the strategy alone; its winner is a point.
	Review conflict.Review `json:"review"`
}

// ConflictResult is a pair of claims of different panelists that exclude each other.
type ConflictResult struct {
	ID   string        `json:"id"`
	Type conflict.Type `json:"type"`
	// Points are the two sides, Outputs their texts in that order. Similarity is the share of
	// words that the texts have in common, 0 to 1.
	Points     [2]string `json:"points"`
	Outputs    [2]string `json:"outputs"`
	Similarity float64   `json:"similarity"`
	Argued     bool      `json:"argued"`
	Ending
	// Resolution says what the strategy decided; it is empty before that.
	Resolution Settlement `json:"resolution"`
}

// Counts are the figures of a panel.
type Counts struct {
	// Panelists counts the seats of the panel, Answered those that gave an answer, Missing those
	// that the panel continues without.
	Panelists int `json:"panelists"`
	Answered  int `json:"answered"`
	Missing   int `json:"missing"`
	// Claims counts the claims that belong to the question and are held by a panelist: ByAll are
	// held by all who answered (at least two), BySeveral by more than one, ByOne by one.
	Claims    int `json:"claims"`
	ByAll     int `json:"shared_by_all"`
	BySeveral int `json:"shared_by_some"`
	ByOne     int `json:"alone"`
	// Contradictions and Disagreements are the live conflicts, by kind.
	Contradictions int `json:"contradictions"`
	Disagreements  int `json:"disagreements"`
	// ByVote and ByEvidence count the conflicts that the strategy settled, by its method;
	// ByTokens those that evidence_weight settled without verified evidence.
	ByVote     int `json:"settled_by_vote"`
	ByEvidence int `json:"settled_by_evidence"`
	ByTokens   int `json:"settled_by_tokens"`
	// ArguedOut were argued until a side was given up or lost, ByUser were decided by the user.
	// Left are the others.
	ArguedOut int `json:"argued_out"`
	ByUser    int `json:"decided_by_user"`
	Left      int `json:"left_to_user"`

	// early is set if the answers are not compared yet, uncompared if the orchestrator never did.
	early, uncompared bool
}

// firstAnswers returns the panelists whose first answer arrived.
func (t *Table) firstAnswers() []state.Seat {
	return lists.Filter(t.seats, func(seat state.Seat) bool {
		return t.s.Points.Any(func(p *state.Point) bool {
			return p.Round == 1 && p.Revises == "" && len(p.Authors) > 0 && p.Authors[0] == seat
		})
	})
}

// counted reports whether a claim belongs to the question and is held by a panelist.
func (t *Table) counted(c *Claim) bool {
	return len(c.Holders) > 0 && slices.ContainsFunc(c.Points, func(id string) bool { return placed(t.s.Point(id)) })
}

// Conflicts is the number of live conflicts.
func (n *Counts) Conflicts() int { return n.Contradictions + n.Disagreements }

// Counts counts the results of the panel so far.
func (t *Table) Counts() Counts {
	answered := t.firstAnswers()
	n := Counts{Panelists: len(t.seats), Answered: len(answered), early: !compared(t.s)}
	n.uncompared = t.s.Round == 1 && t.s.AskedOf(state.Orchestrator, StageTriage).Replies == 0
	for _, seat := range t.seats {
		if t.s.Misses(seat) && !slices.Contains(answered, seat) {
			n.Missing++
		}
	}
	for _, c := range t.Claims {
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
	for _, c := range t.Conflicts {
		switch c.Kind {
		case conflict.Contradiction:
			n.Contradictions++
		case conflict.Disagreement:
			n.Disagreements++
		}
		switch e := t.Ending(c); e.By {
		case EndedByVote:
			n.ByVote++
		case EndedByWeight:
			if e.Measure == MeasureTokens {
				n.ByTokens++
			} else {
				n.ByEvidence++
			}
		case EndedByDebate:
			n.ArguedOut++
		case EndedByUser:
			n.ByUser++
		case EndedByNothing:
			n.Left++
		}
	}
	return n
}

// words says how the conflicts ended: "2 settled by vote, 1 left to you". User is "you" or "the user".
func (n *Counts) words(user string) string {
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
	return strings.Join(parts, ", ")
}

// statements never changes.
var statements = view.Statements{ //nolint:gochecknoglobals // a table
	{
		ID: "result/early", Words: "the answers are not compared yet",
		When: func(r view.Record) ([]any, bool) {
			n := NewTable(r.State).Counts()
			return nil, n.early && n.Conflicts() == 0
		},
	},
	{
		ID:    "result/uncompared",
		Words: "the orchestrator did not compare the answers; their words alone show no conflict",
		When: func(r view.Record) ([]any, bool) {
			n := NewTable(r.State).Counts()
			return nil, n.uncompared && n.Conflicts() == 0
		},
	},
	{
		ID: "result/none", Words: "no two answers conflict",
		When: func(r view.Record) ([]any, bool) {
			n := NewTable(r.State).Counts()
			return nil, n.Conflicts() == 0
		},
	},
	{
		ID: "result/conflicts", Words: "%s: %s",
		When: func(r view.Record) ([]any, bool) {
			n := NewTable(r.State).Counts()
			user := "you"
			if r.ID == string(state.User) { // for the record
				user = "the user"
			}
			return []any{view.Counted(n.Conflicts(), "conflict"), n.words(user)}, true
		},
	},
	{
		ID: "answered/seats", Words: "%d of %d: %s",
		When: func(r view.Record) ([]any, bool) {
			t := NewTable(r.State)
			answered := t.firstAnswers()
			return []any{len(answered), len(t.seats), view.Seats(answered)}, len(answered) > 0
		},
	},
	{
		ID: "answered/nobody", Words: "0 of %d: nobody",
		When: func(r view.Record) ([]any, bool) { return []any{len(NewTable(r.State).seats)}, true },
	},
	{
		ID: "all say/nothing", Words: "nothing",
		When: func(r view.Record) ([]any, bool) { return nil, len(sharers(r.State).all) == 0 },
	},
	{
		ID: "all say/claims", Words: "%s",
		When: func(r view.Record) ([]any, bool) { return []any{strings.Join(sharers(r.State).all, ", ")}, true },
	},
	{
		ID: "some say/nothing", Words: "nothing",
		When: func(r view.Record) ([]any, bool) { return nil, len(sharers(r.State).several) == 0 },
	},
	{
		ID: "some say/claims", Words: "%s",
		When: func(r view.Record) ([]any, bool) { return []any{strings.Join(sharers(r.State).several, ", ")}, true },
	},
	{
		ID: "one says/nothing", Words: "nothing",
		When: func(r view.Record) ([]any, bool) { return nil, len(sharers(r.State).alone) == 0 },
	},
	{
		ID: "one says/claims", Words: "%s",
		When: func(r view.Record) ([]any, bool) { return []any{strings.Join(sharers(r.State).alone, ", ")}, true },
	},
	{
		ID: "everyone/says", Words: "everyone who answered says so",
		When: func(r view.Record) ([]any, bool) {
			t := NewTable(r.State)
			claim := t.Claim(r.ID)
			return nil, claim != nil && t.saidByAll(claim)
		},
	},
	{
		ID: "said by/nobody", Words: "nobody",
		When: func(r view.Record) ([]any, bool) {
			return nil, len(NewTable(r.State).saidBy(r.State.Point(r.ID))) == 0
		},
	},
	{
		ID: "held/nobody", Words: "nobody",
		When: func(r view.Record) ([]any, bool) { return nil, len(r.State.Point(r.ID).Authors) == 0 },
	},
}

// Statements implements view.Format.
func (document) Statements() view.Statements { return statements }

// shares are the claims by how many panelists make them. A claim that everyone gave up counts for those who made it,
// and says so.
type shares struct{ all, several, alone []string }

func sharers(s *state.State) (found shares) {
	t := NewTable(s)
	for _, c := range t.Claims {
		first := t.s.Point(c.Points[0])
		said := t.saidBy(first)
		gaveUp := len(c.Holders) == 0 && len(said) > 0 && placed(first)
		switch {
		case gaveUp && len(said) > 1:
			found.several = append(found.several, first.ID+" ("+view.Seats(said)+", who gave it up)")
		case gaveUp:
			found.alone = append(found.alone, first.ID+" ("+view.Seats(said)+", who gave it up)")
		case !t.counted(c):
		case t.saidByAll(c):
			found.all = append(found.all, c.Points[0])
		case len(c.Holders) > 1:
			found.several = append(found.several, c.Points[0]+" ("+view.Seats(c.Holders)+")")
		default:
			found.alone = append(found.alone, c.Points[0]+" ("+string(c.Holders[0])+")")
		}
	}
	return found
}

// saidByAll reports whether everyone who answered, at least two, makes a claim.
func (t *Table) saidByAll(c *Claim) bool {
	answered := len(t.firstAnswers())
	return answered > 1 && len(c.Holders) == answered
}

func (document) Opposed(s *state.State) (seats []state.Seat, withRules bool) {
	return panelists(s), false
}

// counts returns the positions that were counted, or would be.
func (t *Table) counts(c *Conflict) []Position {
	if c.Settlement != nil {
		return view.Some(c.Settlement.Positions)
	}
	return t.Positions(c)
}

// saidBy returns the panelists whose answers make a claim, even if they gave it up.
func (t *Table) saidBy(p *state.Point) []state.Seat {
	points := []string{p.ID}
	if c := t.stance[p.ID]; c != nil {
		points = c.Points
	}
	return lists.Filter(t.seats, func(seat state.Seat) bool {
		return slices.ContainsFunc(points, func(id string) bool { return t.s.Point(id).IsAuthor(seat) })
	})
}

// Counts are about the answers of the panel.
func (document) Counts(s *state.State) any { return NewTable(s).Counts() }

// Outcome compares the answers.
func (document) Outcome(s *state.State) any {
	t := NewTable(s)
	out := Outcome{
		Concluded: view.Conclude(s), Settings: settingsOf(s),
		Answered: view.Some(t.firstAnswers()), Missing: view.Some(s.Missing), Said: view.Some(t.Said()),
		Conflicts: []ConflictResult{},
		Review:    t.Review(),
	}
	for _, c := range Of(s).Conflicts.All() {
		a, b := t.sidePoints(c)
		one := ConflictResult{
			ID: c.ID, Type: c.Kind, Points: [2]string{a.ID, b.ID}, Outputs: [2]string{a.Text, b.Text},
			Similarity: resolver.Similarity(a.Text, b.Text), Argued: c.Argued, Ending: t.Ending(c),
		}
		if c.Settlement != nil {
			one.Resolution = *c.Settlement
		}
		one.Resolution.Positions = t.counts(c)
		out.Conflicts = append(out.Conflicts, one)
	}
	return out
}

// FirstAnswers counts what several panelists said as agreed, unless another first answer
// conflicts with it.
func (document) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	t := NewTable(s)
	contested := map[string]bool{}
	for _, c := range t.Conflicts {
		contested[c.ID] = s.Point(c.A).Round == 1 && s.Point(c.B).Round == 1
	}
	return func(p *state.Point) state.Bucket {
		if p.Round > 1 || !slices.ContainsFunc(p.Authors, IsPanelist) {
			return state.BucketNotEvaluated
		}
		claim := t.Claim(p.ID)
		if claim == nil || len(claim.Holders) < 2 ||
			slices.ContainsFunc(claim.Conflicts, func(id string) bool { return contested[id] }) {
			return state.BucketUnresolved
		}
		return state.BucketAgreed
	}
}

// missingSeats lists the seats that gave no answer, and why.
func missingSeats(s *state.State) []string {
	// A seat that will be asked again is not missing; until then all are.
	if s.Paused == state.PauseUnreachable && s.Points.Len() == 0 {
		return []string{s.PauseReason}
	}
	var missing []string
	for i := range s.Missing {
		missing = append(missing, missingLine(s, &s.Missing[i]))
	}
	return missing
}

// missingLine says which seat gave no answer, and why.
func missingLine(s *state.State, m *state.SeatMissed) string {
	a, _ := s.Assignment(m.Seat)
	line := fmt.Sprintf("%s (%s) ", m.Seat, a.Participant)
	if m.Failure == nil {
		line += "gave no answer: "
	}
	return line + m.Reason
}

func (document) Warnings(s *state.State) []string {
	warnings := lists.Map(missingSeats(s), func(m string) string { return "missing: " + m })
	return append(warnings, view.DriftWarnings(s)...)
}

// Status counts the answers and the conflicts.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	n := NewTable(s).Counts()
	words := fmt.Sprintf("answers %d/%d", n.Answered, n.Panelists)
	if n.Missing > 0 {
		words += fmt.Sprintf(", %d missing", n.Missing)
	}
	switch found := n.Conflicts(); {
	case found == 0 && n.uncompared:
		return words + ", not compared", view.RoleDoubt
	case found == 0 && s.Over():
		return words + ", no conflicts", view.RoleGood
	case found == 0:
		return words, view.RolePlain
	case n.Left == 0:
		return words + ", " + view.Counted(found, "conflict") + ", all settled", view.RoleGood
	default:
		return fmt.Sprintf("%s, %s, %d left", words, view.Counted(found, "conflict"), n.Left), view.RoleDoubt
	}
}

// Map shows the conflicts between claims, and which points are one claim.
func (document) Map(s *state.State) view.Map {
	m := view.Map{Notes: map[string][]string{}, Hidden: map[string]bool{}}
	t := NewTable(s)
	for _, k := range t.Conflicts {
		one, other := t.Sides(k)
		a, b := one.Points[0], other.Points[0]
		verb := " contradicts "
		if k.Kind == conflict.Disagreement {
			verb = " differs from "
		}
		ending := t.Ending(k)
		for id, other := range map[string]string{a: b, b: a} {
			m.Notes[id] = append(m.Notes[id], k.ID+verb+other+", "+ending.Short("you"))
		}
	}
	for _, k := range Of(s).Conflicts.All() {
		for _, id := range k.Challenges {
			m.Hidden[id] = true
		}
	}
	for _, claim := range t.Claims {
		for _, id := range claim.Points {
			same := lists.Filter(claim.Points, func(other string) bool { return other != id })
			if len(same) > 0 {
				m.Notes[id] = append(m.Notes[id], "the same as "+strings.Join(same, ", "))
			}
		}
	}
	return m
}

// Fill shows the result, the conflicts, the points by bucket, and how much the panelists
// agree.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	t := NewTable(s)
	p := &panelView{s: s, t: t, counts: t.Counts(), argument: view.NewArgument(s, rulings)}
	if record := (view.Record{State: s}); p.counts.Answered > 1 {
		result := view.Item{Text: view.Stated("result", record)}
		for _, share := range []string{"all say", "some say", "one says"} {
			result.Note(share, view.Stated(share, record))
		}
		d.Add(view.Section{Title: "RESULT", Uncounted: true, Items: []view.Item{result}})
	}
	d.Header(s)
	p.rows(d)
	d.AddVerdict(s, rulings)
	p.settled(d, rulings)
	if len(d.Answer.Items) > 0 {
		said := lists.Map(t.Said(), func(text string) view.Item { return view.Item{Mark: "Said", Text: text} })
		d.Answer.Items = append(said, d.Answer.Items...)
	}
	d.Add(p.conflicts())
	d.AddPoints(s, rulings, p.describe)
}

type panelView struct {
	s      *state.State
	t      *Table
	counts Counts
	// argument has the status of each challenge.
	argument *view.Argument
}

// settled heads a session whose only results are conflicts that the strategy settled: its points keep their status.
func (p *panelView) settled(d *view.Document, rulings []state.Ruling) {
	if !p.s.Over() || p.s.Inconclusive || !resolver.Inconclusive(p.s, rulings) {
		return
	}
	by := ""
	for _, c := range p.t.Conflicts {
		e := p.t.Ending(c)
		if !Settled(c) || e.By != EndedByVote && e.By != EndedByWeight {
			continue
		}
		measure := cmp.Or(e.Measure, "vote")
		by = cmp.Or(by, measure)
		if by != measure {
			by = "strategy"
		}
		d.Verdict = append(d.Verdict, c.ID+": "+resolver.Sentence(e.Words("you")))
	}
	if by == "" {
		return
	}
	d.Heading = "SETTLED BY " + strings.ToUpper(by)
	d.Verdict = append(d.Verdict, "That is no evidence: each point keeps its status.")
}

// mostSaid is how many claims without a conflict are counted in the answer.
const mostSaid = 5

// Said says how many panelists said what: the two sides of each conflict, and what several said. A participant counts
// once for a claim, in however many wordings it made it, also if it gave the claim up later.
func (t *Table) Said() []string {
	of := len(t.firstAnswers())
	if of < 2 || !compared(t.s) {
		return nil
	}
	said := func(claim *Claim) (seats []state.Seat) {
		return lists.Filter(t.seats, func(seat state.Seat) bool {
			return slices.ContainsFunc(claim.Points, func(id string) bool { return t.s.Point(id).IsAuthor(seat) })
		})
	}
	words := func(claim *Claim) string {
		p := t.s.Point(claim.Points[0])
		text := strings.TrimRight(plain.Short(p.Text), ".") + " (" + p.ID
		var places []string
		for _, point := range t.points(claim) {
			for _, id := range point.Evidence {
				item := t.s.Item(id)
				if item.Relation == ledger.Supports && item.Type != ledger.Claim && resolver.Counts(t.s, point, item) &&
					!slices.Contains(places, item.Reference) {
					places = append(places, item.Reference)
				}
			}
		}
		return text + strings.Join(append([]string{""}, places...), ", ") + ")"
	}
	var lines []string
	inConflict := map[*Claim]bool{}
	for _, c := range t.Conflicts {
		sides := t.between[c.ID]
		if len(said(sides[1])) > len(said(sides[0])) {
			sides[0], sides[1] = sides[1], sides[0]
		}
		inConflict[sides[0]], inConflict[sides[1]] = true, true
		lines = append(lines, fmt.Sprintf("%d of %d: %s; %d: %s", len(said(sides[0])), of, words(sides[0]),
			len(said(sides[1])), words(sides[1])))
	}
	var shared []string
	for _, claim := range t.Claims {
		if n := len(said(claim)); n > 1 && !inConflict[claim] && t.counted(claim) {
			shared = append(shared, fmt.Sprintf("%d of %d: %s", n, of, words(claim)))
		}
	}
	if more := len(shared) - mostSaid; more > 0 {
		shared = append(shared[:mostSaid], fmt.Sprintf("%s that several said: see the claims below",
			view.Counted(more, "more claim")))
	}
	if lines = append(lines, shared...); len(lines) == 0 {
		return []string{
			fmt.Sprintf("%d of %d answered, and no claim of two answers was marked as the same or as a conflict",
				of, len(t.seats)),
		}
	}
	return lines
}

// rows are the rows that only a panel has.
func (p *panelView) rows(d *view.Document) {
	record := view.Record{State: p.s}
	d.Row("answered", view.Stated("answered", record))
	d.Row("strategy", view.Join(", then ", settingsOf(p.s).Strategy, settingsOf(p.s).Then))
}

// conflicts lists the current conflicts, then the dropped ones.
func (p *panelView) conflicts() view.Section {
	sec := view.Section{Title: "CONFLICTS"}
	var dropped []view.Item
	for _, c := range Of(p.s).Conflicts.All() {
		e := p.t.Ending(c)
		if it := p.conflict(c, &e); e.Dropped {
			dropped = append(dropped, it)
		} else {
			sec.Items = append(sec.Items, it)
		}
	}
	sec.Items = append(sec.Items, dropped...)
	return sec
}

func (p *panelView) conflict(c *Conflict, e *Ending) view.Item {
	a, b := p.t.sidePoints(c)
	it := view.Item{
		ID: c.ID, Mark: view.Tag(string(c.Kind)), Text: fmt.Sprintf("%s against %s: %s", a.ID, b.ID, e.Words("you")),
	}
	for _, side := range []*state.Point{a, b} {
		it.Note(side.ID, side.Text)
		said := view.Seats(p.t.saidBy(side))
		if said == "" {
			said = view.Stated("said by", view.Record{State: p.s, ID: side.ID})
		}
		it.Note("said by", said)
		voters := lists.Filter(p.t.counts(c), func(v Position) bool { return v.Point == side.ID && !v.Answered })
		if len(voters) > 0 {
			it.Note("voted for by", view.Seats(lists.Map(voters, func(v Position) state.Seat { return v.Seat })))
		}
	}
	it.Note("alike", view.Percent(resolver.Similarity(a.Text, b.Text))+" by their words")
	if c.Argued {
		it.Note("argued", "by both sides, "+arguedBecause(c.ArguedBy))
	}
	// The challenges that the conflict consists of have no section of their own.
	for _, id := range c.Challenges {
		if one := p.s.Challenge(id); len(one.Defenses) > 0 {
			it.Note("on "+one.Point, id+" is "+p.argument.Challenge(one).Mark)
			it.Notes = append(it.Notes, view.Answers(one)...)
		}
	}
	return it
}

// arguedBecause says why the two sides of a conflict argue it.
func arguedBecause(by state.Seat) string {
	if by == state.User {
		return "as you decided"
	}
	return "because the strategy did not settle it"
}

// describe names the seats that make a claim, and its other wordings.
func (p *panelView) describe(it *view.Item, point *state.Point, _ *state.Ruling) {
	record := view.Record{State: p.s, ID: point.ID}
	text := view.Seats(point.Authors)
	if text == "" {
		text = view.Stated("held", record)
	}
	if claim := p.t.Claim(point.ID); claim != nil {
		others := lists.Filter(claim.Points, func(id string) bool { return id != point.ID })
		if len(others) > 0 {
			text += "; the same as " + strings.Join(others, " ")
		}
		if p.t.saidByAll(claim) {
			text += "; " + view.Stated("everyone", record)
		}
	}
	it.Notes = slices.Insert(it.Notes, 0, view.Note{Label: "said by", Text: text})
}

// Event describes missing seats, votes and conflicts.
func (document) Event(_, after *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *state.SeatMissed:
		return view.One(view.Say("missing", string(e.Seat), "gave no answer: "+e.Reason, view.RoleWarn)), true
	case *state.SeatRecalled:
		return view.One(view.Line{
			Label: "again", Lead: string(e.Seat), Text: "is asked again when the session is resumed",
			Role: view.RoleQuiet,
		}), true
	case *state.PointClassified:
		if lastStage(after, e.By) != StageVote {
			return nil, false
		}
		side := e.Point
		if e.Class != state.Agree {
			side = fmt.Sprintf("%s on %s", e.Class, e.Point)
		}
		return view.One(view.Say("vote", side, e.Reason, view.ClassRole(e.Class)).By(e.By)), true
	case *ConflictFound:
		return view.One(view.Line{
			Key: e.ID, Replaces: challengeKeys(e.Challenges), Label: "conflict", Lead: e.ID + " " + string(e.What),
			Text: heldBy(after, e.A) + " and " + heldBy(after, e.B), Role: view.RoleDoubt,
		}), true
	case *ConflictDropped:
		return view.One(view.Line{
			Label: "dropped", Lead: e.ID, Text: view.Sentence("no conflict", e.Reason), Role: view.RoleQuiet,
		}.By(e.By)), true
	case *ConflictSettled:
		l := view.Line{
			Label: "settled", Lead: e.ID + " for " + e.Winner, Text: e.Reasoning, Detail: e.Method, Role: view.RoleGood,
		}
		switch {
		case !e.Settled:
			l.Label, l.Lead, l.Detail, l.Role = "unsettled", e.ID, "", view.RoleDoubt
		case e.Method == string(conflict.Vote):
			votes := lists.Filter(e.Positions, func(p Position) bool { return p.Point == e.Winner })
			l.Lead, l.Text = l.Lead+fmt.Sprintf(" by vote, %d/%d", len(votes), len(e.Positions)), ""
		}
		return view.One(l), true
	case *ConflictArgued:
		return view.One(view.Line{
			Replaces: challengeKeys(e.Challenges), Label: "argued", Lead: e.ID,
			Text: "by its two sides, " + arguedBecause(e.By), Role: view.RoleOpen,
		}), true
	}
	return nil, false
}

// challengeKeys are the keys of the lines for challenges that only repeat a conflict.
func challengeKeys(ids []string) []string {
	return append(slices.Clone(ids), lists.Map(ids, func(id string) string { return id + " upgrade" })...)
}

// heldBy returns a point with the panelists whose answers say it.
func heldBy(s *state.State, point string) string {
	claim := NewTable(s).Claim(point)
	if claim == nil || len(claim.Holders) == 0 {
		return point
	}
	return point + " (" + view.Seats(claim.Holders) + ")"
}

// lastStage returns the last stage in which a seat was asked in this round.
func lastStage(s *state.State, seat state.Seat) state.Stage {
	sent, stage := -1, state.Stage("")
	for i := range s.Asked {
		if a := &s.Asked[i]; a.Seat == seat && a.Sent > sent {
			sent, stage = a.Sent, a.Stage
		}
	}
	return stage
}

// View implements protocol.Format.
func (Format) View() view.Format { return document{} }
