package dialectic

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// verdict is the decision with all that goes with it.
type verdict struct {
	decision Decision
	warnings []string
	entry    entry
}

// decide follows from the resolutions and the gates.
func (b *bench) decide(gates []GateResult) verdict {
	last, progress := b.round >= b.law.maxRounds, b.progress()
	v := verdict{warnings: []string{}}
	var failed, held []string
	for _, g := range gates {
		if !g.Pass {
			failed = append(failed, g.Gate)
		}
	}
	for i := range b.in.Artifact.Objections {
		o, r := &b.in.Artifact.Objections[i], &b.resolutions[i]
		if o.Severity != Medium || !r.Outcome.Holds() {
			continue
		}
		if !last && progress {
			held = append(held, o.ID)
			continue
		}
		when := "in a round that brought nothing new"
		if last {
			when = "in the last round"
		}
		v.warnings = append(v.warnings, o.ID+" (MEDIUM) is "+string(r.Outcome)+" by "+r.Rule+"; "+when+
			" that only warns")
	}
	because, read := b.escalates(last, progress)
	switch {
	case len(failed) == 0 && len(held) == 0:
		v.decision, v.entry.reason = Advance, "every gate passes, and no objection holds it"
	case len(because) > 0:
		v.decision, v.entry.reason = Escalate, strings.Join(because, "; ")
	default:
		v.decision, v.entry.reason = Hold,
			"round "+strconv.Itoa(b.round)+" of "+strconv.Itoa(b.law.maxRounds)+" leaves it open"
	}
	if v.decision != Advance {
		v.entry.reason = "not ready (" + strings.Join(slices.Concat(failed, held), ", ") + "): " + v.entry.reason
		v.entry.reads = slices.Concat(failed, held)
	}
	if v.decision == Escalate {
		v.entry.reads = append(v.entry.reads, read...)
	}
	v.entry.rule, v.entry.subject, v.entry.outcome = "decision", b.in.Artifact.Proposal.ID, string(v.decision)
	v.entry.threshold, v.entry.observed = float64(b.law.maxRounds), float64(b.round)
	return v
}

// escalates says why the user must decide, if the proposal is not ready, and
// which objections say so.
func (b *bench) escalates(last, progress bool) (because, read []string) {
	if last {
		because = append(because, "round "+strconv.Itoa(b.round)+" was the last")
	}
	before := b.upheldBefore()
	for i := range b.in.Artifact.Objections {
		o, r := &b.in.Artifact.Objections[i], &b.resolutions[i]
		if o.Severity != Blocking {
			continue
		}
		if r.Rule == "R4" {
			because = append(because, o.ID+" (BLOCKING) has evidence of one kind on both sides")
			read = append(read, o.ID)
		}
		if r.Outcome == Upheld && before[o.ID] {
			because = append(because, o.ID+" (BLOCKING) is upheld twice in a row")
			read = append(read, o.ID)
		}
	}
	if !progress {
		because = append(because, "the round brought neither new evidence nor a changed field")
	}
	return because, read
}

// previous is the result of the round before, or nil.
func (b *bench) previous() *Result {
	if n := len(b.in.Rounds); n > 0 {
		return &b.in.Rounds[n-1]
	}
	return nil
}

// upheldBefore are the objections that the round before upheld.
func (b *bench) upheldBefore() map[string]bool {
	upheld := map[string]bool{}
	if before := b.previous(); before != nil {
		for _, r := range before.Artifact.Resolutions {
			if r.Outcome == Upheld {
				upheld[r.Objection] = true
			}
		}
	}
	return upheld
}

// progress reports whether the round brought new evidence or a changed field.
// Round 1 counts as progress. Where the round before is not given, the
// proposal's own round tells whether it was revised.
func (b *bench) progress() bool {
	if b.round == 1 {
		return true
	}
	for i := range b.in.Evidence {
		if b.in.Evidence[i].Round == b.round {
			return true
		}
	}
	before := b.previous()
	if before == nil {
		return b.in.Artifact.Proposal.Round == b.round
	}
	return b.changed(before.Artifact.Proposal.Fields)
}

// changed reports whether a field was added, taken away or changed; their order
// says nothing.
func (b *bench) changed(before []Field) bool {
	if len(before) != len(b.in.Artifact.Proposal.Fields) {
		return true
	}
	for i := range before {
		at, there := b.fields[before[i].Path]
		if !there || !sameField(b.in.Artifact.Proposal.Fields[at], before[i]) {
			return true
		}
	}
	return false
}

// sameField reports whether a field is as it was.
func sameField(a, b Field) bool {
	if a.Path != b.Path || a.Category != b.Category || a.weight() != b.weight() || a.Grounded != b.Grounded ||
		!slices.Equal(a.Evidence, b.Evidence) || (a.Derived == nil) != (b.Derived == nil) {
		return false
	}
	if a.Derived != nil && (a.Derived.Op != b.Derived.Op || !slices.Equal(a.Derived.Of, b.Derived.Of)) {
		return false
	}
	if bytes.Equal(a.Value, b.Value) {
		return true
	}
	v, w := jsontext.Value(bytes.Clone(a.Value)), jsontext.Value(bytes.Clone(b.Value))
	return v.Canonicalize() == nil && w.Canonicalize() == nil && bytes.Equal(v, w)
}
