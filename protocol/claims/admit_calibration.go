package claims

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// reversed reports whether a class reverses the seat's last verdict (ST1).
func reversed(old *state.Classification, class state.Class) bool {
	against := func(c state.Class) bool { return c == state.Skeptical || c == state.Reject }
	return old.Class == state.Agree && against(class) || against(old.Class) && class == state.Agree
}

// keepPosition refuses a reversal without a cause and records that the earlier position still
// applies (ST1, LE2). challenge is one that the reversal raised and that its citations do not carry, or "".
func (a *Admitter) keepPosition(p *state.Point, from, to, challenge string) error {
	a.Refused = append(a.Refused, state.Refusal{Code: "no-cause", Text: fmt.Sprintf(
		"%s: your earlier position still applies; a reversal says \"Revising from X to Y because …\" "+
			"and names a verified item or a user fact that is newer than your last word", p.ID)})
	for _, d := range a.State.Drifts.All() {
		if len(p.Deferred) == 0 && challenge == "" && d.Seat == a.Seat && d.Point == p.ID &&
			d.From == plain.Short(from) &&
			(d.To == plain.Short(to) || d.Round == a.State.Round) {
			return nil
		}
	}
	a.Record(
		&state.DriftDetected{
			Seat:      a.Seat,
			Point:     p.ID,
			From:      plain.Short(from),
			To:        plain.Short(to),
			Kept:      true,
			Challenge: challenge,
		},
	)
	return RecordRevision(
		a.Draft,
		a.Seat,
		fmt.Sprintf("refused: %s on %s from %s to %s without a cause that counts", a.Seat, p.ID,
			plain.Short(from), plain.Short(to)),
	)
}

// score admits a SCORE or the confidence of another move (ST3). The admitted value changes only if
// a cause is given.
func (a *Admitter) score(id string, stated float64, cause string) error {
	p, err := a.Point(id)
	if err != nil {
		return err
	}
	if math.IsNaN(stated) || stated < 0 || stated > 1 {
		return protocol.Refuse("confidence", "a confidence is 0 to 1, not %v", stated)
	}
	admitted, before := stated, p.Score(a.Seat)
	if before != nil && !caused(a.Draft, p, cause, before.Seq) {
		admitted = before.Admitted
	}
	if a.AgreesFrom > 0 && stated >= a.AgreesFrom {
		a.Agrees(p, cause)
	}
	a.Record(&state.ConfidenceReported{Seat: a.Seat, Point: p.ID, Stated: stated, Admitted: admitted, Cause: cause})
	// In floating point, 0.7 - 0.4 is slightly less than 0.3.
	if before != nil && before.Stated-stated >= warnDrop-1e-9 && !caused(a.Draft, p, cause, before.Seq) {
		return a.Add(&state.PointNoted{Point: p.ID, Text: fmt.Sprintf(
			"%s dropped its confidence from %.2f to %.2f without a cause", a.Seat, before.Stated, stated)})
	}
	return nil
}

// clarify admits a CLARIFY: from an author it is an answer, from another seat a request.
func (a *Admitter) clarify(m *move.Clarify) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return protocol.Refuse("empty", "a clarification needs a text")
	}
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	if m.Term != "" {
		text = m.Term + ": " + text
	}
	note := &state.PointNoted{
		Point: p.ID, Text: string(a.Seat) + " clarifies: " + text, By: a.Seat, Term: m.Term, Means: strings.TrimSpace(m.Text),
	}
	if m.Term == move.LimitTerm {
		note.By, note.Term, note.Means = "", "", "" // What the point doesn't cover is not what it means.
	}
	if a.asked(p, state.RequestTerms) {
		a.Record(note)
		p = a.State.Point(p.ID)
		r := resolver.Request(a.State, p, state.RequestTerms)
		if slices.ContainsFunc(r.Of, func(seat state.Seat) bool { return !resolver.Gave(p, r, seat) }) {
			return nil
		}
		return a.Add(
			&state.RequestSettled{Point: p.ID, What: state.RequestTerms, Answered: true, By: a.Seat, Text: text},
		)
	}
	answers := slices.Contains(p.Defenders(), a.Seat)
	for _, kind := range []state.RequestKind{state.RequestClarification, state.RequestCrux} {
		if a.asked(p, kind) {
			answers = true
			a.Record(&state.RequestSettled{Point: p.ID, What: kind, Answered: true, By: a.Seat, Text: text})
			break
		}
	}
	// A seat that names the term says what it means by it itself; otherwise it asks the authors.
	if answers || m.Term != "" {
		return a.Add(note)
	}
	if r := resolver.Request(a.State, p, state.RequestClarification); r != nil {
		return protocol.Refuse("repeated", "a clarification of %s was asked for already", p.ID)
	}
	return a.Add(&state.Requested{
		Point: p.ID, Kind: state.RequestClarification, Of: p.Defenders(), By: a.Seat,
		Text: text,
	})
}
