package view

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// dialecticFormat is the format dialectic: a proposal under pressure.
type dialecticFormat struct{}

// DialecticOutcome is the outcome of the format dialectic: the last decision on the
// proposal. Resolutions, gates and receipts have the names that "moot resolve" gives
// them, so that the hashes of the receipts can be checked.
type DialecticOutcome struct {
	Kind state.Format `json:"kind"`
	// Decision is ADVANCE, HOLD or ESCALATE, "" before a round was resolved.
	Decision          dialectic.Decision `json:"decision"`
	NeedsAnotherRound bool               `json:"needs_another_round"`
	// Round is the one that was resolved, Rounds the highest possible.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Changed is true if an event after the decision bears on the proposal, so that the
	// decision may be out of date.
	Changed bool `json:"changed"`
	// AsOf is the time against which the age of evidence was checked (G8), in UTC as
	// RFC 3339.
	AsOf string `json:"as_of"`
	// Resolutions has one entry per objection, in order.
	Resolutions []dialectic.Resolution `json:"resolutions"`
	// Gates are G1 to G8.
	Gates []dialectic.GateResult `json:"gates"`
	// Warnings are objections that do not block the proposal.
	Warnings []string            `json:"warnings"`
	Receipts []dialectic.Receipt `json:"receipts"`
	// Head is the hash of the last receipt.
	Head string `json:"head"`
	// Earlier are the decisions before, oldest first. A round has more than one if the
	// user ruled in between.
	Earlier []EarlierDecision `json:"earlier"`
}

// EarlierDecision is the decision of an earlier round.
type EarlierDecision struct {
	Round    int                `json:"round"`
	Decision dialectic.Decision `json:"decision"`
	// Head is the hash of its last receipt.
	Head string `json:"head"`
}

func (dialecticFormat) Outcome(s *state.State) any {
	out := DialecticOutcome{
		Kind: state.FormatDialectic, Rounds: resolver.Configured(s).MaxRounds, Resolutions: []dialectic.Resolution{},
		Gates: []dialectic.GateResult{}, Warnings: []string{}, Receipts: []dialectic.Receipt{},
		Earlier: []EarlierDecision{},
	}
	last := s.Dialectic.Last()
	if last == nil {
		return out
	}
	out.Decision, out.Round, out.AsOf, out.Head = dialectic.Decision(last.Decision), last.Round, moment(last.AsOf),
		last.Head
	for i := range s.Dialectic.Resolved[:len(s.Dialectic.Resolved)-1] {
		r := &s.Dialectic.Resolved[i]
		out.Earlier = append(out.Earlier,
			EarlierDecision{Round: r.Round, Decision: dialectic.Decision(r.Decision), Head: r.Head})
	}
	// A record that cannot be read is reported by Warnings.
	if o, err := resolver.OutcomeOf(s); err == nil {
		out.NeedsAnotherRound, out.Changed = o.NeedsAnotherRound, o.Changed
		out.Resolutions, out.Receipts = some(o.Artifact.Resolutions), some(o.Receipts)
		out.Gates, out.Warnings = some(o.Artifact.Validation.Gates), some(o.Artifact.Validation.Warnings)
	}
	return out
}

func (dialecticFormat) Opposed() (seats []state.Seat, withRules bool) {
	return []state.Seat{state.Proposer, state.PressureTester}, false
}

func (dialecticFormat) Remarks(m *state.Metrics) []string { return debateRemarks(m) }

// FirstAnswers counts the fields of the first proposal as agreed while they have the
// same value.
func (dialecticFormat) FirstAnswers(*state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.Round > 1 || p.Field == nil {
			return state.BucketNotEvaluated
		}
		if len(p.Field.Earlier) > 0 && !bytes.Equal(p.Field.Earlier[0].Value, p.Field.Value) {
			return state.BucketNotEvaluated
		}
		return state.BucketAgreed
	}
}

