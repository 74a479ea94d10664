package figure

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// ofField is what hangs on a field, and by which rule or gate it stands where it
// does; no rule has put an open one anywhere.
func ofField(p *state.Point, r *state.Ruling) string {
	if r.Rule == "" || r.Bucket == state.BucketOpen {
		return p.Field.Severity
	}
	return p.Field.Severity + ", " + r.Rule
}

// objection is the box of an objection to a field: how it came out, and by what.
func (w *writer) objection(c *state.Challenge) *box {
	came := w.objected.Of(c)
	sign, role := w.cameLook(&came)
	words, rule, _ := strings.Cut(came.Words("the user"), ", ")
	b := &box{
		id: c.ID, kind: NodeChallenge, bearing: relationAttack, word: "attacks", target: c.Point,
		by: seatRun(c.By), text: safe(c.Objection),
		title: []Run{{c.ID, RoleBold}, {" " + safe(c.Typed.Severity), RoleAttack}, {w.signs.separator + sign + " " + safe(words), role}},
	}
	if rule != "" {
		b.also = append(b.also, safe(rule))
	}
	if came.Settled() {
		b.broken, b.word = true, "attacked"
	}
	for _, request := range resolver.Owed(w.s, c) {
		b.also = append(b.also, "owed: "+safe(request.Text))
	}
	for i := range c.Defenses {
		b.children = append(b.children, w.argument(c, i))
	}
	return b
}

// cameLook is the sign and the role of how an objection came out.
func (w *writer) cameLook(came *resolver.Objection) (sign string, role Role) {
	switch {
	case came.Outcome == "":
		return w.signs.pending, RoleFaint
	case came.Warns:
		return w.signs.warn, RoleWarn
	case came.Outcome.Holds() && !came.Holds:
		return w.signs.pending, RoleFaint
	}
	switch came.Outcome {
	case dialectic.Cleared:
		return w.signs.yes, RoleAgreed
	case dialectic.Upheld:
		return w.signs.no, RoleDismissed
	case dialectic.Unresolved:
		return w.signs.unresolved, RoleUnresolved
	case dialectic.Moot:
	}
	return w.signs.notEvaluated, RoleFaint
}

// argument is the box of an answer to an objection. Nobody judges it: evidence
// alone clears an objection.
func (w *writer) argument(c *state.Challenge, i int) *box {
	d := &c.Defenses[i]
	id := DefenseID(c.ID, i+1)
	return &box{
		id: id, kind: NodeDefense, bearing: relationAttack, word: "answers", target: c.ID,
		by: seatRun(d.By), text: safe(d.Text), title: []Run{{id, RoleBold}, {" answer", RoleText}},
	}
}

// verified is what stands behind an item that counts: of a field its source,
// which decides what it may settle.
func (w *writer) verified(e *ledger.Evidence) string {
	if p := w.s.Point(e.Point); p != nil && p.Field != nil {
		return fmt.Sprintf("%s %.2f", safe(string(e.SourceKind)), e.Confidence)
	}
	return "verified" + w.signs.separator + safe(string(e.Type))
}
