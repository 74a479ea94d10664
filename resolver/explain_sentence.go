package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/state"
)

// because is what the ruling's rule says of this very point.
func (b *bench) because(r *state.Ruling) string {
	switch r.Rule {
	case "RD2":
		return fmt.Sprintf("It says the same as %s and counts as that point.", b.p.MergedInto)
	case "AC1":
		return b.becauseUser()
	case "AC2":
		if b.p.Refused {
			return "It answers another reading of the question, and you refused to change the question."
		}
		return "It was found to be beside the question" + colon(b.p.ScopeReason)
	case "AC3":
		return b.becauseLate()
	case "AC4":
		return "It answers another reading of the question, and you have not said whether you consent to that reading" + colon(b.p.ScopeReason)
	case "AC5":
		return b.becauseViolates(r)
	case "AC6":
		return b.becauseGivenUp()
	case "AC7":
		return b.becauseUndefended()
	case "AC8", "AC9":
		return b.becauseEvidence(r)
	case "AC10", "AC11":
		return b.becauseRejected(r)
	case "AC12", "AC13", "AC14":
		return b.becauseStuck(r)
	case "AC15", "AC16", "AC17":
		return b.becauseUpheld(r)
	case "AC18":
		return "The session ended first. " + b.pending()
	case "AC19":
		return b.pending()
	case "PN1", "PN2", "PN3", "PN4":
		return b.becausePanel(r)
	case councilRuleName, "CV1", "CV2", "CV3", "CV4":
		return b.becauseCouncil(r)
	}
	return sentence(r.Reason)
}

func (b *bench) becauseUser() string {
	u := b.p.UserRuling
	if u == nil {
		return "You ruled on it."
	}
	done := "left it unresolved"
	switch u.Bucket {
	case state.BucketAgreed:
		done = "agreed with it"
	case state.BucketDismissed:
		done = "dismissed it"
	case state.BucketUnresolved, state.BucketNotEvaluated, state.BucketOpen:
	}
	return fmt.Sprintf("You %s (event %s)%s", done, event(u.Seq), colon(u.Reason))
}

func (b *bench) becauseLate() string {
	if b.p.Scope == state.OverLimit {
		return "More than 7 points belong to the question, and this one was not among those that were kept."
	}
	if b.p.Phase == state.PhaseUnknown {
		return fmt.Sprintf("It came in round %d, in a phase that is not known; new points are taken in CONSTRUCTIVE.", b.p.Round)
	}
	return fmt.Sprintf("%s brought it in round %d, in %s; new points are taken in CONSTRUCTIVE.", capital(seatNames(b.p.Authors)), b.p.Round, b.p.Phase)
}

func (b *bench) becauseViolates(r *state.Ruling) string {
	if len(r.Reads) == 0 || b.s.Fact(r.Reads[0]) == nil {
		return sentence(r.Reason)
	}
	fact := b.s.Fact(r.Reads[0])
	for _, v := range b.p.Violates {
		if v.Fact == fact.ID && v.Confirmed {
			return fmt.Sprintf("You confirmed that it contradicts your fact %s: %s.", fact.ID, quote(fact.Text))
		}
	}
	if b.p.Predicate == nil {
		return sentence(r.Reason)
	}
	return fmt.Sprintf("What it says of %s cannot hold together with your fact %s: %s.", b.p.Predicate.Path, fact.ID, quote(fact.Text))
}

func (b *bench) becauseGivenUp() string {
	if b.p.RevisedBy != "" {
		if next := b.s.Point(b.p.RevisedBy); next != nil && next.WordedBy != "" {
			return fmt.Sprintf("%s worded it anew as %s, which %s answers for.", capital(seatName(next.WordedBy)), next.ID, seatNames(next.Authors))
		}
		return fmt.Sprintf("%s replaced it with %s.", capital(seatNames(b.p.Authors)), b.p.RevisedBy)
	}
	round, _ := b.p.Conceded()
	if len(b.p.Authors) == 1 {
		return fmt.Sprintf("%s gave it up in round %d.", capital(seatNames(b.p.Authors)), round)
	}
	return fmt.Sprintf("%s held it, and the last of them gave it up in round %d.", capital(seatNames(b.p.Authors)), round)
}

func (b *bench) becauseUndefended() string {
	for _, c := range b.challenges {
		if c.Status != state.StandsUndefended {
			continue
		}
		window := ", not even after the reminder"
		if c.Kind == state.Reject {
			window = "; a REJECT has one round for its answer"
		}
		return fmt.Sprintf("%s challenged it in round %d (%s, %s), and %s did not answer%s.",
			capital(seatName(c.By)), c.Round, c.ID, c.Kind, b.defenders(), window)
	}
	return ""
}

