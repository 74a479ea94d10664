package state

import (
	"math"
	"slices"
	"time"

	"moot/internal/lists"
)

// Classification is one seat's verdict on a point. The resolver decides what it counts for.
type Classification struct {
	Seat  Seat  `json:"seat"`
	Class Class `json:"class"`
	Round int   `json:"round"`
	// Reason is the flaw of SKEPTICAL and REJECT, or why the seat agrees.
	Reason string `json:"reason"`
	Seq    int    `json:"-"`
	// ByRules says that the built-in rules filled the seat: their verdict does not count (RV2).
	ByRules bool `json:"-"`
	// Withdrawn is set once the seat took it back (RV3).
	Withdrawn bool `json:"-"`
}

// Deferred is a reversal that waits for the check of its citations (ST1), and its event's number.
type Deferred struct {
	PointClassified
	Seq int
}

// Word is a seat's judgment of a point as a whole, with its reason: a class, CONCEDE, or its judgment of an answer to a
// challenge. Nothing takes it off the record; Point.InForce says whether it still counts.
type Word struct {
	Seat         Seat
	Round        int
	Word, Reason string
	// Challenge is the challenge whose answer was judged, or "".
	Challenge string
	Seq       int
}

// WordConcede is the word of an author that gave up its point.
const WordConcede = "CONCEDE"

// UserRuling is the user's ruling on a point (AC1).
type UserRuling struct {
	Bucket Bucket
	Reason string
	Round  int
	// Intended says that the user dismissed a finding because the change is meant to do that.
	Intended bool
	// Seq is the sequence number of the override, Channel the way it came.
	Seq     int
	Channel Channel
}

// Blocked is a valid claim that a measurement is missing (CH7).
type Blocked struct {
	By          Seat   `json:"by"`
	Measurement string `json:"measurement"`
	Threshold   string `json:"threshold"`
	// Below and Above say how the verdict changes on each side.
	Below string `json:"below"`
	Above string `json:"above"`
	Round int    `json:"round"`
	Seq   int    `json:"-"`
}

// Concession says that an author gave up a point.
type Concession struct {
	Seat  Seat
	Round int
	// Seq is the sequence number of the concession.
	Seq int
}

// Definition says what a seat means by a point, or by one of its terms.
type Definition struct {
	Seat Seat
	// Term is "" for the point as a whole.
	Term, Means string
	Seq         int
}

// Point is a claim under deliberation.
type Point struct {
	ID, Text string
	// Authors are the seats that hold it, including those of merged points.
	Authors []Seat
	// WordedBy is the seat that worded it for its author, or "".
	WordedBy Seat
	Round    int
	Phase    Phase
	// Proposed is the kind that its author proposed, or the framing gave if it is Framed; "" if there was no proposal.
	// Joined are the proposals of merged points. Calls are the kinds that the judging seats give it, and
	// UserKind is the kind set by the user, or "" (KI).
	Proposed Kind
	Framed   bool
	Joined   []KindProposal
	Calls    []KindCall
	UserKind Kind
	// Needs are the points that it rests on, as a seat named them.
	Needs []string
	// Label is how its author knows it, by its own account: EVIDENCE, INFERENCE, GUESS.
	Label string
	// Holder is the stakeholder with this view; Option and Criterion identify a comparison
	// (framings synthesize and compare).
	Holder, Option, Criterion string
	// Theme is the group that triage put it in.
	Theme       string
	Scope       Scope
	ScopeReason string
	// LateTag is the label of a late point (PH4).
	LateTag Tag
	// Refused says that the user refused the anchor shift that it asks for.
	Refused bool
	// Placed says that the user decided its scope, so no seat can change it.
	Placed bool

	Classes []Classification
	// Deferred are reversals that wait for the check of the citations that came with them (ST1).
	Deferred   []Deferred
	Aliases    []string
	MergedInto string
	// Revises is the point that this one replaces, RevisedBy the one that
	// replaced it (RD5).
	Revises, RevisedBy string
	// Stated are the predicates in the text. Given is a predicate from its author, if
	// the text states nothing or the same of a shorter path.
	Stated []Predicate
	Given  *Predicate
	// Violates are user facts that a seat says the point contradicts.
	Violates []Violation

	Challenges, Evidence []string
	Concessions          []Concession
	UserRuling           *UserRuling
	// UserRulings are all rulings of the user, also those that a later one or a reopening voided.
	UserRulings []UserRuling
	// Words are the judgments of the seats, in order.
	Words []Word
	// Reopened is the sequence number of the user's last reopening; only later events
	// of the kinds that AC1 names count.
	Reopened int
	Blocked  *Blocked
	// Terms are the meanings that seats give to the point or its terms.
	Terms    []Definition
	Deadlock Deadlock
	// DeadlockCrux says what would resolve it.
	DeadlockCrux string
	// Asked are the requests on the point, by place in State.Requests.
	Asked []int
	// Scores are the last reports of confidence in it, one for a seat.
	Scores []Score
	// Facts are the facts of the packet that support it, in a closed world.
	Facts []string
	// Own holds what the format adds to the point, or is nil. It is never changed in place.
	Own any
	// Raised is the sequence number of the event that raised it, Seq that of the last event that bears on it.
	Raised, Seq int
}

