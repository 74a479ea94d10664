package council

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// document puts the sessions of a council into words.
type document struct{}

// Outcome is the outcome of the format council: whether there is consensus, how
// each claim fares against CV1 to CV4, the moderator's syntheses, and violations of
// the constitution.
type Outcome struct {
	Kind state.Format `json:"kind"`
	// Consensus is true if there is consensus now, ConsensusRound is the round that
	// reached it or 0. Unsettled are the live claims that prevent it.
	Consensus      bool     `json:"consensus"`
	ConsensusRound int      `json:"consensus_round"`
	Unsettled      []string `json:"unsettled"`
	// Round is the last that started, Rounds the highest possible.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Parallel is true if critic and adversary were asked at once.
	Parallel bool `json:"parallel"`
	// Weights and DecisionThreshold, each 0 to 1, belong to the aggregate (CV2).
	Weights           []state.SeatWeight `json:"weights"`
	DecisionThreshold float64            `json:"decision_threshold"`
	Constitution      Constitution       `json:"constitution"`
	// Silent are the seats that reported no confidence in any claim.
	Silent []state.Seat `json:"silent"`
	// Claims are those that were neither merged nor revised, in order.
	Claims []ExportedClaim `json:"claims"`
	// Modifications say what must change for the claims that are open or unresolved, in
	// the order of the claims and of the rules.
	Modifications []Modification `json:"modifications"`
	// Tests are the tests for consensus, one for each round that was ruled on.
	Tests []ConsensusTest `json:"tests"`
	// Syntheses are the moderator's, oldest first.
	Syntheses []Synthesis `json:"syntheses"`
	// Violations lists violations of the constitution, in the order they were found.
	Violations []Violation `json:"violations"`
}

// Constitution says what binds the seats.
type Constitution struct {
	Name        string       `json:"name"`
	Constraints []Constraint `json:"constraints"`
}

// Constraint is one sentence of a constitution.
type Constraint struct {
	ID   string     `json:"id"`
	Seat state.Seat `json:"seat"`
	Text string     `json:"text"`
	// Check is how code enforces it, "" if it cannot.
	Check state.Check `json:"check"`
	// Deny are the phrases that the check no-harm looks for.
	Deny []string `json:"deny"`
}

// ExportedClaim is how a claim fares against CV1 to CV4, and its history.
type ExportedClaim struct {
	Validation
	Text string `json:"text"`
	// By says who holds it, WordedBy who worded it for its holder, or "".
	By       state.Seat `json:"by"`
	WordedBy state.Seat `json:"worded_by"`
	// Key marks a key claim, Limit says what it does not cover, or "".
	Key   bool   `json:"key"`
	Limit string `json:"limit"`
	// Earlier are its previous wordings, oldest first.
	Earlier []EarlierWording `json:"earlier_forms"`
	// Valid is true if all four rules hold. Bucket can differ: an earlier rule, such as
	// a ruling of the user, may have decided.
	Bucket state.Bucket `json:"bucket"`
	Valid  bool         `json:"valid"`
	// Required are the modifications that would make it valid.
	Required []string `json:"required_modifications"`
}

// Modification says what must change for a rule to hold for a claim.
type Modification struct {
	Point    string `json:"point"`
	Rule     string `json:"rule"`
	Requires string `json:"requires"`
}

// EarlierWording is a previous wording of a claim.
type EarlierWording struct {
	Point    string     `json:"point"`
	Text     string     `json:"text"`
	WordedBy state.Seat `json:"worded_by"`
	Round    int        `json:"round"`
}

// ConsensusTest says what code found at the end of a round.
type ConsensusTest struct {
	state.Consensus
	// Contradicted is true if the moderator reported otherwise.
	Contradicted bool `json:"contradicted"`
}

// Synthesis says what the moderator said about a round.
type Synthesis struct {
	state.Synthesis
	// Rules is whether the rules confirm what it says about agreement.
	Rules Bearing `json:"rules"`
}

// Bearing is whether the rules confirm what the moderator says about agreement.
type Bearing string

// The bearings. BearingNone is for a round that was not tested.
const (
	BearingNone  Bearing = ""
	BorneOut     Bearing = "borne-out"
	Contradicted Bearing = "contradicted"
)

// Bearings returns every Bearing.
func Bearings() []Bearing { return []Bearing{BearingNone, BorneOut, Contradicted} }

