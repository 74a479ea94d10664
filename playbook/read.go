package playbook

import (
	"slices"
	"strings"

	"moot/config"
	"moot/internal/enum"
	"moot/resolver/dialectic"
)

// MaxBytes is the largest file that is read; a larger one is no playbook.
const MaxBytes = 1 << 20

// maxRounds is the most rounds that a session can have.
const maxRounds = 8

// Problems is what is wrong in a playbook, in the order of the lines: the error
// that Read returns.
type Problems = config.Problems

// Read reads a playbook; name is what errors call the file, and what the
// playbook is called. The error is of type Problems, and holds all that is
// wrong at once; a playbook with a problem is not to be used.
func Read(name string, data []byte) (Playbook, error) {
	return read(name, data, BuiltIn)
}

// reader turns a form into a Playbook.
type reader struct {
	config.Reader

	form form
	// sets are the sets of patterns, once a check names one.
	sets map[string][]Pattern
}

// read is Read; base finds the playbook that this one extends.
func read(name string, data []byte, base func(string) (Playbook, error)) (Playbook, error) {
	r := &reader{Reader: config.Reader{Name: name}}
	var book Playbook
	if r.Decode(data, config.Kind{Name: "playbook", MaxBytes: MaxBytes}, &r.form) {
		book = r.start(base)
		r.settings(&book)
		r.flags(&book)
	}
	if err := r.Err(); err != nil {
		return Playbook{}, err
	}
	return book, nil
}

// unknown tells a word that is in no list, with the nearest that is.
func (r *reader) unknown(path, what, word string, known []string) {
	near := config.Meant(enum.Nearest(word, known))
	if near == "" {
		near = "; known are " + strings.Join(known, ", ")
	}
	r.Tell(path, "unknown %s %s%s", what, config.Named(word), near)
}

// word reads a word of a closed list.
func word[T ~string](r *reader, path, what, given string, known []T) (T, bool) {
	found, err := enum.Parse(what, given, known)
	if err != nil {
		r.unknown(path, what, given, enum.Words(known))
		return "", false
	}
	return found, true
}

// words reads a list of words of a closed list, each once.
func words[T ~string](r *reader, path, what string, given []string, known []T) []T {
	found := make([]T, 0, len(given))
	for _, one := range given {
		is, ok := word(r, path, what, one, known)
		switch {
		case !ok:
		case slices.Contains(found, is):
			r.Tell(path, "%s stands twice in this list", is)
		default:
			found = append(found, is)
		}
	}
	return found
}

// start is the playbook that this one begins with: the one that it extends,
// without the flags that it leaves out, or the defaults.
func (r *reader) start(base func(string) (Playbook, error)) Playbook {
	book := Playbook{Config: dialectic.DefaultConfig()}
	if r.form.Extends != "" {
		found, err := base(r.form.Extends)
		if err != nil {
			r.unknown("extends", "playbook", r.form.Extends, Names())
		} else {
			book = found
		}
	}
	book.Name = r.Name
	for _, id := range r.form.Without {
		at := slices.IndexFunc(book.Flags, func(f Flag) bool { return f.ID == id })
		switch {
		case r.form.Extends == "":
			r.Tell("without", "without leaves out flags of the playbook that this one extends, and it extends none")
			return book
		case at < 0:
			r.unknown("without", "flag", id, ids(book.Flags))
		default:
			book.Flags = slices.Delete(book.Flags, at, at+1)
		}
	}
	return book
}

func ids(flags []Flag) []string {
	var all []string
	for i := range flags {
		all = append(all, flags[i].ID)
	}
	return all
}
