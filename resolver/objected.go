package resolver

import (
	"strings"

	"moot/resolver/dialectic"
	"moot/state"
)

// Objected tells where the objections to a session's proposal stand: as the last
// resolution says, and as the user ruled since.
type Objected struct {
	s *state.State
	// at is the place of the last resolution, 0 where there is none.
	at   int
	came map[string]*Objection
}

// Objection is where one objection stands.
type Objection struct {
	// Outcome is "" where no round has resolved it yet.
	Outcome dialectic.Outcome
	// Rule is R0 to R6, "" where nothing was resolved. Decider is the item that
	// decided, or "".
	Rule, Decider string
	// Reason says in a sentence why it came out so, Threshold the least
	// confidence, 0 to 1, that was asked for.
	Reason    string
	Threshold float64
	// Holds says that it keeps the proposal from advancing, Warns that it stands
	// against it and only warns; what does neither and is not cleared is LOW.
	Holds, Warns bool
	// ByUser says that the user decided it.
	ByUser bool
	// Seq is the number of its receipt, Hash that receipt's; 0 and "" for none.
	Seq  int
	Hash string
}

// NewObjected reads an outcome of the session once for all objections; it is nil
// where no round was resolved.
func NewObjected(s *state.State, o *Outcome) *Objected {
	last := s.Dialectic.Last()
	if o == nil || last == nil {
		return &Objected{s: s}
	}
	return &Objected{s: s, at: last.Seq, came: CameOut(&o.Result)}
}

// CameOut says of each objection of a result how it came out, by its id.
func CameOut(result *dialectic.Result) map[string]*Objection {
	came := make(map[string]*Objection, len(result.Artifact.Resolutions))
	for i := range result.Artifact.Resolutions {
		r := &result.Artifact.Resolutions[i]
		came[r.Objection] = &Objection{
			Outcome: r.Outcome, Rule: r.Rule, Decider: r.Decider, Threshold: r.Threshold, ByUser: r.Rule == "R0",
		}
	}
	for _, r := range Standing(result) {
		came[r.Objection].Holds = true
	}
	for id := range warned(result) {
		if c := came[id]; c != nil {
			c.Warns = true
		}
	}
	for i := range result.Receipts {
		r := &result.Receipts[i]
		if c := came[r.Subject]; c != nil && strings.HasPrefix(r.Rule, "R") {
			c.Reason, c.Seq, c.Hash = r.Reason, r.Seq, r.Hash
		}
	}
	return came
}

// Of says where an objection stands.
func (o *Objected) Of(c *state.Challenge) Objection {
	p := o.s.Point(c.Point)
	if p == nil || p.Field == nil || c.Typed == nil {
		return Objection{}
	}
	if since, decided := o.since(c, p); decided {
		return since
	}
	came := o.came[c.ID]
	if came == nil || came.Outcome == dialectic.Moot && Proposed(p) {
		return Objection{}
	}
	return *came
}

// since is what the user, or the one who proposed, decided after the last
// resolution; what only a round can weigh is not among it.
func (o *Objected) since(c *state.Challenge, p *state.Point) (Objection, bool) {
	ruling := objectionOf(c, p).Ruling
	ruledSince := c.Typed.RuledSeq > o.at || p.UserRuling != nil && p.UserRuling.Seq > o.at
	switch {
	case ruledSince && ruling == dialectic.RulingCleared:
		return Objection{Outcome: dialectic.Cleared, Rule: "R0", ByUser: true, Reason: "the user cleared it"}, true
	case ruledSince && ruling == dialectic.RulingUpheld:
		holds := dialectic.Severity(c.Typed.Severity) != dialectic.Low
		return Objection{
			Outcome: dialectic.Upheld, Rule: "R0", ByUser: true, Holds: holds,
			Reason: "the user upheld it",
		}, true
	case !Proposed(p) && max(p.Field.Seq, p.Seq) > o.at:
		return Objection{
			Outcome: dialectic.Moot, Rule: "R6",
			Reason: p.Field.Path + " is no field of the proposal any more",
		}, true
	case c.Typed.RuledSeq > o.at || p.Reopened > o.at:
		// What the user ruled was taken back.
		return Objection{}, true
	}
	return Objection{}, false
}

// Settled reports whether nothing of the objection keeps the proposal from
// advancing any more.
func (o *Objection) Settled() bool { return o.Outcome != "" && !o.Holds }

// Words says how the objection came out, by what, and by which rule: "cleared by
// E2, R1", "unresolved, R5", "only warns, R5", "not resolved yet". User is how the
// user is called: "you", "the user".
func (o *Objection) Words(user string) string {
	words := strings.ToLower(string(o.Outcome))
	switch {
	case o.Outcome == "":
		return "not resolved yet"
	case o.Warns:
		words = "only warns"
	case o.Outcome.Holds() && !o.Holds:
		words += ", holds nothing"
	case o.ByUser:
		words += " by " + user
	case o.Decider != "":
		words += " by " + o.Decider
	case o.Outcome == dialectic.Upheld && o.Rule == "R6":
		words += " as conceded"
	}
	return words + ", " + o.Rule
}

// Gravity is the place of a severity among dialectic.Severities, the gravest
// first; a word that is none counts as the gravest.
func Gravity(severity string) int { return dialectic.Severity(severity).Gravity() }

// Owed are the requests for evidence on an objection that nothing answered, in
// their order.
func Owed(s *state.State, c *state.Challenge) []*state.Request {
	var owed []*state.Request
	for _, r := range s.Requests.All() {
		if r.About == c.ID && c.Typed != nil && !requestAnswered(s, r, c) {
			owed = append(owed, r)
		}
	}
	return owed
}

// OfProposal reports whether a rule or gate of a ruling is one of the resolver
// of proposals: R0 to R6, G1 to G8, the decision.
func OfProposal(rule string) bool { return ProposalRuleSays(rule) != "" }
