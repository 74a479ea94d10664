package state

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// unknown says that a payload names what does not exist.
func unknown(what, id string) error { return fmt.Errorf("%s %q is not known", what, id) }

// PointRaised brings a claim (RAISE), or the new form of one (REVISE).
type PointRaised struct {
	ID   string `json:"id"`
	By   Seat   `json:"by"`
	Text string `json:"text"`
	// Value says that its author calls it a value judgment.
	Value bool `json:"value"`
	// Label is EVIDENCE, INFERENCE, GUESS or "".
	Label     string     `json:"label"`
	Holder    string     `json:"holder"`
	Option    string     `json:"option"`
	Criterion string     `json:"criterion"`
	Revises   string     `json:"revises"`
	Predicate *Predicate `json:"predicate"`
	// Late is the label of a point that came too late (PH4), else "".
	Late Tag `json:"late"`
	// Key says that much rests on it, Limit what it does not cover, as its author
	// says (CV1, CV4).
	Key   bool   `json:"key,omitempty"`
	Limit string `json:"limit,omitempty"`
	// Facts are the facts of the packet that support it, in a hearing.
	Facts []string `json:"facts,omitzero"`
	// For is the seat whose claim By rewords, or "" if the claim is its own.
	For Seat `json:"for,omitempty"`
}

// Kind implements Payload.
func (*PointRaised) Kind() string { return "point-raised" }

// Fold implements Payload.
func (e *PointRaised) Fold(s *State) error {
	if want := NextID('P', s.Points.Len()); e.ID != want {
		return fmt.Errorf("the next point is %s, not %q", want, e.ID)
	}
	p := &Point{
		ID: e.ID, Text: e.Text, Authors: []Seat{e.By}, Round: s.Round, Phase: s.Phase,
		Label: e.Label, Holder: e.Holder, Option: e.Option, Criterion: e.Criterion,
		Revises: e.Revises, Predicate: e.Predicate, Scope: Untriaged, Key: e.Key, Limit: e.Limit,
		Facts: slices.Clone(e.Facts), Seq: s.Seq,
	}
	if e.For != "" {
		p.Authors, p.WordedBy = []Seat{e.For}, e.By
	}
	if e.Value {
		p.CalledValue = []Seat{p.Authors[0]}
	}
	if e.Late != TagNone {
		p.Scope, p.LateTag = Late, e.Late
	}
	s.Points = s.Points.Append(p)
	return nil
}

// PointTriaged says whether a point belongs to the question (RD2).
type PointTriaged struct {
	Point  string `json:"point"`
	By     Seat   `json:"by"`
	Scope  Scope  `json:"scope"`
	Reason string `json:"reason"`
	Theme  string `json:"theme"`
}

// Kind implements Payload.
func (*PointTriaged) Kind() string { return "point-triaged" }

// Fold implements Payload.
func (e *PointTriaged) Fold(s *State) error {
	if !s.touchPoint(e.Point, func(p *Point) {
		p.Scope, p.ScopeReason = e.Scope, e.Reason
		if e.Theme != "" {
			p.Theme = e.Theme
		}
	}) {
		return unknown("point", e.Point)
	}
	return nil
}

// PointsMerged joins points that assert the same (RD2). The merged ids stay
// as aliases with all their authors.
type PointsMerged struct {
	Into string   `json:"into"`
	From []string `json:"from"`
	By   Seat     `json:"by"`
}

// Kind implements Payload.
func (*PointsMerged) Kind() string { return "points-merged" }

// Fold implements Payload.
func (e *PointsMerged) Fold(s *State) error {
	into := s.Point(e.Into)
	if into == nil || into.MergedInto != "" {
		return unknown("live point", e.Into)
	}
	for _, id := range e.From {
		from := s.Point(id)
		if from == nil || from.MergedInto != "" || id == e.Into {
			return unknown("live point", id)
		}
		s.moveItems(from, e.Into)
		s.touchPoint(e.Into, func(p *Point) { absorb(p, from) })
		s.touchPoint(id, func(p *Point) { p.MergedInto = e.Into })
	}
	return nil
}

