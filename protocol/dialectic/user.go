package dialectic

import (
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// UserMove implements Format.
func (Format) UserMove(u *protocol.UserAdmitter, move protocol.UserMove) (handled bool, err error) {
	switch m := move.(type) {
	case protocol.RuleOn:
		p := fieldNamed(&u.State, m.Point)
		if p == nil || m.What != state.OverrideAgree {
			return false, nil
		}
		return true, acceptField(u, p, m.Reason)
	case protocol.ChallengePoint:
		severity := gates.High
		if m.Class == state.Reject {
			severity = gates.Blocking
		}
		return true, object(u, protocol.RaiseObjection{Point: m.Point, Text: m.Objection, Severity: severity})
	case protocol.RaiseObjection:
		return true, object(u, m)
	case protocol.RuleObjection:
		return true, ruleObjection(u, m)
	case protocol.WithdrawField:
		return true, withdrawField(u, m)
	case protocol.AnswerChallenge:
		return true, answerObjection(u, m)
	case protocol.SupplyEvidence:
		return true, supplyField(u, m)
	case protocol.AnswerQuestion:
		q := u.State.QuestionByID(m.Question)
		if q == nil || q.Kind != state.QuestionEscalation || strings.TrimSpace(m.Answer) == "" {
			return false, nil
		}
		return true, answerEscalation(u, q, strings.TrimSpace(m.Answer))
	case protocol.SetKind, protocol.SetPriority, protocol.ConcedePoint:
		return true, protocol.Refuse("not-here", "a proposal has fields; agree to one, dismiss it, or leave it aside")
	case protocol.RecordFact, protocol.SetBudget, protocol.EndSession:
	}
	return false, nil
}

// answerEscalation applies the user's answer to an escalation.
func answerEscalation(u *protocol.UserAdmitter, q *state.Question, answer string) error {
	if n := protocol.Numbered(answer, len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	if err := u.Add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer}); err != nil {
		return err
	}
	p, c := u.State.Point(q.Point), u.State.Challenge(q.About)
	word := strings.ToLower(answer)
	switch {
	case p == nil:
	case word == answerWithdraw:
		return u.Add(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: "the user withdrew it"})
	case c != nil && word == answerCleared, c != nil && word == answerUpheld:
		return u.Add(&state.ObjectionRuled{Challenge: c.ID, Verdict: word, Reason: "the answer to " + q.ID})
	case c == nil && word == answerAccept:
		return acceptField(u, p, "the answer to "+q.ID)
	}
	// Record only the answer: the question quotes seats, whose text is not a fact of the
	// user's.
	return u.Add(&state.FactRecorded{
		ID: u.NextFact(), Tag: ledger.TagUser, Seat: state.User,
		Text: "on " + q.About + ": " + answer,
	})
}

