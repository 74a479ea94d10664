package resolver

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
)

// Explanation explains the ruling on a point: the rule that applied, the items it
// read, and changes that would move the point. Its strings quote seats and sources
// verbatim; renderers escape them.
type Explanation struct {
	// Point is the id, Text the claim in its author's words.
	Point, Text string
	// Ruling is the ruling that is explained.
	Ruling state.Ruling
	// Rule is the rule's name, Says the rule for any point.
	Rule, Says string
	// Sentence applies the rule to this point: names, ids, rounds.
	Sentence string
	// Reads are the items that the rule read, in its order.
	Reads []Reading
	// Changes lists events that would move the point, the nearest first, at most 8; More
	// counts the others.
	Changes []Change
	More    int
	// Limit says what bounds the changes ("Nothing but you can change it
	// now."), or is "".
	Limit string
}

// Reading is one item that a rule read, or a related item.
type Reading struct {
	// ID is as in the receipt: C2, E4, P1, F3, K1, or #41 for an event. In the format
	// dialectic it may be a gate: G3.
	ID string
	// What describes the item in words.
	What string
}

// Explain explains the ruling on a point. The ruling is the one that Rule or RuleOne
// gives for the state. If the state has no such point, the explanation only repeats
// the ruling.
func Explain(s *state.State, r state.Ruling) Explanation {
	f := FormatOf(s)
	e, b := ExplainRule(s, &r, f)
	if s.ByEarlierRules() {
		e.Limit = "An earlier version of the rules decided this; what would change it is not computed."
		return e
	}
	if b != nil {
		f.Explain(b, &e)
		e.Changes, e.More, e.Limit = newSearch(s, b.Point, f, &e.Ruling).changes()
	}
	return e
}

// Because explains the rule and the items that it read, without near misses and
// possible changes. It costs far less than Explain.
func Because(s *state.State, r state.Ruling) Explanation {
	e, _ := ExplainRule(s, &r, FormatOf(s))
	return e
}

// ExplainRule is Because, and also returns the basis of the point.
func ExplainRule(s *state.State, r *state.Ruling, f Format) (Explanation, *Basis) {
	e := Explanation{
		Point: r.Point, Ruling: *r, Rule: r.Rule, Says: f.Says(r.Rule), Sentence: Sentence(r.Reason),
	}
	if s.ByEarlierRules() {
		e.Says = "" // The rule may have said something else.
	}
	p := s.Point(r.Point)
	if p == nil {
		return e, nil
	}
	e.Text = p.Text
	b := f.Basis(s, p)
	for _, id := range r.Reads {
		if what := f.Describe(b, id); what != "" {
			e.Reads = append(e.Reads, Reading{ID: id, What: what})
		}
	}
	f.Because(b, &e)
	return e, b
}

// Describe describes an item of a kind that all formats share.
func (b *Basis) Describe(id string) string {
	if p := b.State.Point(id); p != nil {
		return fmt.Sprintf("a point of %s from round %d: %s", SeatNames(p.Authors), p.Round, Quote(p.Text))
	}
	if c := b.State.Challenge(id); c != nil {
		return fmt.Sprintf("%s by %s in round %d, %s: %s", c.Kind, SeatName(c.By), c.Round, c.Status,
			Quote(c.Objection))
	}
	if e := b.State.Item(id); e != nil {
		return EvidenceWords(e)
	}
	if f := b.State.Fact(id); f != nil {
		return FactWords(f)
	}
	if number, ok := strings.CutPrefix(id, "#"); ok {
		if seq, err := strconv.Atoi(number); err == nil && seq > 0 && seq <= b.State.Seq {
			return b.eventWords(seq)
		}
	}
	return ""
}

// BearsOn describes the relation of an item to a point or field.
func BearsOn(relation ledger.Relation, what string) string {
	switch relation {
	case ledger.Supports:
		return "for " + what
	case ledger.Refutes:
		return "against " + what
	case ledger.Neutral:
	}
	return "neither for nor against " + what
}

// EvidenceWords describes an item of evidence in one line.
func EvidenceWords(e *ledger.Evidence) string {
	bears := BearsOn(e.Relation, "the point")
	checked := "not checked yet"
	switch {
	case e.SourceKind == ledger.UserOverride:
		checked = "given by you"
	case e.Proven():
		checked = "verified"
	case e.Verified:
		checked = "verified, but not admitted"
	case e.Checked:
		checked = "refused by the check"
	}
	words := fmt.Sprintf("%s evidence %s, %s", e.Type, bears, checked)
	if weighed := RelevanceWords(e); weighed != "" {
		words += ", " + weighed
	}
	if e.Approval != ledger.ApprovalNone {
		status := cmp.Or(e.Reason, "expected: "+e.Expect)
		return words + ", by running " + Clip(strings.TrimPrefix(e.Reference, "$ ")) + ": " + status
	}
	return words + ", at " + Clip(e.Reference) + ": " + Quote(e.Excerpt)
}

