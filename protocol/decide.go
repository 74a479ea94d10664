package protocol

import (
	"cmp"
	"fmt"

	"moot/state"
)

// Overrides returns every decision that the user can make now: first those about what is
// selected, then the rest.
func Overrides(s *state.State, at Selection) []Override {
	o := Decisions{State: s, At: at}
	var list []Override
	if f, ok := s.Rules.(DecidableAfterEnd); s.Closed && ok {
		list = f.OverridesAfterEnd(o)
	} else if !s.Closed {
		list = Of(s).Overrides(o)
	}
	if s.ByEarlierRules() {
		for i := range list {
			list[i].Why = fmt.Sprintf("the session is read-only: version %d of the session file recorded it", s.Version)
		}
	}
	return list
}

// Refusal says why the session would refuse a move now, or "".
func (o Decisions) Refusal(move UserMove) string {
	if _, err := AdmitUser(o.State, move); err != nil {
		return err.Error()
	}
	return ""
}

// AnswerOverride answers a question of the session.
func AnswerOverride(s *state.State, q *state.Question) Override {
	for _, one := range Overrides(s, Selection{ID: q.ID}) {
		if one.ID == answersQuestion && one.About == q.ID {
			return one
		}
	}
	return Decisions{State: s}.answer(q)
}

// AdmitUser turns a decision of the user into events. The user outranks everyone: a move is refused
// only if it is incomplete or names something that does not exist, or if it came through a channel that doesn't count
// as the user.
func AdmitUser(s *state.State, move UserMove) ([]state.Payload, error) {
	u := &UserAdmitter{Draft: &Draft{State: s}}
	move, channel := ChannelOf(move)
	if err := permitted(s, channel, move); err != nil {
		return nil, err
	}
	if s.Closed {
		if err := AfterEnd(s, move); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(Of(s).AdmitUser(u, move), u.Failed); err != nil {
		return nil, err
	}
	return u.Events, nil
}

// DecidableAfterEnd is a format in which the user can still decide something in a session that is closed.
type DecidableAfterEnd interface {
	// AfterEnd refuses the moves that a closed session cannot take in.
	AfterEnd(s *state.State, move UserMove) error
	// OverridesAfterEnd lists the decisions that the user can still make.
	OverridesAfterEnd(o Decisions) []Override
}

// AfterEnd refuses the moves of the user that a closed session cannot take in.
func AfterEnd(s *state.State, move UserMove) error {
	if f, ok := s.Rules.(DecidableAfterEnd); ok {
		return f.AfterEnd(s, move)
	}
	return Refuse("closed", "the session is closed; fork it to continue from an earlier event")
}

// OpenToUser returns the open questions that the user can answer now.
func OpenToUser(s *state.State) []*state.Question {
	return s.Questions.Filter(func(q *state.Question) bool {
		return !q.Answered && (!s.Closed || AfterEnd(s, AnswerQuestion{Question: q.ID}) == nil)
	})
}

// permitted refuses what may not be decided through a channel. One that doesn't count as the user only takes answers to
// questions. Approvals are not among them, whatever they are asked as: a form of an agent's program could be filled in
// by the agent.
func permitted(s *state.State, channel state.Channel, move UserMove) error {
	if channel.IsUser() {
		return nil
	}
	const where = "the user decides in moot attach, or with moot answer"
	m, answers := move.(AnswerQuestion)
	if !answers {
		return Refuse("channel", "%s, only questions can be answered; "+where, channel.Words())
	}
	if q := s.QuestionByID(m.Question); q != nil && q.Kind == state.QuestionApproval {
		return Refuse("channel", "%s, nothing is approved; "+where, channel.Words())
	}
	return nil
}