// Violation is a violation of a constraint (CV3).
type Violation struct {
	state.Breach
	Check  state.Check     `json:"check"`
	Status ViolationStatus `json:"status"`
}

// ViolationStatus is the current status of a violation of the constitution.
type ViolationStatus string

// The statuses of violations.
const (
	// ViolationStands blocks the claim (CV3).
	ViolationStands ViolationStatus = "stands"
	// ViolationMended was fixed by a change.
	ViolationMended ViolationStatus = "mended"
	// ViolationGone concerned a claim or a wording that no longer exists.
	ViolationGone ViolationStatus = "gone"
	// ViolationFlagged is reported and blocks nothing.
	ViolationFlagged ViolationStatus = "flagged"
)

// ViolationStatuses returns every ViolationStatus.
func ViolationStatuses() []ViolationStatus {
	return []ViolationStatus{ViolationStands, ViolationMended, ViolationGone, ViolationFlagged}
}

func (document) Opposed() (seats []state.Seat, withRules bool) {
	// The built-in rules hold claims and test them, so they can agree with themselves.
	return []state.Seat{state.Strategist, state.Critic}, true
}

func (document) Remarks(m *state.Metrics) []string { return view.DebateRemarks(m) }

func (document) Outcome(s *state.State) any { return councilOutcome(s) }

func councilOutcome(s *state.State) Outcome {
	settings := s.CouncilSettings()
	out := Outcome{
		Kind: state.FormatCouncil, Round: s.Round, Rounds: settings.Rounds, Parallel: settings.Parallel,
		Unsettled: Unsettled(s), Weights: view.Some(settings.Weights), DecisionThreshold: settings.Decision,
		Constitution: Constitution{Name: settings.Constitution.Name, Constraints: []Constraint{}},
		Silent:       silentSeats(s), Claims: []ExportedClaim{}, Modifications: []Modification{},
		Tests: []ConsensusTest{}, Syntheses: []Synthesis{}, Violations: []Violation{},
	}
	for _, c := range settings.Constitution.Constraints {
		out.Constitution.Constraints = append(out.Constitution.Constraints,
			Constraint{ID: c.ID, Seat: c.Seat, Text: c.Text, Check: c.Check, Deny: view.Some(c.Deny)})
	}
	if n := len(s.Council.Tested); n > 0 && s.Council.Tested[n-1].Reached && len(out.Unsettled) == 0 {
		out.Consensus, out.ConsensusRound = true, s.Council.Tested[n-1].Round
	}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && p.RevisedBy == "" {
			out.Claims = append(out.Claims, exportClaim(s, p))
		}
	}
	for i := range out.Claims {
		claim := &out.Claims[i]
		if claim.Bucket != state.BucketOpen && claim.Bucket != state.BucketUnresolved {
			continue
		}
		for _, rule := range claim.Rules {
			for _, requires := range rule.Requires {
				out.Modifications = append(out.Modifications,
					Modification{Point: claim.Point, Rule: rule.Rule, Requires: requires})
			}
		}
	}
	for _, test := range s.Council.Tested {
		test.Unsettled = view.Some(test.Unsettled)
		out.Tests = append(out.Tests, ConsensusTest{test, test.Contradicted()})
	}
	for _, synthesis := range s.Council.Syntheses {
		synthesis.Open = view.Some(synthesis.Open)
		bearing := BearingNone
		if test := s.Council.Consensus(synthesis.Round); test != nil && test.Contradicted() {
			bearing = Contradicted
		} else if test != nil {
			bearing = BorneOut
		}
		out.Syntheses = append(out.Syntheses, Synthesis{synthesis, bearing})
	}
	for i := range s.Council.Breaches {
		breach := &s.Council.Breaches[i]
		v := Violation{Breach: *breach, Status: violationStatus(s, breach)}
		if c := settings.Constitution.Constraint(breach.Constraint); c != nil {
			v.Check = c.Check
		}
		out.Violations = append(out.Violations, v)
	}
	return out
}

// silentSeats are the filled seats that reported no confidence in any claim.
func silentSeats(s *state.State) []state.Seat {
	seats := []state.Seat{}
	for _, seat := range state.CouncilSeats() {
		_, filled := s.Assignment(seat)
		for _, p := range s.Points.All() {
			filled = filled && p.Score(seat) == nil
		}
		if filled {
			seats = append(seats, seat)
		}
	}
	return seats
}

