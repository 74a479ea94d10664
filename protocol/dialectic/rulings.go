package dialectic

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/resolver"
	"moot/state"
)

// proposalID names the proposal of a session in its resolutions.
const proposalID = "proposal"

// decisionRule is the rule of rulings on fields that no round has resolved.
const decisionRule = "decision"

// rules rules on the fields of a proposal, which advance or are held together.
type rules struct{ resolver.Base }

func (rules) Rule(s *state.State) []state.Ruling {
	d := &review{s: s}
	return resolver.RuleEach(s, func(_ *state.State, p *state.Point) state.Ruling { return d.ruling(p) })
}

func (rules) RuleOne(s *state.State, p *state.Point) state.Ruling { return (&review{s: s}).ruling(p) }

func (rules) LastRound(s *state.State) int { return Configured(s).MaxRounds }

// Evaluators implements resolver.Format. A proposal has none: the pressure-tester raises
// objections instead.
func (rules) Evaluators(s *state.State, p *state.Point) []state.Seat {
	return resolver.Claims{}.Evaluators(s, p)
}

// Inconclusive implements resolver.Format. A dialectic concludes by its decision alone.
func (rules) Inconclusive(*state.State, []state.Ruling) bool { return false }

// GaveUp implements resolver.Format: the proposer gave the field another value, withdrew it, or
// conceded an objection to it after the item came.
func (rules) GaveUp(s *state.State, p *state.Point, item *ledger.Evidence, _ state.Seat) bool {
	f := FieldOf(p)
	if f != nil && f.Seq > item.Seq && !(f.Withdrawn && f.WithdrawnBy == state.User) {
		return true
	}
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := s.Challenge(id)
		return c.Status == state.StandsConceded && c.Seq > item.Seq
	})
}

// Measure implements resolver.Format. A field keeps its point when its value changes, and each
// change counts.
func (rules) Measure(m *resolver.Measurement, metrics *state.Metrics) {
	metrics.Modification = m.Modification(func(p *state.Point) int {
		if f := FieldOf(p); f != nil {
			return len(f.Earlier)
		}
		return 0
	})
}

// decision returns the last recorded decision, or "".
func decision(s *state.State) gates.Decision {
	if last := Of(s).Last(); last != nil {
		return last.Decision
	}
	return ""
}

// review is the proposal of a state with its current resolution, computed on first use.
type review struct {
	s      *state.State
	result *gates.Result
	// blocking has, by point, the resolutions that block a field, the gravest first.
	blocking map[string][]gates.Resolution
}

// resolved returns the current resolution. The age of evidence counts from the last recorded
// resolution, so that the same state always gives the same result.
func (d *review) resolved() *gates.Result {
	if d.result != nil {
		return d.result
	}
	result := ResolveProposal(d.s, lastResolved(d.s))
	d.result, d.blocking = &result, map[string][]gates.Resolution{}
	for _, r := range Blocking(&result) {
		point := d.s.Challenge(r.Objection).Point
		d.blocking[point] = append(d.blocking[point], r)
	}
	for _, list := range d.blocking {
		place := func(r gates.Resolution) int { return ObjectionOf(d.s.Challenge(r.Objection)).Severity.Gravity() }
		slices.SortStableFunc(list, func(a, b gates.Resolution) int { return place(a) - place(b) })
	}
	return d.result
}

// lastResolved is the time from which the age of evidence counts.
func lastResolved(s *state.State) time.Time {
	if last := Of(s).Last(); last != nil {
		return last.AsOf
	}
	return s.At
}

func (d *review) ruling(p *state.Point) state.Ruling {
	r := d.rule(p)
	r.Point, r.Reads = p.ID, resolver.NoNil(r.Reads)
	return r
}

