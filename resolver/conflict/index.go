package conflict

import "strings"

// spot is what makes a place: the place of what holds it, the name or position
// there, and the kind.
type spot struct {
	within *place
	at     int32
	kind   Kind
}

// indexer reads outputs into nodes and places.
type indexer struct {
	at    map[spot]*place
	made  []*place
	names map[string]int32
	words map[string]int32
	// last is the number of the last text that had the word.
	last  []int32
	texts int32
}

// index makes the nodes of outputs. Its memory is linear in theirs.
func index(outputs []Output) []node {
	x := &indexer{at: map[spot]*place{}, names: map[string]int32{}, words: map[string]int32{}}
	nodes := make([]node, len(outputs))
	for i := range outputs {
		x.read(&nodes[i], &outputs[i].Value, narrow(i), spot{})
	}
	numbers := make([]int32, max(len(x.words), len(x.names)))
	// What the words were is not asked any more: of many it is most of the memory.
	x.at, x.names, x.words, x.last = nil, nil, nil, nil
	most := 0
	for _, p := range x.made {
		most = max(most, len(p.holders))
	}
	shared := make([]float64, most)
	for _, p := range x.made {
		if p.words != nil {
			p.words.index(numbers)
		}
		p.similarity = shared[:len(p.holders)]
		if p.kind >= Array {
			p.similarity = make([]float64, len(p.holders))
		}
	}
	return nodes
}

// read makes the node of a value that the holder has at the spot.
func (x *indexer) read(n *node, v *Value, holder int32, s spot) {
	if v.Kind == Null {
		return
	}
	s.kind = v.Kind
	p := x.place(s)
	n.place, n.row = p, narrow(len(p.holders))
	p.holders = append(p.holders, holder)
	switch v.Kind {
	case Null:
	case Boolean:
		p.numbers = append(p.numbers, similarityOf(v.Truth))
	case Number:
		p.numbers = append(p.numbers, v.Float)
	case String:
		x.split(v.Text, p.words)
	case Array:
		p.sizes = append(p.sizes, narrow(len(v.Items)))
	case Object:
		for _, name := range v.Names {
			p.words.add(numbered(x.names, name))
		}
		p.words.end()
	}
	n.items = make([]node, len(v.Items))
	for i := range v.Items {
		at := narrow(i)
		if v.Kind == Object {
			at = x.names[v.Names[i]]
		}
		x.read(&n.items[i], &v.Items[i], n.row, spot{within: p, at: at})
	}
}

func (x *indexer) place(s spot) *place {
	p, known := x.at[s]
	if !known {
		p = &place{kind: s.kind}
		if s.kind == String || s.kind == Object {
			p.words = newColumn()
		}
		x.at[s], x.made = p, append(x.made, p)
	}
	return p
}

// split adds the words of a text to a column, each once.
func (x *indexer) split(text string, c *column) {
	x.texts++
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		id := numbered(x.words, word)
		if int(id) == len(x.last) {
			x.last = append(x.last, 0)
		}
		if x.last[id] != x.texts {
			x.last[id] = x.texts
			c.add(id)
		}
	}
	c.end()
}

// numbered is the number of a word among those known, which it joins.
func numbered(known map[string]int32, word string) int32 {
	number, there := known[word]
	if !there {
		number = narrow(len(known))
		known[word] = number
	}
	return number
}

// narrow is how words, rows and positions are numbered, which halves what an index
// takes: outputs with 2^31 of them do not fit into memory.
func narrow(n int) int32 { return int32(n) } //nolint:gosec // see above
