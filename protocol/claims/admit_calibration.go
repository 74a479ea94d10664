package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
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

// caused reports whether a text names a valid cause for a change on the point
// (ST1) that is newer than the given event: a verified item, a live user fact, or for a value
// point a challenge that was answered.
func caused(d *protocol.Draft, p *state.Point, text string, since int) bool {
	for _, id := range ids(text) {
		switch id[0] {
		case 'E':
			if item := d.State.Item(id); item != nil && item.Proven() && item.Point == p.ID && item.Seq > since {
				return true
			}
		case 'F':
			if fact := d.State.Fact(id); fact != nil && fact.Binds() && fact.Seq > since {
				return true
			}
		case 'C':
			if c := d.State.Challenge(id); c != nil && c.Point == p.ID && resolver.KindOf(d.State, p) != state.Empirical {
				if last := c.Last(); last != nil && last.Seq > since {
					return true
				}
			}
		}
	}
	return false
}

// ids returns the ids of items in a text: E3, F2, C1.
func ids(text string) []string {
	return lists.Filter(strings.FieldsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}), func(word string) bool {
		return len(word) > 1 && strings.ContainsRune("EFC", rune(word[0])) && strings.Trim(word[1:], "0123456789") == ""
	})
}

// keepPosition refuses a reversal without a cause and records that the earlier position still
// applies (ST1, LE2). challenge is one that the reversal raised and that its citations do not carry, or "".
func (a *Admitter) keepPosition(p *state.Point, from, to, challenge string) error {
	a.Refused = append(a.Refused, state.Refusal{Code: "no-cause", Text: fmt.Sprintf(
		"%s: your earlier position still applies; a reversal says \"Revising from X to Y because …\" "+
			"and names a verified item or a user fact that is newer than your last word", p.ID)})
	for _, d := range a.State.Drifts.All() {
		if len(p.Deferred) == 0 && challenge == "" && d.Seat == a.Seat && d.Point == p.ID && d.From == plain.Short(from) &&
			(d.To == plain.Short(to) || d.Round == a.State.Round) {
			return nil
		}
	}
	a.Record(&state.DriftDetected{Seat: a.Seat, Point: p.ID, From: plain.Short(from), To: plain.Short(to), Kept: true, Challenge: challenge})
	return RecordRevision(a.Draft, a.Seat, fmt.Sprintf("refused: %s on %s from %s to %s without a cause that counts", a.Seat, p.ID,
		plain.Short(from), plain.Short(to)))
}

// warnDrop is the drop of a confidence in one round from which the session shows a warning (ST3).
const warnDrop = 0.3

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

// Report admits the confidence of another move. If it is refused, the rest of the move is still
// admitted.
func (a *Admitter) Report(point string, stated *float64, cause string) {
	if stated != nil {
		a.Try(0, func() error { return a.score(point, *stated, cause) })
	}
}

// ForRequest is the For of an item that answers a request for evidence.
const ForRequest = "request"

// numbered returns the point that a seat means by an id in the reply that raises points. It counts its own points on from
// those that it was shown: other seats may have raised theirs at the same time.
func (a *Admitter) numbered(id string) string {
	if a.Ask.Stage != state.StagePropose {
		return id
	}
	at := state.Index(id, 'P')
	for _, p := range a.State.Points.All() {
		if p.Raised <= a.Began && (p.IsAuthor(a.Seat) || p.IsAuthor(state.User) || p.Round < a.State.Round) {
			at--
		}
	}
	for _, said := range a.said {
		if at == 0 && said.challenge == "" {
			return said.point
		}
		at--
	}
	return id
}

// Cite admits a CITE or a citation of another move. what is the challenge that it answers or
// supports, or "".
func (a *Admitter) Cite(point string, c move.Citation, label move.Label, what string) error {
	p, err := a.Point(point)
	if err != nil {
		// A point that is too late to be evaluated may still have evidence.
		last := a.State.Points.Len() - 1
		if p = a.State.Points.At(last); p == nil || p.ID != point {
			return err
		}
	}
	if what == "" && a.asked(p, state.RequestEvidence) {
		what = ForRequest
	}
	if what == "" && c.Relation == ledger.Refutes {
		// Other evidence that a challenger cites supports its challenge.
		for _, id := range p.Challenges {
			if own := a.State.Challenge(id); own.By == a.Seat && resolver.Answerable(own) {
				what = id
			}
		}
	}
	if _, err := a.Offer(p, c, label, what); err != nil {
		return err
	}
	if a.asked(p, state.RequestEvidence) {
		a.Record(&state.RequestSettled{Point: p.ID, What: state.RequestEvidence, Answered: true, By: a.Seat})
	}
	return nil
}

// Offer offers an item on a point and returns its id. If the seat offered it before, it returns the
// id of that item with a refusal.
func (a *Admitter) Offer(p *state.Point, c move.Citation, label move.Label, what string) (string, error) {
	relation := cmp.Or(c.Relation, ledger.Supports)
	c, err := a.Proposal(c)
	if err != nil {
		return "", err
	}
	switch {
	case strings.TrimSpace(c.Reference) == "":
		return "", protocol.Refuse("no-reference", "evidence needs a reference: path:line")
	case a.offered >= maxOffered:
		return "", protocol.OverLimit(strings.TrimSpace(c.Reference+" "+c.Quote)+" for "+p.ID,
			"a reply offers at most %d evidence items", maxOffered)
	}
	for _, id := range p.Evidence {
		e := a.State.Item(id)
		same := c.Quote != "" && strings.Contains(e.Excerpt, c.Quote)
		if e.Approval != ledger.ApprovalNone {
			same = e.Expect == c.Quote
		}
		if same && e.OfferedBy == string(a.Seat) && e.Relation == relation && e.Reference == c.Reference {
			return id, protocol.Refuse("repeated", "%s offers that already", id)
		}
	}
	a.offered++
	id := a.State.NextEvidence()
	return id, a.Add(&state.EvidenceOffered{
		ID: id, Point: p.ID, Relation: relation, Reference: c.Reference, Quote: c.Quote,
		For: what, Label: string(label), By: a.Seat,
	})
}

// asked reports whether this seat has an open request on the point.
func (a *Admitter) asked(p *state.Point, kind state.RequestKind) bool {
	r := resolver.Request(a.State, p, kind)
	return r != nil && r.Open() && slices.Contains(r.Of, a.Seat) && !resolver.Gave(p, r, a.Seat)
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
		return a.Add(&state.RequestSettled{Point: p.ID, What: state.RequestTerms, Answered: true, By: a.Seat, Text: text})
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
