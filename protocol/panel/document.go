package panel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
	"moot/view"
)

// document puts a panel into words.
type document struct{ view.Claims }

// Outcome is the outcome of a panel in the exported JSON: who answered, what the answers say,
// where they conflict, and how each conflict ended.
type Outcome struct {
	Kind state.Format `json:"kind"`
	// Strategy settles conflicts. Then says what follows for one that it does not settle:
	// consult, or "" for a question to the user.
	Strategy conflict.Strategy `json:"strategy"`
	Then     string            `json:"then"`
	// Answered are the panelists whose first answer arrived, Missing the seats that gave
	// none; that can include the orchestrator.
	Answered []state.Seat  `json:"answered"`
	Missing  []MissingSeat `json:"missing"`
	// Claims say what the answers assert, in order of appearance.
	Claims []ExportedClaim `json:"claims"`
	// Conflicts are all that were found, including dropped ones.
	Conflicts []Conflict `json:"conflicts"`
	// Matrix counts what each panelist contributed.
	Matrix Matrix `json:"matrix"`
	// Review sums up what the strategy alone makes of the conflicts; its winner is a point.
	Review conflict.Review `json:"review"`
}

// Matrix is the contribution of each panelist.
type Matrix struct {
	// Seats are the panelists in the order of their seats.
	Seats []Contribution `json:"seats"`
}

// Contribution counts what a panelist contributed.
type Contribution struct {
	Seat state.Seat `json:"seat"`
	// Answered is true if its first answer arrived.
	Answered bool `json:"answered"`
	// Missing says why it gave no answer, or is "".
	Missing string `json:"missing"`
	// Claims counts the claims that it holds, Alone those that no other panelist holds.
	Claims int `json:"claims"`
	Alone  int `json:"alone"`
}

// Matrix counts what each panelist holds.
func (t *Table) Matrix() Matrix {
	m := Matrix{Seats: make([]Contribution, len(t.seats))}
	for i, seat := range t.seats {
		c := &m.Seats[i]
		c.Seat, c.Answered = seat, t.answered(seat)
		for _, missing := range t.s.Panel.Missing {
			if missing.Seat == seat && !c.Answered {
				c.Missing = missing.Reason
			}
		}
		for _, claim := range t.claims {
			if t.counted(claim) && slices.Contains(claim.Holders, seat) {
				c.Claims++
				if len(claim.Holders) == 1 {
					c.Alone++
				}
			}
		}
	}
	return m
}

// answered reports whether a panelist's first answer arrived.
func (t *Table) answered(seat state.Seat) bool {
	for _, p := range t.s.Points.All() {
		if p.Round == 1 && p.Revises == "" && len(p.Authors) > 0 && p.Authors[0] == seat {
			return true
		}
	}
	return false
}

// firstAnswers returns the panelists whose first answer arrived.
func (t *Table) firstAnswers() []state.Seat {
	return slices.DeleteFunc(slices.Clone(t.seats), func(seat state.Seat) bool { return !t.answered(seat) })
}

// counted reports whether a claim belongs to the question and is held by a panelist.
func (t *Table) counted(c *Claim) bool {
	return len(c.Holders) > 0 && slices.ContainsFunc(c.Points, func(id string) bool { return placed(t.s.Point(id)) })
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
	ByAll     int `json:"by_all"`
	BySeveral int `json:"by_several"`
	ByOne     int `json:"by_one"`
	// Contradictions and Disagreements are the live conflicts, by kind.
	Contradictions int `json:"contradictions"`
	Disagreements  int `json:"disagreements"`
	// ByVote and ByEvidence count the conflicts that the strategy settled, by its method;
	// ByTokens those that evidence_weight settled without verified evidence.
	ByVote     int `json:"by_vote"`
	ByEvidence int `json:"by_evidence"`
	ByTokens   int `json:"by_tokens"`
	// ArguedOut were argued until a side was given up or lost, ByUser were decided by the user.
	// Left are the others.
	ArguedOut int `json:"argued_out"`
	ByUser    int `json:"by_user"`
	Left      int `json:"left"`

	// early is set if the answers are not compared yet.
	early bool
}

