package conflict

// Counts are numbers of conflicts by their type.
type Counts struct{ Contradictions, Disagreements int }

// Of returns the number of the type.
func (c Counts) Of(t Type) int {
	switch t {
	case Contradiction:
		return c.Contradictions
	case Disagreement:
	}
	return c.Disagreements
}

// add takes a conflict of the type in.
func (c *Counts) add(t Type) {
	switch t {
	case Contradiction:
		c.Contradictions++
	case Disagreement:
		c.Disagreements++
	}
}

// Summary says how many conflicts there are between outputs.
type Summary struct {
	// Pairs is the number of pairs that were compared, with or without conflict.
	Pairs int
	// Total counts each conflict once.
	Total Counts
	// Outputs has the conflicts that each output takes part in, by its position.
	Outputs []Counts
}

// Summarize counts the conflicts that Detect goes through. It keeps none: its
// memory is linear in the outputs.
func Summarize(outputs []Output, t Thresholds) Summary {
	n := len(outputs)
	s := Summary{Pairs: n * (n - 1) / 2, Outputs: make([]Counts, n)}
	nodes := index(outputs)
	for i := range nodes {
		classify := nodes[i].classifier(t)
		for j := i + 1; j < n; j++ {
			if kind, found := classify(&nodes[j]); found {
				s.Outputs[i].add(kind)
				s.Outputs[j].add(kind)
			}
		}
	}
	for _, c := range s.Outputs {
		s.Total.Contradictions += c.Contradictions
		s.Total.Disagreements += c.Disagreements
	}
	s.Total.Contradictions /= 2
	s.Total.Disagreements /= 2
	return s
}

// classifier says what there is by the thresholds between an output and later
// ones. Of texts it does not compute the similarity in full where they contradict
// each other anyhow.
func (n *node) classifier(t Thresholds) func(later *node) (Type, bool) {
	if n.place == nil || n.place.kind != String {
		n.compare()
		return func(later *node) (Type, bool) { return t.Classify(n.similarity(later)) }
	}
	words, row := n.place.words, int(n.row)
	words.count(row)
	return func(later *node) (Type, bool) {
		if later.place != n.place {
			return t.Classify(0)
		}
		return words.classify(t, row, int(later.row))
	}
}
