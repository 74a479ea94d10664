package rules

import (
	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// judge says whether the last defense holds (CH5). It does where verified
// evidence supports the point now, and the defense names that evidence or
// brought it: a defense in words alone is no ground.
func (t *turn) judge(c *state.Challenge) {
	if c == nil || c.Last() == nil {
		return
	}
	p := t.s.Point(c.Point)
	if p == nil {
		return
	}
	defense := c.Last().Text
	now := t.stands(p, defense)
	m := &protocol.Judge{Challenge: c.ID, Judgment: state.Rejected}
	switch {
	case calledValue(p):
		m.Reason = t.say(sayRejectValue)
	case now.grounded() && (t.brought(c, now.support) || names(defense, now.support.ID)):
		m.Judgment, m.Lift = state.Accepted, lift(c)
		m.Reason = t.ground(now.support, sayAccept, sayAcceptRun)
	case now.grounded():
		m.Reason = t.say(sayRejectUnnamed)
	case now.refutation != nil:
		m.Reason = t.say(sayRejectRefuted, "item", now.refutation.ID, "place", now.refutation.Reference)
	case now.beside != nil:
		m.Reason = t.say(sayRejectBeside, "item", now.beside.ID)
	case now.refused != nil:
		m.Reason = t.say(sayRejectRefused, "item", now.refused.ID, "reason", clause(now.refused.Reason))
	default:
		m.Reason = t.say(sayRejectNone)
	}
	t.add(m)
	confidence, cause := now.confidence()
	t.add(&protocol.Score{Point: p.ID, Confidence: confidence, Cause: cause})
}

// lift is where an accepted defense lifts a REJECT.
func lift(c *state.Challenge) state.Class {
	if c.Kind == state.Reject {
		return state.Agree
	}
	return ""
}

// brought reports whether the item came with or after the last defense: a
// challenge that asked for evidence is met by evidence that is newer.
func (t *turn) brought(c *state.Challenge, item *ledger.Evidence) bool {
	return item.Round >= c.Last().Round && item.OfferedBy == string(c.Last().By)
}
