package dialectic

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// View implements protocol.Format.
func (Format) View() view.Format { return document{} }

// document describes a proposal and its review.
type document struct{ view.Claims }

// ExportedOutcome is the outcome of a dialectic in the exported JSON: the last decision on the
// proposal. Resolutions, gates and receipts have the names that "moot resolve" gives them, so
// that the hashes of the receipts can be checked.
type ExportedOutcome struct {
	view.Concluded
	// Decision is ADVANCE, HOLD or ESCALATE, "" before a round was resolved.
	Decision          gates.Decision `json:"decision"`
	NeedsAnotherRound bool           `json:"needs_another_round"`
	// Round is the one that was resolved, Rounds the highest possible.
	Round  int `json:"round"`
	Rounds int `json:"rounds"`
	// Changed is true if an event after the decision affects the proposal, so that the decision may
	// be out of date.
	Changed bool `json:"changed"`
	// AsOf is the time against which the age of evidence was checked (G8), in UTC as
	// RFC 3339.
	AsOf string `json:"as_of"`
	// Resolutions has one entry per objection, in order.
	Resolutions []gates.Resolution `json:"resolutions"`
	// Gates are G1 to G9.
	Gates []gates.GateResult `json:"gates"`
	// Warnings are objections that do not block the proposal.
	Warnings []string        `json:"warnings"`
	Receipts []gates.Receipt `json:"receipts"`
	// Head is the hash of the last receipt.
	Head string `json:"head"`
	// Earlier are the decisions before, oldest first. A round has more than one if the
	// user ruled in between.
	Earlier []EarlierDecision `json:"earlier"`
}

// EarlierDecision is the decision of an earlier round.
type EarlierDecision struct {
	Round    int            `json:"round"`
	Decision gates.Decision `json:"decision"`
	// Head is the hash of its last receipt.
	Head string `json:"head"`
}

func (document) Outcome(s *state.State) any {
	out := ExportedOutcome{
		Concluded: view.Conclude(s), Rounds: Configured(s).MaxRounds, Resolutions: []gates.Resolution{},
		Gates: []gates.GateResult{}, Warnings: []string{}, Receipts: []gates.Receipt{}, Earlier: []EarlierDecision{},
	}
	for _, r := range Of(s).Resolved {
		out.Earlier = append(out.Earlier,
			EarlierDecision{Round: r.Round, Decision: r.Decision, Head: r.Head()})
	}
	last := Of(s).Last()
	if last == nil {
		return out
	}
	out.Earlier = out.Earlier[:len(out.Earlier)-1]
	out.Decision, out.Round, out.AsOf, out.Head = last.Decision, last.Round, view.Moment(last.AsOf), last.Head()
	out.NeedsAnotherRound, out.Changed = last.NeedsAnotherRound, last.changed(s)
	out.Resolutions, out.Receipts = view.Some(last.Artifact.Resolutions), view.Some(last.Receipts)
	out.Gates, out.Warnings = view.Some(last.Artifact.Validation.Gates), view.Some(last.Artifact.Validation.Warnings)
	return out
}

// Point is the field of the proposal.
func (document) Point(p *state.Point) any {
	own := FieldOf(p)
	if own == nil {
		return nil
	}
	f := *own
	f.Cites, f.Earlier = view.Some(f.Cites), view.Some(f.Earlier)
	var derived move.Derivation
	if f.Derived != nil {
		derived = *f.Derived
	}
	derived.Of = view.Some(derived.Of)
	f.Derived = &derived
	if !f.Withdrawn {
		f.WithdrawnBy = ""
	}
	return f
}

// ExportedObjection is an objection in the exported JSON.
type ExportedObjection struct {
	Objection
	// Owed is the evidence that was requested and not supplied (G7).
	Owed []string `json:"owed"`
	// Words say how the objection ended, as the result shows it.
	Words string `json:"words"`
	// Uncontested means that what cleared it was accepted by nobody, which is enough below HIGH.
	Uncontested bool `json:"uncontested"`
}

// Challenge is the objection.
func (document) Challenge(s *state.State, c *state.Challenge) any {
	own := ObjectionOf(c)
	if own == nil {
		return nil
	}
	o := ExportedObjection{Objection: *own, Owed: []string{}}
	o.Evidence = view.Some(o.Evidence)
	for _, r := range owed(s, c) {
		o.Owed = append(o.Owed, describe(s, r))
	}
	outcome := newOutcomes(s).Of(c)
	o.Words, o.Uncontested = outcome.Words("you"), outcome.Uncontested
	return o
}

