package playbook

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"moot/config"
	"moot/enum"
	"moot/plain"
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
	book, problems := read(name, data, BuiltIn)
	if len(problems) > 0 {
		return Playbook{}, Problems(config.Few(problems))
	}
	return book, nil
}

// reader turns a form into a Playbook.
type reader struct {
	name  string
	form  form
	lines config.Lines
	// sets are the sets of patterns, once a check names one.
	sets     map[string][]Pattern
	problems []config.Problem
}

// read is Read; base finds the playbook that this one extends.
func read(name string, data []byte, base func(string) (Playbook, error)) (Playbook, []config.Problem) {
	if len(data) > MaxBytes {
		return Playbook{}, []config.Problem{{File: name, What: fmt.Sprintf("larger than %d bytes, which is no playbook", MaxBytes)}}
	}
	r := &reader{name: name}
	// Some editors begin a file with the mark of UTF-8. The copy has no bytes
	// beyond its end, by which the parser would measure.
	data = bytes.Clone(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if !r.decode(data) {
		return Playbook{}, r.problems
	}
	r.lines = config.ReadLines(data)
	book := r.start(base)
	r.settings(&book)
	r.flags(&book)
	slices.SortStableFunc(r.problems, func(a, b config.Problem) int { return a.Line - b.Line })
	return book, r.problems
}

// decode reports whether the file could be read as a form; unknown keys are
// told and leave the rest to be looked at.
func (r *reader) decode(data []byte) bool {
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&r.form)
	if err == nil {
		return true
	}
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		for i := range strict.Errors {
			r.unknownKey(&strict.Errors[i])
		}
		return true
	}
	problem := config.Problem{File: r.name, What: "this is no playbook: " + plain.Line(err.Error())}
	if wrong, ok := errors.AsType[*toml.DecodeError](err); ok {
		problem.Line, _ = wrong.Position()
		if key := wrong.Key(); len(key) > 0 {
			problem.What = dotted(key) + ": " + plain.Line(strings.TrimPrefix(wrong.Error(), "toml: "))
		}
	}
	r.problems = append(r.problems, problem)
	return false
}

func dotted(key []string) string {
	names := make([]string, len(key))
	for i, name := range key {
		names[i] = config.Named(name)
	}
	return strings.Join(names, ".")
}

func (r *reader) unknownKey(wrong *toml.DecodeError) {
	key := wrong.Key()
	line, _ := wrong.Position()
	table, known := "", keysIn("")
	last := len(key) - 1
	// The decoder names the table that is unknown, or the key in one that is
	// known.
	for i := range key {
		inside := strings.Join(key[:i], ".")
		if keys := keysIn(inside); !slices.Contains(keys, key[i]) {
			table, known, last = inside, keys, i
			break
		}
	}
	name, where := config.Named(key[last]), ""
	if table != "" {
		where = " in [" + table + "]"
	}
	r.problems = append(r.problems, config.Problem{
		File: r.name, Line: line,
		What: fmt.Sprintf("unknown key %s%s%s", name, where, config.Meant(enum.Nearest(key[last], known))),
	})
}

// tell adds a problem at the line of a path.
func (r *reader) tell(path, format string, args ...any) {
	r.problems = append(r.problems, config.Problem{File: r.name, Line: r.lines.Of(path), What: plain.Line(fmt.Sprintf(format, args...))})
}

// unknown tells a word that is in no list, with the nearest that is.
func (r *reader) unknown(path, what, word string, known []string) {
	near := config.Meant(enum.Nearest(word, known))
	if near == "" {
		near = "; known are " + strings.Join(known, ", ")
	}
	r.tell(path, "unknown %s %s%s", what, config.Named(word), near)
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
			r.tell(path, "%s stands twice in this list", is)
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
	book.Name = r.name
	for _, id := range r.form.Without {
		at := slices.IndexFunc(book.Flags, func(f Flag) bool { return f.ID == id })
		switch {
		case r.form.Extends == "":
			r.tell("without", "without leaves out flags of the playbook that this one extends, and it extends none")
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
