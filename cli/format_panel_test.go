package cli

import (
	"slices"
	"testing"

	"moot/agent"
	"moot/config"
	"moot/state"
)

// The answers of a panel are compared by the first panelist behind which a language
// model is known to be: that of an endpoint or of an agent program, by whatever name.
func TestWhoComparesTheAnswers(t *testing.T) {
	t.Parallel()
	book, problems := agent.NewBook([]config.Participant{
		{Name: "mine", Is: "claude"},
	}, nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, test := range []struct {
		panel []string
		want  string
	}{
		{[]string{"script:a.txt", "claude", "openai:m"}, "claude"},
		{[]string{"me", "codex:gpt-5"}, "codex:gpt-5"},
		{[]string{"script:a.txt", "mine"}, "mine"},
		{[]string{"exec:./a", "ollama:m"}, "ollama:m"},
		{[]string{"me", "exec:./a", "me"}, "exec:./a"},
		{[]string{"no such", "script:a.txt"}, "script:a.txt"},
	} {
		var places []place
		for _, name := range test.panel {
			places = append(places, place{state.Panelist, name})
		}
		want := []place{{state.Orchestrator, test.want}}
		if got := comparer(places, book); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", test.panel, got, want)
		}
		if got := comparer(append(places, place{state.Orchestrator, "codex"}), book); got != nil {
			t.Errorf("%q: who was named is passed over for %v", test.panel, got)
		}
	}
}