// rule rules on a point: first what the user or the proposer decided, then, if a round
// resolved the field, what its objections and gates say.
func (d *review) rule(p *state.Point) state.Ruling {
	f := FieldOf(p)
	last := Of(d.s).Last()
	switch {
	case p.UserRuling != nil:
		reason := "the user ruled so"
		if why := strings.Join(strings.Fields(p.UserRuling.Reason), " "); why != "" {
			reason += ": " + why
		}
		r := ruled(p.UserRuling.Bucket, state.TagUser, "R0", reason, resolver.Event(p.UserRuling.Seq))
		if r.Bucket == state.BucketUnresolved {
			r.Tag, r.Status, r.Crux = state.TagNone, state.StatusOpen, "a ruling of the user"
		}
		return r
	case f == nil:
		return d.waiting("it is not a field of the proposal")
	case f.Withdrawn && f.WithdrawnBy == state.User:
		return ruled(state.BucketDismissed, state.TagUser, "R0", "the user withdrew it", resolver.Event(f.Seq))
	case f.Withdrawn:
		why, objections := withdrawnWords(d.s, p)
		if reason := strings.Join(strings.Fields(f.Reason), " "); reason != "" {
			why += ": " + reason
		}
		return ruled(state.BucketDismissed, state.TagConceded, "R6", why, append(objections, resolver.Event(f.Seq))...)
	case last == nil || !d.s.Over() && last.Seq < max(p.Seq, d.s.Constraints):
		return d.waiting("it was not resolved since it changed")
	}
	return d.settled(p)
}

// withdrawnWords says why the proposer withdrew a field, and names the objections: those that it granted, or those
// that were open.
func withdrawnWords(s *state.State, p *state.Point) (words string, objections []string) {
	var granted, open []string
	for _, id := range p.Challenges {
		c := s.Challenge(id)
		o := ObjectionOf(c)
		if o == nil {
			continue
		}
		cleared := false
		if last := Of(s).Last(); last != nil {
			r := resolutionOf(&last.Result, id)
			cleared = r != nil && r.Outcome == gates.Cleared
		}
		switch {
		case c.Status == state.StandsConceded:
			granted = append(granted, id)
		case c.Status != state.StandsEnded && o.Verdict != gates.RulingCleared && !cleared:
			open = append(open, id)
		}
	}
	switch {
	case len(granted) > 0:
		return "granted, and withdrawn after " + strings.Join(granted, ", "), granted
	case len(open) > 0:
		return "withdrawn after " + strings.Join(open, ", "), open
	}
	return "withdrawn", nil
}

// waiting is the ruling on a field that no round has resolved.
func (d *review) waiting(why string) state.Ruling {
	if !d.s.Over() {
		return ruled(state.BucketOpen, state.TagNone, decisionRule, why)
	}
	r := ruled(state.BucketUnresolved, state.TagNone, decisionRule, "the session ended, and "+why)
	r.Status, r.Crux = state.StatusOpen, "a round that resolves it"
	return r
}

func ruled(bucket state.Bucket, tag state.Tag, rule, reason string, reads ...string) state.Ruling {
	return state.Ruling{Bucket: bucket, Tag: tag, Reason: reason, Receipt: state.Receipt{Rule: rule, Reads: reads}}
}

