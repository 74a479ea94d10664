package agent

import (
	"os"
	"slices"

	"moot/agent/endpoint"
)

// KeyUse is a variable that may hold a key, and who asks for it.
type KeyUse struct {
	Variable string
	// For are presets and names of the person's own.
	For []string
}

// KeyUses are all variables that may hold a key: those of the presets in their
// order, that of endpoints that are named by their URL, and those of the Book.
func KeyUses(b *Book) []KeyUse {
	var uses []KeyUse
	add := func(variable, of string) {
		for i := range uses {
			if uses[i].Variable == variable {
				if !slices.Contains(uses[i].For, of) {
					uses[i].For = append(uses[i].For, of)
				}
				return
			}
		}
		uses = append(uses, KeyUse{variable, []string{of}})
	}
	presets, err := endpoint.Presets()
	if err != nil {
		// They are built in; a test reads them.
		presets = nil
	}
	for _, p := range presets {
		for _, variable := range p.Keys {
			add(variable, p.Name)
		}
	}
	add(endpoint.URLKeyVariable, "http://host:port/v1#MODEL")
	for _, use := range b.Secrets() {
		for _, of := range use.For {
			add(use.Variable, of)
		}
	}
	return uses
}

// variablesOf are the variables that a text names as $NAME or ${NAME}.
func variablesOf(text string) []string {
	var names []string
	os.Expand(text, func(name string) string {
		if name != "$" && !slices.Contains(names, name) {
			names = append(names, name)
		}
		return ""
	})
	return names
}
