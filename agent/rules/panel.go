package rules

import "moot/protocol"

// compare marks the pairs of points that seem to say the opposite of each other.
// What is on one subject otherwise, words alone do not tell.
func (t *turn) compare() {
	for _, pair := range protocol.Likely(t.s) {
		if pair.Opposed {
			t.add(&protocol.Triage{Point: pair.A, Other: pair.B, SameSubject: true, Opposed: true})
		}
	}
	if len(t.moves) == 0 {
		t.flag(protocol.FlagNothing, "", t.say(sayNoMore))
	}
}

// vote takes no side yet.
func (t *turn) vote() error {
	t.flag(protocol.FlagNothing, "", t.say(sayNoMore))
	return nil
}
