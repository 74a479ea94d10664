package resolver

import (
	"fmt"
	"strings"
	"time"

	"moot/ledger"
	"moot/resolver/hearing"
	"moot/state"
)

// hearingRuleSays is RuleSays of the rules of a hearing, and of the rows of its judge.
func hearingRuleSays(rule string) string {
	switch rule {
	case ruleSupported:
		return "A claim of an audit is SUPPORTED if the other side accepts it, or withdraws everything that it cited " +
			"against it."
	case ruleContested:
		return "A claim of an audit is CONTESTED if the other side maintains a contradiction that was answered, " +
			"calls the claim true but not bearing, or stays silent."
	case ruleUnsupported:
		return "A claim of an audit is UNSUPPORTED if its side withdraws it, or leaves a contradiction unanswered."
	case hearing.Else:
		return "No row of the judge's version holds: the verdict is INCONCLUSIVE, and its confidence lies between " +
			"the two sides."
	}
	var says []string
	for _, version := range state.JudgeVersions() {
		for _, row := range hearing.Rows(version, hearing.Side{}, hearing.Side{}) {
			if row.Rule == rule {
				says = append(says, fmt.Sprintf("%s where %s", row.Outcome, row.Says()))
			}
		}
	}
	if len(says) > 0 {
		return "The judge says " + strings.Join(says, ", and ") + ", and no row before this one holds."
	}
	return ""
}

// hearingMeans says what a place stands for in a hearing, where that is another thing
// than in a consultation; "" else.
func hearingMeans(r *state.Ruling) string {
	if hearingRuleSays(r.Rule) == "" {
		return ""
	}
	question := r.Point == QuestionPoint
	switch {
	case r.Bucket == state.BucketAgreed && question:
		return "By the judge's arithmetic it holds on the facts of the packet."
	case r.Bucket == state.BucketDismissed && question:
		return "By the judge's arithmetic it does not hold on the facts of the packet."
	case r.Bucket == state.BucketUnresolved && question:
		return "The judge's arithmetic puts neither side ahead."
	case r.Bucket == state.BucketAgreed:
		return "The other side accepts it on the facts of the packet."
	case r.Bucket == state.BucketDismissed:
		return "It was withdrawn, or a contradiction by facts stayed unanswered."
	case r.Bucket == state.BucketUnresolved:
		return "The two sides do not agree on its facts."
	}
	return ""
}

// FactWords is a fact of a packet verbatim: what it is about, its value, when it was
// observed and by what. It is foreign text: who draws it escapes it.
func FactWords(f *ledger.PacketFact) string {
	return fmt.Sprintf("%s: %s = %s, at %s, by %s %s", f.Entity, f.Field, f.Value, f.At.UTC().Format(time.RFC3339Nano),
		f.SourceType, f.SourceID)
}

// factsRead says what each fact of a receipt is.
func factsRead(s *state.State, ids []string) []Reading {
	var list []Reading
	for _, id := range ids {
		if s.Hearing.Packet == nil {
			continue
		}
		if f, there := s.Hearing.Packet.Fact(id); there {
			list = append(list, Reading{ID: id, What: FactWords(&f)})
		}
	}
	return list
}

// FlagSays is in a clause what a flag of miscalibration was raised by.
func FlagSays(f hearing.MiscalibrationFlag) string {
	switch f {
	case hearing.FlagStarvation:
		return "the verdict is at 0.7 or more, and its side cites fewer than 3 distinct facts"
	case hearing.FlagConflict:
		return "the verdict is at 0.7 or more, and facts of one entity contradict each other"
	case hearing.FlagComplexity:
		return "the verdict is at 0.7 or more over facts of 3 or more types of sources"
	case hearing.FlagSpread:
		return "both sides are at 0.6 or more, and no more than 0.15 apart"
	}
	return ""
}
