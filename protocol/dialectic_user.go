package protocol

import (
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// userMove implements Format.
func (Dialectic) userMove(u *userAdmission, move UserMove) (handled bool, err error) {
	switch m := move.(type) {
	case RuleOn:
		p := fieldNamed(&u.s, m.Point)
		if p == nil || m.What != state.OverrideAgree {
			return false, nil
		}
		return true, u.acceptField(p, m.Reason)
	case ChallengePoint:
		severity := dialectic.High
		if m.Class == state.Reject {
			severity = dialectic.Blocking
		}
		return true, u.object(RaiseObjection{Point: m.Point, Text: m.Objection, Severity: severity})
	case RaiseObjection:
		return true, u.object(m)
	case RuleObjection:
		return true, u.ruleObjection(m)
	case WithdrawField:
		return true, u.withdrawField(m)
	case AnswerChallenge:
		return true, u.answerObjection(m)
	case SupplyEvidence:
		return true, u.supplyField(m)
	case AnswerQuestion:
		q := u.s.QuestionByID(m.Question)
		if q == nil || q.Kind != state.QuestionEscalation || strings.TrimSpace(m.Answer) == "" {
			return false, nil
		}
		return true, u.answerEscalation(q, strings.TrimSpace(m.Answer))
	case SetKind, SetPriority, ConcedePoint:
		return true, refuse("not-here", "a proposal has fields; agree to one, dismiss it, or leave it aside")
	case RecordFact, SetBudget, EndSession:
	}
	return false, nil
}

// answerEscalation is the user's word on what kept the proposal from advancing.
func (u *userAdmission) answerEscalation(q *state.Question, answer string) error {
	if n := numbered(answer, len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	if err := u.add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer}); err != nil {
		return err
	}
	p, c := u.s.Point(q.Point), u.s.Challenge(q.About)
	word := strings.ToLower(answer)
	switch {
	case p == nil:
	case word == answerWithdraw:
		return u.add(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: "the user withdrew it"})
	case c != nil && word == answerCleared, c != nil && word == answerUpheld:
		return u.add(&state.ObjectionRuled{Challenge: c.ID, Verdict: word, Reason: "the answer to " + q.ID})
	case c == nil && word == answerAccept:
		return u.acceptField(p, "the answer to "+q.ID)
	}
	// The question quotes seats: what they wrote is no fact of the user's.
	return u.add(&state.FactRecorded{
		ID: u.nextFact(), Tag: ledger.TagUser, Seat: state.User,
		Text: "on " + q.About + ": " + answer,
	})
}

