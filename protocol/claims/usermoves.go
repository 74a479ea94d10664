package claims

import (
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// sameReading reports whether two points were placed for the same other reading of the question: for the same reason,
// or without one for the same words.
func sameReading(p, q *state.Point) bool {
	if q == nil || p.ID == q.ID {
		return false
	}
	one, other := resolver.Normalized(p.ScopeReason), resolver.Normalized(q.ScopeReason)
	if one == "" && other == "" {
		one, other = resolver.Normalized(p.Text), resolver.Normalized(q.Text)
	}
	return one == other || resolver.Similarity(one, other) >= resolver.Repeats
}

// RewriteAnswer answers the question in the user's own words, a sentence on each line (AN3). It is
// possible at any time, also after the session is closed.
type RewriteAnswer struct{ Text string }

// UserAdmitter turns moves of the user in a debate over claims into events.
type UserAdmitter struct{ *protocol.UserAdmitter }

// NewUser returns a UserAdmitter with the events so far.
func NewUser(u *protocol.UserAdmitter) *UserAdmitter { return &UserAdmitter{u} }

// Point returns the point with the ID, merged points resolved.
func (u *UserAdmitter) Point(id string) (*state.Point, error) {
	if p := u.State.Live(id); p != nil {
		return p, nil
	}
	return nil, protocol.Refuse("unknown-point", "there is no point %q", id)
}

// Supplied stamps evidence from the user.
func Supplied(offer *state.EvidenceOffered) *state.EvidenceVerified {
	return &state.EvidenceVerified{
		ID: offer.ID, Type: ledger.Textual, SourceKind: ledger.UserOverride, Confidence: ledger.ConfidenceUser,
		Reference: offer.Reference, Excerpt: offer.Quote, Admitted: true, Reason: "the user gave it",
	}
}

func yes(answer string) bool {
	switch strings.ToLower(answer) {
	case "yes", "y", "consent", "confirm", "ok", "true", "approve":
		return true
	}
	return false
}

// RuleOn decides a point: Agree, Dismiss, Unresolved or Reopen.
type RuleOn struct {
	Point  string
	What   state.OverrideKind
	Reason string
}

// ChallengePoint attacks a point in the user's name.
type ChallengePoint struct {
	Point, Objection string
	// Class is SKEPTICAL or REJECT.
	Class state.Class
}

// AnswerChallenge defends against a challenge in place of a seat.
type AnswerChallenge struct{ Challenge, Text string }

// SupplyEvidence adds evidence that counts as verified and textual.
type SupplyEvidence struct {
	Point, Text, Reference string
	Relation               ledger.Relation
	// Challenge is the objection to a field that it bears on; "" is every one.
	Challenge string
}

// WeighEvidence decides whether an item of evidence bears on its point, overruling the seats.
type WeighEvidence struct {
	Evidence string
	Accept   bool
	Reason   string
}

// SetKind sets the kind of a point; "" leaves it to the seats.
type SetKind struct {
	Point string
	Kind  state.Kind
}

// ConcedePoint gives up a point that the user brought.
type ConcedePoint struct{ Point, Reason string }

// SetPriority keeps these points in scope and puts the others aside.
type SetPriority struct{ Points []string }

// AskArbitration asks the arbiter to look at the points now (AR).
type AskArbitration struct{}
