package state

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
)

// Unknown returns the error for a payload that names something that does not exist.
func Unknown(what, id string) error { return fmt.Errorf("%s %q is not known", what, id) }

// PointRaised adds a claim (RAISE), or the new form of one (REVISE).
type PointRaised struct {
	ID   string `json:"id"`
	By   Seat   `json:"by"`
	Text string `json:"text"`
	// Kind is the kind that its author gives it, or "". Framed says that the framing gave the kind (KI).
	Kind   Kind `json:"kind"`
	Framed bool `json:"framed,omitempty"`
	// Label is EVIDENCE, INFERENCE, GUESS or "".
	Label     string     `json:"label"`
	Holder    string     `json:"holder"`
	Option    string     `json:"option"`
	Criterion string     `json:"criterion"`
	Revises   string     `json:"revises"`
	Predicate *Predicate `json:"predicate"`
	// Late is the label of a point that came too late (PH4), else "".
	Late Tag `json:"late"`
	// Facts are the facts of the packet that support it, in a closed world.
	Facts []string `json:"facts,omitzero"`
	// For is the seat whose claim By rewords, or "" if the claim is its own.
	For Seat `json:"for,omitempty"`
}

func (e *PointRaised) Fold(s *State) error {
	if want := NextID('P', s.Points.Len()); e.ID != want {
		return fmt.Errorf("the next point is %s, not %q", want, e.ID)
	}
	p := &Point{
		ID: e.ID, Text: e.Text, Authors: []Seat{e.By}, Round: s.Round, Phase: s.Phase,
		Label: e.Label, Holder: e.Holder, Option: e.Option, Criterion: e.Criterion,
		Revises: e.Revises, Stated: ledger.ParsePredicates(e.Text), Given: e.Predicate, Scope: Untriaged,
		Facts: slices.Clone(e.Facts), Proposed: e.Kind, Framed: e.Framed, Raised: s.Seq, Seq: s.Seq,
	}
	for i := range p.Stated {
		// The author may spell out the path of what the text states.
		if p.Given != nil && p.Stated[i].Abbreviates(p.Given) {
			p.Stated[i].Path = p.Given.Path
		}
	}
	if e.For != "" {
		p.Authors, p.WordedBy = []Seat{e.For}, e.By
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

func (e *PointTriaged) Fold(s *State) error {
	return s.ChangePoint(e.Point, func(p *Point) {
		p.Scope, p.ScopeReason = e.Scope, e.Reason
		if e.Theme != "" {
			p.Theme = e.Theme
		}
	})
}

// PointsMerged joins points that assert the same (RD2). The merged ids stay
// as aliases with all their authors.
type PointsMerged struct {
	Into string   `json:"into"`
	From []string `json:"from"`
	By   Seat     `json:"by"`
}

func (e *PointsMerged) Fold(s *State) error {
	into := s.Point(e.Into)
	if into == nil || into.MergedInto != "" {
		return Unknown("live point", e.Into)
	}
	for _, id := range e.From {
		from := s.Point(id)
		if from == nil || from.MergedInto != "" || id == e.Into {
			return Unknown("live point", id)
		}
		s.moveItems(from, e.Into)
		s.touchPoint(e.Into, func(p *Point) { absorb(p, from) })
		s.touchPoint(id, func(p *Point) { p.MergedInto = e.Into })
	}
	return nil
}

// absorb adds the contents of a merged point to p.
func absorb(p, from *Point) {
	p.Aliases = append(slices.Clip(p.Aliases), from.ID)
	p.Aliases = append(slices.Clip(p.Aliases), from.Aliases...)
	for _, a := range from.Authors {
		if from.Holds(a) && !p.IsAuthor(a) {
			p.Authors = append(slices.Clip(p.Authors), a)
		}
	}
	if p.UserKind != from.UserKind && p.UserKind != "" {
		// The user set the kind of this one, not of both.
		p.Proposed, p.Framed, p.UserKind = p.UserKind, true, ""
	}
	p.Joined = append(slices.Clip(p.Joined), from.Proposals()...)
	for _, call := range from.Calls {
		if p.Called(call.Seat) == "" {
			p.Calls = append(slices.Clip(p.Calls), call)
		}
	}
	for _, id := range from.Needs {
		if !slices.Contains(p.Needs, id) {
			p.Needs = append(slices.Clip(p.Needs), id)
		}
	}
	p.Challenges = append(slices.Clip(p.Challenges), from.Challenges...)
	p.Evidence = append(slices.Clip(p.Evidence), from.Evidence...)
	p.Asked = append(slices.Clip(p.Asked), from.Asked...)
	// Sorted by time: the last opinion of a seat counts. A reopening made the earlier ones void.
	p.Classes = append(slices.Clip(p.Classes), slices.DeleteFunc(slices.Clone(from.Classes),
		func(c Classification) bool { return c.Seq < from.Reopened })...)
	slices.SortStableFunc(p.Classes, func(a, b Classification) int { return cmp.Compare(a.Seq, b.Seq) })
	p.Words = append(slices.Clip(p.Words), slices.DeleteFunc(slices.Clone(from.Words),
		func(w Word) bool { return w.Seq < from.Reopened })...)
	slices.SortStableFunc(p.Words, func(a, b Word) int { return cmp.Compare(a.Seq, b.Seq) })
	p.Violates = append(slices.Clip(p.Violates), from.Violates...)
	for _, score := range from.Scores {
		if p.Score(score.Seat) == nil {
			// Only the confidence moves to the new claim: the seat's opinion of the old
			// words is kept.
			p.Scores = append(slices.Clip(p.Scores), score)
		}
	}
	if len(p.Predicates()) == 0 {
		p.Stated, p.Given = from.Stated, from.Given
	}
	p.Blocked = cmp.Or(p.Blocked, from.Blocked)
	if from.Holder != "" && from.Holder != p.Holder {
		p.Holder = strings.TrimPrefix(p.Holder+", "+from.Holder, ", ")
	}
}

// moveItems moves the challenges, evidence and requests of a merged point to the other point.
func (s *State) moveItems(from *Point, into string) {
	for _, id := range from.Challenges {
		s.Challenges = s.Challenges.Update(Index(id, 'C'), func(c *Challenge) { c.Point = into })
	}
	for _, id := range from.Evidence {
		s.Evidence = s.Evidence.Update(Index(id, 'E'), func(i *evidence) { i.Point = into })
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

func (e *PointsPaired) Fold(s *State) error {
	for _, id := range []string{e.A, e.B} {
		if s.Point(id) == nil {
			return Unknown("point", id)
		}
	}
	s.Pairs = s.Pairs.Append(e)
	return nil
}

// PointClassified is a seat's verdict on another's point (RD3). The resolver decides what it counts
// for.
type PointClassified struct {
	Point  string `json:"point"`
	By     Seat   `json:"by"`
	Class  Class  `json:"class"`
	Reason string `json:"reason"`
	// Rests are the citations that came with a reversal and would be its cause (ST1): an AGREE counts once one
	// of them is verified, an objection until none is. Challenge is the challenge that the objection raised.
	Rests     []string `json:"rests,omitzero"`
	Challenge string   `json:"challenge,omitempty"`
}

func (e *PointClassified) Fold(s *State) error {
	return s.ChangePoint(e.Point, func(p *Point) {
		p.Deferred = slices.DeleteFunc(slices.Clone(p.Deferred), func(d Deferred) bool { return d.By == e.By })
		if len(e.Rests) > 0 {
			p.Deferred = append(p.Deferred, Deferred{PointClassified: *e, Seq: s.Seq})
			if e.Class == Agree {
				return
			}
		}
		p.Classes = append(slices.Clip(p.Classes), Classification{
			Seat: e.By, Class: e.Class, Round: s.Round, Reason: e.Reason, Seq: s.Seq, ByRules: s.ByRules(e.By),
		})
		p.say(s, e.By, string(e.Class), e.Reason, "")
	})
}

// KindCalled is a judging seat's word on the kind of a point (KI). The resolver decides what it counts for.
type KindCalled struct {
	Point string `json:"point"`
	By    Seat   `json:"by"`
	Kind  Kind   `json:"kind"`
	// Check names a file, command or measurement that would check the point, if the seat calls it empirical; else it
	// is "".
	Check string `json:"check"`
}

func (e *KindCalled) Fold(s *State) error {
	return s.ChangePoint(e.Point, func(p *Point) {
		p.Calls = append(slices.DeleteFunc(slices.Clone(p.Calls), func(c KindCall) bool { return c.Seat == e.By }),
			KindCall{Seat: e.By, Kind: e.Kind, Check: e.Check, Seq: s.Seq})
	})
}

// PremiseNamed says that a point rests on another one (KI).
type PremiseNamed struct {
	Point string `json:"point"`
	// Needs is the point that it rests on.
	Needs string `json:"needs"`
	By    Seat   `json:"by"`
}

func (e *PremiseNamed) Fold(s *State) error {
	if s.Point(e.Needs) == nil {
		return Unknown("point", e.Needs)
	}
	return s.ChangePoint(e.Point, func(p *Point) {
		if !slices.Contains(p.Needs, e.Needs) {
			p.Needs = append(slices.Clip(p.Needs), e.Needs)
		}
	})
}

// say adds a word of a seat.
func (p *Point) say(s *State, by Seat, word, reason, challenge string) {
	p.Words = append(slices.Clip(p.Words), Word{
		Seat: by, Round: s.Round, Word: word, Reason: reason, Challenge: challenge, Seq: s.Seq,
	})
}

// PointRevised says that a point was replaced by a new form of it (RD5): the
// old one is superseded and its challenges end.
type PointRevised struct {
	Point string `json:"point"`
	// New is the point that replaces it.
	New string `json:"new"`
	By  Seat   `json:"by"`
}

func (e *PointRevised) Fold(s *State) error {
	if s.Point(e.New) == nil {
		return Unknown("point", e.New)
	}
	old := s.Point(e.Point)
	if old == nil {
		return Unknown("point", e.Point)
	}
	// Its evidence moves to the new point, but must be accepted again.
	items := old.Evidence
	for _, id := range items {
		s.Evidence = s.Evidence.Update(Index(id, 'E'), func(i *evidence) { i.Point, i.Accepted = e.New, nil })
	}
	s.touchPoint(e.New, func(p *Point) {
		p.Evidence = append(slices.Clip(p.Evidence), items...)
		p.Needs = append(slices.Clip(p.Needs), old.Needs...)
		// A point that was called empirical stays empirical until the seats or the user say otherwise.
		if old.UserKind == Empirical {
			p.UserKind = Empirical
		}
		for _, call := range old.Calls {
			if call.Kind == Empirical {
				p.Calls = append(slices.Clip(p.Calls), call)
			}
		}
	})
	for _, id := range old.Challenges {
		s.Challenges = s.Challenges.Update(Index(id, 'C'), func(c *Challenge) {
			if !c.Settled() {
				c.Status, c.Revised = StandsEnded, true
			}
		})
	}
	return s.ChangePoint(e.Point, func(p *Point) { p.RevisedBy, p.Evidence = e.New, nil })
}

// PointConceded says that an author gives up the whole point (AC6).
type PointConceded struct {
	Point  string `json:"point"`
	By     Seat   `json:"by"`
	Reason string `json:"reason"`
}

func (e *PointConceded) Fold(s *State) error {
	return s.ChangePoint(e.Point, func(p *Point) { concede(p, e.By, e.Reason, s) })
}

// Holds reports whether the seat is an author who did not concede the point.
func (p *Point) Holds(seat Seat) bool {
	return p.IsAuthor(seat) && !slices.ContainsFunc(p.Concessions, func(c Concession) bool { return c.Seat == seat })
}

func concede(p *Point, by Seat, reason string, s *State) {
	if !slices.ContainsFunc(p.Concessions, func(c Concession) bool { return c.Seat == by }) {
		p.Concessions = append(slices.Clip(p.Concessions), Concession{Seat: by, Round: s.Round, Seq: s.Seq})
		p.say(s, by, WordConcede, reason, "")
	}
}

// PointBlocked is a valid claim that a measurement is missing (CH7).
type PointBlocked struct {
	Point string `json:"point"`
	Blocked
}

func (e *PointBlocked) Fold(s *State) error {
	blocked := e.Blocked
	blocked.Seq, blocked.Round = s.Seq, s.Round
	return s.ChangePoint(e.Point, func(p *Point) { p.Blocked = &blocked })
}

// PointDeadlocked classifies a dispute that does not end (EX8).
type PointDeadlocked struct {
	Point string   `json:"point"`
	Class Deadlock `json:"class"`
	// Crux says what would resolve it.
	Crux string `json:"crux"`
}

func (e *PointDeadlocked) Fold(s *State) error {
	return s.ChangePoint(e.Point, func(p *Point) { p.Deadlock, p.DeadlockCrux = e.Class, e.Crux })
}

// PointNoted is a remark on a point. It has no effect on rulings, unless it says what a seat means by the point.
type PointNoted struct {
	Point string `json:"point"`
	Text  string `json:"text"`
	// By is the seat that says what the point, or a term of it, means; Term is that term or "", Means the meaning.
	By    Seat   `json:"by,omitempty"`
	Term  string `json:"term,omitempty"`
	Means string `json:"means,omitempty"`
}

func (e *PointNoted) Fold(s *State) error {
	s.Notes = s.Notes.Append(e)
	if e.By == "" {
		return nil
	}
	return s.ChangePoint(e.Point, func(p *Point) {
		p.Terms = append(slices.Clip(p.Terms), Definition{Seat: e.By, Term: e.Term, Means: e.Means, Seq: s.Seq})
	})
}

// ViolationNamed says that, in a seat's judgment, a point contradicts a user fact (AC5); it counts
// once the user confirms it.
type ViolationNamed struct {
	Point string `json:"point"`
	Fact  string `json:"fact"`
	By    Seat   `json:"by"`
	// Words quotes the conflicting part of the point. Confirmed is the user's answer; the user's
	// event without it denies the conflict.
	Words     string `json:"words,omitempty"`
	Confirmed bool   `json:"confirmed"`
}

func (e *ViolationNamed) Fold(s *State) error {
	if s.Fact(e.Fact) == nil {
		return Unknown("fact", e.Fact)
	}
	return s.ChangePoint(e.Point, func(p *Point) {
		p.Violates = slices.Clone(p.Violates)
		if e.By == User {
			for i := range p.Violates {
				if v := &p.Violates[i]; v.Fact == e.Fact {
					v.Confirmed, v.Denied = e.Confirmed, !e.Confirmed
				}
			}
			if slices.ContainsFunc(p.Violates, func(v Violation) bool { return v.Fact == e.Fact }) {
				return
			}
		}
		p.Violates = append(p.Violates, Violation{
			Fact: e.Fact, By: e.By, Words: e.Words, Confirmed: e.Confirmed,
			Denied: e.By == User && !e.Confirmed,
		})
	})
}

// ChallengeRaised is an attack on a point (RD4).
type ChallengeRaised struct {
	ID    string `json:"id"`
	Point string `json:"point"`
	By    Seat   `json:"by"`
	// Kind must be SKEPTICAL or REJECT.
	Kind Class `json:"what"`
	// Objection is the flaw in one sentence, UpgradeIf what would remove it.
	Objection string `json:"objection"`
	UpgradeIf string `json:"upgrade_if"`
	// FlawKind, Grounds and WhyNotSkeptical complete a REJECT (RD3).
	FlawKind        Kind   `json:"flaw_kind"`
	Grounds         string `json:"grounds"`
	WhyNotSkeptical string `json:"why_not_skeptical"`
	// Narrower is the claim that would stand, as the challenger sees it.
	Narrower string `json:"narrower,omitempty"`
	// About is the item on which a challenge of code rests, or the point that says the opposite, or "".
	About string `json:"about,omitempty"`
	// Facts are the packet's facts that contradict the claim, in a closed world.
	Facts []string `json:"facts,omitzero"`
}

func (e *ChallengeRaised) Fold(s *State) error {
	if want := NextID('C', s.Challenges.Len()); e.ID != want {
		return fmt.Errorf("the next challenge is %s, not %q", want, e.ID)
	}
	err := s.ChangePoint(e.Point, func(p *Point) { p.Challenges = append(slices.Clip(p.Challenges), e.ID) })
	if err != nil {
		return err
	}
	s.Challenges = s.Challenges.Append(&Challenge{
		ChallengeRaised: *e, Status: StandsOpen, Round: s.Round, Disputed: s.Round, Seq: s.Seq,
	})
	return nil
}

// ChangeChallenge changes a copy of a challenge and marks its point as touched.
func (s *State) ChangeChallenge(id string, f func(*Challenge)) error {
	c := s.Challenge(id)
	if c == nil {
		return Unknown("challenge", id)
	}
	s.Challenges = s.Challenges.Update(Index(id, 'C'), func(c *Challenge) {
		c.Seq = s.Seq
		f(c)
	})
	s.touchPoint(c.Point, nil)
	return nil
}

// ChallengeAnswered is a defense (CH1).
type ChallengeAnswered struct {
	Challenge string `json:"challenge"`
	By        Seat   `json:"by"`
	Text      string `json:"text"`
	// Blocked says that the answer is a BLOCKED (CH7).
	Blocked bool `json:"blocked,omitempty"`
	// Facts are the cited facts of the packet, in a closed world.
	Facts []string `json:"facts,omitzero"`
}

func (e *ChallengeAnswered) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) {
		c.Status, c.Confirm = StandsAnswered, false
		c.Defenses = append(slices.Clip(c.Defenses), Defense{
			Round: s.Round, By: e.By, Text: e.Text, Facts: slices.Clone(e.Facts), Blocked: e.Blocked, Seq: s.Seq,
		})
	})
}

// ChallengeJudged is the challenger's verdict on the last defense (CH5).
type ChallengeJudged struct {
	Challenge string   `json:"challenge"`
	By        Seat     `json:"by"`
	Judgment  Judgment `json:"judgment"`
	Reason    string   `json:"reason"`
	// Reopens says that the author gets one more window.
	Reopens bool `json:"reopens"`
}

func (e *ChallengeJudged) Fold(s *State) error {
	c := s.Challenge(e.Challenge)
	if c != nil && len(c.Defenses) == 0 {
		return fmt.Errorf("challenge %s has no defense to judge", e.Challenge)
	}
	if c != nil {
		s.touchPoint(c.Point, func(p *Point) { p.say(s, e.By, string(e.Judgment), e.Reason, e.Challenge) })
	}
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) {
		defenses := slices.Clone(c.Defenses)
		last := &defenses[len(defenses)-1]
		last.Judgment, last.Reason = e.Judgment, e.Reason
		c.Defenses, c.Seq = defenses, s.Seq
		switch {
		case e.Reopens:
			// The author gets a fresh window, with a reminder of its own.
			c.Status, c.ReminderSent = StandsOpen, false
		case e.Judgment == Rejected:
			c.Status = StandsUpheld
		case last.Blocked:
			c.Status = StandsBlocked
		default:
			c.Status = StandsDefended
		}
	})
}