func exportClaim(s *state.State, p *state.Point) ExportedClaim {
	c := ExportedClaim{
		Validation: Validate(s, p), Text: p.Text, By: p.Authors[0], WordedBy: p.WordedBy, Key: p.Key,
		Limit: p.Limit, Earlier: []EarlierWording{}, Bucket: state.BucketOpen,
	}
	for before := s.Point(p.Revises); before != nil &&
		len(c.Earlier) < s.Points.Len(); before = s.Point(before.Revises) {
		c.Earlier = append(c.Earlier,
			EarlierWording{Point: before.ID, Text: before.Text, WordedBy: before.WordedBy, Round: before.Round})
	}
	slices.Reverse(c.Earlier)
	if ruling, ok := resolver.RuleOne(*s, p.ID); ok {
		c.Bucket = ruling.Bucket
	}
	c.Valid, c.Required = c.Validation.Valid(), view.Some(c.Validation.Required())
	return c
}

// violationStatus looks at the current wording of the claim. A wording that has the
// same violation on record is reported in its own entry.
func violationStatus(s *state.State, breach *state.Breach) ViolationStatus {
	p := s.Point(breach.Point)
	if breach.Challenge == "" {
		p = s.Current(breach.Point)
	}
	switch {
	case p == nil || !resolver.Held(p) && (p.UserRuling == nil || p.UserRuling.Bucket == state.BucketDismissed):
		return ViolationGone
	case p.ID != breach.Point && s.Council.Breached(breach.Constraint, p.ID, ""):
		return ViolationGone
	case !Breaks(s, p, breach):
		return ViolationMended
	case s.OnlyFlags(breach.Constraint):
		return ViolationFlagged
	}
	return ViolationStands
}

// presented reports whether a claim is part of the strategist's presentation.
func presented(p *state.Point) bool {
	return p.Round == 1 && p.Revises == "" && p.WordedBy == "" && slices.Contains(p.Authors, state.Strategist)
}

// FirstAnswers counts what the strategist presented as agreed.
func (document) FirstAnswers(*state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if presented(p) {
			return state.BucketAgreed
		}
		return state.BucketNotEvaluated
	}
}

// Warnings are reports of the moderator that the rules contradict, key claims that
// were not agreed, and a constitution that code cannot check.
func (document) Warnings(s *state.State) []string {
	var warnings []string
	for i := range s.Council.Tested {
		if test := &s.Council.Tested[i]; test.Contradicted() {
			warnings = append(warnings, fmt.Sprintf("moderator: in round %d it %s; the rules decide", test.Round,
				contradiction(test)))
		}
	}
	for _, p := range s.Points.All() {
		if !s.Over() || !p.Key || p.MergedInto != "" || p.RevisedBy != "" {
			continue
		}
		if ruling, _ := resolver.RuleOne(*s, p.ID); ruling.Bucket != state.BucketAgreed {
			warnings = append(warnings, fmt.Sprintf("key claim: much depends on %s, and it ended %s", p.ID,
				view.BucketName(ruling.Bucket)))
		}
	}
	book := &s.CouncilSettings().Constitution
	if s.Settings.Council != nil && checkedByCode(book) == 0 {
		warnings = append(warnings,
			fmt.Sprintf("constitution: code checks nothing in %s; that no claim violates it means "+
				"nothing (CV3)", plain.Line(cmp.Or(book.Name, "the constitution"))))
	}
	return append(warnings, view.DriftWarnings(s)...)
}

// contradiction says how the moderator's report and the rules differ, after "it" or
// "the moderator".
func contradiction(test *state.Consensus) string {
	if test.Reached {
		return "reported that there is no agreement, but the rules find consensus: no live claim is unsettled"
	}
	return fmt.Sprintf("reported agreement, but the rules find none: %s not settled", view.AreOrIs(test.Unsettled))
}

// checkedByCode counts the constraints that code enforces.
func checkedByCode(c *state.Constitution) int {
	n := 0
	for _, one := range c.Constraints {
		if one.Check != state.CheckNone {
			n++
		}
	}
	return n
}

