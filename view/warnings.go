package view

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
)

// Warnings returns what a reader must know besides the rulings: facts of the user that do not hold together,
// constraints that did not fit into a prompt, one model in opposing seats, positions that drifted, many flags by the
// arbiter, the format's own warnings, and redactions.
func Warnings(s *state.State, rulings []state.Ruling) []string {
	warnings := append(FactNotices(s), s.Warnings...)
	if same := SameParticipant(s); same != "" {
		warnings = append(warnings, "seats: "+same)
	}
	warnings = append(warnings, withheld(s)...)
	warnings = append(warnings, FormatOf(s).Warnings(s)...)
	record := Record{State: s, Rulings: rulings}
	for _, place := range []string{"flags", "redacted"} {
		if warning := Stated(place, record); warning != "" {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

// warnDrop is the drop of a stated confidence in one report that is warned about (ST3).
const warnDrop = 0.3

// DriftWarnings returns warnings about seats that reversed a position or lost confidence without
// a cause that counts.
func DriftWarnings(s *state.State) []string {
	var warnings []string
	for _, d := range s.Drifts.All() {
		if d.Kept {
			warnings = append(
				warnings,
				fmt.Sprintf("drift: %s reversed its position on %s in round %d, from %s to %s, "+
					"without a cause that counts; its earlier position counts", d.Seat, d.Point, d.Round, d.From, d.To),
			)
		}
	}
	for _, a := range s.Seats {
		for _, d := range resolver.Calibrate(s, a.Seat).Shifts {
			// In floating point, 0.7 - 0.4 is slightly less than 0.3.
			if d.Uncaused() >= warnDrop-1e-9 {
				warnings = append(warnings, fmt.Sprintf("confidence: %s dropped from %.2f to %.2f on %s in round %d "+
					"without a cause; %.2f still counts",
					a.Seat, d.Before.Stated, d.Now.Stated, d.Now.Point, d.Now.Round, d.Now.Admitted))
			}
		}
	}
	return warnings
}

// redactions counts what was removed from the text that the user supplied (LE6).
func redactions(s *state.State) int {
	in := &s.Settings.Input
	texts := append([]string{in.Design, in.Position}, in.Options...)
	for _, v := range in.Views {
		texts = append(texts, v.Text)
	}
	for _, d := range s.Settings.Context {
		texts = append(texts, d.Text)
	}
	for _, f := range s.Facts.All() {
		if f.Seat == string(state.User) {
			texts = append(texts, f.Text)
		}
	}
	n := 0
	for _, text := range texts {
		n += strings.Count(text, "[REDACTED: ")
	}
	return n
}

// SameParticipant says that opposing seats are filled by the same participant; it is "" otherwise.
func SameParticipant(s *state.State) string { return Stated("same", Record{State: s}) }

// sameParticipant returns the seats that one participant fills, if opposing ones are among them. That is allowed,
// since one model asked in two roles may find its own flaws, but its agreement with itself is no second opinion. A
// script may hold the replies of several seats, and seats without a model are reported elsewhere unless the format
// asks for it.
func sameParticipant(s *state.State) (same []state.Seat, participant string) {
	seats, withRules := FormatOf(s).Opposed(s)
	for i, seat := range seats {
		first, seated := s.Assignment(seat)
		// The user may have named participants: compare what the names stand for.
		_, is := state.SplitName(first.Participant)
		modelless := is == state.BuiltInRules || is == state.Person
		if !seated || strings.HasPrefix(is, "script:") || modelless && !withRules {
			continue
		}
		same = s.SeatsThat(func(other state.Seat) bool {
			a, _ := s.Assignment(other)
			_, also := state.SplitName(a.Participant)
			return also == is
		})
		if slices.ContainsFunc(seats[i+1:], func(other state.Seat) bool { return slices.Contains(same, other) }) {
			return same, plain.Line(first.Participant)
		}
	}
	return nil, ""
}