// absorb takes what a merged point brings along.
func absorb(p, from *Point) {
	p.Aliases = append(slices.Clip(p.Aliases), from.ID)
	p.Aliases = append(slices.Clip(p.Aliases), from.Aliases...)
	for _, a := range from.Authors {
		if !p.IsAuthor(a) {
			p.Authors = append(slices.Clip(p.Authors), a)
		}
	}
	for _, v := range from.CalledValue {
		if !slices.Contains(p.CalledValue, v) {
			p.CalledValue = append(slices.Clip(p.CalledValue), v)
		}
	}
	p.Challenges = append(slices.Clip(p.Challenges), from.Challenges...)
	p.Evidence = append(slices.Clip(p.Evidence), from.Evidence...)
	p.Asked = append(slices.Clip(p.Asked), from.Asked...)
	// Sorted by time: the last opinion of a seat counts.
	p.Classes = append(slices.Clip(p.Classes), from.Classes...)
	slices.SortStableFunc(p.Classes, func(a, b Classification) int { return cmp.Compare(a.Seq, b.Seq) })
	p.Violates = append(slices.Clip(p.Violates), from.Violates...)
	p.Key = p.Key || from.Key
	if p.Limit == "" {
		p.Limit = from.Limit
	}
	for _, score := range from.Scores {
		if p.Score(score.Seat) == nil {
			// Only the confidence moves to the new claim: the seat's opinion of the old
			// words is kept.
			p.Scores = append(slices.Clip(p.Scores), score)
		}
	}
	if p.Predicate == nil {
		p.Predicate = from.Predicate
	}
	if p.UserKind == "" {
		p.UserKind = from.UserKind
	}
	if from.Holder != "" && from.Holder != p.Holder {
		p.Holder = strings.TrimPrefix(p.Holder+", "+from.Holder, ", ")
	}
}

// moveItems lets challenges, evidence and requests follow a merged point.
func (s *State) moveItems(from *Point, into string) {
	for _, id := range from.Challenges {
		s.Challenges = s.Challenges.Update(index(id, 'C'), func(c *Challenge) { c.Point = into })
	}
	for _, id := range from.Evidence {
		s.Evidence = s.Evidence.Update(index(id, 'E'), func(i *evidence) { i.Point = into })
	}
	for _, at := range from.Asked {
		s.Requests = s.Requests.Update(at, func(r *Request) { r.Point = into })
	}
}

// PointsPaired says how two points of different seats relate (RD1b).
type PointsPaired struct {
	A string `json:"a"`
	B string `json:"b"`
	// Same is the same subject; Opposed the opposite polarity; Alike the same
	// content as well.
	Same    bool `json:"same_subject"`
	Opposed bool `json:"opposed"`
	Alike   bool `json:"alike"`
	By      Seat `json:"by"`
}

// Kind implements Payload.
func (*PointsPaired) Kind() string { return "points-paired" }

// Fold implements Payload.
func (e *PointsPaired) Fold(s *State) error {
	for _, id := range []string{e.A, e.B} {
		if s.Point(id) == nil {
			return unknown("point", id)
		}
	}
	s.Pairs = s.Pairs.Append(&Pair{A: e.A, B: e.B, Same: e.Same, Opposed: e.Opposed, Alike: e.Alike, By: e.By})
	return nil
}

// PointClassified is a seat's verdict on another's point (RD3), as a proposal.
type PointClassified struct {
	Point  string `json:"point"`
	By     Seat   `json:"by"`
	Class  Class  `json:"class"`
	Reason string `json:"reason"`
	// Value says that the evaluator calls the point a value judgment.
	Value bool `json:"value"`
}

// Kind implements Payload.
func (*PointClassified) Kind() string { return "point-classified" }

// Fold implements Payload.
func (e *PointClassified) Fold(s *State) error {
	if !s.touchPoint(e.Point, func(p *Point) {
		p.Classes = append(slices.Clip(p.Classes), Classification{
			Seat: e.By, Class: e.Class, Round: s.Round, Reason: e.Reason, Seq: s.Seq, ByRules: s.ByRules(e.By),
		})
		at := slices.Index(p.CalledValue, e.By)
		switch {
		case e.Value && at < 0:
			p.CalledValue = append(slices.Clip(p.CalledValue), e.By)
		case !e.Value && at >= 0:
			p.CalledValue = slices.Delete(slices.Clone(p.CalledValue), at, at+1)
		}
	}) {
		return unknown("point", e.Point)
	}
	return nil
}

