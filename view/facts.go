package view

import (
	"fmt"

	"moot/resolver"
	"moot/state"
)

// FactNotices says which facts of the user exclude each other, and which a verified line contradicts, as long as the
// user has not decided. They are in the first lines of every result.
func FactNotices(s *state.State) []string {
	var notices []string
	for _, pair := range resolver.ExcludingFacts(s) {
		notices = append(
			notices,
			fmt.Sprintf("Your facts %s (%q) and %s (%q) exclude each other: neither binds until you "+
				"say which holds%s.", pair.A.ID, resolver.Clip(pair.A.Text), pair.B.ID, resolver.Clip(pair.B.Text),
				asked(s, pair.A.ID+" "+pair.B.ID)),
		)
	}
	for _, a := range resolver.LinesAgainst(s) {
		about := a.Fact + " " + a.Item
		if q := questionAbout(s, about); q == nil || !q.Answered {
			notices = append(notices, fmt.Sprintf("Your fact %s says %q, %s: %s binds until you replace it%s.", a.Fact,
				resolver.Clip(s.Fact(a.Fact).Text), resolver.LineSays(s, a), a.Fact, asked(s, about)))
		}
	}
	return notices
}

// asked names the question about facts in brackets, or is "".
func asked(s *state.State, about string) string {
	if q := questionAbout(s, about); q != nil {
		return " (" + q.ID + ")"
	}
	return ""
}

func questionAbout(s *state.State, about string) (found *state.Question) {
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionConstraint && q.About == about {
			found = q
		}
	}
	return found
}
