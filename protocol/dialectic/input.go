package dialectic

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// Configured returns the configuration of the session's playbook over the defaults. A
// configuration that cannot be read counts as the defaults. The last round is at most
// that of a session.
func Configured(s *state.State) gates.Config {
	config := gates.DefaultConfig()
	if book := s.Settings.Playbook; book != nil && len(book.Config) > 0 {
		var own gates.Config
		if json.Unmarshal(book.Config, &own) == nil {
			config = own.Over(config)
		}
	}
	config.MaxRounds = min(max(config.MaxRounds, 1), state.MaxRounds)
	return config
}

// ResolveProposal says what stands of the proposal as it is now; asOf is the
// moment from which the age of evidence counts (G8).
func ResolveProposal(s *state.State, asOf time.Time) gates.Result {
	return new(recall).resolve(s, asOf)
}

// recall caches the results of earlier rounds, since a search resolves the same record
// many times.
type recall struct {
	// of is where the bytes begin that the results were read from, nil for none.
	of      *byte
	results []gates.Result
}

func (r *recall) resolve(s *state.State, asOf time.Time) gates.Result {
	in := r.proposalOf(s, asOf)
	return gates.Resolve(&in)
}

// proposalOf is a session as the resolver of proposals sees it.
func (r *recall) proposalOf(s *state.State, asOf time.Time) gates.Input {
	in := gates.Input{
		Directive: directive(s), Round: max(s.Round, 1), AsOf: asOf, Config: Configured(s),
		Artifact: gates.Artifact{
			Proposal:   gates.Proposal{ID: ProposalID, Fields: []gates.Field{}},
			Objections: []gates.Objection{},
		},
		Evidence: []gates.Evidence{}, Facts: []gates.Constraint{}, Requests: []gates.Request{},
		Rounds: r.earlierRounds(s),
	}
	for _, p := range s.Points.All() {
		if Proposed(p) {
			in.Artifact.Proposal.Fields = append(in.Artifact.Proposal.Fields, fieldOf(s, p))
			in.Artifact.Proposal.Round = max(in.Artifact.Proposal.Round, p.Field.Round)
		}
	}
	for _, c := range s.Challenges.All() {
		if p := s.Point(c.Point); c.Typed != nil && p != nil && p.Field != nil {
			o := objectionOf(c, p)
			// Neutral items do not count as evidence.
			o.Evidence = slices.DeleteFunc(o.Evidence, func(id string) bool {
				item := s.Item(id)
				return item != nil && item.Relation == ledger.Neutral
			})
			in.Artifact.Objections = append(in.Artifact.Objections, o)
		}
	}
	for _, item := range s.Evidence.All() {
		if p := s.Point(item.Point); p != nil && p.Field != nil && item.Relation != ledger.Neutral {
			in.Evidence = append(in.Evidence, itemOf(item, p.Field.Path))
		}
	}
	for _, f := range s.Facts.All() {
		if f.Live && f.Tag == ledger.TagUser && f.Predicate != nil {
			in.Facts = append(in.Facts, gates.Constraint{ID: f.ID, Predicate: *f.Predicate, Text: f.Text})
		}
	}
	for i, request := range s.Requests.All() {
		if c := s.Challenge(request.About); c != nil && c.Typed != nil {
			in.Requests = append(in.Requests, gates.Request{
				ID: "request " + strconv.Itoa(i+1), Objection: c.ID, Answered: requestAnswered(s, request, c),
			})
		}
	}
	return in
}

// directive joins the question, another reading that the user consented to, and the
// user's facts.
func directive(s *state.State) string {
	said := []string{s.Question, s.Reading}
	for _, f := range s.Facts.All() {
		if f.Live && f.Tag == ledger.TagUser {
			said = append(said, f.Text)
		}
	}
	return strings.Join(said, "\n")
}

// Proposed reports whether the point is a field of the current proposal: not
// withdrawn, and not dismissed by the user.
func Proposed(p *state.Point) bool {
	if p.Field == nil || p.Field.Withdrawn {
		return false
	}
	return p.UserRuling == nil || p.UserRuling.Bucket == state.BucketAgreed
}

// accepted reports whether the user agreed to the current field.
func accepted(p *state.Point) bool {
	return p.UserRuling != nil && p.UserRuling.Bucket == state.BucketAgreed
}

