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
	"moot/internal/lists"
	"moot/internal/plain"
)

// Kind is a kind of TOML file. The type that it is decoded into defines its keys.
type Kind struct {
	// Name is used in messages such as "this is not a valid playbook".
	Name string
	// MaxBytes is the maximum size.
	MaxBytes int
	// Mistyped describes the valid value of a key, given with the tables around it; "" means that the type is enough.
	Mistyped func(key []string) string
	// Decides reports whether a problem in a section affects who is asked; see Problem.
	Decides func(section string) bool
}

// Reader reads one file of a Kind and collects its problems.
type Reader struct {
	// Name is the file name in problems.
	Name     string
	lines    Lines
	problems []Problem
}

// Decode decodes the file into form, a pointer to a struct, and reports whether it could. Unknown keys are reported
// but do not stop it.
func (r *Reader) Decode(data []byte, kind Kind, form any) bool {
	data, problem := legible(data, kind.Name, kind.MaxBytes)
	if problem != nil {
		r.At(problem.Line, "%s", problem.What)
		return false
	}
	of := reflect.TypeOf(form)
	lines, keys := readLines(data)
	r.lines = lines
	unknown := 0
	// A list of tables has the same keys many times.
	known := map[string]bool{}
	for _, key := range keys {
		path := strings.Join(key.names, "\x00")
		if _, seen := known[path]; !seen {
			table := item(typeAt(of, key.names[:len(key.names)-1]))
			known[path] = table == nil || table.Kind() != reflect.Struct || typeAt(of, key.names) != nil
		}
		if known[path] {
			continue
		}
		what := "unknown key"
		if unknown++; unknown <= maxProblems { // More are counted alone, see Few.
			what = unknownKey(of, key.names)
		}
		r.At(key.line, "%s", what)
		r.problems[len(r.problems)-1].Decides = kind.Decides != nil && kind.Decides(key.names[0])
	}
	if unknown > maxProblems {
		// It is a different kind of file, which could keep the decoder busy for minutes.
		return false
	}
	if err := toml.Unmarshal(data, form); err != nil {
		line, what := kind.undecoded(of, err)
		r.At(line, "%s", what)
		return false
	}
	return true
}

// Strict decodes built-in TOML; an unknown key is an error.
func Strict(data []byte, form any) error {
	return toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(form)
}

// legible checks the size and encoding of a file, and removes a byte order mark.
func legible(data []byte, kind string, most int) ([]byte, *Problem) {
	if len(data) > most {
		return nil, &Problem{What: fmt.Sprintf("larger than %d bytes, the limit for %s files", most, kind)}
	}
	// The parser computes offsets from the capacity.
	data = slices.Clip(bytes.Clone(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	for at := 0; at < len(data); {
		c, size := utf8.DecodeRune(data[at:])
		if c == utf8.RuneError && size == 1 {
			return nil, &Problem{
				Line: 1 + bytes.Count(data[:at], []byte{'\n'}),
				What: "this is not UTF-8 text: save it as UTF-8",
			}
		}
		at += size
	}
	return data, nil
}

// Tell adds a problem at the line of a path; see Lines.
func (r *Reader) Tell(path, format string, args ...any) { r.At(r.Line(path), format, args...) }

// At adds a problem at a line, from 1; 0 is the file as a whole.
func (r *Reader) At(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.Name, Line: line, What: plain.Line(fmt.Sprintf(format, args...))})
}

// Word checks a word of a closed list. An unknown word is reported with the nearest known one, or with all of them.
func Word[T ~string](r *Reader, path, what string, given T, known []T) bool {
	if slices.Contains(known, given) {
		return true
	}
	all := enum.Words(known)
	meant := Meant(enum.Nearest(string(given), all))
	if meant == "" && len(all) <= maxListed {
		meant = "; use one of " + strings.Join(all, ", ")
	}
	r.Tell(path, "unknown %s %s%s", what, Named(string(given)), meant)
	return false
}

// Text joins the lines of a text, and checks that it has 1 to most characters, none of them hidden.
func (r *Reader) Text(path string, text *string, most int) {
	*text = strings.Join(strings.Fields(*text), " ")
	key := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case *text == "":
		r.Tell(path, "%s is missing", key)
	case utf8.RuneCountInString(*text) > most:
		r.Tell(path, "%s is longer than %d characters", key, most)
	case plain.Line(*text) != *text:
		r.Tell(path, "%s contains a control or hidden character", key)
	}
}

// ID checks an id: at most 60 lower-case letters, digits and hyphens, starting with a letter. seen maps earlier
// ids to their places.
func (r *Reader) ID(path, id string, seen map[string]string) {
	const longest = 60
	where, twice := seen[id]
	switch {
	case id == "":
		r.Tell(path, "id is missing")
	case len(id) > longest || id[0] < 'a' || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		r.Tell(path, "the id %s is not valid: use at most %d lower-case letters, digits and hyphens, starting with a "+
			"letter", Named(id), longest)
	case twice:
		r.Tell(path, "the id %s is already used %s", id, where)
	default:
		seen[id] = fmt.Sprintf("on line %d", r.Line(path))
	}
}

