package protocol

import (
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
)

// ChannelOf returns a move of the user and the channel that it came through.
func ChannelOf(move UserMove) (UserMove, state.Channel) {
	if through, is := move.(Through); is {
		return through.Move, through.Channel
	}
	return move, state.ChannelTerminal
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
