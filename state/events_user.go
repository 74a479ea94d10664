package state

import (
	"fmt"
	"slices"
	"strings"
)

// QuestionSurfaced is a question that only the user can answer.
type QuestionSurfaced struct {
	ID      string       `json:"id"`
	Point   string       `json:"point"`
	What    QuestionKind `json:"what"`
	Text    string       `json:"text"`
	Options []string     `json:"options"`
	// About is the fact or other id that it concerns, or "": "F1 F2" for two facts that exclude each other, "F1 E2"
	// for a fact and the verified item that contradicts it.
	About string `json:"about"`
}

func (e *QuestionSurfaced) Fold(s *State) error {
	if want := NextID('Q', s.Questions.Len()); e.ID != want {
		return fmt.Errorf("the next question is %s, not %q", want, e.ID)
	}
	s.Questions = s.Questions.Append(&Question{
		ID: e.ID, Point: e.Point, Kind: e.What, Text: e.Text, Options: e.Options, Round: s.Round, About: e.About,
	})
	return nil
}

// QuestionAnswered is the user's answer, or the protocol's statement that none came.
type QuestionAnswered struct {
	ID     string `json:"id"`
	By     Seat   `json:"by"`
	Answer string `json:"answer"`
}

func (e *QuestionAnswered) Fold(s *State) error {
	q := s.QuestionByID(e.ID)
	if q == nil {
		return Unknown("question", e.ID)
	}
	if a, b, pair := strings.Cut(q.About, " "); pair && e.By == User && q.Kind == QuestionConstraint &&
		s.Fact(a) != nil && s.Fact(b) != nil {
		s.reconcile(a, b)
	}
	s.Questions = s.Questions.Update(Index(e.ID, 'Q'), func(q *Question) {
		q.Answer, q.Answered, q.Withdrawn, q.Channel = e.Answer, true, e.By == Protocol, s.Channel
	})
	return nil
}

// OverrideKind is the kind of an OverrideMade.
type OverrideKind string

// The kinds of overrides.
const (
	OverrideAgree      OverrideKind = "agree"
	OverrideDismiss    OverrideKind = "dismiss"
	OverrideUnresolved OverrideKind = "unresolved"
	OverrideReopen     OverrideKind = "reopen"
	// OverrideIntended dismisses a finding: the change is meant to do that.
	OverrideIntended OverrideKind = "intended"
	// OverrideKindSet sets the kind of a point (KI).
	OverrideKindSet OverrideKind = "kind"
	// OverridePriority keeps the named points in scope (RD2).
	OverridePriority OverrideKind = "priority"
	// OverrideBudget sets the caps.
	OverrideBudget OverrideKind = "budget"
	// OverrideArbitrate asks the arbiter now (AR).
	OverrideArbitrate OverrideKind = "arbitrate"
)

// OverrideKinds returns every OverrideKind.
func OverrideKinds() []OverrideKind {
	return []OverrideKind{
		OverrideAgree, OverrideDismiss, OverrideUnresolved, OverrideIntended, OverrideReopen,
		OverrideKindSet, OverridePriority, OverrideBudget, OverrideArbitrate,
	}
}

// OverrideMade is a decision of the user that overrules everyone (AC1).
type OverrideMade struct {
	What   OverrideKind `json:"what"`
	Point  string       `json:"point"`
	Reason string       `json:"reason"`
	// Set is the kind that OverrideKindSet sets.
	Set Kind `json:"set"`
	// Points are those that OverridePriority keeps.
	Points []string `json:"points"`
	// MaxTokens, MaxCost and MaxSeconds are the new caps of OverrideBudget; 0 removes a cap.
	MaxTokens  int     `json:"max_tokens"`
	MaxCost    float64 `json:"max_cost"`
	MaxSeconds int     `json:"max_seconds"`
}

func (e *OverrideMade) Fold(s *State) error {
	switch e.What {
	case OverrideBudget:
		s.MaxTokens, s.MaxCost, s.MaxSeconds = e.MaxTokens, e.MaxCost, e.MaxSeconds
		return nil
	case OverrideArbitrate:
		s.ArbiterAsked = true
		return nil
	case OverridePriority:
		return e.prioritize(s)
	case OverrideReopen:
		return reopen(s, e.Point)
	case OverrideKindSet:
		return s.ChangePoint(e.Point, func(p *Point) { p.UserKind = e.Set })
	case OverrideAgree:
		return e.rule(s, BucketAgreed)
	case OverrideDismiss:
		return e.rule(s, BucketDismissed)
	case OverrideUnresolved:
		return e.rule(s, BucketUnresolved)
	case OverrideIntended:
		return e.rule(s, BucketDismissed)
	}
	return fmt.Errorf("%q is not an override", e.What)
}

