// Package playbook reads the files that the dialectic format is led by: how
// sure evidence must be in each category, which sources may decide, how many
// rounds there are, and the red flags that the pressure-tester looks for. Each
// flag says in words what a model should look for, and may name checks that a
// machine applies to a diff; what those checks do is package redflag's.
//
// The package is pure: bytes in, a Playbook or the list of what is wrong out.
// Nothing in a file is guessed: an unknown word is an error with its line and
// the nearest known one. Start at Read; the built-in playbooks lie in books.
package playbook
