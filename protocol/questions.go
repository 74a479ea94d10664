package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
)

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

// WithdrawClosed withdraws the questions about points that need no answer anymore. Once the debate is over, nobody asks
// whether the user gives up a point that is dismissed. Another reading of the question is not about one point alone.
func WithdrawClosed(s *state.State) (Turn, bool) {
	var answers []state.Payload
	for _, q := range s.Questions.All() {
		p := s.Live(q.Point)
		if q.Answered || p == nil || IsRun(q) || q.Kind == state.QuestionAnchorShift || s.WasClosed() {
			continue
		}
		closed := needsNoWord(s, p)
		if !closed && s.Over() && strings.HasPrefix(q.About, aboutConcede) {
			ruling, _ := resolver.RuleOne(s, p.ID)
			closed = ruling.Bucket == state.BucketDismissed
		}
		if closed {
			answers = append(answers, &state.QuestionAnswered{
				ID: q.ID, By: state.Protocol, Answer: fmt.Sprintf("%s is closed: %s", p.ID, ClosedReason(s, p)),
			})
		}
	}
	return Turn{Events: answers}, len(answers) > 0
}

// needsNoWord reports whether the user has nothing to decide about a point: the user ruled on it, it was revised or given
// up, or a challenge to it was never answered.
func needsNoWord(s *state.State, p *state.Point) bool {
	_, conceded := p.Conceded()
	return p.UserRuling != nil || p.RevisedBy != "" || conceded || resolver.Lost(s, p)
}

// DescribeEvidence describes an item of evidence in one line.
func DescribeEvidence(s *state.State, id string) string {
	item := s.Item(id)
	if item == nil {
		return "nothing that may decide it"
	}
	return fmt.Sprintf("%s %s, %s: %s", item.ID, item.SourceKind, item.Reference, OneLine(item.Excerpt))
}

// IsRun reports whether the question asks to approve a command.
func IsRun(q *state.Question) bool {
	return q.Kind == state.QuestionApproval && strings.HasPrefix(q.About, AboutRun)
}

// NeedsReading reports whether an answer lets a command run, which the user must have seen whole.
func NeedsReading(q *state.Question, answer string) bool {
	if n := OptionIndex(strings.TrimSpace(answer), len(q.Options)); n >= 0 {
		answer = q.Options[n]
	}
	return IsRun(q) && runDecision(answer).Allows()
}

// CommandInfo describes a command that waits for approval: the whole line, where it would run, and
// why.
func CommandInfo(s *state.State, q *state.Question) QuestionInfo {
	item := s.Item(strings.TrimPrefix(q.About, AboutRun))
	if item == nil {
		return QuestionInfo{}
	}
	length := fmt.Sprintf("%d bytes, all ASCII", len(commandOf(item)))
	if legend := plain.Legend(item.Reference); legend != "" {
		length = fmt.Sprintf("%d bytes, NOT all ASCII: %s", len(commandOf(item)), legend)
	}
	expected := plain.Exact(item.Expect)
	if legend := plain.Legend(item.Expect); legend != "" {
		expected += " (" + legend + ")"
	}
	a := QuestionInfo{About: []About{
		{Label: "command", Text: plain.Exact(item.Reference), Whole: true},
		{Label: "length", Text: length, Whole: true},
	}}
	a.Add("in", s.Settings.Workspace)
	a.Add("expected", expected)
	a.Add("asked by", item.OfferedBy)
	a.Add("why", fmt.Sprintf("evidence %s %s: %s", Bearing(item.Relation), item.Point, s.Live(item.Point).Text))
	for _, option := range q.Options {
		a.Does = append(a.Does, map[string]string{
			answerOnce:   "it runs now, and you are asked again the next time",
			answerAlways: "it runs now, and exactly this command without asking from now on in this session",
			answerNever:  "it does not run, now or later in this session",
		}[option])
	}
	return a
}
