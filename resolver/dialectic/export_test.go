package dialectic

// Looks is how often an item is looked at while an input is resolved.
func Looks(in *Input) int {
	b := newBench(in)
	b.resolutions = b.resolveAll()
	b.decide(b.gates())
	return b.items.looks
}

// Places indexes ids, and returns how one is found and which are there twice.
func Places(ids []string) (at func(id string) (int, bool), twice []int) {
	first := ""
	if len(ids) > 0 {
		first = ids[0]
	}
	x := newIndex(len(ids), first)
	for i, id := range ids {
		if !x.put(id, i) {
			twice = append(twice, i)
		}
	}
	return x.at, twice
}
