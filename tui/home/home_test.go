package home

import (
	"strings"
	"testing"

	"moot/protocol/consult"
	"moot/protocol/dialectic"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/panel"
	"moot/state"
	"moot/state/store"
	"moot/view"
)

// ask returns the form for a format.
func ask(format state.Format, c *Candidates) *AskForm {
	a := NewForm(formats.All(), c, nil)
	a.Set("format", string(format))
	a.Update()
	return a
}

// The form starts with the participants of the configuration, which names all panelists if it names one.
func TestFormStartsWithConfiguration(t *testing.T) {
	found := &Candidates{
		Found: []Candidate{
			{Name: "openai:m", Title: "OpenAI", Usable: true},
			{Name: "ollama:n", Title: "Ollama", Usable: true},
			{Name: "groq:o", Title: "Groq", Usable: true},
		},
		Orchestrator: "openai:m", Consultee: "ollama:n",
		Named: []Candidate{{Name: "fast", Title: "openai:gpt-5-mini", Why: "named in config.toml", Usable: true}},
		Seats: map[string]string{
			"consultee": "fast", "arbiter": "codex", "panelist": "fast", "panelist-2": "rules", "orchestrator": "me",
			"no-such-seat": "x",
		},
	}
	for format, want := range map[state.Format]view.Values{
		consult.Name: {"orchestrator": "me", "consultee": "fast", "arbiter": "codex"},
		panel.Name: {
			"panelist": "fast", "panelist-2": "rules", "panelist-3": "", "panelist-4": "", "orchestrator": "me",
		},
		dialectic.Name: {"proposer": "ollama:n"},
	} {
		// The participants become known while the form is open.
		a := ask(format, nil)
		a.Set("orchestrator", "rules")
		a.SetCandidates(found)
		got := a.Values()
		for key, value := range want {
			if got[key] != value {
				t.Errorf("%s: %s is %q, want %q", format, key, got[key], value)
			}
		}
	}
	for _, f := range ask(consult.Name, found).fields() {
		first := view.Choice{Value: "fast", Help: "openai:gpt-5-mini: named in config.toml"}
		if f.Key == "consultee" && f.Choices[0] != first {
			t.Errorf("the participants of the configuration are not first: %v", f.Choices)
		}
	}
}

// A form of a hearing submits only the settings that it uses, and the seats say what rules do in this format.
func TestFormFollowsFormat(t *testing.T) {
	for form, want := range map[hearing.Form][3]string{
		hearing.FormAudit:     {"", "", ""},
		hearing.FormSingle:    {"", "", ""},
		hearing.FormMulti:     {"3", "", ""},
		hearing.FormAnchored:  {"3", "", ""},
		hearing.FormSelective: {"3", "either", "multi"},
	} {
		a := ask(hearing.Name, nil)
		a.Set("form", string(form))
		v := a.Values()
		if got := [3]string{v["rounds"], v["gate"], v["then"]}; got != want {
			t.Errorf("%s: rounds, gate and then are %q, want %q", form, got, want)
		}
		if _, ok := v["fact"]; ok {
			t.Error("a hearing asks for facts beside its packet")
		}
	}
	for seat, want := range map[string]string{"architect": "the rules of the domain", "consultee": "searches and checks"} {
		format := consult.Name
		if seat == "architect" {
			format = hearing.Name
		}
		help := ""
		for _, f := range ask(format, nil).fields() {
			for _, c := range f.Choices {
				if f.Key == seat && c.Value == "rules" {
					help = c.Help
				}
			}
		}
		if !strings.Contains(help, want) {
			t.Errorf("rules as the %s are described as %q", seat, help)
		}
	}
}

func TestProgress(t *testing.T) {
	for want, s := range map[string]store.Summary{
		"not started":     {Format: dialectic.Name},
		"round 1":         {Format: dialectic.Name, Round: 1},
		"round 2":         {Format: dialectic.Name, Round: 2, Decision: "HOLD"},
		"decided":         {Format: dialectic.Name, Round: 2, Decision: "ADVANCE", Exit: state.ExitDecided},
		"development 4/8": {Format: consult.Name, Round: 4, Phase: state.Development},
		"converged":       {Format: consult.Name, Round: 7, Exit: state.ExitConverged},
	} {
		if got := Progress(&s); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