// Status names the phase of the round, and whether there is consensus.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	words := phase(s)
	tested := s.Council.Consensus(s.Round)
	switch {
	case tested == nil:
		return words, view.RolePlain
	case tested.Reached:
		return "consensus", view.RoleGood
	}
	words = fmt.Sprintf("no consensus, %d unsettled", len(tested.Unsettled))
	if tested.Contradicted() {
		words += ", moderator contradicted"
	}
	return words, view.RoleDoubt
}

// Map adds the aggregate confidence of claims, and which are key.
func (document) Map(s *state.State) view.Map {
	m := view.OpposedPairs(s)
	for _, p := range s.Points.All() {
		if p.MergedInto != "" || p.RevisedBy != "" {
			continue
		}
		if p.Key {
			m.Notes[p.ID] = append(m.Notes[p.ID], "key")
		}
		if v := Validate(s, p); v.Aggregate != nil {
			m.Notes[p.ID] = append(m.Notes[p.ID], fmt.Sprintf("aggregate %.2f", *v.Aggregate))
		}
	}
	return m
}

// Fill shows whether there is consensus, the claims by bucket, violations of the
// constitution, and the moderator's syntheses.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	c := &session{s: s, rulings: rulings, out: councilOutcome(s)}
	d.Row("consensus", c.consensus())
	d.Header(s)
	c.rows(d)
	d.Row("changed", c.changes())
	d.Row("usage", view.UsageRow(s.Usage))
	d.AddVerdict(s, rulings)
	d.Add(view.WaitingQuestions(s))
	d.Sections = append(d.Sections,
		c.claims("AGREED", state.BucketAgreed),
		c.claims("UNRESOLVED", state.BucketUnresolved),
		c.claims("DISMISSED", state.BucketDismissed),
		view.SurfacedQuestions(s),
		view.NotEvaluated(s, c.claims("NOT EVALUATED", state.BucketNotEvaluated)))
	d.Add(c.claims("STILL OPEN", state.BucketOpen))
	d.Sections = append(d.Sections, c.violations(), c.syntheses())
}

type session struct {
	s       *state.State
	rulings []state.Ruling
	out     Outcome
}

// consensus says whether there is one, and what prevents it.
func (c *session) consensus() string {
	tests, unsettled := c.out.Tests, view.AreOrIs(c.out.Unsettled)
	switch {
	case c.out.Consensus:
		agreed := 0
		for i := range c.out.Claims {
			if c.out.Claims[i].Bucket == state.BucketAgreed {
				agreed++
			}
		}
		return fmt.Sprintf("in round %d: CV1 to CV4 leave no live claim unsettled, and %s", c.out.ConsensusRound,
			agreedClaims(agreed))
	case len(tests) == 0 && c.s.Over():
		return "none: the session ended before it was tested"
	case len(tests) == 0:
		return "not tested yet"
	case len(c.out.Unsettled) == 0:
		return fmt.Sprintf("none was found in round %d; now no live claim is unsettled", tests[len(tests)-1].Round)
	case tests[len(tests)-1].Reached:
		return fmt.Sprintf("in round %d, but no longer: %s not settled", tests[len(tests)-1].Round, unsettled)
	}
	return "none: " + unsettled + " not settled"
}

func agreedClaims(n int) string {
	switch n {
	case 0:
		return "none is agreed"
	case 1:
		return "1 claim is agreed"
	}
	return fmt.Sprintf("%d claims are agreed", n)
}

// rows are the rows that only a council has.
func (c *session) rows(d *view.Document) {
	book := &c.s.CouncilSettings().Constitution
	d.Row("bound by", fmt.Sprintf("constitution %q: %s, %d of them checked by code; %s", book.Name,
		view.Counted(len(book.Constraints), "constraint"), checkedByCode(book), c.violationCount()))
	weights := make([]string, len(c.out.Weights))
	for i, w := range c.out.Weights {
		weights[i] = string(w.Seat) + " " + view.Figure(w.Weight)
	}
	d.Row("weights", cmp.Or(strings.Join(weights, ", "), "none")+
		"; decision threshold "+view.Figure(c.out.DecisionThreshold))
	if c.out.Parallel {
		d.Row("parallel", "critic and adversary were asked at once, without seeing each other's reply")
	}
	if len(c.out.Silent) > 0 && c.s.Points.Len() > 0 {
		d.Row("silent", view.Seats(c.out.Silent)+" reported no confidence in any claim")
	}
}

