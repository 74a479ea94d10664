package redflag

import (
	"moot/playbook"
)

// Concern is the gravest flag of a playbook one of whose checks names the file
// among its own, nil where none does: what the playbook says of such a file.
func Concern(book *playbook.Playbook, file string) *playbook.Flag {
	var gravest *playbook.Flag
	for i := range book.Flags {
		flag := &book.Flags[i]
		for j := range flag.Checks {
			check := &flag.Checks[j]
			if matchesAny(check.Files, file) && !matchesAny(check.Except, file) && (gravest == nil || flag.Severity.Gravity() < gravest.Severity.Gravity()) {
				gravest = flag
			}
		}
	}
	return gravest
}

// Tests reports whether a file holds tests, by its name.
func (c *Checker) Tests(file string) bool { return matchesAny(c.languageOf(file).Tests, file) }
