package pane

import (
	"fmt"
	"slices"

	"moot/state"
)

// panel tells of who gave no answer, of conflicts between the answers, and of what
// became of them.
func (t *transcript) panel(p state.Payload) bool {
	switch p := p.(type) {
	case *state.SeatMissed:
		t.put(toneWarn, string(p.Seat), sentence("gave no answer", p.Reason), "")
	case *state.SeatRecalled:
		t.by(p.By, toneQuiet, string(p.Seat), "is asked again")
	case *state.ConflictFound:
		t.conflictFound(p)
	case *state.ConflictDropped:
		t.by(p.By, toneQuiet, p.ID, sentence("no conflict", p.Reason))
	case *state.ConflictSettled:
		settled, text := settledWords(&p.Settlement)
		t.put(when(settled, toneGood, toneDoubt), p.ID, text, when(p.Winner == "", "", p.Method))
	case *state.ConflictArgued:
		t.unsay(p.Challenges)
		t.by(p.By, toneOpen, p.ID, "goes on: the two sides argue it")
	default:
		return false
	}
	return true
}

// conflictFound tells of a conflict. The challenges that were raised just before
// say nothing more: their entries make way for it.
func (t *transcript) conflictFound(p *state.ConflictFound) {
	t.unsay(p.Challenges)
	t.by(p.By, toneDoubt, p.ID+" "+string(p.What), t.quoting(p.A)+" against "+t.quoting(p.B))
}

// quoting is a point with what it says, where that was told.
func (t *transcript) quoting(id string) string {
	if e := t.told[id]; e != nil {
		return fmt.Sprintf("%s “%s”", id, e.Text)
	}
	return id
}

// unsay takes back the last entries where they are those of the challenges.
func (t *transcript) unsay(challenges []string) {
	own := func(e *entry) bool {
		return slices.ContainsFunc(challenges, func(id string) bool { return e == t.told[id] || e == t.wanted[id] })
	}
	for n := len(t.Entries); n > 0 && own(t.Entries[n-1]); n-- {
		t.Entries = t.Entries[:n-1]
	}
}

// settledWords say what a strategy came to: whether it ended the conflict, and
// how.
func settledWords(s *state.Settlement) (settled bool, text string) {
	if !s.Settled {
		return false, sentence("not settled", s.Reasoning)
	}
	return true, sentence("settled for "+s.Winner, s.Reasoning)
}
