package conflict

import (
	"maps"
	"slices"
	"strings"
)

// place is where a value stands in an output: at a name or a position within what
// stands at another place.
type place struct {
	within, at int32
	named      bool
}

// indexer reads outputs into nodes and columns.
type indexer struct {
	names  map[string]int32
	places map[place]int32
	// columns are those of the places that have strings, made in the order of
	// found.
	columns map[int32]*column
	found   []*column
	words   map[string]int32
	// last is the number of the last text that had the word.
	last  []int
	texts int
}

// index makes the nodes of outputs. Its memory is linear in theirs.
func index(outputs []Output) []node {
	x := &indexer{names: map[string]int32{}, places: map[place]int32{}, columns: map[int32]*column{}, words: map[string]int32{}}
	for i := range outputs {
		x.collect(&outputs[i].Value)
	}
	for i, name := range slices.Sorted(maps.Keys(x.names)) {
		x.names[name] = int32(i)
	}
	nodes := make([]node, len(outputs))
	for i := range outputs {
		x.read(&nodes[i], &outputs[i].Value, 0)
	}
	numbers := make([]int32, len(x.words))
	for _, c := range x.found {
		c.index(numbers)
	}
	return nodes
}

// collect learns the names of a value.
func (x *indexer) collect(v *Value) {
	for _, name := range v.Names {
		x.names[name] = 0
	}
	for i := range v.Items {
		if v.Items[i].Kind >= Array {
			x.collect(&v.Items[i])
		}
	}
}

// read makes the node of a value that stands at a place.
func (x *indexer) read(n *node, v *Value, at int32) {
	n.kind, n.truth, n.float = v.Kind, v.Truth, v.Float
	switch v.Kind {
	case Null, Boolean, Number:
		return
	case String:
		n.column, n.row = x.text(v.Text, at)
		return
	case Object:
		n.names = make([]int32, len(v.Names))
		for i, name := range v.Names {
			n.names[i] = x.names[name]
		}
	case Array:
	}
	n.items = make([]node, len(v.Items))
	for i := range v.Items {
		inside := place{within: at, at: int32(i)}
		if v.Kind == Object {
			inside = place{within: at, at: n.names[i], named: true}
		}
		x.read(&n.items[i], &v.Items[i], x.place(inside, v.Items[i].Kind))
	}
}

// place numbers the places from 1; 0 is the output itself, and that of a value
// without texts.
func (x *indexer) place(p place, of Kind) int32 {
	if of < String {
		return 0
	}
	number, known := x.places[p]
	if !known {
		number = narrow(len(x.places) + 1)
		x.places[p] = number
	}
	return number
}

// text adds a text to the column of its place.
func (x *indexer) text(text string, at int32) (*column, int32) {
	c, known := x.columns[at]
	if !known {
		c = &column{ends: []int{0}}
		x.columns[at], x.found = c, append(x.found, c)
	}
	x.texts++
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		id, known := x.words[word]
		if !known {
			id = narrow(len(x.words))
			x.words[word], x.last = id, append(x.last, 0)
		}
		if x.last[id] != x.texts {
			x.last[id] = x.texts
			c.words = append(c.words, id)
		}
	}
	c.ends = append(c.ends, len(c.words))
	return c, narrow(len(c.ends) - 2)
}

// narrow is how words, rows and places are numbered, which halves what an index
// takes: outputs with 2^31 of them do not fit into memory.
func narrow(n int) int32 { return int32(n) } //nolint:gosec // see above
