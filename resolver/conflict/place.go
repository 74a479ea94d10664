package conflict

// place is where values of one kind stand in outputs: all that stand there, a row
// for each output that has one. Two values are compared only where they stand at
// one place, and then a row with all later ones at once.
type place struct {
	kind Kind
	// holders are the rows of what holds the values, at its place; of an output
	// itself, its position.
	holders []int32
	// numbers are those of Number and, as 0 and 1, of Boolean, sizes the lengths of
	// Array, and words the sets of words of String and of names of Object.
	numbers []float64
	sizes   []int32
	words   *column
	// similarity is that of the row compared last and each later one. Places that
	// hold nothing share the memory for it: it is read before the next is compared.
	similarity []float64
}

// node is a value by its place. That of null has none.
type node struct {
	place *place
	row   int32
	items []node
}

// compare makes the similarity of the value's row and the later ones. Rows are
// compared in their order.
func (n *node) compare() {
	p := n.place
	if p == nil {
		return
	}
	row := int(n.row)
	switch p.kind {
	case Null:
	case Boolean, Number:
		p.compareNumbers(row)
	case String:
		p.words.compare(row, p.similarity)
	case Array:
		n.add()
		for later := row + 1; later < len(p.similarity); later++ {
			p.similarity[later] = mean(p.similarity[later], int(max(p.sizes[row], p.sizes[later])))
		}
	case Object:
		n.add()
		p.words.count(row)
		for later := row + 1; later < len(p.similarity); later++ {
			p.similarity[later] = mean(p.similarity[later], p.words.union(row, later))
		}
	}
}

// compareNumbers makes the similarity 1 where the numbers are equal.
func (p *place) compareNumbers(row int) {
	own, later := p.numbers[row], p.numbers[row+1:]
	similarity := p.similarity[row+1:][:len(later)]
	for i, number := range later {
		// Made of a whole number, it takes no jump that depends on the data.
		equal := 0
		if number == own {
			equal = 1
		}
		similarity[i] = float64(equal)
	}
}

// add makes the similarity the sum of what the value holds, in its order.
func (n *node) add() {
	similarity := n.place.similarity
	clear(similarity[n.row+1:])
	for i := range n.items {
		item := &n.items[i]
		if item.place == nil || int(item.row)+1 == len(item.place.holders) {
			continue
		}
		item.compare()
		holders := item.place.holders[item.row+1:]
		for later, s := range item.place.similarity[item.row+1:][:len(holders)] {
			similarity[holders[later]] += s
		}
	}
}

// similarity is that of an output that was compared and a later one.
func (n *node) similarity(o *node) float64 {
	if n.place == nil || n.place != o.place {
		return 0
	}
	return n.place.similarity[o.row]
}
