package config

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// kind is the type of a value.
type kind int

const (
	kindText kind = iota
	kindBool
	kindNumber
	kindFloat
	kindList
	// kindOther is a date, an unexpected table, or a list of lists.
	kindOther
)

// leaf is a value with its full path: [screen] with theme = "dark", screen.theme = "dark" and screen = { theme =
// "dark" } are the same leaf.
type leaf struct {
	path   []string
	kind   kind
	values []string
	line   int
}

// heading is a [table] line.
type heading struct {
	path []string
	// many reports an [[array of tables]].
	many bool
	line int
}

// maxDepth is how many names of a path are kept: more than any valid path has, and few enough to make deeply nested
// input cheap.
const maxDepth = 5

// document is the syntax of a TOML file with its lines. Unlike a decoder it accepts duplicate names.
type document struct {
	headings []heading
	leaves   []leaf
	parser   unstable.Parser
	// counted is the offset up to which lines were counted, and line the line there, so that counting is linear.
	counted, line int
}

// parse parses TOML. data must have no spare capacity, since the parser computes offsets from it.
func parse(data []byte) (*document, *Problem) {
	d := &document{line: 1}
	d.parser.Reset(data)
	var table []string
	for d.parser.NextExpression() {
		e := d.parser.Expression()
		if e.Kind == unstable.KeyValue {
			d.add(table, e)
			continue
		}
		// The parser skips comments, so this is a heading.
		path, line := d.path(e.Key())
		table = path
		d.headings = append(d.headings, heading{path: path, many: e.Kind == unstable.ArrayTable, line: line})
	}
	err := d.parser.Error()
	if err == nil {
		return d, nil
	}
	problem := &Problem{What: "this is not valid TOML: " + err.Error()}
	if wrong, ok := errors.AsType[*unstable.ParserError](err); ok {
		problem.Line = lineOf(data, wrong.Highlight)
	}
	return nil, problem
}

// add records a key and its value; an inline table yields a leaf for each of its keys.
func (d *document) add(table []string, e *unstable.Node) {
	key, line := d.path(e.Key())
	path := slices.Concat(table, key)
	path = path[:min(len(path), maxDepth)]
	value := e.Value()
	if value.Kind == unstable.InlineTable && len(path) < maxDepth {
		for children := value.Children(); children.Next(); {
			if child := children.Node(); child.Kind == unstable.KeyValue {
				d.add(path, child)
			}
		}
		return
	}
	l := leaf{path: path, kind: kindOf(value.Kind), line: line}
	switch l.kind {
	case kindList:
		for children := value.Children(); children.Next(); {
			child := children.Node()
			if k := kindOf(child.Kind); k != kindText && k != kindNumber {
				l.kind = kindOther
			}
			l.values = append(l.values, string(child.Data))
		}
	case kindText, kindBool, kindNumber, kindFloat:
		l.values = []string{string(value.Data)}
	case kindOther:
	}
	d.leaves = append(d.leaves, l)
}

// path returns a dotted key and the line of its first part.
func (d *document) path(keys unstable.Iterator) (path []string, line int) {
	for keys.Next() {
		node := keys.Node()
		if line == 0 {
			line = d.lineAt(int(node.Raw.Offset))
		}
		if len(path) < maxDepth {
			path = append(path, string(node.Data))
		}
	}
	return path, line
}

func (d *document) lineAt(offset int) int {
	if offset < d.counted {
		d.counted, d.line = 0, 1
	}
	d.line += bytes.Count(d.parser.Data()[d.counted:offset], []byte{'\n'})
	d.counted = offset
	return d.line
}

func kindOf(k unstable.Kind) kind {
	switch k {
	case unstable.String:
		return kindText
	case unstable.Bool:
		return kindBool
	case unstable.Integer:
		return kindNumber
	case unstable.Float:
		return kindFloat
	case unstable.Array:
		return kindList
	case unstable.Invalid, unstable.Comment, unstable.Key, unstable.Table, unstable.ArrayTable, unstable.KeyValue,
		unstable.InlineTable, unstable.LocalDate, unstable.LocalTime, unstable.LocalDateTime, unstable.DateTime:
		return kindOther
	}
	return kindOther
}

// lineOf returns the line where part begins in data, from 1. Both slices end at the same byte.
func lineOf(data, part []byte) int {
	offset := cap(data) - cap(part)
	if offset < 0 || offset > len(data) {
		return 1
	}
	return 1 + bytes.Count(data[:offset], []byte{'\n'})
}

// dotted formats a path as in a file.
func dotted(path []string) string {
	names := make([]string, len(path))
	for i, name := range path {
		names[i] = Named(name)
	}
	return strings.Join(names, ".")
}