// settled rules on a resolved field: upheld objections dismiss it, failing gates block it,
// and so do unresolved objections.
func (d *review) settled(p *state.Point) state.Ruling {
	result := d.resolved()
	blocking := d.blocking[p.ID]
	for i := range blocking {
		r := &blocking[i]
		if r.Outcome != gates.Upheld {
			continue
		}
		severity := ObjectionOf(d.s.Challenge(r.Objection)).Severity
		reason := fmt.Sprintf("%s upholds %s (%s)", r.Decider, r.Objection, severity)
		switch r.Rule {
		case "R0":
			reason = fmt.Sprintf("the user upholds %s (%s)", r.Objection, severity)
		case "R6":
			reason = fmt.Sprintf("%s (%s) was conceded, and the field is still proposed", r.Objection, severity)
		}
		return ruled(state.BucketDismissed, state.TagRejected, r.Rule, reason, readsOf(r)...)
	}
	var cited []string
	var items []*ledger.Evidence
	for _, id := range restsOn(d.s, p) {
		if item := d.s.Item(id); item != nil && item.Proven() {
			cited, items = append(cited, id), append(items, item)
		}
	}
	if failures := failuresOf(result, FieldOf(p).Path); len(failures) > 0 {
		gate := failures[0]
		r := ruled(state.BucketUnresolved, state.TagNone, gate.Gate, strings.Join(gate.Reasons, "; "), cited...)
		r.Status, r.Crux = state.StatusBlocked, cmp.Or(d.contested(p.Evidence), "what makes "+gate.Gate+" pass")
		return r
	}
	if len(blocking) > 0 {
		r := &blocking[0]
		c := d.s.Challenge(r.Objection)
		reason := fmt.Sprintf("%s (%s) is unresolved", c.ID, ObjectionOf(c).Severity)
		if why := outcomesIn(result)[c.ID].Reason; why != "" {
			reason += ": " + why
		}
		if r.Rule == "R4" {
			reason = fmt.Sprintf("%s and %s are of one kind and stand on both sides of %s (%s)", r.BestFor,
				r.BestAgainst,
				c.ID, ObjectionOf(c).Severity)
		}
		ruling := ruled(state.BucketUnresolved, state.TagNone, r.Rule, reason, readsOf(r)...)
		ruling.Status, ruling.Crux = state.StatusBlocked,
			cmp.Or(d.contested(ObjectionOf(c).Evidence), d.silent(c), "evidence on: "+ObjectionOf(c).Predicate)
		return ruling
	}
	for _, id := range p.Challenges {
		if reason := outstanding(result, id); reason != "" {
			r := ruled(state.BucketUnresolved, state.TagNone, "G7", reason, id)
			r.Status, r.Crux = state.StatusBlocked, "what was asked for on "+id
			return r
		}
	}
	tag := resolver.EvidenceTag(resolver.Best(items))
	for _, r := range result.Artifact.Resolutions {
		if d.s.Challenge(r.Objection).Point != p.ID || r.Outcome != gates.Cleared {
			continue
		}
		reason := fmt.Sprintf("%s clears %s, and every gate passes for it", r.Decider, r.Objection)
		if r.Rule == "R0" {
			reason = fmt.Sprintf("the user cleared %s, and every gate passes for it", r.Objection)
		}
		return ruled(state.BucketAgreed, tag, r.Rule, reason, readsOf(&r)...)
	}
	if FieldOf(p).Grounded && len(cited) > 0 {
		reason := "no objection holds it, and it rests on " + strings.Join(cited, ", ")
		return ruled(state.BucketAgreed, tag, "G4", reason, cited...)
	}
	return ruled(state.BucketAgreed, tag, "G5", "no objection holds it, and every gate passes for it")
}

// readsOf returns the ids that a resolution read.
func readsOf(r *gates.Resolution) []string {
	reads := []string{r.Objection}
	for _, id := range []string{r.Decider, r.BestFor, r.BestAgainst} {
		if id != "" && id != "user" && !slices.Contains(reads, id) {
			reads = append(reads, id)
		}
	}
	return reads
}

// Blocking returns the resolutions that keep a proposal from advancing: objections above LOW
// that are upheld or unresolved, without those that only warn.
func Blocking(result *gates.Result) []gates.Resolution {
	warns := warned(result)
	var blocking []gates.Resolution
	for i := range result.Artifact.Objections {
		o, r := &result.Artifact.Objections[i], &result.Artifact.Resolutions[i]
		if o.Severity != gates.Low && !warns[o.ID] && r.Outcome.Holds() {
			blocking = append(blocking, *r)
		}
	}
	return blocking
}