// ChallengeDropped says that an author's reply did not reference it (CH2).
type ChallengeDropped struct {
	Challenge string `json:"challenge"`
}

func (e *ChallengeDropped) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) { c.Status = StandsDropped })
}

// ChallengeReminded says that the author was reminded and has one more window (CH2).
type ChallengeReminded struct {
	Challenge string `json:"challenge"`
}

func (e *ChallengeReminded) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) { c.Status, c.ReminderSent = StandsReminded, true })
}

// ChallengeUnconfirmed says that a passage seems to answer the challenge
// without its id: the author is asked to confirm (CH4).
type ChallengeUnconfirmed struct {
	Challenge string `json:"challenge"`
	Text      string `json:"text"`
}

func (e *ChallengeUnconfirmed) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) { c.Confirm, c.Unconfirmed = true, e.Text })
}

// ChallengeUndefended says that the last window passed without an answer
// (CH2, CH3).
type ChallengeUndefended struct {
	Challenge string `json:"challenge"`
	Reason    string `json:"reason"`
}

func (e *ChallengeUndefended) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) { c.Status = StandsUndefended })
}

// ChallengeConceded is an explicit concession (CH1). The author gives up
// the point that was challenged.
type ChallengeConceded struct {
	Challenge string `json:"challenge"`
	By        Seat   `json:"by"`
	Reason    string `json:"reason"`
}