// InForce reports whether a word was neither taken back nor voided by a reopening.
func (p *Point) InForce(w *Word) bool {
	if w.Seq <= p.Reopened {
		return false
	}
	if w.Challenge != "" || w.Word == WordConcede {
		return true
	}
	return slices.ContainsFunc(p.Classes, func(c Classification) bool { return c.Seq == w.Seq && !c.Withdrawn })
}

// Predicates returns what the point claims in a form that code can compare. What a seat gives as well never replaces
// what the text states.
func (p *Point) Predicates() []Predicate {
	if len(p.Stated) > 0 || p.Given == nil {
		return p.Stated
	}
	return []Predicate{*p.Given}
}

// KindProposal is the kind that a point was raised with, before it was merged.
type KindProposal struct {
	// Text is the text of the point, By its author.
	Text string
	By   Seat
	Kind Kind
	// Framed says that the framing gave the kind, or the user.
	Framed bool
}

// Proposals returns the kinds that the point and those merged into it were raised with.
func (p *Point) Proposals() []KindProposal {
	own := KindProposal{Text: p.Text, Kind: p.Proposed, Framed: p.Framed}
	if len(p.Authors) > 0 {
		own.By = p.Authors[0]
	}
	if p.UserKind != "" {
		own.Kind, own.Framed = p.UserKind, true
	}
	return append([]KindProposal{own}, p.Joined...)
}

// KindCall is the kind that a judging seat gives a point; for an empirical one, Check says how to check it.
type KindCall struct {
	Seat  Seat
	Kind  Kind
	Check string
	Seq   int
}

// Called returns the last kind that a judging seat called the point, or "".
func (p *Point) Called(seat Seat) Kind {
	for _, c := range p.Calls {
		if c.Seat == seat {
			return c.Kind
		}
	}
	return ""
}

// Score is the last confidence of a seat in a point, 0 to 1.
type Score struct {
	Seat Seat `json:"seat"`
	// Stated is the seat's number, Admitted what counts (ST3).
	Stated   float64 `json:"stated"`
	Admitted float64 `json:"admitted"`
	Cause    string  `json:"cause"`
	Round    int     `json:"round"`
	Seq      int     `json:"-"`
}

// Score returns the last report of the seat, or nil.
func (p *Point) Score(seat Seat) *Score {
	return first(p.Scores, func(s *Score) bool { return s.Seat == seat })
}

// IsAuthor reports whether the seat holds the point.
func (p *Point) IsAuthor(seat Seat) bool { return slices.Contains(p.Authors, seat) }

// Latest returns the seat's last verdict on the point, or nil. Verdicts that the seat took back, or
// that the user voided by reopening the point, do not count.
func (p *Point) Latest(seat Seat) *Classification {
	return lists.Last(p.Classes, func(c *Classification) bool {
		return c.Seat == seat && c.Seq > p.Reopened &&
			!c.Withdrawn
	})
}

// LastVerdict is Latest including verdicts that the seat took back (ST1).
func (p *Point) LastVerdict(seat Seat) *Classification {
	return lists.Last(p.Classes, func(c *Classification) bool { return c.Seat == seat && c.Seq > p.Reopened })
}

