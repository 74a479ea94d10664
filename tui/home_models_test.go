package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// listing is a house with endpoints whose models can be listed.
func listing(text func(string) string) *house {
	h := &house{found: someFound(), models: map[string][]string{
		"ollama": {"qwen3:8b", "gemma3:4b", text("llama3.3:70b")}, "groq": {},
	}}
	h.found.Endpoints = []Endpoint{
		{Name: "ollama", Title: "Ollama", Why: text("it answers at http://localhost:11434"), Here: true},
		{Name: "openai", Title: "OpenAI", Why: "OPENAI_API_KEY is set"},
		{Name: "groq", Title: "Groq", Why: "GROQ_API_KEY is set"},
		{Name: "mistral", Title: "Mistral", Missing: "MISTRAL_API_KEY is not set"},
	}
	return h
}

// A model is chosen out of those that its endpoint lists, which is asked once and only
// when the person wants it.
func TestAModelIsChosenFromAList(t *testing.T) {
	h := listing(strings.Clone)
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	typeAtHome(m, "n W tab tab tab")
	if len(h.listed) != 0 {
		t.Fatalf("%q were asked unbidden", h.listed)
	}
	typeAtHome(m, "5 enter")
	if !slices.Equal(h.listed, []string{"ollama"}) || !strings.Contains(ansi.Strip(m.View().Content), "gemma3:4b") {
		t.Fatalf("asked %q, shown:\n%s", h.listed, ansi.Strip(m.View().Content))
	}
	typeAtHome(m, "g e m enter")
	if v := m.home.draft.values(); m.dialog() != m.home.draft || v["orchestrator"] != "ollama:gemma3:4b" {
		t.Fatalf("got %q", v["orchestrator"])
	}
	// What is found later leaves it, and the list is not asked for again.
	found := h.found
	m.home.draft.offer(&found)
	typeAtHome(m, "tab 5 enter q w e n enter ctrl+s")
	if len(h.listed) != 1 || len(h.asked) != 1 || h.asked[0].Orchestrator != "ollama:gemma3:4b" || h.asked[0].Consultee != "ollama:qwen3:8b" {
		t.Errorf("listed %q, asked %+v", h.listed, h.asked)
	}
}

// An endpoint that moot does not know by a name is asked for its models by its address.
func TestModelsAtAnAddress(t *testing.T) {
	h := listing(strings.Clone)
	h.models["http://lab:80/v1"] = []string{"big", "small%1"}
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	const address = "h t t p : / / l a b : 8 0 / v 1 "
	typeAtHome(m, "n W tab tab tab 5 "+address+"enter s m enter")
	if v := m.home.draft.values(); v["orchestrator"] != "http://lab:80/v1#small%251" {
		t.Errorf("got %q", v["orchestrator"])
	}
	typeAtHome(m, "tab 6 down "+address+"# b right enter")
	if v := m.home.draft.values(); v["consultee-other"] != "http://lab:80/v1#big" || !slices.Equal(h.listed, []string{"http://lab:80/v1"}) {
		t.Errorf("got %q, listed %q", v["consultee-other"], h.listed)
	}
}

// A name that is begun is completed from the list, and one that is not in it can be
// named all the same.
func TestATypedNameIsCompleted(t *testing.T) {
	h := listing(strings.Clone)
	m := homeOf(t, h, Options{NoColor: true}, 100, 30)
	typeAtHome(m, "n W tab tab tab 6 down o l l a m a : g right enter")
	if v := m.home.draft.values(); v["orchestrator-other"] != "ollama:gemma3:4b" {
		t.Errorf("got %q", v["orchestrator-other"])
	}
	// A service that refuses its key says so, and its model can be typed.
	typeAtHome(m, "tab 5 o p e n a i enter")
	if shown := ansi.Strip(m.View().Content); !strings.Contains(shown, "it refused the key in OPENAI_API_KEY") {
		t.Errorf("shown:\n%s", shown)
	}
	typeAtHome(m, "g p t enter")
	if v := m.home.draft.values(); v["consultee"] != "openai:gpt" {
		t.Errorf("got %q", v["consultee"])
	}
	// One without a key is not asked, and leaving the lists changes nothing.
	typeAtHome(m, "6 m i s t r a l enter esc")
	if v := m.home.draft.values(); m.dialog() != m.home.draft || v["consultee"] != "openai:gpt" || len(h.listed) != 2 {
		t.Errorf("got %q, listed %q", v["consultee"], h.listed)
	}
}
