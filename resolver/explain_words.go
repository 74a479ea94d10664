package resolver

import "moot/state"

// Where is a ruling's place in words: "Agreed, textual", "Dismissed,
// REJECTED", "Unresolved, tradeoff", "Not evaluated, phase closed", "Open".
func Where(r *state.Ruling) string {
	words := bucketWord(r.Bucket)
	switch {
	case r.Status != state.StatusNone:
		words += ", " + string(r.Status)
	case r.Tag != state.TagNone:
		words += ", " + string(r.Tag)
	}
	return words
}

func bucketWord(b state.Bucket) string {
	switch b {
	case state.BucketAgreed:
		return "Agreed"
	case state.BucketDismissed:
		return "Dismissed"
	case state.BucketUnresolved:
		return "Unresolved"
	case state.BucketNotEvaluated:
		return "Not evaluated"
	case state.BucketOpen:
		return "Open"
	}
	return string(b)
}

// Meaning says in a sentence what a ruling's status, tag or bucket stands for.
func Meaning(r *state.Ruling) string {
	means := orElse(councilMeans(r), hearingMeans(r))
	switch {
	case means != "":
		return means
	case r.Status != state.StatusNone:
		return StatusMeans(r.Status)
	case r.Tag == state.TagNotApplicable && OfProposal(r.Rule):
		return "Nothing holds it, and it rests on no evidence."
	case r.Tag != state.TagNone:
		return TagMeans(r.Tag)
	}
	return "The session is still at it."
}

// TagMeans says in a sentence what a tag stands for; "" for none.
func TagMeans(t state.Tag) string {
	switch t {
	case state.TagNone:
		return ""
	case state.TagExecution:
		return "A command's checked output stands behind it."
	case state.TagTextual:
		return "A verified passage stands behind it."
	case state.TagNotApplicable:
		return "It is a value judgment: only agreement stands behind it, which is a signal and no proof."
	case state.TagFacts:
		return "Facts of the packet stand behind it."
	case state.TagUser:
		return "You decided it."
	case state.TagOutOfScope:
		return "It does not belong to the question."
	case state.TagViolates:
		return "It contradicts a fact of yours."
	case state.TagConceded:
		return "Its authors gave it up."
	case state.TagSuperseded:
		return "Another point stands in its place."
	case state.TagUndefended:
		return "A challenge to it was never answered."
	case state.TagRejected:
		return "An objection to it or evidence against it stands."
	case state.TagRaisedLate, state.TagPhaseClosed:
		return "It came when new points were no longer taken."
	case state.TagPhaseUnknown:
		return "It came when nobody could tell whether new points were taken."
	case state.TagOverLimit:
		return "It was not among the 7 points that a session evaluates."
	}
	return ""
}

// StatusMeans says in a sentence what the status of an unresolved point stands
// for; "" for none.
func StatusMeans(s state.Status) string {
	switch s {
	case state.StatusNone:
		return ""
	case state.StatusBlocked:
		return "Evidence or a measurement is missing, or what there is conflicts."
	case state.StatusUnverified:
		return "Nothing that anyone can check supports it."
	case state.StatusFound:
		return "The passage is there; no model or person has judged whether it answers the question."
	case state.StatusTradeoff:
		return "No evidence settles it: it depends on what matters more to you."
	case state.StatusDefinitional:
		return "It depends on what its words mean."
	case state.StatusAnchorShift:
		return "It answers another reading of your question."
	case state.StatusOpen:
		return "It was left without an answer."
	}
	return ""
}

// RuleSays is what a rule says of any point, in one sentence; "" for a rule
// that rules on no point.
func RuleSays(rule string) string {
	switch rule {
	case "RD2":
		return "Points that say the same are one point."
	case "AC1":
		return "What you decide on a point stands above every other rule."
	case "AC2":
		return "A point that does not belong to the question is dismissed."
	case "AC3":
		return "A point that comes too late, or is not among the 7 kept, is not evaluated."
	case "AC4":
		return "A point that answers another reading of the question waits for your consent."
	case "AC5":
		return "A point that cannot hold together with a fact of yours is dismissed."
	case "AC6":
		return "A point that all its authors gave up or replaced is dismissed."
	case "AC7":
		return "A point is dismissed when a challenge to it is never answered."
	case "AC8":
		return "Verified evidence against a point dismisses it when no support ranks as high and its author was heard."
	case "AC9":
		return "Where the best verified evidence for and against ranks the same, nothing is decided."
	case "AC10":
		return "An empirical point falls when its defense against a REJECT was rejected and no verified evidence " +
			"supports it."
	case "AC11":
		return "A rejected defense leaves a tradeoff where the point is a value judgment or its support is not " +
			"decisive."
	case "AC12":
		return "A point that a seat calls ill-formed stays undecided when the clarification that was asked for does " +
			"not come."
	case "AC13":
		return "A point waits where a measurement is known to be missing and nothing was verified since."
	}
	return laterRuleSays(rule)
}

func laterRuleSays(rule string) string {
	switch rule {
	case "AC14":
		return "A dispute that two answers or three rounds did not end stays unresolved, unless decisive evidence " +
			"supports the point."
	case "AC15":
		return "A value judgment is agreed when another seat stands behind it and no objection is left."
	case "AC16":
		return "An empirical point is agreed when verified evidence supports it and no objection is left, or " +
			"decisive evidence outweighs them."
	case "AC17":
		return "An empirical point that the seats agree on, or that only built-in rules face, is unverified without " +
			"evidence."
	case "AC17b":
		return "A verified passage that nobody able to judge has judged is found, not agreed."
	case "AC18":
		return "What nothing has decided by the end of the session is unresolved."
	case "AC19":
		return "What nothing has decided yet is open."
	}
	return panelRuleSays(rule)
}

// seatName is a seat in a sentence.
func seatName(s state.Seat) string {
	switch s {
	case state.User:
		return "you"
	case state.Protocol:
		return "code"
	case state.Orchestrator, state.Consultee, state.Arbiter, state.Proposer, state.PressureTester, state.Panelist,
		state.Strategist, state.Critic, state.Adversary, state.Moderator, state.Expert,
		state.Architect, state.Skeptic, state.Oracle:
		return "the " + string(s)
	}
	return string(s)
}

// seatNames lists seats in a sentence: "the consultee and consultee-2".
func seatNames(seats []state.Seat) string {
	names := make([]string, len(seats))
	for i, s := range seats {
		names[i] = seatName(s)
	}
	return listed(names)
}
