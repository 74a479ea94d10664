package rules

import (
	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// stress gives the strongest objection that can be made without reasoning
// (RD9): that a text is no run of the program. It is mitigable for a point that
// claims no more than its quotation, else unresolved.
func (t *turn) stress() {
	var weakest *state.Point
	var item *ledger.Evidence
	for _, p := range protocol.Deliberated(t.s) {
		now := t.stands(p, "")
		quotation := now.support != nil && t.quotes(p.Text, now.support)
		if weakest == nil || !quotation && (item == nil || t.quotes(weakest.Text, item)) {
			weakest, item = p, now.support
		}
	}
	if weakest == nil {
		return
	}
	m := &protocol.Steelman{Point: weakest.ID, Objection: t.say(sayObjectionClaim), Grade: state.StressUnresolved}
	if item != nil && t.quotes(weakest.Text, item) {
		m.Objection, m.Grade = t.say(sayObjectionQuote), state.StressMitigable
	}
	t.add(m)
}

// arbitrate flags rulings that rest on little (AR).
func (t *turn) arbitrate() {
	for _, p := range t.s.Points.All() {
		r := t.s.Ruling(p.ID)
		if r == nil || p.MergedInto != "" || r.Tag == state.TagUser {
			continue
		}
		if text := t.doubt(p, r); text != "" {
			t.flag(protocol.FlagDoubt, p.ID, text)
		}
	}
}

// doubt says why a ruling rests on little, or "".
func (t *turn) doubt(p *state.Point, r *state.Ruling) string {
	now := t.stands(p, "")
	switch r.Bucket {
	case state.BucketAgreed:
		switch {
		case r.Tag == state.TagNotApplicable:
			return t.say(sayDoubtValue)
		case now.support != nil && t.counting(p) == 1 && !t.quotes(p.Text, now.support):
			return t.say(sayDoubtSingle, "item", now.support.ID)
		}
	case state.BucketDismissed:
		switch {
		case r.Tag == state.TagUndefended && now.support != nil:
			return t.say(sayDoubtSilence, "item", now.support.ID)
		case r.Tag == state.TagRejected && now.refutation == nil:
			return t.say(sayDoubtRejected)
		}
	case state.BucketUnresolved:
		if r.Status == state.StatusBlocked && now.grounded() {
			return t.say(sayDoubtBlocked, "item", now.support.ID)
		}
	case state.BucketNotEvaluated, state.BucketOpen:
	}
	return ""
}

// counting is how many items support the point.
func (t *turn) counting(p *state.Point) int {
	n := 0
	for _, id := range p.Evidence {
		if item := t.s.Item(id); item != nil && item.Counts() && item.Relation == ledger.Supports {
			n++
		}
	}
	return n
}