// VerdictBefore is LastVerdict as it was before an event.
func (p *Point) VerdictBefore(seat Seat, seq int) *Classification {
	return lists.Last(p.Classes, func(c *Classification) bool {
		return c.Seat == seat && c.Seq > p.Reopened && c.Seq < seq
	})
}

// Defenders returns the seats that answer challenges on the point: its authors; the
// orchestrator for the user's points.
func (p *Point) Defenders() []Seat {
	var seats []Seat
	_, conceded := p.Conceded()
	for _, a := range p.Authors {
		if !p.Holds(a) && !conceded {
			// It gave up the point; the other authors still hold it.
			continue
		}
		if a == User || a == Protocol {
			a = Orchestrator
		}
		if !slices.Contains(seats, a) {
			seats = append(seats, a)
		}
	}
	return seats
}

// Violation is a user fact that a point is accused of contradicting (AC5).
type Violation struct {
	Fact string
	By   Seat
	// Words quotes the part of the point that conflicts, as the seat named it.
	Words string
	// Confirmed and Denied are the user's answer.
	Confirmed, Denied bool
}

// Defense is one answer to a challenge.
type Defense struct {
	Round    int      `json:"round"`
	By       Seat     `json:"by"`
	Text     string   `json:"text"`
	Judgment Judgment `json:"judgment"`
	Reason   string   `json:"reason"`
	// Facts are the cited facts of the packet, in a closed world.
	Facts []string `json:"facts"`
	// Blocked says that a measurement is missing (CH7).
	Blocked bool `json:"blocked"`
	// Again says that it is the answer before, to be judged again with the terms of both sides (EX8).
	Again bool `json:"again,omitempty"`
	Seq   int  `json:"-"`
}

// Challenge is an attack on a point.
type Challenge struct {
	ChallengeRaised
	Status       ChallengeStatus
	Round        int
	ReminderSent bool
	// Confirm says that a defense without its id waits for the author's word
	// (CH4); Unconfirmed is its text.
	Confirm     bool
	Unconfirmed string
	Defenses    []Defense
	// GrantedBy is the defender that gave way on a point of the user, GrantReason why.
	GrantedBy   Seat
	GrantReason string
	// Since is the sequence number of the user's reopening: earlier defenses are void.
	// Disputed is the round from which the dispute counts (EX8).
	Since    int
	Disputed int
	// Revised is set if its point was revised before it was settled.
	Revised bool
	// Own holds what the format adds to the challenge, or is nil. It is never changed in place.
	Own any
	Seq int
}

// Last returns the defense that counts now, or nil.
func (c *Challenge) Last() *Defense {
	if n := len(c.Defenses); n > 0 && c.Defenses[n-1].Seq > c.Since {
		return &c.Defenses[n-1]
	}
	return nil
}

// RejectedDefenses counts the rejected defenses since the last reopening.
func (c *Challenge) RejectedDefenses() int {
	n := 0
	for i := range c.Defenses {
		if c.Defenses[i].Seq > c.Since && c.Defenses[i].Judgment == Rejected {
			n++
		}
	}
	return n
}

// Settled reports whether the challenge is over: its answer was accepted, or it was conceded,
// lost or taken back.
func (c *Challenge) Settled() bool {
	switch c.Status {
	case StandsConceded, StandsUndefended, StandsDefended, StandsBlocked, StandsEnded:
		return true
	case StandsOpen, StandsAnswered, StandsUpheld, StandsDropped, StandsReminded, StandsGranted:
	}
	return false
}

// AboutStop is Question.About of the offer to stop, which has no meaning once the session is over.
const AboutStop = "stop"

// Question is one that only the user can answer.
type Question struct {
	ID string `json:"id"`
	// Point is the point it is about, or "".
	Point string       `json:"point"`
	Kind  QuestionKind `json:"kind"`
	Text  string       `json:"text"`
	// Options are the answers that code understands; others are kept as text.
	Options []string `json:"options"`
	Answer  string   `json:"answer"`
	// Channel is the way the user's answer came, "" through a terminal.
	Channel Channel `json:"channel"`
	// Answered is set even if the answer is empty.
	Answered bool `json:"-"`
	// Withdrawn is set if code answered it because it needs no answer anymore.
	Withdrawn bool `json:"-"`
	Round     int  `json:"-"`
	// About is the fact or request it concerns, or "".
	About string `json:"-"`
}