func fieldOf(s *state.State, p *state.Point) gates.Field {
	f := gates.Field{
		Path: p.Field.Path, Value: p.Field.Value, Category: p.Field.Category,
		Severity: gates.Severity(p.Field.Severity), Grounded: p.Field.Grounded, Evidence: []string{},
	}
	if d := p.Field.Derived; d != nil {
		f.Derived = &gates.Derivation{Op: gates.Operation(d.Op), Of: d.Of}
	}
	for _, id := range p.Field.Cites {
		if !slices.Contains(f.Evidence, id) {
			f.Evidence = append(f.Evidence, id)
		}
	}
	for _, id := range p.Evidence {
		item := s.Item(id)
		own := item.OfferedBy == string(state.Proposer) || item.OfferedBy == string(state.User)
		if own && item.Counts() && item.Relation == ledger.Supports && !slices.Contains(f.Evidence, id) {
			f.Evidence = append(f.Evidence, id)
		}
	}
	if accepted(p) {
		// The user accepts the field without its derivation.
		f.Derived = nil
		f.Evidence = slices.DeleteFunc(f.Evidence, func(id string) bool { return s.Item(id) == nil })
		if !slices.Contains(gates.Severities(), f.Severity) {
			f.Severity = gates.High
		}
	}
	return f
}

// RestsOn are the ids of evidence that the field of a proposal cites, as the
// gates read them: those that the proposer named, whether they exist or not, and
// what it or the user brought for the field and code verified.
func RestsOn(s *state.State, p *state.Point) []string { return fieldOf(s, p).Evidence }

func objectionOf(c *state.Challenge, p *state.Point) gates.Objection {
	o := gates.Objection{
		ID: c.ID, Target: p.Field.Path, Category: c.Typed.Category, Severity: gates.Severity(c.Typed.Severity),
		Predicate: c.Typed.Predicate, Evidence: append([]string{}, c.Typed.Evidence...), Round: c.Round,
		Ruling: gates.Ruling(c.Typed.Verdict), Conceded: c.Status == state.StandsConceded,
	}
	changed := c.Typed.RuledSeq < p.Field.Seq && o.Ruling == gates.RulingCleared
	if changed || c.Typed.RuledSeq < p.Reopened || !Proposed(p) {
		// A clearing applied to the earlier value, and an objection that was upheld against a
		// removed field no longer blocks anything (R6).
		o.Ruling = gates.RulingNone
	}
	if accepted(p) {
		o.Ruling = gates.RulingCleared
	}
	return o
}

func itemOf(item *ledger.Evidence, path string) gates.Evidence {
	e := gates.Evidence{
		ID: item.ID, SourceKind: item.SourceKind, Point: path, Relation: item.Relation, Confidence: item.Confidence,
		Reference: item.Reference, Quote: item.Excerpt, Worker: item.OfferedBy,
		Verified: item.Counts(), ObservedAt: item.ObservedAt,
	}
	if e.Verified {
		// What failed its check is nothing new.
		e.Round = item.Round
	}
	return e
}

// requestAnswered reports whether verified evidence came for the objection
// after it was asked for, or the user answered in its place: by a ruling on the
// objection, or on its field. Of a field that is gone nothing is owed.
func requestAnswered(s *state.State, r *state.Request, c *state.Challenge) bool {
	p := s.Point(c.Point)
	if r.Answered || p == nil || !Proposed(p) || objectionOf(c, p).Ruling != gates.RulingNone {
		return true
	}
	return slices.ContainsFunc(c.Typed.Evidence, func(id string) bool {
		item := s.Item(id)
		return item != nil && item.Counts() && item.Seq > r.Seq
	})
}

// earlierRounds is the last result of the rounds before this one: the rules look
// no further back.
func (r *recall) earlierRounds(s *state.State) []gates.Result {
	for i := len(s.Dialectic.Resolved) - 1; i >= 0; i-- {
		recorded := &s.Dialectic.Resolved[i]
		if recorded.Round >= s.Round || len(recorded.Result) == 0 {
			continue
		}
		if r.of == &recorded.Result[0] {
			return r.results
		}
		var result gates.Result
		if json.Unmarshal(recorded.Result, &result) == nil {
			r.of, r.results = &recorded.Result[0], []gates.Result{result}
			return r.results
		}
	}
	return nil
}

