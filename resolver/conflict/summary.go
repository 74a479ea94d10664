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

// add takes n conflicts of the type in.
func (c *Counts) add(t Type, n int) {
	switch t {
	case Contradiction:
		c.Contradictions += n
	case Disagreement:
		c.Disagreements += n
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

// Summarize counts the conflicts that Detect goes through, and keeps none.
func Summarize(outputs []Output, t Thresholds) Summary {
	n := len(outputs)
	s := Summary{Pairs: n * (n - 1) / 2, Outputs: make([]Counts, n)}
	for pair := range Detect(outputs, t) {
		s.Total.add(pair.Type, 1)
		s.Outputs[pair.First].add(pair.Type, 1)
		s.Outputs[pair.Second].add(pair.Type, 1)
	}
	return s
}
