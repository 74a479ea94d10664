package config

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxDepth is how many names of a path are kept: more than any valid path has, and few enough to make deeply nested
// input cheap.
const maxDepth = 5

// Lines maps the path of each key of a TOML file to its line, from 1: "maxRounds", "flag[2].severity",
// "flag[2].check[0]". Items are counted from 0. Paths
// are in lower case, since the decoder ignores case.
type Lines map[string]int

// lineReader finds the lines of the keys of a TOML file.
type lineReader struct {
	parser unstable.Parser
	found  Lines
	// keys are all keys in their order.
	keys []foundKey
	// items counts the tables of each list so far.
	items map[string]int
	// counted is the offset up to which lines were counted, and line the line there.
	counted, line int
}

// foundKey is a key with the tables around it, and its line.
type foundKey struct {
	names []string
	line  int
}

// place is the position of a key: its path with items counted, and the names in it.
type place struct {
	path  string
	names []string
}

// readLines returns all keys and their lines. After a syntax error the remaining keys are missing; the decoder reports
// it.
func readLines(data []byte) (Lines, []foundKey) {
	r := &lineReader{found: Lines{}, items: map[string]int{}, line: 1}
	r.parser.Reset(data)
	var table place
	for r.parser.NextExpression() {
		e := r.parser.Expression()
		if e.Kind == unstable.KeyValue {
			r.value(r.place(table, e.Key(), false), e.Value())
		} else {
			table = r.place(place{}, e.Key(), e.Kind == unstable.ArrayTable)
		}
	}
	return r.found, r.keys
}

// place appends a dotted key to the place of a table. A list of tables means its last one; item starts a new one.
// Names beyond the maximum depth are ignored.
func (r *lineReader) place(p place, keys unstable.Iterator, item bool) place {
	for keys.Next() && len(p.names) < maxDepth {
		node := keys.Node()
		name := string(node.Data)
		p = place{strings.TrimPrefix(p.path+"."+strings.ToLower(name), "."), append(slices.Clip(p.names), name)}
		if r.at(p.path, int(node.Raw.Offset)) {
			r.keys = append(r.keys, foundKey{p.names, r.found[p.path]})
		}
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

// value records the keys of the inline tables in a value.
func (r *lineReader) value(at place, value *unstable.Node) {
	if len(at.names) == maxDepth {
		return
	}
	n := 0
	for children := value.Children(); children.Next(); {
		child := children.Node()
		switch {
		case value.Kind == unstable.InlineTable && child.Kind == unstable.KeyValue:
			r.value(r.place(at, child.Key(), false), child.Value())
		case value.Kind == unstable.Array && child.Kind == unstable.InlineTable:
			r.value(place{at.path + "[" + strconv.Itoa(n) + "]", at.names}, child)
			n++
		}
	}
}

// at records the line of an offset, and reports whether the path is new. The first line counts.
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
	for path = strings.ToLower(path); path != ""; {
		if line, known := l[path]; known {
			return line
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return 0
}
