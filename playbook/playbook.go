package playbook

import (
	"maps"
	"slices"

	"moot/resolver/dialectic"
)

// Playbook is what a session of the dialectic format goes by.
type Playbook struct {
	// Name is what the playbook is called by: that of a built-in one, or that of
	// the file.
	Name string
	// Title and About are a line each for people.
	Title, About string
	// Config is what the resolver goes by: thresholds by category, the source
	// kinds that may decide by severity, their order, how old an item may be, and
	// the rounds, from 1 to 8. It is complete.
	Config dialectic.Config
	// Flags are what the pressure-tester looks for, in the order of the file.
	Flags []Flag
}

// Flag is one red flag.
type Flag struct {
	// ID names the flag: lower-case words joined by hyphens.
	ID string
	// Title says in a few words what is wrong where the flag is raised.
	Title string
	// Look tells a reader, or a model, what to look for.
	Look string
	// Why says in one sentence what it led to before.
	Why string
	// Category has a threshold of its own in the playbook.
	Category string
	Severity dialectic.Severity
	// Predicate is what would be true if there was nothing to object to: the
	// statement that evidence supports or contradicts.
	Predicate string
	// Clears says which evidence would clear the objection.
	Clears string
	// Checks find the flag without a model; none where it takes judgment.
	Checks []Check
}

// Flag returns the flag of an id, or nil.
func (p *Playbook) Flag(id string) *Flag {
	for i := range p.Flags {
		if p.Flags[i].ID == id {
			return &p.Flags[i]
		}
	}
	return nil
}

// Categories are those with a threshold, sorted.
func (p *Playbook) Categories() []string { return slices.Sorted(maps.Keys(p.Config.Thresholds)) }