// acceptField accepts a field as it is. The user's word is evidence for it, clears every
// objection, and supersedes facts of the user's that contradict it.
func acceptField(u *protocol.UserAdmitter, p *state.Point, reason string) error {
	if p.Field.Withdrawn {
		return protocol.Refuse("withdrawn", "%s was withdrawn; reopen it first", p.ID)
	}
	if err := u.Add(&state.OverrideMade{What: state.OverrideAgree, Point: p.ID, Reason: reason}); err != nil {
		return err
	}
	if _, err := addEvidence(u, p.ID, protocol.SupplyEvidence{Text: p.Field.Path + " = " + string(p.Field.Value)}); err != nil {
		return err
	}
	result := ResolveProposal(&u.State, u.State.At)
	for _, failure := range FailuresOf(&result, p.Field.Path) {
		if failure.Gate != "G6" {
			continue
		}
		for _, f := range u.State.Facts.All() {
			if Binds(f, p) {
				if err := u.Add(&state.FactRecorded{
					ID: u.NextFact(), Tag: ledger.TagUser, Seat: state.User, Supersedes: f.ID,
					Text: "accepted: " + p.Field.Path + " = " + string(p.Field.Value),
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// addEvidence records evidence of the user's and returns its id.
func addEvidence(u *protocol.UserAdmitter, point string, m protocol.SupplyEvidence) (string, error) {
	m.Point = point
	id := u.NextEvidence()
	return id, u.Supply(m)
}

// object raises an objection of the user's, with its own severity or that of a red flag.
func object(u *protocol.UserAdmitter, m protocol.RaiseObjection) error {
	p := fieldNamed(&u.State, m.Point)
	switch {
	case p == nil:
		return protocol.Refuse("unknown-point", "there is no field %q", protocol.Clip(m.Point))
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("empty", "an objection needs a text")
	case m.Severity == "":
		m.Severity = gates.High
	case !slices.Contains(gates.Severities(), m.Severity):
		return protocol.Refuse("severity", "an objection is %s, not %q",
			strings.Join(enum.Words(gates.Severities()), ", "), protocol.Clip(string(m.Severity)))
	}
	id, text := u.NextChallenge(), strings.TrimSpace(m.Text)
	o := &state.ObjectionFiled{
		Challenge: id, Category: p.Field.Category, Severity: string(m.Severity),
		Predicate: text, Cites: []string{},
	}
	clears := "evidence that the user accepts"
	if m.Flag != "" {
		flag, err := flagNamed(&u.State, m.Flag)
		if err != nil {
			return err
		}
		o.Flag, o.Category, o.Severity, o.Predicate, clears = flag.ID, flag.Category, flag.Severity, flag.Predicate,
			flag.Clears
	}
	return u.All(
		&state.ChallengeRaised{
			ID: id, Point: p.ID, By: state.User, What: classOf(gates.Severity(o.Severity)),
			Objection: text, UpgradeIf: clears,
		},
		o,
	)
}

// objection returns the objection with this id.
func objection(u *protocol.UserAdmitter, id string) (*state.Challenge, error) {
	if c := u.State.Challenge(strings.ToUpper(id)); c != nil && c.Typed != nil {
		return c, nil
	}
	return nil, protocol.Refuse("unknown-challenge", "there is no objection %q", protocol.Clip(id))
}

// ruleObjection rules on an objection (R0). It refuses objections to fields that are no
// longer proposed, since the ruling would have no effect.
func ruleObjection(u *protocol.UserAdmitter, m protocol.RuleObjection) error {
	c, err := objection(u, m.Challenge)
	if err != nil {
		return err
	}
	p := u.State.Point(c.Point)
	switch {
	case m.Verdict == gates.RulingNone && c.Typed.Verdict == "":
		return protocol.Refuse("ruling", "you have not ruled on %s", c.ID)
	case m.Verdict == gates.RulingNone:
	case !slices.Contains(gates.Rulings(), m.Verdict):
		return protocol.Refuse("ruling", "an objection is cleared or upheld, not %q", protocol.Clip(string(m.Verdict)))
	case p.Field.Withdrawn:
		return protocol.Refuse("withdrawn", "%s is moot: %s was withdrawn; reopen the field first", c.ID, p.ID)
	case p.UserRuling != nil:
		return protocol.Refuse("ruled", "you ruled on %s as a whole; reopen it first", p.ID)
	}
	why := "the user ruled so"
	if m.Verdict == gates.RulingNone {
		why = "the user took the ruling back"
	}
	return u.Add(&state.ObjectionRuled{Challenge: c.ID, Verdict: string(m.Verdict), Reason: protocol.FirstOf(m.Reason, why)})
}

// withdrawField takes a field out of the proposal.
func withdrawField(u *protocol.UserAdmitter, m protocol.WithdrawField) error {
	p := fieldNamed(&u.State, m.Point)
	switch {
	case p == nil:
		return protocol.Refuse("unknown-point", "there is no field %q", protocol.Clip(m.Point))
	case p.Field.Withdrawn:
		return protocol.Refuse("withdrawn", "%s was withdrawn already", p.ID)
	}
	return u.Add(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: protocol.FirstOf(m.Reason, "the user withdrew it")})
}

// answerObjection answers an objection for the proposer. The user's word is evidence that
// decides it.
func answerObjection(u *protocol.UserAdmitter, m protocol.AnswerChallenge) error {
	c, err := objection(u, m.Challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("empty", "an answer needs a text")
	}
	if err := u.Add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: m.Text}); err != nil {
		return err
	}
	id, err := addEvidence(u, c.Point, protocol.SupplyEvidence{Text: m.Text})
	if err != nil {
		return err
	}
	return u.Add(&state.EvidenceSupplied{Evidence: id, Challenge: c.ID})
}

// supplyField adds evidence of the user's on a field. It applies to the named objection,
// or else to all of them.
func supplyField(u *protocol.UserAdmitter, m protocol.SupplyEvidence) error {
	p := fieldNamed(&u.State, m.Point)
	if p == nil {
		return protocol.Refuse("unknown-point", "there is no field %q", protocol.Clip(m.Point))
	}
	bears := p.Challenges
	if m.Challenge != "" {
		c, err := objection(u, m.Challenge)
		switch {
		case err != nil:
			return err
		case c.Point != p.ID:
			return protocol.Refuse("other-field", "%s attacks %s, not %s", c.ID, c.Point, p.ID)
		}
		bears = []string{c.ID}
	}
	id, err := addEvidence(u, p.ID, m)
	if err != nil {
		return err
	}
	for _, c := range bears {
		if err := u.Add(&state.EvidenceSupplied{Evidence: id, Challenge: c}); err != nil {
			return err
		}
	}
	return nil
}
