package resolver

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// AnswerBasis says how firm the points are that a sentence of the answer rests on (AN2). It says nothing of the
// sentence: code cannot read whether the sentence claims more than its points.
type AnswerBasis string

// The bases.
const (
	// BasisTested and BasisCited: an agreed point with evidence that counts, a command or a passage.
	BasisTested AnswerBasis = "tested"
	BasisCited  AnswerBasis = "cited"
	// BasisUser: the user ruled so, or wrote the sentence.
	BasisUser AnswerBasis = "user"
	// BasisRefuted: a denied point that evidence or a fact of the user refutes.
	BasisRefuted AnswerBasis = "refuted"
	// BasisAgreed: an agreed point that no evidence supports.
	BasisAgreed     AnswerBasis = "agreed"
	BasisFound      AnswerBasis = "found"
	BasisUnverified AnswerBasis = "unverified"
	BasisDisputed   AnswerBasis = "disputed"
	BasisOpen       AnswerBasis = "open"
	// BasisDecided: a dialectic or a hearing ends with this sentence, which names no points.
	BasisDecided AnswerBasis = "decided"
)

// Bases returns every AnswerBasis. Those of points come first, from the firmest.
func Bases() []AnswerBasis {
	return []AnswerBasis{
		BasisTested, BasisCited, BasisUser, BasisRefuted, BasisAgreed, BasisFound, BasisUnverified, BasisDisputed,
		BasisOpen, BasisDecided,
	}
}

// Firm reports whether a point with this basis was agreed, or denied for a reason that refutes it.
func (b AnswerBasis) Firm() bool {
	return slices.Index(Bases(), b) <= slices.Index(Bases(), BasisAgreed)
}

// Mark says how firm a point is that a sentence of the answer names.
type Mark struct {
	Point string `json:"point"`
	// Denied says that the sentence says the opposite of the point.
	Denied bool        `json:"denied,omitempty"`
	Basis  AnswerBasis `json:"basis"`
	// Ended says how a dismissed or unevaluated point ended: "conceded", "refuted by E4".
	Ended string `json:"ended,omitempty"`
	// Status is the status of an unresolved point.
	Status state.Status `json:"status,omitempty"`
	// Needs are the points that an agreed decision needs and that are not agreed themselves.
	Needs []string `json:"needs,omitempty"`
}

// Firm reports whether the point is firm in the way in which the sentence names it, and so are its premises.
func (m *Mark) Firm() bool { return m.Basis.Firm() && len(m.Needs) == 0 }

// Word says what is true of the point: "cited", "conceded", "blocked", "agreed, but P3 is not".
func (m *Mark) Word() string {
	word := cmp.Or(m.Ended, string(m.Status), string(m.Basis))
	switch len(m.Needs) {
	case 0:
		return word
	case 1:
		return fmt.Sprintf("%s, but it needs %s, which is not", word, m.Needs[0])
	}
	return fmt.Sprintf("%s, but it needs %s, which are not", word, strings.Join(m.Needs, " and "))
}

// Marks returns what is true of the points that a sentence names. A point that was revised since it was named counts
// as its last successor, unless the sentence denies it.
func Marks(s *state.State, rulings []state.Ruling, one *state.Sentence) []Mark {
	marks := []Mark{}
	for _, id := range one.Points {
		if p := s.Current(id); p != nil {
			marks = append(marks, MarkOf(s, rulings, p, false))
		}
	}
	for _, id := range one.Denies {
		if p := s.Live(id); p != nil {
			marks = append(marks, MarkOf(s, rulings, p, true))
		}
	}
	return marks
}