func (c *session) violationCount() string {
	by := map[ViolationStatus]int{}
	for i := range c.out.Violations {
		by[c.out.Violations[i].Status]++
	}
	var parts []string
	for _, status := range ViolationStatuses() {
		if by[status] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", by[status], status))
		}
	}
	if len(parts) == 0 {
		return "no violation was found"
	}
	return view.Counted(len(c.out.Violations), "violation") + " (" + strings.Join(parts, ", ") + ")"
}

// changes compares the claims now with what the strategist presented.
func (c *session) changes() string {
	var moved []string
	presentations, waiting := 0, false
	for _, change := range view.Baseline(c.s, c.rulings) {
		p := c.s.Point(change.Point)
		if !presented(p) {
			continue
		}
		presentations++
		now := c.s.Current(p.ID)
		after := change.After
		if ruling := view.RulingOn(c.rulings, now.ID); ruling != nil {
			after = ruling.Bucket
		}
		switch {
		case now.ID != p.ID:
			moved = append(moved, fmt.Sprintf("%s reworded as %s (%s)", p.ID, now.ID, view.BucketName(after)))
		case after == state.BucketOpen:
			waiting = true
		case after != state.BucketAgreed:
			moved = append(moved, p.ID+" → "+view.BucketName(after))
		}
	}
	switch {
	case presentations == 0:
		return "the strategist presented no claim"
	case len(moved) == 0 && waiting:
		return "nothing yet"
	case len(moved) == 0:
		return "nothing: each claim ended as the strategist presented it"
	}
	return fmt.Sprintf("%d of %s that the strategist presented: %s", len(moved), view.Counted(presentations, "claim"),
		strings.Join(moved, ", "))
}

// claims lists the claims of a bucket, with what the seats report about them.
func (c *session) claims(title string, bucket state.Bucket) view.Section {
	sec := view.Section{Title: title}
	for i := range c.rulings {
		p := c.s.Point(c.rulings[i].Point)
		if p != nil && p.MergedInto == "" && c.rulings[i].Bucket == bucket {
			sec.Items = append(sec.Items, c.claim(p, &c.rulings[i]))
		}
	}
	return sec
}

func (c *session) claim(p *state.Point, r *state.Ruling) view.Item {
	it := view.PointItem(c.s, p, r)
	at := slices.IndexFunc(c.out.Claims, func(v ExportedClaim) bool { return v.Point == p.ID })
	if at < 0 {
		// A later wording replaced it and carries the details.
		return it
	}
	v := &c.out.Claims[at]
	var notes []view.Note
	add := func(label, text string) { notes = append(notes, view.Note{Label: label, Text: text}) }
	if p.Key {
		add("key", "much depends on it: it needs verified evidence from two sources")
	}
	if v.WordedBy != "" {
		add("worded by", fmt.Sprintf("%s, and held by %s", v.WordedBy, v.By))
	}
	if v.Limit != "" {
		add("limit", v.Limit)
	}
	add("confidence", confidences(v))
	if strings.HasPrefix(r.Rule, "CV") {
		it.Notes = slices.DeleteFunc(it.Notes, func(n view.Note) bool {
			return n.Label == "why" ||
				n.Label == view.ResolvedBy
		})
		add("why", failedRules(v)+" "+view.Receipt(r))
		for i := range v.Rules {
			check := &v.Rules[i]
			text := "does not hold: " + check.Says
			switch {
			case check.Passed && check.Rule == "CV2":
				// The confidences that it reads are listed above.
				text = "holds"
			case check.Passed:
				text = "holds: " + check.Says
			}
			add(check.Rule+" "+ValidationRuleName(check.Rule), text)
		}
		if r.Bucket != state.BucketAgreed {
			for _, required := range v.Required {
				add("requires", required)
			}
		}
	}
	it.Notes = append(notes, it.Notes...)
	for _, earlier := range v.Earlier {
		it.Note("was "+earlier.Point, earlier.Text)
	}
	return it
}

// confidences say what the seats report, and their aggregate.
func confidences(v *ExportedClaim) string {
	if len(v.Scores) == 0 {
		return "nobody reported one"
	}
	var parts []string
	for _, score := range v.Scores {
		part := string(score.Seat) + " " + view.Figure(score.Admitted)
		if view.Figure(score.Admitted) != view.Figure(score.Stated) {
			part += " (stated " + view.Figure(score.Stated) + ")"
		}
		parts = append(parts, part)
	}
	text := strings.Join(parts, ", ")
	if v.Aggregate != nil {
		text += "; aggregate " + view.Figure(*v.Aggregate)
	}
	text += "; apart " + view.Figure(v.Spread) + "; validation confidence " + view.Figure(v.Confidence)
	if len(v.Missing) > 0 {
		text += "; nothing from " + view.Seats(v.Missing)
	}
	return text
}

