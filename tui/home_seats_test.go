package tui

import "testing"

// The form begins with who sits in the configuration, by the names that stand
// there; who names one panelist there names them all, and what the person chose
// stays.
func TestTheFormBeginsWithWhoIsConfigured(t *testing.T) {
	found := &Candidates{
		Found: []Candidate{
			{Name: "openai:m", Title: "OpenAI", Usable: true}, {Name: "ollama:n", Title: "Ollama", Usable: true}, {Name: "groq:o", Title: "Groq", Usable: true},
		},
		Orchestrator: "openai:m", Consultee: "ollama:n",
		Named: []Candidate{{Name: "fast", Title: "openai:gpt-5-mini", Why: "named in config.toml", Usable: true}},
		Seats: map[string]string{"consultee": "fast", "arbiter": "codex", "panelist": "fast", "panelist-2": "rules", "orchestrator": "me", "no-such-seat": "x"},
	}
	f := newQuestionFields(nil)
	f.named("orchestrator").set("rules")
	f.named("orchestrator").touched = true
	f.offer(found)
	for name, want := range map[string]string{
		"orchestrator": "rules", "consultee": "fast", "arbiter": "codex", "comparer": "me", "proposer": "ollama:n",
		"panelist": "fast", "panelist-2": "rules", "panelist-3": "", "panelist-4": "",
	} {
		if got := f.named(name).current(); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got := f.named("consultee").options[0]; got.value != "fast" || got.help != "openai:gpt-5-mini: named in config.toml" {
		t.Errorf("the names of the configuration do not stand first: %+v", got)
	}
}