// MarkOf returns what is true of a point. What contradicts the way in which it is named is disputed.
func MarkOf(s *state.State, rulings []state.Ruling, p *state.Point, denied bool) Mark {
	m := Mark{Point: p.ID, Denied: denied, Basis: BasisOpen}
	r := RulingOn(rulings, p.ID)
	if r == nil {
		return m
	}
	how, refuted := Ended(s, r)
	m.Ended = how
	switch r.Bucket {
	case state.BucketAgreed:
		switch {
		case denied:
			m.Basis = BasisDisputed
		case r.Tag == state.TagExecution:
			m.Basis = BasisTested
		case r.Tag == state.TagTextual:
			m.Basis = BasisCited
		case r.Tag == state.TagUser:
			m.Basis = BasisUser
		default:
			m.Basis, m.Needs = BasisAgreed, unmet(s, rulings, p)
		}
	case state.BucketDismissed:
		switch {
		case !refuted:
		case !denied:
			m.Basis = BasisDisputed
		case r.Tag == state.TagUser:
			m.Basis = BasisUser
		default:
			m.Basis = BasisRefuted
		}
	case state.BucketUnresolved:
		m.Status = r.Status
		switch r.Status { //nolint:exhaustive // the others are open
		case state.StatusFound:
			m.Basis = BasisFound
		case state.StatusUnverified:
			m.Basis = BasisUnverified
		case state.StatusDisputed, state.StatusTradeoff:
			m.Basis = BasisDisputed
		}
	case state.BucketOpen, state.BucketNotEvaluated:
	}
	return m
}

// unmet returns the points that a point needs and that are not agreed.
func unmet(s *state.State, rulings []state.Ruling, p *state.Point) []string {
	var ids []string
	for _, id := range p.Needs {
		needed := s.Current(id)
		if needed == nil || needed.ID == p.ID || slices.Contains(ids, needed.ID) {
			continue
		}
		if r := RulingOn(rulings, needed.ID); r == nil || r.Bucket != state.BucketAgreed {
			ids = append(ids, needed.ID)
		}
	}
	return ids
}

// BasisOf returns the weakest basis of the points that a sentence of the latest answer names. The basis of a sentence
// that a seat contests is disputed at best.
func BasisOf(s *state.State, rulings []state.Ruling, one *state.Sentence) AnswerBasis {
	a := s.Answer()
	if a != nil && a.By == state.User {
		return BasisUser
	}
	weakest := BasisTested
	weaken := func(b AnswerBasis) {
		if slices.Index(Bases(), b) > slices.Index(Bases(), weakest) {
			weakest = b
		}
	}
	marks := Marks(s, rulings, one)
	for i := range marks {
		weaken(marks[i].Basis)
	}
	contests := func(c state.AnswerContested) bool { return c.Sentence == one.ID }
	if a != nil && slices.ContainsFunc(a.Contests, contests) {
		weaken(BasisDisputed)
	}
	if len(marks) == 0 {
		return BasisOpen
	}
	return weakest
}

// Ended says in a few words how a dismissed or unevaluated point ended, and whether that refutes it; it is "" for
// other points. Only evidence that counts, a fact of the user that no verified item contradicts, and the user refute a
// point: what was conceded or never defended may be true (AN2).
func Ended(s *state.State, r *state.Ruling) (how string, refuted bool) {
	if r.Bucket == state.BucketNotEvaluated {
		return "not evaluated: " + string(r.Tag), false
	}
	if r.Bucket != state.BucketDismissed {
		return "", false
	}
	switch r.Rule {
	case "AC1":
		return DismissedByUser, true
	case "AC2":
		return "out of scope", false
	case "AC5":
		how = "contradicts " + r.Reads[0]
		if item := contradicting(s, s.Point(r.Point), s.Fact(r.Reads[0])); item != nil {
			return how + ", but " + item.ID + " says otherwise", false
		}
		return how, true
	case "AC6":
		if r.Tag == state.TagSuperseded {
			return "revised as " + s.Current(r.Point).ID, false
		}
		return "conceded", false
	case "AC7":
		return "not defended", false
	case "AC8":
		return "refuted by " + r.Reads[0], true
	case "AC10":
		return "rejected without evidence", false
	}
	return Clip(r.Reason), false
}

// DismissedByUser is how a point ended that the user dismissed, in words to the user.
const DismissedByUser = "dismissed by you"

// contradicting returns a verified item that contradicts a fact of the user, or nil: it supports the point that the
// fact excludes, or shows another value.
func contradicting(s *state.State, p *state.Point, fact *ledger.Fact) *ledger.Evidence {
	for _, item := range s.Evidence.All() {
		if !item.Proven() || item.SourceKind == ledger.UserOverride {
			continue
		}
		if slices.Contains(p.Evidence, item.ID) && item.Relation == ledger.Supports {
			return item
		}
		if fact.Against(item.Excerpt) != "" {
			return item
		}
	}
	return nil
}
