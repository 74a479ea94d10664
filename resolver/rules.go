package resolver

import (
	"fmt"
	"strconv"
	"strings"

	"moot/ledger"
	"moot/state"
)

func dismissed(tag state.Tag, reason string, reads ...string) (state.Ruling, bool) {
	return state.Ruling{Bucket: state.BucketDismissed, Tag: tag, Reason: reason, Receipt: state.Receipt{Reads: reads}},
		true
}

func unresolved(status state.Status, reason, crux string, reads ...string) (state.Ruling, bool) {
	return state.Ruling{
		Bucket: state.BucketUnresolved, Status: status, Reason: reason, Crux: crux,
		Receipt: state.Receipt{Reads: reads},
	}, true
}

func no() (state.Ruling, bool) { return state.Ruling{}, false }

// userRuled is AC1: the user outranks everyone.
func (b *bench) userRuled() (state.Ruling, bool) {
	u := b.p.UserRuling
	if u == nil {
		return no()
	}
	ruling := state.Ruling{
		Bucket: u.Bucket, Tag: state.TagUser, Reason: "the user ruled so",
		Receipt: state.Receipt{Reads: []string{event(u.Seq)}},
	}
	if u.Reason != "" {
		ruling.Reason += ": " + u.Reason
	}
	if u.Bucket == state.BucketUnresolved {
		ruling.Status = state.StatusOpen
		ruling.Crux = "the user left it open; reopening it or ruling on it ends that"
	}
	return ruling, true
}

// outOfScope is AC2.
func (b *bench) outOfScope() (state.Ruling, bool) {
	switch {
	case b.p.Scope == state.OutOfScope:
		return dismissed(state.TagOutOfScope, orElse(b.p.ScopeReason, "triage found it beside the question"), b.p.ID)
	case b.p.Scope == state.AnchorShift && b.p.Refused:
		return dismissed(state.TagOutOfScope,
			"it answers another question, and the user refused to change the question", b.p.ID)
	}
	return no()
}

// tooLate is AC3.
func (b *bench) tooLate() (state.Ruling, bool) {
	ruling := state.Ruling{Bucket: state.BucketNotEvaluated, Receipt: state.Receipt{Reads: []string{b.p.ID}}}
	switch b.p.Scope {
	case state.Late:
		ruling.Tag = b.p.LateTag
		ruling.Reason = fmt.Sprintf("raised in round %d, %s", b.p.Round, phaseName(b.p.Phase))
	case state.OverLimit:
		ruling.Tag = state.TagOverLimit
		ruling.Reason = "more than 7 points were in scope, and this was not among those kept"
	case state.Untriaged, state.InScope, state.OutOfScope, state.AnchorShift:
		return no()
	}
	return ruling, true
}

func phaseName(p state.Phase) string {
	if p == state.PhaseUnknown {
		return "phase unknown"
	}
	return "in " + string(p)
}

// pendingShift is AC4.
func (b *bench) pendingShift() (state.Ruling, bool) {
	if b.p.Scope != state.AnchorShift {
		return no()
	}
	return unresolved(state.StatusAnchorShift, "it answers another reading of the question",
		"does the user consent to that reading?", b.p.ID)
}

// violates is AC5.
func (b *bench) violates() (state.Ruling, bool) {
	for _, v := range b.p.Violates {
		if fact := b.s.Fact(v.Fact); v.Confirmed && fact != nil && fact.Live && fact.Tag == ledger.TagUser {
			return dismissed(state.TagViolates, "the user confirmed that it contradicts "+fact.ID, fact.ID)
		}
	}
	if b.p.Predicate == nil {
		return no()
	}
	for _, fact := range b.s.Facts.All() {
		if fact.Live && fact.Tag == ledger.TagUser && ledger.Incompatible(b.p.Predicate, fact.Predicate) {
			return dismissed(state.TagViolates,
				fmt.Sprintf("%s cannot hold with the user's %s", b.p.Predicate.Path, fact.ID), fact.ID)
		}
	}
	return no()
}

// givenUp is AC6.
func (b *bench) givenUp() (state.Ruling, bool) {
	if b.p.RevisedBy != "" {
		return dismissed(state.TagSuperseded, "revised as "+b.p.RevisedBy, b.p.RevisedBy)
	}
	if round, ok := b.p.Conceded(); ok {
		reads := []string{}
		for _, c := range b.challenges {
			if c.Status == state.StandsConceded {
				reads = append(reads, c.ID)
			}
		}
		for _, c := range b.p.Concessions {
			reads = append(reads, event(c.Seq))
		}
		return dismissed(state.TagConceded, fmt.Sprintf("conceded by all its authors in round %d", round), reads...)
	}
	return no()
}

