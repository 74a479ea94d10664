// Package domain reads what hearings on one kind of question go by: what is asked, the
// names that fields have, the rules that read facts, and the weights of their words.
// Bytes go in, a state.Domain or all that is wrong with its lines comes out. How rules and
// weights are held against facts is in package resolver/detect. The package is pure. Start at Read; the domains that are
// built in are in books.
package domain

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"moot/config"
	"moot/state"
)

//go:embed books
var books embed.FS

// MaxBytes is the largest file that is read.
const MaxBytes = 1 << 20

// Names are those of the domains that are built in; the first is the default.
func Names() []string { return []string{"security", "change"} }

// BuiltIn returns a domain that is built in, with its weights.
func BuiltIn(name string) (state.Domain, error) {
	if !slices.Contains(Names(), name) {
		return state.Domain{}, fmt.Errorf("no domain %q is built in; there are %s, and the path of a file is one", name, strings.Join(Names(), " and "))
	}
	book, err := books.ReadFile("books/" + name + ".toml")
	if err != nil {
		return state.Domain{}, fmt.Errorf("read the domain %s: %w", name, err)
	}
	// The weights are in a file of their own, since moot lab learn writes it.
	weights, err := books.ReadFile("books/" + name + ".weights.toml")
	if err != nil {
		return state.Domain{}, fmt.Errorf("read the weights of the domain %s: %w", name, err)
	}
	return Read(slices.Concat(book, []byte("\n"), weights), name)
}

// plainName is the file of the weights that domains have which bring none.
const plainName = "plain.weights.toml"

// plainWeights are how far a cover accounts for an act, and what that comes to, of domains
// that go by their rules alone.
func plainWeights() *state.Weights {
	data, err := books.ReadFile("books/" + plainName)
	if err != nil {
		return nil
	}
	r := &reader{Reader: config.Reader{Name: plainName}}
	if !r.decode(data) {
		return nil
	}
	return r.weights()
}

// Read reads a domain; name is what errors call the file, and is kept with it. The
// error is of type config.Problems, and holds all that is wrong at once, with the
// lines; a domain with a problem is not to be used.
func Read(data []byte, name string) (state.Domain, error) {
	r := &reader{Reader: config.Reader{Name: name}, plain: plainWeights()}
	var d state.Domain
	if r.decode(data) {
		d = r.domain()
	}
	if err := r.Err(); err != nil {
		return state.Domain{}, err
	}
	return d, nil
}