// RequestResult implements view.Format.
func (document) RequestResult(s *state.State, r *state.Request) string { return requestResult(s, r) }

// Opposed implements view.Format.
func (document) Opposed(*state.State) (seats []state.Seat, withRules bool) {
	return []state.Seat{Proposer, PressureTester}, false
}

// FirstAnswers counts a field of the first proposal as agreed if it still has the same value and
// the pressure-tester had no objection to it in round 1.
func (document) FirstAnswers(s *state.State) func(*state.Point) state.Bucket {
	return func(p *state.Point) state.Bucket {
		if p.Round > 1 || FieldOf(p) == nil {
			return state.BucketNotEvaluated
		}
		if len(FieldOf(p).Earlier) > 0 && !bytes.Equal(FieldOf(p).Earlier[0].Value, FieldOf(p).Value) {
			return state.BucketNotEvaluated
		}
		if slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).Round == 1 }) {
			return state.BucketUnresolved
		}
		return state.BucketAgreed
	}
}

// Warnings returns the objections that do not block the proposal, and a warning if the decision may
// be out of date.
func (document) Warnings(s *state.State) []string {
	last := Of(s).Last()
	if last == nil {
		return nil
	}
	warnings := lists.Map(last.Artifact.Validation.Warnings, func(w string) string { return "objection: " + w })
	if !s.Over() && last.changed(s) {
		warnings = append(warnings, fmt.Sprintf("decision: something that bears on the proposal came after "+
			"round %d was resolved; %s may be out of date", last.Round, last.Decision))
	}
	return warnings
}

// Status is the last decision on the proposal.
func (document) Status(s *state.State, _ []state.Ruling) (string, view.Role) {
	last := Of(s).Last()
	switch {
	case last == nil && s.Over():
		return "no decision", view.RoleWarn
	case last == nil:
		return "not decided yet", view.RoleQuiet
	case s.Over():
		return string(last.Decision), decisionRole(last.Decision)
	case last.Round < s.Round:
		return fmt.Sprintf("%s in round %d", last.Decision, last.Round), decisionRole(last.Decision)
	case last.Seq < proposalChanged(s):
		return string(last.Decision) + ", changed since", decisionRole(last.Decision)
	}
	return string(last.Decision), decisionRole(last.Decision)
}

// Map shows the outcomes of the objections. If a resolution cannot be read, its objections are
// shown as unresolved.
func (document) Map(s *state.State) view.Map {
	m := view.OpposedPairs(s)
	m.Challenges, m.Points = map[string]view.ChallengeStatus{}, map[string]view.PointWords{}
	for _, p := range s.Points.All() {
		f := FieldOf(p)
		if f == nil {
			continue
		}
		words := view.PointWords{Mark: f.Severity, About: []string{f.Category, f.Severity}}
		for _, e := range f.Earlier {
			was := plain.Clip(string(e.Value), 40)
			words.About = append(words.About, fmt.Sprintf("was %s in round %d", was, e.Round))
		}
		m.Points[p.ID] = words
	}
	objected := newOutcomes(s)
	for _, c := range s.Challenges.All() {
		own := ObjectionOf(c)
		if own == nil {
			continue
		}
		o := objected.Of(c)
		shown := view.ChallengeStatus{
			Kind: string(own.Severity), Verb: "attacks", Defeated: o.Settled(), Settled: o.Settled(),
			Outcome: o.Words("you"),
			Terms: []view.Row{
				{Label: "category", Text: own.Category}, {Label: "claims", Text: own.Predicate},
			},
			Status: map[gates.Outcome]state.ChallengeStatus{
				"": state.StandsOpen, gates.Unresolved: state.StandsOpen, gates.Upheld: state.StandsUpheld,
				gates.Cleared: state.StandsDefended, gates.Moot: state.StandsEnded,
			}[o.Outcome],
		}
		if c.Status == state.StandsConceded {
			shown.Status = c.Status
		}
		if shown.Defeated {
			shown.Verb = "attacked"
		}
		shown.Role = objectionRole(&o)
		m.Challenges[c.ID] = shown
	}
	return m
}

