package report

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

func panelForm() form {
	return form{
		outcome:  func(s *state.State) Outcome { return compared(s) },
		first:    firstOfPanel,
		warnings: panelWarnings,
		measure:  measurePanel,
		arrange:  arrangePanel,
	}
}

// Compared is the outcome of the format panel: who answered, what the answers
// say, where they conflict, and what became of that.
type Compared struct {
	Kind state.Format `json:"kind"`
	// Strategy is what settles a conflict, Then what becomes of one that it does
	// not settle: consult, or "" for a question to the user.
	Strategy conflict.Strategy `json:"strategy"`
	Then     string            `json:"then"`
	// Answered are the panelists whose first answer came, Missing the seats that
	// gave none: the orchestrator, too, where it could not be asked.
	Answered []state.Seat `json:"answered"`
	Missing  []Missing    `json:"missing"`
	// Claims are what the answers assert, in the order in which it was first said.
	Claims []Claim `json:"claims"`
	// Conflicts are all that were found, in their order, also those that are none
	// any more.
	Conflicts []Conflict `json:"conflicts"`
	// Matrix is what each panelist brought.
	Matrix resolver.Matrix `json:"matrix"`
	// Review is what the resolutions of the conflicts that stand come to, by the
	// strategy alone; its winner is a point.
	Review conflict.Review `json:"review"`
}

// Missing is a seat that gave no answer.
type Missing struct {
	Seat        state.Seat `json:"seat"`
	Participant string     `json:"participant"`
	Reason      string     `json:"reason"`
	// Replied says that replies came, and none could be taken.
	Replied bool `json:"replied"`
}

// Claim is what one or several panelists assert, in one wording or more.
type Claim struct {
	// Points are the points that say it, the first one first; Text is that one's.
	Points []string `json:"points"`
	Text   string   `json:"text"`
	// Holders are the panelists whose answers say it. SharedByAll says that these
	// are all who answered, two at least.
	Holders     []state.Seat `json:"holders"`
	SharedByAll bool         `json:"shared_by_all"`
	// Conflicts are the ids of those that stand about it.
	Conflicts []string `json:"conflicts"`
}

// Conflict is two claims of different panelists that do not go together.
type Conflict struct {
	ID   string             `json:"id"`
	Type state.ConflictKind `json:"type"`
	// Points are the two sides, Outputs their texts in that order.
	Points [2]string `json:"points"`
	// AgentIDs are the panelists that said either side in their answers, those of
	// the first side first.
	AgentIDs []state.Seat `json:"agent_ids"`
	Outputs  [2]string    `json:"outputs"`
	// Similarity is the word measure of the two texts, 0 to 1.
	Similarity  float64 `json:"similarity"`
	Description string  `json:"description"`
	// FoundBy is the seat that marked the two, or protocol.
	FoundBy state.Seat `json:"found_by"`
	// Positions are the sides that were counted, one for each panelist that takes
	// one.
	Positions  []state.Position `json:"positions"`
	Resolution Resolution       `json:"resolution"`
	// Argued says that the two sides argued it, as ArguedBy decided.
	Argued   bool       `json:"argued"`
	ArguedBy state.Seat `json:"argued_by"`
	// Settled says that it came to an end, SettledBy by what. Winner is the point
	// that prevailed, "" where neither did, and Reason says why in words.
	Settled   bool             `json:"settled"`
	SettledBy resolver.EndedBy `json:"settled_by"`
	Winner    string           `json:"winner"`
	Reason    string           `json:"reason"`
	// Question is what the user is asked about it and has not answered, or "".
	Question string `json:"question"`
	// Dropped says that it is none after all, or none any more; Reason says why.
	Dropped bool `json:"dropped"`
}

// Resolution is what the strategy made of a conflict; all is empty before.
type Resolution struct {
	// Method is vote, evidence_weight or escalate, Measure what evidence_weight
	// compared: evidence or tokens.
	Method  string `json:"method"`
	Measure string `json:"measure"`
	// Winner is a point, Agent the first panelist that takes its side.
	Winner    string     `json:"winner"`
	Agent     state.Seat `json:"agent"`
	Reasoning string     `json:"reasoning"`
	// Confidence is 0 to 1, in the sense of the method.
	Confidence float64 `json:"confidence"`
}

func compared(s *state.State) Compared {
	t := resolver.NewTable(s)
	out := Compared{
		Kind: state.FormatPanel, Strategy: conflict.Escalate, Answered: some(answered(s, t)), Missing: []Missing{},
		Claims: []Claim{}, Conflicts: []Conflict{}, Matrix: t.Matrix(), Review: t.PanelReview(),
	}
	if p := s.Settings.Panel; p != nil {
		out.Strategy, out.Then = conflict.Strategy(p.Strategy), p.Then
	}
	for _, m := range s.Panel.Missing {
		seated, _ := s.Assignment(m.Seat)
		out.Missing = append(out.Missing, Missing{
			Seat: m.Seat, Participant: seated.Participant, Reason: m.Reason,
			Replied: m.Answered,
		})
	}
	for _, c := range t.Claims() {
		out.Claims = append(out.Claims, Claim{
			Points: c.Points, Text: s.Point(c.Points[0]).Text, Holders: some(c.Holders), Conflicts: some(c.Conflicts),
			SharedByAll: sharedByAll(c, len(out.Answered)),
		})
	}
	for _, c := range s.Panel.Conflicts.All() {
		out.Conflicts = append(out.Conflicts, exportConflict(s, t, c))
	}
	return out
}