// Conflicts is the number of live conflicts.
func (n *Counts) Conflicts() int { return n.Contradictions + n.Disagreements }

// Counts counts what the panel came to so far.
func (t *Table) Counts() Counts {
	n := Counts{Panelists: len(t.seats), early: !compared(t.s)}
	n.Answered = len(t.firstAnswers())
	for _, seat := range t.seats {
		if !t.answered(seat) && t.s.Panel.Misses(seat) {
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

// Words sums up the conflicts: "3 conflicts: 2 settled by vote, 1 left to you". User is "you" or
// "the user".
func (n *Counts) Words(user string) string {
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
	return view.Counted(n.Conflicts(), "conflict") + ": " + strings.Join(parts, ", ")
}

// MissingSeat is a seat that gave no answer.
type MissingSeat struct {
	Seat        state.Seat `json:"seat"`
	Participant string     `json:"participant"`
	Reason      string     `json:"reason"`
	// Replied is true if replies came but none was usable.
	Replied bool `json:"replied"`
}

// ExportedClaim says what one or several panelists assert, in one wording or more.
type ExportedClaim struct {
	// Points are the points that say it, in order; Text is the text of the first.
	Points []string `json:"points"`
	Text   string   `json:"text"`
	// Holders are the panelists whose answers say it. SharedByAll is true if that is
	// everyone who answered, and at least two.
	Holders     []state.Seat `json:"holders"`
	SharedByAll bool         `json:"shared_by_all"`
	// Conflicts are the ids of the current conflicts about it.
	Conflicts []string `json:"conflicts"`
}

// Conflict is a pair of claims of different panelists that exclude each other.
type Conflict struct {
	ID   string             `json:"id"`
	Type state.ConflictKind `json:"type"`
	// Points are the two sides, Outputs their texts in that order.
	Points [2]string `json:"points"`
	// AgentIDs are the panelists whose answers take either side, the first side's first.
	AgentIDs []state.Seat `json:"agent_ids"`
	Outputs  [2]string    `json:"outputs"`
	// Similarity is the share of words that the two texts have in common, 0 to 1.
	Similarity  float64 `json:"similarity"`
	Description string  `json:"description"`
	// FoundBy is the seat that marked the conflict, or protocol.
	FoundBy state.Seat `json:"found_by"`
	// Positions are the votes that were counted, one per panelist that takes a side.
	Positions  []state.Position   `json:"positions"`
	Resolution ConflictResolution `json:"resolution"`
	// Argued is true if the two sides argued it; ArguedBy decided that.
	Argued   bool       `json:"argued"`
	ArguedBy state.Seat `json:"argued_by"`
	// Settled is true if it ended, SettledBy is how. Winner is the point that
	// prevailed, "" if neither did, and Reason says why.
	Settled   bool    `json:"settled"`
	SettledBy EndedBy `json:"settled_by"`
	Winner    string  `json:"winner"`
	Reason    string  `json:"reason"`
	// Question is the unanswered question to the user about it, or "".
	Question string `json:"question"`
	// Dropped is true if it turned out to be no conflict; Reason says why.
	Dropped bool `json:"dropped"`
}

// ConflictResolution says what the strategy decided; it is empty before that.
type ConflictResolution struct {
	// Method is vote, evidence_weight or escalate. Measure says what evidence_weight
	// compared: evidence or tokens.
	Method  string `json:"method"`
	Measure string `json:"measure"`
	// Winner is a point, Agent the first panelist on its side.
	Winner    string     `json:"winner"`
	Agent     state.Seat `json:"agent"`
	Reasoning string     `json:"reasoning"`
	// Confidence is 0 to 1; its meaning depends on the method.
	Confidence float64 `json:"confidence"`
}

func (document) Opposed() (seats []state.Seat, withRules bool) { return nil, false }

// Outcome compares the answers.
func (document) Outcome(s *state.State) any {
	t := NewTable(s)
	out := Outcome{
		Kind: state.FormatPanel, Strategy: conflict.Escalate, Answered: view.Some(t.firstAnswers()),
		Missing: []MissingSeat{}, Claims: []ExportedClaim{}, Conflicts: []Conflict{},
		Matrix: t.Matrix(), Review: t.Review(),
	}
	if p := s.Settings.Panel; p != nil {
		out.Strategy, out.Then = conflict.Strategy(p.Strategy), p.Then
	}
	for _, m := range s.Panel.Missing {
		a, _ := s.Assignment(m.Seat)
		out.Missing = append(out.Missing, MissingSeat{
			Seat: m.Seat, Participant: a.Participant, Reason: m.Reason, Replied: m.Answered,
		})
	}
	for _, c := range t.Claims() {
		out.Claims = append(out.Claims, ExportedClaim{
			Points: c.Points, Text: s.Point(c.Points[0]).Text, Holders: view.Some(c.Holders),
			Conflicts:   view.Some(c.Conflicts),
			SharedByAll: sharedByAll(c, len(out.Answered)),
		})
	}
	for _, c := range s.Panel.Conflicts.All() {
		out.Conflicts = append(out.Conflicts, exportConflict(s, t, c))
	}
	return out
}

func exportConflict(s *state.State, t *Table, c *state.Conflict) Conflict {
	sides, ending := sidesOf(s, t, c), t.Ending(c)
	out := Conflict{
		ID: c.ID, Type: c.Kind, FoundBy: c.By, AgentIDs: []state.Seat{}, Positions: positions(t, c),
		Argued: c.Argued, ArguedBy: c.ArguedBy, Settled: ending.By != EndedByNothing, SettledBy: ending.By,
		Winner: ending.Winner, Reason: ending.Why, Question: ending.Question, Dropped: ending.Dropped,
	}
	for i, p := range sides {
		out.Points[i], out.Outputs[i] = p.ID, p.Text
		for _, seat := range saidBy(s, t, p) {
			if !slices.Contains(out.AgentIDs, seat) {
				out.AgentIDs = append(out.AgentIDs, seat)
			}
		}
	}
	out.Similarity = resolver.Similarity(out.Outputs[0], out.Outputs[1])
	out.Description = fmt.Sprintf("%s: their words are %d %% alike", t.Describe(c), conflict.Percent(out.Similarity))
	if r := c.Settlement; r != nil {
		out.Resolution = ConflictResolution{
			Method: r.Method, Measure: r.Measure, Winner: r.Winner, Reasoning: r.Reasoning, Confidence: r.Confidence,
		}
		winning := func(p state.Position) bool { return r.Winner != "" && p.Point == r.Winner }
		if i := slices.IndexFunc(r.Positions, winning); i >= 0 {
			out.Resolution.Agent = r.Positions[i].Seat
		}
	}
	return out
}

func sharedByAll(c *Claim, answered int) bool {
	return answered > 1 && len(c.Holders) == answered
}

// sidesOf returns the two points that stand for a conflict: the first of each claim
// while it holds, afterwards what its points became.
func sidesOf(s *state.State, t *Table, c *state.Conflict) [2]*state.Point {
	if slices.Contains(t.Conflicts(), c) {
		a, b := t.Sides(c)
		return [2]*state.Point{s.Point(a.Points[0]), s.Point(b.Points[0])}
	}
	return [2]*state.Point{s.Current(c.A), s.Current(c.B)}
}

// positions are the votes that were counted, or would be.
func positions(t *Table, c *state.Conflict) []state.Position {
	if c.Settlement != nil {
		return view.Some(c.Settlement.Positions)
	}
	return view.Some(t.Positions(c))
}

// saidBy returns the panelists whose answers make a claim, even if they gave it up.
func saidBy(s *state.State, t *Table, p *state.Point) []state.Seat {
	points := []string{p.ID}
	if c := t.Claim(p.ID); c != nil {
		points = c.Points
	}
	return slices.DeleteFunc(s.Panelists(), func(seat state.Seat) bool {
		return !slices.ContainsFunc(points, func(id string) bool { return s.Point(id).IsAuthor(seat) })
	})
}

// FirstAnswers counts what a panelist's first answer said as agreed, or as unresolved
// if another first answer conflicts with it.
func (document) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	t := NewTable(s)
	contested := map[string]bool{}
	for _, c := range t.Conflicts() {
		contested[c.ID] = s.Point(c.A).Round == 1 && s.Point(c.B).Round == 1
	}
	return func(p *state.Point) state.Bucket {
		if p.Round > 1 || !slices.ContainsFunc(p.Authors, state.Seat.IsPanelist) {
			return state.BucketNotEvaluated
		}
		claim := t.Claim(p.ID)
		if claim != nil && slices.ContainsFunc(claim.Conflicts, func(id string) bool { return contested[id] }) {
			return state.BucketUnresolved
		}
		return state.BucketAgreed
	}
}

// missingMark begins the warning about a seat that gave no answer.
const missingMark = "missing: "

// missingSeats says who gave no answer, and why.
func missingSeats(s *state.State) []string {
	// A seat that will be asked again is not missing; until then all are.
	if s.Paused == state.PauseUnreachable && s.Points.Len() == 0 {
		return []string{s.PauseReason}
	}
	var missing []string
	for _, m := range s.Panel.Missing {
		a, _ := s.Assignment(m.Seat)
		missing = append(missing, fmt.Sprintf("%s (%s) gave no answer: %s", m.Seat, a.Participant, m.Reason))
	}
	return missing
}

func (document) Warnings(s *state.State) []string {
	var warnings []string
	for _, m := range missingSeats(s) {
		warnings = append(warnings, missingMark+m)
	}
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
	note := func(id, words string) { m.Notes[id] = append(m.Notes[id], words) }
	t := NewTable(s)
	for _, k := range t.Conflicts() {
		one, other := t.Sides(k)
		a, b := one.Points[0], other.Points[0]
		m.Opposed = append(m.Opposed, [2]string{a, b})
		verb := " contradicts "
		if k.Kind == state.Disagreement {
			verb = " differs from "
		}
		ending := t.Ending(k)
		note(a, k.ID+verb+b+", "+ending.Short("the user"))
		note(b, k.ID+verb+a+", "+ending.Short("the user"))
	}
	for _, k := range s.Panel.Conflicts.All() {
		for _, id := range k.Challenges {
			m.Hidden[id] = true
		}
	}
	for _, p := range s.Points.All() {
		if claim := t.Claim(p.ID); claim != nil && len(claim.Points) > 1 {
			same := slices.DeleteFunc(slices.Clone(claim.Points), func(id string) bool { return id == p.ID })
			note(p.ID, "the same as "+strings.Join(same, ", "))
		}
	}
	return m
}

// Fill shows who is missing, the conflicts, the points by bucket, and how far the
// panelists agree.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	p := &panelView{s: s, t: NewTable(s), rulings: rulings}
	p.answered = p.t.firstAnswers()
	label := "MISSING"
	for _, m := range missingSeats(s) {
		d.Row(label, m)
		label = ""
	}
	// The rows above say it already.
	d.Warnings = slices.DeleteFunc(d.Warnings, func(w string) bool { return strings.HasPrefix(w, missingMark) })
	if len(p.answered) > 1 {
		counts := p.t.Counts()
		d.Row("came to", counts.Words("you"))
	}
	d.Header(s)
	p.rows(d)
	d.Row("changed", panelChanges(view.Baseline(s, rulings)))
	d.Row("usage", view.UsageRow(s.Usage))
	d.AddVerdict(s, rulings)
	d.Add(view.WaitingQuestions(s))
	d.Sections = append(d.Sections, p.conflicts(),
		p.points("AGREED", state.BucketAgreed),
		p.points("DISMISSED", state.BucketDismissed),
		p.points("UNRESOLVED", state.BucketUnresolved),
		view.SurfacedQuestions(s),
		view.NotEvaluated(s, p.points("NOT EVALUATED", state.BucketNotEvaluated)))
	d.Add(p.points("STILL OPEN", state.BucketOpen))
}

type panelView struct {
	s        *state.State
	t        *Table
	rulings  []state.Ruling
	answered []state.Seat
}

// rows are the rows that only a panel has.
func (p *panelView) rows(d *view.Document) {
	d.Row("answered", fmt.Sprintf("%d of %d: %s", len(p.answered), len(p.s.Panelists()),
		cmp.Or(view.Seats(p.answered), "nobody")))
	if settings := p.s.Settings.Panel; settings != nil {
		d.Row("strategy", view.Join(", then ", settings.Strategy, settings.Then))
	}
	d.Row("review", p.review())
	var all, several, alone []string
	for _, c := range p.t.Claims() {
		switch {
		case len(c.Holders) == 0 || p.outOfScope(c):
		case sharedByAll(c, len(p.answered)):
			all = append(all, c.Points[0])
		case len(c.Holders) > 1:
			several = append(several, c.Points[0]+" ("+view.Seats(c.Holders)+")")
		default:
			alone = append(alone, c.Points[0]+" ("+string(c.Holders[0])+")")
		}
	}
	d.Row("all say", cmp.Or(strings.Join(all, ", "), "nothing"))
	d.Row("some say", cmp.Or(strings.Join(several, ", "), "nothing"))
	d.Row("one says", cmp.Or(strings.Join(alone, ", "), "nothing"))
}

// outOfScope reports whether no wording of a claim belongs to the question.
func (p *panelView) outOfScope(c *Claim) bool {
	return !slices.ContainsFunc(c.Points, func(id string) bool {
		scope := p.s.Point(id).Scope
		return scope == state.InScope || scope == state.Untriaged
	})
}

// review sums up what the strategy alone decides.
func (p *panelView) review() string {
	switch r := p.t.Review(); {
	case len(p.answered) < 2:
		return "nothing to compare"
	case !compared(p.s):
		return "the answers are not compared yet"
	case r.Agreed:
		return "agreed: no two answers conflict"
	case r.Escalated:
		return "escalated: the strategy alone does not settle every conflict"
	default:
		return "settled: the strategy alone settles every conflict, the first for " + r.Winner
	}
}

// conflicts lists the current conflicts, then the dropped ones.
func (p *panelView) conflicts() view.Section {
	sec := view.Section{Title: "CONFLICTS"}
	var dropped []view.Item
	for _, c := range p.s.Panel.Conflicts.All() {
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

func (p *panelView) conflict(c *state.Conflict, e *Ending) view.Item {
	sides := sidesOf(p.s, p.t, c)
	it := view.Item{
		ID: c.ID, Mark: string(c.Kind),
		Text: fmt.Sprintf("%s against %s: %s", sides[0].ID, sides[1].ID, e.Words("you")),
	}
	for _, side := range sides {
		it.Note(side.ID, side.Text)
		it.Note("said by", cmp.Or(view.Seats(saidBy(p.s, p.t, side)), "nobody any more"))
		var voters []state.Seat
		for _, position := range positions(p.t, c) {
			if position.Point == side.ID && !position.Answered {
				voters = append(voters, position.Seat)
			}
		}
		if len(voters) > 0 {
			it.Note("voted for by", view.Seats(voters))
		}
	}
	alike := conflict.Percent(resolver.Similarity(sides[0].Text, sides[1].Text))
	it.Note("alike", fmt.Sprintf("%d %% by their words", alike))
	if c.Argued {
		it.Note("argued", "by both sides, "+arguedBecause(c.ArguedBy))
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

// points lists the points of a bucket with who says them.
func (p *panelView) points(title string, bucket state.Bucket) view.Section {
	sec := view.PointsIn(p.s, p.rulings, title, bucket)
	for i := range sec.Items {
		it := &sec.Items[i]
		it.Notes = slices.Insert(it.Notes, 0, view.Note{Label: "said by", Text: p.saidBy(it.ID)})
	}
	return sec
}

// saidBy says who makes a claim, and in which other words.
func (p *panelView) saidBy(id string) string {
	text := cmp.Or(view.Seats(p.s.Point(id).Authors), "nobody")
	claim := p.t.Claim(id)
	if claim == nil {
		return text
	}
	others := slices.DeleteFunc(slices.Clone(claim.Points), func(other string) bool { return other == id })
	if len(others) > 0 {
		text += "; the same as " + strings.Join(others, " ")
	}
	if sharedByAll(claim, len(p.answered)) {
		text += "; everyone who answered says so"
	}
	return text
}

// panelChanges compares the buckets now with those by the first answers alone.
func panelChanges(changes []view.Change) string {
	open := func(c view.Change) bool { return c.After == state.BucketOpen }
	ended := slices.DeleteFunc(slices.Clone(changes), open)
	moved := view.Moves(ended)
	switch {
	case len(changes) == 0:
		return "no point was raised"
	case len(moved) == 0 && len(ended) < len(changes):
		return "nothing yet"
	case len(moved) == 0:
		return "nothing: each point ended as the first answers alone would have it"
	}
	return fmt.Sprintf("%d of %s since the first answers alone: %s", len(moved), view.Counted(len(changes), "point"),
		strings.Join(moved, ", "))
}

// Event are the words for missing seats, votes and conflicts.
func (document) Event(_, after *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *state.SeatMissed:
		return view.One(view.Line{
			Label: "missing", Lead: string(e.Seat), Text: "gave no answer: " + e.Reason, Role: view.RoleWarn,
		}), true
	case *state.SeatRecalled:
		text := "is asked again when the session is resumed"
		if e.By == state.User {
			text = "is asked again, as you decided"
		}
		return view.One(view.Line{Label: "again", Lead: string(e.Seat), Text: text, Role: view.RoleQuiet}), true
	case *state.PointClassified:
		if lastStage(after, e.By) != state.StageVote {
			return nil, false
		}
		side := e.Point
		if e.Class != state.Agree {
			side = fmt.Sprintf("%s on %s", e.Class, e.Point)
		}
		return view.One(view.Line{
			Label: "vote", Lead: side, Text: e.Reason,
			Role: view.ClassRole(e.Class),
		}.By(e.By)), true
	case *state.ConflictFound:
		return view.One(view.Line{
			Key: e.ID, Replaces: challengeKeys(e.Challenges), Label: "conflict", Lead: e.ID + " " + string(e.What),
			Text: heldBy(after, e.A) + " and " + heldBy(after, e.B), Role: view.RoleDoubt,
		}), true
	case *state.ConflictDropped:
		return view.One(view.Line{
			Label: "dropped", Lead: e.ID, Text: view.Sentence("no conflict", e.Reason), Role: view.RoleQuiet,
		}.By(e.By)), true
	case *state.ConflictSettled:
		l := view.Line{
			Label: "settled", Lead: e.ID + " for " + e.Winner, Text: e.Reasoning, Detail: e.Method, Role: view.RoleGood,
		}
		switch {
		case !e.Settled:
			l.Label, l.Lead, l.Detail, l.Role = "unsettled", e.ID, "", view.RoleDoubt
		case e.Method == string(conflict.Vote):
			votes := 0
			for _, position := range e.Positions {
				if position.Point == e.Winner {
					votes++
				}
			}
			l.Lead, l.Text = l.Lead+fmt.Sprintf(" by vote, %d/%d", votes, len(e.Positions)), ""
		}
		return view.One(l), true
	case *state.ConflictArgued:
		return view.One(view.Line{
			Replaces: challengeKeys(e.Challenges), Label: "argued", Lead: e.ID,
			Text: "by its two sides, " + arguedBecause(e.By), Role: view.RoleOpen,
		}), true
	}
	return nil, false
}

// challengeKeys are the keys of the lines for challenges that only repeat a conflict.
func challengeKeys(ids []string) []string {
	keys := slices.Clone(ids)
	for _, id := range ids {
		keys = append(keys, id+" upgrade")
	}
	return keys
}

// heldBy is a point with the panelists whose answers say it.
func heldBy(s *state.State, point string) string {
	claim := NewTable(s).Claim(point)
	if claim == nil || len(claim.Holders) == 0 {
		return point
	}
	return point + " (" + view.Seats(claim.Holders) + ")"
}

// lastStage is the stage that a seat was asked for last in this round.
func lastStage(s *state.State, seat state.Seat) state.Stage {
	sent, stage := -1, state.Stage("")
	for i := range s.Asked {
		if a := &s.Asked[i]; a.Seat == seat && a.Sent > sent {
			sent, stage = a.Sent, a.Stage
		}
	}
	return stage
}