// Fill shows the decision, the fields, then objections and evidence, the most severe
// and the strongest first.
func (document) Fill(d *view.Document, s *state.State, rulings []state.Ruling) {
	p := newPage(s, rulings)
	d.Open = view.OpenQuestions(s)
	if len(d.Answer.Items) == 0 {
		d.Add(view.Section{Title: "DECISION", Lines: []string{p.decision()}})
	}
	d.Header(s)
	if book := SettingsOf(s).Playbook.Name; book != "" {
		d.Row("playbook", book)
	}
	d.Row("proposal", p.summary())
	d.Row("usage", view.UsageRow(s.Usage))
	d.Heading, d.Verdict = p.heading()
	d.Add(p.fields("PROPOSAL", true), p.fields("NO LONGER PROPOSED", false), p.objections(),
		p.gates(),
		p.evidence())
	receipts := view.Section{Title: "RECEIPTS"}
	for _, r := range Of(s).Resolved {
		it := view.Item{ID: strconv.Itoa(r.Round), Mark: string(r.Decision), Text: r.Head()}
		receipts.Items = append(receipts.Items, it)
		receipts.After = view.Stated("receipts", view.Record{State: s})
	}
	d.Add(receipts, view.NotTaken(s), view.EarlierQuestions(s))
	d.AddFacts(s)
}

// statements never changes.
var statements = view.Statements{ //nolint:gochecknoglobals // a table
	{
		ID: "decision/over", Words: "no decision: no round was resolved",
		When: func(r view.Record) ([]any, bool) { return nil, Of(r.State).Last() == nil && r.State.Over() },
	},
	{
		ID: "decision/early", Words: "none yet: no round was resolved",
		When: func(r view.Record) ([]any, bool) { return nil, Of(r.State).Last() == nil },
	},
	{
		ID: "advance/changed", Words: "no objection held it, and every gate passed",
		When: func(r view.Record) ([]any, bool) {
			last := Of(r.State).Last()
			return nil, last != nil && last.Decision == gates.Advance && last.changed(r.State)
		},
	},
	{
		ID: "advance/unobjected", Words: "no objection was raised, and every gate passes",
		When: func(r view.Record) ([]any, bool) {
			last := Of(r.State).Last()
			return nil, last != nil && last.Decision == gates.Advance && len(last.Artifact.Objections) == 0
		},
	},
	{
		ID: "advance/unheld", Words: "no objection holds it, and every gate passes",
		When: func(r view.Record) ([]any, bool) {
			last := Of(r.State).Last()
			return nil, last != nil && last.Decision == gates.Advance
		},
	},
	{
		ID: "proposer/word", Words: "nothing but the proposer's word supports this",
		When: func(r view.Record) ([]any, bool) {
			ruling, p := resolver.RulingOn(r.Rulings, r.ID), r.State.Point(r.ID)
			return nil, ruling != nil && ruling.Bucket == state.BucketAgreed && ruling.Tag == state.TagNotApplicable &&
				!slices.ContainsFunc(p.Evidence, func(id string) bool {
					e := r.State.Item(id)
					return e.Proven() && e.Relation == ledger.Supports
				})
		},
	},
	{
		ID: "based/nothing", Words: "based on nothing",
		When: func(r view.Record) ([]any, bool) { return nil, len(restsOn(r.State, r.State.Point(r.ID))) == 0 },
	},
	{
		ID: "gates/unresolved", Words: "No round was resolved.",
		When: func(r view.Record) ([]any, bool) { return nil, Of(r.State).Last() == nil },
	},
	{
		ID: "receipts/last", Words: "The last receipt of each round; moot verify recomputes all of them.",
		When: func(r view.Record) ([]any, bool) { return nil, Of(r.State).Last() != nil },
	},
}

// Statements implements view.Format.
func (document) Statements() view.Statements { return statements }

// page is the state of a session while its document is built.
type page struct {
	s       *state.State
	rulings []state.Ruling
	// last is nil if no round was resolved.
	last     *Resolution
	objected *outcomes
	// decisive are the items that are quoted with the objection they decided.
	decisive map[string]bool
}

func newPage(s *state.State, rulings []state.Ruling) *page {
	return &page{s: s, rulings: rulings, last: Of(s).Last(), objected: newOutcomes(s), decisive: map[string]bool{}}
}

// Decision implements view.Format.
func (document) Decision(s *state.State) string {
	if !s.Over() {
		return ""
	}
	return newPage(s, nil).decision()
}

