package conflict

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Words is the set of words of a text: lower-cased and split on white space, as Unicode defines both. Nothing
// else is normalized: punctuation belongs to its word, and a composed "é" differs from an "e" followed by an
// accent.
type Words map[string]struct{}

// WordsOf returns the set of words of a text.
func WordsOf(text string) Words {
	words := Words{}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		words[word] = struct{}{}
	}
	return words
}

// Similarity is the word measure, 0 to 1: the size of the intersection over that of the union. It is 0 if either
// set is empty, also if both are.
func (w Words) Similarity(o Words) float64 {
	shared := 0
	for word := range w {
		if _, ok := o[word]; ok {
			shared++
		}
	}
	return jaccard(shared, len(w), len(o))
}

func jaccard(shared, a, b int) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return float64(shared) / float64(a+b-shared)
}

// node is a JSON value that is ready to be compared.
type node struct {
	kind   jsontext.Kind
	number float64
	// texts is the place at which a text was found; row is its index there.
	texts *place
	row   int
	// items are the elements of a list.
	items []node
	// fields are the values of an object, names their sorted names.
	fields map[string]*node
	names  []string
}

// similarity compares two values at the same place, after a call of count on the first. Null and values of
// different types have similarity 0; lists are compared by position, objects by name.
func (n *node) similarity(o *node) float64 {
	if n.kind != o.kind {
		return 0
	}
	sum, size := 0.0, 0
	switch n.kind {
	case jsontext.KindNull, jsontext.KindInvalid, jsontext.KindEndObject, jsontext.KindEndArray:
		return 0
	case jsontext.KindTrue, jsontext.KindFalse:
		return 1
	case jsontext.KindNumber:
		if n.number == o.number {
			return 1
		}
		return 0
	case jsontext.KindString:
		return n.texts.similarity(n.row, o.row)
	case jsontext.KindBeginArray:
		size = max(len(n.items), len(o.items))
		for i := range min(len(n.items), len(o.items)) {
			sum += n.items[i].similarity(&o.items[i])
		}
	case jsontext.KindBeginObject:
		size = len(n.names) + len(o.names)
		// In the order of the names, so that the same values have the same sum to the last bit.
		for _, name := range n.names {
			if other, both := o.fields[name]; both {
				sum += n.fields[name].similarity(other)
				size--
			}
		}
	}
	if size == 0 {
		return 1
	}
	return sum / float64(size)
}

// count prepares the comparison of all texts in a value with later outputs.
func (n *node) count() {
	if n.texts != nil {
		n.texts.count(n.row)
	}
	for i := range n.items {
		n.items[i].count()
	}
	for _, field := range n.fields {
		field.count()
	}
}

// place is a position in the outputs: the output itself, or an element of a list or a field of an object at another
// place. It holds the texts there, one row each, as sets of words. One walk over the rows of each word of a row counts
// the words that it shares with all later rows.
type place struct {
	words [][]int32
	// rows are the rows that have a word.
	rows map[int32][]int32
	// shared is how many words the row counted last shares with each later one.
	shared []int32
	// elements and fields are the places within.
	elements []*place
	fields   map[string]*place
}

// element returns the place of an element of a list.
func (p *place) element(i int) *place {
	if i == len(p.elements) {
		p.elements = append(p.elements, &place{})
	}
	return p.elements[i]
}

// field returns the place of a field of an object.
func (p *place) field(name string) *place {
	if p.fields == nil {
		p.fields = map[string]*place{}
	}
	if p.fields[name] == nil {
		p.fields[name] = &place{}
	}
	return p.fields[name]
}

func (p *place) index() {
	if len(p.words) > 0 {
		p.rows, p.shared = map[int32][]int32{}, make([]int32, len(p.words))
	}
	for row, words := range p.words {
		for _, word := range words {
			p.rows[word] = append(p.rows[word], int32(row))
		}
	}
	for _, inner := range p.elements {
		inner.index()
	}
	for _, inner := range p.fields {
		inner.index()
	}
}

func (p *place) count(row int) {
	clear(p.shared)
	for _, word := range p.words[row] {
		rows := p.rows[word]
		later, _ := slices.BinarySearch(rows, int32(row)) //nolint:gosec // there are at most LargestCase rows
		for _, other := range rows[later+1:] {
			p.shared[other]++
		}
	}
}

func (p *place) similarity(row, later int) float64 {
	return jaccard(int(p.shared[later]), len(p.words[row]), len(p.words[later]))
}

// compiler turns outputs into nodes.
type compiler struct {
	decoder *jsontext.Decoder
	// values is how many have been read.
	values int
	words  map[string]int32
}

// output compiles one output. If it cannot be compared, what is the reason and at the place.
func (c *compiler) output(text jsontext.Value, p *place) (n node, at jsontext.Pointer, what string) {
	c.decoder = jsontext.NewDecoder(bytes.NewBuffer(text))
	what = c.value(&n, p)
	return n, c.decoder.StackPointer(), what
}

func (c *compiler) value(into *node, p *place) (what string) {
	token, err := c.decoder.ReadToken()
	if err != nil {
		return err.Error()
	}
	if c.values++; c.values > LargestCase {
		return fmt.Sprintf("the outputs hold more than %d values", LargestCase)
	}
	into.kind = token.Kind()
	switch into.kind {
	case jsontext.KindString:
		into.texts, into.row = p, len(p.words)
		p.words = append(p.words, c.wordsOf(token.String()))
	case jsontext.KindNumber:
		if into.number, err = strconv.ParseFloat(token.String(), 64); err != nil {
			return token.String() + " is not a number that a double can hold"
		}
	case jsontext.KindBeginArray:
		for i := 0; c.decoder.PeekKind() != jsontext.KindEndArray; i++ {
			into.items = append(into.items, node{})
			if what := c.value(&into.items[i], p.element(i)); what != "" {
				return what
			}
		}
		_, err = c.decoder.ReadToken()
	case jsontext.KindBeginObject:
		into.fields = map[string]*node{}
		for c.decoder.PeekKind() != jsontext.KindEndObject {
			name, err := c.decoder.ReadToken()
			if err != nil {
				return err.Error()
			}
			key := name.String()
			into.names, into.fields[key] = append(into.names, key), &node{}
			if what := c.value(into.fields[key], p.field(key)); what != "" {
				return what
			}
		}
		slices.Sort(into.names)
		_, err = c.decoder.ReadToken()
	case jsontext.KindNull, jsontext.KindTrue, jsontext.KindFalse:
	case jsontext.KindInvalid, jsontext.KindEndObject, jsontext.KindEndArray:
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// wordsOf returns the sorted numbers of the words of a text.
func (c *compiler) wordsOf(text string) []int32 {
	var ids []int32
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		id, known := c.words[word]
		if !known {
			id = int32(len(c.words)) //nolint:gosec // the input is too small for more
			c.words[word] = id
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
