package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"moot/internal/enum"
	"moot/internal/plain"
)

// Kind is a kind of file in TOML that is taken whole or not at all: a playbook, an
// adapter. What it may hold is said by the type that it is read into.
type Kind struct {
	// Name is what such a file is called, as in "this is no playbook".
	Name string
	// MaxBytes is the largest that is read.
	MaxBytes int
	// Keys is what the keys of a table are called, and the table itself, where that
	// is more than "key" and "it"; the table is "" for what stands before the first.
	Keys func(table string) (key, whole string)
	// Mistyped tells a key, which comes with the tables around it, that has a value of
	// another type; "" where it is enough to name the type.
	Mistyped func(key []string) string
	// Twice is added where a key or a table is given twice; "" for nothing.
	Twice func(key []string) string
	// Take reads what the decoder would be long about, and returns the text that is left
	// to it, in which all stands where it stood; nil leaves it the whole text.
	Take func(data []byte) []byte
}

// Reader reads one file of a Kind, and gathers what is wrong in it.
type Reader struct {
	// Name is what problems call the file.
	Name     string
	lines    Lines
	problems []Problem
}

// Decode reads the file into a form, which is a pointer to a struct, and reports
// whether there is something to look at. Keys that are unknown are told and leave the
// rest to be looked at; where it is false, it was told why.
func (r *Reader) Decode(data []byte, kind Kind, form any) bool {
	data, problem := legible(data, kind.Name, kind.MaxBytes)
	if problem != nil {
		r.At(problem.Line, "%s", problem.What)
		return false
	}
	of := reflect.TypeOf(form)
	lines, unknown := readLines(data, of)
	r.lines = lines
	for i := range unknown {
		what := "unknown key"
		if i < maxProblems { // More are counted alone, see Few.
			what = kind.unknown(of, &unknown[i])
		}
		r.At(unknown[i].line, "%s", what)
	}
	if len(unknown) > maxProblems {
		// It is another's file, with which the decoder may be busy for minutes.
		return false
	}
	if kind.Take != nil {
		data = kind.Take(data)
	}
	if err := toml.Unmarshal(data, form); err != nil {
		line, what := kind.undecoded(of, err)
		r.At(line, "%s", what)
		return false
	}
	return true
}

// Strict reads TOML that moot is built with; a key that is unknown is an error.
func Strict(data []byte, form any) error {
	return toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(form)
}

// legible is the text of a file of a kind without the mark of UTF-8 with which some
// editors begin it. The Problem says why it is none.
func legible(data []byte, kind string, most int) ([]byte, *Problem) {
	if len(data) > most {
		return nil, &Problem{What: fmt.Sprintf("larger than %d bytes, which is no %s", most, kind)}
	}
	// The copy has no bytes beyond its end, by which the parser would measure.
	data = slices.Clip(bytes.Clone(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	for at := 0; at < len(data); {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			return nil, &Problem{
				Line: 1 + bytes.Count(data[:at], []byte{'\n'}),
				What: "this is no text in UTF-8: save it as UTF-8",
			}
		}
		at += size
	}
	return data, nil
}

// Tell adds a problem at the line of a path, see Lines.
func (r *Reader) Tell(path, format string, args ...any) {
	r.At(r.Line(path), format, args...)
}

// At adds a problem at a line, from 1; 0 is the file as a whole.
func (r *Reader) At(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.Name, Line: line, What: plain.Line(fmt.Sprintf(format, args...))})
}

// Line is where a path stands, or the nearest table around it; 0 for none.
func (r *Reader) Line(path string) int { return r.lines.Of(path) }

// Given reports whether a path stands in the file.
func (r *Reader) Given(path string) bool {
	_, given := r.lines[path]
	return given
}

// Wrong is how many problems were told so far.
func (r *Reader) Wrong() int { return len(r.problems) }

// Err is all that was told as Problems, in the order of the lines; nil for nothing.
func (r *Reader) Err() error {
	if len(r.problems) == 0 {
		return nil
	}
	inOrder(r.problems)
	return Problems(Few(r.problems))
}

// unknown tells a key that its table does not have.
func (k *Kind) unknown(form reflect.Type, key *unknownKey) string {
	name, whole, where := "key", "the file", ""
	if len(key.table) > 0 {
		whole, where = "it", " in "+headed(form, key.table)
	}
	if k.Keys != nil {
		name, whole = k.Keys(dotted(key.table))
	}
	shown, known := Named(key.name), keysOf(typeAt(form, key.table))
	switch near, others := enum.Nearest(key.name, known), tablesWith(form, nil, key.name); {
	case near != "":
		return "unknown " + name + " " + shown + where + Meant(near)
	case len(others) > 0:
		return "the key " + shown + " does not belong here, but " + strings.Join(others, " or ")
	case len(known) <= manyKeys:
		return "unknown " + name + " " + shown + where + "; " + whole + " has " + strings.Join(known, ", ")
	}
	return "unknown " + name + " " + shown + where
}

// undecoded tells the line of what keeps a file from being read at all, and what it is.
func (k *Kind) undecoded(form reflect.Type, err error) (line int, what string) {
	why := strings.TrimPrefix(err.Error(), "toml: ")
	what = "this is no " + k.Name + ": " + why
	wrong, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return 0, what
	}
	line, _ = wrong.Position()
	key := wrong.Key()
	switch {
	case len(key) == 0:
	case strings.HasPrefix(why, "key "), strings.HasPrefix(why, "table "):
		// The parser says so of what is given twice.
		if k.Twice != nil {
			what += k.Twice(key)
		}
	case strings.HasPrefix(why, "cannot decode TOML "), strings.HasPrefix(why, "cannot store "):
		what = k.mistyped(form, key)
	default:
		what = Named(key[len(key)-1]) + ": " + why
	}
	return line, what
}

// mistyped says what stands at a key.
func (k *Kind) mistyped(form reflect.Type, key []string) string {
	if k.Mistyped != nil {
		if said := k.Mistyped(key); said != "" {
			return said
		}
	}
	return Named(key[len(key)-1]) + " is " + described(typeAt(form, key), dotted(key))
}