func (e *ChallengeConceded) Fold(s *State) error {
	c := s.Challenge(e.Challenge)
	if c == nil {
		return Unknown("challenge", e.Challenge)
	}
	s.touchPoint(c.Point, func(p *Point) { concede(p, e.By, e.Reason, s) })
	if _, all := s.Point(c.Point).Conceded(); !all {
		// The challenge stays open for the authors that still hold the point.
		return nil
	}
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) { c.Status = StandsConceded })
}

// ChallengeGranted says that a defender that is no author gave way on a point of the user, who decides.
type ChallengeGranted struct {
	Challenge string `json:"challenge"`
	By        Seat   `json:"by"`
	Reason    string `json:"reason"`
}

func (e *ChallengeGranted) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) {
		c.Status, c.Confirm, c.GrantedBy, c.GrantReason = StandsGranted, false, e.By, e.Reason
	})
}

// ChallengeReopened says that the user holds a point on which a defender gave way: it has to be answered.
type ChallengeReopened struct {
	Challenge string `json:"challenge"`
	By        Seat   `json:"by"`
}

func (e *ChallengeReopened) Fold(s *State) error {
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) {
		c.Status, c.ReminderSent, c.GrantedBy, c.GrantReason = StandsOpen, false, "", ""
	})
}

// Conceded reports whether all authors of the point conceded it (AC6), and in
// which round the last did.
func (p *Point) Conceded() (int, bool) {
	if len(p.Authors) == 0 || slices.ContainsFunc(p.Authors, p.Holds) {
		return 0, false
	}
	round := 0
	for _, c := range p.Concessions {
		round = max(round, c.Round)
	}
	return round, true
}

