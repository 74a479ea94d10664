package claims

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// WithdrawClosed withdraws the questions about points that need no answer anymore. Once the debate is over, nobody asks
// whether the user gives up a point that is dismissed. Another reading of the question is not about one point alone.
func WithdrawClosed(s *state.State) (protocol.Turn, bool) {
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
	return protocol.Turn{Events: answers}, len(answers) > 0
}

// needsNoWord reports whether the user has nothing to decide about a point: the user ruled on it, it was revised or
// given up, or a challenge to it was never answered.
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
	return fmt.Sprintf("%s %s, %s: %s", item.ID, item.SourceKind, item.Reference, plain.OneLine(item.Excerpt))
}

// CommandInfo describes a command that waits for approval: the whole line, where it would run, and
// why.
func CommandInfo(s *state.State, q *state.Question) protocol.QuestionInfo {
	item := s.Item(strings.TrimPrefix(q.About, AboutRun))
	if item == nil {
		return protocol.QuestionInfo{}
	}
	length := func(text string) string {
		if legend := plain.Legend(text); legend != "" {
			return fmt.Sprintf("%d bytes, NOT all ASCII: %s", len(text), legend)
		}
		return fmt.Sprintf("%d bytes, all ASCII", len(text))
	}
	expected := plain.Exact(item.Expect)
	if legend := plain.Legend(item.Expect); legend != "" {
		expected += " (" + legend + ")"
	}
	a := protocol.QuestionInfo{About: []protocol.About{
		{Label: "command", Text: plain.Exact(item.Reference), Whole: true},
		{Label: "length", Text: length(strings.TrimPrefix(item.Reference, "$ ")), Whole: true},
	}}
	if item.Patch != "" {
		a.About = append(a.About,
			protocol.About{Label: "patch", Text: plain.Exact(item.Tried()), Whole: true},
			protocol.About{Label: "size", Text: length(strings.NewReplacer("\n", "", "\t", "").Replace(item.Patch)), Whole: true},
			protocol.About{Label: "text", Text: plain.ExactLines(item.Patch), Whole: true, Lines: true})
		a.Add("in", "two temporary copies of "+s.Settings.Workspace+", one without and one with the patch")
	} else if where(item) != "" {
		a.Add("in", s.Settings.Workspace)
	}
	a.Add("expected", expected)
	a.Add("asked by", item.OfferedBy)
	a.Add("why", fmt.Sprintf("evidence %s %s: %s", Bearing(item.Relation), item.Point, s.Live(item.Point).Text))
	for _, option := range q.Options {
		what := "exactly this command"
		if item.Patch != "" {
			what += " with exactly this patch"
		}
		a.Does = append(a.Does, map[string]string{
			answerOnce:   "it runs now, and you are asked again the next time",
			answerAlways: "it runs now, and " + what + " without asking from now on in this session",
			answerNever:  "it does not run, now or later in this session",
		}[option])
	}
	return a
}
