package protocol

import (
	"cmp"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
)

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

// ChannelOf returns a move of the user and the channel that it came through.
func ChannelOf(move UserMove) (UserMove, state.Channel) {
	if through, is := move.(Through); is {
		return through.Move, through.Channel
	}
	return move, state.ChannelTerminal
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

// UserAdmitter turns moves of the user into events.
type UserAdmitter struct{ *Draft }

// Move admits one of the moves that the user has in every session.
func (u *UserAdmitter) Move(move UserMove) error {
	switch m := move.(type) {
	case RecordFact:
		return u.recordFact(m)
	case AnswerQuestion:
		return u.answer(m)
	case SetBudget:
		if m.MaxTokens < 0 || m.MaxCost < 0 || m.MaxSeconds < 0 {
			return Refuse("budget", "a cap is 0 (none) or more")
		}
		return u.Add(&state.OverrideMade{
			What: state.OverrideBudget, MaxTokens: m.MaxTokens, MaxCost: m.MaxCost,
			MaxSeconds: m.MaxSeconds,
		})
	case EndSession:
		if u.State.Over() {
			return nil
		}
		return u.Add(&state.ExitReached{
			Exit:   state.ExitUser,
			Reason: plain.FirstNonBlank(m.Reason, "the user closed the session"),
		})
	}
	return Refuse("unknown", "this move is not allowed in this format")
}

func (u *UserAdmitter) recordFact(m RecordFact) error {
	if strings.TrimSpace(m.Text) == "" {
		return Refuse("empty", "a fact needs a text")
	}
	if m.Supersedes != "" && u.State.Fact(m.Supersedes) == nil {
		return Refuse("unknown-fact", "there is no fact %q", m.Supersedes)
	}
	return u.Add(&state.FactRecorded{
		ID: u.State.NextFact(), Tag: ledger.TagUser, Seat: state.User, Text: m.Text, Supersedes: m.Supersedes,
	})
}

// AddFact records a text as a fact of the user.
func (u *UserAdmitter) AddFact(text string) error {
	return u.recordFact(RecordFact{Text: text})
}

// The answers that every session understands.
const (
	AnswerStop = "stop"
	AboutStop  = state.AboutStop
)

// answer records the user's answer and what follows from it in every session.
func (u *UserAdmitter) answer(m AnswerQuestion) error {
	q, answer, err := u.Answer(m)
	switch {
	case err != nil:
		return err
	case q.About == AboutStop:
		if strings.EqualFold(answer, AnswerStop) && !u.State.Over() {
			return u.Add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user took the offer to stop"})
		}
	case q.Kind == state.QuestionDefinition, q.Kind == state.QuestionEscalation:
		return u.AddFact(plain.Short(q.Text) + " - " + answer)
	}
	return nil
}

// Answer records the user's answer, and returns the question and the answer as it is recorded: the text of an option
// instead of its number.
func (u *UserAdmitter) Answer(m AnswerQuestion) (q *state.Question, answer string, err error) {
	q = u.State.QuestionByID(m.Question)
	switch {
	case q == nil:
		return nil, "", Refuse("unknown-question", "there is no question %q", m.Question)
	case strings.TrimSpace(m.Answer) == "":
		return nil, "", Refuse("empty", "an answer needs a text")
	}
	answer = strings.TrimSpace(m.Answer)
	if n := OptionIndex(answer, len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	u.Record(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: answer})
	return q, answer, nil
}

// OptionIndex returns the index of an option chosen by its number, or -1.
func OptionIndex(answer string, options int) int {
	for i := range options {
		if answer == strconv.Itoa(i+1) {
			return i
		}
	}
	return -1
}
