package protocoltest_test

import (
	"testing"

	"moot/ledger"
	"moot/protocol/protocoltest"
)

// The scenarios of all formats rely on this table: what a reference says is how its check comes out.
func TestFindingFollowsTheReference(t *testing.T) {
	t.Parallel()
	for reference, want := range map[string]struct {
		verified bool
		source   ledger.SourceKind
	}{
		"doc/a.md:1":      {true, ledger.DomainEvidence},
		"official/a.md:1": {true, ledger.OfficialSource},
		"bad.go:1":        {false, ""},
	} {
		got := protocoltest.Finding(&ledger.Evidence{Reference: reference, Excerpt: "limit: 8"})
		if got.Verified != want.verified || want.verified && got.SourceKind != want.source {
			t.Errorf("%s: verified %t, %s", reference, got.Verified, got.SourceKind)
		}
	}
}
