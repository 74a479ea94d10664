package view

import (
	"cmp"

	"moot/internal/plain"
	"moot/state"
)

// Failure is why a session paused or ended badly, as data (SE4).
type Failure struct {
	// Seat and Kind are "" if no seat is the cause: a budget was used up, or the user left.
	Seat string            `json:"seat"`
	Kind state.FailureKind `json:"kind"`
	// Text is the first line of what the participant said, or else what moot says. It is "" if
	// nothing went wrong.
	Text string `json:"text"`
	// Resets is when the limit ends, in UTC as RFC 3339, or "" if that is not known.
	Resets string `json:"resets"`
}

// StopOf returns why a session paused or ended badly: the data, and a line for people. Both are empty
// for other sessions.
func StopOf(s *state.State) (Failure, string) {
	if s.Paused != state.PauseNone {
		failure, line := Stop(s.Paused, s.Exit, s.PauseReason, &s.PauseFailure)
		if f, ok := FormatOf(s).(interface{ Reached(s *state.State) string }); ok && f.Reached(s) != "" {
			// The format decided something before the pause.
			line = plain.Clip(plain.Line(f.Reached(s)+"; paused: "+cmp.Or(s.PauseReason, string(s.Paused))), maxStop)
		}
		return failure, line
	}
	if f := &s.ConcludeFailure; f.Kind != state.FailureNone && s.Exit != state.ExitQuality && s.Over() {
		a, _ := s.Assignment(f.Seat)
		line := plain.Clip("no answer by a seat: "+FailureLine(a.Participant, *f)+"; code composed the answer", maxStop)
		return exported(f, ""), line
	}
	return Stop(s.Paused, s.Exit, s.ExitReason, &s.ExitFailure)
}

// Stop is StopOf for what a list reads of a session: its pause and exit, and the reason and failure
// that were recorded with the pause, or else with the exit. The failure may be nil.
func Stop(paused state.PauseKind, exit state.Exit, reason string, f *state.Failure) (Failure, string) {
	var line string
	switch {
	case paused != state.PauseNone:
		line = Sentence("paused, no decision", cmp.Or(reason, string(paused)))
	case exit == state.ExitQuality:
		line = Sentence("ended early", reason)
	default:
		return Failure{}, ""
	}
	if f == nil {
		f = &state.Failure{}
	}
	return exported(f, reason), bounded(line)
}

// exported returns a failure as data. The reason is its text if it has none.
func exported(f *state.Failure, reason string) Failure {
	return Failure{
		Seat: string(f.Seat), Kind: f.Kind, Text: bounded(cmp.Or(f.Text, reason)), Resets: Moment(f.Resets),
	}
}

func bounded(text string) string { return plain.Clip(plain.Line(plain.Clip(text, maxStop)), maxStop) }

// maxStop is the length of the line about a failure, in characters: its words may come from a file
// that somebody edited.
const maxStop = 2000

// maxName and maxText are how much of a participant's name and of its words one failure shows, in
// characters.
const (
	maxName = 80
	maxText = 300
)

// FailureLine says in one line which seat failed and how, see FailureWords.
func FailureLine(participant string, failures ...state.Failure) string {
	return Who(failures[0].Seat, participant) + " " + FailureWords(failures...)
}

// Who names a seat with its participant: "the consultee (codex)".
func Who(seat state.Seat, participant string) string {
	if participant == "" {
		return "the " + string(seat)
	}
	return "the " + string(seat) + " (" + plain.Line(plain.Clip(participant, maxName)) + ")"
}

// FailureWords says how a seat failed, from its last failure, or its last two if both matter (EX4).
// What the participant said is quoted; what moot says is not.
func FailureWords(failures ...state.Failure) string {
	last := &failures[len(failures)-1]
	words, twice := kindWords(last.Kind)
	if len(failures) > 1 {
		if before := failures[0].Kind; before == last.Kind {
			words = twice
		} else {
			first, _ := kindWords(before)
			words = first + ", then " + words
		}
	}
	text := plain.Line(plain.Clip(last.Text, maxText))
	if last.Kind == state.FailureUnreachable && last.Said && text != "" && len(failures) == 1 {
		words = "failed" // It did answer: with an error.
	}
	switch {
	case last.Said && text != "":
		words += `: "` + text + `"`
	case last.Kind != state.FailureEmpty && last.Kind != state.FailureThinking && last.Kind != state.FailureLookups:
		words = Sentence(words, text) // The words of the other kinds say it.
	}
	if !last.Resets.IsZero() {
		words += "; the limit resets at " + last.Resets.UTC().Format("2006-01-02 15:04 MST")
	}
	return words
}

// kindWords says what a seat did that kept it from giving a usable reply, once or twice in a row.
func kindWords(kind state.FailureKind) (once, twice string) {
	switch kind {
	case state.FailureRefused:
		return "declined to answer", "declined to answer twice"
	case state.FailureFiltered:
		return "had its reply stopped by the provider's filter", "had its reply stopped by the provider's filter twice"
	case state.FailureThinking:
		return "used up its tokens while thinking", "twice used up its tokens while thinking"
	case state.FailureLookups:
		return "kept looking things up and never replied", "twice kept looking things up and never replied"
	case state.FailureEmpty:
		return "sent no text", "sent no text twice"
	case state.FailureUnreachable:
		return "gave no answer", "gave no answer twice"
	case state.FailureLimit:
		return "reached a limit", "reached a limit twice"
	case state.FailureLogin:
		return "needs a valid key or login", "needs a valid key or login"
	case state.FailureContext:
		return "cannot take a prompt this long", "cannot take a prompt this long"
	case state.FailureFormat, state.FailureNone:
	}
	return "failed the format", "failed the format twice in a row"
}