// Requested is something that the protocol asks of seats about a point, once.
type Requested struct {
	Point string      `json:"point"`
	Kind  RequestKind `json:"what"`
	// Of are the seats asked, By who asked.
	Of   []Seat `json:"of"`
	By   Seat   `json:"by"`
	Text string `json:"text"`
	// About is the challenge that it concerns, or "".
	About string `json:"about,omitempty"`
	Wanted
}

// Wanted is evidence that is asked for in a form that code checks: one of Command, Query, Lookup, URL and Reference. The
// request says what its result means; the seat that brings the result does not.
type Wanted struct {
	// Command is in its normal form, without "$ ". Query is a text or a regular expression in slashes.
	Command string `json:"command,omitempty"`
	Query   string `json:"query,omitempty"`
	Lookup  string `json:"lookup,omitempty"`
	URL     string `json:"url,omitempty"`
	// Reference is of a kind of evidence that the session recorded, as "CALLERS Open = 0".
	Reference string `json:"reference,omitempty"`
	// Expect is the expected result of the check. Clears says which result clears the challenge.
	Expect string      `json:"expect,omitempty"`
	Clears CheckResult `json:"clears,omitempty"`
	// Evidence is the item that the check decides on, or "" if no checker exists. Lacks says why.
	Evidence string `json:"evidence,omitempty"`
	Lacks    string `json:"lacks,omitempty"`
}