// warned returns the objections that only warn: each warning begins with the id of one.
func warned(result *gates.Result) map[string]bool {
	warns := map[string]bool{}
	for _, warning := range result.Artifact.Validation.Warnings {
		id, _, _ := strings.Cut(warning, " ")
		warns[id] = true
	}
	return warns
}

// failuresOf returns the gates that fail for a field, each with the reasons that are about
// the field. G5 and G7 are about objections and left out.
func failuresOf(result *gates.Result, path string) []gates.GateResult {
	place := "artifact.proposal.fields[-1]."
	for i := range result.Artifact.Proposal.Fields {
		if result.Artifact.Proposal.Fields[i].Path == path {
			place = fmt.Sprintf("artifact.proposal.fields[%d].", i)
		}
	}
	var failures []gates.GateResult
	for _, g := range result.Artifact.Validation.Gates {
		if g.Pass || g.Gate == "G5" || g.Gate == "G7" || g.Gate == "G9" {
			continue
		}
		failure := gates.GateResult{Gate: g.Gate}
		for _, reason := range g.Reasons {
			// A reason begins with the path of its field. Paths after that are of fields it is derived from.
			if strings.HasPrefix(reason, place) || strings.HasPrefix(reason, path+" ") ||
				strings.HasPrefix(reason, path+": ") {
				failure.Reasons = append(failure.Reasons, strings.Replace(reason, place, path+": ", 1))
			}
		}
		if len(failure.Reasons) > 0 {
			failures = append(failures, failure)
		}
	}
	return failures
}

// outstanding returns what G7 still requires for an objection, or "".
func outstanding(result *gates.Result, objection string) string {
	for _, g := range result.Artifact.Validation.Gates {
		for _, reason := range g.Reasons {
			if g.Gate == "G7" && !g.Pass && strings.Contains(reason, " about "+objection+" ") {
				return reason
			}
		}
	}
	return ""
}

// Configured returns the configuration of the session's playbook over the defaults.
func Configured(s *state.State) gates.Config {
	config := SettingsOf(s).Playbook.Config.Over(gates.DefaultConfig())
	config.MaxRounds = min(max(config.MaxRounds, 1), state.MaxRounds)
	return config
}

// Proposed reports whether the point is a field of the current proposal: not withdrawn, and
// not dismissed or set aside by the user.
func Proposed(p *state.Point) bool {
	if FieldOf(p) == nil || FieldOf(p).Withdrawn {
		return false
	}
	return p.UserRuling == nil || p.UserRuling.Bucket == state.BucketAgreed
}

// proposedFields returns the fields of the current proposal.
func proposedFields(s *state.State) []*state.Point {
	return s.Points.Filter(Proposed)
}

// AnyProposed reports whether the proposal has a field.
func AnyProposed(s *state.State) bool { return len(proposedFields(s)) > 0 }

// limits are the predicates of a binding fact of the user that the gates can compare. The value of a field has no unit.
func limits(f *ledger.Fact) []ledger.Predicate {
	if !f.Binds() {
		return nil
	}
	return lists.Filter(f.Predicates, func(p ledger.Predicate) bool { return p.Unit == "" })
}

// binds reports whether a fact of the user limits the value of a field.
func binds(f *ledger.Fact, p *state.Point) bool {
	return slices.ContainsFunc(limits(f), func(limit ledger.Predicate) bool { return limit.Path == FieldOf(p).Path })
}

// resolvedNow reports whether this round was resolved and the proposal has not changed since.
func resolvedNow(s *state.State) bool {
	last := Of(s).Last()
	return last != nil && last.Round == s.Round && last.Seq > proposalChanged(s)
}

// proposalChanged returns the sequence number of the last event that affects the proposal,
// or 0.
func proposalChanged(s *state.State) int {
	seq := max(s.Constraints, Of(s).Change.Seq)
	for _, p := range s.Points.All() {
		seq = max(seq, p.Seq)
	}
	return seq
}

