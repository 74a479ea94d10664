package conflict

// node is a Value as outputs are compared by it: without texts. A string is
// compared only with those at the same place in other outputs, so that each place
// has a column, which knows the words that one of its texts shares with later
// ones.
type node struct {
	kind  Kind
	truth bool
	// row is that of a string in its column.
	row    int32
	float  float64
	column *column
	// names are ids in the order of the names.
	names []int32
	items []node
}

// count makes the columns of an output's strings count what each shares with the
// later ones. Outputs are counted in their order.
func (n *node) count() {
	if n.kind == String {
		n.column.count(int(n.row))
	}
	for i := range n.items {
		if n.items[i].kind >= String {
			n.items[i].count()
		}
	}
}

// similarity is Similarity of an output that was counted and a later one.
func (n *node) similarity(o *node) float64 {
	if n.kind != o.kind {
		return 0
	}
	switch n.kind {
	case Null:
		return 0
	case Boolean:
		return similarityOf(n.truth == o.truth)
	case Number:
		return similarityOf(n.float == o.float)
	case String:
		return n.column.similarity(n.row, o.row)
	case Array:
		sum := 0.0
		for i := range min(len(n.items), len(o.items)) {
			sum += n.items[i].similarity(&o.items[i])
		}
		return mean(sum, max(len(n.items), len(o.items)))
	case Object:
	}
	sum, shared := 0.0, 0
	for i, j := 0, 0; i < len(n.names) && j < len(o.names); {
		switch a, b := n.names[i], o.names[j]; {
		case a < b:
			i++
		case a > b:
			j++
		default:
			sum += n.items[i].similarity(&o.items[j])
			shared++
			i++
			j++
		}
	}
	return mean(sum, len(n.names)+len(o.names)-shared)
}

// classify is what there is by the thresholds between an output that was counted
// and a later one. Their similarity is not computed in full where they contradict
// each other anyhow.
func (n *node) classify(o *node, t Thresholds) (Type, bool) {
	if n.kind == String && o.kind == String && n.column.below(t.Contradiction, n.row, o.row) {
		return Contradiction, true
	}
	return t.Classify(n.similarity(o))
}
