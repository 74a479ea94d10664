package dialectic

import (
	"fmt"
	"slices"
	"strings"
)

// finding is the result of a gate.
type finding struct {
	// failures fail the gate; note is the remark if there are none.
	failures []string
	note     string
	// silent says that the note tells nothing beyond that the gate passed, and
	// goes into the receipt alone.
	silent bool
	reads  []string
}

// gates runs them all, each with its receipt.
func (b *bench) gates() []GateResult {
	schema, references := b.wellFormed()
	found := [8]finding{
		schema, references, b.invention(), b.floor(), b.objectionsMet(), b.constraints(), b.owed(), b.freshness(),
	}
	results := make([]GateResult, len(found))
	for i := range found {
		f := &found[i]
		g := GateResult{Gate: fmt.Sprintf("G%d", i+1), Pass: len(f.failures) == 0, Reasons: f.failures}
		outcome, reason := "PASS", f.note
		if !g.Pass {
			outcome, reason = "FAIL", strings.Join(f.failures, "; ")
		} else if !f.silent {
			g.Reasons = []string{f.note}
		}
		if g.Reasons == nil {
			g.Reasons = []string{}
		}
		b.chain.add(entry{
			rule: g.Gate, subject: b.in.Artifact.Proposal.ID, reads: f.reads,
			observed: float64(len(f.failures)), outcome: outcome, reason: reason,
		})
		results[i] = g
	}
	return results
}

// wellFormed is G1 and G2: the closed lists and ranges, and what is referred to.
func (b *bench) wellFormed() (schema, references finding) {
	schema = finding{note: "every word and number is one that is allowed", silent: true}
	references = finding{note: "everything that is cited is there", silent: true}
	for _, p := range b.problems() {
		if p.gate == "G1" {
			schema.failures = append(schema.failures, p.String())
		} else {
			references.failures = append(references.failures, p.String())
		}
	}
	return schema, references
}

// floor is G4: what is grounded has the authority that its severity asks for.
func (b *bench) floor() finding {
	f := finding{note: "no field is grounded in a category that has a threshold"}
	for i := range b.in.Artifact.Proposal.Fields {
		field := &b.in.Artifact.Proposal.Fields[i]
		if _, asked := b.law.thresholds[field.Category]; !field.Grounded || !asked {
			continue
		}
		f.note, f.silent = "every grounded field cites an item of the authority that it needs", true
		met := false
		for _, id := range field.Evidence {
			at, ok := b.items.byID[id]
			if !ok {
				continue
			}
			f.reads = append(f.reads, id)
			met = met || b.carries(field, at)
		}
		if !met {
			f.failures = append(f.failures, field.Path+" cites no item that "+string(field.weight())+" allows")
		}
	}
	return f
}

// carries reports whether an item has the authority that a field needs.
func (b *bench) carries(field *Field, at int) bool {
	return !b.items.stale(at) && !b.items.all[at].Contested &&
		b.law.allow[field.weight().Gravity()][kindIndex(b.items.kind(at))]
}

// objectionsMet is G5: no BLOCKING or HIGH objection is open.
func (b *bench) objectionsMet() finding {
	f := finding{note: "no objection was raised"}
	for i := range b.in.Artifact.Objections {
		o, r := &b.in.Artifact.Objections[i], &b.resolutions[i]
		f.note, f.silent = "no BLOCKING or HIGH objection stands", true
		if o.Severity == Medium || o.Severity == Low {
			continue
		}
		f.reads = append(f.reads, o.ID)
		if r.Outcome.Holds() {
			f.failures = append(f.failures, o.ID+" ("+string(o.Severity)+") is "+string(r.Outcome)+" by "+r.Rule)
		}
	}
	return f
}

// owed is G7: what was asked about a grave objection was answered.
func (b *bench) owed() finding {
	f := finding{note: "nothing was requested"}
	for i := range b.in.Requests {
		request := &b.in.Requests[i]
		f.note, f.silent = "nothing that was requested is outstanding", true
		at, ok := b.objections[request.Objection]
		if !ok {
			continue
		}
		o := &b.in.Artifact.Objections[at]
		grave := o.Severity != Medium && o.Severity != Low
		f.reads = append(f.reads, request.ID)
		if grave && !request.Answered {
			f.failures = append(f.failures, request.ID+" about "+o.ID+" ("+string(o.Severity)+") is not answered")
		}
	}
	return f
}

// freshness is G8: what is too old does not count, here or in any other gate or
// rule. It fails where a grounded field is left with nothing else.
func (b *bench) freshness() finding {
	switch {
	case len(b.law.freshness) == 0:
		return finding{note: "no freshness is configured"}
	case b.in.AsOf.IsZero():
		return finding{note: "no asOf is given, so no item is too old"}
	}
	f := finding{note: "no item is too old", silent: true}
	var old, undated []string
	for i := range b.items.all {
		switch {
		case b.items.stale(i):
			old = append(old, b.items.all[i].ID)
		case b.items.undated(i):
			undated = append(undated, b.items.all[i].ID)
		}
	}
	var notes []string
	if len(old) > 0 {
		notes = append(notes, "too old to count: "+strings.Join(old, ", "))
	}
	if len(undated) > 0 {
		notes = append(notes, "of unknown age, as they have no observedAt: "+strings.Join(undated, ", "))
	}
	if len(notes) > 0 {
		f.note, f.silent = strings.Join(notes, "; "), false
	}
	f.reads = slices.Concat(old, undated)
	for i := range b.in.Artifact.Proposal.Fields {
		field := &b.in.Artifact.Proposal.Fields[i]
		cited, fresh := 0, 0
		for _, id := range field.Evidence {
			if at, ok := b.items.byID[id]; ok {
				cited++
				if !b.items.stale(at) {
					fresh++
				}
			}
		}
		if field.Grounded && cited > 0 && fresh == 0 {
			f.failures = append(f.failures,
				field.Path+" rests on items that are too old: "+strings.Join(field.Evidence, ", "))
		}
	}
	return f
}