// Reached is the decision that a paused session reached, with the deciding objection, or "".
func (document) Reached(s *state.State) string {
	p := newPage(s, nil)
	if p.last == nil {
		return ""
	}
	return strings.TrimSuffix(string(p.last.Decision)+": "+p.deciding(), ": ")
}

// decision is the last decision, and why.
func (p *page) decision() string {
	last := p.last
	if last == nil {
		return view.Stated("decision", view.Record{State: p.s})
	}
	text, reasons := string(last.Decision), p.deciding()
	for i := range last.Receipts {
		if r := &last.Receipts[i]; r.Rule == "decision" && r.Reason != "every gate passes, and no objection holds it" {
			reasons = view.Join("; ", reasons, r.Reason)
		}
	}
	text = view.Sentence(text, reasons)
	if last.changed(p.s) {
		text += "; something changed since, so it may be out of date"
	}
	return text
}

// deciding describes what decided: the gravest objection that holds the proposal, else a field that fails a gate; if
// the proposal advances, the gravest objection that was settled.
func (p *page) deciding() string {
	result := &p.last.Result
	if len(result.Artifact.Proposal.Fields) == 0 {
		return ""
	}
	gravest := func(counts func(*gates.Objection, *gates.Resolution) bool) *state.Challenge {
		var found *state.Challenge
		for i := range result.Artifact.Objections {
			o, r := &result.Artifact.Objections[i], &result.Artifact.Resolutions[i]
			if counts(o, r) && (found == nil || o.Severity.Gravity() < ObjectionOf(found).Severity.Gravity()) {
				found = p.s.Challenge(o.ID)
			}
		}
		return found
	}
	if result.Decision == gates.Advance {
		c := gravest(func(_ *gates.Objection, r *gates.Resolution) bool { return r.Outcome == gates.Cleared })
		advances := view.Stated("advance", view.Record{State: p.s})
		if out := leftWords(p.s); out != "" {
			advances += "; " + out
		}
		if c == nil {
			return advances
		}
		return p.objectionInWords(c) + "; " + advances
	}
	standing := Blocking(result)
	c := gravest(func(o *gates.Objection, _ *gates.Resolution) bool {
		return slices.ContainsFunc(standing, func(r gates.Resolution) bool { return r.Objection == o.ID })
	})
	if c == nil {
		c = gravest(func(o *gates.Objection, _ *gates.Resolution) bool { return outstanding(result, o.ID) != "" })
	}
	if c != nil {
		return p.objectionInWords(c)
	}
	if words := uncoveredWords(p.s); words != "" {
		return words
	}
	for _, f := range result.Artifact.Proposal.Fields {
		for _, failure := range failuresOf(result, f.Path) {
			return p.fieldName(FieldAt(p.s, f.Path).ID) + " fails " + gates.Name(failure.Gate) + " (" +
				strings.Join(failure.Reasons, "; ") + ")"
		}
	}
	return ""
}

// objectionInWords says what an objection is, against which field, and how it ended. It names the place of the
// item that decided it, or else of an item that was offered on it.
func (p *page) objectionInWords(c *state.Challenge) string {
	o := outcomesIn(&p.last.Result)[c.ID]
	words := p.objected.Of(c)
	if words.Outcome == "" {
		words = *o
	}
	offered := ""
	ended := words.Words("you")
	if item := p.s.Item(words.Decider); item != nil && strings.Contains(ended, "by "+item.ID) &&
		item.SourceKind != ledger.UserOverride {
		ended = strings.Replace(ended, "by "+item.ID, "by "+item.ID+" ("+plain.Short(item.Reference)+")", 1)
	} else {
		for _, id := range ObjectionOf(c).Evidence {
			if item := p.s.Item(id); item != nil && item.Proven() && item.Run == nil && !item.Asked &&
				item.SourceKind != ledger.UserOverride {
				offered = "; " + item.ID + " (" + plain.Short(item.Reference) + ") was offered on it"
				break
			}
		}
	}
	text := fmt.Sprintf("%s (%s) %q against %s is %s", c.ID, ObjectionOf(c).Severity, plain.Short(c.Objection),
		p.fieldName(c.Point), ended)
	if o.Outcome.Holds() && o.Reason != "" && !words.ByUser {
		text += " (" + o.Reason + ")"
	}
	text += offered
	for _, r := range owed(p.s, c) {
		text += "; owed: " + plain.Short(describe(p.s, r))
		break
	}
	return text
}