// Line returns the line of a path, or of the nearest table around it, or 0.
func (r *Reader) Line(path string) int { return r.lines.Of(path) }

// Given reports whether the file has a path.
func (r *Reader) Given(path string) bool {
	_, given := r.lines[strings.ToLower(path)]
	return given
}

// Wrong returns the number of problems so far.
func (r *Reader) Wrong() int { return len(r.problems) }

// Err returns the problems as Problems, in the order of the lines, or nil.
func (r *Reader) Err() error {
	if len(r.problems) == 0 {
		return nil
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return a.Line - b.Line })
	return Problems(Few(r.problems))
}

// unknownKey describes an unknown key.
func unknownKey(form reflect.Type, key []string) string {
	table, whole, where := key[:len(key)-1], "the file", ""
	if len(table) > 0 {
		whole, where = "it", " in "+headed(form, table)
	}
	name, known := key[len(key)-1], keysOf(typeAt(form, table))
	what := "unknown key " + Named(name) + where
	if near := enum.Nearest(name, known); near != "" {
		return what + Meant(near)
	}
	if len(known) <= maxListed {
		return what + "; " + whole + " has " + strings.Join(known, ", ")
	}
	return what
}

// undecoded returns the line and description of a decoding error.
func (k *Kind) undecoded(form reflect.Type, err error) (line int, what string) {
	why := strings.TrimPrefix(err.Error(), "toml: ")
	what = "this is not a valid " + k.Name + ": " + why
	wrong, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return 0, what
	}
	line, _ = wrong.Position()
	key := wrong.Key()
	switch {
	case len(key) == 0, strings.HasPrefix(why, "key "), strings.HasPrefix(why, "table "):
		// The parser reports duplicates with the key in the message.
	case strings.HasPrefix(why, "cannot decode TOML "), strings.HasPrefix(why, "cannot store "):
		what = ""
		if k.Mistyped != nil {
			what = k.Mistyped(key)
		}
		if what == "" {
			what = Named(key[len(key)-1]) + " is " + described(typeAt(form, key), dotted(key))
		}
	default:
		what = Named(key[len(key)-1]) + ": " + why
	}
	return line, what
}

// maxListed is the maximum number of keys that a message lists.
const maxListed = 16

// Keys returns the keys of a table that is decoded into a struct, in order.
func Keys(form any) []string { return keysOf(reflect.TypeOf(form)) }

func keysOf(t reflect.Type) []string {
	return lists.Map(fieldsOf(t), func(f reflect.StructField) string { return f.Tag.Get("toml") })
}

// fieldsOf returns the fields with keys of a table; none if t is not a struct.
func fieldsOf(t reflect.Type) []reflect.StructField {
	t = item(t)
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		switch tag := f.Tag.Get("toml"); {
		case f.Anonymous && tag == "":
			fields = append(fields, fieldsOf(f.Type)...)
		case tag != "" && tag != "-":
			fields = append(fields, f)
		}
	}
	return fields
}

// item returns the element type of a list or pointer.
func item(t reflect.Type) reflect.Type {
	for t != nil && (t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer) {
		t = t.Elem()
	}
	return t
}

// typeAt returns the type at a path of a form, or nil.
func typeAt(form reflect.Type, path []string) reflect.Type {
	for _, name := range path {
		if form = item(form); form == nil {
			return nil
		}
		if form.Kind() == reflect.Map {
			form = form.Elem()
			continue
		}
		// Like the decoder, ignore case.
		fields := fieldsOf(form)
		at := slices.IndexFunc(fields, func(f reflect.StructField) bool {
			return strings.EqualFold(f.Tag.Get("toml"),
				name)
		})
		if at < 0 {
			return nil
		}
		form = fields[at].Type
	}
	return form
}

// dotted formats a path as in a file.
func dotted(path []string) string {
	names := lists.Map(path, Named)
	return strings.Join(names, ".")
}

// headed returns the heading of a table.
func headed(form reflect.Type, path []string) string {
	if typeAt(form, path).Kind() == reflect.Slice {
		return "[[" + dotted(path) + "]]"
	}
	return "[" + dotted(path) + "]"
}

// described describes a valid value of a type, as in "a number, without quotes"; path is its position.
func described(t reflect.Type, path string) string {
	if t == nil {
		return "a value of another type"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return described(t.Elem(), path)
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false, without quotes"
	case reflect.Float64:
		return "a number, without quotes"
	case reflect.Int:
		return "a whole number, without quotes"
	case reflect.Map, reflect.Struct:
		return "a table: put its keys below [" + path + "]"
	case reflect.Slice:
		if item(t).Kind() == reflect.Struct {
			return "a list: begin each with [[" + path + "]]"
		}
		return "a list in square brackets"
	}
	return "a value"
}