// Lines maps the path of each key of a TOML file to its line, from 1: "maxRounds", "flag[2].severity",
// "flag[2].check[0]". Items are counted from 0.
type Lines map[string]int

// lineReader finds the lines of the keys of a TOML file, and the keys that are unknown in the type that it will be
// decoded into.
type lineReader struct {
	parser  unstable.Parser
	found   Lines
	unknown []unknownKey
	// items counts the tables of each list so far.
	items map[string]int
	// counted is the offset up to which lines were counted, and line the line there.
	counted, line int
	// fields caches the fields of each table type.
	fields map[reflect.Type][]reflect.StructField
}

// unknownKey is a key that its table does not have; table is empty at the top of the file.
type unknownKey struct {
	table []string
	name  string
	line  int
}

// place is the position of a key: its path with items counted, the names in it, and its type, which is nil below an
// unknown key.
type place struct {
	path  string
	names []string
	of    reflect.Type
}

// readLines returns the lines of all keys, and those that form does not have. After a syntax error the remaining keys
// are missing; the decoder reports it.
func readLines(data []byte, form reflect.Type) (Lines, []unknownKey) {
	r := &lineReader{found: Lines{}, items: map[string]int{}, line: 1, fields: map[reflect.Type][]reflect.StructField{}}
	r.parser.Reset(data)
	file := place{of: form}
	table := file
	for r.parser.NextExpression() {
		e := r.parser.Expression()
		switch e.Kind {
		case unstable.KeyValue:
			r.add(table, e)
		case unstable.Table:
			table = r.place(file, e.Key(), false)
		case unstable.ArrayTable:
			table = r.place(file, e.Key(), true)
		case unstable.Invalid, unstable.Comment, unstable.Key, unstable.Array, unstable.InlineTable, unstable.String,
			unstable.Bool, unstable.Float, unstable.Integer, unstable.LocalDate, unstable.LocalTime,
			unstable.LocalDateTime, unstable.DateTime:
		}
	}
	return r.found, r.unknown
}

// place appends a dotted key to the place of a table. A list of tables means its last one; item starts a new one.
// Names beyond the maximum depth are ignored.
func (r *lineReader) place(p place, keys unstable.Iterator, item bool) place {
	for keys.Next() && len(p.names) < maxDepth {
		node := keys.Node()
		p = r.step(p, string(node.Data), int(node.Raw.Offset))
		if keys.IsLast() && item {
			r.items[p.path]++
		}
		if n := r.items[p.path]; n > 0 {
			p.path += "[" + strconv.Itoa(n-1) + "]"
			r.at(p.path, int(node.Raw.Offset))
		}
	}
	return p
}

// step goes from a table to one of its keys, and records its line.
func (r *lineReader) step(table place, name string, offset int) place {
	key := place{path: strings.TrimPrefix(table.path+"."+name, "."), names: append(slices.Clip(table.names), name)}
	isNew := r.at(key.path, offset)
	of := item(table.of)
	if of == nil {
		return key
	}
	switch of.Kind() {
	case reflect.Map:
		key.of = of.Elem()
	case reflect.Struct:
		if r.fields[of] == nil {
			r.fields[of] = fieldsOf(of)
		}
		if field := fieldOf(r.fields[of], name); field != nil {
			key.of = field.Type
		} else if isNew {
			r.unknown = append(r.unknown, unknownKey{table.names, name, r.found[key.path]})
		}
	}
	return key
}

// add records a key, and those of inline tables in its value.
func (r *lineReader) add(table place, e *unstable.Node) {
	r.value(r.place(table, e.Key(), false), e.Value())
}

func (r *lineReader) value(at place, value *unstable.Node) {
	if len(at.names) == maxDepth {
		return
	}
	n := 0
	for children := value.Children(); children.Next(); {
		child := children.Node()
		switch {
		case value.Kind == unstable.InlineTable && child.Kind == unstable.KeyValue:
			r.add(at, child)
		case value.Kind == unstable.Array && child.Kind == unstable.InlineTable:
			r.value(place{at.path + "[" + strconv.Itoa(n) + "]", at.names, at.of}, child)
			n++
		}
	}
}

// at records the line of an offset, and reports whether the path is new. The first one counts.
func (r *lineReader) at(path string, offset int) bool {
	if _, known := r.found[path]; known {
		return false
	}
	if offset < r.counted {
		r.counted, r.line = 0, 1
	}
	r.line += bytes.Count(r.parser.Data()[r.counted:offset], []byte{'\n'})
	r.counted = offset
	r.found[path] = r.line
	return true
}

// Of returns the line of a path, or of the nearest table around it, or 0.
func (l Lines) Of(path string) int {
	for path != "" {
		if line, known := l[path]; known {
			return line
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}