// RelevanceWords says who accepted and who contested an item: "accepted by the orchestrator,
// contested by you (it is a comment)". It returns "" if nobody did.
func RelevanceWords(e *ledger.Evidence) string {
	var parts, seats []string
	for _, a := range e.Accepted {
		seats = append(seats, SeatName(state.Seat(a.Seat)))
	}
	if len(seats) > 0 {
		parts = append(parts, "accepted by "+Listed(seats))
	}
	for _, c := range e.Contests {
		if !c.Ended {
			parts = append(parts, "contested by "+SeatName(state.Seat(c.Seat))+" ("+Clip(c.Reason)+")")
		}
	}
	return strings.Join(parts, ", ")
}

// FactWords describes a fact in one line.
func FactWords(f *ledger.Fact) string {
	whose := "a fact tagged " + f.Label()
	if f.Tag == ledger.TagUser {
		whose = "a fact of yours"
	}
	if !f.Live {
		whose += ", superseded since"
	}
	return fmt.Sprintf("%s from round %d: %s", whose, f.Round, Quote(f.Text))
}

// EventOfRecord describes an event that is not recorded in the point itself.
const EventOfRecord = "a recorded event"

// eventWords describes what an event did to the point, if the point records it.
func (b *Basis) eventWords(seq int) string {
	if u := b.Point.UserRuling; u != nil && u.Seq == seq {
		return "your ruling" + strings.TrimSuffix(Colon(u.Reason), ".")
	}
	for i := range b.Point.Classes {
		if c := &b.Point.Classes[i]; c.Seq == seq {
			return fmt.Sprintf("%s by %s in round %d%s", c.Class, SeatName(c.Seat), c.Round,
				strings.TrimSuffix(Colon(c.Reason), "."))
		}
	}
	for _, c := range b.Point.Concessions {
		if c.Seq == seq {
			words := fmt.Sprintf("the concession of %s in round %d", SeatName(c.Seat), c.Round)
			for i := range b.Point.Words {
				if w := &b.Point.Words[i]; w.Word == state.WordConcede && w.Seat == c.Seat && w.Round == c.Round && w.Reason != "" {
					words += ": " + Quote(w.Reason)
				}
			}
			return words
		}
	}
	if claim := b.Point.Blocked; claim != nil && claim.Seq == seq {
		return fmt.Sprintf("BLOCKED by %s in round %d: %s", SeatName(claim.By), claim.Round, Quote(claim.Measurement))
	}
	for _, at := range b.Point.Asked {
		if q := b.State.Requests.At(at); q != nil && q.Seq == seq {
			return requestWords(q)
		}
	}
	return EventOfRecord
}

func requestWords(q *state.Request) string {
	status := "still open"
	switch {
	case q.Answered:
		status = "answered"
	case q.Passed:
		status = "not answered"
	}
	return fmt.Sprintf("what %s asked of %s in round %d (%s), %s: %s", SeatName(q.By), SeatNames(q.Of), q.Round,
		q.Kind, status, Quote(q.Text))
}

// Sentence turns a clause into a sentence.
func Sentence(clause string) string {
	clause = strings.TrimSpace(clause)
	if clause == "" {
		return ""
	}
	clause = Capital(clause)
	if !strings.ContainsAny(clause[len(clause)-1:], ".?!") {
		clause += "."
	}
	return clause
}

// Capital capitalizes the first letter, which is always ASCII in texts of moot.
func Capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Colon returns the end of a sentence: a colon with the quoted text, or a full stop.
func Colon(text string) string {
	if strings.TrimSpace(text) == "" {
		return "."
	}
	return ": " + Quote(text) + "."
}

// Quote quotes untrusted text inside a sentence.
func Quote(text string) string { return "“" + Clip(text) + "”" }

// Clip shortens untrusted text to one line that fits into a sentence.
func Clip(text string) string { return plain.Clip(text, 120) }

// Listed joins words: "C1, C2 and C3". After 6 it counts the rest.
func Listed(words []string) string {
	const most = 6
	if more := len(words) - most; more > 0 {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", more))
	}
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// SeatName returns the name of a seat in a sentence.
func SeatName(s state.Seat) string {
	if s == state.User {
		return "you"
	}
	if s == state.Protocol {
		return "code"
	}
	if strings.ContainsAny(string(s), "0123456789") {
		return string(s) // One of several: consultee-2.
	}
	return "the " + string(s)
}

// SeatNames lists seats in a sentence: "the consultee and consultee-2".
func SeatNames(seats []state.Seat) string {
	names := lists.Map(seats, SeatName)
	return Listed(names)
}