// Recorded is a result in the form that the session keeps.
func Recorded(s *state.State, asOf time.Time) (state.Resolution, gates.Result, error) {
	return new(recall).recorded(s, asOf)
}

func (r *recall) recorded(s *state.State, asOf time.Time) (state.Resolution, gates.Result, error) {
	result := r.resolve(s, asOf)
	result.Artifact.Proposal.Fields = readable(result.Artifact.Proposal.Fields)
	encoded, err := json.Marshal(&result)
	if err != nil {
		return state.Resolution{}, result, err
	}
	recorded := state.Resolution{Round: s.Round, AsOf: asOf, Decision: string(result.Decision), Result: encoded}
	if n := len(result.Receipts); n > 0 {
		recorded.Head = result.Receipts[n-1].Hash
	}
	return recorded, result, nil
}

// readable are the fields without the words that are outside of their lists: a
// result is read again, and the receipt of G1 says what they were.
func readable(fields []gates.Field) []gates.Field {
	fields = slices.Clone(fields)
	for i := range fields {
		if !slices.Contains(gates.Severities(), fields[i].Severity) {
			fields[i].Severity = ""
		}
		if d := fields[i].Derived; d != nil && !slices.Contains(gates.Operations(), d.Op) {
			fields[i].Derived = nil
		}
	}
	return fields
}

// Outcome is the last recorded resolution of the proposal of a session.
type Outcome struct {
	gates.Result
	// Round is the one that was resolved, Rounds the last that there can be.
	Round, Rounds int
	// Head is the hash of the last receipt.
	Head string
	// Changed is set if an event after the last resolution affects the proposal. Holds,
	// Warnings and Changes describe the proposal as it is now.
	Changed bool
}

// OutcomeOf returns the last resolution of a session's proposal, or nil if no round
// was resolved. The error reports a resolution that cannot be read.
func OutcomeOf(s *state.State) (*Outcome, error) {
	last := s.Dialectic.Last()
	if last == nil {
		return nil, nil //nolint:nilnil // nothing was resolved, and nothing is wrong
	}
	o := &Outcome{Round: last.Round, Rounds: Configured(s).MaxRounds, Head: last.Head, Changed: changedSince(s, last)}
	if err := json.Unmarshal(last.Result, &o.Result); err != nil {
		return nil, fmt.Errorf("read the resolution of round %d: %w", last.Round, err)
	}
	return o, nil
}

// changedSince reports whether something bears on the proposal that its last
// resolution does not know of. The end of a session touches all that rulings
// rest on, so there it is computed whether anything differs.
func changedSince(s *state.State, last *state.Resolution) bool {
	if last.Seq >= ProposalChanged(s) || !s.Over() {
		return last.Seq < ProposalChanged(s)
	}
	now, _, err := Recorded(s, last.AsOf)
	return err != nil || now.Head != last.Head
}

// ProposalChanged is the sequence number of the last event that affects the proposal,
// or 0.
func ProposalChanged(s *state.State) int {
	seq := s.Constraints
	for _, p := range s.Points.All() {
		seq = max(seq, p.Seq)
	}
	return seq
}

// Resolution returns the resolution of an objection, or nil if it was raised later.
func (o *Outcome) Resolution(objection string) *gates.Resolution {
	return resolutionOf(&o.Result, objection)
}

func resolutionOf(result *gates.Result, objection string) *gates.Resolution {
	for i := range result.Artifact.Resolutions {
		if r := &result.Artifact.Resolutions[i]; r.Objection == objection {
			return r
		}
	}
	return nil
}

// Warned reports whether an objection only warns.
func (o *Outcome) Warned(objection string) bool { return warned(&o.Result)[objection] }

// Holds reports whether an objection keeps the proposal from advancing.
func (o *Outcome) Holds(objection string) bool {
	return slices.ContainsFunc(Blocking(&o.Result),
		func(r gates.Resolution) bool { return r.Objection == objection })
}

// warned are the objections that only warn: a warning begins with the id.
func warned(result *gates.Result) map[string]bool {
	warns := make(map[string]bool, len(result.Artifact.Validation.Warnings))
	for _, warning := range result.Artifact.Validation.Warnings {
		id, _, _ := strings.Cut(warning, " ")
		warns[id] = true
	}
	return warns
}