// summary counts the fields and the objections.
func (p *page) summary() string {
	fields, changed, removed := 0, 0, 0
	for _, point := range p.s.Points.All() {
		switch {
		case FieldOf(point) == nil:
		case !Proposed(point):
			removed++
		default:
			fields++
			if len(earlierValues(FieldOf(point))) > 0 {
				changed++
			}
		}
	}
	text := view.Counted(fields, "field")
	if changed > 0 {
		text += fmt.Sprintf(", %d changed", changed)
	}
	if removed > 0 {
		text += fmt.Sprintf(", %d no longer proposed", removed)
	}
	total, by := 0, map[string]int{}
	for _, c := range p.s.Challenges.All() {
		if ObjectionOf(c) == nil {
			continue
		}
		total++
		o := p.objected.Of(c)
		switch {
		case o.Granted:
			by["granted and withdrawn"]++
		case o.Withdrawn:
			by["withdrawn by the pressure-tester"]++
		default:
			by[cmp.Or(strings.ToLower(string(o.Outcome)), "not resolved yet")]++
		}
	}
	var parts []string
	for _, words := range []string{
		"cleared", "upheld", "unresolved", "granted and withdrawn", "withdrawn by the pressure-tester", "moot",
		"not resolved yet",
	} {
		if n := by[words]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, words))
		}
	}
	return text + "; " + view.Sentence(view.Counted(total, "objection"), strings.Join(parts, ", "))
}

// heading is the decision on a proposal that does not advance, with what blocks each field and what would resolve it.
func (p *page) heading() (string, []string) {
	if !p.s.Over() || decision(p.s) == gates.Advance {
		return "", nil
	}
	heading := cmp.Or(string(decision(p.s)), "NO DECISION")
	lines := []string{"The proposal does not advance."}
	if words := uncoveredWords(p.s); words != "" {
		lines = append(lines, words+".")
	}
	for i := range p.rulings {
		r := &p.rulings[i]
		point := p.s.Point(r.Point)
		if r.Bucket == state.BucketAgreed || !Proposed(point) {
			continue
		}
		line := fmt.Sprintf("%s %s (%s): %s", point.ID, FieldOf(point).Path, view.BucketName(r.Bucket), r.Reason)
		if r.Crux != "" {
			line += ". It would be resolved by " + r.Crux
		}
		lines = append(lines, line)
	}
	if len(lines) == 1 {
		lines = append(lines, "It ended because: "+p.s.ExitReason)
	}
	return heading, lines
}

// fields lists the fields that are proposed, or those that no longer are.
func (p *page) fields(title string, proposed bool) view.Section {
	sec := view.Section{Title: title}
	for i := range p.rulings {
		r := &p.rulings[i]
		point := p.s.Point(r.Point)
		if FieldOf(point) == nil || Proposed(point) != proposed {
			continue
		}
		f := FieldOf(point)
		it := view.Item{
			ID: point.ID, Text: fieldLine(f), Role: view.BucketRole(r.Bucket),
			Mark: view.Tag(string(r.Bucket), cmp.Or(string(r.Status), string(r.Tag))),
		}
		if why, ok := strings.CutPrefix(point.Text, f.Path+" = "+string(f.Value)+" ("); ok {
			it.Note("the proposer says", strings.TrimSuffix(why, ")"))
		}
		if earlier := earlierValues(f); len(earlier) > 0 {
			it.Note("was", strings.Join(earlier, ", "))
		}
		it.Note("field", f.Category+", "+f.Severity+", "+p.grounds(point))
		it.Note("why", r.Reason)
		if r.Crux != "" {
			it.Note(view.ResolvedBy, r.Crux)
		}
		caution := view.Stated("proposer", view.Record{State: p.s, Rulings: []state.Ruling{*r}, ID: point.ID})
		if caution != "" {
			it.Note("caution", caution)
		}
		sec.Items = append(sec.Items, it)
	}
	return sec
}

func fieldLine(f *Field) string { return f.Path + " = " + compact(f.Value) }

