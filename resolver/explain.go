package resolver

import (
	"strings"

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
	e.Reads = b.readings(&e.Ruling)
}

// explainPoint completes the explanation of a ruling of acceptance.
func explainPoint(s *state.State, p *state.Point, e *Explanation) {
	e.Changes, e.More, e.Limit = newSearch(s, p, &e.Ruling).changes()
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