// undefended is AC7.
func (b *bench) undefended() (state.Ruling, bool) {
	for _, c := range b.challenges {
		if c.Status == state.StandsUndefended {
			how := "after a reminder"
			if c.Kind == state.Reject {
				how = "in its one defense round"
			}
			return dismissed(state.TagUndefended,
				fmt.Sprintf("%s was not answered %s (challenged in round %d)", c.ID, how, c.Round), c.ID)
		}
	}
	return no()
}

// refuted is AC8.
func (b *bench) refuted() (state.Ruling, bool) {
	against, support := best(b.refutes), best(b.supports)
	if against == nil || (support != nil && ledger.CompareRank(against, support) >= 0) {
		return no()
	}
	if !b.s.Over() && !b.answered() {
		return no()
	}
	reads := []string{against.ID}
	if support != nil {
		reads = append(reads, support.ID)
	}
	for _, c := range b.challenges {
		reads = append(reads, c.ID)
	}
	return dismissed(state.TagRejected, fmt.Sprintf("%s (%s, %s) refutes it, and no support ranks as high", against.ID,
		against.Type, against.Reference), reads...)
}

// answered reports whether there are challenges and each was answered.
func (b *bench) answered() bool {
	for _, c := range b.challenges {
		switch c.Status {
		case state.StandsOpen, state.StandsDropped, state.StandsReminded:
			return false
		case state.StandsDefended, state.StandsConceded, state.StandsUndefended:
		}
	}
	return len(b.challenges) > 0
}

// conflicting is AC9.
func (b *bench) conflicting() (state.Ruling, bool) {
	against, support := best(b.refutes), best(b.supports)
	if against == nil || support == nil || ledger.CompareRank(against, support) != 0 {
		return no()
	}
	return unresolved(state.StatusBlocked, fmt.Sprintf("conflicting evidence: %s supports it and %s of equal rank "+
		"refutes it", support.ID, against.ID),
		fmt.Sprintf("evidence that ranks above both %s and %s", support.ID, against.ID), support.ID, against.ID)
}

// rejected is AC10.
func (b *bench) rejected() (state.Ruling, bool) {
	c := b.finallyRejected()
	if c == nil || b.value || len(b.supports) > 0 {
		return no()
	}
	return dismissed(state.TagRejected, fmt.Sprintf("%s stands: %s", c.ID, orElse(c.Last().Reason, c.Objection)), c.ID)
}

// tradeoff is AC11.
func (b *bench) tradeoff() (state.Ruling, bool) {
	c := b.finallyRejected()
	if c == nil || (!b.value && b.decisiveSupport() != nil) {
		return no()
	}
	reads := []string{c.ID}
	for _, e := range b.supports {
		reads = append(reads, e.ID)
	}
	return unresolved(state.StatusTradeoff, fmt.Sprintf("the defense against %s was rejected, and evidence does not "+
		"settle it", c.ID),
		"which side matters more to you: "+b.p.Text+" - or: "+c.Objection, reads...)
}

// illFormed is AC12.
func (b *bench) illFormed() (state.Ruling, bool) {
	r := b.request(state.RequestClarification)
	class := b.illFormedBy()
	if r == nil || !r.Passed || r.Seq < b.p.Reopened || class == nil {
		return no()
	}
	return unresolved(state.StatusDefinitional, "ill-formed, and the clarification that was asked for did not come",
		orElse(r.Text, "what does the point mean?"), event(r.Seq), event(class.Seq))
}

// blocked is AC13.
func (b *bench) blocked() (state.Ruling, bool) {
	claim := b.p.Blocked
	if claim == nil {
		return no()
	}
	for _, items := range [][]*ledger.Evidence{b.supports, b.refutes} {
		for _, item := range items {
			if item.Seq > claim.Seq {
				return no()
			}
		}
	}
	return unresolved(state.StatusBlocked, "a measurement is missing: "+claim.Measurement,
		fmt.Sprintf("%s: %s; below it %s, above it %s", claim.Measurement, claim.Threshold, claim.Below, claim.Above),
		event(claim.Seq))
}