// ResolveProposal resolves the current proposal. The age of evidence counts from asOf (G8).
func ResolveProposal(s *state.State, asOf time.Time) gates.Result {
	in := input(s, asOf)
	return gates.Resolve(&in)
}

// Recorded resolves the current proposal and returns what the session records of it.
func Recorded(s *state.State, asOf time.Time) Resolution {
	result := ResolveProposal(s, asOf)
	fields := slices.Clone(result.Artifact.Proposal.Fields)
	for i := range fields {
		// Unknown words cannot be decoded again. The receipt of G1 names them.
		if !slices.Contains(gates.Severities(), fields[i].Severity) {
			fields[i].Severity = ""
		}
		if d := fields[i].Derived; d != nil && !slices.Contains(gates.Operations(), d.Op) {
			fields[i].Derived = nil
		}
	}
	result.Artifact.Proposal.Fields = fields
	return Resolution{Round: s.Round, AsOf: asOf, Result: result}
}

// input is a session as the resolver of proposals reads it.
func input(s *state.State, asOf time.Time) gates.Input {
	in := gates.Input{
		Round: max(s.Round, 1), AsOf: asOf, Config: Configured(s), Rounds: earlierRounds(s),
		Artifact: gates.Artifact{
			Proposal:   gates.Proposal{ID: proposalID, Fields: []gates.Field{}},
			Objections: []gates.Objection{},
		},
		Evidence: []gates.Evidence{}, Facts: []gates.Constraint{}, Requests: []gates.Request{}, Session: true,
	}
	directive := []string{s.Question, s.Reading}
	for _, f := range s.Facts.All() {
		if !f.Live || f.Tag != ledger.TagUser {
			continue
		}
		directive = append(directive, f.Text)
		for _, limit := range limits(f) {
			in.Facts = append(in.Facts, gates.Constraint{
				ID: f.ID, Path: limit.Path, Op: limit.Op, Value: limit.Value, Text: f.Text,
			})
		}
	}
	in.Directive = strings.Join(directive, "\n")
	in.Changed = changedFiles(s)
	for _, p := range proposedFields(s) {
		in.Artifact.Proposal.Fields = append(in.Artifact.Proposal.Fields, gateField(s, p))
		in.Artifact.Proposal.Round = max(in.Artifact.Proposal.Round, FieldOf(p).Round)
	}
	for _, c := range s.Challenges.All() {
		p := s.Point(c.Point)
		if ObjectionOf(c) == nil || FieldOf(p) == nil {
			continue
		}
		o := gateObjection(c, p)
		o.ClearedBy, o.Unaccepted = clearedBy(s, ObjectionOf(c)), unaccepted(s, c)
		o.Unheard = slices.ContainsFunc(p.Evidence, func(id string) bool {
			item := s.Item(id)
			return slices.Contains(o.Evidence, id) && item.Proven() && !superseded(s, item) &&
				(slices.Contains(s.Unheard, id) || item.Relation == ledger.Refutes && item.Contested() != nil)
		})
		o.Evidence = slices.DeleteFunc(o.Evidence, func(id string) bool {
			item := s.Item(id)
			return item != nil && (item.Relation == ledger.Neutral || superseded(s, item))
		})
		in.Artifact.Objections = append(in.Artifact.Objections, o)
	}
	for _, item := range s.Evidence.All() {
		p := s.Point(item.Point)
		if FieldOf(p) == nil || item.Relation == ledger.Neutral && !item.Asked {
			continue
		}
		relation := item.Relation
		if relation == ledger.Neutral {
			// No check has run, so no objection lists it.
			relation = ledger.Supports
		}
		waiting := !hadTurn(s, item)
		e := gates.Evidence{
			ID: item.ID, SourceKind: item.SourceKind, Point: FieldOf(p).Path, Relation: relation,
			Confidence: item.Confidence, Reference: item.Reference, Quote: item.Excerpt, Worker: item.OfferedBy,
			Verified: item.Proven(), ObservedAt: item.ObservedAt, Contested: item.Contested() != nil || waiting,
			Waiting: waiting,
		}
		if e.Verified {
			// Evidence that failed its check does not count as new in a round.
			e.Round = item.Round
		}
		in.Evidence = append(in.Evidence, e)
	}
	for i, request := range s.Requests.All() {
		if c := s.Challenge(request.About); ObjectionOf(c) != nil {
			in.Requests = append(in.Requests, gates.Request{
				ID: requestID(i), Objection: c.ID, Answered: requestAnswered(s, request, c),
			})
		}
	}
	return in
}