// failedRules says which of CV1 to CV4 do not hold.
func failedRules(v *ExportedClaim) string {
	var failed []string
	for _, r := range v.Rules {
		if !r.Passed {
			failed = append(failed, r.Rule)
		}
	}
	switch len(failed) {
	case 0:
		return "CV1 to CV4 hold"
	case 1:
		return failed[0] + " does not hold"
	}
	return strings.Join(failed, ", ") + " do not hold"
}

// violations lists the violations of the constitution. Flags block nothing and come
// last, one item for all claims of a seat.
func (c *session) violations() view.Section {
	sec := view.Section{Title: "VIOLATIONS", Count: len(c.out.Violations)}
	var flagged [][]*Violation
	for i := range c.out.Violations {
		v := &c.out.Violations[i]
		if v.Status != ViolationFlagged {
			sec.Items = append(sec.Items, c.violation(v))
			continue
		}
		same := func(group []*Violation) bool {
			return group[0].Constraint == v.Constraint && group[0].Seat == v.Seat
		}
		if at := slices.IndexFunc(flagged, same); at >= 0 {
			flagged[at] = append(flagged[at], v)
		} else {
			flagged = append(flagged, []*Violation{v})
		}
	}
	for _, group := range flagged {
		it := c.violation(group[0])
		if len(group) > 1 {
			points := make([]string, len(group))
			for i, v := range group {
				points[i] = v.Point
			}
			it.Text = fmt.Sprintf("%s of the %s: %s", strings.Join(points, ", "), group[0].Seat, oneSource)
		}
		it.Note("beware", "a flag blocks no claim")
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// oneSource says what the check bias finds about several claims.
const oneSource = "all support for each comes from one source, seat or polarity"

func (c *session) violation(v *Violation) view.Item {
	it := view.Item{
		ID: v.Constraint, Mark: string(v.Status),
		Text: fmt.Sprintf("%s of the %s, round %d: %s", v.About(), v.Seat, v.Round, v.Text),
	}
	if constraint := c.s.CouncilSettings().Constitution.Constraint(v.Constraint); constraint != nil {
		it.Note("demands", constraint.Text)
	}
	return it
}

// syntheses lists what the moderator said, each with what the rules found.
func (c *session) syntheses() view.Section {
	sec := view.Section{Title: "SYNTHESES"}
	for i := range c.out.Syntheses {
		synthesis := &c.out.Syntheses[i]
		it := view.Item{ID: "round " + strconv.Itoa(synthesis.Round), Mark: "no agreement", Text: synthesis.Text}
		if synthesis.Agreement {
			it.Mark = "agreement"
		}
		if len(synthesis.Open) > 0 {
			it.Note("open", strings.Join(synthesis.Open, ", "))
		}
		switch synthesis.Rules {
		case BearingNone:
			it.Note("rules", "the round was not tested for consensus")
		case BorneOut:
			it.Note("rules", "confirm it")
		case Contradicted:
			it.Note("CONTRADICTED", "it "+contradiction(c.s.Council.Consensus(synthesis.Round))+"; the rules decide")
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// councilPhase is the phase, from 1, that a stage begins; 0 if it begins none.
func councilPhase(stage state.Stage) int {
	stages := []state.Stage{state.StagePropose, state.StageCritique, state.StageAttack, state.StageSynthesize}
	return slices.Index(stages, stage) + 1
}

// Event are the words for phases, confidences, the constitution and consensus.
func (document) Event(before, after *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *state.PhaseChanged:
		// The phases of a council follow from who is asked.
		return view.One(view.Line{Label: "phase", Text: string(e.Phase), Role: view.RoleQuiet}.AsMinor()), true
	case *state.PromptSent:
		return append(phaseLine(before, e.Stage), view.CallLines(after, e)...), true
	case *state.ConfidenceReported:
		return view.One(scoresLine(after, e)), true
	case *state.ConstitutionViolated:
		return view.One(violationLine(after, e)), true
	case *state.ClaimMarkedKey:
		text := "is a key claim"
		if !e.Key {
			text = "is no longer a key claim"
		}
		return view.One(view.Line{Label: "key", Lead: e.Point, Text: text, Role: view.RoleQuiet}.By(e.By)), true
	case *state.ClaimLimited:
		return view.One(view.Line{Label: "limit", Lead: e.Point, Text: e.Limit, Role: view.RoleQuiet}.By(e.By)), true
	case *state.ChallengeMended:
		return view.One(view.Line{
			Label: "reworded", Lead: e.Challenge, Text: e.Objection,
			Role: view.RoleDoubt,
		}.By(e.By)), true
	case *state.Synthesized:
		text := "agreement"
		if !e.Agreement {
			text = "no agreement"
		}
		if len(e.Open) > 0 {
			text += ", open: " + strings.Join(e.Open, ", ")
		}
		return []view.Line{
			{Label: "synthesis", Text: e.Text},
			{Label: "reported", Text: "by the " + string(e.By) + ": " + text, Role: view.RoleQuiet},
		}, true
	case *state.ConsensusTested:
		l := view.Line{
			Label: "consensus", Text: fmt.Sprintf("in round %d: CV1 to CV4 leave no live claim unsettled", e.Round),
			Role: view.RoleGood,
		}
		if !e.Reached {
			l.Text = fmt.Sprintf("none in round %d; not settled: %s", e.Round, strings.Join(e.Unsettled, ", "))
			l.Role = view.RoleOpen
		}
		lines = view.One(l)
		if e.Contradicted() {
			lines = append(lines, view.Line{
				Label: "warning", Text: "the moderator " + contradiction(&e.Consensus), Role: view.RoleWarn,
			})
		}
		return lines, true
	}
	return nil, false
}

func (document) HasEvent(string) bool { return false }

// phaseLine says that a phase of the round begins, if the stage is the first of its phase.
func phaseLine(before *state.State, stage state.Stage) []view.Line {
	phase := councilPhase(stage)
	if phase == 0 {
		return nil
	}
	for i := range before.Asked {
		if councilPhase(before.Asked[i].Stage) >= phase {
			return nil
		}
	}
	return view.One(view.Line{
		Label: "phase", Text: fmt.Sprintf("%d of %d, %s", phase, len(phases()), phases()[phase-1]),
		Role: view.RoleQuiet,
	})
}

// scoresLine lists all confidences that a seat reported in this round.
func scoresLine(s *state.State, e *state.ConfidenceReported) view.Line {
	var parts []string
	for _, p := range s.Points.All() {
		score := p.Score(e.Seat)
		if score == nil || score.Round != s.Round {
			continue
		}
		part := fmt.Sprintf("%s %.2f", p.ID, score.Admitted)
		if score.Stated != score.Admitted {
			part += fmt.Sprintf(" (%.2f stated without a cause)", score.Stated)
		}
		parts = append(parts, part)
	}
	return view.Line{
		Key: fmt.Sprintf("scores %s %d", e.Seat, s.Round), Label: "scores", Lead: string(e.Seat),
		Text: strings.Join(parts, ", "), Role: view.RoleQuiet,
	}
}

// violationLine is a violation of the constitution. Flags of the same seat share a line.
func violationLine(s *state.State, e *state.ConstitutionViolated) view.Line {
	if !s.OnlyFlags(e.Constraint) {
		return view.Line{
			Label: "violation", Lead: e.About() + " by the " + string(e.Seat), Text: e.Constraint + ": " + e.Text,
			Role: view.RoleWarn,
		}
	}
	var points []string
	for i := range s.Council.Breaches {
		if b := &s.Council.Breaches[i]; b.Constraint == e.Constraint && b.Seat == e.Seat && b.Round == s.Round &&
			!slices.Contains(points, b.Point) {
			points = append(points, b.Point)
		}
	}
	text := e.Text
	if len(points) > 1 {
		text = oneSource
	}
	return view.Line{
		Key: fmt.Sprintf("flag %s %s %d", e.Constraint, e.Seat, s.Round), Label: "flagged",
		Lead: strings.Join(points, ", ") + " by the " + string(e.Seat),
		Text: e.Constraint + ": " + text + "; it blocks nothing",
		Role: view.RoleWarn,
	}
}
