package protocol

import (
	"slices"
	"strings"

	"moot/state"
)

// QuestionSubject describes in a few words what a question asks for, and what answering it does.
func QuestionSubject(s *state.State, q *state.Question) (subject, action string) {
	if info := QuestionInfoOf(s, q); info.Subject != "" {
		return info.Subject, info.Action
	}
	switch q.Kind {
	case state.QuestionBlocked:
		return "missing data", "answer"
	case state.QuestionTradeoff:
		return "a side to choose", "choose a side"
	case state.QuestionDefinition:
		return "a term to define", "define the term"
	case state.QuestionAnchorShift:
		return "another reading", "accept another reading, or refuse it"
	case state.QuestionPriority:
		return "priorities to set", "set priorities"
	case state.QuestionApproval:
		return "your approval", "approve or refuse"
	case state.QuestionEscalation:
		return "blocked proposal", "decide what blocks the proposal"
	case state.QuestionConstraint:
		return "a fact of yours", "say what holds"
	}
	return string(q.Kind), "answer"
}

// QuestionInfo tells the user about a question before it is answered.
type QuestionInfo struct {
	// Subject says in a few words what the question asks for, Action what answering it does. Both
	// are "" if the kind of the question says enough.
	Subject, Action string
	// About lists the subjects of the question in reading order. Quotes from seats and files
	// are verbatim.
	About []About
	// Does describes the effect of each option, in the order of the options; it is empty if
	// the options are self-explanatory.
	Does []string
}

// About is one thing that a question is about: what it is, and what it says.
type About struct {
	Label, Text string
	// Whole says that the user must have seen all of it before approving (see NeedsReading).
	Whole bool
	// Lines says that each line of the text is one to show.
	Lines bool
}

// Printed returns what it says as lines.
func (a *About) Printed() []string {
	if !a.Lines {
		return []string{a.Label + ": " + a.Text}
	}
	printed := []string{a.Label + ":"}
	for line := range strings.Lines(a.Text) {
		printed = append(printed, "  | "+strings.TrimSuffix(line, "\n"))
	}
	return printed
}

// Add adds something that the question is about.
func (a *QuestionInfo) Add(label, text string) {
	a.About = append(a.About, About{Label: label, Text: text})
}

// Has reports whether the question is about something with a label.
func (a *QuestionInfo) Has(label string) bool {
	return slices.ContainsFunc(a.About, func(one About) bool { return one.Label == label })
}

// QuestionInfoOf returns what the user should know about an open question: what blocks a proposal,
// the sides of a conflict, why a seat gave no answer, or what a command does. It is empty for other
// questions.
func QuestionInfoOf(s *state.State, q *state.Question) QuestionInfo {
	if f, ok := s.Rules.(interface {
		QuestionInfo(s *state.State, q *state.Question) (QuestionInfo, bool)
	}); ok {
		if info, own := f.QuestionInfo(s, q); own {
			return info
		}
	}
	return QuestionInfo{}
}

// Surface asks the user questions, which get their ids here.
func Surface(s *state.State, questions ...*state.QuestionSurfaced) (Turn, bool) {
	d := &Draft{State: s}
	for _, q := range questions {
		d.Try(0, func() error {
			q.ID = d.State.NextQuestion()
			return d.Add(q)
		})
	}
	return Turn{Events: d.Events}, len(d.Events) > 0
}

// OpenQuestions returns the ids of the unanswered questions for which pick is true.
func OpenQuestions(s *state.State, pick func(*state.Question) bool) []string {
	var open []string
	for _, q := range s.Questions.All() {
		if !q.Answered && pick(q) {
			open = append(open, q.ID)
		}
	}
	return open
}

// Await waits until the user has answered the questions for which pick is true.
func Await(s *state.State, pick func(*state.Question) bool) (Turn, bool) {
	open := OpenQuestions(s, pick)
	return Turn{Await: open}, len(open) > 0
}

// AnswerEnded is the protocol's answer to a question that is open when the session ends.
const AnswerEnded = "the session ended"

// WithdrawQuestions answers open questions on behalf of the protocol: they need no answer anymore.
func WithdrawQuestions(s *state.State, answer string, pick func(*state.Question) bool) (Turn, bool) {
	var answers []state.Payload
	for _, id := range OpenQuestions(s, pick) {
		answers = append(answers, &state.QuestionAnswered{ID: id, By: state.Protocol, Answer: answer})
	}
	return Turn{Events: answers}, len(answers) > 0
}
