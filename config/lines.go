package config

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Lines is where each key of a file of TOML stands, from 1, by its path:
// "maxRounds", "flag[2].severity", "flag[2].check[0]". Items are counted from 0.
type Lines map[string]int

// lineReader goes over a file of TOML once to find its lines, and the keys that the form
// does not have which it is to be read into.
type lineReader struct {
	parser  unstable.Parser
	found   Lines
	unknown []unknownKey
	// items is how many tables of each list there were so far.
	items map[string]int
	// counted is how far lines were counted, and line the line there.
	counted, line int
	// fields are those of a table, by the type that it is read into.
	fields map[reflect.Type][]reflect.StructField
}

// unknownKey is a key that its table does not have; the table has no name where it is the file itself.
type unknownKey struct {
	table []string
	name  string
	line  int
}

// place is where a key stands: its path with items counted, and the names in it. A
// place below one that is unknown has no type.
type place struct {
	path  string
	names []string
	of    reflect.Type
}

// readLines reads where keys stand, and which of them a form does not have. Where the
// file is no TOML the keys after that place are missing; the decoder tells why.
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

// place joins a dotted key to a table's place. A name that lists tables stands for the
// last of them; item begins a new one. What is deeper than any form is left out.
func (r *lineReader) place(p place, keys unstable.Iterator, item bool) place {
	for keys.Next() && len(p.names) < deepest {
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

// step goes from a table to one of its keys, and notes its line.
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

// add notes a key, and those of the inline tables in its value.
func (r *lineReader) add(table place, e *unstable.Node) {
	r.value(r.place(table, e.Key(), false), e.Value())
}

func (r *lineReader) value(at place, value *unstable.Node) {
	if len(at.names) == deepest {
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

// at notes the line of an offset, and reports whether the path is new: its first place
// counts.
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

// Of is the line of a path, or of the nearest table around it; 0 for none.
func (l Lines) Of(path string) int {
	for path != "" {
		if line, known := l[path]; known {
			return line
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}
