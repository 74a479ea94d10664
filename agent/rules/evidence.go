package rules

import (
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/state"
)

// standing is what the checked evidence on a point shows.
type standing struct {
	// support is the strongest verified and admitted item that supports the
	// point and shares a word with it; beside is one that shares none.
	support, beside *ledger.Evidence
	// refutation is a verified item against the point that no support outranks.
	refutation *ledger.Evidence
	// refused is the last item that a check refused, unadmitted the last that
	// was verified and is not read by rulings.
	refused, unadmitted *ledger.Evidence
	// waiting is the last command that waits for leave to run.
	waiting *ledger.Evidence
}

// stands looks at the evidence on a point. A quotation must share a word with
// the point, or with what a defense says of both, to count as a ground here
// (JU4); whether it counts for the ruling is the resolver's.
func (t *turn) stands(p *state.Point, defense string) standing {
	var now standing
	var against *ledger.Evidence
	for _, id := range p.Evidence {
		item := t.s.Item(id)
		switch {
		case item == nil:
		case !item.Counts():
			now.passOver(item)
		case item.Relation == ledger.Refutes:
			if against == nil || ledger.CompareRank(item, against) < 0 {
				against = item
			}
		case item.Relation != ledger.Supports || item.Type == ledger.Claim:
		case !t.bears(p.Text+" "+defense, item.Excerpt+" "+item.Reference+" "+item.Expect):
			now.beside = item
		case now.support == nil || ledger.CompareRank(item, now.support) < 0:
			now.support = item
		}
	}
	if against != nil && (now.support == nil || ledger.CompareRank(against, now.support) <= 0) {
		now.refutation = against
	}
	return now
}

// passOver notes why an item does not count.
func (s *standing) passOver(item *ledger.Evidence) {
	switch {
	case item.NeedsApproval() && !item.Checked:
		s.waiting = item
	case item.Checked && !item.Verified:
		s.refused = item
	case item.Verified:
		s.unadmitted = item
	}
}

// grounded reports whether verified evidence supports the point and none of
// equal rank or higher refutes it.
func (s *standing) grounded() bool { return s.support != nil && s.refutation == nil }

// confidence is that of the evidence, never this participant's own: that of the
// best support, its complement for a refutation, that of a mere word for none.
func (s *standing) confidence() (value float64, cause string) {
	switch {
	case s.grounded():
		return s.support.Confidence, s.support.ID
	case s.refutation != nil:
		return 1 - s.refutation.Confidence, s.refutation.ID
	}
	return ledger.ConfidenceWord, ""
}

// excerpt is an item's text for a sentence.
func excerpt(item *ledger.Evidence) string { return plain.Clip(item.Excerpt, recited) }

// ground says that an item stands at its place, or how its command ran.
func (t *turn) ground(item *ledger.Evidence, stands, ran phrase, more ...string) string {
	key := stands
	if item.Run != nil {
		key = ran
	}
	return t.say(key, append(more, "item", item.ID, "place", item.Reference, "quote", excerpt(item), "came", clause(item.Reason))...)
}

// names reports whether a text names an id as a word of its own.
func names(text, id string) bool {
	for rest := text; ; {
		i := strings.Index(rest, id)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(id):]
		if !endsInWord(before) && !beginsWithWord(after) {
			return true
		}
		rest = after
	}
}

func endsInWord(text string) bool { return text != "" && isWord(text[len(text)-1]) }

func beginsWithWord(text string) bool { return text != "" && isWord(text[0]) }

func isWord(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}