// PointRevised says that a point was replaced by a new form of it (RD5): the
// old one is superseded and its challenges end.
type PointRevised struct {
	Point string `json:"point"`
	// New is the point that replaces it.
	New string `json:"new"`
	By  Seat   `json:"by"`
}

// Kind implements Payload.
func (*PointRevised) Kind() string { return "point-revised" }

// Fold implements Payload.
func (e *PointRevised) Fold(s *State) error {
	if s.Point(e.New) == nil {
		return unknown("point", e.New)
	}
	if !s.touchPoint(e.Point, func(p *Point) { p.RevisedBy = e.New }) {
		return unknown("point", e.Point)
	}
	return nil
}

// PointConceded is an author's giving up of the whole point (AC6).
type PointConceded struct {
	Point  string `json:"point"`
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

// Kind implements Payload.
func (*PointConceded) Kind() string { return "point-conceded" }

// Fold implements Payload.
func (e *PointConceded) Fold(s *State) error {
	if !s.touchPoint(e.Point, func(p *Point) { concede(p, e.By, s) }) {
		return unknown("point", e.Point)
	}
	return nil
}

// Holds reports whether the seat is an author who did not concede the point.
func (p *Point) Holds(seat Seat) bool {
	return p.IsAuthor(seat) && !slices.ContainsFunc(p.Concessions, func(c Concession) bool { return c.Seat == seat })
}

func concede(p *Point, by Seat, s *State) {
	if !slices.ContainsFunc(p.Concessions, func(c Concession) bool { return c.Seat == by }) {
		p.Concessions = append(slices.Clip(p.Concessions), Concession{Seat: by, Round: s.Round, Seq: s.Seq})
	}
}

// PointBlocked is a valid claim that a measurement is missing (CH7).
type PointBlocked struct {
	Point string `json:"point"`
	Blocked
}

// Kind implements Payload.
func (*PointBlocked) Kind() string { return "point-blocked" }

// Fold implements Payload.
func (e *PointBlocked) Fold(s *State) error {
	blocked := e.Blocked
	blocked.Seq, blocked.Round = s.Seq, s.Round
	if !s.touchPoint(e.Point, func(p *Point) { p.Blocked = &blocked }) {
		return unknown("point", e.Point)
	}
	return nil
}

// PointDeadlocked classifies a dispute that does not end (EX8).
type PointDeadlocked struct {
	Point string   `json:"point"`
	Class Deadlock `json:"class"`
	// Crux says what would resolve it.
	Crux string `json:"crux"`
}

// Kind implements Payload.
func (*PointDeadlocked) Kind() string { return "point-deadlocked" }

// Fold implements Payload.
func (e *PointDeadlocked) Fold(s *State) error {
	if !s.touchPoint(e.Point, func(p *Point) { p.Deadlock, p.DeadlockCrux = e.Class, e.Crux }) {
		return unknown("point", e.Point)
	}
	return nil
}

// PointNoted is a remark on a point that rules nothing.
type PointNoted struct {
	Point string `json:"point"`
	Text  string `json:"text"`
}

// Kind implements Payload.
func (*PointNoted) Kind() string { return "point-noted" }

// Fold implements Payload.
func (e *PointNoted) Fold(s *State) error {
	s.Notes = s.Notes.Append(&Note{Point: e.Point, Text: e.Text})
	return nil
}

// ViolationNamed says that a seat sees a point against a user fact (AC5); it
// counts once the user confirms it.
type ViolationNamed struct {
	Point     string `json:"point"`
	Fact      string `json:"fact"`
	By        Seat   `json:"by"`
	Confirmed bool   `json:"confirmed"`
}

// Kind implements Payload.
func (*ViolationNamed) Kind() string { return "violation-named" }

// Fold implements Payload.
func (e *ViolationNamed) Fold(s *State) error {
	if s.Fact(e.Fact) == nil {
		return unknown("fact", e.Fact)
	}
	if !s.touchPoint(e.Point, func(p *Point) {
		p.Violates = append(slices.Clip(p.Violates), Violation{Fact: e.Fact, By: e.By, Confirmed: e.Confirmed})
	}) {
		return unknown("point", e.Point)
	}
	return nil
}