// Warnings are the objections that do not block the proposal, and that the decision
// may be out of date.
func (dialecticFormat) Warnings(s *state.State) []string {
	o, err := resolver.OutcomeOf(s)
	switch {
	case err != nil:
		return []string{fmt.Sprintf("record: %s; moot verify reports what else does not match", err)}
	case o == nil:
		return nil
	}
	var warnings []string
	for _, w := range o.Artifact.Validation.Warnings {
		warnings = append(warnings, "objection: "+w)
	}
	if o.Changed && !s.Over() {
		warnings = append(warnings, fmt.Sprintf("decision: something that bears on the proposal came after round %d was "+
			"resolved; %s may be out of date", o.Round, o.Decision))
	}
	return warnings
}

// Fill shows the decision, the fields, then objections and evidence, the most severe
// and the strongest first.
func (dialecticFormat) Fill(d *Document, s *state.State, rulings []state.Ruling) {
	p := &proposal{s: s, rulings: rulings, decisive: map[string]bool{}}
	if outcome, err := resolver.OutcomeOf(s); err == nil {
		p.outcome = outcome
	}
	p.objected = resolver.NewObjections(s, p.outcome)
	d.row("decision", p.decision())
	d.header(s)
	if book := s.Settings.Playbook; book != nil {
		d.row("playbook", book.Name)
	}
	d.row("proposal", p.summary())
	d.row("usage", usageRow(s.Usage))
	d.Heading, d.Verdict = inconclusive, p.verdict()
	d.add(questions(s, "WAITING FOR YOU", func(q *state.Question) bool { return !q.Answered }))
	d.Sections = append(d.Sections, p.fields("PROPOSAL", true))
	d.add(p.fields("NO LONGER PROPOSED", false))
	d.Sections = append(d.Sections, p.objections(), p.gates(), p.evidence())
	d.add(p.userRulings(), questions(s, "QUESTIONS", func(q *state.Question) bool { return q.Answered }), p.receipts())
}

// proposal is a session of the format dialectic while its document is built.
type proposal struct {
	s       *state.State
	rulings []state.Ruling
	// outcome is nil if no round was resolved, or its record cannot be read.
	outcome  *resolver.Outcome
	objected *resolver.Objections
	// decisive are the items that are quoted with the objection they decided.
	decisive map[string]bool
}

// decision is the last decision, and why.
func (p *proposal) decision() string {
	last := p.s.Dialectic.Last()
	switch {
	case last == nil && p.s.Over():
		return "none: no round was resolved"
	case last == nil:
		return "none yet: no round was resolved"
	case p.outcome == nil:
		return last.Decision + ": its receipts cannot be read"
	}
	text := last.Decision
	for i := range p.outcome.Receipts {
		if r := &p.outcome.Receipts[i]; r.Rule == "decision" {
			text += ": " + r.Reason
		}
	}
	if p.outcome.Changed {
		text += "; something changed since, so it may be out of date"
	}
	return text
}

// summary counts the fields and the objections.
func (p *proposal) summary() string {
	fields, changed, removed := 0, 0, 0
	for _, point := range p.s.Points.All() {
		switch {
		case point.Field == nil:
		case !resolver.Proposed(point):
			removed++
		default:
			fields++
			if len(earlierValues(point.Field)) > 0 {
				changed++
			}
		}
	}
	text := counted(fields, "field")
	if changed > 0 {
		text += fmt.Sprintf(", %d changed", changed)
	}
	if removed > 0 {
		text += fmt.Sprintf(", %d no longer proposed", removed)
	}
	total, by := 0, map[dialectic.Outcome]int{}
	for _, c := range p.s.Challenges.All() {
		if c.Typed != nil {
			total++
			objection := p.objected.Of(c)
			by[objection.Outcome]++
		}
	}
	var parts []string
	for _, outcome := range append(dialectic.Outcomes(), "") {
		if n := by[outcome]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, cmp.Or(strings.ToLower(string(outcome)), "not resolved yet")))
		}
	}
	return text + "; " + Sentence(counted(total, "objection"), strings.Join(parts, ", "))
}