// earlierValues are the other values that a field had, oldest first.
func earlierValues(f *Field) []string {
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

// grounds describes what a field is based on.
func (p *page) grounds(point *state.Point) string {
	f := FieldOf(point)
	text := "not grounded"
	if f.Grounded {
		text = "grounded, but " + view.Stated("based", view.Record{State: p.s, ID: point.ID})
	}
	if ids := restsOn(p.s, point); len(ids) > 0 {
		text = "based on " + strings.Join(ids, " ")
	}
	if f.Derived != nil {
		text += fmt.Sprintf(", derived as %s of %s", f.Derived.Op, strings.Join(f.Derived.Of, " "))
	}
	return text
}

// objections lists the objections, the most severe first.
func (p *page) objections() view.Section {
	sec := view.Section{Title: "OBJECTIONS"}
	for i := range gates.Severities() {
		for _, c := range p.s.Challenges.All() {
			if ObjectionOf(c) != nil && ObjectionOf(c).Severity.Gravity() == i {
				sec.Items = append(sec.Items, p.objection(c))
			}
		}
	}
	return sec
}

func (p *page) objection(c *state.Challenge) view.Item {
	own := ObjectionOf(c)
	o := p.objected.Of(c)
	it := view.Item{ID: c.ID, Text: c.Objection, Mark: view.Tag(string(own.Severity)) + ", " + o.Words("you"), Role: objectionRole(&o)}
	raised := fmt.Sprintf("%s, by %s in round %d", p.fieldName(c.Point), c.By, c.Round)
	if own.Flag != "" {
		raised += ", red flag " + own.Flag
	}
	it.Note("against", raised)
	it.Note("would have to be true", fmt.Sprintf("%s (%s)", own.Predicate, own.Category))
	if kinds := clearedBy(p.s, own); len(kinds) > 0 {
		it.Note("only these sources clear it", strings.Join(enum.Words(kinds), ", "))
	}
	for i := range c.Defenses {
		it.Note("answered by "+string(c.Defenses[i].By), c.Defenses[i].Text)
	}
	if c.Status == state.StandsConceded {
		it.Note("granted by", string(Proposer))
	}
	for _, r := range p.s.Requests.All() {
		if r.About != c.ID {
			continue
		}
		label := "requested"
		if !requestAnswered(p.s, r, c) {
			label = "requested and owed"
		}
		it.Note(label, fmt.Sprintf("%s; by %s in round %d", describe(p.s, r), r.By, r.Round))
	}
	if o.Reason != "" {
		it.Note("why", o.Reason)
	}
	// R4 compares the best items of both sides.
	deciders := []string{o.Decider}
	if o.Rule == "R4" && p.last != nil {
		deciders = nil
		if r := resolutionOf(&p.last.Result, c.ID); r != nil {
			deciders = []string{r.BestFor, r.BestAgainst}
		}
	}
	for _, id := range deciders {
		if e := p.s.Item(id); e != nil {
			p.decisive[id] = true
			it.Notes = append(it.Notes, view.EvidenceNote(e))
		}
	}
	return it
}

// fieldName is a field by its id and path.
func (p *page) fieldName(point string) string {
	if at := p.s.Point(point); FieldOf(at) != nil {
		return point + " " + FieldOf(at).Path
	}
	return point
}

// evidence is ordered by authority, the strongest first; items that do not count are last.
func (p *page) evidence() view.Section {
	sec := view.Section{Title: "EVIDENCE"}
	rank := func(e *ledger.Evidence) int {
		if !e.Proven() {
			return len(ledger.SourceKinds())
		}
		return slices.Index(ledger.SourceKinds(), e.SourceKind)
	}
	var items []*ledger.Evidence
	for _, e := range p.s.Evidence.All() {
		items = append(items, e)
	}
	slices.SortStableFunc(items, func(a, b *ledger.Evidence) int { return cmp.Compare(rank(a), rank(b)) })
	for _, e := range items {
		sec.Items = append(sec.Items, p.item(e))
	}
	return sec
}

func (p *page) item(e *ledger.Evidence) view.Item {
	it := view.Item{ID: e.ID, Text: e.Reference, Mark: fmt.Sprintf("%s, %.2f", view.Tag(string(e.SourceKind)), e.Confidence)}
	label := string(e.Relation)
	switch {
	case !e.Checked:
		it.Mark = "Not checked yet"
	case !e.Proven():
		it.Mark = "Does not count"
	}
	if !e.Proven() {
		label = "offered because it " + label
	}
	if e.Asked && e.Relation == ledger.Neutral {
		label = "asked for"
	}
	about := p.fieldName(e.Point)
	objections := lists.Map(p.s.Challenges.Filter(func(c *state.Challenge) bool {
		return ObjectionOf(c) != nil && slices.Contains(ObjectionOf(c).Evidence, e.ID)
	}), func(c *state.Challenge) string { return c.ID })
	if len(objections) > 0 {
		about += ", on " + strings.Join(objections, " ")
	}
	it.Note(label, fmt.Sprintf("%s; by %s in round %d", about, e.OfferedBy, e.Round))
	if e.Checked && (!e.Proven() || e.Asked) {
		it.Note("why", e.Reason)
	}
	if e.Patch != "" {
		it.Note("patch", e.Tried())
	}
	for _, by := range e.Accepted {
		it.Note("accepted by", by.Seat)
	}
	for _, by := range e.Contests {
		state := by.Reason
		if by.Ended {
			state += "; ended"
		}
		it.Note("contested by "+by.Seat, state)
	}
	stale := func(r gates.Receipt) bool { return r.Rule == "G8" && slices.Contains(r.Reads, e.ID) }
	if p.last != nil && slices.ContainsFunc(p.last.Receipts, stale) {
		it.Note("caution", "too old to count")
	}
	if e.Excerpt != "" && !p.decisive[e.ID] {
		it.Notes[0].Quote = view.Excerpt(e.Excerpt)
	}
	return it
}

// gates lists the gates that fail, and those that pass in one line.
func (p *page) gates() view.Section {
	sec := view.Section{Title: "GATES THAT FAIL"}
	if p.last == nil {
		sec.After = view.Stated("gates", view.Record{State: p.s})
		return sec
	}
	// Show names of fields and objections instead of their JSON paths.
	var names []string
	for i, f := range p.last.Artifact.Proposal.Fields {
		names = append(names, fmt.Sprintf("artifact.proposal.fields[%d].", i), f.Path+": ")
	}
	for i := range p.last.Artifact.Objections {
		names = append(names, fmt.Sprintf("artifact.objections[%d].", i), p.last.Artifact.Objections[i].ID+": ")
	}
	readable := strings.NewReplacer(names...)
	var passed []string
	for _, g := range p.last.Artifact.Validation.Gates {
		if g.Pass {
			name := gates.Name(g.Gate)
			if len(g.Reasons) > 0 {
				name += " (" + strings.Join(g.Reasons, "; ") + ")"
			}
			passed = append(passed, name)
			continue
		}
		it := view.Item{ID: gates.Name(g.Gate), Text: ruleSays(g.Gate)}
		for _, reason := range g.Reasons {
			it.Note("why", readable.Replace(reason))
		}
		sec.Items = append(sec.Items, it)
	}
	if len(passed) > 0 {
		sec.After = "pass: " + strings.Join(passed, ", ")
	}
	return sec
}

// Event describes fields, objections and decisions.
func (document) Event(before, after *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *FieldProposed:
		l := view.Line{
			Key: e.Point, Label: "point", Lead: e.Point, Text: e.Path + " = " + compact(e.Value),
			Role: view.RolePoint,
		}
		if p := after.Point(e.Point); p != nil {
			// The point may have another value by now; otherwise its text also has the reason.
			if strings.HasPrefix(p.Text, e.Path+" = "+string(e.Value)) {
				l.Text = p.Text
			}
			l = l.By(p.Authors[0])
		}
		l.Detail = e.Severity + ", " + e.Category
		if !e.Grounded {
			l.Detail += ", not grounded"
		}
		return view.One(l), true
	case *FieldRevised:
		return view.One(view.Say("revised", e.Point, e.Text, view.RolePoint).By(e.By)), true
	case *FieldWithdrawn:
		return view.One(view.Say("withdrawn", e.Point, e.Reason, view.RoleBad).By(e.By)), true
	case *ObjectionFiled:
		// This replaces the lines of the challenge that was raised just before.
		l := view.Line{
			Key: e.Challenge, Replaces: []string{e.Challenge + " upgrade"}, Label: "objection",
			Lead:   e.Challenge + " " + string(e.Severity),
			Detail: view.Join(", ", e.Category, e.Flag), Role: view.RoleDoubt,
		}
		if c := after.Challenge(e.Challenge); c != nil {
			l.Lead += " on " + c.Point
			l.Text = c.Objection
			l = l.By(c.By)
		}
		text := "asks whether " + e.Predicate
		return []view.Line{l, {
			Label: "asks", Lead: e.Challenge, Text: text, Detail: e.Category,
			Role: view.RoleQuiet,
		}}, true
	case *ObjectionRuled:
		text := "ruling taken back"
		if e.Verdict != "" {
			text = "ruled " + string(e.Verdict)
		}
		return view.One(view.Say("user", e.Challenge, view.Sentence(text, e.Reason), view.RoleUser)), true
	case *EvidenceSupplied:
		l := view.Say("supplied", e.Evidence, "on "+e.Challenge, view.RoleQuiet)
		return view.One(l.AsMinor()), true
	case *state.EvidenceVerified:
		lines = view.EvidenceEvent(after, e)
		lines[0].Detail = fmt.Sprintf("%s %.2f, %s", e.SourceKind, e.Confidence, lines[0].Detail)
		return lines, true
	case *FileLeftOut:
		return view.One(view.Say("not proposed", e.Path, e.Reason, view.RoleDoubt).By(e.By)), true
	case *ChangeAccepted:
		return view.One(view.Say("user", "", "accepted as they are: "+strings.Join(e.Files, ", "), view.RoleUser)), true
	case *ProposalExamined:
		text := view.Counted(e.New, "objection")
		if e.New == 0 {
			text = "no objection"
		}
		return view.One(view.Line{
			Label: "examined", Lead: string(e.By), Text: view.Sentence(text, e.Reason), Role: view.RoleQuiet,
			Minor: e.New > 0 || e.Reason == "",
		}), true
	case *RoundResolved:
		return decisionLines(before, e), true
	}
	return nil, false
}