// Request is something that the protocol asked of seats about a point.
type Request struct {
	Requested
	// Round is when it was made; it is shown from the next window on.
	Round int
	// Answered is set when a seat answered, Passed when its window passed without an answer.
	Answered, Passed bool
	Seq              int
}

// Open reports whether the request is neither answered nor passed.
func (r *Request) Open() bool { return !r.Answered && !r.Passed }

// Confidence is one report of a seat (ST3), with its round.
type Confidence struct {
	ConfidenceReported
	Round int `json:"round"`
}

// Drift is a reversed position (ST1), with its round.
type Drift struct {
	DriftDetected
	Round int `json:"round"`
}

// Flag is the arbiter's doubt about a point (AR).
type Flag struct {
	Point string `json:"point"`
	Text  string `json:"text"`
}

// Asked is the progress of one seat's stage in the round.
type Asked struct {
	Seat  Seat
	Stage Stage
	// Sent is the number of the event of the last prompt, or 0.
	Sent int
	// Replies counts valid replies, Failed format failures.
	Replies, Failed int
	// Refusals are moves of the last reply that were refused, for the retry.
	Refusals []Refusal
	// Shrunk counts the prompts since the last reply that the seat's endpoint
	// refused for their length (LE7).
	Shrunk int
}

// Refusal says why a move was not admitted.
type Refusal struct {
	// Move is the move's number in its reply, from 1; 0 is the whole reply.
	Move int    `json:"move"`
	Code string `json:"code"`
	Text string `json:"text"`
	// Said is the text of a move over a limit, shortened: the result lists it. It is "" for the others.
	Said string `json:"said,omitempty"`
}

// DroppedField is the code of a Refusal that only notes a field that was dropped: the move
// was kept without it.
const DroppedField = "dropped-field"

// NotTaken is the code of a Refusal of a move over a limit, Unread that of parts of a reply that hold
// places and were not read as points. The result names both.
const (
	NotTaken = "not-taken"
	Unread   = "unread"
)

// Untaken is a move that was not admitted because of a limit. The result lists it, so that no move
// vanishes.
type Untaken struct {
	Seat  Seat `json:"seat"`
	Round int  `json:"round"`
	// Text is its shortened text, and Reason names the limit.
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// SeatNotice tells a seat, in its next turn, of a field that its last reply lost.
type SeatNotice struct {
	Seat Seat
	Text string
}

// SeatCount is a count per seat.
type SeatCount struct {
	Seat  Seat
	Count int
}

// SeatUsage counts the tokens and the cost of a participant in a seat.
type SeatUsage struct {
	Seat        Seat
	Participant string
	Usage
}

// Usage is the total cost of the calls so far.
type Usage struct {
	Calls            int     `json:"calls"`
	PromptTokens     int     `json:"prompt_tokens"`
	CompletionTokens int     `json:"completion_tokens"`
	Cost             float64 `json:"cost"`
	// Estimated counts the calls whose tokens are estimated.
	Estimated int `json:"estimated,omitempty"`
	// Unpriced counts the calls whose price is unknown.
	Unpriced int `json:"unpriced,omitempty"`
}

// Tokens is the number of prompt and completion tokens.
func (u *Usage) Tokens() int { return add(u.PromptTokens, u.CompletionTokens) }

// Add adds the usage of other calls.
func (u *Usage) Add(more *Usage) {
	u.Calls += more.Calls
	u.PromptTokens = add(u.PromptTokens, more.PromptTokens)
	u.CompletionTokens = add(u.CompletionTokens, more.CompletionTokens)
	u.Cost = min(u.Cost+more.Cost, math.MaxFloat32) // JSON has no infinity.
	u.Estimated += more.Estimated
	u.Unpriced += more.Unpriced
}

// since returns the running time between two moments, never negative.
func since(from, to time.Time) time.Duration { return max(0, to.Sub(from)) }