// verdict says that nobody decided, what blocks the proposal, and what would resolve it.
func (p *proposal) verdict() []string {
	if !p.s.Inconclusive {
		return nil
	}
	lines := []string{"This session is inconclusive: the proposal does not advance, and nobody decided what blocks it."}
	for i := range p.rulings {
		r := &p.rulings[i]
		point := p.s.Point(r.Point)
		if point == nil || point.Field == nil || r.Bucket == state.BucketAgreed || !resolver.Proposed(point) {
			continue
		}
		line := fmt.Sprintf("%s %s (%s): %s", point.ID, point.Field.Path, BucketName(r.Bucket), r.Reason)
		if r.Crux != "" {
			line += ". It would be resolved by " + r.Crux
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 {
		lines = append(lines, "It ended because: "+p.s.ExitReason)
	}
	return lines
}

// fields lists the fields that are proposed, or those that no longer are.
func (p *proposal) fields(title string, proposed bool) Section {
	sec := Section{Title: title}
	for i := range p.rulings {
		r := &p.rulings[i]
		point := p.s.Point(r.Point)
		if point == nil || point.Field == nil || resolver.Proposed(point) != proposed {
			continue
		}
		f := point.Field
		it := Item{ID: point.ID, Text: fieldText(f), Mark: BucketName(r.Bucket)}
		if more := cmp.Or(string(r.Status), string(r.Tag)); more != "" && more != string(state.TagNotApplicable) {
			it.Mark += ", " + more
		}
		if why, ok := strings.CutPrefix(point.Text, f.Path+" = "+string(f.Value)+" ("); ok {
			it.note("the proposer says", strings.TrimSuffix(why, ")"))
		}
		if earlier := earlierValues(f); len(earlier) > 0 {
			it.note("was", strings.Join(earlier, ", "))
		}
		it.note("field", f.Category+", "+f.Severity+", "+p.grounds(point))
		it.note("why", r.Reason+" "+receipt(r))
		if r.Crux != "" {
			it.note(resolvedBy, r.Crux)
		}
		if r.Bucket == state.BucketAgreed && r.Tag == state.TagNotApplicable {
			it.note("beware", "nothing but the proposer's word supports this")
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

func fieldText(f *state.Field) string { return f.Path + " = " + compact(f.Value) }

// earlierValues are the other values that a field had, oldest first.
func earlierValues(f *state.Field) []string {
	var values []string
	for _, e := range f.Earlier {
		if !bytes.Equal(e.Value, f.Value) {
			values = append(values, fmt.Sprintf("%s in round %d", compact(e.Value), e.Round))
		}
	}
	return values
}

func compact(value json.RawMessage) string {
	var out bytes.Buffer
	if json.Compact(&out, value) != nil {
		return string(value)
	}
	return out.String()
}

// grounds says what a field is based on.
func (p *proposal) grounds(point *state.Point) string {
	f := point.Field
	text := "not grounded"
	if f.Grounded {
		text = "grounded, but based on nothing"
	}
	if ids := resolver.RestsOn(p.s, point); len(ids) > 0 {
		text = "based on " + strings.Join(ids, " ")
	}
	if f.Derived != nil {
		text += fmt.Sprintf(", derived as %s of %s", f.Derived.Op, strings.Join(f.Derived.Of, " "))
	}
	return text
}

// objections lists the objections, the most severe first.
func (p *proposal) objections() Section {
	sec := Section{Title: "OBJECTIONS"}
	var challenges []*state.Challenge
	for _, c := range p.s.Challenges.All() {
		if c.Typed != nil {
			challenges = append(challenges, c)
		}
	}
	slices.SortStableFunc(challenges, func(a, b *state.Challenge) int {
		return resolver.Gravity(a.Typed.Severity) - resolver.Gravity(b.Typed.Severity)
	})
	for _, c := range challenges {
		sec.Items = append(sec.Items, p.objection(c))
	}
	return sec
}

func (p *proposal) objection(c *state.Challenge) Item {
	o := p.objected.Of(c)
	it := Item{ID: c.ID, Text: c.Objection, Mark: c.Typed.Severity + ", " + o.Words("you")}
	raised := fmt.Sprintf("%s, by %s in round %d", p.fieldName(c.Point), c.By, c.Round)
	if c.Typed.Flag != "" {
		raised += ", red flag " + c.Typed.Flag
	}
	it.note("against", raised)
	it.note("would have to be true", fmt.Sprintf("%s (%s)", c.Typed.Predicate, c.Typed.Category))
	for i := range c.Defenses {
		it.note("answered by "+string(c.Defenses[i].By), c.Defenses[i].Text)
	}
	for _, r := range resolver.Owed(p.s, c) {
		it.note("requested and not supplied", r.Text)
	}
	if o.Reason != "" {
		it.note("why", o.Reason)
	}
	// R4 compares the best items of both sides.
	deciders := []string{o.Decider}
	if o.Rule == "R4" && p.outcome != nil {
		deciders = nil
		if r := p.outcome.Resolution(c.ID); r != nil {
			deciders = []string{r.BestFor, r.BestAgainst}
		}
	}
	for _, id := range deciders {
		if e := p.s.Item(id); e != nil {
			p.decisive[id] = true
			it.Notes = append(it.Notes, evidenceNote(e))
		}
	}
	return it
}

// fieldName is a field by its id and path.
func (p *proposal) fieldName(point string) string {
	if at := p.s.Point(point); at != nil && at.Field != nil {
		return point + " " + at.Field.Path
	}
	return point
}

// evidence is ordered by authority, the strongest first; items that do not count are last.
func (p *proposal) evidence() Section {
	sec := Section{Title: "EVIDENCE"}
	order := resolver.Configured(p.s).Order()
	rank := func(e *ledger.Evidence) int {
		if !e.Counts() {
			return len(order)
		}
		return slices.Index(order, e.SourceKind)
	}
	var items []*ledger.Evidence
	for _, e := range p.s.Evidence.All() {
		items = append(items, e)
	}
	slices.SortStableFunc(items, func(a, b *ledger.Evidence) int { return cmp.Compare(rank(a), rank(b)) })
	for _, e := range items {
		sec.Items = append(sec.Items, p.evidenceItem(e))
	}
	return sec
}

func (p *proposal) evidenceItem(e *ledger.Evidence) Item {
	it := Item{ID: e.ID, Text: e.Reference, Mark: fmt.Sprintf("%s %.2f", e.SourceKind, e.Confidence)}
	label := string(e.Relation)
	switch {
	case !e.Checked:
		it.Mark = "not checked yet"
	case !e.Counts():
		it.Mark = "does not count"
	}
	if !e.Counts() {
		label = "offered because it " + label
	}
	about := p.fieldName(e.Point)
	var objections []string
	for _, c := range p.s.Challenges.All() {
		if c.Typed != nil && slices.Contains(c.Typed.Evidence, e.ID) {
			objections = append(objections, c.ID)
		}
	}
	if len(objections) > 0 {
		about += ", on " + strings.Join(objections, " ")
	}
	it.note(label, fmt.Sprintf("%s; by %s in round %d", about, e.OfferedBy, e.Round))
	if e.Checked && !e.Counts() {
		it.note("why", e.Reason)
	}
	stale := func(r dialectic.Receipt) bool { return r.Rule == "G8" && slices.Contains(r.Reads, e.ID) }
	if p.outcome != nil && slices.ContainsFunc(p.outcome.Receipts, stale) {
		it.note("beware", "too old to count (G8)")
	}
	if e.Excerpt != "" && !p.decisive[e.ID] {
		it.Notes[0].Quote = excerpt(e.Excerpt)
	}
	return it
}

// gates lists the gates that fail, and those that pass in one line.
func (p *proposal) gates() Section {
	sec := Section{Title: "GATES THAT FAIL"}
	if p.outcome == nil {
		sec.After = "No round was resolved."
		return sec
	}
	var passed []string
	for _, g := range p.outcome.Artifact.Validation.Gates {
		if g.Pass {
			name := g.Gate
			if len(g.Reasons) > 0 {
				name += " (" + strings.Join(g.Reasons, "; ") + ")"
			}
			passed = append(passed, name)
			continue
		}
		it := Item{ID: g.Gate, Text: resolver.ProposalRuleSays(g.Gate)}
		for _, reason := range g.Reasons {
			it.note("why", p.readable(reason))
		}
		sec.Items = append(sec.Items, it)
	}
	if len(passed) > 0 {
		sec.After = "pass: " + strings.Join(passed, ", ")
	}
	return sec
}

// readable replaces the JSON paths in a gate's reason by the names of fields and objections.
func (p *proposal) readable(reason string) string {
	a := &p.outcome.Artifact
	for i := range a.Proposal.Fields {
		place := fmt.Sprintf("artifact.proposal.fields[%d].", i)
		reason = strings.ReplaceAll(reason, place, a.Proposal.Fields[i].Path+": ")
	}
	for i := range a.Objections {
		reason = strings.ReplaceAll(reason, fmt.Sprintf("artifact.objections[%d].", i), a.Objections[i].ID+": ")
	}
	return reason
}

// userRulings says what the user decided about fields and objections.
func (p *proposal) userRulings() Section {
	sec := Section{Title: "YOU RULED"}
	for _, point := range p.s.Points.All() {
		switch f := point.Field; {
		case f == nil:
		case point.UserRuling != nil:
			it := Item{ID: point.ID, Text: fieldText(f), Mark: BucketName(point.UserRuling.Bucket)}
			if point.UserRuling.Reason != "" {
				it.note("why", point.UserRuling.Reason)
			}
			sec.Items = append(sec.Items, it)
		case f.Withdrawn && f.WithdrawnBy == state.User:
			sec.Items = append(sec.Items, Item{ID: point.ID, Text: fieldText(f), Mark: "withdrawn"})
		}
	}
	for _, c := range p.s.Challenges.All() {
		if c.Typed == nil || c.Typed.Verdict == "" {
			continue
		}
		it := Item{ID: c.ID, Text: c.Objection, Mark: c.Typed.Verdict}
		if o := p.objected.Of(c); !o.ByUser && o.Outcome != dialectic.Moot {
			it.note("beware", "it no longer counts: the value of the field changed since, or it was reopened")
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

// receipts lists the decisions, each with the hash of its last receipt.
func (p *proposal) receipts() Section {
	sec := Section{Title: "RECEIPTS", After: "The last receipt of each round; moot verify recomputes all of them."}
	for i := range p.s.Dialectic.Resolved {
		r := &p.s.Dialectic.Resolved[i]
		sec.Items = append(sec.Items, Item{ID: strconv.Itoa(r.Round), Mark: r.Decision, Text: r.Head})
	}
	return sec
}

// Event are the words for fields, objections and decisions.
func (dialecticFormat) Event(before, after *state.State, data state.Payload) (lines []Line, ok bool) {
	switch e := data.(type) {
	case *state.FieldProposed:
		l := Line{Key: e.Point, Label: "point", Lead: e.Point, Text: e.Path + " = " + compact(e.Value), Role: RolePoint}
		if p := after.Point(e.Point); p != nil {
			// The point may have another value by now; otherwise its text also has the reason.
			if strings.HasPrefix(p.Text, e.Path+" = "+string(e.Value)) {
				l.Text = p.Text
			}
			l = l.by(p.Authors[0])
		}
		l.Detail = e.Severity + ", " + e.Category
		if !e.Grounded {
			l.Detail += ", not grounded"
		}
		return one(l), true
	case *state.FieldRevised:
		return one(Line{Label: "revised", Lead: e.Point, Text: e.Text, Role: RolePoint}.by(e.By)), true
	case *state.FieldWithdrawn:
		return one(Line{Label: "withdrawn", Lead: e.Point, Text: e.Reason, Role: RoleBad}.by(e.By)), true
	case *state.ObjectionFiled:
		return objectionLines(after, e), true
	case *state.ObjectionRuled:
		text := "ruling taken back"
		if e.Verdict != "" {
			text = "ruled " + e.Verdict
		}
		return one(Line{Label: "user", Lead: e.Challenge, Text: Sentence(text, e.Reason), Role: RoleUser}), true
	case *state.EvidenceSupplied:
		l := Line{Label: "supplied", Lead: e.Evidence, Text: "on " + e.Challenge, Role: RoleQuiet}
		return one(l.minor()), true
	case *state.EvidenceVerified:
		lines = evidenceEvent(after, e)
		lines[0].Detail = fmt.Sprintf("%s %.2f, %s", e.SourceKind, e.Confidence, lines[0].Detail)
		return lines, true
	case *state.ProposalExamined:
		text := counted(e.New, "objection")
		if e.New == 0 {
			text = "no objection"
		}
		return one(Line{
			Label: "examined", Lead: string(e.By), Text: Sentence(text, e.Reason), Role: RoleQuiet,
			Minor: e.New > 0 || e.Reason == "",
		}), true
	case *state.RoundResolved:
		return decisionLines(before, e), true
	}
	return nil, false
}

func (dialecticFormat) HasEvent(string) bool { return false }

// objectionLines replace those of the challenge that was raised just before.
func objectionLines(after *state.State, e *state.ObjectionFiled) []Line {
	l := Line{
		Key: e.Challenge, Replaces: []string{e.Challenge + " upgrade"}, Label: "objection",
		Lead: e.Challenge + " " + e.Severity, Detail: join(", ", e.Category, e.Flag), Role: RoleDoubt,
	}
	if c := after.Challenge(e.Challenge); c != nil {
		l.Lead += " on " + c.Point
		l.Text = c.Objection
		l = l.by(c.By)
	}
	asks := Line{
		Label: "asks", Lead: e.Challenge, Text: "asks whether " + e.Predicate, Detail: e.Category, Role: RoleQuiet,
	}
	return []Line{l, asks}
}

// decisionLines say which objections ended otherwise than in the last round, which gates
// fail, and what was decided.
func decisionLines(before *state.State, e *state.RoundResolved) []Line {
	var result, last dialectic.Result
	if json.Unmarshal(e.Result, &result) != nil {
		return one(Line{Label: "decision", Lead: e.Decision, Text: "its receipts cannot be read", Role: RoleWarn})
	}
	earlier := map[string]*resolver.Objection{}
	if r := before.Dialectic.Last(); r != nil && json.Unmarshal(r.Result, &last) == nil {
		earlier = resolver.ObjectionOutcomes(&last)
	}
	var lines []Line
	reason, now := "", resolver.ObjectionOutcomes(&result)
	for i := range result.Receipts {
		r := &result.Receipts[i]
		o := now[r.Subject]
		switch {
		case r.Rule == "decision":
			reason = r.Reason
		case o != nil && (earlier[r.Subject] == nil || earlier[r.Subject].Words("you") != o.Words("you")):
			lines = append(lines, Line{
				Label: "resolved", Lead: fmt.Sprintf("%s %s by %s", r.Subject, r.Outcome, r.Rule), Text: r.Reason,
				Role: ObjectionRole(o),
			})
		case o == nil && r.Outcome != "PASS":
			lines = append(lines, Line{Label: "gate", Lead: r.Rule + " fails", Text: r.Reason, Role: RoleBad})
		}
	}
	lines = append(lines, Line{
		Label: "decision", Lead: fmt.Sprintf("%s after round %d", e.Decision, e.Round),
		Text: fmt.Sprintf("%s; receipt %.12s", reason, e.Head), Role: DecisionRole(e.Decision),
	})
	for _, warning := range result.Artifact.Validation.Warnings {
		lines = append(lines, Line{Label: "warning", Text: warning, Role: RoleWarn})
	}
	return lines
}

// ObjectionRole says what the outcome of an objection means for the proposal.
func ObjectionRole(o *resolver.Objection) Role {
	switch {
	case o.Outcome == "":
		return RoleOpen
	case o.ByUser:
		return RoleUser
	case o.Warns:
		return RoleWarn
	case o.Outcome == dialectic.Cleared:
		return RoleGood
	case o.Outcome == dialectic.Moot || !o.Holds:
		return RoleQuiet
	case o.Outcome == dialectic.Upheld:
		return RoleBad
	}
	return RoleDoubt
}

// DecisionRole says what a decision means for the proposal.
func DecisionRole(decision string) Role {
	switch dialectic.Decision(decision) {
	case dialectic.Advance:
		return RoleGood
	case dialectic.Escalate:
		return RoleWarn
	case dialectic.Hold:
	}
	return RoleOpen
}
