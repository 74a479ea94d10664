package resolver

import (
	"slices"
	"strings"

	"moot/resolver/dialectic"
	"moot/state"
)

// Explanation says why a point is where it is: the rule that fired, what it
// read, and what would change it. Its strings quote seats and sources as they
// wrote: who draws them escapes them.
type Explanation struct {
	// Point is the id, Text the claim in its author's words.
	Point, Text string
	// Ruling is the ruling that is explained.
	Ruling state.Ruling
	// Where is the bucket in words, with its tag or status: "Dismissed,
	// REJECTED". Means says what that word stands for.
	Where, Means string
	// Rule is the rule's name, Says what it says of any point.
	Rule, Says string
	// Sentence is what the rule says of this point: names, ids, rounds.
	Sentence string
	// Before are earlier rules that nearly fired, with what they lacked.
	Before []NearMiss
	// Reads are the items that the rule read, in its order.
	Reads []Reading
	// Changes are what would move the point, the nearest first, at most 8;
	// More counts those that were left out.
	Changes []Change
	More    int
	// Council is how a claim of a council stands and which way it came; nil in other
	// formats, and where only the rule was asked for.
	Council *CouncilExplanation
	// Hearing is the same of the question of a hearing, and of its claims.
	Hearing *HearingExplanation
	// Limit says what bounds the changes ("Nothing but you can change it
	// now."), or is "".
	Limit string
}

// NearMiss is a rule that came close and did not fire.
type NearMiss struct {
	// Rule is the rule's name, Words what it lacked, in a sentence.
	Rule, Words string
}

// Reading is one item that a rule read, or that there is to see beside that.
type Reading struct {
	// ID is as in the receipt: C2, E4, P1, F3, K1, or #41 for an event. In the format
	// dialectic it may be a gate: G3.
	ID string
	// What the item is and says, in words.
	What string
}

// Change is one other place in which the point would be, and what leads there.
type Change struct {
	// If is the condition as a clause with its conjunction, "If C2 is
	// answered …" or, where it can no longer happen, "Had C2 been answered …".
	If string
	// Then is the ruling that the first way gives, Words its bucket in words.
	Then  state.Ruling
	Words string
	// Proposal says in a clause what becomes of the proposal with it, where that
	// is another thing than what was decided; "" else, and in other formats.
	Proposal string
	// Who could bring it about.
	Who Mover
	// Ways are all the ways that were found, the nearest first. If names the
	// first ones.
	Ways []Way
}

// Outcome is where it leads, in words: "Agreed, textual; the proposal advances".
func (c *Change) Outcome() string {
	switch {
	case c.Proposal == "":
		return c.Words
	case c.Words == "":
		return c.Proposal
	}
	return c.Words + "; " + c.Proposal
}

// Way is one supposed course of events, and the ruling that follows.
type Way struct {
	// If is the clause without its conjunction.
	If string
	// Past says that the course is no longer possible: it would have led there.
	Past bool
	Who  Mover
	// Events follow the last one of the state, in this order. They are such as
	// the protocol would write; texts and references in them stand for others.
	Events []state.Payload
	Then   state.Ruling
	// Decision is what code decides of the proposal then; "" where nothing is
	// left to decide on, and in other formats. Proposal is as in Change.
	Decision dialectic.Decision
	Proposal string
	// far says that evidence comes before it, though seats would do it.
	far bool
}

// distance orders ways by how near they are to what can happen next.
func (w *Way) distance() int {
	if w.far {
		return 2*slices.Index(Movers(), MovedByEvidence) + 1
	}
	return 2 * slices.Index(Movers(), w.Who)
}

// Mover says who or what would bring a change about.
type Mover string

// The movers, the nearest first: the seats' next moves, evidence that comes
// or fails, the end of the session, the user.
const (
	MovedBySeats    Mover = "seats"
	MovedByEvidence Mover = "evidence"
	MovedBySession  Mover = "session"
	MovedByUser     Mover = "user"
)

// Movers returns every Mover, the nearest first.
func Movers() []Mover { return []Mover{MovedBySeats, MovedByEvidence, MovedBySession, MovedByUser} }

// String returns the word itself.
func (m Mover) String() string { return string(m) }

// Explain says why the ruling on a point is what it is. The ruling is the one
// that Rule or RuleOne gives for the state; of a point that the state does not
// hold, the explanation only repeats it.
func Explain(s state.State, r state.Ruling) Explanation {
	e := because(&s, &r, nil)
	if p := s.Point(r.Point); p != nil {
		systemOf(s.Settings.Format).explain(&s, p, &e)
	}
	return e
}

// Because is what Explain says of the rule and of what it read, without what came
// close and what would change it: it costs far less. Came is where the objections to
// the session's proposal stand; nil where there is none, or has it read anew.
func Because(s state.State, r state.Ruling, came *Objected) Explanation {
	return because(&s, &r, came)
}

func because(s *state.State, r *state.Ruling, came *Objected) Explanation {
	e := Explanation{
		Point: r.Point, Ruling: *r, Where: Where(r), Means: Meaning(r), Rule: r.Rule, Says: RuleSays(r.Rule),
		Sentence: sentence(r.Reason),
	}
	if p := s.Point(r.Point); p != nil {
		e.Text = p.Text
		systemOf(s.Settings.Format).because(s, p, &e, came)
	}
	return e
}

// becausePoint says what a rule of acceptance says and read.
func becausePoint(s *state.State, p *state.Point, e *Explanation, _ *Objected) {
	b := systemOf(s.Settings.Format).bench(s, p)
	e.Sentence = b.because(&e.Ruling)
	e.Reads = b.readings(&e.Ruling)
}

// explainPoint completes the explanation of a ruling of acceptance.
func explainPoint(s *state.State, p *state.Point, e *Explanation) {
	b := systemOf(s.Settings.Format).bench(s, p)
	e.Before = b.nearly(e.Rule)
	w := &whatIf{bench: b, base: e.Ruling}
	e.Changes, e.More = w.changes()
	e.Limit = w.limit()
}

// sentence makes a clause a sentence.
func sentence(clause string) string {
	clause = strings.TrimSpace(clause)
	if clause == "" {
		return ""
	}
	clause = capital(clause)
	if !strings.ContainsAny(clause[len(clause)-1:], ".?!") {
		clause += "."
	}
	return clause
}

// capital raises the first letter; only ASCII letters stand first in what moot
// writes.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
