package report

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// warnDrop is the drop of a stated confidence in one report that is warned of
// (ST3).
const warnDrop = 0.3

// redactedMark is how a text marks what was taken out of it (LE6).
const redactedMark = "[REDACTED: "

// Warnings are what a reader must know beside the rulings: prompts that left
// constraints out, one model against itself, positions that drifted, confidence that dropped without a
// cause, many flags of the arbiter, what stands against a proposal without
// holding it, and what was redacted.
func Warnings(s *state.State, rulings []state.Ruling) []string {
	warnings := append([]string(nil), s.Warnings...)
	if said := SameParticipant(s); said != "" {
		warnings = append(warnings, "seats: "+said)
	}
	warnings = append(warnings, formOf(s).warnings(s)...)
	if protocol.HeavilyFlagged(s, rulings) {
		warnings = append(warnings, fmt.Sprintf(
			"arbiter: %d points are flagged, half of those that have an end or more; read them again before you rely "+
				"on them (AR)", len(s.Flags)))
	}
	if n := redactions(s); n > 0 {
		warnings = append(warnings, fmt.Sprintf("redacted: what looks like a secret was taken out in %s before "+
			"anyone saw it, each marked (LE6)", plain.Counted(n, "place")))
	}
	return warnings
}

// consultWarnings are about seats that turned round, or lost their confidence.
func consultWarnings(s *state.State) []string {
	var warnings []string
	for _, d := range s.Drifts.All() {
		if d.Kept {
			warnings = append(warnings, fmt.Sprintf(
				"drift: %s turned round on %s in round %d, from %s to %s, without naming a cause; its earlier "+
					"position stands (ST1)",
				d.Seat, d.Point, d.Round, d.From, d.To))
		}
	}
	for _, a := range s.Seats {
		for _, d := range resolver.Calibrate(s, a.Seat).Shifts {
			// Doubles: 0.8 - 0.5 is a little more than 0.3.
			if drop := d.Uncaused(); drop >= warnDrop-1e-9 {
				warnings = append(warnings, fmt.Sprintf(
					"confidence: %s dropped from %.2f to %.2f on %s in round %d without a cause; %.2f still counts "+
						"(ST3)",
					a.Seat, d.Before.Stated, d.Now.Stated, d.Now.Point, d.Now.Round, d.Now.Admitted))
			}
		}
	}
	return warnings
}

// redactions counts the marks in what the user gave.
func redactions(s *state.State) int {
	in := &s.Settings.Input
	n := strings.Count(in.Design, redactedMark) + strings.Count(in.Position, redactedMark)
	for _, o := range in.Options {
		n += strings.Count(o, redactedMark)
	}
	for _, v := range in.Views {
		n += strings.Count(v.Text, redactedMark)
	}
	for _, d := range s.Settings.Context {
		n += strings.Count(d.Text, redactedMark)
	}
	for _, f := range s.Facts.All() {
		if f.Seat == string(state.User) {
			n += strings.Count(f.Text, redactedMark)
		}
	}
	return n
}
