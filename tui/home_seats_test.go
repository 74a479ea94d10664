package tui

import (
	"testing"

	"moot/state"
	"moot/tui/form"
	"moot/view"
)

// The form of a new question starts with the participants of the configuration, which names
// all panelists if it names one.
func TestTheFormStartsWithTheConfiguration(t *testing.T) {
	found := &Candidates{
		Found: []Candidate{
			{Name: "openai:m", Title: "OpenAI", Usable: true}, {Name: "ollama:n", Title: "Ollama", Usable: true}, {Name: "groq:o", Title: "Groq", Usable: true},
		},
		Orchestrator: "openai:m", Consultee: "ollama:n",
		Named: []Candidate{{Name: "fast", Title: "openai:gpt-5-mini", Why: "named in config.toml", Usable: true}},
		Seats: map[string]string{"consultee": "fast", "arbiter": "codex", "panelist": "fast", "panelist-2": "rules", "orchestrator": "me", "no-such-seat": "x"},
	}
	values := func(format state.Format) view.Values {
		f := form.New("", questionFields(nil, format))
		f.Set("orchestrator", "rules")
		f.SetFields(questionFields(found, format))
		return f.Values()
	}
	v := values(state.FormatConsult)
	if v["orchestrator"] != "me" || v["consultee"] != "fast" || v["arbiter"] != "codex" {
		t.Errorf("got %v", v)
	}
	v = values(state.FormatPanel)
	if v["panelist"] != "fast" || v["panelist-2"] != "rules" || v["panelist-3"] != "" || v["panelist-4"] != "" || v["orchestrator"] != "me" {
		t.Errorf("got %v", v)
	}
	if v = values(state.FormatDialectic); v["proposer"] != "ollama:n" {
		t.Errorf("got %v", v)
	}
	for _, f := range questionFields(found, state.FormatConsult) {
		if c := (view.Choice{Value: "fast", Help: "openai:gpt-5-mini: named in config.toml"}); f.Key == "consultee" && f.Choices[0] != c {
			t.Errorf("the names of the configuration are not first: %v", f.Choices)
		}
	}
}
