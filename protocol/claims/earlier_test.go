package claims_test

import (
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// TestAnEarlierClaimBindsNobody (LE2): seats see it from the first turn, and a claim against it is ruled as any other.
func TestAnEarlierClaimBindsNobody(t *testing.T) {
	for _, tag := range []ledger.Tag{ledger.TagEarlier, ledger.TagUser} {
		d := protocoltest.New(t, protocoltest.Opened(consult.Name))
		d.Append(&state.FactRecorded{
			ID: "F1", Tag: tag, Seat: state.User, Reference: "20261121-153045-k3f9 P3", Text: "retries = 8",
		})
		d.Run()
		text := d.Prompted(state.Consultee).Text
		isMarked := strings.Contains(text, "F1 [earlier: 20261121-153045-k3f9 P3]: retries = 8") &&
			strings.Contains(text, "Those marked earlier were ruled in another session. They bind nobody")
		if isMarked != (tag == ledger.TagEarlier) {
			t.Errorf("%s: the seat is told:\n%s", tag, text)
		}
		d.Reply(state.Consultee, "RAISE: `retries = 9`")
		r, _ := resolver.RuleOne(d.State, "P1")
		if against := r.Rule == "AC5b" || strings.Contains(r.Reason, "F1"); against != (tag == ledger.TagUser) {
			t.Errorf("%s: P1 is ruled by %s: %s", tag, r.Rule, r.Reason)
		}
	}
}
