package resolver

import (
	"fmt"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
)

// readings says what each item of a receipt is. Where a rule read nothing, the
// challenge that the point waits for is what there is to see.
func (b *bench) readings(r *state.Ruling) []Reading {
	ids := r.Reads
	if c := b.waiting(); c != nil && len(ids) == 0 {
		ids = []string{c.ID}
	}
	var list []Reading
	for _, id := range ids {
		if what := b.read(id); what != "" {
			list = append(list, Reading{ID: id, What: what})
		}
	}
	return list
}

func (b *bench) read(id string) string {
	if p := b.s.Point(id); p != nil {
		return pointWords(p)
	}
	if c := b.s.Challenge(id); c != nil {
		if c.Typed != nil {
			return b.objectionWords(c)
		}
		return b.challengeWords(c)
	}
	if e := b.s.Item(id); e != nil {
		if b.p.Field != nil {
			return fieldEvidenceWords(e)
		}
		return evidenceWords(e)
	}
	if f := b.s.Fact(id); f != nil {
		return factWords(f)
	}
	if c := b.s.Conflict(id); c != nil {
		return b.conflictWords(c)
	}
	if number, ok := strings.CutPrefix(id, "#"); ok {
		if seq, err := strconv.Atoi(number); err == nil && seq > 0 && seq <= b.s.Seq {
			return b.eventWords(seq)
		}
	}
	return ""
}

func pointWords(p *state.Point) string {
	return fmt.Sprintf("a point of %s from round %d: %s", seatNames(p.Authors), p.Round, quote(p.Text))
}

// challengeWords is a challenge with what came of it: "REJECT by the
// orchestrator in round 1, never answered: “…”".
func (b *bench) challengeWords(c *state.Challenge) string {
	return fmt.Sprintf("%s by %s in round %d, %s: %s", c.Kind, seatName(c.By), c.Round, outcome(c), quote(c.Objection))
}

func outcome(c *state.Challenge) string {
	last := c.Last()
	switch c.Status {
	case state.StandsOpen:
		if c.RejectedDefenses() > 0 {
			return "answered once and rejected, open again"
		}
		return "not answered yet"
	case state.StandsDropped:
		return "passed over, to be reminded of"
	case state.StandsReminded:
		return "passed over, with a reminder out"
	case state.StandsUndefended:
		return "never answered"
	case state.StandsConceded:
		return "conceded"
	case state.StandsDefended:
	}
	if last == nil {
		return "answered"
	}
	switch last.Judgment {
	case state.Accepted:
		return fmt.Sprintf("answered in round %d, the answer accepted", last.Round)
	case state.Rejected:
		return fmt.Sprintf("answered in round %d, the answer rejected", last.Round)
	case state.Unjudged:
	}
	return fmt.Sprintf("answered in round %d, not judged yet", last.Round)
}

// bearsOn says on which side of something an item stands.
func bearsOn(relation ledger.Relation, what string) string {
	switch relation {
	case ledger.Supports:
		return "for " + what
	case ledger.Refutes:
		return "against " + what
	case ledger.Neutral:
	}
	return "neither for nor against " + what
}

func evidenceWords(e *ledger.Evidence) string {
	bears := bearsOn(e.Relation, "the point")
	checked := "not checked yet"
	switch {
	case e.SourceKind == ledger.UserOverride:
		checked = "given by you"
	case e.Counts():
		checked = "verified"
	case e.Verified:
		checked = "verified, but not admitted"
	case e.Checked:
		checked = "refused by the check"
	}
	words := fmt.Sprintf("%s evidence %s, %s", e.Type, bears, checked)
	if e.Decisive() {
		words += ", decisive"
	}
	if e.Approval != ledger.ApprovalNone {
		came := e.Reason
		if came == "" {
			came = "expected: " + e.Expect
		}
		return words + ", by running " + clip(strings.TrimPrefix(e.Reference, "$ ")) + ": " + came
	}
	return words + ", at " + clip(e.Reference) + ": " + quote(e.Excerpt)
}

func factWords(f *ledger.Fact) string {
	whose := "a fact tagged " + f.Label()
	if f.Tag == ledger.TagUser {
		whose = "a fact of yours"
	}
	if !f.Live {
		whose += ", superseded since"
	}
	return fmt.Sprintf("%s from round %d: %s", whose, f.Round, quote(f.Text))
}

// eventWords says what an event did to the point, as far as the point shows
// it.
func (b *bench) eventWords(seq int) string {
	if u := b.p.UserRuling; u != nil && u.Seq == seq {
		return "your ruling" + strings.TrimSuffix(colon(u.Reason), ".")
	}
	for i := range b.p.Classes {
		if c := &b.p.Classes[i]; c.Seq == seq {
			return fmt.Sprintf("%s by %s in round %d%s", c.Class, seatName(c.Seat), c.Round,
				strings.TrimSuffix(colon(c.Reason), "."))
		}
	}
	for _, c := range b.p.Concessions {
		if c.Seq == seq {
			return fmt.Sprintf("the concession of %s in round %d", seatName(c.Seat), c.Round)
		}
	}
	if claim := b.p.Blocked; claim != nil && claim.Seq == seq {
		return fmt.Sprintf("BLOCKED by %s in round %d: %s", seatName(claim.By), claim.Round, quote(claim.Measurement))
	}
	if score := b.scoreAt(seq); score != nil {
		return scoreWords(score)
	}
	for _, at := range b.p.Asked {
		if q := b.s.Requests.At(at); q != nil && q.Seq == seq {
			return requestWords(q)
		}
	}
	if claim := b.claimHere(); claim != nil {
		// What was said of another wording of it.
		for _, id := range claim.Points {
			other := &bench{s: b.s, p: b.s.Point(id)}
			if words := other.eventWords(seq); words != eventOfRecord {
				return words
			}
		}
	}
	return eventOfRecord
}

func requestWords(q *state.Request) string {
	came := "still open"
	switch {
	case q.Answered:
		came = "answered"
	case q.Passed:
		came = "not answered"
	}
	return fmt.Sprintf("what %s asked of %s in round %d (%s), %s: %s", seatName(q.By), seatNames(q.Of), q.Round,
		requestWord(q.Kind), came, quote(q.Text))
}

func requestWord(k state.RequestKind) string {
	switch k {
	case state.RequestEvidence:
		return "evidence"
	case state.RequestClarification:
		return "a clarification"
	case state.RequestTerms:
		return "its terms"
	case state.RequestCrux:
		return "the crux"
	case state.RequestRestate:
		return "the flaw in one sentence"
	}
	return string(k)
}
