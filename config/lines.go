package config

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Lines is where each key of a file of TOML stands, from 1, by its path:
// "maxRounds", "flag[2].severity", "flag[2].check[0]". Items are counted from 0.
type Lines map[string]int

// lineReader goes over a file of TOML once to find its lines.
type lineReader struct {
	parser unstable.Parser
	found  Lines
	// items is how many tables of each list there were so far.
	items map[string]int
	// counted is how far lines were counted, and line the line there.
	counted, line int
}

// ReadLines reads where keys stand. Where the file is no TOML the keys after
// that place are missing; the decoder tells why.
func ReadLines(data []byte) Lines {
	r := &lineReader{found: Lines{}, items: map[string]int{}, line: 1}
	// The parser measures by capacity: what lies beyond is not the file's.
	data = data[:len(data):len(data)]
	r.parser.Reset(data)
	table := ""
	for r.parser.NextExpression() {
		e := r.parser.Expression()
		switch e.Kind {
		case unstable.KeyValue:
			r.add(table, e)
		case unstable.Table:
			table = r.path("", e.Key(), false)
		case unstable.ArrayTable:
			table = r.path("", e.Key(), true)
		case unstable.Invalid, unstable.Comment, unstable.Key, unstable.Array, unstable.InlineTable, unstable.String,
			unstable.Bool, unstable.Float, unstable.Integer, unstable.LocalDate, unstable.LocalTime,
			unstable.LocalDateTime, unstable.DateTime:
		}
	}
	return r.found
}

// path joins a dotted key to a table's path. A name that lists tables stands
// for the last of them; item begins a new one.
func (r *lineReader) path(table string, keys unstable.Iterator, item bool) string {
	path := table
	for keys.Next() {
		node := keys.Node()
		path = strings.TrimPrefix(path+"."+string(node.Data), ".")
		r.at(path, int(node.Raw.Offset))
		last := keys.IsLast()
		if last && item {
			r.items[path]++
		}
		if n := r.items[path]; n > 0 {
			path += "[" + strconv.Itoa(n-1) + "]"
			r.at(path, int(node.Raw.Offset))
		}
	}
	return path
}

// add notes a key, and those of the inline tables in its value.
func (r *lineReader) add(table string, e *unstable.Node) {
	path := r.path(table, e.Key(), false)
	r.value(path, e.Value())
}

func (r *lineReader) value(path string, value *unstable.Node) {
	item := 0
	for children := value.Children(); children.Next(); {
		child := children.Node()
		switch {
		case value.Kind == unstable.InlineTable && child.Kind == unstable.KeyValue:
			r.add(path, child)
		case value.Kind == unstable.Array && child.Kind == unstable.InlineTable:
			r.value(path+"["+strconv.Itoa(item)+"]", child)
			item++
		}
	}
}

// at notes the line of an offset; the first place of a path counts.
func (r *lineReader) at(path string, offset int) {
	if _, known := r.found[path]; known {
		return
	}
	if offset < r.counted {
		r.counted, r.line = 0, 1
	}
	r.line += bytes.Count(r.parser.Data()[r.counted:offset], []byte{'\n'})
	r.counted = offset
	r.found[path] = r.line
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
