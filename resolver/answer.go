package resolver

import (
	"slices"

	"moot/state"
)

// AnswerBasis says how firm a sentence of the answer is (AN2).
type AnswerBasis string

// The bases. A sentence that only denies dismissed points has the basis refuted.
const (
	BasisVerified   AnswerBasis = "verified"
	BasisUser       AnswerBasis = "user"
	BasisRefuted    AnswerBasis = "refuted"
	BasisAgreed     AnswerBasis = "agreed"
	BasisFound      AnswerBasis = "found"
	BasisUnverified AnswerBasis = "unverified"
	BasisDisputed   AnswerBasis = "disputed"
	BasisOpen       AnswerBasis = "open"
)

// Bases returns every AnswerBasis, from the firmest.
func Bases() []AnswerBasis {
	return []AnswerBasis{
		BasisVerified, BasisUser, BasisRefuted, BasisAgreed, BasisFound, BasisUnverified, BasisDisputed, BasisOpen,
	}
}

// BasisOf returns the weakest basis of the points that a sentence of the latest answer rests on. A
// sentence that a seat contests, or that later rulings contradict, is disputed at best.
func BasisOf(s *state.State, rulings []state.Ruling, one *state.Sentence) AnswerBasis {
	if a := s.Answer(); a != nil && a.By == state.User {
		return BasisUser
	}
	weakest := BasisVerified
	weaken := func(b AnswerBasis) {
		if slices.Index(Bases(), b) > slices.Index(Bases(), weakest) {
			weakest = b
		}
	}
	for _, id := range slices.Concat(one.Points, one.Denies) {
		b := PointBasis(s, rulings, id)
		if Contradicts(b, slices.Contains(one.Denies, id)) {
			b = BasisDisputed
		}
		weaken(b)
	}
	contests := func(c state.AnswerContested) bool { return c.Sentence == one.ID }
	if a := s.Answer(); a != nil && slices.ContainsFunc(a.Contests, contests) {
		weaken(BasisDisputed)
	}
	return weakest
}

// Contradicts reports whether a sentence that asserts or denies a point contradicts its ruling.
func Contradicts(b AnswerBasis, denies bool) bool {
	switch b {
	case BasisRefuted:
		return !denies
	case BasisVerified, BasisUser, BasisAgreed:
		return denies
	case BasisFound, BasisUnverified, BasisDisputed, BasisOpen:
	}
	return false
}

// PointBasis returns the basis of a point, in its latest form.
func PointBasis(s *state.State, rulings []state.Ruling, id string) AnswerBasis {
	p := s.Current(id)
	if p == nil {
		return BasisOpen
	}
	r := RulingOn(rulings, p.ID)
	if r == nil {
		return BasisOpen
	}
	switch r.Bucket {
	case state.BucketAgreed:
		switch {
		case r.Tag == state.TagTextual || r.Tag == state.TagExecution:
			return BasisVerified
		case p.UserRuling != nil:
			return BasisUser
		}
		return BasisAgreed
	case state.BucketDismissed:
		return BasisRefuted
	case state.BucketUnresolved:
		switch r.Status { //nolint:exhaustive // the others are open
		case state.StatusFound:
			return BasisFound
		case state.StatusUnverified:
			return BasisUnverified
		case state.StatusDisputed, state.StatusTradeoff:
			return BasisDisputed
		}
	case state.BucketOpen, state.BucketNotEvaluated:
	}
	return BasisOpen
}