// defenders names the seats that answer for the point.
func (b *bench) defenders() string {
	if seats := Defenders(b.p); len(seats) > 0 {
		return seatNames(seats)
	}
	return "its author"
}

func (b *bench) becauseEvidence(r *state.Ruling) string {
	against, support := best(b.refutes), best(b.supports)
	if against == nil {
		return sentence(r.Reason)
	}
	if r.Rule == "AC9" && support != nil {
		return fmt.Sprintf("%s supports it and %s refutes it, and both rank the same (%s).", support.ID, against.ID, ranked(against))
	}
	why := "its author was heard"
	if !b.answered() {
		why = "the session is over"
	}
	if support == nil {
		return fmt.Sprintf("%s (%s) refutes it, no verified evidence supports it, and %s.", against.ID, ranked(against), why)
	}
	return fmt.Sprintf("%s (%s) refutes it and outranks %s (%s), its best support, and %s.",
		against.ID, ranked(against), support.ID, ranked(support), why)
}

// ranked is what the rank of an item depends on.
func ranked(e *ledger.Evidence) string { return string(e.Type) + ", " + string(e.SourceKind) }

func (b *bench) becauseRejected(r *state.Ruling) string {
	c := b.finallyRejected()
	if c == nil {
		return sentence(r.Reason)
	}
	last := c.Last()
	text := fmt.Sprintf("%s challenged it in round %d (%s, REJECT), and the answer of round %d was rejected (%s)",
		capital(seatName(c.By)), c.Round, c.ID, last.Round, quote(orElse(last.Reason, c.Objection)))
	switch {
	case r.Rule == "AC10":
		return text + "; no verified evidence supports the point."
	case b.value:
		return text + "; it is a value judgment, so the choice is yours."
	default:
		return text + "; what supports the point (" + listed(idsOf(b.supports)) + ") is not decisive."
	}
}

func (b *bench) becauseStuck(r *state.Ruling) string {
	switch r.Rule {
	case "AC12":
		asked, class := b.request(state.RequestClarification), b.illFormedBy()
		if asked != nil && class != nil {
			return fmt.Sprintf("%s called it ill-formed in round %d, and what it means was asked in round %d and not said%s",
				capital(seatName(class.Seat)), class.Round, asked.Round, colon(asked.Text))
		}
	case "AC13":
		if claim := b.p.Blocked; claim != nil {
			return fmt.Sprintf("%s said in round %d that a measurement is missing (%s; threshold %s), and nothing was verified since.",
				capital(seatName(claim.By)), claim.Round, clip(claim.Measurement), clip(claim.Threshold))
		}
	case "AC14":
		if c := b.disputed(); c != nil {
			how := fmt.Sprintf("%s (%s by %s) is disputed since round %d", c.ID, c.Kind, seatName(c.By), c.Disputed)
			if c.RejectedDefenses() >= 2 {
				how = fmt.Sprintf("%s (%s by %s) was answered twice, and both answers were rejected", c.ID, c.Kind, seatName(c.By))
			}
			class := b.p.Deadlock
			if class == state.DeadlockNone {
				class = DeadlockOf(b.s, b.p)
			}
			return how + ". " + DeadlockMeans(class)
		}
	}
	return sentence(r.Reason)
}

func (b *bench) becauseUpheld(r *state.Ruling) string {
	stands, firm := b.standing(), b.firmSupport()
	switch {
	case r.Rule == "AC15":
		return stands + "; it is a value judgment, so no evidence is asked for."
	case r.Rule == "AC16" && firm != nil:
		if _, ok := b.upheld(); ok {
			return fmt.Sprintf("%s, and %s (%s) supports it at %s.", stands, firm.ID, firm.Type, clip(firm.Reference))
		}
		if top := b.decisiveSupport(); top != nil {
			return fmt.Sprintf("%s (%s, at %s) is decisive: it says the very thing, and no evidence against the point ranks as high, whatever else was objected.",
				top.ID, top.Type, clip(top.Reference))
		}
	case r.Rule == "AC17":
		asked := "the session is over"
		if q := b.request(state.RequestEvidence); q != nil {
			asked = fmt.Sprintf("the evidence that was asked for in round %d did not come", q.Round)
		}
		return fmt.Sprintf("%s, but it is an empirical claim, nothing verified supports it, and %s.", stands, asked)
	}
	return sentence(r.Reason)
}

