package config

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// kind is what sort of value a leaf has.
type kind int

const (
	kindText kind = iota
	kindBool
	kindNumber
	kindFloat
	kindList
	// kindOther is a date, a table where none belongs, a list of lists.
	kindOther
)

// leaf is one value of the file, under its whole path: [screen] with
// theme = "dark", screen.theme = "dark" and screen = { theme = "dark" } are the
// same leaf.
type leaf struct {
	path   []string
	kind   kind
	values []string
	line   int
}

// heading is a [table] of the file.
type heading struct {
	path []string
	// many says that it is an [[array of tables]].
	many bool
	line int
}

// deepest is how many names of a path are kept: more than any path of a
// configuration has, and few enough that a file nested without end costs nothing.
const deepest = 5

// document is a file of TOML as it is written: with lines, and with names that
// are given twice, which a decoder would refuse as a whole.
type document struct {
	headings []heading
	leaves   []leaf
	parser   unstable.Parser
	// counted is how far lines were counted, and line the line there: they are
	// asked for in order, so that the file is gone over once.
	counted, line int
}

// parse reads TOML that has no bytes beyond its end: the parser measures by them. Where it is none the Problem says why and where.
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
		// Comments are not kept: it is a heading.
		path, line := d.path(e.Key())
		table = path
		d.headings = append(d.headings, heading{path: path, many: e.Kind == unstable.ArrayTable, line: line})
	}
	err := d.parser.Error()
	if err == nil {
		return d, nil
	}
	problem := &Problem{What: "this is no TOML: " + err.Error()}
	if wrong, ok := errors.AsType[*unstable.ParserError](err); ok {
		problem.Line = lineOf(data, wrong.Highlight)
	}
	return nil, problem
}

// add notes a key and its value; an inline table gives a leaf for each of its
// own.
func (d *document) add(table []string, e *unstable.Node) {
	key, line := d.path(e.Key())
	path := slices.Concat(table, key)
	path = path[:min(len(path), deepest)]
	value := e.Value()
	if value.Kind == unstable.InlineTable && len(path) < deepest {
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

// path reads a dotted key and the line of its first part.
func (d *document) path(keys unstable.Iterator) (path []string, line int) {
	for keys.Next() {
		node := keys.Node()
		if line == 0 {
			line = d.lineAt(int(node.Raw.Offset))
		}
		if len(path) < deepest {
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

// lineOf is the line in data that a part of it begins on, from 1. The two share
// their end, which is how the parser tells places too.
func lineOf(data, part []byte) int {
	offset := cap(data) - cap(part)
	if offset < 0 || offset > len(data) {
		return 1
	}
	return 1 + bytes.Count(data[:offset], []byte{'\n'})
}

// dotted is a path as it is written in a file.
func dotted(path []string) string {
	names := make([]string, len(path))
	for i, name := range path {
		names[i] = Named(name)
	}
	return strings.Join(names, ".")
}
