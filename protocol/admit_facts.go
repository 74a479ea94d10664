package protocol

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/state"
)

// recordVerified puts a verified passage into the ledger, verbatim (LE2,
// LE6). Unverified facts that it covers are superseded: wholly, which is how a
// tag rises (LE3), or in part, which splits them in two (LE4).
func recordVerified(d *Draft, seat state.Seat, f ledger.Finding) error {
	text := strings.TrimSpace(f.Excerpt)
	if f.Run != nil {
		// The output of a command may be long, so the fact is its exit status.
		text = f.Reason
	}
	if text == "" {
		return nil
	}
	var covered []*ledger.Fact
	for _, fact := range d.State.Facts.All() {
		if fact.Live && fact.Tag == ledger.TagVerified && fact.Reference == f.Reference && fact.Text == text {
			return nil
		}
		if fact.Live && fact.Tag == ledger.TagUnverified && strings.Contains(fact.Text, text) {
			covered = append(covered, fact)
		}
	}
	verified := d.State.NextFact()
	d.Record(&state.FactRecorded{
		ID: verified, Tag: ledger.TagVerified, Seat: seat, Text: text, Reference: f.Reference,
	})
	for _, old := range covered {
		if rest := strings.TrimSpace(strings.Replace(old.Text, text, "", 1)); rest != "" {
			// The rest of the text stays unverified, and the passage in it is marked (LE6).
			marked := strings.Replace(old.Text, text, fmt.Sprintf("[see %s - excerpt: %q]", f.Reference, text), 1)
			d.Record(&state.FactRecorded{
				ID: d.State.NextFact(), Tag: ledger.TagUnverified, Seat: state.Seat(old.Seat), Text: marked, Supersedes: old.ID,
			})
		}
		d.Record(&state.FactSuperseded{Fact: old.ID, By: verified})
	}
	return nil
}

// RecordRevision records that a position changed, or that a change was refused (LE2).
func RecordRevision(d *Draft, seat state.Seat, text string) error {
	return d.Add(&state.FactRecorded{ID: d.State.NextFact(), Tag: ledger.TagRevision, Seat: seat, Text: text})
}