// standing says who stands behind the point, without a full stop.
func (b *bench) standing() string {
	if b.table != nil && !b.argued() {
		return b.backed()
	}
	agreeing, _ := b.judged()
	switch {
	case agreeing != "" && len(b.challenges) > 0:
		return fmt.Sprintf("%s agrees with it, and nothing is left of %s", capital(seatName(agreeing)), listed(challengeIDs(b.challenges)))
	case agreeing != "":
		return capital(seatName(agreeing)) + " agrees with it"
	}
	return fmt.Sprintf("%s answered every challenge (%s), and the answers were accepted", capital(b.defenders()), listed(challengeIDs(b.challenges)))
}

// pending says what the point waits for, or waited for at the end.
func (b *bench) pending() string {
	if b.p.Scope == state.Untriaged && len(b.p.Classes) == 0 {
		return "Nobody said whether it belongs to the question."
	}
	if c := b.waiting(); c != nil {
		return b.waitsFor(c)
	}
	if b.table != nil && !b.argued() {
		return b.pendingPanel()
	}
	if _, judged := b.judged(); !judged {
		if b.s.Over() {
			return "No seat but its author had judged it."
		}
		return fmt.Sprintf("No seat but its author has judged it yet; that is for %s.", seatNames(Evaluators(b.s, b.p)))
	}
	if c := b.disputed(); c != nil {
		return fmt.Sprintf("%s (%s by %s) was answered, and the answer was rejected.", c.ID, c.Kind, seatName(c.By))
	}
	if class := b.lastDoubt(); class != nil {
		return fmt.Sprintf("The last word of %s on it is %s (round %d)%s", seatName(class.Seat), class.Class, class.Round, colon(class.Reason))
	}
	if _, ok := b.upheld(); ok {
		return b.standing() + ", but it is an empirical claim and nothing verified supports it yet."
	}
	return "The seats have not finished with it."
}

// lastDoubt returns the last word of a seat that is not AGREE, or nil.
func (b *bench) lastDoubt() *state.Classification {
	for i := len(b.p.Classes) - 1; i >= 0; i-- {
		if c := &b.p.Classes[i]; c.Class != state.Agree && b.p.Latest(c.Seat).Seq == c.Seq {
			return c
		}
	}
	return nil
}

func (b *bench) waitsFor(c *state.Challenge) string {
	head := fmt.Sprintf("%s (%s by %s, round %d)", c.ID, c.Kind, seatName(c.By), c.Round)
	waits := "waits"
	if b.s.Over() {
		waits = "waited"
	}
	switch c.Status {
	case state.StandsOpen:
		if n := c.RejectedDefenses(); n > 0 {
			return fmt.Sprintf("%s %s for another answer of %s: the first was rejected.", head, waits, b.defenders())
		}
		return fmt.Sprintf("%s %s for the answer of %s.", head, waits, b.defenders())
	case state.StandsDropped:
		return fmt.Sprintf("%s was not answered in its first round; a reminder to %s was due.", head, b.defenders())
	case state.StandsReminded:
		return fmt.Sprintf("%s was not answered, and the reminder to %s went out; silence loses the point.", head, b.defenders())
	case state.StandsDefended:
		return fmt.Sprintf("%s was answered, and the answer %s for the judgment of %s.", head, waits, seatName(JudgeOf(b.s, c)))
	case state.StandsUndefended, state.StandsConceded:
	}
	return head + "."
}

// colon adds a quoted text as the end of a sentence, or a full stop.
func colon(text string) string {
	if strings.TrimSpace(text) == "" {
		return "."
	}
	return ": " + quote(text) + "."
}

// quote is a text of somebody else's inside a sentence.
func quote(text string) string { return "“" + clip(text) + "”" }

// clip is a foreign text on one line, short enough for a sentence.
func clip(text string) string { return plain.Clip(text, 120) }

// listed joins words: "C1, C2 and C3". More than 6 are counted.
func listed(words []string) string {
	const most = 6
	if more := len(words) - most; more > 0 {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", more))
	}
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func idsOf(items []*ledger.Evidence) []string {
	ids := make([]string, len(items))
	for i, item := range items {
		ids[i] = item.ID
	}
	return ids
}

func challengeIDs(challenges []*state.Challenge) []string {
	ids := make([]string, len(challenges))
	for i, c := range challenges {
		ids[i] = c.ID
	}
	return ids
}