// contested returns the open question about a contested item, or "".
func (d *review) contested(ids []string) string {
	for _, id := range ids {
		if item := d.s.Item(id); item != nil && item.Proven() && item.Contested() != nil {
			k := item.Contested()
			return fmt.Sprintf("whether %s bears on it (%s: %s)", item.ID, k.Seat, resolver.Clip(k.Reason))
		}
	}
	return ""
}

// silent returns the open question about an item that the pressure-tester neither accepted nor contested, or "".
func (d *review) silent(c *state.Challenge) string {
	if ids := unaccepted(d.s, c); len(ids) > 0 {
		return "whether " + strings.Join(ids, ", ") + " shows that " + ObjectionOf(c).Predicate
	}
	return ""
}

// hadTurn reports whether the other side has had a turn to contest an item: the pressure-tester for
// evidence for the proposal, the proposer for evidence against it.
func hadTurn(s *state.State, item *ledger.Evidence) bool {
	switch {
	case !item.Proven() || item.OfferedBy == string(state.User):
		return true
	case item.Relation == ledger.Refutes:
		return item.Heard
	case item.OfferedBy == string(PressureTester) && !item.Asked:
		return true
	}
	last := s.LastTurn(PressureTester)
	if item.Seq > last {
		return false
	}
	for _, c := range s.Challenges.All() {
		// An item that was cited again for an objection must be shown again.
		if o := ObjectionOf(c); o != nil && o.suppliedAt(item.ID) > last {
			return false
		}
	}
	return true
}

// earlierRounds returns the result of the previous round. The rules read no earlier ones.
func earlierRounds(s *state.State) []gates.Result {
	earlier := lists.Last(Of(s).Resolved, func(r *Resolution) bool { return r.Round < s.Round })
	if earlier == nil {
		return nil
	}
	return []gates.Result{earlier.Result}
}

func gateField(s *state.State, p *state.Point) gates.Field {
	field := FieldOf(p)
	f := gates.Field{
		Path: field.Path, Value: field.Value, Category: field.Category,
		Severity: gates.Severity(field.Severity), Grounded: field.Grounded, Evidence: restsOn(s, p),
	}
	if d := field.Derived; d != nil {
		f.Derived = &gates.Derivation{Op: gates.Operation(d.Op), Of: d.Of}
	}
	if p.UserRuling != nil {
		// The user agreed with the field, without its derivation: only such fields are proposed.
		f.Derived = nil
		f.Evidence = slices.DeleteFunc(f.Evidence, func(id string) bool { return s.Item(id) == nil })
		if !slices.Contains(gates.Severities(), f.Severity) {
			f.Severity = gates.High
		}
	}
	return f
}