// Typed reports whether code can tell if the request is answered.
func (w *Wanted) Typed() bool { return w.Command+w.Query+w.Lookup+w.URL+w.Reference != "" }

func (e *Requested) Fold(s *State) error {
	at := s.Requests.Len()
	if err := s.ChangePoint(e.Point, func(p *Point) { p.Asked = append(slices.Clip(p.Asked), at) }); err != nil {
		return err
	}
	s.Requests = s.Requests.Append(&Request{Requested: *e, Round: s.Round, Seq: s.Seq})
	if e.Kind != RequestTerms || e.About == "" {
		return nil
	}
	// Once both sides have said what they mean, the judge judges the last answer again (EX8).
	return s.ChangeChallenge(e.About, func(c *Challenge) {
		if last := c.Last(); c.Status == StandsUpheld && last != nil {
			again := *last
			again.Round, again.Judgment, again.Reason, again.Again, again.Seq = s.Round, Unjudged, "", true, s.Seq
			c.Status, c.Defenses = StandsAnswered, append(slices.Clip(c.Defenses), again)
		}
	})
}

// RequestSettled ends the open requests of a kind on a point: they were answered, or their window
// passed.
type RequestSettled struct {
	Point    string      `json:"point"`
	What     RequestKind `json:"what"`
	Answered bool        `json:"answered"`
	// By is the seat that answered, or whose window passed.
	By   Seat   `json:"by"`
	Text string `json:"text"`
	// About narrows it to the requests that concern a challenge; "" is all.
	About string `json:"about,omitempty"`
}