// agreedValue is AC15.
func (b *bench) agreedValue() (state.Ruling, bool) {
	reads, ok := b.upheld()
	if !ok || !b.value {
		return no()
	}
	return state.Ruling{
		Bucket: state.BucketAgreed, Tag: state.TagNotApplicable,
		Reason:  "a value judgment on which the seats agree; agreement is no proof",
		Receipt: state.Receipt{Reads: reads},
	}, true
}

// agreedEmpirical is AC16.
func (b *bench) agreedEmpirical() (state.Ruling, bool) {
	if b.value {
		return no()
	}
	reads, ok := b.upheld()
	firm := b.firmSupport()
	why := b.accord()
	if !ok {
		if !b.decided() {
			return no()
		}
		firm = b.decisiveSupport()
		why = "decisive support that no refutation equals"
	}
	if firm == nil {
		return no()
	}
	tag := state.TagTextual
	if firm.Type == ledger.Execution {
		tag = state.TagExecution
	}
	return state.Ruling{
		Bucket: state.BucketAgreed, Tag: tag,
		Reason:  fmt.Sprintf("%s, and %s %s", why, firm.ID, whence(firm)),
		Receipt: state.Receipt{Reads: append([]string{firm.ID}, reads...)},
	}, true
}

// decided reports whether decisive support settles the point for AC16: it stands
// against a judgment, never against a window that is still open (INV1, INV4).
func (b *bench) decided() bool {
	_, judged := b.judged()
	return !b.value && judged && b.decisiveSupport() != nil && b.waiting() == nil
}

// whence says where verified evidence comes from.
func whence(e *ledger.Evidence) string {
	if e.Run != nil {
		return "came of running " + strings.TrimPrefix(e.Reference, "$ ")
	}
	return "stands at " + e.Reference
}

// evidenceMissing is AC17.
func (b *bench) evidenceMissing() (state.Ruling, bool) {
	if b.value || b.firmSupport() != nil {
		return no()
	}
	reads, ok := b.upheld()
	reason := b.accord() + "; nothing checked it"
	if !ok {
		if _, judged := b.judged(); judged || b.waiting() != nil || !FacesRules(b.s, b.p) {
			return no()
		}
		reads = []string{b.p.ID}
		reason = "no seat that can judge has judged it, and nothing checked it"
	}
	asked := b.request(state.RequestEvidence)
	if !b.s.Over() && (asked == nil || asked.Open()) {
		return no()
	}
	if asked != nil {
		reads = append(reads, event(asked.Seq))
		reason += "; evidence was asked for in round " + strconv.Itoa(asked.Round)
	}
	return unresolved(state.StatusUnverified, reason,
		"evidence that anyone can check: a file and line, or a command and its output", reads...)
}

// found is AC17b: a passage that was looked up and that nobody able to judge has judged.
func (b *bench) found() (state.Ruling, bool) {
	firm := b.firmSupport()
	if firm == nil || b.waiting() != nil {
		return no()
	}
	if _, judged := b.judged(); judged || !b.s.ByRules(state.Seat(firm.OfferedBy)) && !FacesRules(b.s, b.p) {
		return no()
	}
	return unresolved(state.StatusFound, firm.ID+" "+whence(firm)+"; no model judged whether it answers the question",
		"a model or a person who judges whether "+firm.ID+" bears on it", firm.ID)
}

// leftOpen is AC18.
func (b *bench) leftOpen() (state.Ruling, bool) {
	if !b.s.Over() {
		return no()
	}
	if c := b.disputed(); c != nil {
		return unresolved(state.StatusOpen, fmt.Sprintf("the session ended with %s %s", c.ID, c.Status),
			orElse(c.UpgradeIf, c.Objection), c.ID)
	}
	for i := len(b.p.Classes) - 1; i >= 0; i-- {
		if c := b.p.Classes[i]; c.Class == state.Skeptical || c.Class == state.Reject {
			return unresolved(state.StatusOpen,
				fmt.Sprintf("the session ended with %s %s: %s", c.Seat, c.Class, c.Reason), "an answer to that doubt",
				event(c.Seq))
		}
	}
	return unresolved(state.StatusOpen, "the session ended before another seat had judged it",
		"a judgment by another seat, with evidence", b.p.ID)
}

// stillOpen is AC19.
func (b *bench) stillOpen() (state.Ruling, bool) {
	reason := "under deliberation"
	if c := b.waiting(); c != nil {
		reason = c.ID + " is " + string(c.Status)
	}
	return state.Ruling{Bucket: state.BucketOpen, Reason: reason}, true
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}
