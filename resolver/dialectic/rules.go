package dialectic

import (
	"strconv"

	"moot/ledger"
)

// byUser is the decider of what the user ruled.
const byUser = "user"

// resolveAll settles the objections in their order, with a receipt each.
func (b *bench) resolveAll() []Resolution {
	resolutions := make([]Resolution, 0, len(b.in.Artifact.Objections))
	for i := range b.in.Artifact.Objections {
		r, why := b.resolve(i)
		why.rule, why.subject = r.Rule, r.Objection
		why.threshold, why.outcome = r.Threshold, string(r.Outcome)
		b.chain.add(why)
		resolutions = append(resolutions, r)
	}
	return resolutions
}

// resolve settles one objection: the first rule that applies.
func (b *bench) resolve(i int) (Resolution, entry) {
	o := &b.in.Artifact.Objections[i]
	r := Resolution{Objection: o.ID, Threshold: b.law.threshold(o.Category)}
	_, standing := b.fields[o.Target]
	switch {
	case o.Ruling == RulingCleared:
		r.Rule, r.Outcome, r.Decider = "R0", Cleared, byUser
		return r, entry{observed: 1, reason: "the user cleared it"}
	case o.Ruling == RulingUpheld:
		r.Rule, r.Outcome, r.Decider = "R0", Upheld, byUser
		return r, entry{observed: 1, reason: "the user upheld it"}
	case !standing:
		r.Rule, r.Outcome = "R6", Moot
		return r, entry{reason: o.Target + " is no field of the proposal any more"}
	case o.Conceded:
		r.Rule, r.Outcome = "R6", Upheld
		return r, entry{reason: "it was conceded, and " + o.Target + " is still a field"}
	}
	return b.weigh(o, r)
}

// weigh lets evidence settle an objection: R1 to R5.
func (b *bench) weigh(o *Objection, r Resolution) (Resolution, entry) {
	best := b.items.about(o)
	supports := b.items.eligible(&best, proponents, o.Severity, r.Threshold)
	refutes := b.items.eligible(&best, opponents, o.Severity, r.Threshold)
	if supports < 0 && refutes < 0 {
		r.Rule, r.Outcome = "R5", Unresolved
		return r, b.undecided(&best, o, r.Threshold)
	}
	var reads []string
	if supports >= 0 {
		r.BestFor = b.items.all[supports].ID
		reads = append(reads, r.BestFor)
	}
	if refutes >= 0 {
		r.BestAgainst = b.items.all[refutes].ID
		reads = append(reads, r.BestAgainst)
	}
	why := entry{reads: reads}
	switch {
	case refutes < 0:
		r.Rule, r.Outcome, r.Decider = "R1", Cleared, r.BestFor
		why.observed = b.items.confidence(supports)
		why.reason = b.named(supports) + " supports the proposal, and nothing eligible is against it"
	case supports < 0:
		r.Rule, r.Outcome, r.Decider = "R2", Upheld, r.BestAgainst
		why.observed = b.items.confidence(refutes)
		why.reason = b.named(refutes) + " contradicts the proposal, and nothing eligible supports it"
	case b.items.rank(supports) < b.items.rank(refutes):
		r.Rule, r.Outcome, r.Decider = "R3", Cleared, r.BestFor
		why.observed = b.items.confidence(supports)
		why.reason = b.named(supports) + " supports the proposal and outranks " + b.named(refutes)
	case b.items.rank(supports) > b.items.rank(refutes):
		r.Rule, r.Outcome, r.Decider = "R3", Upheld, r.BestAgainst
		why.observed = b.items.confidence(refutes)
		why.reason = b.named(refutes) + " contradicts the proposal and outranks " + b.named(supports)
	default:
		r.Rule, r.Outcome = "R4", Unresolved
		why.observed = max(b.items.confidence(supports), b.items.confidence(refutes))
		why.reason = b.named(supports) + " supports the proposal and " + b.named(refutes) +
			" contradicts it; they are of one kind, and confidence does not settle it"
	}
	return r, why
}

// undecided says for R5 what the strongest item lacks.
func (b *bench) undecided(best *tally, o *Objection, threshold float64) entry {
	at := b.items.strongest(best)
	if at < 0 {
		return entry{reason: "no evidence speaks to it"}
	}
	why := entry{
		reads: []string{b.items.all[at].ID}, observed: b.items.confidence(at),
		reason: b.named(at) + " is below the threshold of " + decimal(threshold),
	}
	if !b.law.allow[o.Severity.Gravity()][kindIndex(b.items.kind(at))] {
		why.reason = b.named(at) + " is not of a kind that decides what is " + string(o.Severity)
	}
	return why
}

// named is an item with what counts of it.
func (b *bench) named(at int) string {
	e, kind := &b.items.all[at], b.items.kind(at)
	words := e.ID + " (" + string(kind) + " " + decimal(b.items.confidence(at))
	if kind == ledger.LLMInference && e.SourceKind != kind {
		words += ", as it is not verified"
	}
	return words + ")"
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
