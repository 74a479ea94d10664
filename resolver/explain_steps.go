package resolver

import (
	"fmt"

	"moot/ledger"
	"moot/state"
)

// nearly names the rules before the one that fired that came close, with what
// they lacked.
func (b *bench) nearly(fired string) []NearMiss {
	var steps []NearMiss
	for _, name := range b.ruleNames() {
		if name == fired {
			return steps
		}
		if words := b.lacks(name); words != "" {
			steps = append(steps, NearMiss{Rule: name, Words: capital(words)})
		}
	}
	// Another rule than those of the table fired: none of them came close.
	return nil
}

// lacks says what a rule that did not fire lacked, where it came close, or
// returns "".
func (b *bench) lacks(rule string) string {
	switch rule {
	case "AC5":
		return b.lacksConfirmation()
	case "AC6":
		return b.lacksConcession()
	case "AC7":
		return b.lacksSilence()
	case "AC8":
		return b.lacksRefutation()
	case "AC10":
		if c := b.finallyRejected(); c != nil {
			return fmt.Sprintf("the answer to %s was rejected, but %s.", c.ID, b.whyNotRejected())
		}
	case "AC11":
		if c := b.finallyRejected(); c != nil && b.decisiveSupport() != nil {
			return fmt.Sprintf("the answer to %s was rejected, but %s is decisive.", c.ID, b.decisiveSupport().ID)
		}
	case "AC12":
		if q := b.request(state.RequestClarification); q != nil && q.Open() && b.illFormedBy() != nil {
			return fmt.Sprintf("it is called ill-formed, and what it means was asked in round %d; the answer may still come.", q.Round)
		}
	case "AC13":
		if claim := b.p.Blocked; claim != nil {
			return fmt.Sprintf("a measurement was said to be missing in round %d, but evidence was verified since.", claim.Round)
		}
	case "AC14":
		return b.lacksDeadlock()
	case "AC15", "AC16":
		return b.lacksAgreement(rule)
	case "PN1", "PN2", "PN3", "PN4":
		return b.lacksPanel(rule)
	}
	return ""
}

func (b *bench) lacksConfirmation() string {
	for _, v := range b.p.Violates {
		if !v.Confirmed {
			return fmt.Sprintf("%s says that it contradicts your fact %s, and you have not confirmed it.", seatName(v.By), v.Fact)
		}
	}
	return ""
}

func (b *bench) lacksSilence() string {
	for _, c := range b.challenges {
		if c.Status == state.StandsDropped || c.Status == state.StandsReminded {
			return fmt.Sprintf("%s was passed over once; only silence after the reminder dismisses the point.", c.ID)
		}
	}
	return ""
}

func (b *bench) whyNotRejected() string {
	if b.value {
		return "the point is a value judgment"
	}
	return "the point has verified support (" + listed(idsOf(b.supports)) + ")"
}

func (b *bench) lacksConcession() string {
	var left []state.Seat
	for _, a := range b.p.Authors {
		if b.p.Holds(a) {
			left = append(left, a)
		}
	}
	if len(b.p.Concessions) == 0 || len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("an author gave it up, but %s still holds it.", seatNames(left))
}

func (b *bench) lacksRefutation() string {
	against, support := best(b.refutes), best(b.supports)
	switch {
	case against == nil:
		return ""
	case support != nil && ledger.CompareRank(against, support) >= 0:
		return fmt.Sprintf("%s refutes it, but %s ranks as high or higher.", against.ID, support.ID)
	}
	return fmt.Sprintf("%s refutes it, but its author has not been heard on that yet.", against.ID)
}

func (b *bench) lacksDeadlock() string {
	for _, c := range b.challenges {
		if c.Kind == state.Skeptical && c.RejectedDefenses() == 1 && !c.Settled() {
			return fmt.Sprintf("one answer to %s was rejected; a second rejection would leave it unresolved.", c.ID)
		}
	}
	if c := b.disputed(); c != nil && b.p.Deadlock != state.DeadlockNone && b.decisiveSupport() != nil {
		return fmt.Sprintf("%s stays disputed, but %s is decisive.", c.ID, b.decisiveSupport().ID)
	}
	return ""
}

// lacksAgreement says what keeps a point from AC15 or AC16, whichever is for
// its kind.
func (b *bench) lacksAgreement(rule string) string {
	if b.value != (rule == "AC15") {
		return ""
	}
	agreeing, _ := b.judged()
	firm := b.firmSupport()
	_, stands := b.upheld()
	switch {
	case !b.value && stands && firm == nil:
		return fmt.Sprintf("%s, but no verified evidence supports it.", b.standing())
	case !stands && agreeing != "" && b.waiting() != nil:
		return fmt.Sprintf("%s agrees, but %s is not settled.", seatName(agreeing), b.waiting().ID)
	case !b.value && !stands && firm != nil && b.waiting() != nil:
		return fmt.Sprintf("%s supports it, but %s is not settled.", firm.ID, b.waiting().ID)
	case !b.value && !stands && firm != nil:
		return fmt.Sprintf("%s supports it, but no other seat stands behind it.", firm.ID)
	}
	return ""
}
