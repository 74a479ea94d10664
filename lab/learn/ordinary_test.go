package learn

import (
	"testing"

	"moot/ledger"
)

// Only what files use as a word is one: no name of a machine, an account or a person is
// learnt, however many files have it.
func TestOrdinaryWords(t *testing.T) {
	t.Parallel()
	words := ordinary{}
	for part := range 2 {
		for _, f := range []ledger.PacketFact{
			{Field: "CommandLine", Value: `"copied the whole share to adm-brandt"`},
			{Field: "bytes_out", Value: `{"user":"p.brandt","host":"wks-kiln"}`},
		} {
			words.add(&f, part)
		}
	}
	words.add(&ledger.PacketFact{Field: "note", Value: `"seldom"`}, 0)
	for term, want := range map[string]bool{
		"copied": true, "copied the": true, "whol*": true, "share #3": true, "command line": true, "said:copied": true, "field:bytes": true,
		"entity:share": true, "rule:persistence": true, "seen:2": true, "source:manual": true, "mix": true, "#4": true,
		"brandt": false, "copied brandt": false, "brand*": false, "entity:brandt": false, "speaker:kiln": false, "from:kiln": false, "seldom": false, "wks": false,
	} {
		if got := words.holds(term); got != want {
			t.Errorf("%q is ordinary: %v", term, got)
		}
	}
}