func (e *RequestSettled) Fold(s *State) error {
	p := s.Point(e.Point)
	if p == nil {
		return Unknown("point", e.Point)
	}
	for _, at := range p.Asked {
		r := s.Requests.At(at)
		if r == nil || r.Kind != e.What || !r.Open() || e.About != "" && r.About != e.About {
			continue
		}
		s.Requests = s.Requests.Update(at, func(r *Request) {
			r.Answered, r.Passed, r.Seq = e.Answered, !e.Answered, s.Seq
		})
	}
	s.touchPoint(e.Point, nil)
	return nil
}

// ConfidenceReported is a seat's number for a point (ST3).
type ConfidenceReported struct {
	Seat  Seat   `json:"seat"`
	Point string `json:"point"`
	// Stated is the seat's number, Admitted what counts, both 0 to 1.
	Stated   float64 `json:"stated"`
	Admitted float64 `json:"admitted"`
	// Cause is the id or words that the seat named for a change.
	Cause string `json:"cause"`
}

func (e *ConfidenceReported) Fold(s *State) error {
	if s.Point(e.Point) == nil {
		return Unknown("point", e.Point)
	}
	s.Confidence = s.Confidence.Append(&Confidence{*e, s.Round})
	s.Points = s.Points.Update(Index(e.Point, 'P'), func(p *Point) {
		now := Score{Seat: e.Seat, Stated: e.Stated, Admitted: e.Admitted, Cause: e.Cause, Round: s.Round, Seq: s.Seq}
		p.Scores = append(slices.DeleteFunc(slices.Clone(p.Scores), func(c Score) bool { return c.Seat == e.Seat }),
			now)
	})
	return nil
}

