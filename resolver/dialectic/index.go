package dialectic

// index finds the places of ids. Those that code gives out, E1, E2, …, stand in a
// list by their number, where looking one up costs the same however many there
// are; a map of a million names costs more each than one of a thousand, as it does
// not fit into the memory that is near. All other ids stand in a map.
type index struct {
	// letter is what the numbered ids begin with.
	letter   byte
	numbered []int32
	named    map[string]int
}

// newIndex returns an index for a number of ids, the first of which is given.
func newIndex(size int, first string) index {
	if first == "" {
		return index{named: make(map[string]int, size)}
	}
	return index{letter: first[0], numbered: make([]int32, size+size/2+usual), named: map[string]int{}}
}

// number is that of an id that stands in the list.
func (x *index) number(id string) (n int, ok bool) {
	const most = len("E999999999")
	if len(id) < 2 || len(id) > most || id[0] != x.letter || id[1] == '0' && len(id) > 2 {
		return 0, false
	}
	for i := 1; i < len(id); i++ {
		if !isDigit(id[i]) {
			return 0, false
		}
		n = 10*n + int(id[i]-'0')
	}
	return n, n < len(x.numbered)
}

// at is the place of an id.
func (x *index) at(id string) (place int, ok bool) {
	if n, ok := x.number(id); ok {
		return int(x.numbered[n]) - 1, x.numbered[n] > 0
	}
	place, ok = x.named[id]
	return place, ok
}

// put notes where an id stands, and reports whether it did not stand before.
func (x *index) put(id string, at int) bool {
	n, ok := x.number(id)
	switch {
	case !ok:
		return place(x.named, id, at)
	case x.numbered[n] > 0:
		return false
	}
	x.numbered[n] = int32(at) + 1 //nolint:gosec // there are fewer than two thousand million
	return true
}