// decisionLines describes the changed outcomes of objections, the failing gates, and the decision.
func decisionLines(before *state.State, e *RoundResolved) []view.Line {
	earlier := map[string]*objectionOutcome{}
	if last := Of(before).Last(); last != nil {
		earlier = outcomesIn(&last.Result)
	}
	var lines []view.Line
	reason, now := "", outcomesIn(&e.Result)
	for i := range e.Receipts {
		r := &e.Receipts[i]
		o := now[r.Subject]
		switch {
		case r.Rule == "decision":
			reason = r.Reason
		case o != nil && (earlier[r.Subject] == nil || earlier[r.Subject].Words("you") != o.Words("you")):
			lead := r.Subject + " " + strings.ToLower(r.Outcome)
			if o.Granted {
				lead = r.Subject
			}
			lines = append(lines, view.Line{Label: "resolved", Lead: lead, Text: r.Reason, Role: objectionRole(o)})
		case o == nil && r.Outcome != "PASS":
			lines = append(lines, view.Say("gate", gates.Name(r.Rule)+" fails", r.Reason, view.RoleBad))
		}
	}
	lines = append(lines, view.Line{
		Label: "decision", Lead: fmt.Sprintf("%s after round %d", e.Decision, e.Round),
		Text: fmt.Sprintf("%s; receipt %.12s", reason, e.Head()), Role: decisionRole(e.Decision),
	})
	for _, warning := range e.Artifact.Validation.Warnings {
		lines = append(lines, view.Say("warning", "", warning, view.RoleWarn))
	}
	return lines
}