// answered are the panelists whose first answer came.
func answered(s *state.State, t *resolver.Table) []state.Seat {
	return slices.DeleteFunc(s.Panelists(), func(seat state.Seat) bool { return t.FirstAnswer(seat) == "" })
}

// sharedByAll reports whether all who answered say a claim.
func sharedByAll(c *resolver.Claim, answered int) bool {
	return answered > 1 && len(c.Holders) == answered
}

// sidesOf are the two points that a conflict is known by: of one that stands the
// first of each claim, else what its points became.
func sidesOf(s *state.State, t *resolver.Table, c *state.Conflict) [2]*state.Point {
	sides := [2]*state.Point{s.Current(c.A), s.Current(c.B)}
	if slices.Contains(t.Conflicts(), c) {
		a, b := t.Sides(c)
		sides = [2]*state.Point{s.Point(a.Points[0]), s.Point(b.Points[0])}
	}
	return sides
}

func exportConflict(s *state.State, t *resolver.Table, c *state.Conflict) Conflict {
	sides, ending := sidesOf(s, t, c), t.Ending(c)
	out := Conflict{
		ID: c.ID, Type: c.Kind, FoundBy: c.By, AgentIDs: []state.Seat{}, Positions: positions(t, c),
		Argued: c.Argued, ArguedBy: c.ArguedBy, Settled: ending.By != resolver.EndedByNothing, SettledBy: ending.By,
		Winner: ending.Winner, Reason: ending.Why, Question: ending.Question, Dropped: ending.Dropped,
	}
	for i, p := range sides {
		out.Points[i], out.Outputs[i] = p.ID, p.Text
		for _, seat := range sayers(s, t, p) {
			if !slices.Contains(out.AgentIDs, seat) {
				out.AgentIDs = append(out.AgentIDs, seat)
			}
		}
	}
	out.Similarity = resolver.Similarity(out.Outputs[0], out.Outputs[1])
	out.Description = fmt.Sprintf("%s: their words are %d %% alike", t.Describe(c), conflict.Percent(out.Similarity))
	if r := c.Settlement; r != nil {
		out.Resolution = Resolution{
			Method: r.Method, Measure: r.Measure, Winner: r.Winner, Reasoning: r.Reasoning,
			Confidence: r.Confidence,
		}
		for _, p := range r.Positions {
			if p.Point == r.Winner && r.Winner != "" {
				out.Resolution.Agent = p.Seat
				break
			}
		}
	}
	return out
}

// positions are the sides that were counted, or would be.
func positions(t *resolver.Table, c *state.Conflict) []state.Position {
	if c.Settlement != nil {
		return some(c.Settlement.Positions)
	}
	return some(t.Positions(c))
}

// sayers are the panelists that said what a point says in their answers, also
// those that gave it up since.
func sayers(s *state.State, t *resolver.Table, p *state.Point) []state.Seat {
	points := []string{p.ID}
	if c := t.Claim(p.ID); c != nil {
		points = c.Points
	}
	return slices.DeleteFunc(s.Panelists(), func(seat state.Seat) bool {
		return !slices.ContainsFunc(points, func(id string) bool { return s.Point(id).IsAuthor(seat) })
	})
}

// firstOfPanel tells where a claim stood by the first answers alone: what a
// panelist said is its word; where another first answer does not go together with
// it, unresolved. What nobody's first answer said was not evaluated.
func firstOfPanel(s *state.State) func(*state.Point) state.Bucket {
	t := resolver.NewTable(s)
	contested := map[string]bool{}
	for _, c := range t.Conflicts() {
		if s.Point(c.A).Round == 1 && s.Point(c.B).Round == 1 {
			contested[c.ID] = true
		}
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

// panelWarnings are who is missing, and what a consultation warns of: seats that
// turned round, or lost their confidence.
func panelWarnings(s *state.State) []string {
	if unattainable(s) {
		return append([]string{missingMark + s.PauseReason}, consultWarnings(s)...)
	}
	var warnings []string
	for _, m := range s.Panel.Missing {
		seated, _ := s.Assignment(m.Seat)
		warnings = append(warnings, fmt.Sprintf("%s%s (%s) gave no answer: %s", missingMark, m.Seat, seated.Participant,
			m.Reason))
	}
	return append(warnings, consultWarnings(s)...)
}

// missingMark begins the warning of a seat that gave no answer.
const missingMark = "missing: "
