package resolver

import "moot/state"

// upheld reports whether another seat agrees or every challenge was accepted,
// with none owed an answer or a judgment: what AC15 to AC17 share. It returns
// what it read.
func (b *bench) upheld() ([]string, bool) {
	if b.table != nil && !b.argued() {
		return b.shared()
	}
	if b.waiting() != nil {
		return nil, false
	}
	agreeing, judged := b.judged()
	if !judged || (agreeing == "" && !b.accepted()) {
		return nil, false
	}
	if b.doubted() {
		return nil, false
	}
	// A challenge that was answered and rejected still stands against it.
	for _, c := range b.challenges {
		if !c.Settled() {
			return nil, false
		}
	}
	var reads []string
	for _, c := range b.challenges {
		reads = append(reads, c.ID)
	}
	if agreeing != "" {
		reads = append(reads, event(b.p.Latest(agreeing).Seq))
	}
	return reads, true
}

// doubted reports whether the last word of a seat on the point is a flaw: one
// that came in the last round, or to which a REJECT was lifted there, has no
// challenge, and is a doubt all the same.
func (b *bench) doubted() bool {
	for i := range b.p.Classes {
		c := &b.p.Classes[i]
		if (c.Class == state.Skeptical || c.Class == state.Reject) && b.p.Latest(c.Seat).Seq == c.Seq {
			return true
		}
	}
	return false
}

// illFormedBy returns the last word of a seat that calls the point ill-formed,
// or nil.
func (b *bench) illFormedBy() *state.Classification {
	for i := range b.p.Classes {
		c := &b.p.Classes[i]
		if c.Class == state.IllFormed && b.p.Latest(c.Seat).Seq == c.Seq {
			return c
		}
	}
	return nil
}