func (e *OverrideMade) rule(s *State, bucket Bucket) error {
	return s.ChangePoint(e.Point, func(p *Point) {
		p.UserRuling = &UserRuling{Bucket: bucket, Reason: e.Reason, Round: s.Round, Seq: s.Seq, Channel: s.Channel}
		p.UserRuling.Intended = e.What == OverrideIntended
		p.UserRulings = append(slices.Clip(p.UserRulings), *p.UserRuling)
	})
}

// prioritize keeps the named points in scope and puts the others over the limit (RD2).
func (e *OverrideMade) prioritize(s *State) error {
	keep := map[string]bool{}
	for _, id := range e.Points {
		if s.Point(id) == nil {
			return Unknown("point", id)
		}
		keep[id] = true
	}
	for i, p := range s.Points.All() {
		scope := p.Scope
		switch {
		case p.MergedInto != "" || p.Scope == AnchorShift || s.ended(p):
			continue
		case keep[p.ID]:
			scope = InScope
		case p.Scope == InScope || p.Scope == Untriaged:
			scope = OverLimit
		}
		if scope != p.Scope || keep[p.ID] {
			s.Points = s.Points.Update(i, func(p *Point) {
				p.Scope, p.Seq, p.Placed = scope, s.Seq, true
				if keep[p.ID] {
					p.LateTag = TagNone
				}
			})
		}
	}
	return nil
}

// ended reports whether the point was given up, lost or decided. Choosing which points to keep does
// not undo that.
func (s *State) ended(p *Point) bool {
	if _, conceded := p.Conceded(); conceded || p.RevisedBy != "" || p.UserRuling != nil {
		return true
	}
	return slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).Status == StandsUndefended })
}

// reopen voids the user's rulings, and the verdicts, challenges, concessions and revision of the
// point; the seats are asked again (AC1). Evidence stays, with its acceptances and contests.
func reopen(s *State, id string) error {
	p := s.Point(id)
	if p == nil {
		return Unknown("point", id)
	}
	for _, c := range p.Challenges {
		s.Challenges = s.Challenges.Update(Index(c, 'C'), func(c *Challenge) {
			c.ReminderSent, c.Confirm, c.Since, c.Seq, c.Disputed = false, false, s.Seq, s.Seq, s.Round
			c.Status = StandsEnded
		})
	}
	last := MaxRounds
	if s.Settings.Mode == ModeQuick {
		last = 0
	} else if own, ok := s.Settings.Own.(interface{ LastRound() int }); ok {
		last = own.LastRound()
	}
	if s.Over() && s.Exit != ExitUser && s.Round < last {
		// There are rounds left to discuss the point again.
		s.Exit, s.ExitReason, s.ExitFailure, s.Constraints = ExitNone, "", Failure{}, s.Seq
		// Otherwise the same failures would end the session again (EX4), and new facts would not be
		// evaluated at the end (LE5).
		s.Failures, s.QualityOf, s.FactsListed = nil, nil, false
	}
	s.touchPoint(id, func(p *Point) {
		p.UserRuling, p.Concessions, p.Blocked = nil, nil, nil
		p.Deadlock, p.DeadlockCrux, p.RevisedBy, p.Violates = DeadlockNone, "", "", nil
		p.Reopened, p.Placed = s.Seq, true
		switch p.Scope {
		case Late, OverLimit, OutOfScope, AnchorShift:
			p.Scope, p.LateTag, p.Refused = InScope, TagNone, false
		case Untriaged, InScope:
		}
	})
	// A format may have more to do.
	if f, ok := s.Rules.(interface {
		Reopened(s *State, point string) error
	}); ok {
		return f.Reopened(s, id)
	}
	return nil
}

// AnchorShiftConsented is the user's decision on another reading of the question (INV2): consent or
// refusal.
type AnchorShiftConsented struct {
	Point     string `json:"point"`
	Consented bool   `json:"consented"`
	// Reading is the new reading if the user consented, else "".
	Reading string `json:"reading"`
}

func (e *AnchorShiftConsented) Fold(s *State) error {
	p := s.Point(e.Point)
	switch {
	case e.Consented:
		s.Reading = e.Reading
	case p != nil && s.Reading == p.Text:
		// The user took the consent back.
		s.Reading = ""
	}
	return s.ChangePoint(e.Point, func(p *Point) {
		p.Scope, p.Refused, p.Placed = AnchorShift, !e.Consented, true
		if e.Consented {
			p.Scope = InScope
		}
	})
}