// DriftDetected is a reversed position (ST1). Kept means that the earlier one still applies.
type DriftDetected struct {
	Seat  Seat   `json:"seat"`
	Point string `json:"point"`
	From  string `json:"from"`
	To    string `json:"to"`
	Kept  bool   `json:"kept"`
	// Challenge was raised by an objection whose citations were all refused: it continues as SKEPTICAL or, in
	// CRYSTALLIZATION, ends.
	Challenge string `json:"challenge,omitempty"`
}

func (e *DriftDetected) Fold(s *State) error {
	s.Drifts = s.Drifts.Append(&Drift{*e, s.Round})
	p := s.Point(e.Point)
	if p == nil {
		return Unknown("point", e.Point)
	}
	for _, d := range p.Deferred {
		if d.By == e.Seat {
			s.touchPoint(e.Point, func(p *Point) {
				p.Deferred = slices.DeleteFunc(slices.Clone(p.Deferred),
					func(o Deferred) bool { return o.Seq == d.Seq })
				p.Classes = slices.DeleteFunc(slices.Clone(p.Classes),
					func(c Classification) bool { return c.Seat == d.By && c.Seq == d.Seq })
			})
		}
	}
	if e.Challenge == "" {
		return nil
	}
	return s.ChangeChallenge(e.Challenge, func(c *Challenge) {
		switch {
		case s.Phase == Crystallization && !c.Settled():
			c.Status = StandsEnded
		case c.Kind == Reject:
			c.Kind = Skeptical
		}
	})
}