// restsOn returns the ids of the evidence that a field cites, as the gates read them: those
// that the proposer named, whether they exist or not, and the verified evidence that the
// proposer or the user brought for the field.
func restsOn(s *state.State, p *state.Point) []string {
	ids := []string{}
	for _, id := range FieldOf(p).Cites {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, id := range p.Evidence {
		item := s.Item(id)
		own := item.OfferedBy == string(Proposer) || item.OfferedBy == string(state.User)
		if own && item.Proven() && item.Relation == ledger.Supports && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func gateObjection(c *state.Challenge, p *state.Point) gates.Objection {
	field := FieldOf(p)
	own := ObjectionOf(c)
	o := gates.Objection{
		ID: c.ID, Target: field.Path, Category: own.Category, Severity: own.Severity,
		Predicate: own.Predicate, Evidence: append([]string{}, own.Evidence...), Round: c.Round,
		Ruling: own.Verdict, Conceded: c.Status == state.StandsConceded, Withdrawn: c.Status == state.StandsEnded,
	}
	changed := own.RuledSeq < field.Seq && o.Ruling == gates.RulingCleared
	if changed || own.RuledSeq < p.Reopened || !Proposed(p) {
		// A clearing applied to the earlier value, and an objection that was upheld against a
		// removed field no longer blocks anything (R6).
		o.Ruling = gates.RulingNone
	}
	if p.UserRuling != nil && p.UserRuling.Bucket == state.BucketAgreed {
		o.Ruling = gates.RulingCleared
	}
	return o
}

// clearedBy returns the source kinds that its red flag limits the clearing of an objection to, or nil.
func clearedBy(s *state.State, o *Objection) []ledger.SourceKind {
	if flag := SettingsOf(s).Playbook.Flag(o.Flag); flag != nil {
		return flag.ClearedBy
	}
	return nil
}

// changed reports whether an event after the resolution affects the proposal.
func (r *Resolution) changed(s *state.State) bool {
	if r.Seq >= proposalChanged(s) {
		return false
	}
	if !s.Over() {
		return true
	}
	// The end of a session touches everything that rulings rest on: look whether it made a difference.
	now := Recorded(s, r.AsOf)
	return now.Head() != r.Head()
}

// resolutionOf returns the resolution of an objection, or nil if it was raised later.
func resolutionOf(result *gates.Result, objection string) *gates.Resolution {
	list := result.Artifact.Resolutions
	if i := slices.IndexFunc(list, func(r gates.Resolution) bool { return r.Objection == objection }); i >= 0 {
		return &list[i]
	}
	return nil
}

// outcomes holds the outcomes of the objections to a session's proposal: those of the last
// resolution, and the user's rulings since.
type outcomes struct {
	s *state.State
	// at is the sequence number of the last resolution, or 0.
	at   int
	byID map[string]*objectionOutcome
}

// objectionOutcome is the outcome of one objection.
type objectionOutcome struct {
	ID string
	// Outcome is "" if no round has resolved the objection yet.
	Outcome gates.Outcome
	// Rule is R0 to R6, or "". Decider is the item that decided, or "".
	Rule, Decider string
	Reason        string
	// Granted is set if the proposer conceded it and withdrew the field, Withdrawn if the pressure-tester took it back,
	// and Uncontested if it was cleared by what nobody accepted.
	Granted, Withdrawn, Uncontested bool
	// Holds is set if the objection keeps the proposal from advancing, Warns if it only
	// warns. An objection that does neither and is not cleared is LOW.
	Holds, Warns bool
	// ByUser is set if the user decided it.
	ByUser bool
}

// newOutcomes reads the outcomes of all objections once.
func newOutcomes(s *state.State) *outcomes {
	last := Of(s).Last()
	if last == nil {
		return &outcomes{s: s}
	}
	return &outcomes{s: s, at: last.Seq, byID: outcomesIn(&last.Result)}
}

// outcomesIn returns the outcome of each objection of a result, by its id.
func outcomesIn(result *gates.Result) map[string]*objectionOutcome {
	byID, warns := map[string]*objectionOutcome{}, warned(result)
	for i := range result.Artifact.Resolutions {
		r := &result.Artifact.Resolutions[i]
		byID[r.Objection] = &objectionOutcome{
			ID: r.Objection, Outcome: r.Outcome, Rule: r.Rule, Decider: r.Decider, ByUser: r.Rule == "R0", Warns: warns[r.Objection],
		}
	}
	for i := range result.Artifact.Objections {
		o := &result.Artifact.Objections[i]
		byID[o.ID].Granted = o.Conceded && byID[o.ID].Outcome == gates.Moot
	}
	for _, r := range Blocking(result) {
		byID[r.Objection].Holds = true
	}
	for i := range result.Receipts {
		r := &result.Receipts[i]
		if c := byID[r.Subject]; c != nil {
			c.Reason = r.Reason
		}
	}
	return byID
}

// Of returns the outcome of an objection. Rulings and withdrawals after the last resolution
// count at once.
func (o *outcomes) Of(c *state.Challenge) objectionOutcome {
	p := o.s.Point(c.Point)
	f, own := FieldOf(p), ObjectionOf(c)
	if f == nil || own == nil {
		return objectionOutcome{}
	}
	found := o.of(c)
	found.ID = c.ID
	found.Granted = c.Status == state.StandsConceded && f.Withdrawn && f.WithdrawnBy != state.User
	found.Withdrawn = found.Outcome == gates.Moot && c.Status == state.StandsEnded
	if item := o.s.Item(found.Decider); item != nil && found.Outcome == gates.Cleared {
		found.Uncontested = !mayClear(o.s, c, item)
	}
	return found
}

// of is Of without what the record of the objection adds.
func (o *outcomes) of(c *state.Challenge) objectionOutcome {
	p := o.s.Point(c.Point)
	f, own := FieldOf(p), ObjectionOf(c)
	ruling := gateObjection(c, p).Ruling
	switch {
	case ruling == gates.RulingCleared:
		return objectionOutcome{Outcome: gates.Cleared, Rule: "R0", ByUser: true, Reason: "the user cleared it"}
	case ruling == gates.RulingUpheld && own.RuledSeq > o.at:
		holds := own.Severity != gates.Low
		return objectionOutcome{
			Outcome: gates.Upheld, Rule: "R0", ByUser: true, Holds: holds,
			Reason: "the user upheld it",
		}
	case !Proposed(p) && max(f.Seq, p.Seq) > o.at:
		return objectionOutcome{
			Outcome: gates.Moot, Rule: "R6",
			Reason: f.Path + " is not a field of the proposal",
		}
	case c.Status == state.StandsEnded:
		return objectionOutcome{Outcome: gates.Moot, Rule: "R6", Reason: "the pressure-tester withdrew it"}
	case own.RuledSeq > o.at || p.Reopened > o.at:
		// The user's ruling was taken back.
		return objectionOutcome{}
	}
	found := o.byID[c.ID]
	if found == nil || found.Outcome == gates.Moot && Proposed(p) {
		return objectionOutcome{}
	}
	return *found
}

// Settled reports whether the objection no longer keeps the proposal from advancing.
func (o *objectionOutcome) Settled() bool { return o.Outcome != "" && !o.Holds }

// Words describes the outcome with the item that decided and the rule: "cleared by E2, R1",
// "unresolved, R5", "only warns, R5", "not resolved yet". User is "you" or "the user".
func (o *objectionOutcome) Words(user string) string {
	words := strings.ToLower(string(o.Outcome))
	switch {
	case o.Outcome == "":
		return "not resolved yet"
	case o.Granted:
		return "granted, and withdrawn after " + o.ID
	case o.Withdrawn:
		return "withdrawn by the pressure-tester"
	case o.Warns:
		words = "only warns"
	case o.Outcome.Holds() && !o.Holds:
		words += ", holds nothing"
	case o.ByUser:
		words += " by " + user
	case o.Uncontested:
		words += " by " + o.Decider + ", uncontested"
	case o.Decider != "":
		words += " by " + o.Decider
	case o.Outcome == gates.Upheld:
		words += " as conceded"
	}
	return words
}
