package cli

import (
	"bytes"
	"strings"
	"testing"

	"moot/agent"
)

// A person confirms who is proposed. What is none of the choices is asked again, and an
// input that ends confirms nothing: a model that costs money is never asked unbidden.
func TestWhoTakesTheEmptySeats(t *testing.T) {
	const leaves = "no participant was chosen"
	for typed, want := range map[string]string{
		"\n": "ollama:a", "1\n": "ollama:a", " 1 \r\n": "ollama:a", "2\n": "rules", "3\n": leaves, "": leaves,
		"yes\n2\n": "rules", "4\n\x1b[A\n1\n": "ollama:a", "x\n": leaves,
	} {
		var said bytes.Buffer
		c := &Console{In: strings.NewReader(typed), Err: &said}
		chosen, err := c.confirmSeats(agent.Proposal{Orchestrator: "ollama:a", Consultee: "ollama:b"}, true, "orchestrator", "consultee")
		got := chosen.Orchestrator
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) || strings.Contains(said.String(), "\x1b") {
			t.Errorf("%q: %s, said %q", typed, got, said.String())
		}
		if again := strings.Contains(said.String(), "is not a choice: type 1, 2 or 3"); again != strings.ContainsAny(typed, "yx4") {
			t.Errorf("%q: said %q", typed, said.String())
		}
	}
}

// Enter goes on with what is offered first; an input that ends does not.
func TestEditAgain(t *testing.T) {
	for typed, want := range map[string]bool{"\n": true, "1\n": true, "2\n": false, "no\n": false, "": false} {
		c := &Console{In: strings.NewReader(typed), Err: &bytes.Buffer{}, InTerminal: true}
		if again, err := c.editAgain(); err != nil || again != want {
			t.Errorf("%q: %v, %v", typed, again, err)
		}
	}
}
