package record

import (
	"strings"

	"moot/protocol"
	"moot/state"
)

// Answer is what a seat said, or why it said nothing.
type Answer struct {
	Seat  state.Seat
	Stage state.Stage
	// Text is the reply, Model what wrote it, as its endpoint names it, or "". Err is a *protocol.Broken, or another error, where there
	// was none.
	Text, Model string
	Err         error
}

// Answers are those of all calls, in their order. Calls that were cancelled, that
// did not end, or that were made again after a pause, are left out. Who gives them
// now is named as.
func (r *Recording) Answers(as string) []Answer {
	var answers []Answer
	for i, call := range r.Calls {
		answer := Answer{Seat: call.Begin.Seat, Stage: call.Begin.Stage}
		switch call.End.Failure {
		case FailureNone:
			if call.Reply == nil {
				continue
			}
			answer.Text, answer.Model = call.Reply.Text, call.Reply.Model
		case FailureBroken:
			answer.Err = &protocol.Broken{
				Code: call.End.Code, What: Renamed(call.End.Error, call.Begin.Participant, as), Partial: call.End.Text,
			}
		case FailureUnreachable, FailureTooLong, FailureOther:
			if r.again(i) {
				continue
			}
			if call.Reply != nil {
				// Nothing could be left out of the prompt, so that it counted.
				answer.Text, answer.Model = call.Reply.Text, call.Reply.Model
				break
			}
			answer.Err = Gone(as, strings.TrimPrefix(call.End.Error, noAnswer(call.Begin.Participant)), call.End.Failure)
		case FailureCancelled:
			continue
		default:
			// The recording ends in the middle of it.
			continue
		}
		answers = append(answers, answer)
	}
	return answers
}

// again reports whether a call that failed was made again later: in the same
// round, to the same seat, for the same.
func (r *Recording) again(i int) bool {
	failed := r.Calls[i].Begin
	for _, later := range r.Calls[i+1:] {
		if b := later.Begin; b.Seat == failed.Seat && b.Stage == failed.Stage && b.Round == failed.Round {
			return true
		}
	}
	return false
}

// Renamed is what was said of a participant, said of another one.
func Renamed(said, was, is string) string {
	if rest, found := strings.CutPrefix(said, was+" "); found && was != "" {
		return is + " " + rest
	}
	return said
}

// NoAnswer is how it is said of a participant that it gave none.
const NoAnswer = " gives no answer: "

func noAnswer(participant string) string { return participant + NoAnswer }

// gone is an error of an earlier run, with the words that it had then.
type gone struct {
	said string
	kind error
}

// Error implements error.
func (g *gone) Error() string { return g.said }

// Unwrap returns what sort of error it is.
func (g *gone) Unwrap() error { return g.kind }

// Gone is the error of a participant that gave no answer in an earlier run, with
// what was said of it then.
func Gone(participant, said string, how Failure) error {
	if how == FailureTooLong {
		return &gone{said, &protocol.TooLong{Participant: participant, What: said}}
	}
	return &gone{noAnswer(participant) + said, &protocol.Unreachable{Participant: participant, What: said}}
}
