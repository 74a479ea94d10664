package program

import (
	"maps"
	"slices"
	"strings"

	"moot/agent/scrub"
)

// environ is what the program is given of an environment: what any program may
// know, its own variables, and what the file sets where the person has not.
func (a *Adapter) environ(environ []string) ([]string, error) {
	kept, err := scrub.Environment(environ, a.Environment.Keep)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(a.Environment.Set)) {
		if !slices.ContainsFunc(kept, func(entry string) bool { return strings.HasPrefix(entry, name+"=") }) {
			kept = append(kept, name+"="+a.Environment.Set[name])
		}
	}
	return kept, nil
}

// shortestSecret is the length in bytes under which a value is not looked for in
// foreign text.
const shortestSecret = 6

// secretsOf takes the secrets of an environment out of texts.
func secretsOf(env []string) *scrub.Scrubber {
	hidden := scrub.New()
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		name = strings.ToUpper(name)
		secret := slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL"}, func(word string) bool {
			return strings.Contains(name, word)
		})
		if secret && len(value) >= shortestSecret {
			hidden.Hide(value)
		}
	}
	return hidden
}

// clean takes secrets out of a text that the program wrote: some echo the key that
// was refused.
func (p *Program) clean(text string) string {
	cleaned, _ := p.redactor.Text(p.secrets.Clean(text))
	return scrub.Passwords(cleaned)
}
