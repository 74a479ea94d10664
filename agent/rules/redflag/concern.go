package redflag

import (
	"slices"

	"moot/playbook"
	"moot/resolver/dialectic"
)

// Concern is the gravest flag of a playbook one of whose checks names the file
// among its own, nil where none does: what the playbook says of such a file.
func Concern(book *playbook.Playbook, file string) *playbook.Flag {
	var gravest *playbook.Flag
	for i := range book.Flags {
		flag := &book.Flags[i]
		for j := range flag.Checks {
			check := &flag.Checks[j]
			if matchesAny(check.Files, file) && !matchesAny(check.Except, file) && (gravest == nil || gravity(flag) < gravity(gravest)) {
				gravest = flag
			}
		}
	}
	return gravest
}

// gravity is the place of a flag's severity, the gravest first.
func gravity(flag *playbook.Flag) int { return slices.Index(dialectic.Severities(), flag.Severity) }

// Tests reports whether a file holds tests, by its name.
func (c *Checker) Tests(file string) bool { return matchesAny(c.languageOf(file).Tests, file) }