// objectionRole returns the role of an objection's outcome.
func objectionRole(o *objectionOutcome) view.Role {
	switch {
	case o.Outcome == "":
		return view.RoleOpen
	case o.Warns:
		return view.RoleWarn
	case o.Outcome == gates.Cleared:
		return view.RoleGood
	case o.Outcome == gates.Moot || !o.Holds:
		return view.RoleQuiet
	case o.Outcome == gates.Upheld:
		return view.RoleBad
	}
	return view.RoleDoubt
}

// decisionRole returns the role of a decision.
func decisionRole(decision gates.Decision) view.Role {
	switch decision {
	case gates.Advance:
		return view.RoleGood
	case gates.Escalate:
		return view.RoleWarn
	case gates.Hold:
	}
	return view.RoleOpen
}

// Places implements the view of a session's places: why fields changed, and files that are not proposed.
func (document) Places(s *state.State) []view.Place {
	var places []view.Place
	for _, p := range s.Points.All() {
		if f := FieldOf(p); f != nil {
			places = append(places, view.Place{
				ID: p.ID, Kind: "reason", Rank: view.RankArgument, Point: p.ID, Text: f.Reason,
			})
		}
	}
	for _, left := range Of(s).Change.LeftOut {
		places = append(places, view.Place{
			Kind: "not proposed", Rank: view.RankArgument, Text: view.Sentence(left.Path, left.Reason),
		})
	}
	return places
}