// acceptField lets a field stand as it is: the user's word is evidence for it, no
// objection holds it, and a fact of the user's that it contradicts gives way.
func (u *userAdmission) acceptField(p *state.Point, reason string) error {
	if p.Field.Withdrawn {
		return refuse("withdrawn", "%s was withdrawn; reopen it first", p.ID)
	}
	if err := u.add(&state.OverrideMade{What: state.OverrideAgree, Point: p.ID, Reason: reason}); err != nil {
		return err
	}
	if _, err := u.give(p.ID, SupplyEvidence{Text: p.Field.Path + " = " + string(p.Field.Value)}); err != nil {
		return err
	}
	result := resolver.ResolveProposal(&u.s, u.s.At)
	for _, failure := range resolver.FailuresOf(&result, p.Field.Path) {
		if failure.Gate != "G6" {
			continue
		}
		for _, f := range u.s.Facts.All() {
			if resolver.Binds(f, p) {
				if err := u.add(&state.FactRecorded{
					ID: u.nextFact(), Tag: ledger.TagUser, Seat: state.User, Supersedes: f.ID,
					Text: "accepted: " + p.Field.Path + " = " + string(p.Field.Value),
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// give records evidence of the user's and returns its id.
func (u *userAdmission) give(point string, m SupplyEvidence) (string, error) {
	m.Point = point
	id := u.nextEvidence()
	return id, u.supply(m)
}

// object raises an objection of the user's: of its own severity, or what the red
// flag says that it names.
func (u *userAdmission) object(m RaiseObjection) error {
	p := fieldNamed(&u.s, m.Point)
	switch {
	case p == nil:
		return refuse("unknown-point", "there is no field %q", clip(m.Point))
	case strings.TrimSpace(m.Text) == "":
		return refuse("empty", "an objection needs a text")
	case m.Severity == "":
		m.Severity = dialectic.High
	case !slices.Contains(dialectic.Severities(), m.Severity):
		return refuse("severity", "an objection is %s, not %q",
			strings.Join(enum.Words(dialectic.Severities()), ", "), clip(string(m.Severity)))
	}
	id, text := u.nextChallenge(), strings.TrimSpace(m.Text)
	o := &state.ObjectionFiled{
		Challenge: id, Category: p.Field.Category, Severity: string(m.Severity),
		Predicate: text, Cites: []string{},
	}
	clears := "evidence that the user accepts"
	if m.Flag != "" {
		flag, err := flagNamed(&u.s, m.Flag)
		if err != nil {
			return err
		}
		o.Flag, o.Category, o.Severity, o.Predicate, clears = flag.ID, flag.Category, flag.Severity, flag.Predicate,
			flag.Clears
	}
	return u.all(
		&state.ChallengeRaised{
			ID: id, Point: p.ID, By: state.User, What: classOf(dialectic.Severity(o.Severity)),
			Objection: text, UpgradeIf: clears,
		},
		o,
	)
}

// objection returns an objection to a field by its id.
func (u *userAdmission) objection(id string) (*state.Challenge, error) {
	if c := u.s.Challenge(strings.ToUpper(id)); c != nil && c.Typed != nil {
		return c, nil
	}
	return nil, refuse("unknown-challenge", "there is no objection %q", clip(id))
}

// ruleObjection is the user's word on an objection (R0). What it says of an
// objection that no field stands behind any more would settle nothing.
func (u *userAdmission) ruleObjection(m RuleObjection) error {
	c, err := u.objection(m.Challenge)
	if err != nil {
		return err
	}
	p := u.s.Point(c.Point)
	switch {
	case m.Verdict == dialectic.RulingNone && c.Typed.Verdict == "":
		return refuse("ruling", "you have not ruled on %s", c.ID)
	case m.Verdict == dialectic.RulingNone:
	case !slices.Contains(dialectic.Rulings(), m.Verdict):
		return refuse("ruling", "an objection is cleared or upheld, not %q", clip(string(m.Verdict)))
	case p.Field.Withdrawn:
		return refuse("withdrawn", "%s is moot: %s was withdrawn; reopen the field first", c.ID, p.ID)
	case p.UserRuling != nil:
		return refuse("ruled", "you ruled on %s as a whole; reopen it first", p.ID)
	}
	why := "the user ruled so"
	if m.Verdict == dialectic.RulingNone {
		why = "the user took the ruling back"
	}
	return u.add(&state.ObjectionRuled{Challenge: c.ID, Verdict: string(m.Verdict), Reason: first(m.Reason, why)})
}

// withdrawField takes a field out of the proposal.
func (u *userAdmission) withdrawField(m WithdrawField) error {
	p := fieldNamed(&u.s, m.Point)
	switch {
	case p == nil:
		return refuse("unknown-point", "there is no field %q", clip(m.Point))
	case p.Field.Withdrawn:
		return refuse("withdrawn", "%s was withdrawn already", p.ID)
	}
	return u.add(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: first(m.Reason, "the user withdrew it")})
}

// answerObjection answers an objection in the proposer's place: the user's word
// is evidence that decides it.
func (u *userAdmission) answerObjection(m AnswerChallenge) error {
	c, err := u.objection(m.Challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return refuse("empty", "an answer needs a text")
	}
	if err := u.add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: m.Text}); err != nil {
		return err
	}
	id, err := u.give(c.Point, SupplyEvidence{Text: m.Text})
	if err != nil {
		return err
	}
	return u.add(&state.EvidenceSupplied{Evidence: id, Challenge: c.ID})
}

// supplyField is evidence of the user's on a field: it bears on the objection
// that is named, else on every one to it.
func (u *userAdmission) supplyField(m SupplyEvidence) error {
	p := fieldNamed(&u.s, m.Point)
	if p == nil {
		return refuse("unknown-point", "there is no field %q", clip(m.Point))
	}
	bears := p.Challenges
	if m.Challenge != "" {
		c, err := u.objection(m.Challenge)
		switch {
		case err != nil:
			return err
		case c.Point != p.ID:
			return refuse("other-field", "%s attacks %s, not %s", c.ID, c.Point, p.ID)
		}
		bears = []string{c.ID}
	}
	id, err := u.give(p.ID, m)
	if err != nil {
		return err
	}
	for _, c := range bears {
		if err := u.add(&state.EvidenceSupplied{Evidence: id, Challenge: c}); err != nil {
			return err
		}
	}
	return nil
}
