package figure

import (
	"fmt"
	"strings"

	"moot/plain"
	"moot/resolver"
	"moot/state"
)

// ofCouncil says in the box of a claim what a council knows of it: whether much
// rests on it, which of CV1 to CV4 fail, how sure the seats are, who worded it, and
// what it does not cover. Of a form that was replaced the other one says so.
func (w *writer) ofCouncil(b *box, p *state.Point) {
	if w.s.Settings.Format != state.FormatCouncil || p.MergedInto != "" || p.RevisedBy != "" {
		return
	}
	if p.Key {
		b.also = append(b.also, "key")
	}
	v := resolver.Validate(w.s, p)
	// What came to an end before these rules were asked says nothing of them.
	if strings.HasPrefix(w.bucket(p).Rule, "CV") {
		b.also = append(b.also, validationWords(&v))
	}
	if v.Aggregate != nil {
		b.also = append(b.also, fmt.Sprintf("aggregate %.2f of %s", *v.Aggregate, plain.Counted(len(v.Scores), "seat")))
	}
	if p.WordedBy != "" {
		b.also = append(b.also, "worded by "+safe(string(p.WordedBy)))
	}
	if p.Limit != "" {
		b.also = append(b.also, "limit: "+safe(p.Limit))
	}
}

// validationWords say which of CV1 to CV4 fail.
func validationWords(v *resolver.Validation) string {
	var failed []string
	for _, r := range v.Rules {
		if !r.Passed {
			failed = append(failed, r.Rule)
		}
	}
	switch len(failed) {
	case 0:
		return "CV1 to CV4 hold"
	case 1:
		return failed[0] + " fails"
	}
	return strings.Join(failed, ", ") + " fail"
}
