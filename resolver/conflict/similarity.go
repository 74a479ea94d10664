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
	// texts is the column of the path at which a text was found; row is its index there.
	texts *column
	row   int
	// items are the elements of a list, or the values of an object by their sorted names.
	items []node
	names []string
}

// similarity compares two values at the same path, after a call of count on the first. Null and values of
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
		for i, j := 0, 0; i < len(n.names) && j < len(o.names); {
			switch strings.Compare(n.names[i], o.names[j]) {
			case -1:
				i++
			case 1:
				j++
			default:
				sum += n.items[i].similarity(&o.items[j])
				size--
				i, j = i+1, j+1
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
}

// column holds the texts that the outputs have at one path, one row each, as sets of words. One walk over the rows
// of each word of a row counts the words that it shares with all later rows.
type column struct {
	words [][]int32
	// rows are the rows that have a word.
	rows map[int32][]int32
	// shared is how many words the row counted last shares with each later one.
	shared []int32
}

func (c *column) index() {
	c.rows, c.shared = map[int32][]int32{}, make([]int32, len(c.words))
	for row, words := range c.words {
		for _, word := range words {
			c.rows[word] = append(c.rows[word], int32(row))
		}
	}
}

func (c *column) count(row int) {
	clear(c.shared)
	for _, word := range c.words[row] {
		rows := c.rows[word]
		later, _ := slices.BinarySearch(rows, int32(row)) //nolint:gosec // there are at most LargestCase rows
		for _, other := range rows[later+1:] {
			c.shared[other]++
		}
	}
}

func (c *column) similarity(row, later int) float64 {
	return jaccard(int(c.shared[later]), len(c.words[row]), len(c.words[later]))
}

// compiler turns outputs into nodes.
type compiler struct {
	decoder *jsontext.Decoder
	// values is how many have been read.
	values  int
	words   map[string]int32
	columns map[path]*column
	paths   map[path]int
}

// path is a place in an output: the number of the path around it, and the name or position there.
type path struct {
	within int
	name   string
	at     int
}

func newCompiler() *compiler {
	return &compiler{words: map[string]int32{}, columns: map[path]*column{}, paths: map[path]int{}}
}

// output compiles one output. If it cannot be compared, what is the reason and at the place.
func (c *compiler) output(text jsontext.Value) (n node, at jsontext.Pointer, what string) {
	c.decoder = jsontext.NewDecoder(bytes.NewBuffer(text))
	what = c.value(&n, path{})
	return n, c.decoder.StackPointer(), what
}

func (c *compiler) value(into *node, p path) (what string) {
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
		c.text(into, p, token.String())
	case jsontext.KindNumber:
		if into.number, err = strconv.ParseFloat(token.String(), 64); err != nil {
			return token.String() + " is not a number that a double can hold"
		}
	case jsontext.KindBeginArray, jsontext.KindBeginObject:
		what = c.items(into, p)
	case jsontext.KindNull, jsontext.KindTrue, jsontext.KindFalse:
	case jsontext.KindInvalid, jsontext.KindEndObject, jsontext.KindEndArray:
	}
	return what
}

// items reads what is in a list or an object. Objects are sorted by name, so that sums are always made in the
// same order.
func (c *compiler) items(into *node, p path) (what string) {
	number, known := c.paths[p]
	if !known {
		number = len(c.paths) + 1
		c.paths[p] = number
	}
	byName := map[string]node{}
	for {
		inner := path{within: number, at: len(into.items)}
		kind := c.decoder.PeekKind()
		if kind == jsontext.KindEndArray || kind == jsontext.KindEndObject {
			break
		}
		if into.kind == jsontext.KindBeginObject {
			token, err := c.decoder.ReadToken()
			if err != nil {
				return err.Error()
			}
			inner.name, inner.at = token.String(), 0
			into.names = append(into.names, inner.name)
		}
		var item node
		if what = c.value(&item, inner); what != "" {
			return what
		}
		into.items = append(into.items, item)
		if into.kind == jsontext.KindBeginObject {
			byName[inner.name] = item
		}
	}
	if slices.Sort(into.names); into.kind == jsontext.KindBeginObject {
		for i, name := range into.names {
			into.items[i] = byName[name]
		}
	}
	if _, err := c.decoder.ReadToken(); err != nil {
		return err.Error()
	}
	return ""
}

// text adds a text to the column of its path.
func (c *compiler) text(into *node, p path, text string) {
	into.texts = c.columns[p]
	if into.texts == nil {
		into.texts = &column{}
		c.columns[p] = into.texts
	}
	into.row = len(into.texts.words)
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
	into.texts.words = append(into.texts.words, slices.Compact(ids))
}
